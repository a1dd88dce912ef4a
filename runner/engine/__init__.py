"""The container engine at hand: reaching it, and what it can do."""

from __future__ import annotations

import os
from collections.abc import Callable
from dataclasses import dataclass
from typing import TypeVar

import docker
import requests
from docker.errors import APIError, DockerException

from runner.errors import EngineUnavailable, HostFailure

T = TypeVar("T")

CALL_SECONDS = 60


@dataclass(frozen=True, slots=True)
class EngineFacts:
    """What a result records of the engine."""

    version: str
    api: str
    cgroup: str
    """`v1` or `v2`."""
    storage: str
    seccomp: bool
    rootless: bool
    operating_system: str
    architecture: str
    cpus: int
    memory_bytes: int


def connect() -> docker.APIClient:
    """A client of the engine that the environment names (`DOCKER_HOST`), else of the local socket.

    Raises EngineUnavailable with what to do.
    """
    try:
        client = docker.from_env(timeout=CALL_SECONDS).api
        client.ping()
    except (DockerException, requests.RequestException, OSError) as error:
        named = os.environ.get("DOCKER_HOST", "")
        place = f" at DOCKER_HOST={named}; unset it, or" if named else ";"
        raise EngineUnavailable(
            f"no container engine answers{place} run `make engine`, or start Docker and try again"
        ) from error
    return client


def facts(client: docker.APIClient) -> EngineFacts:
    """Ask the engine about itself."""
    info = guarded("ask the engine about itself", client.info)
    version = guarded("ask the engine's version", client.version)
    options = " ".join(info.get("SecurityOptions") or [])
    return EngineFacts(
        version=str(version["Version"]),
        api=str(version["ApiVersion"]),
        cgroup="v" + str(info.get("CgroupVersion") or "1"),
        storage=str(info["Driver"]),
        seccomp="seccomp" in options,
        rootless="rootless" in options,
        operating_system=str(info["OperatingSystem"]),
        architecture=str(info["Architecture"]),
        cpus=int(info["NCPU"]),
        memory_bytes=int(info["MemTotal"]),
    )


def guarded(what: str, call: Callable[[], T]) -> T:
    """Run an engine call; whatever it raises becomes a HostFailure that says what could not be done."""
    try:
        return call()
    except APIError as error:
        raise HostFailure(f"could not {what}: the engine says: {error.explanation or _first_line(error)}") from error
    except (DockerException, requests.RequestException, OSError) as error:
        raise EngineUnavailable(
            f"could not {what}: the engine does not answer ({_first_line(error)}); run `make engine`"
        ) from error


def _first_line(error: BaseException) -> str:
    return (str(error).splitlines() or [type(error).__name__])[0][:200]
