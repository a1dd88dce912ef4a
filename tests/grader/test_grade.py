"""Every verdict on hand-made evidence, which of several wins, and what each mechanism adds."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from typing import TYPE_CHECKING, Any

import pytest

from grader.finding import ORDER
from runner.evidence import PhaseRecord
from runner.mechanisms import Mechanisms
from runner.tree import Tree

if TYPE_CHECKING:
    from tests.grader.conftest import Scene

KEEP, GAIN = "tests/test_keep.py", "tests/test_gain.py"
K1, K2, K3 = f"{KEEP}::test_one", f"{KEEP}::test_two", f"{KEEP}::test_three"
G1, G2 = f"{GAIN}::test_one", f"{GAIN}::test_two"

Bend = Callable[["Scene"], None]


def said(*triples: tuple[int, str, Any]) -> Bend:
    def bend(scene: Scene) -> None:
        scene.said |= {(number, test): outcomes for number, test, outcomes in triples}

    return bend


def report(number: int, **fields: Any) -> Bend:
    return lambda scene: scene.reports.update({number: fields})


def record(number: int, **fields: Any) -> Bend:
    def bend(scene: Scene) -> None:
        scene.records[number] = {**fields}

    return bend


def phases(number: int, name: str, **bent: Any) -> Bend:
    fields = {"exit_code": 0, "signal": None, "exhausted": None, **bent}
    made = PhaseRecord(name=name, wall_seconds=1, cpu_seconds=1, swept=0, output=None, **fields)
    return record(number, phases=(made,), report=None)


def noop(scene: Scene) -> None:
    scene.patched = scene.base
    for number in (1, 2):
        scene.reports[number] = {"uncollected": {GAIN: "ImportError: no module named pkg.new"}}
        scene.said |= {(number, G1): (), (number, G2): ()}


def rejected(scene: Scene) -> None:
    scene.reject("outside", "the path leaves the tree", "../x")


def host_failure(scene: Scene) -> None:
    scene.evidence = {"host_failure": "the engine went away", "passes": ()}


CASES: tuple[tuple[str, Bend, str, tuple[str, ...], str], ...] = (
    (
        "gold",
        lambda scene: None,
        "resolved",
        (),
        "2 gain tests passed as themselves, 4 canaries failed as they must",
    ),
    (
        "noop",
        noop,
        "incomplete",
        ("tests", "structure"),
        "test_gain.py does not load, so 2 gain tests cannot run",
    ),
    (
        "keep fails",
        said((2, K1, ["failed"])),
        "broken",
        ("tests",),
        f'{K1} failed in pass 2 ("proves one"): assert 3',
    ),
    ("keep fails once of two", said((1, K3, ["failed"])), "broken", ("tests",), f"{K3} failed in pass 1"),
    ("keep skipped", said((2, K1, ["skipped"])), "broken", ("exact_ids",), "was skipped"),
    ("keep missing", said((2, K1, [])), "broken", ("exact_ids",), "is missing from the report"),
    ("keep twice", said((2, K1, ["passed", "passed"])), "broken", ("exact_ids",), "listed more than once"),
    ("gain fails", said((2, G1, ["failed"])), "incomplete", ("tests",), f"Gain test {G1} failed"),
    ("gain skipped", said((2, G1, ["skipped"])), "incomplete", ("exact_ids",), "was skipped"),
    ("gain missing", said((2, G1, [])), "incomplete", ("exact_ids",), "is missing"),
    ("gain twice", said((2, G1, ["passed", "failed"])), "broken", ("exact_ids",), "listed more than once"),
    (
        "foreign id",
        said((1, "tests/x.py::y\n\x1b[2J", ["passed"])),
        "broken",
        ("exact_ids",),
        "tests/x.py::y ?[2J",
    ),
    (
        "canary missing",
        said((1, K1, [])),
        "broken",
        ("exact_ids",),
        f"{K1} passed in one pass and is missing in pass 1",
    ),
    ("canary skipped", said((1, K1, ["skipped"])), "broken", ("exact_ids",), "was skipped in pass 1"),
    (
        "canary of a failed test missing",
        said((1, K1, []), (2, K1, ["failed"])),
        "broken",
        ("tests",),
        "failed",
    ),
    (
        "forged",
        said((1, K1, ["passed"]), (2, K2, ["passed"])),
        "tampered",
        ("canaries",),
        f"so results were forged: {K1}, {K2}",
    ),
    (
        "canary passes, real fails",
        said((1, G1, ["passed"]), (2, G1, ["failed"])),
        "incomplete",
        ("tests",),
        "failed",
    ),
    (
        "keep unit does not load",
        report(1, uncollected={KEEP: "SyntaxError: bad"}),
        "broken",
        ("tests", "exact_ids"),
        "test_keep.py does not load, so 2 keep tests cannot run: SyntaxError: bad",
    ),
    (
        "process died",
        report(1, complete=False, running=K2, tests=()),
        "broken",
        ("completion",),
        f"exit code 0) while {K2} ran",
    ),
    (
        "report unreadable",
        report(2, complete=False, problem="line 3"),
        "broken",
        ("completion",),
        "not valid (line 3)",
    ),
    (
        "no report",
        record(1, report=None, report_problem="it is a link"),
        "broken",
        ("completion",),
        "it is a link",
    ),
    (
        "supervisor died",
        record(1, report=None, sandbox_died=True),
        "broken",
        ("completion",),
        "sandbox went away",
    ),
    (
        "build fails",
        phases(1, "build", exit_code=2),
        "broken",
        ("build",),
        "product does not build (exit code 2",
    ),
    (
        "suite does not build",
        phases(1, "build_tests", exit_code=1),
        "broken",
        ("build",),
        "suite does not build",
    ),
    (
        "cpu",
        phases(2, "test", exit_code=None, signal=9, exhausted="cpu"),
        "exhausted",
        ("limits",),
        "CPU time (60 s)",
    ),
    (
        "memory of the container",
        record(1, exhausted="memory", report=None),
        "exhausted",
        ("limits",),
        "memory (512 MB)",
    ),
    ("rejected", rejected, "rejected", ("admission",), "leaves the tree (../x)"),
    ("host failure", host_failure, "errored", ("host",), "the engine went away"),
)


@pytest.mark.parametrize(
    ("bend", "verdict", "caught_by", "reason"), [c[1:] for c in CASES], ids=[c[0] for c in CASES]
)
def test_verdict_mechanism_and_reason(
    scene: Scene, bend: Bend, verdict: str, caught_by: tuple[str, ...], reason: str
) -> None:
    bend(scene)
    result = scene.grade()
    assert (result.verdict, result.caught_by) == (verdict, caught_by)
    assert reason in result.reason
    assert result.reason.endswith(".")
    assert "\n" not in result.reason


PRECEDENCE: tuple[tuple[str, Bend], ...] = (
    ("errored", host_failure),
    ("rejected", rejected),
    ("tampered", said((1, K1, ["passed"]))),
    ("exhausted", record(2, exhausted="processes")),
    ("broken", said((1, K2, ["failed"]))),
    ("incomplete", said((1, G2, ["failed"]))),
)


@pytest.mark.parametrize("first", range(2, len(PRECEDENCE)))
def test_of_several_verdicts_the_first_in_order_is_it(scene: Scene, first: int) -> None:
    for _, bend in PRECEDENCE[first:]:
        bend(scene)
    result = scene.grade()
    assert result.verdict == PRECEDENCE[first][0]
    weights = [ORDER.index(finding.verdict) for finding in result.findings]
    assert weights == sorted(weights)
    assert {name for name, _ in PRECEDENCE[first:]} <= {finding.verdict for finding in result.findings}


def test_a_failure_of_ours_stands_before_a_rejection(scene: Scene) -> None:
    rejected(scene)
    scene.evidence["host_failure"] = "disk full"
    assert scene.grade().verdict == "errored"


WITHOUT_ONE: tuple[tuple[str, str, Bend, str], ...] = (
    ("canaries", "forged", said((1, K1, ["passed"])), "resolved"),
    ("exact_ids", "foreign id", said((1, "tests/x.py::y", ["passed"])), "resolved"),
    ("exact_ids", "duplicate with a pass", said((2, K1, ["failed", "passed"])), "resolved"),
    ("exact_ids", "duplicate without a pass", said((2, K1, ["failed", "failed"])), "broken"),
    ("exact_ids", "missing", said((2, K1, [])), "resolved"),
    ("exact_ids", "skipped", said((2, G1, ["skipped"])), "resolved"),
    ("exact_ids", "canary missing", said((1, K1, [])), "resolved"),
    ("exact_ids", "unit not loaded", noop, "incomplete"),
    ("completion", "died with all listed", report(1, complete=False), "resolved"),
    (
        "completion",
        "died with a test missing",
        lambda s: (report(2, complete=False)(s), said((2, K1, []))(s)),
        "broken",
    ),
    ("structure", "old code left", lambda s: setattr(s, "patched", old_left(s)), "resolved"),
)


def old_left(scene: Scene) -> Tree:
    """The new module is there, and the old one was not touched."""
    return Tree({**scene.gold, "pkg/old.py": scene.base["pkg/old.py"]})


@pytest.mark.parametrize(
    ("mechanism", "bend", "verdict"),
    [(mechanism, bend, verdict) for mechanism, _, bend, verdict in WITHOUT_ONE],
    ids=[f"{mechanism}: {name}" for mechanism, name, _, _ in WITHOUT_ONE],
)
def test_what_one_mechanism_alone_stops(scene: Scene, mechanism: str, bend: Bend, verdict: str) -> None:
    bend(scene)
    on = scene.grade()
    assert on.verdict != "resolved"
    scene.mechanisms = replace(Mechanisms(), **{mechanism: False})
    off = scene.grade()
    assert off.verdict == verdict
    assert mechanism not in off.caught_by


def test_with_every_mechanism_off_an_empty_report_is_a_pass(scene: Scene) -> None:
    scene.records = {1: {"report": None}, 2: {"report": None}}
    assert scene.grade().verdict == "broken"
    scene.mechanisms = Mechanisms.none()
    assert scene.grade().verdict == "resolved"


def test_residue_alone_finds_old_code_moved_out_of_sight(scene: Scene) -> None:
    scene.patched = Tree({**scene.gold, "pkg/_legacy.py": scene.gold["pkg/new.py"]})
    result = scene.grade()
    assert (result.verdict, result.caught_by) == ("incomplete", ("residue",))
    assert result.findings[0].where == "pkg/_legacy.py:4"
    scene.mechanisms = replace(Mechanisms(), residue=False)
    assert scene.grade().verdict == "resolved"


def test_the_residue_check_is_for_refactorings(scene: Scene) -> None:
    scene.patched = Tree({**scene.gold, "pkg/_legacy.py": scene.gold["pkg/new.py"]})
    scene.task = replace(scene.task, kind="evolve")
    assert scene.grade().verdict == "resolved"


def test_fix_rate_is_the_share_of_gain_tests_while_nothing_broke(scene: Scene) -> None:
    assert scene.grade().fix_rate == 1.0
    scene.said[2, G1] = ["failed"]
    assert scene.grade().fix_rate == 0.5
    scene.said[2, K1] = ["failed"]
    assert scene.grade().fix_rate == 0.0


def test_a_test_carries_its_own_failure_and_never_the_canarys(scene: Scene) -> None:
    scene.said[2, G1] = ["failed"]
    tests = {test.id: test for test in scene.grade().tests}
    assert (tests[G1].outcome, tests[G1].canary, tests[G1].message) == ("failed", "failed", "assert 3 == 4")
    assert (tests[K1].outcome, tests[K1].canary, tests[K1].message) == ("passed", "failed", "")
    assert (tests[K3].outcome, tests[K3].canary, tests[K3].seconds) == ("passed", None, 0.5)


def test_an_earlier_pass_may_end_the_evaluation(scene: Scene) -> None:
    phases(1, "test", exit_code=None, signal=9, exhausted="wall")(scene)
    scene.passes = 1
    result = scene.grade()
    assert (result.verdict, len(result.findings)) == ("exhausted", 1)


def test_a_pass_that_is_missing_for_no_reason_is_refused(scene: Scene) -> None:
    scene.passes = 1
    with pytest.raises(ValueError, match="no pass 2"):
        scene.grade()


def test_evidence_of_another_base_suite_or_tree_is_refused(scene: Scene) -> None:
    scene.evidence = {"base_tree": "0" * 64}
    with pytest.raises(ValueError, match="base tree"):
        scene.grade()
    scene.evidence = {"patched_tree": "0" * 64}
    with pytest.raises(ValueError, match="its files make"):
        scene.grade()
    scene.evidence = {}
    frozen = scene.frozen()
    assert frozen.plan is not None
    scene.evidence = {"plan": replace(frozen.plan, passes=(replace(frozen.plan.passes[0], order=(K1,)),) * 2)}
    with pytest.raises(ValueError, match="another suite"):
        scene.grade()


def test_figures_of_the_evidence_reach_the_result(scene: Scene) -> None:
    result = scene.grade()
    assert result.timings == {"admit": 0.25, "build": 4.0, "test": 4.0}
    assert [(e.name, e.value, e.source) for e in result.effort] == [
        ("tokens", 1200, "declared"),
        ("evaluation wall clock", 8.0, "measured"),
        ("evaluation CPU time", 4.0, "measured"),
    ]
    assert result.canary_share == 0.8
    assert result.scope is not None
    assert result.scope.files == 2
    assert result.environment is not None
    assert result.environment.toolchain == {"python": "3.13.5"}


def test_the_reason_leaves_paths_as_they_are_and_counts_the_rest(scene: Scene) -> None:
    scene.patched = Tree({**scene.gold, "pkg/_legacy.py": scene.gold["pkg/new.py"]})
    assert scene.grade().reason.startswith("pkg/_legacy.py:4 holds")
    scene.said = {(1, K2): ["failed"], (2, K1): ["failed"], (2, G1): ["failed"]}
    reason = scene.grade().reason
    assert reason == f'Keep test {K1} failed in pass 2 ("proves one"): assert 3 == 4 (and 1 more finding).'


def test_a_plan_without_canaries_says_so(scene: Scene) -> None:
    scene.canaries = False
    result = scene.grade()
    assert (result.verdict, result.canaries, result.canary_share) == ("resolved", False, 0.0)


def test_identical_to_gold_looks_past_upstreams_tests(scene: Scene) -> None:
    assert scene.grade().identical_to_gold
    scene.patched = Tree({**scene.gold, "tests/test_mine.py": scene.gold["README.md"]})
    assert scene.grade().identical_to_gold
    scene.patched = Tree({**scene.gold, "NEWS.md": scene.gold["README.md"]})
    assert not scene.grade().identical_to_gold


def test_the_same_evidence_gives_the_same_result(scene: Scene) -> None:
    assert scene.grade().model_dump_json() == scene.grade().model_dump_json()


def disk_was_full(scene: Scene) -> None:
    made = PhaseRecord("test", 1, 1, exit_code=1, signal=None, exhausted="disk", swept=0, output=None)
    scene.records[1] = {"phases": (made,)}


def test_a_disk_that_was_full_and_harmed_no_test_is_forgiven(scene: Scene) -> None:
    disk_was_full(scene)
    assert scene.grade().verdict == "resolved"


def test_a_disk_that_was_full_when_a_test_failed_is_the_limit(scene: Scene) -> None:
    disk_was_full(scene)
    failing = next(test for test in (K1, K2, K3) if test not in scene.planned(1).canaries)
    scene.said[1, failing] = ["failed"]
    assert scene.grade().verdict == "exhausted"
