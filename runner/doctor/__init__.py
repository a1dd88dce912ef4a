"""What this machine can do for Assay: one row a fact, how it stands, what to do. Looks at nothing itself.

`works`: as it should be. `weaker`: evaluations run, and something is slower, less safe or told less exactly.
`refused`: evaluations cannot run here, or their results would not mean what they say.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Literal

from runner.doctor.probe import Probe
from runner.image_build import REGISTRY_IMAGE
from runner.sandbox import MEGABYTE, SCRATCH_MB, SUPERVISOR_MB
from runner.task import Limits

Standing = Literal["works", "weaker", "refused"]
ORDER: Sequence[Standing] = ("works", "weaker", "refused")
EXIT_CODES: dict[Standing, int] = {"works": 0, "weaker": 1, "refused": 3}

OLDEST_PYTHON = (3, 11)
TRIED_PYTHON = (3, 13)
OLDEST_API = (1, 41)
"""Engine 20.10, the oldest that evaluations were tried on."""
TRIED_ARCHITECTURES = ("x86_64", "amd64", "aarch64", "arm64")
GIGABYTE = 1_000_000_000
MAX_CLOCK_SKEW_SECONDS = 1.0
FIRST_YEAR = 2025
SHM = "/dev/shm"  # noqa: S108 - looked at, not written to
LIMITS = Limits()
PASS_BYTES = (LIMITS.memory_mb + LIMITS.disk_mb + 2 * SCRATCH_MB + SUPERVISOR_MB) * MEGABYTE
"""Memory that one pass of a task with the usual limits may use."""


@dataclass(frozen=True, slots=True)
class Check:
    """One row: what was looked at, what was found, how it stands, and what to do ('' if nothing)."""

    what: str
    found: str
    standing: Standing
    advice: str = ""


@dataclass(frozen=True, slots=True)
class Engine:
    """The engine's own account of itself; sizes in bytes."""

    product: Literal["docker", "desktop", "podman"]
    version: str
    api: str
    cgroup: str
    cgroup_driver: str
    storage: str
    seccomp: bool
    rootless: bool
    remote: bool
    architecture: str
    cpus: int
    memory_bytes: int
    memory_limit: bool
    pids_limit: bool
    swap_limit: bool
    clock_skew_seconds: float | None
    folder: str
    folder_free: int | None
    """None where the engine's folder cannot be seen from here."""


@dataclass(frozen=True, slots=True)
class Found:
    """Everything that was looked at. Sizes in bytes; '' and None where there is nothing."""

    python: tuple[int, int, int]
    git: str
    engine: Engine | None
    engine_problem: str
    base_present: bool
    mmdebstrap: bool
    registry: bool
    build_free: int
    temporary: str
    temporary_free: int
    shm_bytes: int | None
    year: int
    probe: Probe | None
    probe_problem: str


def examine(found: Found) -> list[Check]:
    """Every check that can be made of what was found."""
    checks = [_python(found), _git(found), _build_disk(found), _temporary(found), _shm(found)]
    if found.engine is None:
        return [
            *checks,
            Check("engine", found.engine_problem, "refused", "run `make engine`, or start Docker"),
        ]
    checks += [check(found.engine) for check in ENGINE_CHECKS]
    return [*checks, _base(found), _clock(found.engine, found.year), *_sandbox(found)]


def overall(checks: Sequence[Check]) -> Standing:
    """The worst of them."""
    return max((check.standing for check in checks), key=ORDER.index)


# ---------------------------------------------------------------- this machine


def _python(found: Found) -> Check:
    name = ".".join(map(str, found.python))
    if found.python < OLDEST_PYTHON:
        return Check("python", name, "refused", "install Python 3.11 or newer, remove .venv, run make again")
    if found.python[:2] > TRIED_PYTHON:
        return Check(
            "python", name, "weaker", "the pinned packages were made for 3.11 to 3.13; PYTHON=... chooses one"
        )
    return Check("python", name, "works")


def _git(found: Found) -> Check:
    if not found.git:
        return Check("git", "not found", "refused", "install git")
    return Check("git", found.git, "works")


def _build_disk(found: Found) -> Check:
    advice = "make room: old runs are under build/bench/"
    return _room("disk of build/", found.build_free, enough=GIGABYTE, least=GIGABYTE // 5, advice=advice)


def _temporary(found: Found) -> Check:
    advice = "images are made there; make room, or set TMPDIR to a roomier folder"
    what = f"disk of {found.temporary}"
    return _room(what, found.temporary_free, enough=GIGABYTE, least=GIGABYTE // 5, advice=advice)


def _shm(found: Found) -> Check:
    size = "none" if found.shm_bytes is None else _size(found.shm_bytes)
    return Check(SHM, f"{size}; each sandbox has its own of {SCRATCH_MB} MB", "works")


def _room(what: str, free: int, *, enough: int, least: int, advice: str) -> Check:
    text = f"{_size(free)} free"
    if free >= enough:
        return Check(what, text, "works")
    return Check(what, text, "weaker" if free >= least else "refused", advice)


def _size(count: int) -> str:
    return f"{count / GIGABYTE:.1f} GB" if count >= GIGABYTE else f"{count / 1_000_000:.0f} MB"


# ---------------------------------------------------------------- the engine


def _version(engine: Engine) -> Check:
    text = f"{engine.product} {engine.version}, API {engine.api}"
    if tuple(int(part) for part in engine.api.split(".")) < OLDEST_API:
        return Check(
            "engine", text, "weaker", "nothing older than Docker 20.10 was tried; a newer one is safer"
        )
    if engine.product == "podman":
        return Check("engine", text, "weaker", "Podman was not tried; publish results of Docker only")
    return Check("engine", text, "works")


def _place(engine: Engine) -> Check:
    if engine.remote:
        advice = "images are built with folders of this machine mounted: use an engine on this machine"
        return Check("engine's place", "another machine", "refused", advice)
    return Check("engine's place", "this machine", "works")


def _architecture(engine: Engine) -> Check:
    if engine.architecture not in TRIED_ARCHITECTURES:
        advice = "use an amd64 or arm64 machine: packages may be missing, and nobody tried"
        return Check("architecture", engine.architecture, "weaker", advice)
    if engine.architecture in ("aarch64", "arm64"):
        advice = "images differ from amd64's: compare runs of one architecture only (results name it)"
        return Check("architecture", engine.architecture, "weaker", advice)
    return Check("architecture", engine.architecture, "works")


def _cgroups(engine: Engine) -> Check:
    text = f"cgroup {engine.cgroup}, driver {engine.cgroup_driver or 'none'}"
    lacking = [
        name for name, has in (("memory", engine.memory_limit), ("processes", engine.pids_limit)) if not has
    ]
    if engine.cgroup_driver in ("", "none") or lacking:
        advice = f"no limit on {' and '.join(lacking or ['anything'])} holds: "
        advice += (
            "delegate the controllers to the engine's user (systemd, cgroup v2), or use an engine run by root"
        )
        return Check("limits", text, "refused", advice)
    if not engine.swap_limit:
        advice = "swap is not limited: turn swap off, or boot with swapaccount=1, else memory limits are soft"
        return Check("limits", text, "weaker", advice)
    return Check("limits", text, "works")


def _seccomp(engine: Engine) -> Check:
    if engine.seccomp:
        return Check("seccomp", "default profile", "works")
    advice = (
        "sandboxes are less tight: use a kernel and an engine with seccomp before judging strangers' patches"
    )
    return Check("seccomp", "none", "weaker", advice)


def _root(engine: Engine) -> Check:
    text = "rootless" if engine.rootless else "runs as root; sandboxes do not need root on this machine"
    return Check("engine's user", text, "works")


def _storage(engine: Engine) -> Check:
    if engine.storage == "vfs":
        advice = "every layer is a whole copy: slow and large; use overlay2"
        return Check("storage", engine.storage, "weaker", advice)
    return Check("storage", engine.storage, "works")


def _engine_disk(engine: Engine) -> Check:
    what = f"disk of {engine.folder or 'the engine'}"
    if engine.folder_free is None:
        return Check(what, "cannot be seen from here", "works")
    advice = "images live there (about 200 MB a task): make room, `assay images prune` removes old ones"
    return _room(what, engine.folder_free, enough=5 * GIGABYTE, least=GIGABYTE, advice=advice)


def _memory(engine: Engine) -> Check:
    text = f"{_size(engine.memory_bytes)} for {engine.cpus} passes at once of {_size(PASS_BYTES)}"
    if engine.memory_bytes < PASS_BYTES:
        return Check("memory", text, "refused", "not one pass fits: give the engine more memory")
    if engine.memory_bytes < engine.cpus * PASS_BYTES:
        return Check("memory", text, "weaker", "run fewer at once, or give the engine more memory")
    return Check("memory", text, "works")


def _cores(engine: Engine) -> Check:
    if engine.cpus < 2:
        return Check(
            "cores", str(engine.cpus), "weaker", "the two passes of an evaluation run one after the other"
        )
    return Check("cores", str(engine.cpus), "works")


ENGINE_CHECKS: Sequence[Callable[[Engine], Check]] = (
    _version,
    _place,
    _architecture,
    _cgroups,
    _seccomp,
    _root,
    _storage,
    _engine_disk,
    _memory,
    _cores,
)


def _clock(engine: Engine, year: int) -> Check:
    if year < FIRST_YEAR:
        return Check(
            "clock", f"the year {year}", "weaker", "set the clock: no registry's certificate holds yet"
        )
    skew = engine.clock_skew_seconds
    if skew is None:
        return Check("clock", "the engine does not tell its time", "works")
    text = f"{abs(skew):.1f} s between this machine and the engine"
    if abs(skew) > MAX_CLOCK_SKEW_SECONDS:
        advice = "restart the engine's machine: a container's end is explained by events in this time"
        return Check("clock", text, "weaker", advice)
    return Check("clock", text, "works")


def _base(found: Found) -> Check:
    if found.base_present:
        return Check("base image", "built", "works")
    if found.mmdebstrap:
        return Check("base image", "not built; mmdebstrap can make it of Debian's packages", "works")
    if found.registry:
        return Check("base image", f"not built; a registry gives {REGISTRY_IMAGE}", "works")
    advice = "install mmdebstrap (`make engine` as root does), or let the engine reach a registry"
    return Check(
        "base image", f"not built, no registry gives {REGISTRY_IMAGE}, no mmdebstrap", "refused", advice
    )


# ---------------------------------------------------------------- a sandbox, tried


def _sandbox(found: Found) -> list[Check]:
    if found.probe is None:
        if not found.probe_problem:
            return [
                Check(
                    "sandbox",
                    "not tried: no task's image is built yet",
                    "works",
                    "`assay images build` builds them",
                )
            ]
        return [
            Check("sandbox", found.probe_problem, "refused", "see above; `make bench` will not run either")
        ]
    return [_seal(found.probe), _counters(found.probe)]


def _seal(probe: Probe) -> Check:
    if open_doors := probe.open_doors():
        advice = "the engine does not hold what it is asked for: use another engine before judging anything"
        return Check("sandbox's seal", "; ".join(open_doors), "refused", advice)
    if not probe.filtered:
        advice = "the kernel or the engine leaves the filter out: do not judge strangers' patches here"
        return Check("sandbox's seal", "no seccomp filter", "weaker", advice)
    return Check("sandbox's seal", "no network, no capabilities, read-only root, seccomp", "works")


def _counters(probe: Probe) -> Check:
    missing = [name for name, has in probe.counters.items() if not has]
    if missing:
        advice = "that limit still holds, and reaching it shows as a death, not as `exhausted`"
        return Check("sandbox's counters", f"cannot be read inside: {', '.join(missing)}", "weaker", advice)
    return Check(
        "sandbox's counters", f"{', '.join(probe.counters)}; tried in {probe.seconds:.1f} s", "works"
    )
