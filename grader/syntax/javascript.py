"""JavaScript."""

from __future__ import annotations

from grader.syntax.ecmascript import ecmascript

DEFINITIONS = (
    *("function_declaration", "generator_function_declaration", "function_expression", "arrow_function"),
    *("method_definition", "class_declaration", "class"),
)
SYNTAX = ecmascript((".js", ".mjs", ".cjs", ".jsx"), DEFINITIONS)
