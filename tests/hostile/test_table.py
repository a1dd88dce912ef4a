"""Hostile and broken input, each with its verdict: one table, against a shipped task, the host unharmed."""

from __future__ import annotations

import base64
import hashlib
import zlib
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from typing import Any

import pytest

from grader.result import Result
from runner.tree import EXECUTABLE, SYMLINK, Entry

REPORT = "/sandbox/reports/report.jsonl"
README = "README.rst"


@dataclass(frozen=True)
class Row:
    """What comes in, the verdict, what the reason says, what the evidence holds, and lowered limits."""

    name: str
    patch: Callable[[Any], bytes]
    verdict: str
    says: tuple[str, ...] = ()
    facts: Mapping[str, object] = field(default_factory=dict)
    limits: Mapping[str, int] = field(default_factory=dict)
    slow: bool = False
    engine: bool = True


def running(body: str) -> Callable[[Any], bytes]:
    """The gold, running `body` inside the first test that looks into a cache."""
    return lambda ground: ground.gold_that_runs(body)


def reporting(body: str) -> Callable[[Any], bytes]:
    """The gold, doing something to the report once the suite has ended."""
    last = "".join(f"    {line}\n" for line in body.strip().splitlines())
    head = f"import atexit, json, os\nreport = {REPORT!r}\n\ndef _last():\n"
    return running(f"{head}{last}\natexit.register(_last)")


def written(text: str) -> Callable[[Any], bytes]:
    """The gold, with `text` (a Python expression, str) where the report was."""
    return reporting(f"open(report, 'w').write({text})")


def literally(patch: bytes) -> Callable[[Any], bytes]:
    return lambda ground: patch


def adding(path: str, data: bytes = b"text\n", mode: str = "100644") -> bytes:
    """A hand-made patch that adds one file, whatever its path."""
    lines = data.decode("latin-1").splitlines()
    body = "".join(f"+{line}\n" for line in lines).encode("latin-1")
    head = f"diff --git a/{path} b/{path}\nnew file mode {mode}\n--- /dev/null\n+++ b/{path}\n"
    return head.encode("utf-8", "surrogateescape") + f"@@ -0,0 +1,{len(lines)} @@\n".encode() + body


def readme_edit(ground: Any) -> bytes:
    """One honest line in the readme: nothing breaks, nothing is gained."""
    return bytes(ground.with_paths({README: ground.base[README].data + b"One more line.\n"}))


def renamed(ground: Any) -> bytes:
    name = README.encode()
    return b"diff --git a/%b b/docs/%b\nsimilarity index 100%%\nrename from %b\nrename to docs/%b\n" % (
        (name,) * 4
    )


def literal_of_zeros(megabytes: int) -> bytes:
    """A binary hunk: a few kilobytes that unpack to zeros."""
    data = bytes(megabytes << 20)
    packed, lines = zlib.compress(data, 9), []
    for at in range(0, len(packed), 52):
        piece = packed[at : at + 52]
        length = chr(64 + len(piece)) if len(piece) <= 26 else chr(70 + len(piece))
        lines.append(length + base64.b85encode(piece, pad=True).decode())
    blob = hashlib.sha1(b"blob %d\0" % len(data) + data).hexdigest()
    head = f"diff --git a/docs/z.bin b/docs/z.bin\nnew file mode 100644\nindex {'0' * 40}..{blob}\n"
    body = "\n".join(["GIT binary patch", f"literal {len(data)}", *lines, "", "literal 0", "HcmV?d00001"])
    return f"{head}{body}\n\n".encode()


def folder_where_the_base_has_a_file(ground: Any) -> bytes:
    files = {"setup.cfg/notes.txt": b"text\n", "tests": b"a file where the suite goes\n"}
    gone = tuple(path for path in ground.base if path == "setup.cfg" or path.startswith("tests/"))
    return bytes(ground.with_paths(files, gone))


def many_folders(ground: Any) -> bytes:
    return bytes(ground.with_paths({f"d{n}/" + "e/" * 30 + "f.txt": b"" for n in range(400)}))


FLOOD = """
import os
piece = b"x" * (1 << 20)
for _ in range(1024):
    at = 0
    while at < len(piece):
        at += os.write(1, piece[at:])
"""
FILL = """
with open({path!r}, "wb") as stream:
    while True:
        stream.write(b"x" * (1 << 20))
"""
ATTACK_ON_PID_1 = """
import os, signal
for number in (signal.SIGKILL, signal.SIGSTOP, signal.SIGTERM, signal.SIGSEGV):
    try:
        os.kill(1, number)
    except PermissionError:
        pass
for name in ("mem", "fd/0", "fd/1", "oom_score_adj"):
    try:
        open("/proc/1/" + name, "wb")
    except OSError:
        pass
"""
SYSTEM_V_BOMB = """
import ctypes
libc = ctypes.CDLL(None)
libc.shmat.restype = ctypes.c_void_p
while True:
    at = libc.shmat(libc.shmget(0, 1 << 24, 0o1600), None, 0)
    ctypes.memset(at, 1, 1 << 24)
"""
ENTITY_BOMB = """
bomb = "".join(f'<!ENTITY {c} "{"&a;" * 10}">' for c in "bcdefg")
open(report, "w").write(f'<!DOCTYPE l [<!ENTITY a "l">{bomb}]><l>&g;</l>')
"""
ODD_SECONDS = """
event = {"event": "end", "id": "x", "outcome": "passed", "message": "\\ud800", "seconds": float("nan")}
open(report, "w").write(json.dumps(event))
"""
SETSID = "import subprocess\nsubprocess.Popen(['/bin/sleep', '1000'], start_new_session=True)"
NAMED = "while tests/"

TABLE = (
    # ------------------------------------------------------------ programs
    Row(
        "output-not-utf-8",
        running("import os\nos.write(1, bytes(range(128, 256)) * 10)"),
        "resolved",
        facts={"output": bytes(range(128, 256)) * 10},
    ),
    Row(
        "output-of-1-gb",
        running(FLOOD),
        "exhausted",
        ("output (2 MB)", NAMED),
        {"limit": "output", "phase": "test", "cut": True},
    ),
    Row(
        "output-of-1-gb-allowed",
        running(FLOOD),
        "resolved",
        facts={"cut": True},
        limits={"output_mb": 2000, "cpu_seconds": 120},
        slow=True,
    ),
    Row(
        "fork-bomb",
        running("import os\nwhile True:\n    try:\n        os.fork()\n    except OSError:\n        pass"),
        "exhausted",
        ("process (24 at once)", NAMED),
        {"limit": "processes", "phase": "test"},
    ),
    Row(
        "memory-bomb",
        running("kept = []\nwhile True:\n    kept.append(b'x' * (1 << 24))"),
        "exhausted",
        ("memory (96 MB)", NAMED),
        {"limit": "memory", "phase": "test"},
    ),
    Row(
        "memory-bomb-in-system-v-shared-memory",
        running(SYSTEM_V_BOMB),
        "exhausted",
        ("memory (96 MB)",),
        {"limit": "memory", "phase": "test"},
    ),
    *(
        Row(
            f"fills-{name}",
            running(FILL.format(path=path)),
            "exhausted",
            ("disk (32 MB)",),
            {"limit": "disk", "phase": "test"},
        )
        for name, path in (("disk", "/sandbox/tree/x"), ("shared-memory", "/dev/shm/x"), ("tmp", "/tmp/x"))
    ),
    Row(
        "fills-inodes",
        running("number = 0\nwhile True:\n    open(f'/sandbox/tree/x{number}', 'w').close()\n    number += 1"),
        "exhausted",
        ("disk (32 MB)",),
        {"limit": "disk", "phase": "test"},
    ),
    Row(
        "sleeps-for-ever",
        running("import time\nwhile True:\n    time.sleep(1000)"),
        "exhausted",
        ("wall clock (8 s)", NAMED),
        {"limit": "wall", "phase": "test"},
        {"wall_seconds": 8},
    ),
    Row(
        "burns-cpu",
        running("while True:\n    pass"),
        "exhausted",
        ("CPU time (5 s)", NAMED),
        {"limit": "cpu", "phase": "test"},
        {"cpu_seconds": 5},
    ),
    Row("setsid-child-outlives-the-tests", running(SETSID), "resolved", facts={"swept": 1}),
    Row(
        "kills-the-supervisor",
        running(ATTACK_ON_PID_1),
        "resolved",
    ),
    Row(
        "kills-every-process",
        running("import os\ntry:\n    os.kill(-1, 9)\nfinally:\n    os.kill(os.getpid(), 9)"),
        "broken",
        ("SIGKILL", NAMED),
    ),
    Row("leaves-early", running("import os\nos._exit(0)"), "broken", ("exit code 0", NAMED)),
    # ------------------------------------------------------------ reports
    Row("report-huge", reporting("os.truncate(report, 1 << 25)"), "broken", ("larger than",)),
    Row(
        "report-an-entity-bomb",
        reporting(ENTITY_BOMB),
        "broken",
        ("not valid",),
    ),
    Row("report-deeply-nested", written("'[' * 1000000"), "broken", ("not valid",)),
    Row("report-of-empty-lines", written("'\\n' * (1 << 23)"), "broken", ("not valid",)),
    Row("report-of-one-line", written("'[' + '[],' * (5 << 20) + '1]'"), "broken", ("not valid",)),
    Row(
        "report-with-a-lone-surrogate", written("json.dumps({'event': '\\ud800'})"), "broken", ("not valid",)
    ),
    Row("report-not-utf-8", reporting("open(report, 'wb').write(b'\\xff\\xfe')"), "broken", ("not valid",)),
    Row(
        "report-counts-infinitely",
        written('\'{"event": "done", "tests": Infinity}\''),
        "broken",
        ("not valid",),
    ),
    Row(
        "report-with-odd-seconds",
        reporting(ODD_SECONDS),
        "broken",
    ),
    Row("report-gone", reporting("os.unlink(report)"), "broken", ("not taken",)),
    *(
        Row(f"report-a-{name}", reporting(f"os.unlink(report)\n{code}"), "broken", ("not taken",))
        for name, code in (
            ("link", "os.symlink('/sandbox/trusted/settings.json', report)"),
            ("fifo", "os.mkfifo(report)"),
            ("folder", "os.mkdir(report)"),
        )
    ),
    # ------------------------------------------------------------ patches that are taken
    Row("empty", literally(b""), "incomplete"),
    Row("white-space-only", literally(b"\n \n"), "incomplete"),
    Row(
        "without-final-newline",
        lambda ground: readme_edit(ground).rstrip(b"\n"),
        "incomplete",
        facts={"repairs": ("final-newline",)},
    ),
    Row(
        "with-crlf",
        lambda ground: readme_edit(ground).replace(b"\n", b"\r\n"),
        "incomplete",
        facts={"repairs": ("line-endings",)},
    ),
    Row("binary-hunk", lambda ground: ground.with_paths({"docs/x.bin": bytes(range(256)) * 4}), "incomplete"),
    Row("rename-only", renamed, "incomplete"),
    Row(
        "mode-only",
        lambda ground: ground.with_paths({README: Entry(EXECUTABLE, ground.base[README].data)}),
        "incomplete",
    ),
    Row("lone-surrogate-in-text", literally(adding("docs/x.txt", b"\xed\xa0\x80\n")), "incomplete"),
    Row(
        "lone-surrogate-in-source",
        literally(adding("src/cachetools/x.py", b"x = '\xed\xa0\x80'\n")),
        "broken",
        ("does not build",),
    ),
    Row("name-of-255-bytes", lambda ground: ground.with_paths({"docs/" + "n" * 255: b"x\n"}), "incomplete"),
    Row("500-folders-deep", lambda ground: ground.with_paths({"d/" * 500 + "x": b"x\n"}), "incomplete"),
    Row("folder-for-file-and-file-for-folder", folder_where_the_base_has_a_file, "incomplete"),
    Row(
        "link-inside",
        lambda ground: ground.with_paths({"docs/x": Entry(SYMLINK, b"../README.rst")}),
        "incomplete",
    ),
    Row(
        "fills-disk-as-placed",
        literally(literal_of_zeros(40)),
        "exhausted",
        ("disk (32 MB)", "place phase"),
        {"limit": "disk", "phase": "place"},
    ),
    Row(
        "fills-inodes-as-placed",
        many_folders,
        "exhausted",
        ("disk (16 MB)", "place phase"),
        {"limit": "disk", "phase": "place"},
        {"disk_mb": 16},
    ),
    # ------------------------------------------------------------ patches that are refused
    *(
        Row(name, patch, "rejected", says, {"code": code}, engine=False)
        for name, patch, code, says in (
            (
                "wrong-hunk-counts",
                lambda ground: readme_edit(ground).replace(b",4 @@", b",9 @@"),
                "wrong-counts",
                (),
            ),
            (
                "binary-without-data",
                literally(
                    b"diff --git a/README.rst b/README.rst\nindex 1111111..2222222 100644\n"
                    b"Binary files a/README.rst and b/README.rst differ\n"
                ),
                "binary-without-data",
                (),
            ),
            (
                "missing-file",
                lambda ground: readme_edit(ground).replace(b"README.rst", b"NOWHERE.rst"),
                "missing-file",
                ("NOWHERE.rst",),
            ),
            ("text-that-is-no-diff", literally(b"I moved the function.\n"), "no-diff", ()),
            ("50-mb", literally(adding("docs/x.txt") + b"+" + b"x" * 50_000_000 + b"\n"), "too-large", ()),
            ("unpacks-to-70-mb", literally(literal_of_zeros(70)), "too-large", ()),
            ("dot-dot", literally(adding("../x")), "bad-path", ()),
            ("dot-dot-inside", literally(adding("docs/../../x")), "bad-path", ()),
            ("absolute", literally(b"--- /dev/null\n+++ /etc/x\n@@ -0,0 +1 @@\n+x\n"), "bad-path", ()),
            ("into-git", literally(adding(".git/hooks/post-checkout")), "bad-path", (".git",)),
            ("into-git-in-disguise", literally(adding("docs/.GIT /config")), "bad-path", ()),
            (
                "link-out",
                lambda ground: ground.with_paths({"docs/x": Entry(SYMLINK, b"../../etc/passwd")}),
                "bad-link",
                (),
            ),
            (
                "link-to-absolute",
                lambda ground: ground.with_paths({"x": Entry(SYMLINK, b"/etc/passwd")}),
                "bad-link",
                (),
            ),
            (
                "link-with-nul",
                lambda ground: ground.with_paths({"x": Entry(SYMLINK, b"docs\0x")}),
                "bad-link",
                (),
            ),
            (
                "link-of-5000-bytes",
                lambda ground: ground.with_paths(
                    {"x": Entry(SYMLINK, b"docs/" + b"../docs/" * 600 + b"index.rst")}
                ),
                "bad-link",
                (),
            ),
            (
                "beyond-a-link",
                lambda ground: ground.with_paths({"x": Entry(SYMLINK, b"docs")}) + adding("x/y"),
                "beyond-link",
                (),
            ),
            (
                "submodule",
                literally(
                    b"diff --git a/sub b/sub\nnew file mode 160000\nindex 0000000..1111111\n"
                    b"--- /dev/null\n+++ b/sub\n"
                    b"@@ -0,0 +1 @@\n+Subproject commit 1111111111111111111111111111111111111111\n"
                ),
                "submodule",
                (),
            ),
            ("gitmodules", literally(adding(".gitmodules")), "submodule", ()),
            (
                "lone-surrogate-in-path",
                literally(adding('"docs/\\355\\240\\200"'.strip('"'))),
                "bad-path",
                (),
            ),
            ("name-of-256-bytes", literally(adding("docs/" + "n" * 256)), "bad-path", ()),
            (
                "newline-in-path",
                literally(
                    b'diff --git "a/x\\ny" "b/x\\ny"\nnew file mode 100644\n--- /dev/null\n'
                    b'+++ "b/x\\ny"\n@@ -0,0 +1 @@\n+x\n'
                ),
                "bad-path",
                (),
            ),
            ("nul-bytes", literally(b"\0" * 1000), "no-diff", ()),
        )
    ),
)


def marked(row: Row) -> Any:
    marks = [pytest.mark.engine, *([pytest.mark.slow] if row.slow else [])]
    return pytest.param(row, id=row.name, marks=marks)


@pytest.mark.parametrize("row", [marked(row) for row in TABLE])
def test_each_gets_its_verdict_and_harms_nothing(row: Row, ground: Any, judged: Any) -> None:
    outcome = judged(row.patch(ground), **row.limits)
    result = outcome.result
    assert result.verdict == row.verdict, (result.reason, outcome.evidence)
    for words in row.says:
        assert words in result.reason
    for name, expected in row.facts.items():
        found = outcome.facts[name]
        assert expected in found if name == "output" else found == expected, (name, found)
    assert Result.model_validate_json(result.model_dump_json()) == result
    assert outcome.evidence.host_failure == ""
    assert bool(outcome.evidence.passes) == row.engine
