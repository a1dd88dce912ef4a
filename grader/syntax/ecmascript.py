"""JavaScript and TypeScript: their lexer, what turns text into code, and what a person should look at in a patch."""

from __future__ import annotations

import re
from collections.abc import Iterator

from grader.source_text import any_text
from grader.syntax.c_like import BACKTICK, DOUBLE, SINGLE, CLike
from grader.syntax.lexed import Execution, Lexed, Syntax

KEYWORDS = (
    "arguments as async await break case catch class const continue debugger default delete do else export extends "
    "false finally for from function get if import in instanceof let new null of return set static super switch this "
    "throw true try typeof undefined var void while with yield"
)
GLOBALS = (
    "Array ArrayBuffer BigInt Boolean Buffer Date Error Infinity Intl JSON Map Math NaN Number Object Promise Proxy "
    "RangeError Reflect RegExp Set String Symbol SyntaxError TypeError Uint8Array WeakMap WeakSet console exports "
    "globalThis isFinite isNaN module parseFloat parseInt process prototype require structuredClone"
)
EXPRESSION = r"/(?![/*])(?:[^/\\\[\r\n]|\\.|\[(?:[^\]\\\r\n]|\\.)*+\])++/[a-z]*+"
REGULAR = rf"(?:(?<=[(,=:\[!&|?;{{}}])|(?<=[(,=:\[!&|?>] )|(?<=return )){EXPRESSION}"
"""A regular expression, where what stands before it cannot end a value: quotes in it open nothing."""

_POINT = r"\\u(?:[\da-fA-F]{4}|\{[\da-fA-F]{1,6}\})"
ESCAPED = rf"(?:[^\W\d][\w$]*+)?(?:{_POINT}[\w$]*+)+"
"""A name with escapes in it."""

_CALLS = frozenset({"eval", "Function", "GeneratorFunction", "AsyncFunction"})
_ALWAYS = frozenset(
    {
        *("runInThisContext", "runInNewContext", "runInContext", "compileFunction", "SourceTextModule"),
        *("_compile", "dlopen", "execArgv", "registerHooks", "importScripts"),
    }
)
_CODE_URL = re.compile(
    r"'\s*data:(?:text|application)/(?:javascript|ecmascript|typescript|wasm|json)", re.IGNORECASE
)
_OF_VM = ("vm", ".", "Script")
_HEX = re.compile(_POINT)

CONSTRUCTS: tuple[tuple[str, re.Pattern[str]], ...] = tuple(
    (name, re.compile(pattern, re.MULTILINE))
    for name, pattern in (
        (
            "leaves the process",
            r"\bprocess\s?(?:\?\.|\.)\s?(?:exit|reallyExit|abort|kill|exitCode)\b",
        ),
        ("runs at exit", r"\bprocess\s?\.\s?(?:on|once|addListener|prependListener)\s?\("),
        (
            "names a test framework",
            r"\b(?:vitest|jest|mocha|chai)\b|node:test\b|\b__vitest\w*|\bimport\.meta\.vitest\b",
        ),
        ("speaks to the runner", r"\bprocess\s?\.\s?(?:send|channel|binding|disconnect)\b|\bparentPort\b"),
        (
            "changes what the language gives",
            r"\b(?:Object|Array|String|Number|Function|Promise|Map|Set|RegExp|Error|Symbol|BigInt|Date)"
            r"\s?\.\s?prototype\s?(?:\.\s?\w+|\[[^\]\n]{1,80}\])\s?=[^=]"
            r"|\b(?:JSON|Object|Reflect|Math|globalThis|global)\s?\.\s?\w+\s?=[^=>]|\b__proto__\b|\bsetPrototypeOf\b",
        ),
        (
            "defines a property of the language's",
            r"\bdefineProperty\s?\(\s?(?:globalThis|global|\w+\.prototype)\b",
        ),
        ("equals everything", r"\bnew\s{1,9}Proxy\b|\bSymbol\s?\.\s?toPrimitive\b|\basymmetricMatch\b"),
        (
            "looks at its callers",
            r"\b(?:prepareStackTrace|captureStackTrace|callsites?)\b|\.\s?stack\b|\barguments\s?\.\s?callee\b",
        ),
        ("reads its command line", r"\bprocess\s?\.\s?(?:argv|execArgv|env|ppid)\b|/proc/(?:self|\d)"),
        (
            "loads code",
            r"\bimport\s?\(\s?[^'\"\s]|\brequire\s?\(\s?[^'\"\s]|\bcreateRequire\b|\brequire\s?\.\s?(?:cache|extensions)\b"
            r"|\bModule\s?\.\s?_\w+|\bWebAssembly\b",
        ),
        ("starts processes", r"\bchild_process\b|\bworker_threads\b|\bcluster\b"),
        ("opens sockets", r"['\"](?:node:)?(?:net|http|https|http2|tls|dgram)['\"]|\bWebSocket\b"),
        (
            "writes files",
            r"\b(?:write|append)File(?:Sync)?\b|\bwriteSync\b|\bcreateWriteStream\b|\b(?:rename|symlink)Sync\b",
        ),
        (
            "replaces a standard stream",
            r"\bprocess\s?\.\s?std(?:out|err)\s?\.\s?write\s?=|\bconsole\s?\.\s?\w+\s?=[^=]",
        ),
        (
            "decodes text",
            r"\batob\b|['\"](?:base64|hex|base64url)['\"]|\bfromCharCode\b|\bfromCodePoint\b|\bunescape\s?\(",
        ),
    )
)
SECOND_NAMES = (
    re.compile(
        r"(?:\bfunction\b\s{0,9}\*?\s{0,9}"
        r"|^[ \t]{0,40}(?:export\s{1,9})?(?:const|let|var)\s{1,9}(?=\w+\s?=\s?(?:async\s{0,9})?\())(\w+)",
        re.MULTILINE,
    ),
    re.compile(
        r"^[ \t]{0,40}(?:export\s{1,9})?(?:(?:const|let|var)\s{1,9})?[\w.]+\s?=\s?(?:\w+\.){0,9}(\w+)\s?;?[ \t]*$",
        re.MULTILINE,
    ),
)
"""A function's name, and a plain assignment of a name to another."""


def executions(lexed: Lexed) -> tuple[Execution, ...]:
    """Calls that compile text, by their known names, in brackets and texts too, and code in a URL."""
    return tuple(_executions(lexed))


def _executions(lexed: Lexed) -> Iterator[Execution]:
    texts = ("", "", *lexed.texts, "")
    for place, start in enumerate(lexed.starts):
        owner, before, text, after = texts[place : place + 4]
        plain = _HEX.sub(_character, text)
        bare = plain.removeprefix("'")
        looked_up = text.startswith("'") and before == "["
        named = not text.startswith("'") and (bare in _ALWAYS or _is_code(owner, before, after))
        if (bare in _ALWAYS or bare in _CALLS) and (looked_up or named):
            yield Execution(bare, start)
        elif (owner, before, plain) == _OF_VM or _CODE_URL.match(text):
            yield Execution("vm.Script" if plain == "Script" else "data:", start)


def _is_code(owner: str, before: str, after: str) -> bool:
    """Whether the name is called, made, given on or taken from the global object; not a type or a method."""
    if before in (".", "?."):
        return owner in ("globalThis", "global", "window", "self")
    given_on = before in ("new", "=", ",", "(", "[", "return") and after != ":"
    return given_on or after in ("(", "?.")


def _character(match: re.Match[str]) -> str:
    point = int(match[0][2:].strip("{}"), 16)
    return chr(point) if point < 0x110000 else match[0]


def ecmascript(suffixes: tuple[str, ...], definition_kinds: tuple[str, ...], words: str = "") -> Syntax:
    """The syntax of one of the two languages; `words` are its keywords beyond JavaScript's."""
    return Syntax(
        suffixes=suffixes,
        definition_kinds=definition_kinds,
        read=any_text,
        lex=CLike(
            strings=(DOUBLE, SINGLE, BACKTICK),
            kept=frozenset(f"{KEYWORDS} {GLOBALS} {words}".split()),
            own=frozenset({"this"}),
            members=(".", "?."),
            extra=rf"{REGULAR}|#[^\W\d]\w*+|{ESCAPED}",
        ).lexer(),
        executions=executions,
        constructs=CONSTRUCTS,
        second_names=SECOND_NAMES,
    )
