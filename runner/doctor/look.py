"""Looking at this machine for `assay doctor`. Changes nothing; a sandbox that is tried is gone afterwards."""

from __future__ import annotations

import os
import shutil
import subprocess
import sys
import tempfile
from contextlib import ExitStack
from datetime import UTC, datetime
from pathlib import Path
from typing import Any, Literal
from urllib.parse import urlsplit

import docker

from runner.doctor import SHM, Engine, Found
from runner.doctor.probe import Probe, try_sandbox
from runner.engine import connect, facts, guarded
from runner.errors import AssayError, EngineUnavailable, HostFailure
from runner.image_build import REGISTRY_IMAGE

BASE_IMAGE = "assay/base"
LOCAL_NAMES = ("localhost", "127.0.0.1", "::1", None)


def look(build: Path) -> Found:
    """Everything that `doctor.examine` judges; `build` is where runs are kept."""
    with ExitStack() as at_end:
        client, problem = _engine_client()
        if client is not None:
            at_end.callback(client.close)
        return _look(build, client, problem)


def _look(build: Path, client: docker.APIClient | None, problem: str) -> Found:
    probe, probe_problem = _probe(client)
    base, mmdebstrap = _base_present(client), shutil.which("mmdebstrap") is not None
    return Found(
        python=sys.version_info[:3],
        git=_git_version(),
        engine=None if client is None else describe(client, os.environ.get("DOCKER_HOST", "")),
        engine_problem=problem,
        base_present=base,
        mmdebstrap=mmdebstrap,
        registry=False if base or mmdebstrap or client is None else _registry_answers(client),
        build_free=_free(build),
        temporary=tempfile.gettempdir(),
        temporary_free=_free(Path(tempfile.gettempdir())),
        shm_bytes=shutil.disk_usage(SHM).total if Path(SHM).is_dir() else None,
        year=datetime.now(UTC).year,
        probe=probe,
        probe_problem=probe_problem,
    )


def describe(client: docker.APIClient, address: str) -> Engine:
    """The engine's account of itself. `address` is DOCKER_HOST's, '' for the local socket."""
    known = facts(client)
    before = datetime.now(UTC)
    info: dict[str, Any] = guarded("ask the engine about itself", client.info)
    after = datetime.now(UTC)
    version: dict[str, Any] = guarded("ask the engine's version", client.version)
    folder = str(info.get("DockerRootDir") or "")
    product, remote = product_of(info, version), is_remote(address)
    return Engine(
        product=product,
        version=known.version,
        api=known.api,
        cgroup=known.cgroup,
        cgroup_driver=str(info.get("CgroupDriver") or ""),
        storage=known.storage,
        seccomp=known.seccomp,
        rootless=known.rootless,
        remote=remote,
        architecture=known.architecture,
        cpus=known.cpus,
        memory_bytes=known.memory_bytes,
        memory_limit=bool(info.get("MemoryLimit")),
        pids_limit=bool(info.get("PidsLimit")),
        swap_limit=bool(info.get("SwapLimit")),
        clock_skew_seconds=skew(str(info.get("SystemTime") or ""), before, after),
        folder=folder,
        folder_free=_free_or_none(folder) if product == "docker" and not remote else None,
    )


def product_of(info: dict[str, Any], version: dict[str, Any]) -> Literal["docker", "desktop", "podman"]:
    """Whose engine it is."""
    parts = [str(part.get("Name")) for part in version.get("Components") or []]
    if any("podman" in part.lower() for part in parts):
        return "podman"
    return "desktop" if "Docker Desktop" in str(info.get("OperatingSystem")) else "docker"


def is_remote(address: str) -> bool:
    """True if DOCKER_HOST names another machine."""
    parts = urlsplit(address)
    return parts.scheme == "ssh" or (
        parts.scheme in ("tcp", "http", "https") and parts.hostname not in LOCAL_NAMES
    )


def skew(said: str, before: datetime, after: datetime) -> float | None:
    """Seconds from our clock to the engine's, 0 within the call's own time; None if it does not tell."""
    whole, _, rest = said.partition(".")
    try:
        told = datetime.fromisoformat(f"{whole.removesuffix('Z')}.{(rest.rstrip('Z') or '0')[:6]:0<6}+00:00")
    except ValueError:
        return None
    if before <= told <= after:
        return 0.0
    return (told - after if told > after else told - before).total_seconds()


def _engine_client() -> tuple[docker.APIClient | None, str]:
    try:
        return connect(), ""
    except EngineUnavailable as error:
        return None, str(error)


def _probe(client: docker.APIClient | None) -> tuple[Probe | None, str]:
    if client is None:
        return None, ""
    try:
        return try_sandbox(client), ""
    except AssayError as error:
        return None, str(error)


def _base_present(client: docker.APIClient | None) -> bool:
    return client is not None and bool(guarded("list images", lambda: client.images(name=BASE_IMAGE)))


def _registry_answers(client: docker.APIClient) -> bool:
    try:
        guarded("ask a registry", lambda: client.inspect_distribution(REGISTRY_IMAGE))  # type: ignore[no-untyped-call]  # no stub for it
    except HostFailure:
        return False
    return True


def _git_version() -> str:
    try:
        done = subprocess.run(["git", "--version"], capture_output=True, text=True, check=False)
    except OSError:
        return ""
    return done.stdout.strip().removeprefix("git version ") if done.returncode == 0 else ""


def _free(folder: Path) -> int:
    """Free bytes where `folder` is, or will be."""
    while not folder.is_dir():
        folder = folder.parent
    return shutil.disk_usage(folder).free


def _free_or_none(folder: str) -> int | None:
    try:
        return shutil.disk_usage(folder).free
    except OSError:
        return None
