"""Rust: its lexer, how it turns bytes into code, and what a person should look at in a patch."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence

from grader.source_text import SourceText, any_text
from grader.syntax.c_like import CLike, quoted, unescaped
from grader.syntax.lexed import Execution, Lexed, Syntax
from runner.tree import Entry

KEYWORDS = (
    "as async await break const continue crate dyn else enum extern false fn for if impl in let loop match mod "
    "move mut pub ref return self Self static struct super trait true type union unsafe use where while"
)
RESERVED = "abstract become box do final gen macro override priv try typeof unsized virtual yield"
PREDECLARED = (
    "bool char f32 f64 i8 i16 i32 i64 i128 isize str u8 u16 u32 u64 u128 usize Box Clone Copy Default Drop Err "
    "Fn FnMut FnOnce From Into IntoIterator Iterator None Ok Option Ord PartialEq PartialOrd Result Some String "
    "ToString Vec assert assert_eq cfg derive format inline matches panic print println std unreachable vec write"
)
STRING = r'[bc]?"(?:[^"\\]++|\\.)*+"?'
"""A text goes on over the end of its line."""
RAW = r'b?r(?P<hashes>#+)"(?:[^"]++|"(?!(?P=hashes)))*+(?:"(?P=hashes))?'
"""A text that ends where its quote has as many hashes as at its beginning."""
RAW_PLAIN = r'b?r"[^"]*+"?'
CHARACTER = r"b?'(?:[^'\\\r\n]|\\u\{[\da-fA-F_]*+\}|\\[^'\r\n]{0,9}+'?)'"
LIFETIME = r"'[^\W\d]\w*+|r#[^\W\d]\w*+"
"""A quote that closes nothing, and a keyword in use as a name."""
RAW_BODY = re.compile(r'b?r(#*)"')
RAW_NAME = re.compile(rf"\br#(?!(?:{'|'.join((*KEYWORDS.split(), *RESERVED.split()))})\b)(?=[^\W\d])")
"""`r#name` where it says nothing that `name` does not."""
LOADERS = frozenset(
    {
        *(
            "dlmopen",
            "dlopen",
            "dlsym",
            "libloading",
            "memfd_create",
            "mprotect",
            "PROT_EXEC",
            "SYS_mprotect",
        ),
        *("asm", "global_asm", "naked_asm", "proc_macro", "TokenStream"),
        *("boa_engine", "mlua", "rhai", "rlua", "wasmer", "wasmi", "wasmtime"),
    }
)
"""What loads code, makes memory executable, has machine code in it or makes code of tokens."""

SHEBANG = re.compile(r"\ufeff?#!(?!\[)")
MOST_OF_AN_ATTRIBUTE = 200

CONSTRUCTS: tuple[tuple[str, re.Pattern[str]], ...] = tuple(
    (name, re.compile(pattern, re.MULTILINE))
    for name, pattern in (
        (
            "leaves the process",
            r"\bprocess::(?:exit|abort|id)\b|\b(?:_exit|_Exit|quick_exit|abort|kill|raise|exec[lv]p?e?)\s?\(",
        ),
        ("runs before main", r"\blink_section\b|\.(?:pre)?init_array|\bctor\b|\blinkme\b|\binventory::"),
        ("runs at exit", r"\batexit\b|\.fini_array|\bdtor\b"),
        (
            "changes how a panic ends",
            r"\b(?:set_hook|take_hook|catch_unwind|resume_unwind|panic_any|panic_handler)\b",
        ),
        (
            "changes a symbol",
            r"\b(?:no_mangle|export_name|linkage|link_name)\b|#!?\[(?:unsafe\()?link\b|\blink_args\b",
        ),
        ("calls native code", r"\bextern\s{1,9}\"|\blibc::|\btransmute\b"),
        (
            "defines a macro by a known name",
            r"\bmacro_rules!\s{0,9}(?:assert\w*|panic|matches|vec|format|debug_assert\w*|print\w*|write\w*|unreachable)\b",
        ),
        (
            "names a test framework",
            r"\blibtest\b|#\[(?:cfg\()?test\b|cfg!\(test\)|\btest_count\b|\bRUSTC_BOOTSTRAP\b|\bRUST_TEST_",
        ),
        (
            "equals everything",
            r"\bfn\s{1,9}(?:eq|ne)\s?\([^)]{0,200}\)\s?->\s?bool\s{0,99}\{\s{0,99}(?:true|false)\b",
        ),
        (
            "looks at its callers",
            r"\btrack_caller\b|\bLocation::caller\b|\bBacktrace\b|\bthread::current\b|\benv::args|/proc/(?:self|\d)"
            r"|\bcurrent_exe\b",
        ),
        ("starts threads", r"\bthread::(?:spawn|Builder|scope)\b"),
        ("starts processes", r"\bCommand::new\b|\b(?:v?fork|posix_spawnp?)\s?\("),
        ("opens sockets", r"\bstd::net\b|\b(?:Tcp|Udp|Unix)(?:Stream|Listener|Socket|Datagram)\b"),
        (
            "writes files",
            r"\bFile::create|\bOpenOptions\b|\bfs::(?:write|rename|remove\w*|copy|hard_link|create_dir\w*)\b"
            r"|\bfrom_raw_fd\b|\bFromRawFd\b",
        ),
        ("reads files into the program", r"\binclude(?:_str|_bytes)?!|\b(?:option_)?env!\("),
    )
)
SECOND_NAMES = (
    re.compile(r"\bfn (\w+)"),
    re.compile(
        r"^\s{0,40}(?:pub )?(?:const|static|let) \w+(?:: [^=\n]{0,200})?\s?= (?:\w+::){0,9}(\w+);$",
        re.MULTILINE,
    ),
)


def body(written: str) -> tuple[str, bool]:
    """What stands between a literal's quotes, and whether a backslash in it means itself."""
    if raw := RAW_BODY.match(written):
        return written[raw.end() :].removesuffix(f'"{raw[1]}'), True
    return quoted(written)


def rust_text(entry: Entry) -> SourceText:
    """Rust source, names without a mark they do not need; no line before the code that is read by nobody."""
    source = any_text(entry)
    if SHEBANG.match(source.text):
        return SourceText(problem="begins with a line for a shell; take it out")
    return SourceText(RAW_NAME.sub("", source.text), source.problem)


def executions(lexed: Lexed) -> tuple[Execution, ...]:
    """Names of what loads or makes code, includes of what is computed or no source, code in a data section."""
    return tuple(_executions(lexed))


def _executions(lexed: Lexed) -> Iterator[Execution]:
    texts = (*lexed.texts, "", "", "")
    for place, start in enumerate(lexed.starts):
        text, after = texts[place], texts[place + 1 : place + 4]
        if text in LOADERS:
            yield Execution(text, start)
        if text == "include" and after[:2] == ("!", "(") and not _source(after[2]):
            yield Execution("include!", start)
        if text == "path" and after[0] == "=" and not _source(after[1]) and _in_attribute(texts, place):
            yield Execution("#[path]", start)
        if text == "cr" and after[0].startswith(("'", "#")):
            yield Execution('cr""', start)  # a text of its own in some editions, two tokens in others
        if text == "link_section" and after[0] == "=" and not _data(after[1]):
            yield Execution("link_section", start)


def _source(token: str) -> bool:
    """Whether a token is the name of a Rust file, which the other checks read as one."""
    return token.startswith("'") and token.endswith(".rs")


def _data(token: str) -> bool:
    """Whether a token is the name of a section that holds no code."""
    name = unescaped(token[1:])
    return token.startswith("'") and not name.startswith(".text") and name not in (".init", ".fini", ".plt")


def _in_attribute(texts: Sequence[str], place: int) -> bool:
    """Whether what stands there is what an attribute is about, or one that `cfg_attr` gives."""
    if texts[place - 1] == "[":
        return True
    for before in range(place - 1, max(place - MOST_OF_AN_ATTRIBUTE, 0), -1):
        if texts[before] == "cfg_attr" and texts[before - 1] == "[":
            return True
        if texts[before] in (";", "#"):
            return False
    return False


SYNTAX = Syntax(
    suffixes=(".rs",),
    definition_kinds=(
        "function_item",
        "impl_item",
        "struct_item",
        "enum_item",
        "trait_item",
        "macro_definition",
    ),
    unparsed="token_tree",
    read=rust_text,
    lex=CLike(
        strings=(RAW, RAW_PLAIN, STRING, CHARACTER),
        kept=frozenset(f"{KEYWORDS} {PREDECLARED}".split()),
        own=frozenset({"self", "Self", "crate", "super"}),
        members=(".", "::"),
        extra=LIFETIME,
        body=body,
        comments_nest=True,
        separators="_",
    ).lexer(),
    executions=executions,
    constructs=CONSTRUCTS,
    second_names=SECOND_NAMES,
)
