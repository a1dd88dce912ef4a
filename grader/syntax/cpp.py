"""C++: how its text is read, and what turns text or bytes into code."""

from __future__ import annotations

import re

from grader.source_text import SourceText, any_text
from grader.syntax.c_like import CHARACTER, DOUBLE, CLike, quoted
from grader.syntax.cpp_constructs import CONSTRUCTS, SECOND_NAMES
from grader.syntax.lexed import Execution, Lexed, Syntax
from runner.tree import Entry

PREFIX = r"(?:u8|[uUL])?"
RAW = PREFIX + r'R"(?P<mark>[^()\\\s"]{0,16}+)\((?:(?!\)(?P=mark)").)*+(?:\)(?P=mark)")?'
_RAW_BODY = re.compile(r'\w*R"([^()\\\s"]{0,16})\((.*)', re.DOTALL)
_SPLIT_WORD = re.compile(r"\w\\\r?\n\w")
_WORDS = """
    alignas alignof and and_eq asm auto bitand bitor bool break case catch char char16_t char32_t char8_t class
    co_await co_return co_yield compl concept const const_cast consteval constexpr constinit continue decltype
    default delete do double dynamic_cast else enum explicit export extern false float for friend goto if inline
    int long mutable namespace new noexcept not not_eq nullptr operator or or_eq private protected public register
    reinterpret_cast requires return short signed sizeof static static_assert static_cast struct switch template
    this thread_local throw true try typedef typeid typename union unsigned using virtual void volatile wchar_t
    while xor xor_eq override final define include ifdef ifndef endif defined pragma std size_t ptrdiff_t
    int8_t int16_t int32_t int64_t uint8_t uint16_t uint32_t uint64_t intptr_t uintptr_t NULL
    memcpy memmove memset memcmp strlen strcmp strncmp strchr malloc free abort assert printf snprintf
"""
KEPT = frozenset(_WORDS.split())
"""Keywords and names that mean the same in every file."""
_ALWAYS = frozenset({"dlopen", "dlmopen", "dlsym", "PROT_EXEC", "memfd_create", "fexecve", "incbin"})
_CALLS = frozenset(
    {
        *("system", "popen", "execl", "execle", "execlp", "execv", "execve", "execvp", "execvpe"),
        *("posix_spawn", "posix_spawnp"),
    }
)
"""Names that somebody's own functions may have too: a member of that name is not the one of the system."""


def executions(lexed: Lexed) -> tuple[Execution, ...]:
    """Loading of libraries, memory that can be executed, other programs, bytes of another file put among code."""
    texts = ("", "", *lexed.texts, "")
    found = []
    for place, start in enumerate(lexed.starts):
        owner, before, text, after = texts[place : place + 4]
        member = before in (".", "->") or (before == "::" and (owner.isidentifier() and owner != "std"))
        if text in _ALWAYS or (text in _CALLS and not member and (after == "(" or before in ("=", "&"))):
            found.append(Execution(text, start))
        elif text.startswith("'") and ".incbin" in text:
            found.append(Execution("incbin", start))
    return tuple(found)


def read(entry: Entry) -> SourceText:
    """UTF-8; a word that goes on behind a `\\` at the end of its line hides what it says, and is refused."""
    source = any_text(entry)
    if _SPLIT_WORD.search(source.text):
        return SourceText(problem="splits a word over two lines; write it on one")
    return source


def _body(written: str) -> tuple[str, bool]:
    raw = _RAW_BODY.match(written)
    return (raw[2].removesuffix(f'){raw[1]}"'), True) if raw else quoted(written)


SYNTAX = Syntax(
    suffixes=(".cc", ".cpp", ".cxx", ".c", ".h", ".hh", ".hpp", ".hxx", ".inl", ".ipp", ".tcc"),
    definition_kinds=("function_definition", "class_specifier", "struct_specifier", "enum_specifier"),
    read=read,
    lex=CLike(
        strings=(RAW, PREFIX + DOUBLE, PREFIX + CHARACTER),
        kept=KEPT,
        own=frozenset({"this"}),
        members=(".", "->", "::"),
        body=_body,
    ).lexer(),
    executions=executions,
    constructs=CONSTRUCTS,
    second_names=SECOND_NAMES,
)
