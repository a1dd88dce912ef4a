"""Compiles Java in a sandbox, several jobs in one process. Laid beside the builds, root's; standard library only."""

from __future__ import annotations

import os
import subprocess
import sys
from collections.abc import Sequence

JAVA = "/usr/bin/java"
FLAGS = (
    *("-XX:TieredStopAtLevel=1", "-XX:+UseSerialGC", "-XX:-UsePerfData", "-Xshare:auto"),
    *("-Dfile.encoding=UTF-8", "-Duser.language=en", "-Duser.country=US"),
)
OPTIONS = (
    "-proc:none",
    "-implicit:none",
    "-g",
    "-nowarn",
    "-Xlint:none",
    "-encoding",
    "UTF-8",
    "-sourcepath",
    "",
)


def classpath() -> str:
    """Our launcher and JUnit."""
    with open("/opt/java/classpath", encoding="utf-8") as stream:
        return stream.read()


def compile_all(jobs: Sequence[tuple[str, Sequence[str], Sequence[str]]]) -> list[str]:
    """For each job - folder of the classes, options, files - '' or its first error as `path:line: text`."""
    text = ""
    for folder, options, paths in jobs:
        os.makedirs(folder, exist_ok=True)
        text += (
            "\t".join((*OPTIONS, "-d", folder, *options))
            + "\n"
            + "".join(f"{path}\n" for path in paths)
            + "\n"
        )
    argv = [
        JAVA,
        *FLAGS,
        "-XX:SharedArchiveFile=/opt/java/compile.jsa",
        "-cp",
        "/opt/java/assay.jar",
        "assay.Compile",
    ]
    done = subprocess.run(argv, input=text.encode(), stdout=subprocess.PIPE, check=False)
    told = done.stdout.decode("utf-8", "replace").splitlines()
    sys.stdout.write("".join(f"{line}\n" for line in told if line))
    sys.stdout.flush()
    ended = f"the compiler ended with exit code {done.returncode}"
    return [told[number] if number < len(told) else ended for number in range(len(jobs))]
