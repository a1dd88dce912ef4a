"""A sandbox that looks at itself: is it sealed, and can the counters behind `exhausted` be read."""

from __future__ import annotations

import json
import time
from collections.abc import Mapping
from dataclasses import dataclass

import docker

from runner.engine import guarded
from runner.errors import SandboxFailure
from runner.sandbox import Sandbox
from runner.sandbox.ownership import Owner, locks_folder
from runner.task import Limits
from runner.toolchains import Command

TASK_IMAGES = "assay/task-"
PROBE_LIMITS = Limits(cpu_seconds=10, wall_seconds=30)
FILTERED_BY_SECCOMP = 2
"""`Seccomp:` in /proc/self/status when a filter is in force (proc(5))."""
PROBE = r"""
import json, os
def text(*places):
    for place in places:
        try:
            with open("/sys/fs/cgroup/" + place) as stream:
                return stream.read()
        except OSError:
            pass
    return ""
with open("/proc/self/status") as stream:
    status = dict(line.rstrip("\n").split(":\t", 1) for line in stream if ":\t" in line)
print(json.dumps({
    "user": os.getuid(),
    "capabilities": int(status["CapEff"], 16),
    "no_new_privileges": int(status.get("NoNewPrivs", 0)),
    "seccomp": int(status.get("Seccomp", 0)),
    "networks": sorted(os.listdir("/sys/class/net")),
    "read_only": bool(os.statvfs("/").f_flag & os.ST_RDONLY),
    "counters": {
        "cpu time": bool(text("cpuacct/cpuacct.usage", "cpu.stat")),
        "out of memory": "oom_kill " in text("memory/memory.oom_control", "memory.events"),
        "process limit": "max " in text("pids/pids.events", "pids.events"),
    },
}))
"""


@dataclass(frozen=True, slots=True)
class Probe:
    """What a process of the sandbox's user saw. `seconds` is the whole trial, start and removal included."""

    user: int
    capabilities: int
    no_new_privileges: bool
    filtered: bool
    """By seccomp."""
    networks: tuple[str, ...]
    read_only: bool
    counters: Mapping[str, bool]
    seconds: float

    def open_doors(self) -> list[str]:
        """Every way in which the sandbox is not sealed."""
        outside = [name for name in self.networks if name != "lo"]
        doors = {
            "its processes are root": self.user == 0,
            f"its processes keep capabilities ({self.capabilities:x})": self.capabilities != 0,
            "its processes can gain privileges": not self.no_new_privileges,
            f"a network ({', '.join(outside)})": bool(outside),
            "a writable root": not self.read_only,
        }
        return [words for words, is_open in doors.items() if is_open]


def try_sandbox(client: docker.APIClient) -> Probe | None:
    """Start a sandbox of any task's image and let it look; None if no such image is built.

    Raises HostFailure, or SandboxDied, if it does not come to an answer.
    """
    image = _any_task_image(client)
    if image is None:
        return None
    begun = time.monotonic()
    command = Command(("/usr/bin/python3", "-I", "-S", "-c", PROBE), {"LANG": "C.UTF-8"}, "/")
    with (
        Owner(locks_folder()) as owner,
        Sandbox.start(client, image, PROBE_LIMITS, owner.labels("doctor"), ()) as sandbox,
    ):
        outcome = sandbox.run(command, PROBE_LIMITS)
    return read_probe(outcome.output, time.monotonic() - begun)


def read_probe(output: bytes, seconds: float) -> Probe:
    """The probe's answer. Raises SandboxFailure if it is none."""
    try:
        seen = json.loads(output)
        return Probe(
            user=seen["user"],
            capabilities=seen["capabilities"],
            no_new_privileges=bool(seen["no_new_privileges"]),
            filtered=seen["seccomp"] == FILTERED_BY_SECCOMP,
            networks=tuple(seen["networks"]),
            read_only=seen["read_only"],
            counters=seen["counters"],
            seconds=seconds,
        )
    except (ValueError, KeyError, TypeError) as error:
        words = output.decode("utf-8", "replace")[-300:]
        raise SandboxFailure(f"a sandbox could not look at itself; it said: {words!r}") from error


def _any_task_image(client: docker.APIClient) -> str | None:
    found = guarded("list images", lambda: client.images(filters={"label": "assay.inputs"}))
    ours = [image for image in found if any(tag.startswith(TASK_IMAGES) for tag in image["RepoTags"] or [])]
    return str(ours[0]["Id"]) if ours else None
