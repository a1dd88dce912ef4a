"""The canary writer for pytest: plain test functions, at module level or in a class, with bare asserts.

A site is an expected literal of an `assert <computed> == <literal>` that runs whenever the test does: never
an input, a key or an index, never in a loop, a condition, a `try` or a `with pytest.raises`.
"""

from __future__ import annotations

import ast
from collections.abc import Iterable, Iterator, Mapping

from tree_sitter import Node

from grader.canaries.pytest_module import Module, TestFunction, assignments
from grader.canaries.python_literals import Leaf, bare, leaves, literals_in, parts_of, text_of, walk
from grader.canaries.site import Site, Sites
from runner.plan import Canary, CanaryKind

SWALLOWING = ("raises", "suppress")
"""Context managers that end their block before a later assert, or hide its failure."""
COMPUTED = ("call", "attribute", "subscript", "identifier")


def defined(file: str, data: bytes) -> Mapping[str, int]:
    """The id of every test that stands in a suite file, with its line (from 1).

    Raises SyntaxError for a file that does not parse and for an id that stands there twice.
    """
    ast.parse(data, filename=file)
    lines: dict[str, int] = {}
    for test in Module(file, data).every_test():
        line = test.function.start_point.row + 1
        if test.id in lines:
            raise SyntaxError(f"{test.id} is defined twice", (file, line, 0, ""))
        lines[test.id] = line
    return lines


def literals(data: bytes) -> tuple[str, ...]:
    """The inner text of every literal of a file, as often as it stands there."""
    return tuple(parts_of(node).inner for node in literals_in(Module("", data).root))


def sites(files: Mapping[str, bytes], tests: Iterable[str]) -> Sites:
    """Where each test expects a literal; the reason for each that does so nowhere."""
    modules: dict[str, Module] = {}
    found: dict[str, tuple[Site, ...]] = {}
    refused: dict[str, str] = {}
    for test in tests:
        file = test.split("::")[0]
        if file not in modules:
            modules[file] = Module(file, files.get(file, b""))
        here, reason = _sites_of(modules[file], test)
        if here:
            found[test] = here
        else:
            refused[test] = reason
    return Sites(found, refused)


def differs(site: Site, text: str) -> bool:
    """Whether `text` is a literal of the same type whose value a comparison tells from the site's."""
    try:
        old, new = ast.literal_eval(site.text), ast.literal_eval(text)
    except (SyntaxError, ValueError):
        return False
    if type(old) is not type(new) or old == new:
        return False
    if not isinstance(old, (int, float)):
        return True
    reach = max(abs(old), abs(new)) * site.relative + site.absolute
    return bool(abs(new - old) > 2 * reach)


def turned(files: Mapping[str, bytes], tests: Iterable[str], kind: CanaryKind) -> Mapping[str, Canary]:
    """The `negate` or `fail` canary of each test that can carry one: weaker than `value`."""
    found: dict[str, Canary] = {}
    for id_ in tests:
        file = id_.split("::")[0]
        test = Module(file, files.get(file, b"")).tests.get(id_)
        if test is None:
            continue
        span = _negated(test) if kind == "negate" else _failing(test)
        if span is not None:
            start, end, old, new = span
            found[id_] = Canary(id_, kind, file, start, end, old, new)
    return found


def _negated(test: TestFunction) -> tuple[int, int, str, str] | None:
    for statement in _asserts(test.body):
        subject = statement.named_children[0]
        return subject.start_byte, subject.end_byte, text_of(subject), f"not ({text_of(subject)})"
    return None


def _failing(test: TestFunction) -> tuple[int, int, str, str]:
    last = [child for child in test.body.named_children if child.type != "comment"][-1]
    one_line = test.body.start_point.row == test.function.start_point.row
    lead = "; " if one_line else "\n" + " " * test.body.start_point.column
    return last.end_byte, last.end_byte, "", f"{lead}raise AssertionError"


def _sites_of(module: Module, id_: str) -> tuple[tuple[Site, ...], str]:
    test = module.tests.get(id_)
    if test is None:
        return (), f"no such test in {module.file}"
    if test.decorators:
        mark = test.decorators[0].split("(")[0]
        return (), f"decorated with {mark}: it may run several times or not at all"
    if test.function.children[0].type == "async":
        return (), "an async test: whether it runs depends on a plugin"
    expectations = [expected for expected in _expectations(test) if expected]
    if not expectations:
        return (), _why_none(test)
    spans = {(leaf.node.start_byte, leaf.node.end_byte) for expected in expectations for leaf in expected}
    inputs = _inputs(module, test, spans)
    here = tuple(site for expected in expectations for site in _as_sites(module.file, id_, expected, inputs))
    usable = tuple(site for site in here if _usable(site))
    return usable, "every expected string is empty or equals an input"


def _usable(site: Site) -> bool:
    return site.kind in ("int", "float") or (site.inner.strip() != "" and site.inner not in site.inputs)


def _as_sites(file: str, id_: str, expected: tuple[Leaf, ...], inputs: tuple[str, ...]) -> Iterator[Site]:
    beside = tuple(parts_of(leaf.node).inner for leaf in expected)
    for place, leaf in enumerate(expected):
        parts, node = parts_of(leaf.node), leaf.node
        yield Site(
            test=id_,
            file=file,
            start=node.start_byte,
            end=node.end_byte,
            kind=leaf.kind,
            opening=parts.opening,
            inner=parts.inner,
            closing=parts.closing,
            raw=parts.raw,
            inputs=inputs,
            beside=beside,
            place=place,
            relative=leaf.relative,
            absolute=leaf.absolute,
        )


def _asserts(block: Node) -> Iterator[Node]:
    """The asserts that run whenever the block does, up to a `return`."""
    for statement in block.named_children:
        if statement.type == "return_statement":
            return
        if statement.type == "assert_statement":
            yield statement
        body = statement.child_by_field_name("body")
        if statement.type == "with_statement" and body is not None and not _swallows(statement):
            yield from _asserts(body)


def _swallows(statement: Node) -> bool:
    clause = next(child for child in statement.named_children if child.type == "with_clause")
    callees = [text_of(name) for node in walk(clause) if (name := node.child_by_field_name("function"))]
    return any(callee.split(".")[-1] in SWALLOWING for callee in callees)


def _expectations(test: TestFunction) -> Iterator[tuple[Leaf, ...]]:
    """For each comparison with a literal-only side: the literals of that side."""
    named = {text_of(node.children[0]): node for node in assignments(test.body)}
    for statement in _asserts(test.body):
        for left, right in _equations(statement.named_children[0]):
            for side, other in ((left, right), (right, left)):
                literal = _literal_side(test, side, named)
                if literal and leaves(other) is None and any(node.type in COMPUTED for node in walk(other)):
                    yield literal


def _equations(node: Node) -> Iterator[tuple[Node, Node]]:
    node = bare(node)
    if node.type == "boolean_operator" and any(child.type == "and" for child in node.children):
        for child in node.named_children:
            yield from _equations(child)
    if node.type == "comparison_operator" and [child.type for child in node.children[1::2]] == ["=="]:
        yield node.children[0], node.children[2]


def _literal_side(test: TestFunction, side: Node, named: Mapping[str, Node]) -> tuple[Leaf, ...] | None:
    side = bare(side)
    if side.type != "identifier":
        return leaves(side)
    assignment = named.get(text_of(side))
    uses = sum(1 for node in walk(test.body) if node.type == "identifier" and text_of(node) == text_of(side))
    value = assignment.child_by_field_name("right") if assignment is not None else None
    return leaves(value) if value is not None and uses == 2 else None


def _inputs(module: Module, test: TestFunction, expected: set[tuple[int, int]]) -> tuple[str, ...]:
    """The literals that the test works on: its own, and those of the constants and helpers it names."""
    nodes, queue, seen = [], [test.function], set[str]()
    while queue:
        scope = queue.pop()
        nodes += [node for node in literals_in(scope) if (node.start_byte, node.end_byte) not in expected]
        names = {text_of(node) for node in walk(scope) if node.type == "identifier"} - seen
        seen |= names
        queue += [module.top_level[name] for name in sorted(names) if name in module.top_level]
    return tuple(parts_of(node).inner for node in nodes)


def _why_none(test: TestFunction) -> str:
    every = [node for node in walk(test.body) if node.type == "assert_statement"]
    always = list(_asserts(test.body))
    if not every:
        return "no assert"
    if not always:
        return "its asserts stand in a loop, a condition, a try or a `with pytest.raises`"
    return "it compares nothing computed with a number or text (truth, None, f-strings, computed values: no)"
