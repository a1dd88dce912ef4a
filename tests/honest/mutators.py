"""Small faults an honest author might leave: one edit each, in functions that a change added or altered."""

from __future__ import annotations

import ast
import random
import re
from collections.abc import Collection, Iterator, Sequence
from dataclasses import dataclass
from itertools import pairwise

from runner.tree import Tree

Function = ast.FunctionDef | ast.AsyncFunctionDef

_FLIPPED = {
    "==": "!=",
    "!=": "==",
    "<": ">",
    ">": "<",
    "<=": ">=",
    ">=": "<=",
    "is": "is not",
    "is not": "is",
    "in": "not in",
    "not in": "in",
}
_BOUNDARY = {"<": "<=", "<=": "<", ">": ">=", ">=": ">"}
_ARITHMETIC = {"+": "-", "-": "+", "*": "+", "/": "*", "//": "*", "%": "*", "**": "*", "<<": ">>", ">>": "<<"}
_LOGIC = {"and": "or", "or": "and"}
_REMOVABLE = (
    ast.Expr,
    ast.Assign,
    ast.AugAssign,
    ast.Delete,
    ast.Raise,
    ast.Return,
    ast.Break,
    ast.Continue,
)
_SIGN = re.compile(
    rb"is\s+not\b|not\s+in\b|is\b|in\b|and\b|or\b|==|!=|<<|>>|<=|>=|<|>|\*\*|//|\+|-|\*|/|%|\||&|\^|@"
)
_COMMENT = re.compile(rb"#[^\n]*")


@dataclass(frozen=True, slots=True)
class Mutant:
    """One fault: the bytes `start`..`end` of the file at `path`, which holds `source`, become `new`."""

    operator: str
    path: str
    function: str
    line: int
    start: int
    end: int
    source: bytes
    new: str

    @property
    def mutated(self) -> bytes:
        """The file with the fault."""
        return self.source[: self.start] + self.new.encode() + self.source[self.end :]

    @property
    def counts(self) -> bool:
        """Whether the fault compiles, and is other code than before."""
        try:
            tree = ast.parse(self.mutated)
            compile(tree, "mutant", "exec", dont_inherit=True)
        except SyntaxError:
            return False
        return ast.dump(tree) != ast.dump(ast.parse(self.source))

    def __str__(self) -> str:
        old = self.source[self.start : self.end].decode()
        return f"{self.path}:{self.line} {self.function} [{self.operator}] {old!r} -> {self.new!r}"


def tree_mutants(base: Tree, changed: Tree, roots: Sequence[str]) -> list[Mutant]:
    """Every fault in what `changed` adds or alters under the import `roots`, in order of place."""
    found: list[Mutant] = []
    for path in base.changed(changed):
        inside = any(root == "." or path.startswith(f"{root}/") for root in roots)
        if path in changed and path.endswith(".py") and inside:
            found += mutants(path, changed[path].data, altered_functions(path, base, changed))
    return found


def altered_functions(path: str, base: Tree, changed: Tree) -> set[str]:
    """Qualified names of functions at `path` that the base does not have there, or not with this code."""
    before = _functions(base[path].data) if path in base else {}
    after = _functions(changed[path].data)
    return {name for name, code in after.items() if before.get(name) != code}


def _functions(source: bytes) -> dict[str, str]:
    return {name: ast.dump(node) for name, node in _named(ast.parse(source), "")}


def _named(node: ast.AST, prefix: str) -> Iterator[tuple[str, Function]]:
    """Functions and methods; what is defined inside a function is part of it."""
    for child in ast.iter_child_nodes(node):
        if isinstance(child, Function):
            yield prefix + child.name, child
        elif isinstance(child, ast.ClassDef):
            yield from _named(child, f"{prefix}{child.name}.")


def mutants(path: str, source: bytes, functions: Collection[str]) -> list[Mutant]:
    """Every fault in the named functions of one file, those too that do not count."""
    text = _Text(source)
    found = [
        Mutant(operator, path, name, source.count(b"\n", 0, start) + 1, start, end, source, new)
        for name, node in _named(ast.parse(source), "")
        if name in functions
        for operator, start, end, new in _edits(node, text)
    ]
    return sorted(found, key=lambda mutant: (mutant.start, mutant.operator, mutant.new))


def pick(candidates: Sequence[Mutant], count: int, seed: int) -> list[Mutant]:
    """`count` that count, the same for the same seed, as even over the operators as can be."""
    rng = random.Random(seed)
    by_operator: dict[str, list[Mutant]] = {}
    for mutant in candidates:
        by_operator.setdefault(mutant.operator, []).append(mutant)
    queues = [by_operator[operator] for operator in sorted(by_operator)]
    for queue in queues:
        rng.shuffle(queue)
    rng.shuffle(queues)
    picked: list[Mutant] = []
    while len(picked) < count and any(queues):
        picked += [mutant for queue in queues if queue and (mutant := queue.pop()).counts]
    return picked[:count]


Edit = tuple[str, int, int, str]


class _Text:
    """A source and where the nodes of its syntax tree stand in it, in bytes."""

    def __init__(self, source: bytes) -> None:
        self.source = source
        self._lines = [0]
        for line in source.splitlines(keepends=True):
            self._lines.append(self._lines[-1] + len(line))

    def span(self, node: ast.expr | ast.stmt) -> tuple[int, int]:
        assert node.end_lineno is not None
        assert node.end_col_offset is not None
        start = self._lines[node.lineno - 1] + node.col_offset
        return start, self._lines[node.end_lineno - 1] + node.end_col_offset

    def of(self, node: ast.expr | ast.stmt) -> str:
        start, end = self.span(node)
        return self.source[start:end].decode()

    def sign(self, left: ast.expr, right: ast.expr) -> tuple[int, int, str]:
        """The operator between two neighbours, comments aside; an empty one if there is none."""
        begin, end = self.span(left)[1], self.span(right)[0]
        between = _COMMENT.sub(lambda comment: b" " * len(comment[0]), self.source[begin:end])
        found = _SIGN.search(between)
        if found is None:
            return begin, begin, ""
        return begin + found.start(), begin + found.end(), " ".join(found[0].decode().split())

    def indent(self, node: ast.stmt) -> str | None:
        """The blanks before a statement that begins its line; None for one that does not."""
        start = self.span(node)[0]
        before = self.source[self._lines[node.lineno - 1] : start].decode()
        return before if not before.strip() else None


def _edits(function: Function, text: _Text) -> Iterator[Edit]:
    yield from _raising_early(function, text)
    yield from _other_defaults(function, text)
    for node in _inside(function):
        yield from _of_node(node, text)


def _inside(function: Function) -> Iterator[ast.AST]:
    """Every node of the body, not within f-strings (they have no places of their own), nor in texts for readers."""
    stack: list[ast.AST] = list(_body(function))
    while stack:
        node = stack.pop()
        if isinstance(node, ast.Expr) and isinstance(node.value, ast.Constant):
            continue
        yield node
        if isinstance(node, ast.JoinedStr):
            continue
        if isinstance(node, Function):
            stack += _body(node)
        else:
            stack += ast.iter_child_nodes(node)


def _body(function: Function) -> list[ast.stmt]:
    return function.body[1:] if ast.get_docstring(function, clean=False) is not None else function.body


def _raising_early(function: Function, text: _Text) -> Iterator[Edit]:
    for first in _body(function)[:1]:
        indent = text.indent(first)
        if indent is not None:
            start = text.span(first)[0]
            yield "raise early", start, start, f'raise ValueError("early")\n{indent}'


def _other_defaults(function: Function, text: _Text) -> Iterator[Edit]:
    for default in (*function.args.defaults, *(each for each in function.args.kw_defaults if each)):
        if isinstance(default, ast.Constant):
            yield "default", *text.span(default), repr(_other_value(default.value))


def _other_value(value: object) -> object:
    match value:
        case bool():
            return not value
        case int() | float():
            return value + 1
        case str():
            return f"{value}_"
        case _:
            return 0


def _of_node(node: ast.AST, text: _Text) -> Iterator[Edit]:
    match node:
        case ast.Compare():
            for left, right in pairwise((node.left, *node.comparators)):
                yield from _signs(text, left, right, {"comparison": _FLIPPED, "boundary": _BOUNDARY})
        case ast.BinOp():
            yield from _signs(text, node.left, node.right, {"arithmetic": _ARITHMETIC})
        case ast.BoolOp():
            for left, right in pairwise(node.values):
                yield from _signs(text, left, right, {"logic": _LOGIC})
        case ast.Constant():
            yield from _other_constants(node, text)
        case ast.If() | ast.While() | ast.IfExp():
            yield "negated condition", *text.span(node.test), f"(not ({text.of(node.test)}))"
        case ast.UnaryOp(op=ast.Not()):
            yield "dropped not", *text.span(node), f"({text.of(node.operand)})"
        case ast.Call():
            yield from _swapped_arguments(node, text)
        case ast.Return(value=ast.expr()):
            yield "return nothing", *text.span(node), "return None"
        case ast.stmt() if isinstance(node, _REMOVABLE):
            yield "removed statement", *text.span(node), "pass"


def _signs(text: _Text, left: ast.expr, right: ast.expr, tables: dict[str, dict[str, str]]) -> Iterator[Edit]:
    start, end, sign = text.sign(left, right)
    for operator, table in tables.items():
        if sign in table:
            yield operator, start, end, table[sign]


def _other_constants(node: ast.Constant, text: _Text) -> Iterator[Edit]:
    span = text.span(node)
    match node.value:
        case bool():
            yield "boolean", *span, repr(not node.value)
        case int():
            yield "off by one", *span, f"{node.value + 1}"
            yield "off by one", *span, f"{node.value - 1}" if node.value else "(-1)"
        case str():
            yield "string", *span, repr(f"{node.value}_")
            if node.value:
                yield "string", *span, repr(node.value[:-1])
        case bytes():
            yield "string", *span, repr(node.value + b"_")


def _swapped_arguments(node: ast.Call, text: _Text) -> Iterator[Edit]:
    if len(node.args) < 2 or any(isinstance(each, ast.Starred | ast.GeneratorExp) for each in node.args[:2]):
        return
    first, second = node.args[:2]
    (start, first_end), (second_start, end) = text.span(first), text.span(second)
    between = text.source[first_end:second_start].decode()
    yield "swapped arguments", start, end, f"{text.of(second)}{between}{text.of(first)}"
