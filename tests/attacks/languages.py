"""The attacks of every language but Python, one module a language."""

from __future__ import annotations

from tests.attacks.attack import Attack

LANGUAGE_ATTACKS: tuple[Attack, ...] = ()
