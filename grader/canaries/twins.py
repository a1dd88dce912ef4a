"""The choice of matched twins: of many candidates those that a stranger cannot tell from the original.

A twin is worth what it takes to see through it. One that differs from the original in anything countable (how
often it occurs, whether its letters come from the inputs, how round it is) beats even odds.
"""

from __future__ import annotations

import random
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass

from grader.canaries import WRITERS, CanaryWriter, Site
from grader.canaries.candidates import candidates
from grader.canaries.features import Battery, Surroundings
from runner.plan import Canary, CanaryKind

MOST_TWINS = 6
"""Twins kept a test; an evaluation draws one of them."""
MOST_SITES = 12
"""Sites of a test that are looked at: long expectations repeat themselves."""
MOST_A_SITE = 3
"""Twins kept a site, so that several sites serve where there are several."""
MOST_CANDIDATES = 300
"""Candidates measured a site; more only cost time."""
SPREAD = 1
"""How much further than the nearest a twin may be where no perfect match was found."""


@dataclass(frozen=True, slots=True)
class Proposal:
    """Test id to its unproven canaries, nearest first; test id to the reason where there is none."""

    canaries: Mapping[str, tuple[Canary, ...]]
    refused: Mapping[str, str]


def propose(
    framework: str,
    files: Mapping[str, bytes],
    tests: Sequence[str],
    *,
    docs: str,
    seed: int,
    kinds: Sequence[CanaryKind] = ("value",),
) -> Proposal:
    """Canaries for the tests of a suite; where none of the first kind can be written, the next kind's.

    `docs` is what a stranger may have read: the statement and the package's text files. `seed` breaks ties.
    """
    writer = WRITERS.get(framework)
    if writer is None:
        return Proposal({}, dict.fromkeys(tests, f"no canary can be written for {framework} yet"))
    found: dict[str, tuple[Canary, ...]] = {}
    refused: dict[str, str] = {}
    for kind in kinds:
        missing = [test for test in tests if test not in found]
        if kind == "value":
            values = _value_canaries(writer, files, missing, docs, seed)
            found.update(values.canaries)
            refused.update(values.refused)
        else:
            found.update({test: (canary,) for test, canary in writer.turned(files, missing, kind).items()})
    return Proposal(found, {test: reason for test, reason in refused.items() if test not in found})


def trimmed(canaries: Sequence[Canary]) -> tuple[Canary, ...]:
    """Of one test's canaries those worth drawing from: perfect matches if there are any, else the nearest."""
    if not canaries:
        return ()
    nearest = min(canary.distance for canary in canaries)
    furthest = nearest + SPREAD if nearest else 0
    return tuple(canary for canary in canaries if canary.distance <= furthest)


def _value_canaries(
    writer: CanaryWriter, files: Mapping[str, bytes], tests: Iterable[str], docs: str, seed: int
) -> Proposal:
    sites = writer.sites(files, tests)
    sources = [data.decode("utf-8", "replace") for data in files.values()]
    around = Surroundings([text for data in files.values() for text in writer.literals(data)], sources, docs)
    pools: dict[str, set[str]] = {}
    for site in (site for here in sites.found.values() for site in here):
        pools.setdefault(site.kind, set()).add(site.inner)
    found: dict[str, tuple[Canary, ...]] = {}
    refused = dict(sites.refused)
    for test, here in sites.found.items():
        rng = random.Random(f"{seed}:{test}")  # noqa: S311 - breaks ties; it is the draw that is secret
        twins = _twins_of_test(writer, here, around, pools, rng)
        if twins:
            found[test] = twins
        else:
            refused[test] = "no other literal of the same type can stand where it expects one"
    return Proposal(found, refused)


def _twins_of_test(
    writer: CanaryWriter,
    sites: Sequence[Site],
    around: Surroundings,
    pools: Mapping[str, set[str]],
    rng: random.Random,
) -> tuple[Canary, ...]:
    """The nearest twins over a test's sites, tried by chance until there are perfect ones enough."""
    made: list[Canary] = []
    share = max(MOST_A_SITE, MOST_TWINS // len(sites))
    for site in rng.sample(sites, min(len(sites), MOST_SITES)):
        made += _twins_at(writer, site, around, sorted(pools[site.kind]), rng)[:share]
        if sum(canary.distance == 0 for canary in made) >= MOST_TWINS:
            break
    return tuple(sorted(made, key=lambda canary: canary.distance)[:MOST_TWINS])


def _twins_at(
    writer: CanaryWriter, site: Site, around: Surroundings, pool: Sequence[str], rng: random.Random
) -> list[Canary]:
    battery = Battery(site, around)
    every = candidates(site, pool, rng)
    tried = rng.sample(every, min(len(every), MOST_CANDIDATES))
    fitting = [inner for inner in tried if writer.differs(site, site.written(inner))]
    ranked = sorted((battery.distance_to(inner), place, inner) for place, inner in enumerate(fitting))
    return [
        Canary(site.test, "value", site.file, site.start, site.end, site.text, site.written(inner), away)
        for away, _, inner in ranked[:MOST_TWINS]
    ]
