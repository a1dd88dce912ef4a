"""TypeScript: JavaScript with types. A `.tsx` file is read as one of them by the lexer."""

from __future__ import annotations

from grader.syntax.ecmascript import ecmascript
from grader.syntax.javascript import DEFINITIONS

WORDS = (
    "abstract any asserts bigint boolean declare enum implements infer interface is keyof namespace never number "
    "object override private protected public readonly satisfies string symbol type unique unknown Partial Readonly "
    "Record Omit Pick ReturnType"
)
SYNTAX = ecmascript(
    (".ts", ".mts", ".cts", ".tsx", ".js", ".mjs", ".cjs", ".jsx"),
    (
        *DEFINITIONS,
        "abstract_class_declaration",
        "interface_declaration",
        "enum_declaration",
        "type_alias_declaration",
    ),
    WORDS,
)
