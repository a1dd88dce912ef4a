"""Bash: its lexer, and what turns text into code."""

from __future__ import annotations

from grader.source_text import any_text
from grader.syntax.c_like import DOUBLE, SINGLE, CLike
from grader.syntax.lexed import Execution, Lexed, Syntax

KEPT = "case do done echo elif else esac fi for function if in local printf return select then until while"


def executions(lexed: Lexed) -> tuple[Execution, ...]:
    """Every `eval`."""
    places = zip(lexed.texts, lexed.starts, strict=True)
    return tuple(Execution(text, start) for text, start in places if text == "eval")


SYNTAX = Syntax(
    suffixes=(".sh",),
    definition_kinds=("function_definition",),
    read=any_text,
    lex=CLike(strings=(DOUBLE, SINGLE), kept=frozenset(KEPT.split()), extra=r"\#[^\n]*").lexer(),
    executions=executions,
)
