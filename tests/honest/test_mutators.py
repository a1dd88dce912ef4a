"""The faults are what they say: one edit, in the functions asked for, other code than before."""

from __future__ import annotations

import ast

from runner.tree import Entry, Tree
from tests.honest.mutators import mutants, pick, tree_mutants

SOURCE = '''\
"""A module."""
LIMIT = 10


def kept(number):
    return number == 3


class Shelf:
    def place(self, key, size=2, *, tight=True):
        """Size 9 is not a fault: this is a docstring."""
        "Nor is 8: a text for readers."
        if not (key) and size <= LIMIT or tight is not None:  # < 7
            raise KeyError(f"no {key == 1}")
        self.filled = put("größe", size + 1)
        for _ in range(size):
            continue
        return self.filled
'''
OPERATORS = {
    "arithmetic",
    "boundary",
    "comparison",
    "default",
    "dropped not",
    "logic",
    "negated condition",
    "off by one",
    "raise early",
    "removed statement",
    "return nothing",
    "string",
    "swapped arguments",
}


def test_every_operator_finds_its_place() -> None:
    found = mutants("shelf.py", SOURCE.encode(), {"Shelf.place"})
    assert {mutant.operator for mutant in found} == OPERATORS
    assert all(mutant.counts for mutant in found)
    assert {mutant.function for mutant in found} == {"Shelf.place"}


def test_edits_are_exact_behind_text_that_is_not_ascii() -> None:
    swapped = [
        m for m in mutants("s.py", SOURCE.encode(), {"Shelf.place"}) if m.operator == "swapped arguments"
    ]
    assert [b'put(size + 1, "gr\xc3\xb6\xc3\x9fe")' in mutant.mutated for mutant in swapped] == [True]
    flips = [m for m in mutants("s.py", SOURCE.encode(), {"Shelf.place"}) if m.operator == "boundary"]
    assert [(mutant.new, b"size < LIMIT or" in mutant.mutated) for mutant in flips] == [("<", True)]


def test_texts_for_readers_and_texts_with_fields_are_left_alone() -> None:
    for mutant in mutants("shelf.py", SOURCE.encode(), {"Shelf.place"}):
        tree = ast.parse(mutant.mutated)
        place = next(each for each in ast.walk(tree) if getattr(each, "name", "") == "place")
        assert ast.get_docstring(place) == "Size 9 is not a fault: this is a docstring."  # type: ignore[arg-type]  # a function
        assert b'"Nor is 8' in mutant.mutated
        assert mutant.operator == "removed statement" or b'f"no {key == 1}"' in mutant.mutated


def test_only_what_the_change_altered_is_touched() -> None:
    before = SOURCE.replace("size + 1", "size + 2").replace("LIMIT = 10", "LIMIT = 11")
    paths = ("src/a.py", "docs/b.py", "src/c.txt")
    base, changed = (
        Tree({path: Entry("100644", text.encode()) for path in paths}) for text in (before, SOURCE)
    )
    found = tree_mutants(base, changed, ["src"])
    assert {(mutant.path, mutant.function) for mutant in found} == {("src/a.py", "Shelf.place")}


def test_the_same_seed_picks_the_same_faults_evenly() -> None:
    found = mutants("shelf.py", SOURCE.encode(), {"Shelf.place", "kept"})
    first, second, other = pick(found, 13, 5), pick(found, 13, 5), pick(found, 13, 6)
    assert first == second
    assert first != other
    assert {mutant.operator for mutant in first} == OPERATORS
    assert len(pick(found, 10**6, 1)) == len(found)
