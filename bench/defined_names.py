"""The names that a source file gives to something, by the fields of its syntax tree that every grammar shares."""

from __future__ import annotations

from collections.abc import Iterator

from ast_grep_py import SgNode, SgRoot

_FIELDS = ("name", "declarator", "pattern", "left", "alias", "parameter", "parameters")
_USES = (
    *("access", "annotation", "attribute", "call", "element", "command", "export_specifier"),
    *(
        "expression",
        "import_specifier",
        "invocation",
        "member",
        "nested",
        "qualified",
        "scoped",
        "template_function",
        "template_method",
    ),
    "template_type",
)
"""In nodes of kinds like these the field `name` is somebody's use of the name."""
_WITH_BODY = ("struct_specifier", "class_specifier", "enum_specifier", "union_specifier", "mod_item")
"""Without a body they say that something is defined elsewhere."""
_LISTS = (
    "expression_list",
    "formal_parameters",
    "inferred_parameters",
    "closure_parameters",
    "tuple_pattern",
)
_PATTERNS = (
    *(*_LISTS, "array_pattern", "structured_binding_declarator", "tuple_struct_pattern", "rest_pattern"),
    *(
        "import_clause",
        "namespace_import",
        "reference_declarator",
        "type_parameter",
        "type_parameter_declaration",
    ),
)
_INSIDE = ("block", "compound_statement", "statement_block", "function_body", "for_statement")


def defined_names(text: str, language: str) -> frozenset[str]:
    """Every name that `text` gives to something, locals and parameters too; a prototype gives none.

    `language` is a task's, with a grammar of its own. Never raises: of a broken text, what parses.
    """
    found: set[str] = set()
    queue = [SgRoot(text, language).root()]
    while queue:
        node = queue.pop()
        found.update(_given(node))
        queue += node.children()
    return frozenset(found)


def _given(node: SgNode) -> Iterator[str]:
    kind = node.kind()
    if kind in _PATTERNS:
        yield from _bare(node)
    if kind == "assignment_expression":
        yield from _assigned(node)
    elsewhere = kind in _WITH_BODY and node.field("body") is None
    for field in _FIELDS:
        used = kind != "instanceof_expression" and any(word in kind for word in _USES)
        is_use = field == "name" and (elsewhere or used)
        if not is_use and not (field == "left" and "expression" in kind) and not _prototype(node):
            yield from (one.text() for one in node.field_children(field) if _is_name(one))


def _assigned(node: SgNode) -> Iterator[str]:
    """`exports.name = ...` and `Thing.prototype.name = ...`, where languages define so."""
    left = node.field("left")
    name = left.field("property") if left is not None else None
    if name is not None:
        yield name.text()


def _bare(pattern: SgNode) -> Iterator[str]:
    """The names that stand plainly in a pattern, but for the type that it takes apart."""
    taken = pattern.field("type")
    for child in pattern.children():
        if child.kind() in ("identifier", "type_identifier") and (
            taken is None or child.range().start != taken.range().start
        ):
            yield child.text()


def _prototype(node: SgNode) -> bool:
    """A function declared at the top of a file in C's way, without a body."""
    if node.kind() != "function_declarator":
        return False
    above = node.parent()
    while above is not None and "declarator" in above.kind():
        above = above.parent()
    return above is not None and above.kind() == "declaration" and not _in_a_body(above)


def _in_a_body(node: SgNode) -> bool:
    above = node.parent()
    return above is not None and above.kind() in _INSIDE


def _is_name(node: SgNode) -> bool:
    text = node.text()
    return text.removeprefix("#").removeprefix("$").isidentifier() and node.is_named()
