"""A lexer for languages with braces and C's comments, made from a few facts of a language.

Like the one for Python it takes any text, half a function or a text file too, in linear time.
"""

from __future__ import annotations

import re
from collections.abc import Callable
from dataclasses import dataclass, field

from grader.syntax.lexed import Lexed, StringLiteral

DOUBLE = r'"(?:[^"\\\r\n]++|\\.)*+"?'
"""A text in double quotes that ends with its line."""
CHARACTER = r"'(?:[^'\\\r\n]|\\[^'\r\n]{0,9}+'?)'?"
"""One character in single quotes."""
SINGLE = r"'(?:[^'\\\r\n]++|\\.)*+'?"
"""A text in single quotes that ends with its line."""
BACKTICK = r"`(?:[^`\\]++|\\.)*+`?"
RAW_BACKTICK = r"`[^`]*+`?"
_ESCAPE = re.compile(
    r"\\(?:x([\da-fA-F]{2})|u\{?([\da-fA-F]{1,6})\}?|U([\da-fA-F]{8})|([0-7]{1,3})|(\r?\n)|(.))", re.DOTALL
)
_COMMENT_MARK = re.compile(r"/\*|\*/")
_SIMPLE = {"n": "\n", "t": "\t", "r": "\r", "f": "\f", "v": "\v", "a": "\a", "b": "\b"}
_CLOSING = frozenset(")]}")


def quoted(written: str) -> tuple[str, bool]:
    """The body of a literal between plain quotes, and whether a backslash in it means itself."""
    opening = re.match(r"[A-Za-z0-9]*", written)
    start = opening.end() if opening else 0
    quote = written[start : start + 1]
    return written[start + 1 :].removesuffix(quote), quote == "`"


@dataclass(frozen=True, slots=True)
class CLike:
    """One language. `strings` are regular expressions of its literals of text, the longest form first.

    `kept` are the names that mean the same everywhere: keywords, types, built-in functions. `body` takes a
    literal apart. `own` stand before a dot where what follows is the code's own and may be renamed.
    """

    strings: tuple[str, ...]
    kept: frozenset[str]
    own: frozenset[str] = frozenset({"this", "self"})
    members: tuple[str, ...] = (".",)
    """What stands before a name that belongs to something else."""
    extra: str = ""
    """A regular expression for tokens of the language's own, with names and operators; may be empty."""
    body: Callable[[str], tuple[str, bool]] = field(default=quoted)
    comments_nest: bool = False
    separators: str = "_'"
    """What may stand between digits."""

    def lexer(self) -> Callable[[str], Lexed]:
        """The function that lexes: compiled once."""
        token = re.compile(
            r"(?P<blank>\s++|\\\r?\n|//[^\r\n]*+|/\*(?:[^*]++|\*(?!/))*+(?:\*/)?)"
            rf"|(?P<string>{'|'.join(self.strings)})"
            + (rf"|(?P<extra>{self.extra})" if self.extra else "")
            + rf"|(?P<number>0[xXoObB][\da-fA-F{self.separators}]+\w*"
            r"|(?:\d[\d_]*\.?[\d_]*|\.\d[\d_]*)(?:[eE][+-]?\d[\d_]*)?\w*)"
            r"|(?P<name>[^\W\d]\w*|\$\w*)"
            r"|(?P<op>>>>=|<<=|>>=|\*\*=|\.\.\.|===|!==|&&=|\|\|=|\?\?=|::|->|=>|:=|\+\+|--|&&|\|\||\?\?|\?\."
            r"|[-+*/%&|^=<>!]=|\*\*|<<|>>|.)",
            re.DOTALL,
        )
        return lambda text: _Lexer(self).run(token, text)


class _Lexer:
    """The state of one pass over a text."""

    def __init__(self, language: CLike) -> None:
        self.language = language
        self.texts: list[str] = []
        self.shapes: list[str] = []
        self.starts: list[int] = []
        self.literals: list[StringLiteral] = []

    def run(self, token: re.Pattern[str], text: str) -> Lexed:
        """Read the whole of `text`."""
        place = 0
        while match := token.match(text, place):
            place, kind = match.end(), match.lastgroup
            if kind == "string":
                self._string(match[0], match.start())
            elif kind != "blank":
                self._token(match[0], match.start(), is_name=kind == "name")
            elif self.language.comments_nest and match[0].startswith("/*"):
                place = _end_of_nested(text, match.start())
        return Lexed(tuple(self.texts), tuple(self.shapes), tuple(self.starts), tuple(self.literals))

    def _string(self, written: str, start: int) -> None:
        body, raw = self.language.body(written)
        before, last = self.texts[-2:-1], self.texts[-1:]
        after_string = last == ["+"] and bool(before) and before[0].startswith("'")
        continues = bool(self.literals) and (after_string or bool(last and last[0].startswith("'")))
        self.literals.append(StringLiteral(body if raw else unescaped(body), start, continues))
        self._append(f"'{body}", f"'{body}", start)

    def _token(self, text: str, start: int, *, is_name: bool) -> None:
        if text == ";":
            return
        if text in _CLOSING and self.texts[-1:] == [","]:
            del self.texts[-1], self.shapes[-1], self.starts[-1]
        self._append(text, "" if is_name and self._renamable(text) else text, start)

    def _renamable(self, name: str) -> bool:
        if self.texts[-1:] and self.texts[-1] in self.language.members:
            return self.texts[-2:-1] != [] and self.texts[-2] in self.language.own
        return name not in self.language.kept

    def _append(self, text: str, shape: str, start: int) -> None:
        self.texts.append(text)
        self.shapes.append(shape)
        self.starts.append(start)


def _end_of_nested(text: str, start: int) -> int:
    """Where a comment that begins at `start` ends, with those inside it; the text's end if it is not closed."""
    depth = 0
    for mark in _COMMENT_MARK.finditer(text, start):
        depth += 1 if mark[0] == "/*" else -1
        if depth == 0:
            return mark.end()
    return len(text)


def unescaped(body: str) -> str:
    """A literal's value: its escapes resolved, those that mean nothing left as they are."""
    return _ESCAPE.sub(_character, body) if "\\" in body else body


def _character(match: re.Match[str]) -> str:
    code = match[1] or match[2] or match[3]
    if code or match[4]:
        point = int(code, 16) if code else int(match[4], 8)
        return chr(point) if point < 0x110000 else match[0]
    return "" if match[5] else _SIMPLE.get(match[6], match[6])
