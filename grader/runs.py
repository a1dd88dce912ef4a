"""Runs of a definition's tokens in other text, found through an index of k-grams in time linear in that text.

Two forms are compared: tokens as they are, and tokens with names numbered in order of appearance within each
k-gram, so that a copy with its locals renamed is still a copy.
"""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from math import ceil

from grader.syntax.lexed import Lexed

GRAM_TOKENS = 12
"""Long enough that two unrelated places seldom share one, short enough to survive an edit every few lines."""
_GAP_TOKENS = 4
"""An edit up to this long (a statement such as `x = 0`) does not end a run; a new function header does."""
_REACH_TOKENS = GRAM_TOKENS + _GAP_TOKENS
_PLACES_KEPT = 4
"""Places of one k-gram in one definition that are followed: a bound on repetitive code."""


@dataclass(frozen=True, slots=True)
class Form:
    """One way to compare, and how much of a definition has to be there in one run."""

    name: str
    least_tokens: int
    least_share: float

    def threshold(self, size: int) -> int:
        """Tokens that a run needs, for a definition of `size` tokens."""
        return max(self.least_tokens, ceil(self.least_share * size))


EXACT = Form("exact", least_tokens=40, least_share=0.6)
RENAMED = Form("renamed", least_tokens=60, least_share=0.75)

Gram = tuple[str, tuple[str, ...]]
"""The form's name and the tokens."""


@dataclass(frozen=True, slots=True)
class Index:
    """Where each k-gram stands: definition number and position, for both forms."""

    skeletons: frozenset[tuple[str, ...]]
    places: Mapping[Gram, Sequence[tuple[int, int]]]


@dataclass(frozen=True, slots=True)
class Run:
    """A run found: `tokens` of the definition, from token `start` of the text."""

    tokens: int
    start: int


def index_of(definitions: Sequence[Lexed]) -> Index:
    """The k-grams of every definition."""
    skeletons: set[tuple[str, ...]] = set()
    places: defaultdict[Gram, list[tuple[int, int]]] = defaultdict(list)
    for number, tokens in enumerate(definitions):
        for position in range(len(tokens.texts) - GRAM_TOKENS + 1):
            skeletons.add(tokens.shapes[position : position + GRAM_TOKENS])
            for gram in _grams(tokens, position):
                kept = places[gram]
                if sum(1 for known, _ in kept if known == number) < _PLACES_KEPT:
                    kept.append((number, position))
    return Index(frozenset(skeletons), dict(places))


def occurrences(tokens: Lexed, index: Index) -> Iterator[tuple[int, Gram]]:
    """Each k-gram of `tokens` that the index knows, with its position."""
    shapes = tokens.shapes
    for position in range(len(shapes) - GRAM_TOKENS + 1):
        if shapes[position : position + GRAM_TOKENS] in index.skeletons:
            for gram in _grams(tokens, position):
                if gram in index.places:
                    yield position, gram


def _grams(tokens: Lexed, position: int) -> tuple[Gram, Gram]:
    texts = tokens.texts[position : position + GRAM_TOKENS]
    shapes = tokens.shapes[position : position + GRAM_TOKENS]
    numbers: dict[str, str] = {}
    renamed = tuple(
        shape or numbers.setdefault(text, f"\0{len(numbers)}")
        for text, shape in zip(texts, shapes, strict=True)
    )
    return (EXACT.name, texts), (RENAMED.name, renamed)


def longest_run(hits: Iterable[tuple[int, int]]) -> Run:
    """The run that covers most of a definition.

    `hits` pairs the position of a k-gram in the text, ascending, with its position in the definition. A run
    goes forward in both, with gaps of at most a few tokens.
    """
    best = Run(0, 0)
    open_runs: dict[int, tuple[int, Run]] = {}
    for position, place in hits:
        run = _extended(open_runs, position, place)
        open_runs[place] = position, run
        best = max(best, run, key=lambda known: known.tokens)
    return best


def _extended(open_runs: Mapping[int, tuple[int, Run]], position: int, place: int) -> Run:
    """The longest run that ends shortly before `place`, taken to it; the very next token settles it."""
    best = Run(GRAM_TOKENS, position)
    for ahead in range(1, _REACH_TOKENS + 1):
        last, run = open_runs.get(place - ahead, (position, best))
        if 0 < position - last <= _REACH_TOKENS:
            tokens = run.tokens + min(position - last, ahead, GRAM_TOKENS)
            best = max(best, Run(tokens, run.start), key=lambda known: known.tokens)
            if position - last == ahead == 1:
                break
    return best


def surplus(
    base: Mapping[str, Counter[Gram]], patched: Mapping[str, Sequence[tuple[int, Gram]]]
) -> Mapping[str, list[tuple[int, Gram]]]:
    """The occurrences, by text, that the base does not account for.

    What stood in the same text counts first, then what the patch took away elsewhere: code that was moved is
    not added.
    """
    now = {name: Counter(gram for _, gram in found) for name, found in patched.items()}
    vanished: Counter[Gram] = Counter()
    for name, counts in base.items():
        vanished.update(counts - now.get(name, Counter()))
    return {name: _beyond(found, Counter(base.get(name, {})), vanished) for name, found in patched.items()}


def _beyond(
    found: Sequence[tuple[int, Gram]], allowed: Counter[Gram], vanished: Counter[Gram]
) -> list[tuple[int, Gram]]:
    added = []
    for position, gram in found:
        account = allowed if allowed[gram] > 0 else vanished
        if account[gram] > 0:
            account[gram] -= 1
        else:
            added.append((position, gram))
    return added
