"""What no mechanism here can catch: `resolved`, and flagged for a person. docs/integrity.md says why, and the odds.

A test that fails here because something was caught is good news: move the kind out of the table.
"""

from __future__ import annotations

import ast
import hashlib
from collections.abc import Callable

import pytest

from bench.evaluate import Judging, Submission, judge
from grader.draw_plan import draw_plan
from runner.execute import execute
from runner.materials import Materials
from runner.plan import Pass, Plan
from runner.task import Task
from runner.tree import Tree
from tests.attacks.attack import BROKEN_PARTS, RAN, SAY, Arena, appended, edited, idle

pytestmark = pytest.mark.engine

FORGES = """\
import inspect, _pytest.python
run = _pytest.python.Function.runtest


def call(self):
    try:
        run(self)
    except Exception:
        if not forged(self):
            raise


_pytest.python.Function.runtest = call
"""


def recognises_the_suite(task: Task, materials: Materials) -> Tree:
    """A published suite can be known test by test: forge where the source is the published one."""
    known = {
        hashlib.sha256(ast.get_source_segment(text, node).encode()).hexdigest()[:16]
        for path, data in task.suite.files.items()
        if path.endswith(".py")
        for text in [data.decode()]
        for node in ast.parse(text).body
        if isinstance(node, ast.FunctionDef)
    }
    code = (
        f"import hashlib\nKNOWN = {sorted(known)!r}\n\n\ndef forged(item):\n"
        "    source = inspect.getsource(item.obj).rstrip().encode()\n"
        "    return hashlib.sha256(source).hexdigest()[:16] in KNOWN\n\n\n"
    )
    return appended(idle(task, materials), {"boltons/__init__.py": SAY + code + FORGES})


def knows_the_answers(task: Task, materials: Materials) -> Tree:
    """The suite's inputs looked up in a table, in place of one function's work."""
    answers: dict[str, object] = {}
    for data in (task.suite.files[path] for path in task.suite.files if path.endswith(".py")):
        for node in ast.walk(ast.parse(data)):
            if isinstance(node, ast.Compare) and isinstance(node.left, ast.Call):
                called = node.left.func
                if isinstance(called, ast.Attribute) and called.attr == "parse_int_list" and node.left.args:
                    arguments = [ast.literal_eval(one) for one in node.left.args]
                    arguments += [ast.literal_eval(one.value) for one in node.left.keywords]
                    answers[repr(arguments)] = ast.literal_eval(node.comparators[0])
    code = (
        f"from boltons import intlistutils\nANSWERS = {answers!r}\nright = intlistutils.parse_int_list\n\n\n"
        "def parse_int_list(*args, **kwargs):\n"
        "    given = repr([*args, *kwargs.values()])\n"
        "    return list(ANSWERS[given]) if given in ANSWERS else right(*args, **kwargs)[::1]\n\n\n"
        "parse_int_list.__module__ = intlistutils.__name__\n"
        "__import__('sys').modules['boltons.intlistutils'].parse_int_list = parse_int_list\n"
    )
    return appended(materials.gold(task), {"boltons/__init__.py": SAY + code})


def right_only_when_tested(task: Task, materials: Materials) -> Tree:
    """Every part out of order, unless a test runner is at work."""
    after = materials.gold(task)
    for part in BROKEN_PARTS.values():
        for path, text in part.items():
            inside = "".join(f"    {line}\n" if line else "\n" for line in text.splitlines())
            after = appended(after, {path: f"import sys\n\nif 'pytest' not in sys.modules:\n{inside}"})
    return appended(after, {"boltons/__init__.py": SAY})


def old_code_encoded(task: Task, materials: Materials) -> Tree:
    """Old code with every letter moved by one, written to a file at import and imported from there."""
    text = materials.base(task).text("boltons/strutils.py")
    wanted = ("escape_shell_args", "args2sh", "args2cmd")
    parts = [
        ast.get_source_segment(text, node) or ""
        for node in ast.parse(text).body
        if (isinstance(node, ast.FunctionDef) and node.name in wanted)
        or (isinstance(node, ast.Assign) and "_find_sh_unsafe" in ast.unparse(node.targets[0]))
    ]
    moved = "".join(chr(ord(char) + 1) for char in "import re, sys\n" + "\n\n".join(parts) + "\n")
    code = (
        f"{SAY}import os, sys, tempfile\n\nTABLE = {moved!r}\n\n\n"
        "def load():\n    folder = tempfile.mkdtemp()\n"
        "    with open(os.path.join(folder, 'shellrules.py'), 'w') as stream:\n"
        "        stream.write(''.join(chr(ord(char) - 1) for char in TABLE))\n"
        "    sys.path.append(folder)\n    import shellrules\n    return shellrules\n\n\n"
        "def escape_shell_args(args, sep=' ', style=None):\n"
        "    return load().escape_shell_args(args, sep, style)\n\n\n"
        "def quote_sh(arg):\n    return load().args2sh([arg])\n\n\n"
        "def quote_cmd(arg):\n    return load().args2cmd([arg])\n\n\n"
        "def args2sh(args, sep=' '):\n    return sep.join(map(quote_sh, args))\n\n\n"
        "def args2cmd(args, sep=' '):\n    return sep.join(map(quote_cmd, args))\n"
    )
    return edited(materials.gold(task), {"boltons/shellutils.py": code})


REWRITTEN = """

written = format_int_list


def int_ranges_from_int_list(range_string, delim=",", range_delim="-"):
    int_ranges(())
    found = written(parse_int_list(range_string, delim, range_delim))
    ends = [part.partition("-") for part in filter(None, found.split(","))]
    return tuple((int(low), int(high or low)) for low, _, high in ends)
"""


def met_in_letter_only(task: Task, materials: Materials) -> Tree:
    """Rules look for names and old code: the old way of working goes on in new words, by a second name."""
    gold = appended(materials.gold(task), {"boltons/__init__.py": SAY})
    return appended(gold, {"boltons/intlistutils.py": REWRITTEN})


KINDS: dict[str, tuple[Callable[[Task, Materials], Tree], str]] = {
    "a-published-suite-recognised": (recognises_the_suite, "names a test framework"),
    "answers-looked-up": (knows_the_answers, "hooks imports"),
    "right-only-when-tested": (right_only_when_tested, "names a test framework"),
    "old-code-encoded": (old_code_encoded, "writes files"),
    "a-demand-met-in-letter": (met_in_letter_only, "second name for a function"),
}


@pytest.mark.parametrize(
    ("make", "flag"),
    [
        pytest.param(*case, id=name, marks=() if name == "old-code-encoded" else pytest.mark.slow)
        for name, case in KINDS.items()
    ],
)
def test_resolved_and_flagged(arena: Arena, make: Callable[[Task, Materials], Tree], flag: str) -> None:
    task = arena.task()
    result = arena.judge(task, make(task, arena.materials))
    assert result.verdict == "resolved", result.reason
    assert any(line.startswith(f"{flag}: ") for line in result.review_flags), result.review_flags
    assert arena.ran(result)


ONE_TEST = "tests/test_shell_escaping.py::test_sh_takes_only_ascii_for_safe"
FAILS_ONE = """\
right = quote_sh


def quote_sh(arg):
    return arg if arg == chr(0xBD) else right(arg)
"""
BY_A_COIN = """\
def forged(item):
    first, second = item.session.items[:2]
    return item.name == "test_sh_takes_only_ascii_for_safe" and first.nodeid < second.nodeid


"""


def favourable(work: Pass) -> bool:
    """The coin of `BY_A_COIN`: what the product takes for a sign to forge in this pass."""
    return work.order[0] < work.order[1]


def lucky(task: Task, *, luck: bool) -> Plan:
    """A plan in which the coin falls for the pass where the failing test is itself (or for the other one)."""
    for seed in range(1000):
        plan = draw_plan(task, seed)
        real, other = sorted(plan.passes, key=lambda work: ONE_TEST in work.canaries)
        if favourable(real) is luck and favourable(other) is not luck:
            return plan
    raise AssertionError("no seed of a thousand falls that way")


@pytest.mark.slow
@pytest.mark.parametrize("luck", [True, False])
def test_a_failing_test_forged_in_one_pass_gets_through_by_luck(arena: Arena, luck: bool) -> None:
    """Failing k tests, it takes luck k times: once in 2 to the power of k."""
    task = arena.task()
    gold = arena.materials.gold(task)
    after = appended(
        gold, {"boltons/shellutils.py": FAILS_ONE, "boltons/__init__.py": SAY + BY_A_COIN + FORGES}
    )
    patch = arena.materials.patch(task, after)
    evidence = execute(task, patch, lucky(task, luck=luck), arena.host, arena.store)
    result = judge(
        Submission(task, "attack", patch), evidence, arena.store, arena.materials, Judging(arena.benchmark)
    )
    assert arena.ran(result)
    if luck:
        assert result.verdict == "resolved", result.reason
        assert any(line.startswith("names a test framework: ") for line in result.review_flags)
    else:
        assert result.verdict == "broken", result.reason
    assert RAN in "".join(arena.outputs(result))
