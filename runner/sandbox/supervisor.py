"""PID 1 of a sandbox: one file, standard library only, sent in over stdin and run with `python3 -I -S`.

It reads frames on stdin and answers each on stdout. A frame is a four-byte big-endian length, a JSON header,
and `header["size"]` bytes of payload. Root here holds SETUID, SETGID and KILL and nothing else, so whatever
happens in the user's area is done by a forked child that has become that user.

    start    copy the base tree, and what was built of it, out of the image; `parents` stay root's and sticky
    place    write, replace and remove files of the tree, as the user
    lay      write the suite and the trusted files, as root, in folders that are root's alone
    strip    remove files of the suite
    run      run one command as the user under limits, then sweep
    collect  read one report, as the user, without following links, capped
"""

from __future__ import annotations

import contextlib
import ctypes
import errno
import json
import os
import resource
import select
import signal
import stat
import struct
import sys
import time
from collections.abc import Callable
from typing import Any

Frame = dict[str, Any]
USER = 10001
WORK = "/sandbox"
TREE = "/sandbox/tree"
TRUSTED = "/sandbox/trusted"
REPORTS = "/sandbox/reports"
HOME = "/tmp/home"
BUILD = "/sandbox/build"
IMAGE_TREE = "/opt/assay/tree"
IMAGE_BUILD = "/opt/assay/build"
SCRATCH = ("/tmp", "/dev/shm", "/dev/mqueue")
DISKS = ("/sandbox", "/tmp", "/dev/shm")
TICK_SECONDS = 0.05
KEPT_OUTPUT = 1 << 16
COPY_BYTES = 1 << 20


# ---------------------------------------------------------------- frames


def read_exactly(count: int) -> bytes:
    parts = []
    while count:
        part = os.read(0, min(count, COPY_BYTES))
        if not part:
            os._exit(0)  # the host is gone, and with it any reason to be here
        parts.append(part)
        count -= len(part)
    return b"".join(parts)


def receive() -> Frame:
    (length,) = struct.unpack(">I", read_exactly(4))
    header: Frame = json.loads(read_exactly(length))
    return header


def send(header: Frame, payload: bytes = b"") -> None:
    head = json.dumps({**header, "size": len(payload)}).encode()
    data = struct.pack(">I", len(head)) + head + payload
    while data:
        data = data[os.write(1, data) :]


# ---------------------------------------------------------------- becoming the user


def become_user() -> None:
    os.setsid()
    with open("/proc/self/oom_score_adj", "w") as score:
        score.write("1000")
    resource.setrlimit(resource.RLIMIT_CORE, (0, 0))
    os.setgroups([])
    os.setresgid(USER, USER, USER)
    os.setresuid(USER, USER, USER)
    os.umask(0o022)


def as_user(action: Callable[..., bytes | None], *arguments: Any) -> bytes:
    """Run `action` in a child that has become the user; its bytes come back, its OSError is raised here."""
    reader, writer = os.pipe()
    child = os.fork()
    if not child:
        code = 1
        try:
            os.close(reader)
            become_user()
            try:
                answer = b"0 " + (action(*arguments) or b"")
            except OSError as error:
                answer = f"{error.errno or errno.EIO} {error}".encode("utf-8", "replace")
            with open(writer, "wb") as stream:
                stream.write(answer)
            code = 0
        finally:
            os._exit(code)
    os.close(writer)
    with open(reader, "rb") as stream:
        answer = stream.read()
    os.waitpid(child, 0)
    number, _, rest = answer.partition(b" ")
    if number != b"0":
        raise OSError(int(number or errno.EIO), rest.decode("utf-8", "replace") or "the child died")
    return rest


# ---------------------------------------------------------------- files


def copy_tree(source: str, target: str) -> None:
    """Copy what is below the relative folder `source`, seen from the working folder."""
    os.makedirs(target, exist_ok=True)
    for entry in os.scandir(source):
        copy = os.path.join(target, entry.name)
        if entry.is_symlink():
            os.symlink(os.readlink(entry.path), copy)
        elif entry.is_dir():
            copy_tree(entry.path, copy)
        else:
            copy_file(entry, copy)


def copy_file(entry: os.DirEntry[str], copy: str) -> None:
    status = entry.stat()
    with open(entry.path, "rb") as old, open(copy, "wb") as new:
        while data := old.read(COPY_BYTES):
            new.write(data)
    os.chmod(copy, 0o755 if status.st_mode & 0o100 else 0o644)
    os.utime(copy, ns=(status.st_atime_ns, status.st_mtime_ns))


def place_files(files: list[Frame]) -> None:
    for file in files:
        path = os.path.join(TREE, file["path"])
        remove(path)
        if file["mode"] is None:
            prune_parents(path)
            continue
        os.makedirs(os.path.dirname(path), exist_ok=True)
        data = read_exactly(file["size"])
        if file["mode"] == "120000":
            os.symlink(data, os.fsencode(path))
        else:
            write_file(path, data, 0o755 if file["mode"] == "100755" else 0o644)


def prune_parents(path: str) -> None:
    """A folder that its last file left goes too, as it does in git; those that are root's stay."""
    with contextlib.suppress(OSError):
        while (path := os.path.dirname(path)) != TREE:
            os.rmdir(path)


def write_file(path: str, data: bytes, mode: int) -> None:
    handle = os.open(path, os.O_WRONLY | os.O_CREAT | os.O_EXCL | os.O_NOFOLLOW, mode)
    with open(handle, "wb") as stream:
        stream.write(data)


def remove(path: str) -> None:
    """Remove a file or a whole folder, whatever its modes; a missing one is fine. No recursion: depth is not ours."""
    try:
        if not stat.S_ISDIR(os.lstat(path).st_mode):
            os.unlink(path)
            return
    except FileNotFoundError:
        return
    except NotADirectoryError:
        return
    empty(path)
    os.rmdir(path)


def empty(folder: str) -> None:
    """Remove what is in `folder`. A folder in a folder is moved up before it is entered, so no path grows long."""
    if os.lstat(folder).st_uid == os.geteuid():
        os.chmod(folder, 0o700)
    serial = 0
    while names := os.listdir(folder):
        for name in names:
            path = os.path.join(folder, name)
            if not stat.S_ISDIR(os.lstat(path).st_mode):
                os.unlink(path)
                continue
            os.chmod(path, 0o700)
            for inner in os.listdir(path):
                serial += 1
                lift(os.path.join(path, inner), os.path.join(folder, f".assay-{serial}-{os.getpid()}"))
            os.rmdir(path)


def lift(path: str, target: str) -> None:
    if stat.S_ISDIR(os.lstat(path).st_mode):
        os.chmod(path, 0o700)  # a folder changes its parent only if it can be written
    os.rename(path, target)


def lay_files(folders: list[str], files: list[Frame]) -> None:
    for folder in folders:
        path = os.path.join(TREE, folder)
        if os.path.lexists(path):
            as_user(remove, path)
        os.mkdir(path, 0o755)
    for file in files:
        base = TRUSTED if file["trusted"] else TREE
        path = os.path.join(base, file["path"])
        os.makedirs(os.path.dirname(path), mode=0o755, exist_ok=True)
        if file["trusted"]:
            remove(path)
        write_file(path, read_exactly(file["size"]), 0o644)


def strip_files(paths: list[str]) -> None:
    for path in paths:
        remove(os.path.join(TREE, path))


def lay_files_as_user(folders: list[str], files: list[Frame]) -> None:
    """Only for tests of suite ownership: everything belongs to the user."""
    for folder in folders:
        os.makedirs(os.path.join(TREE, folder), exist_ok=True)
    for file in files:
        path = os.path.join(TRUSTED if file["trusted"] else TREE, file["path"])
        os.makedirs(os.path.dirname(path), exist_ok=True)
        remove(path)
        write_file(path, read_exactly(file["size"]), 0o644)


def read_report(name: str, cap: int) -> bytes:
    handle = os.open(os.path.join(REPORTS, name), os.O_RDONLY | os.O_NOFOLLOW | os.O_NONBLOCK)
    with open(handle, "rb") as stream:
        status = os.fstat(stream.fileno())
        if not stat.S_ISREG(status.st_mode):
            raise OSError(errno.EINVAL, "not a regular file")
        if status.st_size > cap:
            raise OSError(errno.EFBIG, f"larger than {cap} bytes")
        return stream.read(cap)


# ---------------------------------------------------------------- counters


def read_text(path: str) -> str:
    try:
        with open(path) as stream:
            return stream.read()
    except OSError:
        return ""


def keyed(text: str, key: str) -> int:
    for line in text.splitlines():
        name, _, value = line.partition(" ")
        if name == key:
            return int(value)
    return 0


def cpu_seconds() -> float:
    if usage := read_text("/sys/fs/cgroup/cpuacct/cpuacct.usage"):
        return int(usage) / 1e9
    if text := read_text("/sys/fs/cgroup/cpu.stat"):
        return keyed(text, "usage_usec") / 1e6
    used = resource.getrusage(resource.RUSAGE_CHILDREN)
    return used.ru_utime + used.ru_stime


def oom_kills() -> int:
    text = read_text("/sys/fs/cgroup/memory/memory.oom_control") or read_text("/sys/fs/cgroup/memory.events")
    return keyed(text, "oom_kill")


def fork_refusals() -> int:
    text = read_text("/sys/fs/cgroup/pids/pids.events") or read_text("/sys/fs/cgroup/pids.events")
    return keyed(text, "max")


def full_disk() -> bool:
    for path in DISKS:
        space = os.statvfs(path)
        if space.f_bavail == 0 or space.f_favail == 0:
            return True
    return False


# ---------------------------------------------------------------- sweep


def others() -> list[int]:
    return [int(name) for name in os.listdir("/proc") if name.isdigit() and name != "1"]


def reap() -> dict[int, int]:
    """Collect every ended child; the statuses by pid."""
    ended: dict[int, int] = {}
    while True:
        try:
            pid, status = os.waitpid(-1, os.WNOHANG)
        except ChildProcessError:
            return ended
        if not pid:
            return ended
        ended[pid] = status


def kill_all() -> int:
    """Kill until nobody is left; how many there were at the first look."""
    reap()
    found = len(others())
    while True:
        with contextlib.suppress(ProcessLookupError):
            os.kill(-1, signal.SIGKILL)
        reap()
        if not others():
            return found
        time.sleep(0.002)


def wipe() -> None:
    """Empty the scratch folders and remove System V IPC objects, as the user."""
    as_user(wipe_scratch)


def wipe_scratch() -> None:
    for folder in SCRATCH:
        for name in os.listdir(folder) if os.path.isdir(folder) else ():
            with contextlib.suppress(OSError):
                remove(os.path.join(folder, name))
    remove_ipc()


def remove_ipc() -> None:
    libc = ctypes.CDLL(None)
    for kind, call in (("shm", "shmctl"), ("sem", "semctl"), ("msg", "msgctl")):
        for line in read_text(f"/proc/sysvipc/{kind}").splitlines()[1:]:
            identifier = int(line.split()[1])
            if kind == "sem":
                libc.semctl(identifier, 0, 0)
            else:
                getattr(libc, call)(identifier, 0, None)


# ---------------------------------------------------------------- running one command


class Output:
    """The first and the last bytes of what a command wrote, and how much there was."""

    def __init__(self) -> None:
        self.head, self.tail, self.total = b"", b"", 0

    def add(self, data: bytes) -> None:
        self.total += len(data)
        room = KEPT_OUTPUT - len(self.head)
        self.head += data[:room] if room > 0 else b""
        self.tail = (self.tail + data[max(room, 0) :])[-KEPT_OUTPUT:]

    def truncated(self) -> bool:
        return self.total > len(self.head) + len(self.tail)

    def kept(self) -> bytes:
        return self.head + (b"\n[... cut ...]\n" if self.truncated() else b"") + self.tail


def spawn(command: Frame) -> tuple[int, int]:
    """Start the command as the user; its pid and the descriptor of its output."""
    reader, writer = os.pipe()
    child = os.fork()
    if not child:
        try:
            null = os.open("/dev/null", os.O_RDONLY)
            become_user()
            for source, target in ((null, 0), (writer, 1), (writer, 2)):
                os.dup2(source, target)
            os.closerange(3, 4096)
            os.chdir(command["cwd"])
            os.execve(command["argv"][0], command["argv"], {**command["env"], "HOME": HOME})
        except OSError as error:
            os.write(2, f"{command['argv'][0]} did not start: {error}\n".encode("utf-8", "replace"))
        finally:
            os._exit(127)
    os.close(writer)
    os.set_blocking(reader, False)
    return child, reader


def drain(reader: int, output: Output) -> bool:
    """Read what is there; False once the last writer has closed."""
    while True:
        try:
            data = os.read(reader, COPY_BYTES)
        except BlockingIOError:
            return True
        if not data:
            return False
        output.add(data)
        if len(data) < COPY_BYTES:
            return True


def watch(child: int, reader: int, limits: Frame) -> tuple[int | None, str | None, Output]:
    """Wait for the command or for a limit; exit status (None if killed by us), the limit, the output.

    A full disk stops nothing, but a command that failed after one was seen has reached that limit.
    """
    output, started, cpu_before = Output(), time.monotonic(), cpu_seconds()
    ending = os.pidfd_open(child)  # wakes the wait at once, before a process left behind can use the time
    watched, full = [reader, 0, ending], False
    while True:
        ready, _, _ = select.select(watched, [], [], TICK_SECONDS)
        if 0 in ready:
            os._exit(0)  # nothing is sent while a command runs: this is the end of the stream
        if reader in ready and not drain(reader, output):
            watched.remove(reader)
        ended = reap()
        full = full or full_disk()
        if child in ended:
            os.close(ending)
            drain(reader, output)
            failed_by = "disk" if full and ended[child] != 0 else None
            return ended[child], over(limits, started, cpu_before, output) or failed_by, output
        if limit := over(limits, started, cpu_before, output):
            return None, limit, output
        if reader not in watched:
            time.sleep(0.001)


def over(limits: Frame, started: float, cpu_before: float, output: Output) -> str | None:
    if oom_kills() > limits["oom_kills"]:
        return "memory"
    if fork_refusals() > limits["fork_refusals"]:
        return "processes"
    if output.total > limits["output_bytes"]:
        return "output"
    if cpu_seconds() - cpu_before > limits["cpu_seconds"]:
        return "cpu"
    if time.monotonic() - started > limits["wall_seconds"]:
        return "wall"
    return None


def run(header: Frame) -> None:
    as_user(fresh_home, header["sweep"])
    limits = {**header["limits"], "oom_kills": oom_kills(), "fork_refusals": fork_refusals()}
    started, cpu_before = time.monotonic(), cpu_seconds()
    child, reader = spawn(header)
    status, limit, output = watch(child, reader, limits)
    swept = 0
    if header["sweep"] or limit:
        swept = max(kill_all() - (status is None), 0)
    os.close(reader)
    record = {
        "wall_seconds": time.monotonic() - started,
        "cpu_seconds": cpu_seconds() - cpu_before,
        "exit_code": os.WEXITSTATUS(status) if status is not None and os.WIFEXITED(status) else None,
        "signal": os.WTERMSIG(status) if status is not None and os.WIFSIGNALED(status) else None,
        "exhausted": limit,
        "swept": swept,
        "truncated": output.truncated(),
    }
    if header["sweep"] or limit:
        wipe()
    send(record, output.kept())


def fresh_home(emptied: bool) -> None:
    if emptied:
        for name in os.listdir(REPORTS):
            remove(os.path.join(REPORTS, name))
    os.makedirs(HOME, exist_ok=True)


# ---------------------------------------------------------------- the frames' actions


def start(header: Frame) -> None:
    for path, mode in ((TREE, 0o1777), (REPORTS, 0o1777), (TRUSTED, 0o755 if header["owned"] else 0o1777)):
        os.mkdir(path)
        os.chmod(path, mode)
    for parent in header["parents"]:
        path = os.path.join(TREE, parent)
        os.mkdir(path)
        os.chmod(path, 0o1777)
    os.mkdir(BUILD)
    os.chmod(BUILD, 0o1777)
    for folder, copy in ((IMAGE_TREE, TREE), (IMAGE_BUILD, BUILD)):
        if os.path.isdir(folder):
            os.chdir(folder)  # root's alone to enter: no product takes old code from it; the child is inside
            as_user(copy_tree, ".", copy)
    os.chdir("/")
    send({"ready": True})


def attempt(action: Callable[..., bytes | None], *arguments: Any) -> None:
    """Do it and answer. After a refusal nothing else is done: what the host still sends is read to its end."""
    kills = oom_kills()
    try:
        payload = action(*arguments) or b""
    except OSError as error:
        send({"problem": str(error), "errno": errno.ENOMEM if oom_kills() > kills else error.errno})
        while True:
            read_exactly(COPY_BYTES)
    send({"problem": ""}, payload)


def main() -> None:
    while True:
        header = receive()
        match header["do"]:
            case "start":
                start(header)
            case "place":
                attempt(as_user, place_files, header["files"])
            case "lay" if header["owned"]:
                attempt(lay_files, header["folders"], header["files"])
            case "lay":
                attempt(as_user, lay_files_as_user, header["folders"], header["files"])
            case "strip" if header["owned"]:
                attempt(strip_files, header["paths"])
            case "strip":
                attempt(as_user, strip_files, header["paths"])
            case "run":
                run(header)
            case "collect":
                attempt(as_user, read_report, header["name"], header["cap"])


if __name__ == "__main__":
    sys.setrecursionlimit(10_000)
    main()
