"""C: read, lexed and searched as C++ is, with C's own kinds of definitions."""

from __future__ import annotations

from dataclasses import replace

from grader.syntax import cpp

SYNTAX = replace(
    cpp.SYNTAX,
    suffixes=(".c", ".h", ".inc", ".def"),
    definition_kinds=("function_definition", "struct_specifier", "union_specifier", "enum_specifier"),
)
