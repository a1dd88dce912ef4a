"""Sandboxes started ahead: handed out once, passed over when they died, removed when nobody took them."""

from __future__ import annotations

import threading
from collections.abc import Callable
from typing import Any, cast

import docker
import pytest

from runner.errors import EngineUnavailable, SandboxFailure
from runner.sandbox import Sandbox
from runner.sandbox.pool import Pool


class Stub:
    """What the pool needs of a sandbox."""

    def __init__(self, name: str) -> None:
        self.name, self.living, self.closed = name, True, threading.Event()

    def alive(self) -> bool:
        return self.living

    def adopt(self, client: object) -> None:
        pass

    def close(self) -> None:
        self.closed.set()


class Maker:
    """Starts stubs, or raises what it is told to; remembers them all."""

    def __init__(self) -> None:
        self.made: list[Stub] = []
        self.failure: Exception | None = None

    def __call__(self) -> Sandbox:
        if self.failure:
            raise self.failure
        self.made.append(Stub(f"sandbox {len(self.made)}"))
        return cast(Sandbox, self.made[-1])


def never() -> Sandbox:
    raise AssertionError("nothing had to be started")


def taken(pool: Pool, key: str, start: Callable[[], Sandbox]) -> Stub:
    return cast(Stub, cast(Any, pool.take(key, start)))


def test_what_was_expected_is_taken_once_each() -> None:
    make = Maker()
    with Pool() as pool:
        pool.expect("a", make, 2)
        assert {taken(pool, "a", never).name for _ in range(2)} == {"sandbox 0", "sandbox 1"}
        assert taken(pool, "a", make).name == "sandbox 2"


def test_expecting_again_starts_only_what_is_missing() -> None:
    make = Maker()
    with Pool() as pool:
        pool.expect("a", make, 2)
        pool.expect("a", make, 2)
        pool.settle()
        assert len(make.made) == 2


def test_a_sandbox_of_another_key_is_not_taken() -> None:
    make, other = Maker(), Maker()
    with Pool() as pool:
        pool.expect("a", make, 1)
        assert taken(pool, "b", other) is other.made[0]


def test_one_that_died_while_it_waited_is_closed_and_passed_over() -> None:
    make = Maker()
    with Pool() as pool:
        pool.expect("a", make, 2)
        pool.settle()
        make.made[0].living = make.made[1].living = False
        assert taken(pool, "a", make) is make.made[2]
        assert all(stub.closed.is_set() for stub in make.made[:2])


def test_starts_that_failed_ahead_are_passed_over() -> None:
    make = Maker()
    with Pool() as pool:
        make.failure = EngineUnavailable("restarting")
        pool.expect("a", make, 2)
        pool.settle()
        make.failure = None
        assert taken(pool, "a", make).alive()


def test_a_start_that_fails_now_is_told() -> None:
    make = Maker()
    make.failure = SandboxFailure("no room")
    with Pool() as pool, pytest.raises(SandboxFailure, match="no room"):
        pool.take("a", make)


def test_a_fault_of_ours_in_a_start_is_not_swallowed() -> None:
    make = Maker()
    with Pool() as pool:
        make.failure = ZeroDivisionError()
        pool.expect("a", make, 1)
        with pytest.raises(ZeroDivisionError):
            pool.take("a", never)


def test_closing_removes_what_nobody_took_and_what_was_used() -> None:
    make = Maker()
    with Pool() as pool:
        pool.expect("a", make, 3)
        used = taken(pool, "a", never)
        pool.dispose(cast(Sandbox, cast(Any, used)), lambda: cast(docker.APIClient, None))
    assert all(stub.closed.is_set() for stub in make.made)


def test_closing_after_starts_that_failed() -> None:
    make = Maker()
    make.failure = EngineUnavailable("gone")
    with Pool() as pool:
        pool.expect("a", make, 3)
    assert make.made == []
