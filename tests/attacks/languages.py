"""The attacks of every language but Python, one module a language."""

from __future__ import annotations

from tests.attacks.attack import Attack
from tests.attacks.c_attacks import C_ATTACKS
from tests.attacks.go_attacks import GO_ATTACKS
from tests.attacks.java_attacks import JAVA_ATTACKS
from tests.attacks.typescript_attacks import TYPESCRIPT_ATTACKS

LANGUAGE_ATTACKS: tuple[Attack, ...] = (*C_ATTACKS, *GO_ATTACKS, *JAVA_ATTACKS, *TYPESCRIPT_ATTACKS)
