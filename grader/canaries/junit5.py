"""Canaries for JUnit 5. Ids are `<file>::method`, `<file>::Inner.method` in a `@Nested` class; the rows of a test
with parameters fold into it: all of them have to pass, so a twin has to fail for one of them only."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from pathlib import PurePosixPath

import tree_sitter_java
from tree_sitter import Node

from grader.canaries import java_literals
from grader.canaries.java_literals import arguments, called, plain
from grader.canaries.literal_writer import Expectation, LiteralWriter, Parts, Rewrite, TestCode, text_of, walk
from grader.canaries.site import LiteralKind

TESTS = frozenset({"Test", "ParameterizedTest", "RepeatedTest"})
REFUSED: Mapping[str, str] = {
    "TestFactory": "a factory makes its tests as it runs",
    "TestTemplate": "a template's tests are made as it runs",
    "Disabled": "disabled",
}
EQUAL = frozenset({"assertEquals", "assertArrayEquals", "assertIterableEquals"})
RUNS_ALL = frozenset({"assertAll", "assertDoesNotThrow", "assertTimeout"})
"""What runs the lambdas that it is given, to their end, and passes on what they throw."""
TURNED: Mapping[str, str] = {
    "assertEquals": "assertNotEquals",
    "assertNotEquals": "assertEquals",
    "assertTrue": "assertFalse",
    "assertFalse": "assertTrue",
    "assertNull": "assertNotNull",
    "assertNotNull": "assertNull",
    "assertSame": "assertNotSame",
}
ASSERTIONS = "org.junit.jupiter.api.Assertions"
BLOCKS = ("block", "synchronized_statement", "try_with_resources_statement", "try_statement")
LEAVES = ("return_statement", "throw_statement", "break_statement", "continue_statement")


class JUnit5Writer(LiteralWriter):
    """Methods of the class that a file is named for: `assertEquals` and its like, `assertTrue(a.equals(LITERAL))`."""

    def defined(self, file: str, data: bytes) -> Mapping[str, int]:
        """The id of every test of a file, with its line; raises SyntaxError as well for one that is overloaded."""
        found = super().defined(file, data)
        for test in self.tests(file, self.parse(data)):
            body = test.node.parent
            names = [_name(each) for each in plain(body) if each.type == "method_declaration"] if body else []
            if names.count(_name(test.node)) > 1:
                line = test.node.start_point.row + 1
                raise SyntaxError(f"{test.id} is overloaded; give it a name of its own", (file, line, 0, ""))
        return found

    def tests(self, file: str, root: Node) -> Iterator[TestCode]:
        """The methods that JUnit takes for tests, in `@Nested` classes too."""
        name = PurePosixPath(file).stem
        for node in root.named_children:
            if node.type == "class_declaration" and _name(node) == name:
                yield from _tests(file, node, "", "Disabled" in _annotations(node))

    def expectations(self, test: TestCode, root: Node) -> Iterator[Expectation]:
        """Both sides of each comparison, either may be the literal one; a local constant named once stands for it."""
        body = test.node.child_by_field_name("body")
        constants = _local_constants(body) if body is not None else {}
        for call in _checks(body):
            for left, right, absolute in _comparisons(call):
                for expected, computed in ((left, right), (right, left)):
                    yield Expectation(constants.get(text_of(expected), expected), computed, absolute=absolute)

    def kind_of(self, node: Node) -> LiteralKind | None:
        """Numbers, texts, characters."""
        return java_literals.kind_of(node)

    def parts_of(self, node: Node) -> Parts:
        """Quotes apart, and the type that a number names."""
        return java_literals.parts_of(node)

    def elements(self, node: Node) -> Sequence[Node] | None:
        """Arrays, the JDK's own collections by their values, casts, signs, sums and brackets."""
        return java_literals.elements(node)

    def value(self, kind: LiteralKind, parts: Parts) -> object:
        """What the compiler makes of it."""
        return java_literals.value(kind, parts)

    def negated(self, test: TestCode, root: Node) -> Rewrite | None:
        """The opposite assertion in place of the first one that has an opposite."""
        for call in _checks(test.node.child_by_field_name("body")):
            name = call.child_by_field_name("name")
            if name is not None and text_of(name) in TURNED:
                old = (call.text or b"")[: name.end_byte - call.start_byte].decode("utf-8", "replace")
                return Rewrite(call.start_byte, name.end_byte, old, f"{ASSERTIONS}.{TURNED[text_of(name)]}")
        return None

    def failing(self, test: TestCode) -> Rewrite | None:
        """A failure as the last statement; none where a method ends by leaving."""
        body = test.node.child_by_field_name("body")
        statements = plain(body) if body is not None else []
        if body is None or (statements and statements[-1].type in (*LEAVES, "while_statement")):
            return None
        return Rewrite(body.end_byte - 1, body.end_byte, "}", f"    {ASSERTIONS}.fail();\n    }}")

    def definitions(self, root: Node) -> Mapping[str, Node]:
        """Fields, methods that are no tests, and the rows that a test is given."""
        found: dict[str, Node] = {}
        for node in walk(root):
            if node.type == "field_declaration":
                for one in node.children_by_field_name("declarator"):
                    found[_name(one)] = node
            elif node.type == "method_declaration" and not TESTS & set(_annotations(node)):
                found[_name(node)] = node
        return found


def _tests(file: str, holder: Node, path: str, disabled: bool) -> Iterator[TestCode]:
    body = holder.child_by_field_name("body")
    for node in plain(body) if body is not None else ():
        marks = _annotations(node)
        off = disabled or any(mark.startswith(("Disabled", "Enabled")) for mark in marks)
        if node.type == "class_declaration" and "Nested" in marks:
            yield from _tests(file, node, f"{path}{_name(node)}.", off)
        if node.type == "method_declaration":
            refused = next((REFUSED[mark] for mark in marks if mark in REFUSED), "")
            if TESTS & set(marks) or "TestFactory" in marks or "TestTemplate" in marks:
                yield TestCode(f"{file}::{path}{_name(node)}", node, refused or ("disabled" if off else ""))


def _name(node: Node) -> str:
    name = node.child_by_field_name("name")
    return text_of(name) if name is not None else ""


def _annotations(node: Node) -> list[str]:
    """The last names of what a declaration is marked with."""
    marks = [child for one in node.children if one.type == "modifiers" for child in one.named_children]
    return [_name(mark).rpartition(".")[2] for mark in marks if mark.type.endswith("annotation")]


def _checks(body: Node | None) -> Iterator[Node]:
    """Every call of an assertion that runs whenever the body does, up to where it is left."""
    for statement in plain(body) if body is not None else ():
        if statement.type in LEAVES:
            return
        if statement.type in BLOCKS and not any(child.type == "catch_clause" for child in statement.children):
            yield from _checks(statement.child_by_field_name("body") or _block(statement))
        elif statement.type == "expression_statement":
            yield from _calls(statement.named_children[0])


def _block(statement: Node) -> Node:
    return next((child for child in statement.named_children if child.type == "block"), statement)


def _calls(call: Node) -> Iterator[Node]:
    if call.type != "method_invocation" or called(call).rpartition(".")[0] not in (
        "",
        "Assertions",
        ASSERTIONS,
    ):
        return
    if _name(call) not in RUNS_ALL:
        if _name(call).startswith("assert"):
            yield call
        return
    for argument in arguments(call):
        body = argument.child_by_field_name("body") if argument.type == "lambda_expression" else None
        if body is not None:
            yield from _checks(body) if body.type == "block" else _calls(body)


def _comparisons(call: Node) -> Iterator[tuple[Node, Node, float]]:
    """The sides of what an assertion compares, and what it forgives."""
    name, given = _name(call), arguments(call)
    if name in EQUAL and len(given) >= 2:
        loose = given[2] if len(given) > 2 and java_literals.kind_of(given[2]) in ("int", "float") else None
        yield (
            given[0],
            given[1],
            float(java_literals.value("float", java_literals.parts_of(loose))) if loose else 0.0,
        )
    elif name == "assertTrue" and given:
        yield from ((left, right, 0.0) for left, right in _equations(given[0]))


def _equations(node: Node) -> Iterator[tuple[Node, Node]]:
    while node.type == "parenthesized_expression" and plain(node):
        node = plain(node)[0]
    left, right = node.child_by_field_name("left"), node.child_by_field_name("right")
    if node.type == "method_invocation" and _name(node) == "equals" and len(arguments(node)) == 1:
        owner = node.child_by_field_name("object")
        if owner is not None:
            yield owner, arguments(node)[0]
    elif node.type == "binary_expression" and left is not None and right is not None:
        match node.children[1].type:
            case "&&":
                yield from _equations(left)
                yield from _equations(right)
            case "==":
                yield left, right


def _local_constants(body: Node) -> Mapping[str, Node]:
    """Name to value of each local variable that is named once after it was made."""
    uses = [text_of(node) for node in walk(body) if node.type == "identifier"]
    made = [node for node in walk(body) if node.type == "variable_declarator"]
    values = ((_name(one), one.child_by_field_name("value")) for one in made)
    return {name: value for name, value in values if value is not None and uses.count(name) == 2}


WRITER = JUnit5Writer(tree_sitter_java.language())
