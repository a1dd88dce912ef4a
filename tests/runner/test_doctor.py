"""`assay doctor`'s judgements: each weakness has its row, its standing and its advice."""

from __future__ import annotations

from contextlib import closing
from dataclasses import replace
from datetime import UTC, datetime, timedelta
from typing import Any

import pytest

from runner.doctor import EXIT_CODES, GIGABYTE, Check, Engine, Found, examine, overall
from runner.doctor.hosts import HOST_KINDS, kinds_here
from runner.doctor.look import is_remote, product_of, skew
from runner.doctor.probe import Probe, read_probe, try_sandbox
from runner.engine import connect
from runner.errors import SandboxFailure
from runner.host import Host
from runner.task import Benchmark

COUNTERS = {"cpu time": True, "out of memory": True, "process limit": True}
PROBE = Probe(
    user=1000,
    capabilities=0,
    no_new_privileges=True,
    filtered=True,
    networks=("lo",),
    read_only=True,
    counters=COUNTERS,
    seconds=1.0,
)
ENGINE = Engine(
    product="docker",
    version="20.10.24",
    api="1.41",
    cgroup="v2",
    cgroup_driver="systemd",
    storage="overlay2",
    seccomp=True,
    rootless=False,
    remote=False,
    architecture="x86_64",
    cpus=4,
    memory_bytes=16 * GIGABYTE,
    memory_limit=True,
    pids_limit=True,
    swap_limit=True,
    clock_skew_seconds=0.0,
    folder="/var/lib/docker",
    folder_free=100 * GIGABYTE,
)
FOUND = Found(
    python=(3, 12, 1),
    git="2.47.0",
    engine=ENGINE,
    engine_problem="",
    base_present=True,
    mmdebstrap=True,
    registry=False,
    build_free=50 * GIGABYTE,
    temporary="/tmp",
    temporary_free=50 * GIGABYTE,
    shm_bytes=GIGABYTE,
    year=2026,
    probe=PROBE,
    probe_problem="",
)


def row(found: Found, what: str) -> Check:
    (check,) = [check for check in examine(found) if check.what == what]
    return check


def test_a_machine_as_it_should_be_works_and_asks_for_nothing() -> None:
    checks = examine(FOUND)
    assert overall(checks) == "works"
    assert [check.advice for check in checks if check.advice] == []


@pytest.mark.parametrize(
    ("what", "change", "standing"),
    [
        ("engine", {"api": "1.40"}, "weaker"),
        ("engine", {"api": "1.100"}, "works"),
        ("engine", {"product": "podman"}, "weaker"),
        ("engine's place", {"remote": True}, "refused"),
        ("architecture", {"architecture": "aarch64"}, "weaker"),
        ("architecture", {"architecture": "riscv64"}, "weaker"),
        ("limits", {"cgroup_driver": "none"}, "refused"),
        ("limits", {"memory_limit": False}, "refused"),
        ("limits", {"pids_limit": False}, "refused"),
        ("limits", {"swap_limit": False}, "weaker"),
        ("seccomp", {"seccomp": False}, "weaker"),
        ("storage", {"storage": "vfs"}, "weaker"),
        ("disk of /var/lib/docker", {"folder_free": 2 * GIGABYTE}, "weaker"),
        ("disk of /var/lib/docker", {"folder_free": 1000}, "refused"),
        ("disk of /var/lib/docker", {"folder_free": None}, "works"),
        ("memory", {"memory_bytes": 2 * GIGABYTE}, "weaker"),
        ("memory", {"memory_bytes": GIGABYTE // 2}, "refused"),
        ("cores", {"cpus": 1}, "weaker"),
        ("clock", {"clock_skew_seconds": -30.0}, "weaker"),
    ],
)
def test_what_the_engine_lacks_is_said(what: str, change: dict[str, Any], standing: str) -> None:
    check = row(replace(FOUND, engine=replace(ENGINE, **change)), what)
    assert check.standing == standing
    assert bool(check.advice) == (standing != "works")


@pytest.mark.parametrize(
    ("what", "change", "standing"),
    [
        ("python", {"python": (3, 10, 9)}, "refused"),
        ("python", {"python": (3, 14, 0)}, "weaker"),
        ("git", {"git": ""}, "refused"),
        ("disk of build/", {"build_free": GIGABYTE // 2}, "weaker"),
        ("disk of /tmp", {"temporary_free": 0}, "refused"),
        ("/dev/shm", {"shm_bytes": None}, "works"),
        ("clock", {"year": 1970}, "weaker"),
        ("base image", {"base_present": False}, "works"),
        ("base image", {"base_present": False, "mmdebstrap": False, "registry": True}, "works"),
        ("base image", {"base_present": False, "mmdebstrap": False}, "refused"),
        ("sandbox", {"probe": None, "probe_problem": "a container did not start"}, "refused"),
    ],
)
def test_what_this_machine_lacks_is_said(what: str, change: dict[str, Any], standing: str) -> None:
    check = row(replace(FOUND, **change), what)
    assert check.standing == standing
    assert bool(check.advice) == (standing != "works")


def test_without_an_engine_the_other_rows_are_still_there() -> None:
    checks = examine(replace(FOUND, engine=None, engine_problem="no container engine answers", probe=None))
    assert overall(checks) == "refused"
    assert checks[-1] == Check(
        "engine", "no container engine answers", "refused", "run `make engine`, or start Docker"
    )
    assert len(checks) > 1
    assert EXIT_CODES[overall(checks)] == 3


@pytest.mark.parametrize(
    ("change", "words"),
    [
        ({"networks": ("eth0", "lo")}, "a network (eth0)"),
        ({"user": 0}, "root"),
        ({"capabilities": 0xC0}, "capabilities (c0)"),
        ({"no_new_privileges": False}, "gain privileges"),
        ({"read_only": False}, "a writable root"),
    ],
)
def test_a_sandbox_that_is_not_sealed_is_refused(change: dict[str, Any], words: str) -> None:
    check = row(replace(FOUND, probe=replace(PROBE, **change)), "sandbox's seal")
    assert check.standing == "refused"
    assert words in check.found


def test_a_sandbox_without_a_filter_or_a_counter_is_weaker() -> None:
    assert row(replace(FOUND, probe=replace(PROBE, filtered=False)), "sandbox's seal").standing == "weaker"
    blind = replace(PROBE, counters={**COUNTERS, "out of memory": False})
    check = row(replace(FOUND, probe=blind), "sandbox's counters")
    assert check.standing == "weaker"
    assert "out of memory" in check.found


def test_an_answer_that_is_none_is_our_failure() -> None:
    for output in (b"", b"Killed", b"[]", b'{"user": 1}'):
        with pytest.raises(SandboxFailure, match="could not look at itself"):
            read_probe(output, 1.0)


@pytest.mark.parametrize(
    ("change", "kind"),
    [
        ({"cgroup": "v1"}, "Linux, engine as root, cgroup v1"),
        ({}, "Linux, engine as root, cgroup v2"),
        ({"rootless": True}, "Linux, rootless engine"),
        ({"product": "desktop"}, "Docker Desktop (macOS, Windows)"),
        ({"product": "podman"}, "Podman's socket"),
        ({"remote": True}, "engine on another machine (DOCKER_HOST)"),
    ],
)
def test_every_host_is_of_one_kind(change: dict[str, Any], kind: str) -> None:
    engine = replace(ENGINE, **change)
    assert [here.name for here in kinds_here(engine)] == [kind]
    on_arm = replace(engine, architecture="aarch64")
    assert {here.name for here in kinds_here(on_arm)} == {kind, "arm64"}


def test_every_kind_says_what_works_what_is_weaker_what_is_refused() -> None:
    assert kinds_here(None) == []
    assert all(kind.works and kind.weaker and kind.refused for kind in HOST_KINDS)


@pytest.mark.parametrize(
    ("address", "remote"),
    [
        ("", False),
        ("unix:///var/run/docker.sock", False),
        ("tcp://localhost:2375", False),
        ("tcp://127.0.0.1:2375", False),
        ("tcp://build-box:2376", True),
        ("ssh://me@build-box", True),
    ],
)
def test_an_engine_on_another_machine_is_known_by_its_address(address: str, remote: bool) -> None:
    assert is_remote(address) is remote


def test_products_are_known_by_what_they_say() -> None:
    assert product_of({"OperatingSystem": "Docker Desktop"}, {}) == "desktop"
    assert product_of({"OperatingSystem": "fedora"}, {"Components": [{"Name": "Podman Engine"}]}) == "podman"
    assert product_of({"OperatingSystem": "Debian"}, {"Components": [{"Name": "Engine"}]}) == "docker"


def test_the_engines_clock_is_compared_with_the_call_around_it() -> None:
    before = datetime(2026, 5, 1, 12, 0, 0, tzinfo=UTC)
    after = before + timedelta(seconds=1)
    assert skew("2026-05-01T12:00:00.874490242Z", before, after) == 0.0
    assert skew("2026-05-01T12:00:00Z", before, after) == 0.0
    assert skew("2026-05-01T12:00:03.5Z", before, after) == 2.5
    assert skew("2026-05-01T11:59:00Z", before, after) == -60.0
    assert skew("", before, after) is None


@pytest.mark.engine
def test_a_real_sandbox_looks_at_itself_and_is_sealed(host: Host, benchmark: Benchmark) -> None:
    host.image(benchmark.tasks[0])
    with closing(connect()) as client:
        probe = try_sandbox(client)
    assert probe is not None
    assert probe.open_doors() == []
    assert probe.counters == COUNTERS
