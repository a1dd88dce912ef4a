"""Proves canaries on trees that are known to be right: each fails as it must, and no neighbour is upset.

A test that leaves something behind when it fails (a lock held, a cache filled) breaks the one after it, and
would accuse honest patches. The plans here put every carrier, failing, before and after every other test that
is real: with a binary number for each carrier, any two differ in a digit, so the halves by digit, their
complements, and each of them in an order and its reverse (4 log2(n) passes) leave no pair out.
"""

from __future__ import annotations

import math
import random
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass

from bench.measure import RunPass, outcomes_of, report_problems, shuffled
from runner.plan import Canary, Pass
from runner.tree import Tree

MOST_REASONS = 3
"""Upset neighbours that a reason names."""


@dataclass(frozen=True, slots=True)
class Proof:
    """Test id to the canaries that held on every tree, and test id to why others were dropped."""

    proven: Mapping[str, tuple[Canary, ...]]
    dropped: Mapping[str, tuple[str, ...]]


@dataclass(frozen=True, slots=True)
class _HalfPlan:
    carriers: frozenset[str]
    order: tuple[str, ...]


def half_plans(carriers: int) -> int:
    """How many passes prove the neighbours of that many carriers."""
    return 4 * math.ceil(math.log2(carriers)) if carriers > 1 else 2 * carriers


def prove(
    trees: Mapping[str, Tree],
    tests: Sequence[str],
    proposed: Mapping[str, Sequence[Canary]],
    run: RunPass,
    *,
    rng: random.Random,
    step: Callable[[], None],
) -> Proof:
    """Run every proposed canary on every tree (by name); `step` is called after each pass.

    A tree takes `half_plans` passes, or as many as it takes to run each twin, and a few more for a test that
    upsets a neighbour: it loses all its canaries, since any of them fails as the first did.
    """
    alive = {test: list(canaries) for test, canaries in proposed.items() if canaries}
    dropped: dict[str, list[str]] = {}
    for name, tree in trees.items():
        trial = _Trial(name, tree, tuple(tests), alive, run, rng, step, dropped)
        trial.prove()
    return Proof(
        {test: tuple(canaries) for test, canaries in alive.items() if canaries},
        {test: tuple(reasons) for test, reasons in dropped.items()},
    )


@dataclass(frozen=True, slots=True)
class _Trial:
    """One tree on which canaries are tried. What does not hold leaves `alive`, with a reason in `dropped`."""

    name: str
    tree: Tree
    tests: tuple[str, ...]
    alive: dict[str, list[Canary]]
    run: RunPass
    rng: random.Random
    step: Callable[[], None]
    dropped: dict[str, list[str]]

    def prove(self) -> None:
        """Run the half plans, then as many more as leave no twin untried."""
        untried = {test: list(canaries) for test, canaries in self.alive.items()}
        for plan in self._plans():
            self._until_clean(plan, untried)
        while any(untried.values()):
            left = frozenset(test for test, canaries in untried.items() if canaries)
            some = frozenset(self.rng.sample(sorted(left), (len(left) + 1) // 2))
            self._until_clean(_HalfPlan(some, shuffled(self.tests, self.rng)), untried)

    def _plans(self) -> Iterator[_HalfPlan]:
        carriers = shuffled(sorted(test for test, canaries in self.alive.items() if canaries), self.rng)
        digits = max(math.ceil(math.log2(len(carriers))), 1) if carriers else 0
        for digit in range(digits):
            half = frozenset(test for number, test in enumerate(carriers) if number >> digit & 1)
            order = shuffled(self.tests, self.rng)
            for some in (half, frozenset(carriers) - half):
                if some:
                    yield _HalfPlan(some, order)
                    yield _HalfPlan(some, order[::-1])

    def _until_clean(self, plan: _HalfPlan, untried: dict[str, list[Canary]]) -> None:
        """Run a plan, without those who upset others, until only the canaries in it fail."""
        while chosen := self._chosen(plan, untried):
            outcomes, upset = self._pass(plan, chosen)
            if not upset:
                break
            for test in self._culprits(plan, chosen):
                self.dropped.setdefault(test, []).append(f"on {self.name} its failure upset others: {upset}")
                self.alive[test], untried[test] = [], []
        for test, canary in chosen.items():
            if canary in untried[test]:
                untried[test].remove(canary)
            if outcomes[test] != "failed":
                self.dropped.setdefault(test, []).append(
                    f"on {self.name} it was {outcomes[test]}, not failed"
                )
                self.alive[test].remove(canary)

    def _chosen(self, plan: _HalfPlan, untried: Mapping[str, Sequence[Canary]]) -> dict[str, Canary]:
        carriers = [test for test in plan.order if test in plan.carriers and self.alive[test]]
        return {
            test: untried[test][0] if untried[test] else self.rng.choice(self.alive[test])
            for test in carriers
        }

    def _pass(self, plan: _HalfPlan, chosen: Mapping[str, Canary]) -> tuple[dict[str, str], str]:
        """Every test's outcome, and what was not as it should be beside the canaries ('' if nothing)."""
        report = self.run(self.tree, Pass(plan.order, dict(chosen)))
        self.step()
        outcomes = outcomes_of(report, self.tests)
        others = [test for test in self.tests if test not in chosen and outcomes[test] != "passed"]
        upset = [*report_problems(report, self.tests), *(f"{test} was {outcomes[test]}" for test in others)]
        return outcomes, "; ".join(upset[:MOST_REASONS])

    def _culprits(self, plan: _HalfPlan, chosen: Mapping[str, Canary]) -> list[str]:
        """The tests without whose canaries the pass had been clean, by halving; all if none does it alone."""
        tests = list(chosen)
        if len(tests) <= 1:
            return tests
        middle = len(tests) // 2
        found: list[str] = []
        for half in (tests[:middle], tests[middle:]):
            some = {test: chosen[test] for test in half}
            if self._pass(plan, some)[1]:
                found += self._culprits(plan, some)
        return found or tests
