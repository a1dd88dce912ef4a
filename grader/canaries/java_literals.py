"""Java's literals: what kind each is, its parts, its value, and what only wraps some."""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence

from tree_sitter import Node

from grader.canaries.literal_writer import Parts, parsed_int, text_of
from grader.canaries.site import LiteralKind
from grader.syntax.c_like import unescaped
from grader.syntax.java import UNICODE

_KINDS: Mapping[str, LiteralKind] = {
    "decimal_integer_literal": "int",
    "hex_integer_literal": "int",
    "octal_integer_literal": "int",
    "binary_integer_literal": "int",
    "decimal_floating_point_literal": "float",
    "string_literal": "str",
    "character_literal": "str",
}
_NUMBER = re.compile(r"(0[xXbB][\da-fA-F_]+|[\d_.]+(?:[eE][+-]?[\d_]+)?)([lLfFdD]?)$")
_BLOCK = re.compile(r'"""[ \t\f]*\r?\n')
_ESCAPES = r"\\(?:[btnfr\"'\\]|[0-3]?[0-7]{1,2}|u+[\da-fA-F]{4})"
_TEXT = re.compile(rf"(?:[^\\\"\r\n]|{_ESCAPES})*+$")
_CHARACTER = re.compile(rf"(?:[^\\'\r\n]|{_ESCAPES})$")
_BLOCK_TEXT = re.compile(rf'(?:[^\\"]|"(?!"")|{_ESCAPES})*+$')
_CONSTANT = re.compile(r"(?:\w+\.)*[A-Z][A-Z0-9_]*$")
"""`LIMIT`, `Kind.ROUND`: a value with a name."""
_WRAPPERS = re.compile(
    r"(?:java\.util\.)?(?:(?:List|Set|Optional(?:Int|Long|Double)?|Stream|IntStream)\.of|Arrays\.asList|Set\.copyOf"
    r"|List\.copyOf|Collections\.singleton(?:List)?|(?:Integer|Long|Double|Float|Short|Byte|Character|String|BigInteger"
    r"|BigDecimal)\.valueOf)$"
)
_KEYED = re.compile(r"(?:java\.util\.)?(?:Map\.of|Map\.entry|Collections\.singletonMap)$")
_MADE = frozenset({"BigDecimal", "BigInteger", "String", "StringBuilder"})


def kind_of(node: Node) -> LiteralKind | None:
    """What kind of literal a node is; None for anything else."""
    return _KINDS.get(node.type)


def parts_of(node: Node) -> Parts:
    """Quotes apart; the letter that gives a number its type goes to `closing`."""
    text = text_of(node)
    if kind_of(node) != "str":
        found = _NUMBER.match(text)
        return Parts("", found[1], found[2]) if found else Parts("", text, "")
    block = _BLOCK.match(text)
    if block is not None:
        return Parts(block[0], text[block.end() : -3], '"""')
    return Parts(text[:1], text[1:-1], text[-1:])


def value(kind: LiteralKind, parts: Parts) -> int | float | str:
    """What the compiler makes of it. Raises ValueError for what it would refuse."""
    if kind == "int":
        return parsed_int(parts.inner)
    if kind == "float":
        return float(parts.inner.replace("_", ""))
    form = {"'": _CHARACTER, '"': _TEXT}.get(parts.closing, _BLOCK_TEXT)
    if not form.match(parts.inner):
        raise ValueError("not what Java allows between these quotes")
    inner = _stripped(parts.inner) if form is _BLOCK_TEXT else parts.inner
    return unescaped(UNICODE.sub(lambda match: match[1] + chr(int(match[2], 16)), inner))


def elements(node: Node) -> Sequence[Node] | None:
    """The expressions that a node consists of, () for a constant, None for what is computed."""
    match node.type:
        case "true" | "false" | "null_literal" | "class_literal":
            return ()
        case "identifier" | "field_access" if _CONSTANT.match(text_of(node)):
            return ()
        case "method_invocation":
            return _wrapped(node)
    return _held(node)


def arguments(call: Node) -> list[Node]:
    """The arguments of a call."""
    given = call.child_by_field_name("arguments")
    return [] if given is None else plain(given)


def called(call: Node) -> str:
    """`owner.name` of a call, `name` if it has no owner."""
    owner, name = call.child_by_field_name("object"), call.child_by_field_name("name")
    return (f"{text_of(owner)}." if owner is not None else "") + (text_of(name) if name is not None else "")


def plain(node: Node) -> list[Node]:
    """Named children but comments."""
    return [child for child in node.named_children if not child.type.endswith("comment")]


def _held(node: Node) -> Sequence[Node] | None:
    """What brackets, braces, casts, signs and constructors of the JDK stand around; None for all else."""
    made, inner = node.child_by_field_name("type"), node.child_by_field_name("value")
    match node.type:
        case "object_creation_expression" if made is not None and text_of(made) in _MADE:
            return arguments(node)
        case "array_creation_expression" | "cast_expression" if inner is not None:
            return [inner]
        case "parenthesized_expression" | "array_initializer":
            return plain(node)
        case "unary_expression" | "binary_expression":
            signs = {child.type for child in node.children if not child.is_named}
            return plain(node) if signs <= {"+", "-"} else None
    return None


def _wrapped(call: Node) -> Sequence[Node] | None:
    if _KEYED.match(called(call)):
        return arguments(call)[1::2]
    return arguments(call) if _WRAPPERS.match(called(call)) else None


def _stripped(text: str) -> str:
    """A text block without what it is indented by (JLS 3.10.6)."""
    lines = text.replace("\r\n", "\n").replace("\r", "\n").split("\n")
    counted = [line for line in lines[:-1] if line.strip()] + lines[-1:]
    margin = min(len(line) - len(line.lstrip()) for line in counted)
    return "\n".join(line[margin:].rstrip() for line in lines)
