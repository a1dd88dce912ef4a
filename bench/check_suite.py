"""What can be wrong with a suite: files and list that differ, too few tests, tests that carry no canary."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from pathlib import PurePosixPath

from bench.suite_identifiers import untold_names
from bench.suite_names import untold, used_names
from bench.task_parts import TaskParts
from grader.canaries import WRITERS
from grader.draw_plan import LEAST_CARRIED
from grader.syntax import SYNTAXES
from runner.errors import Fault
from runner.task import Suite
from runner.tree import Tree

LEAST_TESTS = 25
"""Hidden tests a task has at least."""


def suite_faults(
    parts: TaskParts, canary_share: float, base: Tree | None, gold: Tree | None
) -> Iterator[Fault]:
    """Every fault of the suite. `base` and `gold` are the task's trees, None to leave out what needs them."""
    suite = parts.suite
    if suite is None or parts.framework not in WRITERS or parts.language not in SYNTAXES:
        return
    if len(suite.tests) < LEAST_TESTS:
        message = f"the suite has {len(suite.tests)} tests, at least {LEAST_TESTS} are asked for; write more"
        yield Fault(str(parts.suite_file), 0, message)
    defined, faults = _defined(parts, suite)
    yield from faults
    yield from _listing(parts, suite, defined)
    yield from _carriers(parts, suite, defined, canary_share)
    if base is not None and parts.language == "python":
        yield from _names(parts, suite, base)
    elif base is not None and gold is not None:
        yield from _identifiers(parts, suite, base, gold)


def _defined(parts: TaskParts, suite: Suite) -> tuple[dict[str, dict[str, int]], list[Fault]]:
    """File to the ids and lines of the tests that stand in it, for each file that parses."""
    defined: dict[str, dict[str, int]] = {}
    faults: list[Fault] = []
    for file, data in suite.files.items():
        if file.endswith(SYNTAXES[parts.language].suffixes):
            try:
                defined[file] = dict(WRITERS[parts.framework].defined(file, data))
            except SyntaxError as error:
                faults.append(_fault(parts, file, error.lineno or 0, f"does not parse: {error.msg}"))
    return defined, faults


def _listing(parts: TaskParts, suite: Suite, defined: Mapping[str, Mapping[str, int]]) -> Iterator[Fault]:
    units = {unit.file for unit in suite.units}
    for number, unit in enumerate(suite.units):
        standing = defined.get(unit.file)
        for test in unit.tests if standing is not None else ():
            if standing is not None and test not in standing:
                line = parts.suite_line(("unit", number, "tests", test.removeprefix(f"{unit.file}::")))
                message = f"there is no test `{test}`; write it, or take it off the list"
                yield Fault(str(parts.suite_file), line, message)
    for file, tests in defined.items():
        for test, line in tests.items():
            if file in units and test not in suite.tests:
                yield _fault(parts, file, line, f"`{test}` is not listed in suite.toml; say what it proves")
        if tests and file not in units and "test" in PurePosixPath(file).name.lower():
            yield _fault(parts, file, 0, "has tests and is no unit of suite.toml; list it there")


def _carriers(
    parts: TaskParts, suite: Suite, defined: Mapping[str, Mapping[str, int]], canary_share: float
) -> Iterator[Fault]:
    """Tests that can carry no `value` canary, where they are too many."""
    tests = [test for test in suite.tests if test in defined.get(test.split("::")[0], {})]
    refused = WRITERS[parts.framework].sites(suite.files, tests).refused
    carried = len(tests) - len(refused)
    if not tests or (carried >= LEAST_CARRIED and carried / len(tests) >= canary_share):
        return
    if carried < LEAST_CARRIED:
        message = f"{carried} tests can carry a canary, at least {LEAST_CARRIED} have to"
        yield Fault(str(parts.suite_file), 0, message)
    for test, reason in refused.items():
        file = test.split("::")[0]
        message = (
            f"`{test}` can carry no canary ({reason}), and {canary_share:.0%} of the tests have to: "
            "compare something computed with a literal that is no input of the test"
        )
        yield _fault(parts, file, defined[file][test], message)


def _names(parts: TaskParts, suite: Suite, base: Tree) -> Iterator[Fault]:
    modules = frozenset(PurePosixPath(file).stem for file in suite.files) | frozenset(
        PurePosixPath(file).parts[0] for file in suite.files
    )
    roots = parts.table.image.import_roots if parts.table else (".",)
    for file, data in suite.files.items():
        try:
            used = used_names(file, data, modules) if file.endswith(".py") else ()
        except SyntaxError:
            continue  # told by `_defined`
        for each in used:
            if untold(each.name, parts.statement, base, roots):
                yield _fault(parts, file, each.line, _needs(each.name))


def _identifiers(parts: TaskParts, suite: Suite, base: Tree, gold: Tree) -> Iterator[Fault]:
    syntax = SYNTAXES[parts.language]
    for each in untold_names(
        suite.files, parts.statement, base, gold, language=parts.language, syntax=syntax
    ):
        yield _fault(parts, each.file, each.line, _needs(each.name))


def _needs(name: str) -> str:
    return f"needs `{name}`, which neither the statement names nor the base has; name it there"


def _fault(parts: TaskParts, file: str, line: int, message: str) -> Fault:
    return Fault(str(parts.home / "suite" / file), line, message)
