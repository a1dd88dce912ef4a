"""The canary writer for Go's testing package: plain test functions that compare with `!=` or an Equal function.

A site is an expected literal of `if <computed> != <literal> { t.Errorf(...) }`, or of the negation of
`reflect.DeepEqual`, `slices.Equal` and their like, that runs whenever the test does, in a `t.Run` too.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping, Sequence

import tree_sitter_go
from tree_sitter import Node

from grader.canaries.literal_writer import (
    Expectation,
    LiteralWriter,
    Parts,
    Rewrite,
    TestCode,
    parsed_int,
    rewrite,
    text_of,
    walk,
)
from grader.canaries.site import LiteralKind
from grader.syntax.c_like import unescaped

KINDS: Mapping[str, LiteralKind] = {
    "int_literal": "int",
    "float_literal": "float",
    "interpreted_string_literal": "str",
    "raw_string_literal": "str",
}
CONSTANTS = ("true", "false", "nil", "rune_literal", "imaginary_literal")
OF_PARTS = ("literal_value", "literal_element", "parenthesized_expression")
SUMS = {"-", "+", "&"}
CONVERSIONS = re.compile(r"(?:u?int(?:8|16|32|64)?|float(?:32|64)|string|rune|byte)$")
EQUALITY = re.compile(r"\b(?:DeepEqual|Equal)$")
FAILING = frozenset({"Error", "Errorf", "Fatal", "Fatalf", "Fail", "FailNow"})
NAME = re.compile(r"(Test|Fuzz|Example|Benchmark)(?![a-z])\w*$")
"""What the testing package takes for one of its own."""
NO_TESTS = {
    "TestMain": "TestMain decides what runs and how it ends, and that is the runner's; do without it",
    "Benchmark": "a benchmark proves nothing here; take it out",
}
INTERPRETED = re.compile(
    r"(?:[^\\\"\r\n]|\\(?:[abfnrtv\\\"]|x[\da-fA-F]{2}|u[\da-fA-F]{4}|U[\da-fA-F]{8}|[0-7]{3}))*+$"
)


class GoTestWriter(LiteralWriter):
    """Test functions of `_test.go` files. Subtests belong to the function that runs them."""

    def defined(self, file: str, data: bytes) -> Mapping[str, int]:
        """The id of every test of a file, with its line; raises SyntaxError as well for what runs no test."""
        for function, name in _functions(self.parse(data)):
            line = function.start_point.row + 1
            found = NAME.match(name)
            if reason := NO_TESTS.get(name) or (found and NO_TESTS.get(found[1])):
                raise SyntaxError(reason, (file, line, 0, ""))
        return super().defined(file, data)

    def tests(self, file: str, root: Node) -> Iterator[TestCode]:
        """Test functions; fuzz targets, by their seeds, and examples, which carry no canary."""
        for function, name in _functions(root) if file.endswith("_test.go") else ():
            found = NAME.match(name)
            if found and name != "TestMain":
                reasons = {"Fuzz": "a fuzz target", "Example": "an example: its output is a comment"}
                yield TestCode(f"{file}::{name}", function, reasons.get(found[1], ""))

    def expectations(self, test: TestCode, root: Node) -> Iterator[Expectation]:
        """Both sides of each comparison, either may be the literal one."""
        body = test.node.child_by_field_name("body")
        for statement, condition in _checks(body) if body is not None else ():
            for left, right in _compared(condition):
                for expected, computed in ((left, right), (right, left)):
                    yield Expectation(_named_once(expected, test.node, statement), computed)

    def kind_of(self, node: Node) -> LiteralKind | None:
        """Numbers and texts; a rune is none: it may be compared with a number or a byte."""
        return KINDS.get(node.type)

    def parts_of(self, node: Node) -> Parts:
        """Quotes apart; a number has none."""
        text = text_of(node)
        if KINDS[node.type] == "str":
            return Parts(text[:1], text[1:-1], text[-1:], raw=text.startswith("`"))
        return Parts("", text, "")

    def elements(self, node: Node) -> Sequence[Node] | None:
        """Composite literals by their values, conversions of a literal, signs, sums and brackets."""
        kind, children = node.type, _plain(node)
        signs = {child.type for child in node.children if not child.is_named}
        if kind in CONSTANTS:
            return ()
        if kind in ("composite_literal", "keyed_element", "type_conversion_expression"):
            return children[-1:]
        if kind == "call_expression" and CONVERSIONS.match(text_of(node.children[0])):
            return _arguments(node)
        if kind in OF_PARTS or (kind in ("unary_expression", "binary_expression") and signs <= SUMS):
            return children
        return None

    def value(self, kind: LiteralKind, parts: Parts) -> object:
        """What the compiler makes of it. Raises ValueError for what it would refuse."""
        if kind == "int":
            return parsed_int(parts.inner)
        if kind == "float":
            return float(parts.inner.replace("_", ""))
        if parts.raw:
            return parts.inner.replace("\r", "")
        if not INTERPRETED.match(parts.inner):
            raise ValueError("an escape that Go does not know")
        return unescaped(parts.inner)

    def negated(self, test: TestCode, root: Node) -> Rewrite | None:
        """The condition of the first check, turned round."""
        body = test.node.child_by_field_name("body")
        for _, condition in _checks(body) if body is not None else ():
            return rewrite(condition, f"!({text_of(condition)})")
        return None

    def failing(self, test: TestCode) -> Rewrite | None:
        """A failure as the last statement; none where a function ends by returning."""
        body, name = test.node.child_by_field_name("body"), _parameter(test.node)
        statements = _statements(body) if body is not None else []
        if body is None or not name or (statements and statements[-1].type == "return_statement"):
            return None
        return Rewrite(body.end_byte - 1, body.end_byte, "}", f"\n\t{name}.Fail()\n}}")

    def definitions(self, root: Node) -> Mapping[str, Node]:
        """Functions, constants and variables of the file."""
        found = {name: function for function, name in _functions(root)}
        for child in root.named_children:
            if child.type in ("var_declaration", "const_declaration"):
                for spec in (node for node in walk(child) if node.type in ("var_spec", "const_spec")):
                    found |= {text_of(name): spec for name in spec.children_by_field_name("name")}
        return found


def _functions(root: Node) -> Iterator[tuple[Node, str]]:
    for child in root.named_children:
        name = child.child_by_field_name("name")
        if child.type == "function_declaration" and name is not None:
            yield child, text_of(name)


def _plain(node: Node) -> list[Node]:
    return [child for child in node.named_children if child.type != "comment"]


def _statements(block: Node) -> list[Node]:
    """The statements of a block; newer grammars put them in a list of their own."""
    children = _plain(block)
    if len(children) == 1 and children[0].type == "statement_list":
        return _plain(children[0])
    return children


def _arguments(call: Node) -> list[Node]:
    arguments = call.child_by_field_name("arguments")
    return [] if arguments is None else _plain(arguments)


def _parameter(function: Node) -> str:
    """The name of a test function's parameter."""
    parameters = function.child_by_field_name("parameters")
    names = [node for node in walk(parameters) if node.type == "identifier"] if parameters is not None else []
    return text_of(names[0]) if names else ""


def _checks(block: Node) -> Iterator[tuple[Node, Node]]:
    """The `if` statements that report a failure and are reached whenever the block runs, with their conditions."""
    for statement in _statements(block):
        if statement.type == "return_statement":
            return
        condition, body = (statement.child_by_field_name(name) for name in ("condition", "consequence"))
        if statement.type == "if_statement" and condition is not None and body is not None and _fails(body):
            yield statement, condition
        if (inner := _subtest(statement)) is not None:
            yield from _checks(inner)


def _fails(block: Node) -> bool:
    """Whether it calls, among its own statements, what reports a failure."""
    calls = [child for statement in _statements(block) for child in (statement, *statement.named_children)]
    callees = [call.child_by_field_name("function") for call in calls if call.type == "call_expression"]
    return any(callee is not None and text_of(callee).rpartition(".")[2] in FAILING for callee in callees)


def _subtest(statement: Node) -> Node | None:
    """The body of the function that `t.Run(name, func(t *testing.T) {...})` runs."""
    call = statement.named_children[0] if statement.type == "expression_statement" else statement
    callee = call.child_by_field_name("function") if call.type == "call_expression" else None
    if callee is None or not text_of(callee).endswith(".Run"):
        return None
    functions = [argument for argument in _arguments(call) if argument.type == "func_literal"]
    return functions[0].child_by_field_name("body") if functions else None


def _compared(condition: Node) -> Iterator[tuple[Node, Node]]:
    """The pairs of which one that is unequal makes the condition true."""
    match condition.type, [child.type for child in condition.children[:2]]:
        case "binary_expression", [_, "||"]:
            yield from _compared(condition.children[0])
            yield from _compared(condition.children[2])
        case "binary_expression", [_, "!="]:
            yield condition.children[0], condition.children[2]
        case "parenthesized_expression", _:
            yield from _compared(condition.named_children[0])
        case "unary_expression", ["!", "call_expression"]:
            callee = condition.children[1].child_by_field_name("function")
            arguments = _arguments(condition.children[1])
            if callee is not None and EQUALITY.search(text_of(callee)) and len(arguments) == 2:
                yield arguments[0], arguments[1]


def _named_once(node: Node, function: Node, statement: Node) -> Node:
    """What a name was given, if it was given a value once and serves this check alone; else the node itself."""
    if node.type != "identifier":
        return node
    name = text_of(node)
    uses = [
        use
        for use in walk(function)
        if use.type == "identifier"
        and text_of(use) == name
        and not statement.start_byte <= use.start_byte < statement.end_byte
    ]
    parent = uses[0].parent if len(uses) == 1 else None
    given = parent.parent if parent is not None and parent.type == "expression_list" else parent
    if given is None or given.type not in ("short_var_declaration", "const_spec", "var_spec"):
        return node
    value = given.child_by_field_name("right") or given.child_by_field_name("value")
    values = [] if value is None else _plain(value) if value.type == "expression_list" else [value]
    names = given.child_by_field_name("left") or given.child_by_field_name("name")
    single = names is not None and (names.type != "expression_list" or len(_plain(names)) == 1)
    return values[0] if single and len(values) == 1 else node


WRITER = GoTestWriter(tree_sitter_go.language())
