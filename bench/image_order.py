"""In which order images are made, so that verdicts come early and builders do not wait for each other."""

from __future__ import annotations

from collections import Counter
from collections.abc import Collection, Sequence

from runner.task import Task
from runner.toolchains.registry import TOOLCHAINS


def image_order(tasks: Sequence[Task], there: Collection[str]) -> tuple[Task, ...]:
    """The tasks, first those whose image is there, then those whose toolchain is, then the others.

    `there` are names of images of ours without their digests, so an old one counts as well: that only
    changes the order. The first task of each toolchain comes before the second of any, for two builders on
    one toolchain would wait for it one after the other.
    """
    before: Counter[str] = Counter()
    ranks: dict[str, tuple[bool, bool, int]] = {}
    for task in tasks:
        toolchain = TOOLCHAINS[task.language].image
        made = f"assay/task-{task.id}" in there
        ranks[task.id] = (not made, f"assay/{toolchain}" not in there, before[toolchain])
        before[toolchain] += not made
    return tuple(sorted(tasks, key=lambda task: ranks[task.id]))
