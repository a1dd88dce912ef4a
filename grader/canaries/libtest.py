"""The canary writer for Rust's libtest: functions marked `#[test]`, in modules too, that compare with assert_eq!.

A site is an expected literal of an `assert_eq!` or `assert!(a == b)` that runs whenever the test does, or the
message that `#[should_panic(expected = ...)]` waits for.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping, Sequence

import tree_sitter_rust
from tree_sitter import Node

from grader.canaries.literal_writer import (
    Expectation,
    LiteralWriter,
    Parts,
    Rewrite,
    TestCode,
    text_of,
    walk,
)
from grader.canaries.site import LiteralKind
from grader.syntax.c_like import unescaped

KINDS: Mapping[str, LiteralKind] = {
    "integer_literal": "int",
    "float_literal": "float",
    "string_literal": "str",
    "raw_string_literal": "str",
    "char_literal": "str",
}
EQUAL, HOLDS = "assert_eq", "assert"
OPENED = re.compile(rb"(?:assert|assert_eq|assert_ne|debug_assert|debug_assert_eq)!$")
"""Macros whose arguments are read as those of a call: the grammar sees only tokens in a macro."""
MOST_NESTED = 4
NUMBER = re.compile(r"(0[xob][\da-fA-F_]+?|[\d_]+?)_?([iu](?:8|16|32|64|128|size))?$")
FLOAT = re.compile(r"([\d_.]+(?:[eE][+-]?[\d_]+)?)_?(f32|f64)?$")
TEXT = re.compile(r"(?:[^\\\"]|\\(?:[nrt\\0'\"]|x[0-7][\da-fA-F]|u\{[\da-fA-F]{1,6}\}|\r?\n))*+$", re.DOTALL)
BYTES = re.compile(r"(?:[\x00-\x21\x23-\x5b\x5d-\x7f]|\\(?:[nrt\\0'\"]|x[\da-fA-F]{2}|\r?\n))*+$", re.DOTALL)
OPENING = re.compile(r"[bc]?r(#*)\"|[bc]?[\"']")
CONSTRUCTORS = re.compile(
    r"(?:Some|Ok|Err|(?:String|Cow|Box|Rc|Arc|PathBuf|OsString)::(?:<\w+>::)?(?:from|new|Owned|Borrowed)"
    r"|Duration::(?:new|from_\w+)|Reverse|Wrapping)$"
)
"""Calls of the standard library that only wrap what they are given."""
WRAPPERS = frozenset({"to_string", "to_owned", "into", "to_vec", "as_bytes", "as_str", "as_slice", "clone"})
AROUND = ("array_expression", "tuple_expression", "parenthesized_expression", "reference_expression")
CONSTANT = re.compile(r"(?:\w+::)*[A-Z]\w*$")
"""`None`, `Kind::Round`, `LIMIT`: a value with a name."""
IGNORED = ("line_comment", "block_comment", "attribute_item")


class LibtestWriter(LiteralWriter):
    """Tests of a test program. A module's tests have its path before their names."""

    def parse(self, data: bytes) -> Node:
        """The root of the syntax tree, with the macros that compare read as calls: every byte keeps its place."""
        root = plain = super().parse(data)
        for _ in range(MOST_NESTED):
            changed = _opened(data, root)
            if changed == data:
                break
            data, root = changed, super().parse(changed)
        return plain if root.has_error else root

    def tests(self, file: str, root: Node) -> Iterator[TestCode]:
        """Functions with the attribute `#[test]`, in source order."""
        for path, function, attributes in _functions(root, ()):
            if "test" not in attributes:
                continue
            others = [
                one for one in attributes if one != "test" and not one.startswith(("should_panic", "allow"))
            ]
            yield TestCode(
                f"{file}::{'::'.join(path)}", function, f"marked with #[{others[0]}]" if others else ""
            )

    def expectations(self, test: TestCode, root: Node) -> Iterator[Expectation]:
        """Both sides of each comparison, either may be the literal one; of a test that panics only its message."""
        if panics := _should_panic(test.node):
            yield from (
                Expectation(node, None)
                for node in walk(panics)
                if node.type in ("string_literal", "raw_string_literal")
            )
            return
        for statement, left, right in _comparisons(test.node):
            for expected, computed in ((left, right), (right, left)):
                yield Expectation(_named_once(expected, test.node, statement), computed)

    def kind_of(self, node: Node) -> LiteralKind | None:
        """Numbers, texts and characters; bytes by their prefix."""
        kind = KINDS.get(node.type)
        return "bytes" if kind == "str" and (node.text or b"").startswith(b"b") else kind

    def parts_of(self, node: Node) -> Parts:
        """Prefix and quotes apart, and the type that a number names."""
        text = text_of(node)
        if node.type in ("integer_literal", "float_literal"):
            found = (NUMBER if node.type == "integer_literal" else FLOAT).match(text)
            return Parts("", found[1], text[found.end(1) :]) if found else Parts("", text, "")
        opening = OPENING.match(text)
        assert opening is not None
        closing = text[opening.end() - 1] + (opening[1] or "")
        return Parts(
            opening[0], text[opening.end() : len(text) - len(closing)], closing, raw=opening[1] is not None
        )

    def elements(self, node: Node) -> Sequence[Node] | None:
        """Arrays, tuples, vectors, structures by their values; references, signs; what wraps a literal."""
        match node.type:
            case "boolean_literal":
                return ()
            case "identifier" | "scoped_identifier":
                return () if CONSTANT.match(text_of(node)) else None
            case "struct_expression":
                return _fields(node)
            case "call_expression":
                return _wrapped(node)
        return _held(node)

    def value(self, kind: LiteralKind, parts: Parts) -> object:
        """What the compiler makes of it. Raises ValueError for what it would refuse."""
        if kind == "int":
            text = parts.inner.replace("_", "")
            return int(text, 10 if text.isdecimal() else 0)
        if kind == "float":
            return float(parts.inner.replace("_", ""))
        if parts.raw:
            if '"' in parts.inner:
                raise ValueError("a quote in a raw text")
            return parts.inner
        if not (BYTES if kind == "bytes" else TEXT).match(parts.inner):
            raise ValueError("an escape that Rust does not know")
        text = unescaped(parts.inner)
        if parts.closing == "'" and (len(text) != 1 or parts.inner == "'"):
            raise ValueError("not one character")
        return text

    def negated(self, test: TestCode, root: Node) -> Rewrite | None:
        """The first comparison turned round."""
        if _should_panic(test.node):
            return None
        for call in _assertions(test.node):
            name, start = _macro(call), call.start_byte
            if name == EQUAL:
                return Rewrite(start, start + len(EQUAL), EQUAL, "assert_ne")
        return None

    def failing(self, test: TestCode) -> Rewrite | None:
        """A panic as the last statement; none where a function ends by returning, or has to panic."""
        body = test.node.child_by_field_name("body")
        if body is None or test.node.child_by_field_name("return_type") or _should_panic(test.node):
            return None
        return Rewrite(body.end_byte - 1, body.end_byte, "}", ";\n    panic!()\n}")


def _opened(data: bytes, root: Node) -> bytes:
    """The bytes with the mark of each macro that compares made part of its name, and `vec![` a reference."""
    changed = bytearray(data)
    for node in walk(root):
        if node.type != "macro_invocation":
            continue
        name, tokens = node.children[0], node.children[-1]
        head = data[node.start_byte : tokens.start_byte]
        opening = data[tokens.start_byte : tokens.start_byte + 1]
        if OPENED.match(head) and opening == b"(":
            changed[name.end_byte : name.end_byte + 1] = b"_"
        elif head == b"vec!" and opening == b"[":
            changed[node.start_byte : tokens.start_byte] = b"   &"
    return bytes(changed)


def _functions(scope: Node, path: tuple[str, ...]) -> Iterator[tuple[tuple[str, ...], Node, list[str]]]:
    """Every function of a file and its modules: its path, and the attributes before it."""
    attributes: list[str] = []
    for child in scope.named_children:
        if child.type == "attribute_item":
            attributes.append("".join(text_of(child)[2:-1].split()))
            continue
        name, body = (child.child_by_field_name(field) for field in ("name", "body"))
        if child.type == "function_item" and name is not None:
            yield (*path, text_of(name)), child, attributes
        elif child.type == "mod_item" and name is not None and body is not None:
            yield from _functions(body, (*path, text_of(name)))
        if child.type not in IGNORED:
            attributes = []


def _should_panic(function: Node) -> Node | None:
    """The attribute that says so."""
    before = function.prev_named_sibling
    while before is not None and before.type in IGNORED:
        if before.type == "attribute_item" and "should_panic" in text_of(before):
            return before
        before = before.prev_named_sibling
    return None


def _plain(node: Node) -> list[Node]:
    return [child for child in node.named_children if child.type not in IGNORED]


def _arguments(call: Node) -> list[Node]:
    arguments = call.child_by_field_name("arguments")
    return [] if arguments is None else _plain(arguments)


def _callee(call: Node) -> Node | None:
    return call.child_by_field_name("function") if call.type == "call_expression" else None


def _macro(call: Node) -> str:
    """The name of a macro that was read as a call, '' for a call."""
    callee = _callee(call)
    text = text_of(callee) if callee is not None else ""
    return text.removesuffix("_") if text.endswith("_") else ""


def _assertions(function: Node) -> Iterator[Node]:
    """Macros read as calls that are reached whenever the function runs."""
    body = function.child_by_field_name("body")
    return iter(()) if body is None else _reached(body)


def _reached(block: Node) -> Iterator[Node]:
    """Those of a block and of the blocks that stand in it as statements, up to a `return`."""
    for statement in _plain(block):
        inner = _plain(statement)[0] if statement.type == "expression_statement" else statement
        if inner.type == "return_expression":
            return
        if inner.type in ("block", "unsafe_block"):
            yield from _reached(inner)
        if _macro(inner):
            yield inner


def _comparisons(function: Node) -> Iterator[tuple[Node, Node, Node]]:
    """Each assertion, with the two sides that it wants equal."""
    for call in _assertions(function):
        arguments = _arguments(call)
        if _macro(call) == EQUAL and len(arguments) >= 2:
            yield call, arguments[0], arguments[1]
        elif _macro(call) == HOLDS and arguments:
            yield from ((call, left, right) for left, right in _equations(arguments[0]))


def _equations(condition: Node) -> Iterator[tuple[Node, Node]]:
    if condition.type == "parenthesized_expression":
        yield from _equations(condition.named_children[0])
    if condition.type != "binary_expression":
        return
    left, operator, right = condition.children[0], condition.children[1].type, condition.children[-1]
    if operator == "&&":
        yield from _equations(left)
        yield from _equations(right)
    elif operator == "==":
        yield left, right


def _held(node: Node) -> list[Node] | None:
    """What brackets, signs, references and casts stand around."""
    children = _plain(node)
    repeated = node.type == "array_expression" and any(child.type == ";" for child in node.children)
    if repeated or node.type == "type_cast_expression":
        return children[:1]
    signed = node.type == "unary_expression" and node.children[0].type in ("-", "*")
    return children if signed or node.type in AROUND else None


def _fields(structure: Node) -> list[Node] | None:
    """The values of a structure's fields; None where one is taken from a variable or another structure."""
    body = structure.child_by_field_name("body")
    values = [field.child_by_field_name("value") for field in _plain(body)] if body is not None else []
    return None if None in values else [value for value in values if value is not None]


def _wrapped(call: Node) -> list[Node] | None:
    """What a call of the standard library wraps: the arguments of a constructor, the text of `"a".to_string()`."""
    callee, arguments = _callee(call), _arguments(call)
    if callee is None:
        return None
    if callee.type == "field_expression":
        value, field = (callee.child_by_field_name(name) for name in ("value", "field"))
        wraps = field is not None and text_of(field) in WRAPPERS and not arguments
        return [value] if wraps and value is not None else None
    return arguments if CONSTRUCTORS.search(text_of(callee)) else None


def _named_once(node: Node, function: Node, statement: Node) -> Node:
    """What a name was given by `let`, if it serves this assertion alone; else the node itself."""
    if node.type != "identifier":
        return node
    uses = [use for use in walk(function) if use.type == "identifier" and use.text == node.text]
    outside = [use for use in uses if not statement.start_byte <= use.start_byte < statement.end_byte]
    given = outside[0].parent if len(outside) == 1 else None
    if given is None or given.type != "let_declaration" or len(uses) != 2:
        return node
    value = given.child_by_field_name("value")
    return value if value is not None and given.child_by_field_name("alternative") is None else node


WRITER = LibtestWriter(tree_sitter_rust.language())
