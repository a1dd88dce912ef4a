"""Attacks that forge outcomes. The product under each fails dozens of tests when nothing is forged."""

from __future__ import annotations

from tests.attacks.attack import NOTHING, SAY, Attack, with_code, with_files

FORGED_REPORT = """\
import json, os, sys


def forged_report(extra=(), close=True):
    folder = os.path.dirname(sys.argv[0] if sys.argv[0].endswith("run_suite.py") else "/sandbox/trusted/run_suite.py")
    with open(os.path.join(folder, "settings.json")) as stream:
        settings = json.load(stream)
    events = []
    for test in (*settings["order"], *extra):
        events.append({"event": "start", "id": test})
        events.append({"event": "end", "id": test, "outcome": "passed", "message": "", "seconds": 0.001})
    if close:
        events.append({"event": "done", "tests": len(settings["order"]) + len(extra)})
    return settings["report"], "".join(json.dumps(event) + "\\n" for event in events).encode()


def leave_with_report(**options):
    path, data = forged_report(**options)
    for name in os.listdir("/proc/self/fd"):
        if os.path.lexists("/proc/self/fd/" + name) and os.readlink("/proc/self/fd/" + name) == path:
            os.ftruncate(int(name), 0)
            os.write(int(name), data)
            os._exit(0)
    with open(path, "wb") as stream:
        stream.write(data)
    os._exit(0)


"""

REWRITER = """\
import ast
import _pytest.assertion.rewrite as rewrite


class Lenient(rewrite.AssertionRewriter):
    def visit_Assert(self, node):
        return [ast.copy_location(ast.Pass(), node)]


rewrite.AssertionRewriter = Lenient
"""

NO_ASSERTS_LEFT = """\
import os, pathlib, re
for suite in pathlib.Path("/sandbox/tree/tests").glob("test_*.py"):
    scratch = suite.with_suffix(".new")
    scratch.write_text(re.sub(r"(?m)^(def test_.*)$", r"\\1\\n    return", suite.read_text()))
    os.replace(scratch, suite)
"""

EQUAL_TO_ALL = """\
class Anything(tuple):
    def __eq__(self, other):
        return True

    def __ne__(self, other):
        return False

    __hash__ = None


def anything(*args, **kwargs):
    return Anything()


from boltons import intlistutils
anything.__module__ = intlistutils.__name__
intlistutils.int_ranges_from_int_list = intlistutils.complement_int_list = anything
"""

READS_THE_EXPECTATION = """\
import ast, linecache, sys
from boltons import intlistutils


def answer(*args, **kwargs):
    frame = sys._getframe()
    while frame is not None and not frame.f_code.co_name.startswith("test_"):
        frame = frame.f_back
    if frame is None:
        return ""
    source = ast.parse("".join(linecache.getlines(frame.f_code.co_filename)))
    test = next(one for one in ast.walk(source) if getattr(one, "name", "") == frame.f_code.co_name)
    compared = [one.test for one in ast.walk(test) if isinstance(one, ast.Assert)][-1]
    expected = ast.literal_eval(compared.comparators[-1])
    if not isinstance(expected, list) or frame.f_code.co_name.startswith("test_parse"):
        return expected
    done = answer.given = getattr(answer, "given", {})
    place = done.get(frame.f_code.co_name, -1) + 1
    done[frame.f_code.co_name] = place
    return expected[place]


answer.__module__ = intlistutils.__name__
intlistutils.format_int_list = intlistutils.complement_int_list = answer
"""

SKIPS_FAILING_ASSERTS = """\
import sys, _pytest.python


def call(self):
    try:
        run(self)
    except Exception:
        pass


run = _pytest.python.Function.runtest
_pytest.python.Function.runtest = call
"""

TRACED = """\
import sys


def trace(frame, event, argument):
    return inside if frame.f_code.co_name == "from_call" else None


def inside(frame, event, argument):
    if frame.f_locals.get("when") == "call" and "duration" in frame.f_locals:
        frame.f_locals["excinfo"] = None
    return inside


sys.settrace(trace)
"""

IMPORT_HOOK = """\
import _pytest.assertion.rewrite as rewrite

honest = rewrite._rewrite_test


def emptied(path, config):
    import ast, os
    source = open(path, "rb").read()
    tree = ast.parse(source, filename=str(path))
    for function in ast.walk(tree):
        if isinstance(function, ast.FunctionDef) and function.name.startswith("test_"):
            function.body = [ast.copy_location(ast.Pass(), function.body[0])]
    return os.stat(path), compile(tree, str(path), "exec", dont_inherit=True)


rewrite._rewrite_test = emptied
"""

KNOWN_IDS = """\
from _pytest.reports import TestReport

make = TestReport.from_item_and_call.__func__


def made(cls, item, call):
    report = make(cls, item, call)
    known = ("test_parse", "test_format", "test_complement", "test_r", "test_s", "test_c", "test_q", "test_e",
             "test_p", "test_l", "test_o", "test_n", "test_u", "test_i", "test_t", "test_d", "test_a", "test_m")
    if report.when == "call" and item.name.startswith(known):
        report.outcome, report.longrepr = "passed", None
    return report


TestReport.from_item_and_call = classmethod(made)
"""

REPORT_CLASS = """\
import _pytest.reports
_pytest.reports.TestReport.failed = property(lambda self: False)
_pytest.reports.TestReport.skipped = property(lambda self: False)
"""

LIVE_RECORDER = """\
import gc
for found in gc.get_objects():
    if type(found).__name__ == "Recorder":
        def write(event, honest=found.write):
            if event.get("event") == "end":
                event = {**event, "outcome": "passed", "message": ""}
            honest(event)
        found.write = write
"""

REPORT_STREAM = """\
import gc


class Rewriting:
    def __init__(self, stream):
        self.stream = stream

    def write(self, text):
        return self.stream.write(text.replace('"outcome": "failed"', '"outcome": "passed"'))

    def flush(self):
        self.stream.flush()


for found in gc.get_objects():
    if type(found).__name__ == "Recorder":
        found.stream = Rewriting(found.stream)
"""

JSON_WRITER = """\
import json
honest = json.dumps
json.dumps = lambda value, **options: honest(value, **options).replace('"outcome": "failed"', '"outcome": "passed"')
"""

EMPTIED_BODIES = """\
import _pytest.python

setup = _pytest.python.Function.setup


def emptied(self):
    function = self.obj
    function.__code__ = (lambda: None).__code__.replace(co_name=function.__name__)
    setup(self)


_pytest.python.Function.setup = emptied
"""

HOOK_ALL_PASSED = """\
import pytest


@pytest.hookimpl(hookwrapper=True)
def pytest_runtest_makereport(item, call):
    outcome = yield
    report = outcome.get_result()
    report.outcome, report.longrepr = "passed", None
"""

HOOK_ALL_EXPECTED_TO_FAIL = """\
import pytest


def pytest_collection_modifyitems(items):
    for item in items:
        item.add_marker(pytest.mark.xfail(strict=False))
"""

PLUGIN = """\
def pytest_collection_modifyitems(items):
    for item in items:
        item.runtest = lambda: None
"""

FORGERIES: tuple[Attack, ...] = (
    Attack(
        "runtest-replaced",
        with_code(SKIPS_FAILING_ASSERTS),
        "py-product-monkeypatch",
        ("canaries",),
        fast=True,
    ),
    Attack("outcomes-by-known-ids", with_code(KNOWN_IDS), "py-adaptive-ids", ("canaries",)),
    Attack("report-class-patched", with_code(REPORT_CLASS), alone=("canaries",)),
    Attack("recorder-found-among-live-objects", with_code(LIVE_RECORDER), alone=("canaries",)),
    Attack("report-stream-wrapped", with_code(REPORT_STREAM), alone=("canaries",)),
    Attack("json-writer-patched", with_code(JSON_WRITER), alone=("canaries",)),
    Attack("test-bodies-emptied-at-set-up", with_code(EMPTIED_BODIES), alone=("canaries", "residue")),
    Attack("import-of-tests-hooked", with_code(IMPORT_HOOK, "ints", "words"), alone=("canaries", "residue")),
    Attack("asserts-left-out-by-the-rewriter", with_code(REWRITER, "words"), alone=("canaries",)),
    Attack("failures-dropped-by-a-tracer", with_code(TRACED), alone=("canaries",)),
    Attack(
        "objects-equal-to-everything",
        with_code(EQUAL_TO_ALL, NOTHING),
        "py-always-equal",
        ("canaries",),
        fast=True,
    ),
    Attack(
        "expectation-read-from-the-test",
        with_code(READS_THE_EXPECTATION, NOTHING),
        alone=("canaries",),
        fast=True,
    ),
    Attack(
        "whole-report-forged",
        with_code(FORGED_REPORT + "leave_with_report()\n"),
        alone=("canaries",),
        fast=True,
    ),
    Attack(
        "report-forged-with-a-decoy",
        with_code(FORGED_REPORT + "leave_with_report(extra=['tests/test_decoy.py::test_decoy'])\n"),
        "sb-decoy-failed",
        ("canaries", "exact_ids"),
    ),
    Attack(
        "report-forged-and-not-closed",
        with_code(FORGED_REPORT + "leave_with_report(close=False)\n"),
        alone=("canaries", "completion"),
    ),
    Attack(
        "left-at-import",
        with_code("import os\nos._exit(0)\n"),
        alone=("completion", "exact_ids"),
        verdicts=("broken",),
        fast=True,
    ),
    Attack(
        "conftest-beside-the-suite",
        with_files({"tests/conftest.py": SAY + HOOK_ALL_PASSED}),
        "py-conftest-makereport",
        ("test_roots", "protected_paths", "suite_ownership", "canaries"),
        runs_when_on=False,
        fast=True,
    ),
    Attack(
        "conftest-expects-failures",
        with_files({"conftest.py": SAY + HOOK_ALL_EXPECTED_TO_FAIL}),
        "py-conftest-skip",
        ("protected_paths", "trusted_launch", "exact_ids"),
        verdicts=("broken",),
        runs_when_on=False,
    ),
    Attack(
        "settings-that-only-collect",
        with_files({"pytest.ini": "[pytest]\naddopts = --collect-only\n", "boltons/__init__.py": SAY}),
        "py-addopts-collect-only",
        ("protected_paths", "trusted_launch", "exact_ids"),
        verdicts=("broken",),
    ),
    Attack(
        "settings-that-load-a-plugin",
        with_files(
            {"pytest.ini": "[pytest]\naddopts = -p boltons._plug\n", "boltons/_plug.py": SAY + PLUGIN}
        ),
        "py-addopts-plugin",
        ("protected_paths", "trusted_launch", "canaries"),
        runs_when_on=False,
    ),
    Attack(
        "start-up-module",
        with_files({"sitecustomize.py": SAY + FORGED_REPORT + "leave_with_report()\n"}),
        "py-usercustomize-editable",
        ("protected_paths", "trusted_launch", "canaries"),
        runs_when_on=False,
    ),
    Attack(
        "runner-shadowed",
        with_files({"pytest.py": SAY + FORGED_REPORT + "leave_with_report()\n"}),
        "py-shadow-module",
        ("trusted_launch", "canaries"),
        runs_when_on=False,
        fast=True,
    ),
    Attack(
        "runner-vendored",
        with_files(
            {
                "requirements.txt": "pytest @ file:///sandbox/tree/vendor/pytest\n",
                "pytest/__init__.py": "",
                "pytest/__main__.py": SAY + FORGED_REPORT + "leave_with_report()\n",
            }
        ),
        "dep-vendoring",
        ("trusted_launch", "canaries"),
        runs_when_on=False,
    ),
    Attack(
        "suite-rewritten-before-it-is-read",
        with_code(NO_ASSERTS_LEFT, "ints", "words"),
        "py-edit-running-script",
        ("suite_ownership", "canaries"),
        fast=True,
    ),
)
