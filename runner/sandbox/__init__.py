"""One sealed container, used once, driven by frames over its stdin and stdout.

    with Sandbox.start(client, image, limits, labels, parents) as sandbox:
        sandbox.place(files); sandbox.run(...); sandbox.lay(...); sandbox.run(...); sandbox.collect(...)

Frames go in this order: `place` once, then `run`, `lay` and `collect` as needed. After a Refusal the sandbox
does nothing more, and is to be closed. Raises, whatever the call: SandboxFailure, EngineUnavailable or another
HostFailure when our side failed, SandboxDied when the container ended after the patch was in and nothing of
ours explains it.
"""

from __future__ import annotations

import contextlib
import hashlib
import json
import select
import socket
import struct
import time
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from functools import cache
from pathlib import Path
from types import TracebackType
from typing import Any

import docker

from runner.engine import guarded
from runner.errors import AssayError, EngineUnavailable, HostFailure, SandboxFailure
from runner.evidence import Limit
from runner.sandbox.ownership import remove_container
from runner.task import Limits
from runner.toolchains import Command
from runner.tree import Entry

SUPERVISOR_FILE = Path(__file__).with_name("supervisor.py")
BOOTSTRAP = (
    "import os\n"
    "def r(n):\n"
    " b=b''\n"
    " while len(b)<n:\n"
    "  c=os.read(0,n-len(b))\n"
    "  if not c: raise SystemExit(0)\n"
    "  b+=c\n"
    " return b\n"
    "exec(compile(r(int(r(8))),'supervisor','exec'))\n"
)
MEGABYTE = 1 << 20
SCRATCH_MB = 64
"""Size of /tmp and of /dev/shm, each."""
SUPERVISOR_MB = 64
"""Room in the memory limit for the supervisor and what it reads."""
SPARE_PROCESSES = 4
INODES_PER_MB = 256
REPORT_CAP_BYTES = 16 * MEGABYTE
READY_SECONDS = 120
GRACE_SECONDS = 60
"""How much longer than a phase's own wall-clock limit the host waits for the supervisor's answer."""
MAX_PAYLOAD_BYTES = 32 * MEGABYTE
OUTSIDE_ACTIONS = ("kill", "stop", "pause", "destroy")
REMEMBERED_EVENTS = 200
"""An engine keeps its last 256 events; among this many, a container's start may have been forgotten."""


class SandboxDied(AssayError):
    """The container ended after the patch was in; `exhausted` says which limit the host saw reached, if one."""

    charged = True

    def __init__(self, message: str, exhausted: Limit | None) -> None:
        self.exhausted = exhausted
        super().__init__(message)


@dataclass(frozen=True, slots=True)
class PhaseOutcome:
    """A `run` frame's answer. Seconds; output is the kept head and tail of stdout and stderr together."""

    wall_seconds: float
    cpu_seconds: float
    exit_code: int | None
    signal: int | None
    exhausted: Limit | None
    swept: int
    truncated: bool
    output: bytes


@dataclass(frozen=True, slots=True)
class Refusal:
    """The supervisor could not do it: its own words, and the error number (errno) or None."""

    problem: str
    errno: int | None


@cache
def supervisor_source() -> bytes:
    """The supervisor's text as sent into every container."""
    return SUPERVISOR_FILE.read_bytes()


def supervisor_digest() -> str:
    """SHA-256 of the supervisor's text."""
    return hashlib.sha256(supervisor_source()).hexdigest()


class Sandbox:
    """A started container whose supervisor answered. Use it in a `with`; it is removed on any exit."""

    def __init__(
        self, client: docker.APIClient, container: str, stream: socket.socket, started_at: float
    ) -> None:
        self._client, self._id, self._stream = client, container, stream
        self._buffer = bytearray()
        self._started_at = started_at
        self._patched = False

    @classmethod
    def start(
        cls,
        client: docker.APIClient,
        image: str,
        limits: Limits,
        labels: Mapping[str, str],
        parents: Sequence[str],
        *,
        owned: bool = True,
    ) -> Sandbox:
        """Create and start a container of `image` and copy its base tree; returns when it is ready for a patch.

        `parents` are folders of the tree that stay root's; `owned=False` only for tests of suite ownership.
        """
        container = guarded("create a container", lambda: _create(client, image, limits, labels))
        with contextlib.ExitStack() as undo:
            undo.callback(remove_container, client, container)
            stream = guarded("attach to a container", lambda: _attach(client, container))
            undo.callback(stream.close)
            sandbox = cls(client, container, stream, time.time())
            guarded("start a container", lambda: client.start(container))
            sandbox._send_supervisor()
            sandbox._ask({"do": "start", "parents": list(parents), "owned": owned}, READY_SECONDS)
            undo.pop_all()
        return sandbox

    def adopt(self, client: docker.APIClient) -> None:
        """From here on this thread uses the sandbox, with its own client: docker's is not made for two."""
        self._client = client

    def place(self, files: Mapping[str, Entry | None]) -> Refusal | None:
        """Write (or, for None, remove) files of the tree as the sandbox user. From here on the patch is in."""
        self._patched = True
        headers, payload = _file_frame(files.items())
        return self._act({"do": "place", "files": headers}, payload)

    def lay(
        self, folders: Sequence[str], suite: Mapping[str, bytes], trusted: Mapping[str, bytes], *, owned: bool = True
    ) -> Refusal | None:
        """Write the suite over the tree in exclusive `folders`, and our runner files beside it, as root."""
        files = [(False, path, data) for path, data in suite.items()]
        files += [(True, path, data) for path, data in trusted.items()]
        headers = [{"path": path, "size": len(data), "trusted": ours} for ours, path, data in files]
        frame = {"do": "lay", "folders": list(folders), "files": headers, "owned": owned}
        return self._act(frame, b"".join(data for _, _, data in files))

    def strip(self, paths: Sequence[str], *, owned: bool = True) -> Refusal | None:
        """Remove files of the suite that no test is to read."""
        return self._act({"do": "strip", "paths": list(paths), "owned": owned}, b"")

    def run(self, command: Command, limits: Limits, *, sweep: bool = True) -> PhaseOutcome:
        """Run one command as the user, under the limits, and sweep what it left."""
        frame = {
            "do": "run",
            "argv": list(command.argv),
            "env": dict(command.env),
            "cwd": command.cwd,
            "sweep": sweep,
            "limits": {
                "cpu_seconds": limits.cpu_seconds,
                "wall_seconds": limits.wall_seconds,
                "output_bytes": limits.output_mb * MEGABYTE,
            },
        }
        header, output = self._ask(frame, limits.wall_seconds + GRACE_SECONDS)
        if header["exhausted"] == "wall" and (hand := self._outside_hand()):
            raise SandboxFailure(hand)
        return PhaseOutcome(
            wall_seconds=header["wall_seconds"],
            cpu_seconds=header["cpu_seconds"],
            exit_code=header["exit_code"],
            signal=header["signal"],
            exhausted=header["exhausted"],
            swept=header["swept"],
            truncated=header["truncated"],
            output=output,
        )

    def collect(self, name: str) -> bytes | Refusal:
        """One report, as the test process left it."""
        header, payload = self._ask({"do": "collect", "name": name, "cap": REPORT_CAP_BYTES}, GRACE_SECONDS)
        return Refusal(header["problem"], header["errno"]) if header["problem"] else payload

    def alive(self) -> bool:
        """False if the container closed its output, or sent what nobody asked for, while it waited."""
        readable, _, _ = select.select([self._stream], [], [], 0)
        return not readable

    def close(self) -> None:
        """Remove the container. An engine that is gone is no error here: the reaper comes later."""
        with contextlib.suppress(OSError):
            self._stream.close()
        remove_container(self._client, self._id)

    def __enter__(self) -> Sandbox:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self.close()

    # ------------------------------------------------------------ frames

    def _send_supervisor(self) -> None:
        source = supervisor_source()
        self._stream.settimeout(READY_SECONDS)
        try:
            self._write(f"{len(source):8d}".encode() + source)
        except OSError as error:
            raise SandboxFailure(f"the container took no input: {error}") from error

    def _act(self, header: dict[str, Any], payload: bytes) -> Refusal | None:
        answer, _ = self._ask(header, GRACE_SECONDS, payload)
        return Refusal(answer["problem"], answer["errno"]) if answer["problem"] else None

    def _ask(self, header: dict[str, Any], seconds: float, payload: bytes = b"") -> tuple[dict[str, Any], bytes]:
        self._stream.settimeout(seconds)
        try:
            head = json.dumps(header).encode()
            self._write(struct.pack(">I", len(head)) + head + payload)
            answer = json.loads(self._read(struct.unpack(">I", self._read(4))[0]))
            size = int(answer["size"])
            if size > MAX_PAYLOAD_BYTES:
                raise ValueError(f"an answer of {size} bytes")
            return answer, self._read(size)
        except TimeoutError as error:
            raise self._silence() from error
        except (OSError, EOFError, ValueError, KeyError) as error:
            raise self._explain_end() from error

    def _write(self, data: bytes) -> None:
        self._stream.sendall(data)

    def _read(self, count: int) -> bytes:
        while len(self._buffer) < count:
            self._buffer += self._read_stdout()
        data = bytes(self._buffer[:count])
        del self._buffer[:count]
        return data

    def _read_stdout(self) -> bytes:
        """The next piece of stdout; Docker's attach stream wraps each in an eight-byte header."""
        kind, size = struct.unpack(">BxxxL", self._read_raw(8))
        data = self._read_raw(size)
        return data if kind == 1 else b""

    def _read_raw(self, count: int) -> bytes:
        parts = bytearray()
        while len(parts) < count:
            part = self._stream.recv(min(count - len(parts), MEGABYTE))
            if not part:
                raise EOFError("the container closed its output")
            parts += part
        return bytes(parts)

    # ------------------------------------------------------------ whose fault was it

    def _silence(self) -> AssayError:
        """No answer within the wall-clock limit and its grace."""
        state = self._state()
        if state is not None and state.get("Running") and not state.get("Paused") and self._patched:
            return SandboxDied("the sandbox stopped answering", "wall")
        return self._explain_end()

    def _explain_end(self) -> AssayError:
        """The stream ended or made no sense: look for evidence that it was us, else it was the patch."""
        state = self._state()
        if state is None:
            return SandboxFailure("the container was removed while it was in use")
        if not self._patched:
            return SandboxFailure(f"the container ended before the patch was in (exit code {state.get('ExitCode')})")
        if state.get("OOMKilled"):
            return SandboxDied("the container ran out of memory", "memory")
        if state.get("ExitCode") == 0 and not state.get("Running"):
            return SandboxFailure("the engine let go of the container's input; was it restarted?")
        if hand := self._outside_hand():
            return SandboxFailure(hand)
        return SandboxDied(f"the sandbox died (exit code {state.get('ExitCode')})", None)

    def _state(self) -> dict[str, Any] | None:
        """The container's state once it has settled; None if it is gone. Raises EngineUnavailable."""
        for _ in range(50):
            try:
                found = guarded("look at a container", lambda: self._client.inspect_container(self._id))
                state: dict[str, Any] = found["State"]
            except EngineUnavailable:
                raise
            except HostFailure:
                return None
            if not state.get("Running"):
                break
            time.sleep(0.02)
        return state

    def _outside_hand(self) -> str:
        """Engine events that only a client of the engine, never a container, can cause; '' if there are none."""
        events = guarded("read the engine's events", self._events)
        own = [str(event.get("Action")) for event in events if event.get("id") == self._id]
        if hands := [action for action in own if action in OUTSIDE_ACTIONS]:
            return f"somebody used the engine on the container while it ran ({hands[0]})"
        if "start" not in own and len(events) < REMEMBERED_EVENTS:
            return "the engine was restarted while the container ran"
        return ""

    def _events(self) -> list[dict[str, Any]]:
        """What the engine remembers since the container was started."""
        since, until = int(self._started_at) - 1, int(time.time()) + 1
        return list(self._client.events(since=since, until=until, decode=True))


def _file_frame(files: Iterable[tuple[str, Entry | None]]) -> tuple[list[dict[str, Any]], bytes]:
    headers: list[dict[str, Any]] = []
    payload: list[bytes] = []
    for path, entry in files:
        headers.append({"path": path, "mode": entry.mode if entry else None, "size": len(entry.data) if entry else 0})
        payload.append(entry.data if entry else b"")
    return headers, b"".join(payload)


def _create(client: docker.APIClient, image: str, limits: Limits, labels: Mapping[str, str]) -> str:
    memory = (limits.memory_mb + limits.disk_mb + 2 * SCRATCH_MB + SUPERVISOR_MB) * MEGABYTE
    inodes = limits.disk_mb * INODES_PER_MB
    host = client.create_host_config(
        network_mode="none",
        read_only=True,
        ipc_mode="private",
        cap_drop=["ALL"],
        cap_add=["SETUID", "SETGID", "KILL"],
        security_opt=["no-new-privileges"],
        mem_limit=memory,
        memswap_limit=memory,
        pids_limit=limits.processes + SPARE_PROCESSES,
        shm_size=SCRATCH_MB * MEGABYTE,
        tmpfs={
            "/sandbox": f"exec,mode=755,size={limits.disk_mb}m,nr_inodes={inodes}",
            "/tmp": f"exec,mode=1777,size={SCRATCH_MB}m,nr_inodes={SCRATCH_MB * INODES_PER_MB}",
        },
        ulimits=[
            docker.types.Ulimit(name="core", soft=0, hard=0),
            docker.types.Ulimit(name="nofile", soft=1024, hard=1024),
        ],
        log_config=docker.types.LogConfig(type="none"),
    )
    created = client.create_container(
        image,
        command=["/usr/bin/python3", "-I", "-S", "-c", BOOTSTRAP],
        stdin_open=True,
        user="0:0",
        working_dir="/",
        environment={"PATH": "/usr/local/sbin:/usr/local/bin:/usr/sbin:/usr/bin:/sbin:/bin", "LANG": "C.UTF-8"},
        labels=dict(labels),
        host_config=host,
    )
    return str(created["Id"])


def _attach(client: docker.APIClient, container: str) -> socket.socket:
    """The hijacked connection: bytes written are the container's stdin; closing it closes that."""
    attached = client.attach_socket(container, params={"stdin": 1, "stdout": 1, "stream": 1})
    raw: socket.socket = attached._sock
    attached.close()  # only the wrapper, which else would keep the connection open after `raw` is closed
    return raw
