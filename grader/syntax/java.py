r"""Java: its lexer, how it turns bytes into code, and what a person should look at in a patch.

The compiler reads `\u0061` as `a` wherever it stands, so a file is read with these resolved.
"""

from __future__ import annotations

import re
from collections.abc import Iterator

from grader.source_text import SourceText, any_text
from grader.syntax.c_like import CHARACTER, DOUBLE, CLike, quoted
from grader.syntax.lexed import Execution, Lexed, Syntax
from runner.tree import Entry

KEYWORDS = (
    "abstract assert boolean break byte case catch char class const continue default do double else enum extends "
    "final finally float for goto if implements import instanceof int interface long native new package private "
    "protected public return short static strictfp super switch synchronized this throw throws transient try void "
    "volatile while true false null var record sealed permits non yield when"
)
PREDECLARED = (
    "Boolean Byte CharSequence Character Class Comparable Double Enum Error Exception Float "
    "IllegalArgumentException IllegalStateException IndexOutOfBoundsException Integer Iterable Long Math "
    "NullPointerException Number Object Objects Override RuntimeException Short String StringBuilder Strings System "
    "Throwable UnsupportedOperationException Void ArrayList Arrays Collection Collections Comparator HashMap HashSet "
    "Iterator List Map Optional Set Stream java util lang"
)
TEXT_BLOCK = r'"""(?:[^"\\]++|\\.|"(?!""))*+(?:""")?'
LOADERS = frozenset(
    {
        *(
            "defineClass",
            "defineHiddenClass",
            "defineAnonymousClass",
            "redefineClasses",
            "retransformClasses",
        ),
        *("URLClassLoader", "SecureClassLoader", "JavaCompiler", "getSystemJavaCompiler", "jshell", "JShell"),
        *("ScriptEngineManager", "GroovyShell", "GroovyClassLoader", "BeanShell", "Janino", "SimpleCompiler"),
        *("SymbolLookup", "nativeLinker", "ProcessBuilder"),
    }
)
"""Names of what makes code of bytes or text, or starts what does."""
OF_THE_SYSTEM = frozenset({"exec", "load", "loadLibrary"})
"""Methods that count only where `Runtime` or `System` stands before them."""
UNICODE = re.compile(r"(?<!\\)((?:\\\\)*+)\\u+([\da-fA-F]{4})")
SURROGATE = re.compile("[\ud800-\udfff]")

CONSTRUCTS: tuple[tuple[str, re.Pattern[str]], ...] = tuple(
    (name, re.compile(pattern, re.MULTILINE))
    for name, pattern in (
        (
            "leaves the process",
            r"\bSystem\s?\.\s?exit\b|\bgetRuntime\s?\(\s?\)\s?\.\s?(?:exit|halt)\b|\.destroyForcibly\b",
        ),
        ("runs at exit", r"\baddShutdownHook\b|\bCleaner\b|\bvoid finalize\s?\("),
        (
            "names a test framework",
            r"\borg\.(?:junit|opentest4j|testng)\b|\bjunit\.framework\b|\bAssertions\b|\bsurefire\b",
        ),
        (
            "defines what is named as the JDK's or the framework's",
            r"^\s{0,9}package\s{1,9}(?:java|javax|jdk|sun|org\.junit|org\.opentest4j|org\.apiguardian)\b",
        ),
        (
            "looks at its callers",
            r"\bgetStackTrace\b|\bStackWalker\b|\bgetAllStackTraces\b|\bThread\s?\.\s?currentThread\b|\bReflection\b"
            r"|\bsun\.java\.command\b|/proc/(?:self|\d)|\bProcessHandle\b|\bgetInputArguments\b",
        ),
        (
            "reaches what is private",
            r"\bsetAccessible\b|\btrySetAccessible\b|\bprivateLookupIn\b|\bUnsafe\b|\bgetDeclared(?:Field|Method|Constructor)s?\b",
        ),
        (
            "looks classes up by name",
            r"\bClass\s?\.\s?forName\b|\bloadClass\b|\bfindClass\b|\bServiceLoader\b",
        ),
        (
            "loads code",
            r"\bClassLoader\b|\bdefine(?:Hidden|Anonymous)?Class\b|\bInstrumentation\b|\bpremain\b|\bagentmain\b",
        ),
        (
            "makes classes as it runs",
            r"\bProxy\s?\.\s?newProxyInstance\b|\bjavassist\b|\bnet\.bytebuddy\b|\borg\.objectweb\.asm\b",
        ),
        (
            "calls native code",
            r"\bnative\s{1,9}[\w<]|\bSystem\s?\.\s?load(?:Library)?\b|\bjava\.lang\.foreign\b",
        ),
        ("processes annotations", r"\bjavax\.annotation\.processing\b|\bAbstractProcessor\b"),
        (
            "opens sockets",
            r"\bjava\.net\.(?!URI\b|URLDecoder|URLEncoder)\w|\b(?:Server)?Socket(?:Channel)?\b|\bHttpClient\b",
        ),
        ("starts processes", r"\bProcessBuilder\b|\bgetRuntime\s?\(\s?\)\s?\.\s?exec\b"),
        (
            "starts threads",
            r"\bnew\s{1,9}Thread\b|\bThread\s?\.\s?(?:of\w+|start\w+)\b|\bExecutors\b|\bForkJoinPool\b|\bTimer\b",
        ),
        (
            "writes files",
            r"\bFile(?:Output)?Stream\b|\bFileWriter\b|\bRandomAccessFile\b|\bPrintWriter\b"
            r"|\bFiles\s?\.\s?(?:write\w*|new(?:Output|Buffered)\w*|copy|move|create\w*|delete\w*)\b|\bFileChannel\b",
        ),
        ("replaces a standard stream", r"\bSystem\s?\.\s?set(?:Out|Err|In|Properties|Property)\b"),
        (
            "equals everything",
            r"\bboolean\s{1,9}equals\s?\([^)]{0,200}\)\s{0,99}\{\s{0,99}return\s{1,9}(?:true|false)\b",
        ),
        ("decodes text", r"\bBase64\b|\bHexFormat\b|\bInflater\w*\b|\bGZIPInputStream\b|\bZipInputStream\b"),
    )
)
SECOND_NAMES = (
    re.compile(r"^[ \t]{0,40}(?:[\w<>\[\],.?@]{1,80}[ \t]+){1,8}(\w+)[ \t]?\(", re.MULTILINE),
    re.compile(r"=\s{0,9}(?:\w+\.){0,9}\w+::(\w+)\s?;"),
)
"""A method's name, and a method reference that something is set to."""


def read(entry: Entry) -> SourceText:
    """UTF-8 with Unicode escapes resolved, as the compiler does before it looks for anything else."""
    source = any_text(entry)
    if source.problem or "\\u" not in source.text:
        return source
    text = UNICODE.sub(lambda match: match[1] + chr(int(match[2], 16)), source.text)
    if SURROGATE.search(text):
        text = text.encode("utf-16", "surrogatepass").decode("utf-16", "replace")
    return SourceText(text)


def executions(lexed: Lexed) -> tuple[Execution, ...]:
    """Names of what makes code of bytes or text, programs that are started, libraries that are loaded."""
    return tuple(_executions(lexed))


def _executions(lexed: Lexed) -> Iterator[Execution]:
    texts = lexed.texts
    for place, (text, start) in enumerate(zip(texts, lexed.starts, strict=True)):
        owner = texts[max(0, place - 5) : place]
        of_the_system = owner[-1:] == (".",) and (owner[-2:-1] == ("System",) or "getRuntime" in owner)
        if text in LOADERS or (text in OF_THE_SYSTEM and of_the_system):
            yield Execution(text, start)


def _body(written: str) -> tuple[str, bool]:
    return (written[3:].removesuffix('"""'), False) if written.startswith('"""') else quoted(written)


SYNTAX = Syntax(
    suffixes=(".java",),
    definition_kinds=(
        "method_declaration",
        "constructor_declaration",
        "class_declaration",
        "interface_declaration",
        "enum_declaration",
        "record_declaration",
    ),
    read=read,
    lex=CLike(
        strings=(TEXT_BLOCK, DOUBLE, CHARACTER),
        kept=frozenset(f"{KEYWORDS} {PREDECLARED}".split()),
        own=frozenset({"this", "super"}),
        members=(".", "::"),
        body=_body,
    ).lexer(),
    executions=executions,
    constructs=CONSTRUCTS,
    second_names=SECOND_NAMES,
)
