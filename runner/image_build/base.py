"""The base image where no registry answers: bootstrapped from Debian's packages, the same bytes each time."""

from __future__ import annotations

import contextlib
import hashlib
import io
import json
import os
import shutil
import subprocess
import tarfile
from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path

from runner.errors import ImageBuildFailed
from runner.image_build.recipes import EPOCH, RELEASE

LAST_LINES = 20


@contextlib.contextmanager
def loadable(archive: Path, tag: str, labels: Mapping[str, str]) -> Iterator[io.BufferedReader]:
    """A tar that `docker load` takes, around one root file system; the same input gives the same image id."""
    digest = _file_digest(archive)
    config = json.dumps(
        {
            "architecture": _architecture(),
            "os": "linux",
            "created": "2025-01-01T00:00:00Z",
            "config": {"Cmd": ["/bin/sh"], "Labels": dict(labels)},
            "rootfs": {"type": "layers", "diff_ids": [f"sha256:{digest}"]},
        },
        sort_keys=True,
    ).encode()
    name = hashlib.sha256(config).hexdigest() + ".json"
    manifest = json.dumps([{"Config": name, "RepoTags": [tag], "Layers": ["layer.tar"]}]).encode()
    target = archive.with_suffix(".image.tar")
    with tarfile.open(target, "w") as image:
        image.add(archive, "layer.tar")
        for path, data in ((name, config), ("manifest.json", manifest)):
            member = tarfile.TarInfo(path)
            member.size, member.mtime = len(data), EPOCH
            image.addfile(member, io.BytesIO(data))
    with target.open("rb") as stream:
        yield stream


def bootstrap(archive: Path, packages: Sequence[str]) -> None:
    """Write a Debian root file system with `packages` to `archive`. Raises ImageBuildFailed."""
    if shutil.which("mmdebstrap") is None:
        raise ImageBuildFailed(
            "no registry gives a Debian image, and mmdebstrap, which makes a base out of Debian's packages, "
            "is not installed; run `make engine`, or `apt-get install mmdebstrap`"
        )
    command = ["mmdebstrap", "--variant=apt", f"--include={','.join(packages)}", "--quiet"]
    command += ['--aptopt=Acquire::Check-Valid-Until "false"', RELEASE, str(archive)]
    environment = {**os.environ, "SOURCE_DATE_EPOCH": str(EPOCH)}
    done = subprocess.run(command, env=environment, capture_output=True, text=True, check=False)
    if done.returncode:
        tail = "\n".join(done.stderr.splitlines()[-LAST_LINES:])
        raise ImageBuildFailed(
            f"bootstrapping the base failed; its last lines:\n{tail}\nTo repeat: assay images build base"
        )


def _file_digest(path: Path) -> str:
    with path.open("rb") as stream:
        return hashlib.file_digest(stream, "sha256").hexdigest()


def _architecture() -> str:
    machine = os.uname().machine
    return {"x86_64": "amd64", "aarch64": "arm64"}.get(machine, machine)
