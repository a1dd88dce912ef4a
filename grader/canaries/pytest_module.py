"""A pytest file as a syntax tree: its test functions by id, and what its module level binds."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from functools import cached_property

import tree_sitter_python
from tree_sitter import Language, Node, Parser

from grader.canaries.python_literals import text_of


@dataclass(frozen=True)
class TestFunction:
    """A test function: `function` is its definition without decorators."""

    id: str
    function: Node
    decorators: tuple[str, ...]

    @property
    def body(self) -> Node:
        """The block of its statements."""
        body = self.function.child_by_field_name("body")
        assert body is not None
        return body


class Module:
    """One suite file, parsed."""

    def __init__(self, file: str, data: bytes) -> None:
        self.file = file
        self.root = Parser(Language(tree_sitter_python.language())).parse(data).root_node

    @cached_property
    def tests(self) -> dict[str, TestFunction]:
        """Test id to test, in source order; of two of the same id the later one, as in Python."""
        return {test.id: test for test in self.every_test()}

    def every_test(self) -> Iterator[TestFunction]:
        """The tests in source order, one of a repeated id included."""
        for node, name, decorators in definitions(self.root):
            if node.type == "function_definition" and name.startswith("test"):
                yield TestFunction(f"{self.file}::{name}", node, decorators)
            body = node.child_by_field_name("body")
            if node.type == "class_definition" and name.startswith("Test") and body is not None:
                for inner, method, marks in definitions(body):
                    if inner.type == "function_definition" and method.startswith("test"):
                        yield TestFunction(f"{self.file}::{name}::{method}", inner, (*decorators, *marks))

    @cached_property
    def top_level(self) -> dict[str, Node]:
        """Name to the module-level statement that binds it: the suite's own constants and helpers."""
        bound = {name: node for node, name, _ in definitions(self.root)}
        for assignment in assignments(self.root):
            bound[text_of(assignment.children[0])] = assignment
        return bound


def definitions(block: Node) -> Iterator[tuple[Node, str, tuple[str, ...]]]:
    """The functions and classes that stand directly in a block: definition, name, decorators without `@`."""
    for child in block.named_children:
        node, marks = child, tuple[str, ...]()
        if child.type == "decorated_definition":
            node = child.child_by_field_name("definition") or child
            marks = tuple(text_of(mark)[1:] for mark in child.named_children if mark.type == "decorator")
        name = node.child_by_field_name("name")
        if node.type in ("function_definition", "class_definition") and name is not None:
            yield node, text_of(name), marks


def assignments(block: Node) -> Iterator[Node]:
    """The plain `name = value` statements that stand directly in a block."""
    for statement in block.named_children:
        if statement.type == "expression_statement" and statement.named_child_count == 1:
            assignment = statement.named_children[0]
            if assignment.type == "assignment" and assignment.children[0].type == "identifier":
                yield assignment
