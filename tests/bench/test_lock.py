"""`tasks lock` measures what it says, refuses what is not so, and stores only canaries that hold."""

from __future__ import annotations

import ast
import dataclasses
import datetime
import json
import sys
import types
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from pathlib import Path

import pytest

from bench.lock import Trees, lock, public_text, write_measured
from bench.prove_canaries import half_plans
from runner.errors import TaskError
from runner.overlay import suite_files
from runner.plan import Pass
from runner.task import (
    DeltaChange,
    Demand,
    ImageSpec,
    Limits,
    Measured,
    Structure,
    Suite,
    SuiteTest,
    Task,
    TreeSource,
    Unit,
)
from runner.task_folder.checked import CheckedFiles
from runner.task_folder.digest import suite_digest
from runner.task_folder.parts import read_measured
from runner.toolchains import Outcome, Report, Reported
from runner.tree import REGULAR, Entry, Tree

KEEP, GAIN = "tests/test_keep.py", "tests/test_gain.py"
PRODUCT = """
def price(count, tariff):
    return count * 17 + len(tariff)

def label(text, number):
    return "-".join([text[0], str(number + 2), text[::-1]])
"""
GOLD = PRODUCT + "\ndef total(prices):\n    return [sum(prices), max(prices) * 3]\n"
ALTERNATIVE = PRODUCT + "\ndef total(prices):\n    return [*map(sum, [prices]), sorted(prices)[-1] * 3]\n"
KEEP_TESTS = """
from shop import label, price

def test_price():
    assert price(31, "net") == 530

def test_label():
    assert label("door", 40) == "d-42-rood"

def test_truth():
    assert price(1, "net") is not None
"""
GAIN_TESTS = """
from shop import total

def test_total():
    assert total([15, 8, 29]) == [52, 87]
"""


def tree(product: str) -> Tree:
    return Tree(
        {"shop.py": Entry(REGULAR, product.encode()), "README.md": Entry(REGULAR, b"A shop sells doors.")}
    )


def task(keep: str = KEEP_TESTS, gain: str = GAIN_TESTS, language: str = "python") -> Task:
    demands: list[tuple[str, Demand, str]] = [(KEEP, "keep", keep), (GAIN, "gain", gain)]
    units: list[Unit] = []
    tests: dict[str, SuiteTest] = {}
    for file, demand, source in demands:
        names = [node.name for node in ast.parse(source).body if isinstance(node, ast.FunctionDef)]
        ids = [f"{file}::{name}" for name in names if name.startswith("test")]
        units.append(Unit(file, demand, tuple(ids)))
        tests |= {each: SuiteTest(each, file, demand, "proves a thing") for each in ids}
    folder = Path("tasks/shop")
    return Task(
        id="shop",
        title="Shop",
        kind="refactor",
        language=language,
        created_at=datetime.date(2026, 12, 1),
        licence="MIT",
        folder=folder,
        statement="Add `total`.",
        source=TreeSource(folder / "tree"),
        gold=DeltaChange(folder / "gold.delta"),
        image=ImageSpec(),
        limits=Limits(),
        upstream_tests=(),
        allowed=(),
        suite=Suite(tuple(units), tests, {KEEP: keep.encode(), GAIN: gain.encode()}, "published"),
        structure=Structure(),
        controls=(),
        reviews=(),
        measured=None,
        digest="",
    )


@dataclass
class InProcess:
    """Runs a pass for real, here: a product of one module and a suite of plain functions."""

    task: Task
    passes: list[Pass] = field(default_factory=list)
    bend: Callable[[int, Report], Report] = lambda _, report: report

    def __call__(self, tree: Tree, work: Pass) -> Report:
        self.passes.append(work)
        files = suite_files(self.task.suite, work)
        spaces: dict[str, dict[str, object]] = {}
        uncollected: dict[str, str] = {}
        sys.modules["shop"] = _module("shop", tree.text("shop.py"))
        try:
            for file, data in files.items():
                spaces[file] = {}
                try:
                    exec(data, spaces[file])
                except ImportError as error:
                    uncollected[file] = str(error)
            entries = [_run(test, spaces) for test in work.order if test.split("::")[0] not in uncollected]
        finally:
            del sys.modules["shop"]
        report = Report(tuple(entries), True, uncollected=uncollected)
        return self.bend(len(self.passes), report)


def _module(name: str, source: str) -> types.ModuleType:
    module = types.ModuleType(name)
    exec(source, module.__dict__)
    return module


def _run(test: str, spaces: Mapping[str, Mapping[str, object]]) -> Reported:
    file, _, name = test.partition("::")
    function = spaces[file][name]
    assert callable(function)
    outcome: Outcome = "passed"
    try:
        function()
    except AssertionError:
        outcome = "failed"
    return Reported(test, outcome, seconds=0.25)


def locked(sample: Task, run: InProcess | None = None, repeats: int = 10, seed: int = 3) -> Measured:
    trees = Trees(tree(PRODUCT), tree(GOLD), {"resolved-alternative": tree(ALTERNATIVE)})
    return lock(sample, trees, run or InProcess(sample), seed=seed, repeats=repeats)


def faults_of(sample: Task, run: InProcess | None = None) -> list[str]:
    with pytest.raises(TaskError) as caught:
        locked(sample, run)
    return [str(fault) for fault in caught.value.faults]


def test_a_sound_task_is_measured() -> None:
    sample = task()
    found = locked(sample, repeats=2)
    keep, gain = (sample.suite.units[0].tests, sample.suite.units[1].tests)
    assert found.base == {**dict.fromkeys(keep, "passed"), **dict.fromkeys(gain, "missing")}
    assert set(found.gold.values()) == {"passed"}
    assert found.suite_digest == suite_digest(sample.suite)
    assert (found.base_tree, found.gold_tree) == (tree(PRODUCT).digest, tree(GOLD).digest)
    assert set(found.canaries) == {f"{KEEP}::test_price", f"{KEEP}::test_label", f"{GAIN}::test_total"}
    assert "truth" in found.uncarried[f"{KEEP}::test_truth"]
    assert set(found.durations.values()) == {0.25}
    assert found.repeats == 2


def test_base_and_gold_run_as_often_as_asked_in_orders_of_their_own() -> None:
    sample = task()
    run = InProcess(sample)
    locked(sample, run, repeats=10)
    plain = [work.order for work in run.passes[:20]]
    assert not any(work.canaries for work in run.passes[:20])
    assert len(set(plain)) > 5
    assert all(sorted(order) == sorted(sample.suite.tests) for order in plain)


def test_every_stored_twin_has_failed_on_gold_and_on_the_alternative() -> None:
    sample = task()
    run = InProcess(sample)
    found = locked(sample, run, repeats=1)
    ran = [canary for work in run.passes for canary in work.canaries.values()]
    stored = [canary for canaries in found.canaries.values() for canary in canaries]
    assert stored and all(ran.count(canary) >= 2 for canary in stored)
    assert sum(bool(work.canaries) for work in run.passes) >= 2 * half_plans(len(found.canaries))


def test_half_plans_grow_with_the_logarithm() -> None:
    assert [half_plans(n) for n in (0, 1, 2, 16, 25, 100)] == [0, 2, 4, 16, 20, 28]


def test_flaky_tests_are_refused_all_at_once_by_name_and_line() -> None:
    sample = task()

    def bend(number: int, report: Report) -> Report:
        flips = {f"{KEEP}::test_price": 3, f"{KEEP}::test_label": 14}
        entries = [
            Reported(entry.id, "failed") if flips.get(entry.id) == number else entry for entry in report.tests
        ]
        return Report(tuple(entries), report.complete, uncollected=report.uncollected)

    faults = faults_of(sample, InProcess(sample, bend=bend))
    assert len(faults) == 2
    assert faults[0].startswith("tasks/shop/suite/tests/test_keep.py:4: ")
    assert "test_price is flaky on the base: failed 1 times, passed 9 times" in faults[0]
    assert "test_label is flaky on the gold" in faults[1]


@pytest.mark.parametrize(
    ("keep", "gain", "says"),
    [
        (KEEP_TESTS.replace("530", "531"), GAIN_TESTS, "test_price was failed on the base; a keep test"),
        (KEEP_TESTS, GAIN_TESTS.replace("87", "88"), "test_total was failed on the gold; a gain test passes"),
        (KEEP_TESTS, GAIN_TESTS.replace("total([15, 8, 29]) == [52, 87]", "8 == 8").replace("total", "price"),
         "test_price was passed on the base; a gain test fails or is missing"),
        (KEEP_TESTS.replace("label, price", "label, price, total"), GAIN_TESTS,
         "test_label was missing on the base; a keep test passes"),
    ],
)  # fmt: skip
def test_demands_that_base_or_gold_do_not_meet_are_refused(keep: str, gain: str, says: str) -> None:
    assert any(says in fault for fault in faults_of(task(keep, gain)))


def test_a_suite_that_does_not_parse_is_refused_by_the_test_s_name() -> None:
    sample = task()
    files = {**sample.suite.files, KEEP: b"def test_price(:\n"}
    broken = dataclasses.replace(sample, suite=dataclasses.replace(sample.suite, files=files))

    def missing(tree: Tree, work: Pass) -> Report:
        return Report((), True, uncollected={KEEP: "SyntaxError"})

    with pytest.raises(TaskError, match=r"test_keep.py: .*test_price was missing on the base"):
        lock(broken, Trees(tree(PRODUCT), tree(GOLD)), missing, seed=1, repeats=1)


def test_a_report_that_is_cut_off_or_lists_strangers_is_refused() -> None:
    sample = task()

    def cut(number: int, report: Report) -> Report:
        return Report(report.tests, number != 2, running="tests/test_keep.py::test_label")

    def strange(number: int, report: Report) -> Report:
        return Report((*report.tests, Reported("tests/test_keep.py::test_more", "passed")), True)

    assert "ended before its report was complete during" in faults_of(sample, InProcess(sample, bend=cut))[0]
    assert "suite.toml does not list it" in faults_of(sample, InProcess(sample, bend=strange))[0]


def test_a_resolved_control_that_does_not_resolve_is_refused() -> None:
    sample = task()
    trees = Trees(tree(PRODUCT), tree(GOLD), {"resolved-wrong": tree(PRODUCT)})
    with pytest.raises(TaskError, match=r"controls/resolved-wrong.delta: .*test_total was missing"):
        lock(sample, trees, InProcess(sample), seed=1, repeats=1)


def test_a_canary_that_passes_is_dropped() -> None:
    keep = """
from shop import price

class Loose(int):
    def __eq__(self, other): return isinstance(other, int)
    __hash__ = int.__hash__

def test_loose():
    assert Loose(price(3, "net")) == 54

def test_price():
    assert price(31, "net") == 530
"""
    found = locked(task(keep), repeats=1)
    assert f"{KEEP}::test_loose" not in found.canaries
    assert "was passed, not failed" in found.uncarried[f"{KEEP}::test_loose"]
    assert f"{KEEP}::test_price" in found.canaries


def test_a_canary_that_upsets_its_neighbour_is_dropped_and_the_others_stay() -> None:
    keep = """
from shop import label, price
HELD = []

def test_holds():
    HELD.append(1)
    assert price(31, "net") == 530
    HELD.clear()

def test_label():
    assert label("door", 40) == "d-42-rood" and HELD == []

def test_price():
    assert price(12, "gross") == 209
"""
    found = locked(task(keep), repeats=2)
    assert f"{KEEP}::test_holds" not in found.canaries
    assert "test_label was failed" in found.uncarried[f"{KEEP}::test_holds"]
    assert {f"{KEEP}::test_price", f"{KEEP}::test_label"} <= set(found.canaries)


def test_a_canary_that_upsets_a_neighbour_is_found_whatever_the_seed() -> None:
    tests = "".join(f"""
def test_n{number}():
    assert price({number}, "net") == {number * 17 + 3} and HELD == []
""" for number in range(2, 12))  # fmt: skip
    keep = (
        """
from shop import label, price
HELD = []
def test_holds():
    HELD.append(1)
    assert label("door", 40) == "d-42-rood"
    HELD.clear()
"""
        + tests
    )
    for seed in range(5):
        found = locked(task(keep), repeats=1, seed=seed)
        assert f"{KEEP}::test_holds" in found.uncarried
        assert len(found.canaries) == 11


def test_progress_is_told_step_by_step() -> None:
    told: list[tuple[str, int, int]] = []
    sample = task()
    trees = Trees(tree(PRODUCT), tree(GOLD))
    run = InProcess(sample)
    lock(sample, trees, run, seed=1, repeats=2, progress=lambda *step: told.append(step))
    assert told[:4] == [("base", 1, 2), ("base", 2, 2), ("gold", 1, 2), ("gold", 2, 2)]
    assert len(told) == len(run.passes)
    assert all(done <= of for _, done, of in told)


def test_kinds_other_than_value_are_stored_only_when_asked_for() -> None:
    sample = task()
    trees = Trees(tree(PRODUCT), tree(GOLD))
    found = lock(sample, trees, InProcess(sample), seed=1, repeats=1, kinds=("value", "negate"))
    assert [canary.kind for canary in found.canaries[f"{KEEP}::test_truth"]] == ["negate"]
    assert found.uncarried == {}


def test_measured_json_reads_back_and_is_written_the_same_way_each_time(tmp_path: Path) -> None:
    found = locked(task(), repeats=1)
    file = tmp_path / "measured.json"
    write_measured(found, file)
    first = file.read_bytes()
    write_measured(found, file)
    files = CheckedFiles()
    assert read_measured(files, file) == found and not files.faults
    assert file.read_bytes() == first
    assert next(iter(json.loads(first))) == "schema"
    assert [path.name for path in tmp_path.iterdir()] == ["measured.json"]


def test_equal_seeds_measure_alike() -> None:
    assert locked(task(), repeats=1, seed=8) == locked(task(), repeats=1, seed=8)


def test_what_anybody_may_have_read_is_statement_and_text_files() -> None:
    base = Tree(
        {"a.md": Entry(REGULAR, b"said"), "b.bin": Entry(REGULAR, b"hidden"), "c.py": Entry(REGULAR, b"code")}
    )
    assert public_text(dataclasses.replace(task(), statement="told"), base).split() == ["told", "said", "code"]
