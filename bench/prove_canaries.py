"""Proves canaries on trees that are known to be right: each fails as it must, and no neighbour is upset.

A canary that breaks a test beside it (it leaves a lock held, a file open, a cache filled) would accuse honest
patches. Whole half plans show that: in log2(n) + 4 random halves of n carriers, any two tests stand on either
side of the line at least once, but for one chance in sixteen or so.
"""

from __future__ import annotations

import math
import random
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field

from bench.measure import RunPass, outcomes_of, report_problems, shuffled
from runner.plan import Canary, Pass
from runner.tree import Tree

EXTRA_PLANS = 4
"""Half plans beyond log2(n)."""


@dataclass(frozen=True, slots=True)
class Proof:
    """Test id to the canaries that held on every tree, and test id to why others were dropped."""

    proven: Mapping[str, tuple[Canary, ...]]
    dropped: Mapping[str, tuple[str, ...]]


def half_plans(carriers: int) -> int:
    """How many random half plans prove that many carriers at least."""
    return math.ceil(math.log2(max(carriers, 2))) + EXTRA_PLANS


def prove(
    trees: Mapping[str, Tree],
    tests: Sequence[str],
    proposed: Mapping[str, Sequence[Canary]],
    run: RunPass,
    *,
    rng: random.Random,
    step: Callable[[], None],
) -> Proof:
    """Run every proposed canary on every tree (by name), in half plans; `step` is called after each pass.

    A tree takes `half_plans` passes or twice the twins of the richest test, whichever is more, and a few for
    each canary that upsets a neighbour.
    """
    alive = {test: list(canaries) for test, canaries in proposed.items() if canaries}
    dropped: dict[str, list[str]] = {}
    for name, tree in trees.items():
        trial = _Trial(name, tree, tuple(tests), run, rng, step)
        for canary, reason in trial.failures(alive):
            alive[canary.test].remove(canary)
            dropped.setdefault(canary.test, []).append(reason)
    return Proof(
        {test: tuple(canaries) for test, canaries in alive.items() if canaries},
        {test: tuple(reasons) for test, reasons in dropped.items()},
    )


@dataclass(frozen=True, slots=True)
class _Seen:
    """What a pass showed: canaries that did not fail, and what else was not as it should be."""

    idle: Mapping[str, str] = field(default_factory=dict)
    upset: str = ""


@dataclass(frozen=True, slots=True)
class _Trial:
    """One tree on which canaries are tried."""

    name: str
    tree: Tree
    tests: tuple[str, ...]
    run: RunPass
    rng: random.Random
    step: Callable[[], None]

    def failures(self, alive: Mapping[str, Sequence[Canary]]) -> Iterator[tuple[Canary, str]]:
        """Every canary that does not hold here, with the reason; the others have each been run."""
        left = {test: list(canaries) for test, canaries in alive.items()}
        pending = {test: list(canaries) for test, canaries in left.items()}
        done, halves = 0, self._halves(sorted(left))
        while any(pending.values()) or (any(left.values()) and done < half_plans(len(left))):
            half = [test for test in next(halves) if left[test]]
            chosen = {test: self._next(pending[test], left[test]) for test in half}
            bad, clean = self._judged(chosen)
            for canary, reason in bad:
                left[canary.test].remove(canary)
                yield canary, reason
            for test, canary in chosen.items():
                if canary in pending[test] and (clean or canary not in left[test]):
                    pending[test].remove(canary)
            done += 1

    def _halves(self, carriers: Sequence[str]) -> Iterator[Sequence[str]]:
        """Random halves and their complements, by turns."""
        while True:
            order = shuffled(carriers, self.rng)
            middle = (len(order) + 1) // 2
            yield order[:middle]
            yield order[middle:]

    def _next(self, pending: Sequence[Canary], left: Sequence[Canary]) -> Canary:
        return pending[0] if pending else self.rng.choice(left)

    def _judged(self, chosen: Mapping[str, Canary]) -> tuple[list[tuple[Canary, str]], bool]:
        """The canaries of one pass that do not hold, and whether the pass proves the others."""
        seen = self._pass(chosen)
        if seen.upset:
            culprits = self._culprits(list(chosen.values()))
            return [(canary, f"on {self.name}, with it {seen.upset}") for canary in culprits], False
        return [(chosen[test], f"on {self.name} it {how}") for test, how in seen.idle.items()], True

    def _pass(self, chosen: Mapping[str, Canary]) -> _Seen:
        report = self.run(self.tree, Pass(shuffled(self.tests, self.rng), dict(chosen)))
        self.step()
        outcomes = outcomes_of(report, self.tests)
        problems = report_problems(report, self.tests)
        others = [test for test in self.tests if test not in chosen]
        upset = [f"{test} was {outcomes[test]}" for test in others if outcomes[test] != "passed"]
        idle = {test: f"was {outcomes[test]}, not failed" for test in chosen if outcomes[test] != "failed"}
        return _Seen(idle, "; ".join([*problems, *upset][:3]))

    def _culprits(self, canaries: Sequence[Canary]) -> list[Canary]:
        """Those without which the pass had been clean, found by halving; all of them if together."""
        if len(canaries) <= 1:
            return list(canaries)
        middle = len(canaries) // 2
        found: list[Canary] = []
        for half in (canaries[:middle], canaries[middle:]):
            if self._pass({canary.test: canary for canary in half}).upset:
                found += self._culprits(half)
        return found or list(canaries)
