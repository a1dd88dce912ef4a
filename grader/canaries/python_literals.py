"""Literals in a Python syntax tree: which expressions are made of literals alone, and their values."""

from __future__ import annotations

import ast
from collections.abc import Iterator
from dataclasses import dataclass, replace

from tree_sitter import Node

from grader.canaries.site import LiteralKind

NUMBERS: dict[str, LiteralKind] = {"integer": "int", "float": "float"}
CONSTANTS = ("true", "false", "none", "ellipsis")
CONTAINERS = ("list", "tuple", "set")
WRAPPERS = ("set", "frozenset", "tuple", "list", "sorted", "bytes")
APPROX = ("approx", "pytest.approx")
APPROX_RELATIVE = 1e-6
APPROX_ABSOLUTE = 1e-12
"""What pytest.approx forgives when nothing is said."""


@dataclass(frozen=True, slots=True)
class Leaf:
    """One literal of an expectation and what its comparison forgives."""

    node: Node
    kind: LiteralKind
    relative: float = 0.0
    absolute: float = 0.0


@dataclass(frozen=True, slots=True)
class Parts:
    """A string literal taken apart: prefix and opening quote, content, closing quote."""

    opening: str
    inner: str
    closing: str

    @property
    def raw(self) -> bool:
        """Whether a backslash means itself."""
        return "r" in self.opening.lower()


def text_of(node: Node) -> str:
    """The source text of a node."""
    return (node.text or b"").decode("utf-8", "replace")


def walk(node: Node) -> Iterator[Node]:
    """The node and everything below it, in source order."""
    yield node
    for child in node.children:
        yield from walk(child)


def bare(node: Node) -> Node:
    """The expression without parentheses around it."""
    while node.type == "parenthesized_expression":
        node = next(child for child in node.named_children if child.type != "comment")
    return node


def kind_of(node: Node) -> LiteralKind | None:
    """int, float, str or bytes; None for anything else, an f-string and a complex number among them."""
    if node.type in NUMBERS:
        return None if text_of(node)[-1] in "jJ" else NUMBERS[node.type]
    if node.type != "string" or any(child.type == "interpolation" for child in node.children):
        return None
    prefix = text_of(node.children[0]).lower()
    if "f" in prefix or "t" in prefix:
        return None
    return "bytes" if "b" in prefix else "str"


def parts_of(node: Node) -> Parts:
    """Quotes and content of a literal; a number has no quotes."""
    if node.type != "string":
        return Parts("", text_of(node), "")
    opening, closing = text_of(node.children[0]), text_of(node.children[-1])
    whole = text_of(node)
    return Parts(opening, whole[len(opening) : len(whole) - len(closing)], closing)


def literals_in(node: Node) -> Iterator[Node]:
    """Every literal below a node, wherever it stands; comments and f-strings are left out."""
    return (found for found in walk(node) if kind_of(found) is not None)


def leaves(node: Node) -> tuple[Leaf, ...] | None:  # noqa: PLR0911 - one answer a node type reads best
    """The literals that an expression consists of, in order; None if anything in it is computed.

    Keys of a dictionary must be literals but are no leaves; True, False and None are literal and no leaves.
    """
    node = bare(node)
    if (kind := kind_of(node)) is not None:
        return (Leaf(node, kind),)
    children = [child for child in node.named_children if child.type != "comment"]
    match node.type:
        case constant if constant in CONSTANTS:
            return ()
        case "list" | "tuple" | "set" | "concatenated_string":
            return _joined(children)
        case "unary_operator" if text_of(node)[0] in "-+":
            return leaves(children[0]) if bare(children[0]).type in NUMBERS else None
        case "binary_operator" if any(child.type == "+" for child in node.children):
            return _joined(children) if all(_is_text(child) for child in children) else None
        case "dictionary":
            return _of_dictionary(children)
        case "call":
            return _of_call(node)
    return None


def _is_text(node: Node) -> bool:
    found = leaves(node)
    return bool(found) and all(leaf.kind in ("str", "bytes") for leaf in found or ())


def _joined(nodes: list[Node]) -> tuple[Leaf, ...] | None:
    found: list[Leaf] = []
    for node in nodes:
        below = leaves(node)
        if below is None:
            return None
        found.extend(below)
    return tuple(found)


def _of_dictionary(children: list[Node]) -> tuple[Leaf, ...] | None:
    values: list[Node] = []
    for pair in children:
        key, value = pair.child_by_field_name("key"), pair.child_by_field_name("value")
        if key is None or value is None or leaves(key) is None:
            return None
        values.append(value)
    return _joined(values)


def _of_call(node: Node) -> tuple[Leaf, ...] | None:
    function, arguments = node.child_by_field_name("function"), node.child_by_field_name("arguments")
    if function is None or arguments is None or arguments.type != "argument_list":
        return None
    given = [child for child in arguments.named_children if child.type != "comment"]
    name = text_of(function)
    if name in APPROX and given:
        return _of_approx(given)
    if len(given) != 1:
        return None
    if name in WRAPPERS or _is_join(function):
        return leaves(given[0]) if bare(given[0]).type in CONTAINERS else None
    return None


def _is_join(function: Node) -> bool:
    owner, name = function.child_by_field_name("object"), function.child_by_field_name("attribute")
    return owner is not None and name is not None and text_of(name) == "join" and kind_of(owner) is not None


def _of_approx(given: list[Node]) -> tuple[Leaf, ...] | None:
    tolerances: dict[str, float] = {}
    for argument in given[1:]:
        name, value = argument.child_by_field_name("name"), argument.child_by_field_name("value")
        if name is None or value is None or value.type not in NUMBERS:
            return None
        tolerances[text_of(name)] = float(ast.literal_eval(text_of(value)))
    found = leaves(given[0])
    only_absolute = "abs" in tolerances and "rel" not in tolerances
    relative = tolerances.get("rel", 0.0 if only_absolute else APPROX_RELATIVE)
    absolute = tolerances.get("abs", APPROX_ABSOLUTE)
    return found and tuple(replace(leaf, relative=relative, absolute=absolute) for leaf in found)
