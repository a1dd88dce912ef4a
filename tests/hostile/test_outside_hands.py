"""Somebody uses the engine while a patch is judged: retried, judged as if nothing had happened, not charged."""

from __future__ import annotations

import contextlib
import threading
from collections.abc import Callable, Iterator
from typing import Any

import docker
import pytest

from runner import sandbox as sandbox_module
from runner.host import Host
from runner.sandbox.ownership import LABEL_OWNER

pytestmark = pytest.mark.engine

MARK = "/bin/sleep 2.25"
SLOW_GOLD = f"import subprocess\nsubprocess.run({MARK.split()!r})"


@contextlib.contextmanager
def hand(host: Host, deed: Callable[[docker.APIClient, str], Any], times: int) -> Iterator[list[str]]:
    """A person who does `deed` to containers of this host, `times` of them, each while its tests run."""
    client, over, met = docker.from_env().api, threading.Event(), []

    def look() -> None:
        while not over.is_set() and len(met) < times:
            for container in client.containers(filters={"label": f"{LABEL_OWNER}={host.owner.id}"}):
                with contextlib.suppress(docker.errors.APIError):
                    running = client.top(container["Id"])["Processes"]
                    if container["Id"] not in met and any(MARK in " ".join(row) for row in running):
                        met.append(container["Id"])
                        deed(client, container["Id"])

    thread = threading.Thread(target=look)
    thread.start()
    try:
        yield met
    finally:
        over.set()
        thread.join()
        client.close()


def remove(client: docker.APIClient, container: str) -> None:
    client.remove_container(container, force=True)


@pytest.mark.parametrize(
    "deed",
    [
        pytest.param(remove, id="removed"),
        pytest.param(docker.APIClient.kill, id="killed", marks=pytest.mark.slow),
        pytest.param(docker.APIClient.pause, id="paused", marks=pytest.mark.slow),
    ],
)
def test_once_is_as_if_nothing_had_happened(
    deed: Callable[..., Any], ground: Any, host: Host, judged: Any, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(sandbox_module, "GRACE_SECONDS", 1)
    with hand(host, deed, times=1) as met:
        outcome = judged(ground.gold_that_runs(SLOW_GOLD), wall_seconds=25)
    assert len(met) == 1
    assert outcome.result.verdict == "resolved", outcome.result.reason
    assert outcome.evidence.host_failure == ""
    assert outcome.result.attempt == 1


@pytest.mark.slow
def test_each_time_is_errored_and_says_who_it_was(ground: Any, host: Host, judged: Any) -> None:
    retries = 2
    with hand(host, remove, times=100) as met:
        outcome = judged(ground.gold_that_runs(SLOW_GOLD))
    assert len(met) == retries + 1
    assert outcome.result.verdict == "errored"
    assert "the container" in outcome.result.reason
    assert outcome.result.findings[0].mechanism == "host"
