"""Constructs of Python that a person should look at in what a patch adds."""

from __future__ import annotations

import re

CONSTRUCTS: tuple[tuple[str, re.Pattern[str]], ...] = tuple(
    (name, re.compile(pattern, re.MULTILINE))
    for name, pattern in (
        ("leaves the process", r"\bos\._exit\b|\bos\.(?:kill|abort|exec[lv]p?e?)\b|\b_exit\s*\("),
        ("runs at exit", r"\batexit\b"),
        (
            "traces execution",
            r"\bsys\.(?:settrace|setprofile|monitoring)\b|\bthreading\.set(?:trace|profile)\b",
        ),
        ("searches live objects", r"\bgc\.get_(?:objects|referrers)\b"),
        (
            "looks at its callers",
            r"\binspect\.(?:stack|currentframe)\b|\b_getframe\b|\blinecache\b|\bf_back\b",
        ),
        ("names a test framework", r"\b_?pytest\b|\bunittest\b|PYTEST_CURRENT_TEST|\bTestReport\b"),
        ("equals everything", r"def __eq__\([^)]{0,200}\)[^:\n]{0,99}:\s{0,99}return True\b"),
        (
            "hooks imports",
            r"\bsys\.(?:meta_path|path|path_hooks|path_importer_cache|modules)\b"
            r"|\b__path__\b|\bbuiltins\.\w+\s*=[^=]|\b__import__\b",
        ),
        ("calls native code", r"\bctypes\b|\bcffi\b"),
        ("opens sockets", r"\bsocket\b"),
        ("starts processes", r"\bsubprocess\b|\bos\.(?:system|popen|fork|spawn\w*|posix_spawn\w*)\b"),
        (
            "writes files",
            r"\bopen\([^\n]{0,200},\s{0,9}(?:mode\s?=\s?)?[\"'](?:[wax]b?\+?|rb?\+)[\"']"
            r"|\.write_(?:text|bytes)\(|\bos\.O_(?:WRONLY|RDWR)\b",
        ),
        ("replaces time", r"\btime\.(?:time|sleep|monotonic|perf_counter)\s*=[^=]|\bfreezegun\b"),
        (
            "decodes text",
            r"\b(?:base64|codecs|zlib|lzma|bz2|binascii)\.\w*(?:decode|decompress|unhexlify|a2b)\w*",
        ),
    )
)

SECOND_NAMES = (
    re.compile(r"^def (\w+)", re.MULTILINE),
    re.compile(r"^\w+\s*=\s*(\w+)\s*$", re.MULTILINE),
)
