"""Go: its lexer, how it turns bytes into code, and what a person should look at in a patch."""

from __future__ import annotations

import re
from collections.abc import Iterator

from grader.source_text import any_text
from grader.syntax.c_like import CHARACTER, DOUBLE, RAW_BACKTICK, CLike
from grader.syntax.lexed import Execution, Lexed, Syntax

KEYWORDS = (
    "break case chan const continue default defer else fallthrough for func go goto if import interface map "
    "package range return select struct switch type var"
)
PREDECLARED = (
    "any bool byte comparable complex64 complex128 error float32 float64 int int8 int16 int32 int64 rune string "
    "uint uint8 uint16 uint32 uint64 uintptr true false iota nil append cap clear close complex copy delete imag "
    "len make max min new panic print println real recover"
)
LOADERS = frozenset({"'plugin", "'github.com/traefik/yaegi/interp"})
"""Imports of what loads code at run time, as tokens."""
EXECUTABLE = frozenset({"Mprotect", "PROT_EXEC", "SYS_MPROTECT"})
"""Names without which no memory becomes executable."""
AFTER_IMPORTS = frozenset({"const", "func", "type", "var"})

CONSTRUCTS: tuple[tuple[str, re.Pattern[str]], ...] = tuple(
    (name, re.compile(pattern, re.MULTILINE))
    for name, pattern in (
        (
            "leaves the process",
            r"\b(?:os|syscall)\.(?:Exit|Kill|Exec)\b|\blog\.Fatal|\bruntime\.Goexit\b",
        ),
        ("runs before main", r"^func init\(\)"),
        ("names a test framework", r"\"testing(?:/\w+)?\"|\btesting\.\w|\btest\.(?:run|v|paniconexit0)\b"),
        ("reads its command line", r"\bos\.Args\b|/proc/self\b|\bos\.Executable\b"),
        ("looks at its callers", r"\bruntime\.(?:Callers?|CallersFrames|FuncForPC|Stack)\b|\bdebug\.Stack\b"),
        ("works on raw memory", r"\"unsafe\"|\bunsafe\.\w|^//go:(?:linkname|nosplit|noescape)\b"),
        ("calls native code", r"^import \"C\"|\"C\"$|\"plugin\"|\bsyscall\.(?:Raw)?Syscall6?\b"),
        ("builds by tag or system", r"^//go:build\b|^// \+build\b"),
        ("opens sockets", r"\"net(?:/\w+)*\"|\bsyscall\.Socket\b"),
        ("starts processes", r"\"os/exec\"|\bos\.StartProcess\b|\bsyscall\.ForkExec\b"),
        (
            "writes files",
            r"\bos\.(?:Create|CreateTemp|WriteFile|OpenFile|NewFile|Rename|Symlink)\b|\bsyscall\.(?:Open|Write)\b",
        ),
        ("replaces a standard stream", r"\bos\.Std(?:in|out|err)\s*=[^=]"),
        ("decodes text", r"\"(?:encoding/(?:base64|base32|hex|gob|ascii85)|compress/\w+)\""),
    )
)
SECOND_NAMES = (
    re.compile(r"^func (\w+)", re.MULTILINE),
    re.compile(r"^(?:var\s+)?\s*\w+\s*=\s*(\w+)\s*$", re.MULTILINE),
)


def executions(lexed: Lexed) -> tuple[Execution, ...]:
    """Imports of plugins and interpreters, and what makes memory executable."""
    return tuple(_executions(lexed))


def _executions(lexed: Lexed) -> Iterator[Execution]:
    importing = True
    for text, start in zip(lexed.texts, lexed.starts, strict=True):
        importing = importing and text not in AFTER_IMPORTS
        if (importing and text in LOADERS) or text in EXECUTABLE:
            yield Execution(text.removeprefix("'"), start)


SYNTAX = Syntax(
    suffixes=(".go",),
    definition_kinds=("function_declaration", "method_declaration", "type_spec"),
    read=any_text,
    lex=CLike(
        strings=(DOUBLE, RAW_BACKTICK, CHARACTER),
        kept=frozenset(f"{KEYWORDS} {PREDECLARED}".split()),
        own=frozenset(),
    ).lexer(),
    executions=executions,
    constructs=CONSTRUCTS,
    second_names=SECOND_NAMES,
)
