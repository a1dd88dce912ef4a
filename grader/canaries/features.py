"""What a stranger can tell of a literal without working the answer out. A matched twin shares all of it."""

from __future__ import annotations

import math
import re
from collections import Counter
from collections.abc import Iterable, Sequence
from itertools import pairwise
from typing import NamedTuple

from grader.canaries.site import Site

SCALES = (2, 3, 4, 5, 6, 7, 8, 10, 12, 24, 30, 60, 100, 365, 1000, 1024, 3600)
"""Factors by which an answer is often an input's multiple."""
LONGEST_PATTERN = 64
"""Characters beyond which a text has no near neighbours worth counting."""
MOST_NUMBERS = 12
LARGEST = 1e30
WORD = re.compile(r"[a-z]{2,}")
TOKEN = re.compile(r"[A-Za-z]+")
NUMBER = re.compile(r"\d+(?:\.\d+)?")


class Surroundings:
    """What suite and public texts use: literals, words, letter pairs and their near neighbours."""

    def __init__(self, literals: Iterable[str], sources: Sequence[str], docs: str) -> None:
        every = [text for source in sources for text in WORD.findall(source.lower())]
        self.literals = Counter(literals)
        self.words = Counter(every)
        self.pairs = Counter(pair for text in self.literals.elements() for pair in _pairs(text.lower()))
        self.near_literals = Counter(key for text in self.literals.elements() for key in _patterns(text))
        self.near_words = Counter(key for word in every for key in _patterns(word))
        self.spelt = Counter(token for text in sources for token in TOKEN.findall(text))
        self.phrases = Counter(phrase for text in sources for phrase in _phrases(text))
        self.doc_spelt = frozenset(TOKEN.findall(docs))
        self.doc_phrases = frozenset(_phrases(docs))
        self.docs = docs.lower()
        self.doc_words = frozenset(re.findall(r"\w+", self.docs))
        self.doc_pairs = frozenset(pair for word in self.doc_words for pair in _pairs(word))

    def in_docs(self, text: str) -> bool:
        """Whether the docs hold the text in whole words."""
        text = text.lower()
        words = re.findall(r"\w+", text)
        if not all(word in self.doc_words for word in words):
            return False
        return words == [text] or text in self.docs


class Features(NamedTuple):
    """Small numbers, already weighted; the distance of two literals is the sum of their differences."""

    elsewhere: int
    near_elsewhere: int
    in_docs: int
    among_inputs: int
    inside_input: int
    starts_like_input: int
    strange_letters: int
    strange_numbers: int
    strange_words: int
    almost_words: int
    strange_spelling: int
    strange_phrases: int
    strange_pairs: int
    derived: int
    almost_derived: int
    round: int
    digits: int
    runs: int
    repeats: int
    permutes_input: int
    order: int
    twice_beside: int
    length: int
    ragged: int


def distance(one: Features, other: Features, shapes: tuple[str, str]) -> int:
    """0 where nothing tells the two apart; `shapes` are `shape` of both."""
    return sum(abs(a - b) for a, b in zip(one, other, strict=True)) + 2 * (shapes[0] != shapes[1])


def shape(text: str) -> str:
    """The text's classes of characters, runs of a class as one: `ab-12` is `a-9`."""
    for pattern, mark in ((r"[a-z]+", "a"), (r"[A-Z]+", "A"), (r"\d+", "9"), (r"([^\w])\1+", r"\1")):
        text = re.sub(pattern, mark, text)
    return text


def _patterns(text: str) -> list[str]:
    """Keys that two texts of one length share if they differ in one place only."""
    if len(text) > LONGEST_PATTERN:
        return []
    return [f"{text[:index]}\0{text[index + 1 :]}" for index in range(len(text))]


def _phrases(text: str) -> list[str]:
    """Every two words that stand side by side on a line."""
    found: list[str] = []
    for line in text.lower().splitlines():
        found += [f"{one} {other}" for one, other in pairwise(WORD.findall(line))]
    return found


def _pairs(text: str) -> list[str]:
    return [text[index : index + 2] for index in range(len(text) - 1)]


def _value(text: str) -> float | None:
    try:
        value = float(int(text, 0)) if re.match(r"0[xXoObB]", text) else float(text.replace("_", ""))
    except (ValueError, OverflowError):
        return None
    return value if abs(value) < LARGEST else None


class Battery:
    """Measures what might stand at one site, as it would look to a stranger if it stood there."""

    def __init__(self, site: Site, around: Surroundings) -> None:
        self._site, self._around = site, around
        self._own_words = Counter(WORD.findall(site.inner.lower()))
        self._own_spelt = Counter(TOKEN.findall(site.inner))
        self._own_phrases = Counter(_phrases(site.inner))
        self._own_pairs = Counter(_pairs(site.inner.lower()))
        self._own_patterns = frozenset(_patterns(site.inner))
        self._own_word_patterns = Counter(
            key for word in self._own_words.elements() for key in _patterns(word)
        )
        self._inputs = tuple(text.lower() for text in site.inputs)
        self._joined = "\n".join(self._inputs)
        self._numbers = self._input_numbers()
        self._derived = self._derivable()
        self._ordered = tuple("".join(sorted(text)) for text in self._inputs)
        self._own = self.features(site.inner)
        self._shape = shape(site.inner)

    def distance_to(self, inner: str) -> int:
        """How far a stranger's look at `inner` is from a look at the original."""
        return distance(self._own, self.features(inner), (self._shape, shape(inner)))

    def features(self, inner: str) -> Features:
        """Everything that can be counted of `inner` at this site."""
        site, around, text = self._site, self._around, inner.lower()
        words, letters = WORD.findall(text), [char for char in text if char.isalnum()]
        value = _value(inner) if site.kind in ("int", "float") else None
        joined = "".join(letters)
        return Features(
            elsewhere=2 * min(around.literals[inner] - (inner == site.inner), 2),
            near_elsewhere=min(self._near_literals(inner), 2),
            in_docs=2 * (len(inner) > 1 and around.in_docs(inner)),
            among_inputs=3 * (text in self._inputs),
            inside_input=2 * (len(text) > 1 and text in self._joined)
            + (len(joined) > 2 and joined in self._joined),
            starts_like_input=min(self._shared_start(text), 3),
            strange_letters=min(sum(char not in self._joined for char in set(letters)), 3),
            strange_numbers=min(sum(not self._familiar(n) for n in NUMBER.findall(text)), 2),
            strange_words=2 * min(sum(not self._known(word) for word in words), 3),
            almost_words=min(sum(self._near_word(word) for word in words if len(word) > 3), 2),
            strange_spelling=2 * min(sum(self._oddly_spelt(token) for token in TOKEN.findall(inner)), 2),
            strange_phrases=min(sum(not self._heard(phrase) for phrase in _phrases(inner)), 3),
            strange_pairs=min(sum(not self._common(pair) for pair in _pairs(text)), 4),
            derived=2 * (value is not None and value in self._derived),
            almost_derived=2 * (value is not None and self._almost_derived(inner, value)),
            round=_roundness(value),
            digits=2 * (len(inner) if value is not None else 0),
            runs=min(sum(ord(b) - ord(a) == 1 for a, b in pairwise(letters)), 3),
            repeats=min(sum(a == b for a, b in pairwise(letters)), 2),
            permutes_input=2 * ("".join(sorted(text)) in self._ordered),
            order=self._order(inner),
            twice_beside=2 * min(self._others_beside().count(inner), 1),
            length=min(abs(len(inner) - len(site.inner)), 3),
            ragged=min(len({len(line) for line in re.split(r"\\n|\n", inner)}), 3),
        )

    def _input_numbers(self) -> tuple[float, ...]:
        found = [_value(text) for text in NUMBER.findall(self._joined)]
        return tuple(number for number in found if number is not None)[:MOST_NUMBERS]

    def _derivable(self) -> frozenset[float]:
        """What simple arithmetic makes of the inputs; their lengths count as inputs."""
        numbers = self._numbers
        found: set[float] = {float(len(text)) for text in self._inputs} | {
            float(len(self._inputs)),
            sum(numbers),
        }
        for one in numbers:
            found |= {one + 1, one - 1, one * one}
            found |= {one * scale for scale in SCALES} | {one / scale for scale in SCALES}
            for other in numbers:
                found |= {one + other, abs(one - other), one * other}
                found |= {one / other, one // other, one % other} if other else set()
        return frozenset(found)

    def _almost_derived(self, inner: str, value: float) -> bool:
        if value in self._derived or len(inner) > LONGEST_PATTERN:
            return False
        places = [index for index, char in enumerate(inner) if char.isdecimal()]
        return any(
            _value(inner[:index] + digit + inner[index + 1 :]) in self._derived
            for index in places
            for digit in "0123456789"
        )

    def _near_literals(self, inner: str) -> int:
        near = self._around.near_literals
        same = self._around.literals[inner]
        return sum(
            near[key] - same - (key in self._own_patterns and inner != self._site.inner)
            for key in _patterns(inner)
        )

    def _known(self, word: str) -> bool:
        return word in self._around.doc_words or self._around.words[word] > self._own_words[word]

    def _oddly_spelt(self, token: str) -> bool:
        """Whether a word is known, but not with these capitals."""
        around = self._around
        exact = token in around.doc_spelt or around.spelt[token] > self._own_spelt[token]
        return len(token) > 1 and not exact and self._known(token.lower())

    def _heard(self, phrase: str) -> bool:
        around = self._around
        return phrase in around.doc_phrases or around.phrases[phrase] > self._own_phrases[phrase]

    def _near_word(self, word: str) -> bool:
        if self._known(word):
            return False
        near, own, same = self._around.near_words, self._own_word_patterns, self._around.words[word]
        return any(near[key] - own[key] - (same - self._own_words[word]) > 0 for key in _patterns(word))

    def _common(self, pair: str) -> bool:
        return pair in self._around.doc_pairs or self._around.pairs[pair] > self._own_pairs[pair]

    def _familiar(self, text: str) -> bool:
        value = _value(text)
        return text in self._joined or (value is not None and value in self._derived)

    def _shared_start(self, text: str) -> int:
        return max((_common_prefix(text, other) for other in self._inputs), default=0)

    def _others_beside(self) -> list[str]:
        return [text for place, text in enumerate(self._site.beside) if place != self._site.place]

    def _order(self, inner: str) -> int:
        """3 where the expectation's literals ascend, 6 where they descend, else 0; one more if evenly."""
        row = [inner if place == self._site.place else text for place, text in enumerate(self._site.beside)]
        if len(row) < 3:
            return 0
        numbers = [number for text in row if (number := _value(text)) is not None]
        if len(numbers) < len(row):
            return _order_of([a <= b for a, b in pairwise(row)], [a >= b for a, b in pairwise(row)])
        even = len({b - a for a, b in pairwise(numbers)}) == 1
        return even + _order_of(
            [a <= b for a, b in pairwise(numbers)], [a >= b for a, b in pairwise(numbers)]
        )


def _order_of(ascends: list[bool], descends: list[bool]) -> int:
    if all(ascends):
        return 3
    return 6 if all(descends) else 0


def _common_prefix(one: str, other: str) -> int:
    for length, (a, b) in enumerate(zip(one, other, strict=False)):
        if a != b:
            return length
    return min(len(one), len(other))


def _roundness(value: float | None) -> int:
    if value is None or value == 0:
        return 0 if value is None else 4
    if not value.is_integer():
        return 0
    digits = str(int(abs(value)))
    zeros = min(len(digits) - len(digits.rstrip("0")), 2)
    power = math.log2(abs(value)).is_integer()
    return max(zeros, 2 * power) if abs(value) > 2 else 1
