"""How many of a suite's tests somebody signed off, by the most telling kind of reviewer."""

from __future__ import annotations

from collections import Counter

from grader.result import Curation
from runner.task import Review, Task

_BY_WEIGHT = ("person", "team", "model", "author")


def curation(task: Task) -> Curation:
    """Each test counts once: under the weightiest kind whose last word on it is `fair`, else nobody."""
    last: dict[tuple[str, str], Review] = {}
    for review in task.reviews:
        last[review.test, review.reviewer] = review
    kinds: dict[str, set[str]] = {test: set() for test in task.suite.tests}
    for review in last.values():
        if review.verdict == "fair" and review.test in kinds:
            kinds[review.test].add(review.reviewer_kind)
    counts = Counter(
        next((kind for kind in _BY_WEIGHT if kind in signed), "nobody") for signed in kinds.values()
    )
    return Curation.model_validate(
        {"tests": len(kinds), "nobody": counts["nobody"], **{k: counts[k] for k in _BY_WEIGHT}}
    )
