"""Runs a registry's client on this host, under a time limit, with the person's own settings."""

from __future__ import annotations

import os
import re
import signal
import subprocess
from collections.abc import Mapping, Sequence
from pathlib import Path

from runner.errors import SourceUnavailable
from runner.task import RegistrySource

_SECONDS = 900
_SAID_CHARACTERS = 500
_CONTROL = re.compile(r"\x1b\[[0-9;]*m")
"""Colours, which Maven sets back even where it uses none."""


def run_client(
    source: RegistrySource, command: Sequence[str], folder: Path, variables: Mapping[str, str] = {}
) -> str:
    """What the command prints, run in `folder` with `variables` beside those of this process.

    Raises SourceUnavailable, with what the client said in one line, if it fails or takes too long.
    """
    process = subprocess.Popen(
        command,
        cwd=folder,
        env={**os.environ, **variables},
        stdin=subprocess.DEVNULL,
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        text=True,
        errors="replace",
        start_new_session=True,
    )
    try:
        output, said = process.communicate(timeout=_SECONDS)
    except subprocess.TimeoutExpired:
        raise refusal(source, command[0], f"it took more than {_SECONDS} s") from None
    finally:
        if process.poll() is None:
            os.killpg(process.pid, signal.SIGKILL)
            process.communicate()
    if process.returncode:
        told = _CONTROL.sub("", said).strip() or _CONTROL.sub("", output).strip()
        raise refusal(source, command[0], told or f"exit code {process.returncode}")
    return output


def refusal(source: RegistrySource, program: str, said: str) -> SourceUnavailable:
    """The error for a client that did not give the package, and what it said."""
    line = " ".join(said.split())
    if len(line) > _SAID_CHARACTERS:
        line = line[:_SAID_CHARACTERS] + " ..."
    return SourceUnavailable(
        f"{program} did not give {source.package} {source.version}: {line.rstrip('.;')}; "
        f"check the name, the version, the network and {program}'s settings"
    )
