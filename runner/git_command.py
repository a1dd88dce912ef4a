"""Git as we run it: through GitPython, with nothing of the person's or the host's configuration."""

from __future__ import annotations

import os
import subprocess
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path

import git

_SETTINGS = {
    "core.attributesFile": os.devnull,
    "core.autocrlf": "false",
    "core.fsync": "none",
    "core.fsmonitor": "false",
    "core.hooksPath": os.devnull,
    "core.precomposeUnicode": "false",
    "core.protectHFS": "true",
    "core.protectNTFS": "true",
    "core.quotePath": "true",
    "core.safecrlf": "false",
    "gc.auto": "0",
    "protocol.ext.allow": "never",
    "safe.directory": "*",
}


@dataclass(frozen=True, slots=True)
class GitOutput:
    """How a git command ended: its exit code, its output, and what it said on the side."""

    status: int
    stdout: bytes
    stderr: str


def hardened_git(folder: Path, variables: Mapping[str, str], *, personal: bool = False) -> git.Git:
    """A git command in `folder` under `variables`: our settings, no hooks, no attributes, no questions.

    `personal` leaves the person's configuration readable: proxies, credentials, mirrors for a fetch.
    """
    environment = {
        "GIT_ALTERNATE_OBJECT_DIRECTORIES": "",
        "GIT_ATTR_NOSYSTEM": "1",
        "GIT_CONFIG_COUNT": str(len(_SETTINGS)),
        "GIT_CONFIG_PARAMETERS": "",
        "GIT_NO_REPLACE_OBJECTS": "1",
        "GIT_TERMINAL_PROMPT": "0",
    }
    if not personal:
        environment |= {
            "GIT_CONFIG_GLOBAL": os.devnull,
            "GIT_CONFIG_NOSYSTEM": "1",
            "GIT_CONFIG_SYSTEM": os.devnull,
        }
    for number, (key, value) in enumerate(_SETTINGS.items()):
        environment |= {f"GIT_CONFIG_KEY_{number}": key, f"GIT_CONFIG_VALUE_{number}": value}
    command = git.Git(folder)
    command.update_environment(**{**environment, **variables})
    return command


def run_git(
    folder: Path,
    words: Sequence[str],
    variables: Mapping[str, str],
    *,
    data: bytes = b"",
    seconds: int | None = None,
    personal: bool = False,
) -> GitOutput:
    """Run git in `folder` with `data` on its input. Raises subprocess.TimeoutExpired after `seconds`."""
    command = hardened_git(folder, variables, personal=personal)
    process = command.execute(["git", *words], istream=subprocess.PIPE, as_process=True)
    try:
        stdout, stderr = process.communicate(data, timeout=seconds)
    finally:
        if process.poll() is None:
            process.kill()
            process.communicate()
    return GitOutput(process.returncode, stdout, stderr.decode("utf-8", "replace"))
