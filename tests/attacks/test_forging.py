"""No false `resolved`: what forges is caught by each mechanism on its list alone, and gets through with all off."""

from __future__ import annotations

import pytest

from tests.attacks.attack import EVOLVE, NOT_RESOLVED, SAY, Arena, Attack, appended, named, without
from tests.attacks.forgeries import FORGERIES
from tests.attacks.languages import LANGUAGE_ATTACKS

pytestmark = pytest.mark.engine


def marked(attack: Attack) -> list[pytest.MarkDecorator]:
    return [] if attack.fast else [pytest.mark.slow]


EVERY = (*FORGERIES, *LANGUAGE_ATTACKS)
EACH = [pytest.param(attack, id=attack.name, marks=marked(attack)) for attack in EVERY]
THROUGH = [pytest.param(attack, id=attack.name, marks=marked(attack)) for attack in EVERY if attack.alone]
ALONE = [
    pytest.param(attack, mechanism, id=f"{attack.name}-by-{mechanism}", marks=marked(attack))
    for attack in EVERY
    for mechanism in attack.alone
]


@pytest.mark.parametrize("attack", EACH)
def test_not_resolved_with_everything_on(arena: Arena, attack: Attack) -> None:
    task = arena.task(attack.task)
    result = arena.judge(task, attack.make(task, arena.materials))
    assert result.verdict in attack.verdicts, result.reason
    assert not attack.runs_when_on or arena.ran(result)


@pytest.mark.parametrize("attack", THROUGH)
def test_applies_and_gets_through_without_its_mechanisms(arena: Arena, attack: Attack) -> None:
    task = arena.task(attack.task)
    result = arena.judge(task, attack.make(task, arena.materials), without(*attack.alone))
    assert arena.ran(result), result.reason
    assert result.verdict == "resolved", result.reason


@pytest.mark.parametrize(("attack", "mechanism"), ALONE)
def test_each_mechanism_alone_catches_it(arena: Arena, attack: Attack, mechanism: str) -> None:
    task = arena.task(attack.task)
    off = (name for name in attack.alone if name != mechanism)
    result = arena.judge(task, attack.make(task, arena.materials), without(*off))
    assert result.verdict in NOT_RESOLVED, result.reason
    assert mechanism in named(result), (result.reason, result.prevented)


@pytest.mark.slow
@pytest.mark.parametrize("attack", [one for one in FORGERIES if one.alone == ("canaries",)], ids=str)
def test_the_evolve_task_is_not_resolved_by_doing_nothing(arena: Arena, attack: Attack) -> None:
    """The base as it is, and the forging code: nothing of the release is there."""
    task = arena.task(EVOLVE)
    code = attack.make(arena.task(), arena.materials).text("boltons/__init__.py")
    forging = code[code.index(SAY) :].replace("from boltons import", "from cachetools import")
    after = appended(arena.materials.base(task), {"src/cachetools/__init__.py": forging})
    result = arena.judge(task, after)
    assert result.verdict in NOT_RESOLVED, result.reason
    assert arena.ran(result)
