"""Constructs of C++ that a person should look at in what a patch adds."""

from __future__ import annotations

import re

CONSTRUCTS: tuple[tuple[str, re.Pattern[str]], ...] = tuple(
    (name, re.compile(pattern, re.MULTILINE))
    for name, pattern in (
        (
            "leaves the process",
            r"\b(?:_exit|_Exit|quick_exit|exit|abort|kill|raise|terminate|longjmp|siglongjmp)\s?\(",
        ),
        ("runs at exit", r"\b(?:atexit|at_quick_exit|on_exit|set_terminate|set_new_handler|__cxa_atexit)\b"),
        (
            "runs before main",
            r"\b(?:constructor|destructor|init_priority|ifunc)\b\s?(?:\(|\)|,)|\.(?:pre)?init_array",
        ),
        ("handles signals", r"\b(?:sigaction|signal|sigsetjmp|SIG_IGN)\b"),
        (
            "names a test framework",
            r"\bg(?:test|mock)\b|\btesting\s?::|\bGTEST_\w+|\b(?:EXPECT|ASSERT)_(?:EQ|NE|TRUE|FALSE|STREQ|NEAR)\b"
            r"|\bUnitTest\b|\bTestEventListener\w*",
        ),
        ("equals everything", r"\boperator\s?==\s?\([^)]{0,200}\)[^{};]{0,60}\{\s{0,99}return true\b"),
        (
            "looks at its callers",
            r"\b(?:backtrace|dladdr|dl_iterate_phdr)\b|__builtin_(?:return|frame)_address|/proc/(?:self|\d)",
        ),
        ("starts processes", r"\b(?:v?fork|clone3?|system|popen|exec[lv]p?e?|posix_spawnp?)\s?\("),
        ("starts threads", r"\bpthread_create\b|\bstd\s?::\s?j?thread\b|\bstd\s?::\s?async\b"),
        ("opens sockets", r"\b(?:socket|socketpair|connect|getaddrinfo)\s?\("),
        (
            "writes files",
            r"\b(?:fopen|freopen)\s?\([^\n]{0,200}\"[wa]|\bo?fstream\b|\bO_(?:WRONLY|RDWR|CREAT)\b"
            r"|\b(?:rename|unlink|truncate|ftruncate|pwrite|process_vm_writev)\s?\(",
        ),
        ("has assembly", r"\b(?:asm|__asm__|__asm)\b"),
        (
            "changes a symbol",
            r"\b(?:weak|alias|symver|visibility)\s?\(|#\s?pragma\s+weak\b|__attribute__\s?\(\(weak",
        ),
        (
            "replaces a function of the system",
            r"\bextern\s?\"C\"[^\n;]{0,120}\b(?:mem(?:cmp|cpy|set)|str\w{2,8}|write|f?open|exit|_exit|malloc|abort)\s?\(",
        ),
        (
            "defines a macro by a known name",
            r"^\s{0,40}#\s{0,9}define\s{1,9}(?:EXPECT_|ASSERT_|TEST|GTEST|ADD_FAILURE|main\b|return\b|private\b|if\b)",
        ),
        ("pastes names together", r"##"),
        ("steers the compiler", r"#\s?pragma\s+(?:GCC|clang)\b|__attribute__\s?\(\(optimize"),
    )
)

SECOND_NAMES = (
    re.compile(r"\b(\w++)\s?\([^()\n]*+\)\s*+\{"),
    re.compile(
        r"=\s?&?\s?(?:\w++::)?(\w++)\s?;|^\s{0,40}#\s{0,9}define\s{1,9}\w++\s{1,9}(\w++)\s*$", re.MULTILINE
    ),
)
