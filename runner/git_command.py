"""Git as we run it: through GitPython, with nothing of the person's or the host's configuration."""

from __future__ import annotations

import os
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


def hardened_environment() -> dict[str, str]:
    """Variables under which git reads no configuration, attributes or hooks but ours, and never asks."""
    environment = {
        "GIT_ATTR_NOSYSTEM": "1",
        "GIT_ALTERNATE_OBJECT_DIRECTORIES": "",
        "GIT_CONFIG_COUNT": str(len(_SETTINGS)),
        "GIT_CONFIG_GLOBAL": os.devnull,
        "GIT_CONFIG_NOSYSTEM": "1",
        "GIT_CONFIG_PARAMETERS": "",
        "GIT_CONFIG_SYSTEM": os.devnull,
        "GIT_NO_REPLACE_OBJECTS": "1",
        "GIT_TERMINAL_PROMPT": "0",
    }
    for number, (key, value) in enumerate(_SETTINGS.items()):
        environment[f"GIT_CONFIG_KEY_{number}"] = key
        environment[f"GIT_CONFIG_VALUE_{number}"] = value
    return environment


def hardened_git(folder: Path, **environment: str) -> git.Git:
    """A git command that runs in `folder` under `hardened_environment` and the variables given."""
    command = git.Git(folder)
    command.update_environment(**hardened_environment(), **environment)
    return command
