"""Other literals of the same kind that might stand where one is expected. Plausible, not yet matched."""

from __future__ import annotations

import random
import re
from collections.abc import Iterable, Iterator
from itertools import pairwise

from grader.canaries.site import Site

FACTORS = (2, 3, 4, 5, 6, 7, 10, 12, 24, 60, 100, 1000, 1024)
STEPS = (1, 2, 3, 4, 5, 10)
DELIMITERS = "-_./ ,:;|+=*#"
RANDOM_NUMBERS = 40
RANDOM_LETTERS = 30
UNIT = re.compile(r"\\(?:x[0-9a-fA-F]{2}|u[0-9a-fA-F]{4}|U[0-9a-fA-F]{8}|N\{[^}]*\}|[0-7]{1,3}|.)|.", re.S)
RAW_UNIT = re.compile(r".", re.S)
TOKEN = re.compile(r"[A-Za-z]+|\d+")
INTEGER = re.compile(r"(0[xX]|0[oO]|0[bB])?([0-9a-fA-F_]+)$")
ALPHABETS = {"": "0123456789", "0x": "0123456789abcdef", "0o": "01234567", "0b": "01"}
LONGEST_TEXT = 400
"""Units of a string literal beyond which only some of its places are tried."""


def candidates(site: Site, pool: Iterable[str], rng: random.Random) -> tuple[str, ...]:
    """Inner texts that might stand at the site, sorted, the site's own left out.

    `pool` holds the inner texts that the suite expects elsewhere; `rng` fills up where there are too many.
    """
    made: Iterator[str]
    if site.kind == "int":
        made = _integers(site, pool, rng)
    elif site.kind == "float":
        made = _floats(site, pool, rng)
    else:
        made = _texts(site, pool, rng)
    return tuple(sorted(set(made) - {site.inner}))


def _integers(site: Site, pool: Iterable[str], rng: random.Random) -> Iterator[str]:
    form = INTEGER.match(site.inner)
    if form is None:
        return
    prefix, digits = form[1] or "", form[2]
    for changed in _digit_changes(digits, ALPHABETS[prefix.lower()]):
        if prefix or changed == "0" or not changed.startswith("0"):
            yield prefix + changed
    if prefix or "_" in digits:
        return
    value = int(digits)
    for number in _related_numbers(value):
        yield str(number)
    yield from (text for text in (*pool, *site.inputs) if text.isdecimal() and not re.match("0.", text))
    low, high = (10 ** (len(digits) - 1), 10 ** len(digits)) if len(digits) > 1 else (0, 10)
    for _ in range(RANDOM_NUMBERS):
        yield str(rng.randrange(low, high))


def _related_numbers(value: int) -> Iterator[int]:
    for factor in FACTORS:
        yield value * factor
        if value % factor == 0:
            yield value // factor
    for step in STEPS:
        yield value + step
        yield abs(value - step)


def _digit_changes(digits: str, alphabet: str) -> Iterator[str]:
    for index, digit in enumerate(digits):
        if digit == "_":
            continue
        for other in alphabet:
            yield digits[:index] + other + digits[index + 1 :]
        if index and digits[index - 1] not in ("_", digit):
            yield digits[: index - 1] + digit + digits[index - 1] + digits[index + 1 :]


def _floats(site: Site, pool: Iterable[str], rng: random.Random) -> Iterator[str]:
    places = [index for index, char in enumerate(site.inner) if char.isdigit()]
    for index in places:
        for other in "0123456789":
            yield site.inner[:index] + other + site.inner[index + 1 :]
    for left, right in pairwise(places):
        yield _exchanged(site.inner, (left, left + 1), (right, right + 1))
    decimals = len(site.inner.partition(".")[2])
    yield from (text for text in (*pool, *site.inputs) if _plain_decimal(text, decimals))
    for _ in range(RANDOM_NUMBERS if places else 0):
        yield re.sub(r"\d", lambda _: rng.choice("0123456789"), site.inner)


def _plain_decimal(text: str, decimals: int) -> bool:
    whole, point, rest = text.partition(".")
    return bool(point) and whole.isdecimal() and rest.isdecimal() and len(rest) == decimals


def _exchanged(text: str, left: tuple[int, int], right: tuple[int, int]) -> str:
    """`text` with the spans `left` and `right` (which comes later) in each other's place."""
    first, middle, second = text[slice(*left)], text[left[1] : right[0]], text[slice(*right)]
    return text[: left[0]] + second + middle + first + text[right[1] :]


def _texts(site: Site, pool: Iterable[str], rng: random.Random) -> Iterator[str]:
    units = (RAW_UNIT if site.raw else UNIT).findall(site.inner)
    free = [index for index, unit in enumerate(units) if len(unit) == 1 and unit not in "\\'\"\n"]
    if len(free) > LONGEST_TEXT:
        free = sorted(rng.sample(free, LONGEST_TEXT))
    yield from _unit_changes(units, free, site, rng)
    yield from _token_changes(site, pool)
    yield from _whole_texts(site, pool)


def _unit_changes(units: list[str], free: list[int], site: Site, rng: random.Random) -> Iterator[str]:
    letters = sorted({char for text in site.inputs for char in text if char.isascii() and char.isalnum()})
    for index in free:
        unit, before, after = units[index], "".join(units[:index]), "".join(units[index + 1 :])
        follower = units[index + 1] if index + 1 in free else ""
        if follower and follower != unit:
            yield before + follower + unit + "".join(units[index + 2 :])
        if unit in DELIMITERS or unit == follower:
            yield before + unit + unit + after
            yield before + after
        yield from (before + other + after for other in _like(unit, letters))
    for index in rng.choices(free, k=RANDOM_LETTERS) if free else ():
        alphabet = _alphabet(units[index])
        if alphabet:
            yield "".join([*units[:index], rng.choice(alphabet), *units[index + 1 :]])


def _like(unit: str, letters: list[str]) -> Iterator[str]:
    if unit.isalpha():
        yield unit.swapcase()
        yield from (letter for letter in letters if letter.isalpha() and letter.isupper() == unit.isupper())
    elif unit.isdigit():
        yield from "0123456789"
    elif unit in DELIMITERS:
        yield from "-_./ ,"


def _alphabet(unit: str) -> str:
    if unit.isdigit():
        return "0123456789"
    if "a" <= unit <= "z":
        return "abcdefghijklmnopqrstuvwxyz"
    return "ABCDEFGHIJKLMNOPQRSTUVWXYZ" if "A" <= unit <= "Z" else ""


def _token_changes(site: Site, pool: Iterable[str]) -> Iterator[str]:
    """Words and numbers exchanged with each other, or for ones that the test or the suite already uses."""
    text = site.inner
    spans = [match.span() for match in TOKEN.finditer(text) if not _escaped(text, match.start())]
    for first, left in enumerate(spans):
        for right in spans[first + 1 : first + 6]:
            yield _exchanged(text, left, right)
    for start, end in spans:
        token = text[start:end]
        yield from (text[:start] + other + text[end:] for other in _tokens_like(token, site, pool))
        yield from _shifted(text, start, end)


def _shifted(text: str, start: int, end: int) -> Iterator[str]:
    """A token moved by one blank, as in a table whose column is aligned the other way."""
    if text[start - 1 : start] == " ":
        yield text[: start - 1] + text[start:end] + " " + text[end:]
    if text[end : end + 1] == " ":
        yield text[:start] + " " + text[start:end] + text[end + 1 :]


def _escaped(text: str, start: int) -> bool:
    """Whether a token's first letter belongs to an escape (`\\n`) before it."""
    slashes = len(text[:start]) - len(text[:start].rstrip("\\"))
    return slashes % 2 == 1


def _tokens_like(token: str, site: Site, pool: Iterable[str]) -> Iterator[str]:
    if token.isdigit():
        number = int(token)
        yield from (str(other) for other in (number + 1, abs(number - 1), number + 2, number * 10))
    for text in (*site.inputs, *site.beside, *pool):
        for found in TOKEN.finditer(text):
            other = found[0]
            if _escaped(text, found.start()) or other.isdigit() != token.isdigit():
                continue
            yield _in_case_of(token, other)


def _in_case_of(token: str, other: str) -> str:
    if token.islower():
        return other.lower()
    if token.isupper():
        return other.upper()
    return other.capitalize() if token.istitle() else other


def _whole_texts(site: Site, pool: Iterable[str]) -> Iterator[str]:
    for text in (*pool, *site.inputs, *site.beside):
        if text.strip() and not set(text) & set("\\'\"\n"):
            yield text
