"""`make engine`: an engine that answers, whatever it takes on a machine of ours, or what a person has to do.

    python -m runner.engine.start

Exit code 0 when an engine answers, 3 with a sentence when it cannot be had.
"""

from __future__ import annotations

import os
import platform
import shutil
import sys
from collections.abc import Callable
from contextlib import closing
from dataclasses import dataclass
from pathlib import Path
from typing import Literal, assert_never

import docker
import requests
from docker.errors import DockerException

from runner.engine.steps import KEYRING, clear_leftovers, dockerd_lives, install, start, wait
from runner.errors import EngineUnavailable

DEFAULT_SOCKET = Path("/var/run/docker.sock")
PING_SECONDS = 5
BASE_IMAGE = "assay/base"

Step = Literal["install", "clear", "start", "wait"]


@dataclass(frozen=True, slots=True)
class Situation:
    """What decides what `make engine` does."""

    answers: bool
    docker_host: str = ""
    """The variable of that name, '' when it is not set."""
    denied: bool = False
    """The socket is there and this user may not use it."""
    elsewhere: str = ""
    """Address of an engine that answers at another of the usual places, '' if none does."""
    system: str = "Linux"
    root: bool = False
    apt: bool = False
    systemd: bool = False
    dockerd_installed: bool = False
    dockerd_runs: bool = False
    mmdebstrap_installed: bool = False
    base_present: bool = False
    debian_keys: bool = False


@dataclass(frozen=True, slots=True)
class Decision:
    """Steps to take in order, and packages to install; with no steps, why none (`refused`: no engine)."""

    words: str
    steps: tuple[Step, ...] = ()
    packages: tuple[str, ...] = ()
    refused: bool = False


def decide(now: Situation) -> Decision:
    """What to do; touches nothing."""
    if now.answers:
        return _decide_with_engine(now)
    if advice := _for_a_person(now):
        return Decision(advice, refused=True)
    if now.dockerd_runs:
        return Decision("dockerd runs and does not answer yet; waiting for it", ("wait",))
    packages = _missing(now)
    if packages:
        words = f"no engine answers; installing {', '.join(packages)} and starting it"
        return Decision(words, ("install", "clear", "start", "wait"), packages)
    return Decision("no engine answers; starting dockerd", ("clear", "start", "wait"))


def _decide_with_engine(now: Situation) -> Decision:
    packages = () if now.base_present or not now.root else _missing(now)
    if packages:
        words = f"an engine answers; installing {', '.join(packages)} for the base image"
        return Decision(words, ("install",), packages)
    return Decision("an engine answers, nothing to do")


def _missing(now: Situation) -> tuple[str, ...]:
    if not now.apt:
        return ()
    wanted = {
        "docker.io": now.answers or now.dockerd_installed,
        "mmdebstrap": now.mmdebstrap_installed,
        KEYRING: now.mmdebstrap_installed or now.debian_keys,
    }
    return tuple(package for package, present in wanted.items() if not present)


def _for_a_person(now: Situation) -> str:
    """What only a person can do here; '' if we can do it."""
    service = "run `sudo systemctl start docker` and try again"
    if not now.dockerd_installed:
        service = f"install Docker (Debian and Ubuntu: `sudo apt-get install docker.io`), {service}"
    advice = (
        (
            now.docker_host != "",
            f"DOCKER_HOST is {now.docker_host} and no engine answers there; "
            "start that engine, or unset DOCKER_HOST",
        ),
        (
            now.denied,
            f"the engine's socket {DEFAULT_SOCKET} is there and you may not use it; "
            'run `sudo usermod -aG docker "$USER"`, log in again, and try again',
        ),
        (
            now.elsewhere != "",
            f"an engine answers at {now.elsewhere}; run `export DOCKER_HOST={now.elsewhere}` and try again",
        ),
        (
            now.system != "Linux",
            "no container engine answers; start Docker Desktop (or `colima start`), wait until it runs, "
            "and try again",
        ),
        (not now.root, f"no container engine answers, and starting one takes root; {service}"),
        (
            not now.dockerd_installed and not now.apt,
            "no container engine is installed and there is no apt-get to install one; "
            "install Docker, start it, and try again",
        ),
    )
    return next((words for holds, words in advice if holds), "")


# ---------------------------------------------------------------- looking


def look() -> Situation:
    """The situation of this machine."""
    host = os.environ.get("DOCKER_HOST", "")
    works = answers(host)
    return Situation(
        answers=works,
        docker_host=host,
        denied=not host and DEFAULT_SOCKET.exists() and not os.access(DEFAULT_SOCKET, os.W_OK),
        elsewhere="" if works or host else _elsewhere(),
        system=platform.system(),
        root=os.geteuid() == 0,
        apt=shutil.which("apt-get") is not None,
        systemd=Path("/run/systemd/system").is_dir(),
        dockerd_installed=shutil.which("dockerd") is not None,
        dockerd_runs=dockerd_lives(),
        mmdebstrap_installed=shutil.which("mmdebstrap") is not None,
        base_present=works and _base_present(host),
        debian_keys=Path("/usr/share/keyrings/debian-archive-keyring.gpg").exists(),
    )


def answers(address: str = "") -> bool:
    """True if an engine answers at the address (DOCKER_HOST's; '' for the local socket)."""
    try:
        with closing(_client(address)) as client:
            return bool(client.ping())
    except (DockerException, requests.RequestException, OSError):
        return False


def _client(address: str) -> docker.APIClient:
    if address:
        return docker.from_env(timeout=PING_SECONDS).api
    return docker.APIClient(base_url=f"unix://{DEFAULT_SOCKET}", version="auto", timeout=PING_SECONDS)


def _base_present(address: str) -> bool:
    try:
        with closing(_client(address)) as client:
            return bool(client.images(name=BASE_IMAGE))
    except (DockerException, requests.RequestException, OSError):
        return False


def _elsewhere() -> str:
    """Where Docker Desktop, a rootless engine, Colima or Podman listen, if one answers there; else ''."""
    runtime = Path(os.environ.get("XDG_RUNTIME_DIR") or f"/run/user/{os.getuid()}")
    home = Path.home()
    places = [
        home / ".docker/run/docker.sock",
        home / ".docker/desktop/docker.sock",
        runtime / "docker.sock",
        home / ".colima/default/docker.sock",
        runtime / "podman/podman.sock",
    ]
    for place in places:
        if place.exists() and _answers_at(f"unix://{place}"):
            return f"unix://{place}"
    return ""


def _answers_at(address: str) -> bool:
    try:
        docker.APIClient(base_url=address, version="auto", timeout=PING_SECONDS).close()
    except (DockerException, requests.RequestException, OSError):
        return False
    return True


# ---------------------------------------------------------------- doing


def carry_out(decision: Decision, now: Situation) -> None:
    """Take the decision's steps. Raises CannotStart with what to do."""
    ended: Callable[[], bool] = lambda: not dockerd_lives()  # noqa: E731 - replaced by what was started
    for step in decision.steps:
        match step:
            case "install":
                install(decision.packages, say)
            case "clear":
                clear_leftovers(say)
            case "start":
                if not answers() and not dockerd_lives():
                    ended = start(systemd=now.systemd, say=say)
            case "wait":
                wait(answers, ended, say)
            case _:
                assert_never(step)


def say(words: str) -> None:
    """One line of progress, on stderr."""
    print(f"engine: {words}", file=sys.stderr, flush=True)


def main() -> int:
    """Have an engine, or say what to do; the exit code."""
    try:
        now = look()
        decision = decide(now)
        if decision.refused:
            raise EngineUnavailable(decision.words)
        say(decision.words)
        carry_out(decision, now)
    except EngineUnavailable as error:
        print(f"error: {error}", file=sys.stderr)
        return error.exit_code
    return 0


if __name__ == "__main__":
    sys.exit(main())
