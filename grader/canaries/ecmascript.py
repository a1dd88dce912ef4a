"""What Vitest's and node:test's canary writers share: tests are calls, expectations are chains or asserts.

A site is an expected literal of `expect(<computed>).toBe(<literal>)` and its like, or of
`assert.equal(<computed>, <literal>)` and its like, in a statement that runs whenever the test does.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping, Sequence

from tree_sitter import Node

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
from grader.syntax.c_like import unescaped

MATCHERS = frozenset(
    {
        *("toBe", "toEqual", "toStrictEqual", "toHaveLength", "toContain", "toContainEqual", "toMatchObject"),
        *("toThrow", "toThrowError", "toMatch", "toBeCloseTo", "toHaveReturnedWith"),
    }
)
SECOND = frozenset({"toHaveProperty", "toHaveNthReturnedWith"})
"""Matchers whose second argument is what is expected."""
ASSERTS = {
    "equal": "notEqual",
    "strictEqual": "notStrictEqual",
    "deepEqual": "notDeepEqual",
    "deepStrictEqual": "notDeepStrictEqual",
}
THROWS = frozenset({"throws", "rejects"})
AROUND = ("array", "parenthesized_expression", "object")
TYPED = ("as_expression", "satisfies_expression", "non_null_expression", "pair")
CONSTANTS = frozenset({"true", "false", "null", "undefined", "NaN", "Infinity"})
CONTAINERS = re.compile(r"(?:Map|Set|Date|(?:Big)?(?:Ui|I)nt\d+(?:Clamped)?Array|Float\d+Array)$")
HOLDERS = re.compile(r"expect\s*\.\s*(?:objectContaining|arrayContaining|stringContaining)$|Object\.freeze$")
INTEGER = re.compile(r"0[xXoObB][\da-fA-F_]+$|\d[\d_]*$")
TEXT = re.compile(
    r"(?:[^\\\r\n]|\\(?:[^\dxu]|0(?!\d)|x[\da-fA-F]{2}|u[\da-fA-F]{4}|u\{[\da-fA-F]{1,6}\}))*+$", re.DOTALL
)
NO_TESTS = {
    "each": "rows are tests whose names are computed; write each out",
    "for": "rows are tests whose names are computed; write each out",
    "only": "`only` leaves other tests out",
}
NOT_RUN = frozenset({"skip", "todo", "fails", "skipIf", "runIf"})


class EcmascriptWriter(LiteralWriter):
    """Tests that stand at the top of a file or in groups of it, each under a name written out."""

    def defined(self, file: str, data: bytes) -> Mapping[str, int]:
        """The id of every test of a file, with its line; raises SyntaxError as well for a name that is computed."""
        for call, names in _test_calls(self.parse(data), ()):
            words = _words(call)
            reason = next((NO_TESTS[word] for word in words if word in NO_TESTS), "")
            if None in names:
                reason = reason or "the name of a test has to be written out"
            if reason:
                raise SyntaxError(reason, (file, call.start_point.row + 1, 0, ""))
        return super().defined(file, data)

    def tests(self, file: str, root: Node) -> Iterator[TestCode]:
        """Calls of `test` and `it`, under the names of the groups around them."""
        for call, names in _test_calls(root, ()):
            if None not in names:
                words = [word for word in _words(call) if word in NOT_RUN]
                refused = f"it is marked `{words[0]}`" if words else ""
                name = " > ".join(one for one in names if one is not None)
                yield TestCode(f"{file}::{name}", call, refused)

    def expectations(self, test: TestCode, root: Node) -> Iterator[Expectation]:
        """What each chain and assert of the body expects."""
        for call in _checks(test.node):
            yield from _expected(call, test.node)

    def kind_of(self, node: Node) -> LiteralKind | None:
        """Numbers, texts in quotes, templates without anything computed."""
        if node.type == "number":
            return "int" if INTEGER.match(text_of(node).removesuffix("n")) else "float"
        if node.type == "string" or (node.type == "template_string" and not _computed(node)):
            return "str"
        return None

    def parts_of(self, node: Node) -> Parts:
        """Quotes apart; of a number the `n` that makes it a big one."""
        text = text_of(node)
        if node.type == "number":
            big = "n" if text.endswith("n") and not text.startswith(("0x", "0X")) else ""
            return Parts("", text.removesuffix("n") if big else text, big)
        return Parts(text[:1], text[1:-1], text[-1:])

    def elements(self, node: Node) -> Sequence[Node] | None:
        """Arrays, objects by their values, brackets, types, signs, sums, and containers made with `new`."""
        children = _plain(node)
        if node.type in CONSTANTS or (node.type == "identifier" and text_of(node) in CONSTANTS):
            return ()
        if node.type in TYPED:
            keyed = node.type == "pair"
            return (
                children[-1:]
                if keyed and children[0].type != "computed_property_name"
                else None
                if keyed
                else children[:1]
            )
        if node.type in AROUND:
            return children
        if node.type in ("unary_expression", "binary_expression"):
            operator = node.child_by_field_name("operator")
            return children if operator is not None and text_of(operator) in ("-", "+") else None
        made = node.child_by_field_name("constructor") or node.child_by_field_name("function")
        if made is not None and (CONTAINERS if node.type == "new_expression" else HOLDERS).match(
            text_of(made)
        ):
            return _arguments(node)
        return None

    def value(self, kind: LiteralKind, parts: Parts) -> object:
        """What the language makes of it. Raises ValueError for what it would refuse."""
        if kind == "int":
            if len(parts.inner) > 1 and parts.inner[0] == "0" and parts.inner.isdigit():
                raise ValueError("a number with a leading 0")
            number = int(parts.inner, 0)
            return number if parts.closing or abs(number) < 2**53 else float(number)
        if kind == "float":
            return float(parts.inner.replace("_", ""))
        text = parts.inner.replace("\r\n", " ").replace("\n", " ") if parts.opening == "`" else parts.inner
        bare = re.sub(r"\\.", "", text, flags=re.DOTALL)
        if parts.opening in bare or (parts.opening == "`" and "${" in bare) or not TEXT.match(text):
            raise ValueError("no text of these quotes")
        return unescaped(parts.inner)

    def negated(self, test: TestCode, root: Node) -> Rewrite | None:
        """`.not` before the first matcher, or the assert that demands the opposite."""
        for call in _checks(test.node):
            callee = call.child_by_field_name("function")
            name = callee.child_by_field_name("property") if callee is not None else None
            if name is None or not any(_expected(call, test.node)):
                continue
            word = text_of(name)
            if word in MATCHERS | SECOND:
                return rewrite(name, f"not.{word}")
            if word in ASSERTS:
                return rewrite(name, ASSERTS[word])
        return None

    def failing(self, test: TestCode) -> Rewrite | None:
        """An error thrown at the end; none where a test ends by returning."""
        body = _body(test.node)
        statements = _plain(body) if body is not None else []
        if (
            body is None
            or body.type != "statement_block"
            or (statements and statements[-1].type == "return_statement")
        ):
            return None
        return Rewrite(body.end_byte - 1, body.end_byte, "}", "\n;throw new Error()\n}")

    def definitions(self, root: Node) -> Mapping[str, Node]:
        """Functions, classes and variables of the file."""
        found: dict[str, Node] = {}
        for child in root.named_children:
            inner = child.child_by_field_name("declaration") if child.type == "export_statement" else child
            for node in (inner, *inner.named_children) if inner is not None else ():
                name = node.child_by_field_name("name")
                if name is not None:
                    found[text_of(name)] = node
        return found


def _plain(node: Node) -> list[Node]:
    return [child for child in node.named_children if child.type != "comment"]


def _arguments(call: Node) -> list[Node]:
    arguments = call.child_by_field_name("arguments")
    return _plain(arguments) if arguments is not None and arguments.type == "arguments" else []


def _computed(template: Node) -> bool:
    return any(child.type == "template_substitution" for child in template.children)


def _words(call: Node) -> list[str]:
    """`test.only.each` of a call, as words."""
    callee = call.child_by_field_name("function")
    while callee is not None and callee.type == "call_expression":
        callee = callee.child_by_field_name("function")
    return re.split(r"\s*\.\s*", text_of(callee)) if callee is not None else []


def _test_calls(node: Node, names: tuple[str | None, ...]) -> Iterator[tuple[Node, tuple[str | None, ...]]]:
    """Every call that makes a test among a block's statements, with its name and those around it."""
    for statement in _plain(node):
        call = _called(statement)
        words = _words(call) if call is not None else []
        if call is None or words[:1] not in (["test"], ["it"], ["describe"], ["suite"]):
            continue
        arguments = _arguments(call)
        own = (*names, _name(arguments[0]) if arguments else None)
        if words[0] in ("test", "it"):
            yield call, own
        elif (body := _body(call)) is not None:
            yield from _test_calls(body, own)


def _called(statement: Node) -> Node | None:
    """The call that a statement consists of, awaited or not."""
    node = statement
    while (
        node.type in ("expression_statement", "await_expression", "unary_expression") and node.named_children
    ):
        node = node.named_children[0]
    return node if node.type == "call_expression" else None


def _name(node: Node) -> str | None:
    if node.type == "string" or (node.type == "template_string" and not _computed(node)):
        return unescaped(text_of(node)[1:-1])
    return None


def _body(call: Node) -> Node | None:
    """The body of the last function among a call's arguments."""
    bodies = [one.child_by_field_name("body") for one in _arguments(call) if "function" in one.type]
    return bodies[-1] if bodies else None


def _checks(test: Node) -> Iterator[Node]:
    """The calls that run whenever the test does."""
    body = _body(test)
    if body is not None and body.type != "statement_block":
        call = _called(body)
        if call is not None:
            yield call
        return
    for statement in _plain(body) if body is not None else ():
        if statement.type in ("return_statement", "throw_statement"):
            return
        call = _called(statement) if statement.type == "expression_statement" else None
        if call is not None:
            yield call


def _expected(call: Node, test: Node) -> Iterator[Expectation]:
    callee, arguments = call.child_by_field_name("function"), _arguments(call)
    if callee is None or callee.type not in ("member_expression", "identifier"):
        return
    name = text_of(callee.child_by_field_name("property") or callee)
    chain = _expect_call(callee.child_by_field_name("object"))
    if chain is not None:
        place = 1 if name in SECOND else 0
        if (name in MATCHERS | SECOND) and len(arguments) > place:
            computed = next(iter(_arguments(chain)), None)
            digits = text_of(arguments[1]) if name == "toBeCloseTo" and len(arguments) > 1 else "2"
            forgiven = 0.5 * 10.0 ** -int(digits) if name == "toBeCloseTo" and digits.isdigit() else 0.0
            yield Expectation(_named_once(arguments[place], test), computed, absolute=forgiven)
        return
    if not text_of(callee).startswith("assert") and name not in ("strictEqual", "deepStrictEqual"):
        return
    if name in ASSERTS and len(arguments) > 1:
        for expected, computed in ((arguments[1], arguments[0]), (arguments[0], arguments[1])):
            yield Expectation(_named_once(expected, test), computed)
    elif name in THROWS and len(arguments) > 1:
        yield Expectation(arguments[1], arguments[0])


def _expect_call(node: Node | None) -> Node | None:
    """`expect(x)` of `expect(x).resolves`; None where a `not` stands, or anything else."""
    while node is not None and node.type == "member_expression":
        name = node.child_by_field_name("property")
        if name is None or text_of(name) not in ("resolves", "rejects"):
            return None
        node = node.child_by_field_name("object")
    if node is None or node.type != "call_expression":
        return None
    callee = node.child_by_field_name("function")
    return node if callee is not None and text_of(callee) in ("expect", "expect.soft") else None


def _named_once(node: Node, test: Node) -> Node:
    """What a name was given by `const`, if it serves this check alone; else the node itself."""
    if node.type != "identifier":
        return node
    uses = [use for use in walk(test) if use.type == "identifier" and use.text == node.text]
    given = uses[0].parent if len(uses) == 2 else None
    value = (
        given.child_by_field_name("value")
        if given is not None and given.type == "variable_declarator"
        else None
    )
    return value if value is not None else node
