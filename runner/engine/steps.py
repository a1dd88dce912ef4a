"""Installing and starting dockerd on a machine where we are root, after whatever end the last one had."""

from __future__ import annotations

import os
import socket
import subprocess
import time
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from pathlib import Path

from runner.errors import EngineUnavailable

KEYRING = "debian-archive-keyring"
LOG = Path("/var/log/assay-engine.log")
WAIT_SECONDS = 60
POLL_SECONDS = 0.2
APT_SECONDS = 900
LAST_LINES = 15

Say = Callable[[str], None]


@dataclass(frozen=True, slots=True)
class PidFile:
    """A file that names a process, and what that process must be called for the file to be true."""

    path: Path
    program: str


DOCKERD = PidFile(Path("/var/run/docker.pid"), "dockerd")
CONTAINERD = PidFile(Path("/var/run/docker/containerd/containerd.pid"), "containerd")
CONTAINERD_SOCKET = Path("/run/containerd/containerd.sock")


class CannotStart(EngineUnavailable):
    """A step of installing or starting the engine failed; carries its last lines."""


# ---------------------------------------------------------------- what the last engine left


def lives(file: PidFile, proc: Path = Path("/proc")) -> bool:
    """True if the named process runs and is the program: no zombie, no other that got its number since."""
    try:
        pid = int(file.path.read_text())
        stat = (proc / str(pid) / "stat").read_text(errors="replace")
    except (FileNotFoundError, ProcessLookupError, ValueError):
        return False
    name, _, rest = stat.partition("(")[2].rpartition(")")
    return name == file.program and rest.split()[0] not in ("Z", "X")


def dockerd_lives() -> bool:
    """True if a dockerd runs that its pid file names."""
    return lives(DOCKERD)


def clear_leftovers(
    say: Say,
    pid_files: Sequence[PidFile] = (DOCKERD, CONTAINERD),
    sockets: Sequence[Path] = (CONTAINERD_SOCKET,),
    proc: Path = Path("/proc"),
) -> None:
    """Remove what dockerd would stop at: pid files of processes that are no more, sockets nobody serves."""
    for file in pid_files:
        if file.path.exists() and not lives(file, proc):
            file.path.unlink(missing_ok=True)
            say(f"removed {file.path}: the {file.program} it names is no more")
    for path in sockets:
        if _nobody_listens(path):
            path.unlink(missing_ok=True)
            say(f"removed {path}: nobody listens there")


def _nobody_listens(path: Path) -> bool:
    with socket.socket(socket.AF_UNIX) as probe:
        try:
            probe.connect(str(path))
        except ConnectionRefusedError:
            return True
        except OSError:
            return False
    return False


# ---------------------------------------------------------------- installing, starting, waiting


def install(packages: Sequence[str], say: Say) -> None:
    """Install Debian packages quietly. Raises CannotStart with apt's last lines."""
    options = ["-qq", "-o", "DPkg::Lock::Timeout=120", "-o", "Dpkg::Use-Pty=0"]
    say("reading Debian's lists of packages")
    _quietly(["apt-get", *options, "update"])
    say(f"installing {' '.join(packages)}")
    wanted = [*packages, *_companions(packages)]
    _quietly(["apt-get", *options, "install", "--yes", "--no-install-recommends", *wanted])


def _companions(packages: Sequence[str]) -> list[str]:
    """What docker.io only recommends and cannot do without on some kernels."""
    if "docker.io" not in packages:
        return []
    wanted = ["ca-certificates"]
    enabled = Path("/sys/module/apparmor/parameters/enabled")
    if enabled.exists() and enabled.read_text().startswith("Y"):
        wanted.append("apparmor")
    return wanted


def start(*, systemd: bool, say: Say, log: Path = LOG) -> Callable[[], bool]:
    """Start the engine: as the system's service where there is systemd, else in a session of its own.

    Returns what tells whether it has ended since.
    """
    if systemd:
        say("starting the docker service")
        _quietly(["systemctl", "start", "docker"])
        return lambda: False
    _mount_cgroups(say)
    say(f"starting dockerd; its log is {log}")
    with log.open("ab") as out:
        process = subprocess.Popen(
            ["dockerd"], stdin=subprocess.DEVNULL, stdout=out, stderr=out, start_new_session=True, cwd="/"
        )
    return lambda: process.poll() is not None


def _mount_cgroups(say: Say, root: Path = Path("/sys/fs/cgroup")) -> None:
    """A machine without an init system may have no control groups mounted; dockerd does not start without."""
    if root.is_dir() and not any(root.iterdir()):
        say(f"mounting control groups on {root}")
        _quietly(["mount", "-t", "cgroup2", "cgroup2", str(root)])


def wait(
    answers: Callable[[], bool],
    ended: Callable[[], bool],
    say: Say,
    seconds: float = WAIT_SECONDS,
    log: Path = LOG,
) -> None:
    """Wait until the engine answers. Raises CannotStart with the log's last lines when it does not."""
    begun = time.monotonic()
    while not answers():
        gone = ended() and not dockerd_lives()
        if gone or time.monotonic() - begun > seconds:
            what = "dockerd ended" if gone else f"dockerd did not answer within {seconds:.0f} s"
            raise CannotStart(
                f"{what}; the last lines of {log}:\n{_tail(log)}\nMend that and run `make engine` again"
            )
        time.sleep(POLL_SECONDS)
    say(f"it answers, after {time.monotonic() - begun:.1f} s")


def _quietly(command: Sequence[str]) -> None:
    environment = {**os.environ, "DEBIAN_FRONTEND": "noninteractive"}
    try:
        done = subprocess.run(
            command,
            env=environment,
            stdin=subprocess.DEVNULL,
            stdout=subprocess.PIPE,
            stderr=subprocess.STDOUT,
            text=True,
            errors="replace",
            check=False,
            timeout=APT_SECONDS,
        )
    except (OSError, subprocess.TimeoutExpired) as error:
        raise CannotStart(f"`{' '.join(command)}` could not be run to its end: {error}") from error
    if done.returncode:
        what = f"`{' '.join(command)}` failed with exit code {done.returncode}"
        raise CannotStart(f"{what}; its last lines:\n{_last(done.stdout)}")


def _tail(log: Path) -> str:
    return _last(log.read_text(errors="replace")) if log.exists() else "    (no log)"


def _last(text: str) -> str:
    return "\n".join(f"    {line[:300]}" for line in text.splitlines()[-LAST_LINES:])
