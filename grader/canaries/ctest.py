"""Canaries for C under CTest. A file with a `main` is one test, `<file>::main`; in any other file every function
`void test_x(void)` or `int test_x(void)` is one.

What is a comparison: `assert(x == LITERAL)`, `assert(strcmp(x, "literal") == 0)` with `!`, `&&` and brackets;
`if (x != LITERAL || strcmp(x, "literal") != 0)` before something that fails; and a call of a macro or function
whose name says that it checks: `CHECK(x == LITERAL)`, `CHECK_INT(x, LITERAL)`, `CHECK_STR(x, "literal")`,
`CHECK_NEAR(x, LITERAL, tolerance)`, and their like in other frameworks.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping, Sequence
from typing import NamedTuple

import tree_sitter_c
from tree_sitter import Node

from grader.canaries import cpp_literals
from grader.canaries.literal_writer import (
    Expectation,
    LiteralWriter,
    Parts,
    Rewrite,
    TestCode,
    rewrite,
    text_of,
    walk,
)
from grader.canaries.site import LiteralKind

_TEST_NAME = re.compile(r"test_\w+")
_CHECK = re.compile(r"(?i)(?:\w+_)?(?:assert|check|expect|require|verify)(?:_\w+)?")
_OTHERWISE = frozenset({"NE", "NEQ", "NOT", "LT", "LE", "GT", "GE", "NULL", "FALSE", "WITHIN", "FAIL"})
"""Words of a check that demands something else than that two things are equal, or in another order."""
_LOOSE = frozenset({"NEAR", "CLOSE", "DOUBLE", "FLOAT", "REAL"})
"""Words of a check whose third argument, if it is a number, is what it forgives."""
_FAILS = re.compile(r"(?i)\w*(?:fail|error|abort|exit|die|fatal|panic)\w*")
_COMPARES = frozenset({"strcmp", "strncmp", "strcasecmp", "memcmp", "wcscmp"})
_DISTANCES = frozenset({"fabs", "fabsf", "fabsl"})


class Equation(NamedTuple):
    """Two sides that a test wants equal, and what it forgives."""

    left: Node
    right: Node
    absolute: float = 0.0


class CTestWriter(LiteralWriter):
    """Asserts, conditions that fail, and calls of checks."""

    def tests(self, file: str, root: Node) -> Iterator[TestCode]:
        """`main`, or every test function; those that are `static` cannot be called from outside."""
        functions = [(name, node) for node in _functions(root) if (name := _callable(node))]
        mains = [(name, node) for name, node in functions if name == "main"]
        for name, node in mains or functions:
            if name == "main" or _TEST_NAME.fullmatch(name):
                yield TestCode(f"{file}::{name}", node)

    def expectations(self, test: TestCode, root: Node) -> Iterator[Expectation]:
        """Both sides of each equation may be the literal one; a local constant named once stands for it."""
        body = test.node.child_by_field_name("body")
        constants = _local_constants(body) if body is not None else {}
        for statement in _always(body):
            for left, right, absolute in _equations(statement):
                for expected, computed in ((left, right), (right, left)):
                    stands = constants.get(text_of(expected), expected)
                    yield Expectation(stands, computed, absolute=absolute)

    def kind_of(self, node: Node) -> LiteralKind | None:
        """Numbers, texts, characters."""
        return cpp_literals.kind_of(node)

    def parts_of(self, node: Node) -> Parts:
        """A sign goes to the opening, a suffix to the closing."""
        return cpp_literals.parts_of(node)

    def elements(self, node: Node) -> Sequence[Node] | None:
        """Brackets, casts, texts in a row."""
        match node.type:
            case "true" | "false" | "null":
                return ()
            case "parenthesized_expression" | "concatenated_string":
                return _arguments(node)
            case "cast_expression":
                return node.children_by_field_name("value")
        return None

    def value(self, kind: LiteralKind, parts: Parts) -> object:
        """The value that a comparison sees."""
        return cpp_literals.value(kind, parts)

    def negated(self, test: TestCode, root: Node) -> Rewrite | None:
        """`!(...)` around the first condition that is asserted, or that fails."""
        for statement in _always(test.node.child_by_field_name("body")):
            if statement.type == "if_statement" and any(_equations(statement)):
                condition = statement.child_by_field_name("condition")
                return rewrite(condition, f"(!{text_of(condition)})") if condition else None
            called = _called(statement)
            for argument in called[1] if called and _CHECK.fullmatch(called[0]) else ():
                if any(_equal(argument)):
                    return rewrite(argument, f"!({text_of(argument)})")
        return None

    def failing(self, test: TestCode) -> Rewrite | None:
        """An abort at the end, before a `return` that stands there."""
        body = test.node.child_by_field_name("body")
        if body is None:
            return None
        last = body.named_children[-1] if body.named_children else None
        at = last.start_byte if last is not None and last.type == "return_statement" else body.end_byte - 1
        return Rewrite(at, at, "", "__builtin_abort(); ")


def _functions(root: Node) -> Iterator[Node]:
    """The functions of a file, under `#if` too."""
    for child in root.named_children:
        if child.type == "function_definition":
            yield child
        elif child.type.startswith("preproc_"):
            yield from _functions(child)


def _callable(node: Node) -> str:
    """The name of a function that our own `main` can call, '' for any other."""
    made_of = {text_of(child) for child in node.children if child.type.endswith("specifier")}
    declarator, kind = node.child_by_field_name("declarator"), node.child_by_field_name("type")
    if "static" in made_of or declarator is None or kind is None or declarator.type != "function_declarator":
        return ""
    name, parameters = (declarator.child_by_field_name(field) for field in ("declarator", "parameters"))
    if name is None or parameters is None or text_of(kind) not in ("void", "int"):
        return ""
    bare = text_of(parameters).strip("() \t\r\n") in ("", "void")
    return text_of(name) if bare or text_of(name) == "main" else ""


def _always(body: Node | None) -> Iterator[Node]:
    """The statements that run whenever the body does, up to a `return` or a jump."""
    for statement in body.named_children if body is not None else ():
        if statement.type in ("return_statement", "goto_statement"):
            return
        if statement.type == "compound_statement":
            yield from _always(statement)
        elif statement.type in ("expression_statement", "if_statement"):
            yield statement


def _equations(statement: Node) -> Iterator[Equation]:
    """What has to be equal for the test to pass the statement."""
    if statement.type == "if_statement":
        condition = statement.child_by_field_name("condition")
        if condition is not None and _fails(statement):
            yield from _unequal(condition)
        return
    called = _called(statement)
    if called is None or not _CHECK.fullmatch(called[0]):
        return
    name, given = called
    words = {*name.upper().split("_")}
    if conditions := [one for one in given if any(_equal(one))]:
        yield from (equation for one in conditions if "FALSE" not in words for equation in _equal(one))
    elif len(given) >= 2 and not words & _OTHERWISE:
        loose = words & _LOOSE and len(given) > 2
        yield Equation(given[0], given[1], _number(given[2]) if loose else 0.0)


def _fails(statement: Node) -> bool:
    """Whether an `if` without `else` ends in a failure of the test."""
    then = statement.child_by_field_name("consequence")
    if then is None or statement.child_by_field_name("alternative") is not None:
        return False
    for node in walk(then):
        if node.type == "return_statement" and node.named_children and text_of(node.named_children[0]) != "0":
            return True
        function = node.child_by_field_name("function") if node.type == "call_expression" else None
        if function is not None and _FAILS.fullmatch(text_of(function)):
            return True
    return False


def _equal(node: Node) -> Iterator[Equation]:
    """What has to be equal for a condition to hold."""
    node = _bare(node)
    operator = _operator(node)
    if operator == "!":
        yield from _unequal(node.named_children[-1])
    elif operator == "&&":
        for side in _sides(node):
            yield from _equal(side)
    elif operator == "==":
        yield _compared_with_zero(node) or Equation(*_sides(node))
    elif operator in ("<", "<="):
        yield from _distance(node)


def _unequal(node: Node) -> Iterator[Equation]:
    """What has to be equal for a condition not to hold."""
    node = _bare(node)
    operator = _operator(node)
    if operator == "!":
        yield from _equal(node.named_children[-1])
    elif operator == "||":
        for side in _sides(node):
            yield from _unequal(side)
    elif operator == "!=":
        yield _compared_with_zero(node) or Equation(*_sides(node))
    elif (compared := _texts_compared(node)) is not None:
        yield compared


def _compared_with_zero(node: Node) -> Equation | None:
    """The two texts of `strcmp(a, b) == 0`."""
    left, right = _sides(node)
    if text_of(_bare(right)) == "0":
        return _texts_compared(_bare(left))
    return _texts_compared(_bare(right)) if text_of(_bare(left)) == "0" else None


def _texts_compared(node: Node) -> Equation | None:
    called = _called(node)
    if called is None or called[0] not in _COMPARES or len(called[1]) < 2:
        return None
    return Equation(called[1][0], called[1][1])


def _distance(node: Node) -> Iterator[Equation]:
    """`fabs(a - b) < tolerance`."""
    left, right = _sides(node)
    called = _called(_bare(left))
    if called is None or called[0] not in _DISTANCES or len(called[1]) != 1:
        return
    difference = _bare(called[1][0])
    if _operator(difference) == "-" and (forgiven := _number(right)):
        yield Equation(*_sides(difference), forgiven)


def _called(node: Node) -> tuple[str, list[Node]] | None:
    """Name and arguments of a call, which may be a whole statement."""
    if node.type == "expression_statement" and node.named_children:
        node = node.named_children[0]
    function, given = node.child_by_field_name("function"), node.child_by_field_name("arguments")
    if node.type != "call_expression" or function is None or given is None:
        return None
    return text_of(function), _arguments(given)


def _bare(node: Node) -> Node:
    """What stands in brackets."""
    while node.type == "parenthesized_expression" and len(_arguments(node)) == 1:
        node = _arguments(node)[0]
    return node


def _operator(node: Node) -> str:
    """The operator of an expression with one, '' for any other."""
    if node.type not in ("binary_expression", "unary_expression"):
        return ""
    operator = node.child_by_field_name("operator")
    return text_of(operator) if operator is not None else ""


def _sides(node: Node) -> tuple[Node, Node]:
    left, right = node.child_by_field_name("left"), node.child_by_field_name("right")
    assert left is not None and right is not None, "a binary expression has two sides"
    return left, right


def _number(node: Node) -> float:
    """The value of a number that stands there, 0 for anything else."""
    if cpp_literals.kind_of(node) not in ("int", "float"):
        return 0.0
    return float(cpp_literals.parts_of(node).inner)


def _local_constants(body: Node) -> Mapping[str, Node]:
    """Name to value of each local variable that is named once after it was made."""
    uses = [text_of(node) for node in walk(body) if node.type == "identifier"]
    found: dict[str, Node] = {}
    for made in (node for node in walk(body) if node.type == "init_declarator"):
        name = next((text_of(node) for node in walk(made) if node.type == "identifier"), "")
        value = made.child_by_field_name("value")
        if value is not None and uses.count(name) == 2:
            found[name] = value
    return found


def _arguments(node: Node) -> list[Node]:
    return [child for child in node.named_children if child.type != "comment"]


WRITER = CTestWriter(tree_sitter_c.language(), lenient=True)
