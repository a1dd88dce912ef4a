"""Python: a lexer that takes any text, and the ways to run text as code.

A regular expression, not a parser: the same tokens have to come out of a module, of a string that holds half
a function, and of a text file, in linear time on whatever an adversary writes.
"""

from __future__ import annotations

import builtins
import keyword
import re

from grader.source_text import python_text
from grader.syntax.lexed import Lexed, StringLiteral, Syntax
from grader.syntax.python_constructs import CONSTRUCTS, SECOND_NAMES
from grader.syntax.python_execution import executions

_TOKEN = re.compile(
    r"""
    (?P<blank> [ \t\f]+ | \#[^\r\n]* | \\\r?\n )
  | (?P<newline> \r\n? | \n )
  | (?P<string> (?i:[rbuft]{0,2}) (?:
        \"{3} (?: [^\\"]++ | \\. | "(?!"") )*+ (?:\"{3})?
      | '{3}  (?: [^\\']++ | \\. | '(?!'') )*+ (?:'{3})?
      | "     (?: [^"\\\r\n]++ | \\. )*+ "?
      | '     (?: [^'\\\r\n]++ | \\. )*+ '? ) )
  | (?P<number> 0[xXoObB][\da-fA-F_]+ | (?: \d[\d_]*\.?[\d_]* | \.\d[\d_]* ) (?: [eE][+-]?\d[\d_]* )? [jJ]? )
  | (?P<name> [^\W\d]\w* )
  | (?P<op> \*\*= | //= | >>= | <<= | \.\.\. | -> | := | [-+*/%&|^@=<>!]= | \*\* | // | << | >> | . )
    """,
    re.VERBOSE | re.DOTALL,
)
_PREFIX = re.compile(r"[A-Za-z]*")
_KEPT = frozenset({*keyword.kwlist, *dir(builtins)})
"""Names that mean the same everywhere; all others may be renamed in a copy."""
_ESCAPE = re.compile(
    r"\\(?:x([\da-fA-F]{2})|u([\da-fA-F]{4})|U([\da-fA-F]{8})|([0-7]{1,3})|(\r?\n)|(.))", re.DOTALL
)
_SIMPLE = {"n": "\n", "t": "\t", "r": "\r", "f": "\f", "v": "\v", "a": "\a", "b": "\b"}
_OPENING, _CLOSING = frozenset("([{"), frozenset(")]}")


class _Lexer:
    """The state of one pass over a text."""

    def __init__(self) -> None:
        self.texts: list[str] = []
        self.shapes: list[str] = []
        self.starts: list[int] = []
        self.literals: list[StringLiteral] = []
        self._strings_only = True
        self._line_begin = 0
        self._depth = 0

    def run(self, text: str) -> Lexed:
        """Read the whole of `text`."""
        for match in _TOKEN.finditer(text):
            kind = match.lastgroup
            if kind == "blank":
                continue
            if kind == "newline":
                self._end_line()
            elif kind == "string":
                self._string(match[0], match.start())
            else:
                self._token(match[0], match.start(), is_name=kind == "name")
        self._depth = 0
        self._end_line()
        return Lexed(tuple(self.texts), tuple(self.shapes), tuple(self.starts), tuple(self.literals))

    def _end_line(self) -> None:
        """Outside brackets a line of nothing but strings is a docstring, or as good as a comment: dropped."""
        if self._depth:
            return
        if self._strings_only:
            del (
                self.texts[self._line_begin :],
                self.shapes[self._line_begin :],
                self.starts[self._line_begin :],
            )
        self._line_begin, self._strings_only = len(self.texts), True

    def _string(self, written: str, start: int) -> None:
        prefix = _PREFIX.match(written)
        opening = prefix.end() if prefix else 0
        quote = 3 if written[opening : opening + 3] in ('"""', "'''") else 1
        body = written[opening + quote :].removesuffix(written[opening] * quote)
        raw = "r" in written[:opening].lower()
        after_string = self.texts[-1:] == ["+"] and self.texts[-2:-1] and self.texts[-2].startswith("'")
        continues = bool(self.literals) and bool(
            after_string or (self.texts and self.texts[-1].startswith("'"))
        )
        self.literals.append(StringLiteral(body if raw else _unescaped(body), start, continues))
        self._append(f"'{body}", f"'{body}", start)

    def _token(self, text: str, start: int, *, is_name: bool) -> None:
        if text in _OPENING:
            self._depth += 1
        elif text in _CLOSING:
            self._depth = max(0, self._depth - 1)
            if self.texts[-1:] == [","]:
                self._pop()
        elif text in ("def", "class"):
            self._depth = 0
        elif text in (";", "pass"):
            return
        self._strings_only = False
        self._append(text, "" if is_name and self._renamable(text) else text, start)

    def _renamable(self, name: str) -> bool:
        """Others' attributes, keywords and builtins stay; locals and one's own attributes may change."""
        if self.texts[-1:] == ["."]:
            return self.texts[-2:-1] in (["self"], ["cls"])
        return name not in _KEPT

    def _append(self, text: str, shape: str, start: int) -> None:
        self.texts.append(text)
        self.shapes.append(shape)
        self.starts.append(start)

    def _pop(self) -> None:
        del self.texts[-1], self.shapes[-1], self.starts[-1]


def _unescaped(body: str) -> str:
    return _ESCAPE.sub(_character, body) if "\\" in body else body


def _character(match: re.Match[str]) -> str:
    code = match[1] or match[2] or match[3]
    if code or match[4]:
        point = int(code, 16) if code else int(match[4], 8)
        return chr(point) if point < 0x110000 else match[0]
    return "" if match[5] else _SIMPLE.get(match[6], match[6])


def lex(text: str) -> Lexed:
    """The tokens of any text, read as Python."""
    return _Lexer().run(text)


SYNTAX = Syntax(
    suffixes=(".py", ".pyi", ".pyw"),
    definition_kinds=("function_definition", "class_definition"),
    read=python_text,
    lex=lex,
    executions=executions,
    constructs=CONSTRUCTS,
    second_names=SECOND_NAMES,
)
