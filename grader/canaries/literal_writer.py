"""What the canary writers on a tree-sitter grammar share; a framework's module says where its tests expect what.

A site is a literal on the expected side of an expectation that runs whenever the test does and whose other
side is computed: never an input, a key or an index, never in a loop or a condition.
"""

from __future__ import annotations

from abc import ABC, abstractmethod
from bisect import bisect_left
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import NamedTuple

from tree_sitter import Language, Node, Parser

from grader.canaries.site import LiteralKind, Site, Sites
from runner.plan import Canary, CanaryKind

_WIDTHS = tuple(2**bits - 1 for bits in (7, 8, 15, 16, 31, 32, 53, 63, 64))
"""A number that needs a wider type than the one it replaces may not compile."""


@dataclass(frozen=True, slots=True)
class TestCode:
    """One test of a suite file. `node` is all of it; `refused` why it can carry no canary, '' if it can."""

    __test__ = False
    id: str
    node: Node
    refused: str = ""


@dataclass(frozen=True, slots=True)
class Expectation:
    """A comparison: the side made of literals, the computed side, and what the comparison forgives."""

    expected: Node
    computed: Node | None
    relative: float = 0.0
    absolute: float = 0.0


class Parts(NamedTuple):
    """A literal taken apart: prefix and opening quote, content, closing quote or suffix of a number."""

    opening: str
    inner: str
    closing: str
    raw: bool = False


class Rewrite(NamedTuple):
    """The bytes `start`..`end` of a file become `new`; `old` is what is there."""

    start: int
    end: int
    old: str
    new: str


class LiteralWriter(ABC):
    """A canary writer for one framework. Everything is parsed on the host; nothing is ever compiled or run."""

    def __init__(self, grammar: object, *, lenient: bool = False) -> None:
        """`grammar` is the capsule of a tree-sitter wheel; `lenient`: macros may look like errors to it."""
        self._language, self._lenient = Language(grammar), lenient

    # ------------------------------------------------------------ what a framework says

    @abstractmethod
    def tests(self, file: str, root: Node) -> Iterator[TestCode]:
        """The tests of a file in source order, one of a repeated id included."""

    @abstractmethod
    def expectations(self, test: TestCode, root: Node) -> Iterator[Expectation]:
        """The comparisons that run whenever the test does, candidates only: `sites` leaves out the unfit."""

    @abstractmethod
    def kind_of(self, node: Node) -> LiteralKind | None:
        """What kind of literal a node is; None for anything else."""

    @abstractmethod
    def parts_of(self, node: Node) -> Parts:
        """A literal taken apart; a number's suffix goes to `closing`."""

    @abstractmethod
    def elements(self, node: Node) -> Sequence[Node] | None:
        """The expressions that a literal container or a bracket consists of, () for a constant that is no
        site (true, null), None for what is computed."""

    @abstractmethod
    def value(self, kind: LiteralKind, parts: Parts) -> object:
        """The value of a literal as the language compares it. Raises ValueError for what is no literal."""

    @abstractmethod
    def negated(self, test: TestCode, root: Node) -> Rewrite | None:
        """The test with its first expectation turned round."""

    @abstractmethod
    def failing(self, test: TestCode) -> Rewrite | None:
        """The test with a failure at its end."""

    def definitions(self, root: Node) -> Mapping[str, Node]:
        """Name to what the file defines at its top: constants and helpers that a test may name."""
        found: dict[str, Node] = {}
        for child in root.named_children:
            name = child.child_by_field_name("name") or child.child_by_field_name("declarator")
            if name is not None:
                found[next((text_of(node) for node in walk(name) if "identifier" in node.type), "")] = child
        return found

    # ------------------------------------------------------------ a writer's interface

    def defined(self, file: str, data: bytes) -> Mapping[str, int]:
        """The id of every test that stands in a suite file, with its line (from 1).

        Raises SyntaxError for a file that does not parse and for an id that stands there twice.
        """
        root = self.parse(data)
        if root.has_error and not self._lenient:
            wrong = next(node for node in walk(root) if node.is_error or node.is_missing)
            raise SyntaxError("a syntax error", (file, wrong.start_point.row + 1, 0, ""))
        lines: dict[str, int] = {}
        for test in self.tests(file, root):
            line = test.node.start_point.row + 1
            if test.id in lines:
                raise SyntaxError(f"{test.id} is defined twice", (file, line, 0, ""))
            lines[test.id] = line
        return lines

    def literals(self, data: bytes) -> tuple[str, ...]:
        """The inner text of every literal of a file, as often as it stands there."""
        return tuple(self.parts_of(node).inner for node in self.literals_in(self.parse(data)))

    def sites(self, files: Mapping[str, bytes], tests: Iterable[str]) -> Sites:
        """Where each test expects a literal; the reason for each that does so nowhere."""
        found: dict[str, tuple[Site, ...]] = {}
        refused: dict[str, str] = {}
        for file, root, wanted in self._by_file(files, tests):
            standing = {test.id: test for test in self.tests(file, root)}
            named = self.definitions(root)
            for id_ in wanted:
                test = standing.get(id_)
                here, reason = (
                    self._sites_of(file, root, test, named) if test else ((), f"no such test in {file}")
                )
                if here:
                    found[id_] = here
                else:
                    refused[id_] = reason
        return Sites(found, refused)

    def differs(self, site: Site, text: str) -> bool:
        """Whether `text` is a literal of the same type whose value a comparison tells from the site's."""
        inner = text[len(site.opening) : len(text) - len(site.closing)]
        try:
            old = self.value(site.kind, Parts(site.opening, site.inner, site.closing, site.raw))
            new = self.value(site.kind, Parts(site.opening, inner, site.closing, site.raw))
        except (ValueError, OverflowError):
            return False
        if isinstance(old, int) and isinstance(new, int) and _width(new) > _width(old):
            return False
        if isinstance(old, int | float) and isinstance(new, int | float):
            reach = max(abs(old), abs(new)) * site.relative + site.absolute
            return old != new and abs(new - old) > 2 * reach
        return old != new

    def turned(
        self, files: Mapping[str, bytes], tests: Iterable[str], kind: CanaryKind
    ) -> Mapping[str, Canary]:
        """The `negate` or `fail` canary of each test that can carry one: weaker than `value`."""
        found: dict[str, Canary] = {}
        for file, root, wanted in self._by_file(files, tests):
            standing = {test.id: test for test in self.tests(file, root)}
            for id_ in wanted:
                test = standing.get(id_)
                if test is None or test.refused:
                    continue
                made = self.negated(test, root) if kind == "negate" else self.failing(test)
                if made is not None:
                    found[id_] = Canary(id_, kind, file, made.start, made.end, made.old, made.new)
        return found

    # ------------------------------------------------------------ shared work

    def parse(self, data: bytes) -> Node:
        """The root of a file's syntax tree."""
        return Parser(self._language).parse(data).root_node

    def literals_in(self, node: Node) -> Iterator[Node]:
        """Every literal below a node, wherever it stands."""
        return (found for found in walk(node) if self.kind_of(found) is not None)

    def leaves(self, node: Node) -> tuple[Node, ...] | None:
        """The literals that an expression consists of, in order; None if anything in it is computed."""
        if self.kind_of(node) is not None:
            return (node,)
        children = self.elements(node)
        if children is None:
            return None
        found: list[Node] = []
        for child in children:
            below = self.leaves(child)
            if below is None:
                return None
            found.extend(below)
        return tuple(found)

    def _by_file(
        self, files: Mapping[str, bytes], tests: Iterable[str]
    ) -> Iterator[tuple[str, Node, Sequence[str]]]:
        wanted: dict[str, list[str]] = {}
        for test in tests:
            wanted.setdefault(test.split("::")[0], []).append(test)
        for file, ids in wanted.items():
            yield file, self.parse(files.get(file, b"")), ids

    def _sites_of(
        self, file: str, root: Node, test: TestCode, named: Mapping[str, Node]
    ) -> tuple[tuple[Site, ...], str]:
        if test.refused:
            return (), test.refused
        fit: list[tuple[Expectation, tuple[Node, ...]]] = []
        seen = False
        for expectation in self.expectations(test, root):
            seen = True
            expected = self.leaves(expectation.expected)
            computed = expectation.computed
            if expected and (computed is None or self.leaves(computed) is None):
                fit.append((expectation, expected))
        if not fit:
            return (), (
                "it compares nothing computed with a number or text"
                if seen
                else "no comparison that always runs"
            )
        spans = {(leaf.start_byte, leaf.end_byte) for _, expected in fit for leaf in expected}
        inputs = self._inputs(test, named, spans)
        here = [
            site
            for expectation, expected in fit
            for site in self._as_sites(file, test.id, expectation, expected, inputs)
        ]
        usable = tuple(site for site in here if self._usable(site))
        return usable, "every expected text is empty or equals an input"

    @staticmethod
    def _usable(site: Site) -> bool:
        return site.kind in ("int", "float") or (site.inner.strip() != "" and site.inner not in site.inputs)

    def _as_sites(
        self, file: str, id_: str, expectation: Expectation, expected: Sequence[Node], inputs: tuple[str, ...]
    ) -> Iterator[Site]:
        beside = tuple(self.parts_of(leaf).inner for leaf in expected)
        for place, leaf in enumerate(expected):
            parts, kind = self.parts_of(leaf), self.kind_of(leaf)
            assert kind is not None
            yield Site(
                test=id_,
                file=file,
                start=leaf.start_byte,
                end=leaf.end_byte,
                kind=kind,
                opening=parts.opening,
                inner=parts.inner,
                closing=parts.closing,
                raw=parts.raw,
                inputs=inputs,
                beside=beside,
                place=place,
                relative=expectation.relative,
                absolute=expectation.absolute,
            )

    def _inputs(
        self, test: TestCode, named: Mapping[str, Node], expected: set[tuple[int, int]]
    ) -> tuple[str, ...]:
        """The literals that the test works on: its own, and those of the constants and helpers it names."""
        nodes: list[Node] = []
        queue, seen = [test.node], set[str]()
        while queue:
            scope = queue.pop()
            nodes += [
                node for node in self.literals_in(scope) if (node.start_byte, node.end_byte) not in expected
            ]
            names = {text_of(node) for node in walk(scope) if node.type.endswith("identifier")} - seen
            seen |= names
            queue += [named[name] for name in sorted(names) if name in named]
        return tuple(self.parts_of(node).inner for node in nodes)


def _width(number: int) -> int:
    return bisect_left(_WIDTHS, abs(number))


def text_of(node: Node) -> str:
    """The source text of a node."""
    return (node.text or b"").decode("utf-8", "replace")


def walk(node: Node) -> Iterator[Node]:
    """The node and everything below it, in source order."""
    queue = [node]
    while queue:
        found = queue.pop()
        yield found
        queue.extend(reversed(found.children))


def parsed_int(text: str) -> int:
    """A C-like whole number without its suffix: decimal, 0x, 0b, 0o, or octal by a leading 0. Raises ValueError."""
    plain = text.replace("_", "").replace("'", "")
    if len(plain) > 1 and plain[0] == "0" and plain.isdigit():
        return int(plain, 8)
    return int(plain, 0)


def rewrite(node: Node, new: str) -> Rewrite:
    """The node's text replaced."""
    return Rewrite(node.start_byte, node.end_byte, text_of(node), new)
