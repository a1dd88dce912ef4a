"""Kinds of hosts, and what Assay can do on each: the table of `assay doctor`."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass

from runner.doctor import Engine

NOTHING = "nothing"


@dataclass(frozen=True, slots=True)
class HostKind:
    """A kind of host: what works there, what is weaker, what is refused, and whether an engine is of it."""

    name: str
    works: str
    weaker: str
    refused: str
    holds: Callable[[Engine], bool]


def _on_linux_as_root(engine: Engine) -> bool:
    return engine.product == "docker" and not engine.rootless and not engine.remote


HOST_KINDS: Sequence[HostKind] = (
    HostKind(
        "Linux, engine as root, cgroup v1",
        "everything; the tree is in memory, so no root on the host, no loop devices",
        "swap, where the kernel does not account for it (swapaccount=1)",
        NOTHING,
        lambda engine: _on_linux_as_root(engine) and engine.cgroup == "v1",
    ),
    HostKind(
        "Linux, engine as root, cgroup v2",
        "everything; counters are cpu.stat, memory.events and pids.events",
        NOTHING,
        NOTHING,
        lambda engine: _on_linux_as_root(engine) and engine.cgroup == "v2",
    ),
    HostKind(
        "Linux, rootless engine",
        "everything, with cgroup v2 and the controllers cpu, memory and pids delegated by systemd",
        "the base image without a registry: mmdebstrap needs subordinate user ids",
        "without delegation: no limit holds",
        lambda engine: engine.product == "docker" and engine.rootless,
    ),
    HostKind(
        "Docker Desktop (macOS, Windows)",
        "evaluations, in its virtual machine",
        "memory and cores are the virtual machine's; its clock can drift after sleep",
        "a base image without a registry: mmdebstrap is Linux's",
        lambda engine: engine.product == "desktop",
    ),
    HostKind(
        "arm64",
        "everything; images are built for arm64",
        "comparison: images differ from amd64's, results name the architecture",
        "tasks that need packages made for amd64 only",
        lambda engine: engine.architecture in ("aarch64", "arm64"),
    ),
    HostKind(
        "Podman's socket",
        "nothing is promised: not tried",
        "telling our failures from the patch's: it reports events in its own way",
        "results that are published",
        lambda engine: engine.product == "podman",
    ),
    HostKind(
        "engine on another machine (DOCKER_HOST)",
        NOTHING,
        NOTHING,
        "everything: images are built with folders of this machine mounted",
        lambda engine: engine.remote,
    ),
)


def kinds_here(engine: Engine | None) -> list[HostKind]:
    """The kinds that this host is of; none without an engine."""
    return [] if engine is None else [kind for kind in HOST_KINDS if kind.holds(engine)]
