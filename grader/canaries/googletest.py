"""Canaries for GoogleTest. Ids are `<file>::Suite.Name`; the rows of a test with parameters, and the types of
a typed one, fold into it: all of them have to pass, so a twin has to fail for one of them only."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence

import tree_sitter_cpp
from tree_sitter import Node

from grader.canaries import cpp_literals
from grader.canaries.literal_writer import Expectation, LiteralWriter, Parts, Rewrite, TestCode, text_of, walk
from grader.canaries.site import LiteralKind

TESTS = ("TEST", "TEST_F", "TEST_P", "TYPED_TEST", "TYPED_TEST_P", "GTEST_TEST")
LOOSE: Mapping[str, float] = {"FLOAT_EQ": 1e-6, "DOUBLE_EQ": 1e-15}
"""What is forgiven, relative to the numbers: 4 units in the last place, rounded up."""
TURNED: Mapping[str, str] = {
    "EQ": "NE",
    "NE": "EQ",
    "LT": "GE",
    "GE": "LT",
    "GT": "LE",
    "LE": "GT",
    "TRUE": "FALSE",
    "FALSE": "TRUE",
    "STREQ": "STRNE",
    "STRNE": "STREQ",
}
SCOPES = ("namespace_definition", "declaration_list", "linkage_specification")
TEXTS = frozenset({"std::string", "std::string_view", "string", "string_view"})
"""A text made of a literal alone is as good as the literal."""


class GoogleTestWriter(LiteralWriter):
    """`EXPECT_` and `ASSERT_`: `EQ`, `STREQ`, `NEAR`, `FLOAT_EQ`, `DOUBLE_EQ`, and `TRUE(a == LITERAL)`."""

    def tests(self, file: str, root: Node) -> Iterator[TestCode]:
        """Every test macro with a body, in namespaces and under `#if` too."""
        for node in _outside_functions(root):
            if (named := _suite_and_name(node)) is not None:
                disabled = any(part.startswith("DISABLED_") for part in named)
                yield TestCode(f"{file}::{'.'.join(named)}", node, "disabled" if disabled else "")

    def expectations(self, test: TestCode, root: Node) -> Iterator[Expectation]:
        """Both sides of each comparison may be the literal one; a local constant named once stands for it."""
        body = test.node.child_by_field_name("body")
        constants = _local_constants(body) if body is not None else {}
        for name, arguments in _checks(body):
            for left, right, relative, absolute in _comparisons(name, arguments):
                for expected, computed in ((left, right), (right, left)):
                    yield Expectation(
                        constants.get(text_of(expected), expected), computed, relative, absolute
                    )

    def kind_of(self, node: Node) -> LiteralKind | None:
        """Numbers, texts, characters."""
        return cpp_literals.kind_of(node)

    def parts_of(self, node: Node) -> Parts:
        """A sign goes to the opening, a suffix to the closing."""
        return cpp_literals.parts_of(node)

    def elements(self, node: Node) -> Sequence[Node] | None:
        """Brackets, braces with a type or without, texts in a row, and a constructor or cast of one literal."""
        match node.type:
            case "true" | "false" | "null":
                return ()
            case "parenthesized_expression" | "initializer_list" | "concatenated_string":
                return _unspaced(node)
            case "compound_literal_expression":
                return list(node.children_by_field_name("value"))
            case "user_defined_literal":
                suffix = next(
                    (text_of(child) for child in node.children if child.type == "literal_suffix"), ""
                )
                return node.named_children[:1] if suffix in ("s", "sv") else None
            case "call_expression":
                return _made_of_one(node)
        return None

    def value(self, kind: LiteralKind, parts: Parts) -> object:
        """The value that a comparison sees."""
        return cpp_literals.value(kind, parts)

    def negated(self, test: TestCode, root: Node) -> Rewrite | None:
        """The opposite macro in place of the first one that has an opposite."""
        for name, arguments in _checks(test.node.child_by_field_name("body")):
            prefix, _, what = name.partition("_")
            call = arguments.parent
            if what in TURNED and call is not None and (function := call.child_by_field_name("function")):
                return Rewrite(function.start_byte, function.end_byte, name, f"{prefix}_{TURNED[what]}")
        return None

    def failing(self, test: TestCode) -> Rewrite | None:
        """`ADD_FAILURE()` before the body's closing brace."""
        body = test.node.child_by_field_name("body")
        return Rewrite(body.end_byte - 1, body.end_byte - 1, "", "ADD_FAILURE(); ") if body else None

    def definitions(self, root: Node) -> Mapping[str, Node]:
        """What stands in namespaces too."""
        found: dict[str, Node] = {}
        for scope in (root, *(node for node in _outside_functions(root) if node.type in SCOPES)):
            found |= super().definitions(scope)
        return found


def _outside_functions(root: Node) -> Iterator[Node]:
    """Everything at the top of a file, of its namespaces and of its conditions, in order."""
    for child in root.named_children:
        yield child
        if child.type in SCOPES or child.type.startswith("preproc_"):
            yield from _outside_functions(child)


def _suite_and_name(node: Node) -> tuple[str, str] | None:
    """The two arguments of a test macro, to which the grammar sees a function without a type."""
    declarator = node.child_by_field_name("declarator") if node.type == "function_definition" else None
    macro = declarator.child_by_field_name("declarator") if declarator is not None else None
    arguments = declarator.child_by_field_name("parameters") if declarator is not None else None
    if (
        macro is None
        or arguments is None
        or text_of(macro) not in TESTS
        or len(arguments.named_children) != 2
    ):
        return None
    suite, name = arguments.named_children
    return text_of(suite), text_of(name)


def _checks(body: Node | None) -> Iterator[tuple[str, Node]]:
    """Name and arguments of every `EXPECT_` and `ASSERT_` that runs whenever the body does, up to a `return`."""
    for statement in body.named_children if body is not None else ():
        if statement.type == "return_statement":
            return
        if statement.type == "compound_statement":
            yield from _checks(statement)
        if statement.type != "expression_statement" or not statement.named_children:
            continue
        call = statement.named_children[0]
        while call.type == "binary_expression" and call.children[1].type == "<<":
            call = call.children[0]  # a message behind it
        function, arguments = call.child_by_field_name("function"), call.child_by_field_name("arguments")
        if function is not None and arguments is not None:
            name = text_of(function)
            if name.startswith(("EXPECT_", "ASSERT_")):
                yield name, arguments


def _comparisons(name: str, arguments: Node) -> Iterator[tuple[Node, Node, float, float]]:
    """The sides of what a check compares, and what it forgives."""
    given, what = _unspaced(arguments), name.partition("_")[2]
    if what in ("EQ", "STREQ", *LOOSE) and len(given) == 2:
        yield given[0], given[1], LOOSE.get(what, 0.0), 0.0
    elif what == "NEAR" and len(given) == 3 and cpp_literals.kind_of(given[2]) in ("int", "float"):
        yield given[0], given[1], 0.0, float(cpp_literals.parts_of(given[2]).inner.replace("'", ""))
    elif what == "TRUE" and len(given) == 1:
        yield from ((left, right, 0.0, 0.0) for left, right in _equations(given[0]))


def _equations(node: Node) -> Iterator[tuple[Node, Node]]:
    while node.type == "parenthesized_expression" and len(node.named_children) == 1:
        node = node.named_children[0]
    left, right = node.child_by_field_name("left"), node.child_by_field_name("right")
    if node.type != "binary_expression" or left is None or right is None:
        return
    match node.children[1].type:
        case "&&" | "and":
            yield from _equations(left)
            yield from _equations(right)
        case "==":
            yield left, right


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


def _made_of_one(call: Node) -> Sequence[Node] | None:
    function, arguments = call.child_by_field_name("function"), call.child_by_field_name("arguments")
    given = _unspaced(arguments) if arguments is not None else []
    if function is None or len(given) != 1:
        return None
    return given if text_of(function) in TEXTS or text_of(function).startswith("static_cast<") else None


def _unspaced(node: Node) -> list[Node]:
    return [child for child in node.named_children if child.type != "comment"]


WRITER = GoogleTestWriter(tree_sitter_cpp.language(), lenient=True)
