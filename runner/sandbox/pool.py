"""Sandboxes started ahead of need, off the critical path of an evaluation."""

from __future__ import annotations

import contextlib
import threading
from collections import deque
from collections.abc import Callable
from concurrent.futures import Future, ThreadPoolExecutor, wait
from types import TracebackType

import docker

from runner.errors import HostFailure
from runner.sandbox import Sandbox

Start = Callable[[], Sandbox]
STARTERS = 2
REMOVERS = 1


def _close(sandbox: Sandbox, client: Callable[[], docker.APIClient]) -> None:
    with contextlib.suppress(HostFailure):
        sandbox.adopt(client())
    sandbox.close()


class Pool:
    """Ready sandboxes by key. A key stands for everything that a start depends on."""

    def __init__(self) -> None:
        self._starters = ThreadPoolExecutor(STARTERS, thread_name_prefix="sandbox-start")
        self._removers = ThreadPoolExecutor(REMOVERS, thread_name_prefix="sandbox-end")
        self._ready: dict[str, deque[Future[Sandbox]]] = {}
        self._lock = threading.Lock()

    def expect(self, key: str, start: Start, count: int) -> None:
        """See to it that `count` sandboxes of this key are ready or on their way."""
        with self._lock:
            waiting = self._ready.setdefault(key, deque())
            while len(waiting) < count:
                waiting.append(self._starters.submit(start))

    def take(self, key: str, start: Start) -> Sandbox:
        """A ready sandbox, or one started now; one that failed or died while it waited is passed over.

        Raises what a start now raises.
        """
        while (future := self._next(key)) is not None:
            if isinstance(future.exception(), HostFailure):
                continue
            sandbox = future.result()
            if sandbox.alive():
                return sandbox
            sandbox.close()
        return start()

    def settle(self) -> None:
        """Wait until everything that was asked for ahead has started, and the used ones are gone."""
        with self._lock:
            started = [future for waiting in self._ready.values() for future in waiting]
        wait(started)
        self._removers.submit(lambda: None).result()

    def dispose(self, sandbox: Sandbox, client: Callable[[], docker.APIClient]) -> None:
        """Remove a used sandbox, while its evaluation goes on without it; `client` gives a thread its own."""
        self._removers.submit(_close, sandbox, client)

    def close(self) -> None:
        """Remove every sandbox that nobody took, and wait until the used ones are gone."""
        self._starters.shutdown(wait=True, cancel_futures=True)
        with self._lock:
            left = [future for waiting in self._ready.values() for future in waiting]
            self._ready.clear()
        for future in left:
            if not future.cancelled() and future.exception() is None:
                future.result().close()
        self._removers.shutdown(wait=True)

    def _next(self, key: str) -> Future[Sandbox] | None:
        with self._lock:
            waiting = self._ready.get(key)
            return waiting.popleft() if waiting else None

    def __enter__(self) -> Pool:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self.close()
