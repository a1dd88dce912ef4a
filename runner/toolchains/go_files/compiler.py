"""Runs the go command for the builds in a sandbox. Laid beside them, root's; standard library only."""

from __future__ import annotations

import re
import subprocess
import sys
import time

GO = "/usr/bin/go"
PLACE = re.compile(r"^(?P<path>\S[^:]*):(?P<line>\d+):(?:\d+:)? (?P<text>.+)$")


def prepare(build: str) -> None:
    """Say that the cache was trimmed just now: a trim drops what the image built for the suite and is old."""
    with open(f"{build}/cache/trim.txt", "w", encoding="ascii") as stream:
        stream.write(str(int(time.time())))


def go(*arguments: str) -> tuple[bool, str]:
    """Run it in the working folder, showing its output; whether it ended well, and what it says is wrong."""
    done = subprocess.run([GO, *arguments], stdout=subprocess.PIPE, stderr=subprocess.STDOUT, check=False)
    output = done.stdout.decode("utf-8", "replace")
    sys.stdout.write(output)
    sys.stdout.flush()
    return done.returncode == 0, "" if done.returncode == 0 else first_error(output, done.returncode)


def first_error(output: str, code: int) -> str:
    """`path:line: text` of the first error that has a place, else the first line that says anything."""
    lines = [line.strip() for line in output.splitlines() if line.strip() and not line.startswith("# ")]
    for line in lines:
        if found := PLACE.match(line):
            path = found["path"].removeprefix("/sandbox/tree/").removeprefix("./")
            return f"{path}:{found['line']}: {found['text']}"
    return " ".join(lines)[:300] or f"go ended with exit code {code}"
