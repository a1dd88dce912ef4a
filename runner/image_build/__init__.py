"""Images by digest of their inputs: the base, a toolchain, a task. A second build does nothing.

A layer is made by running a script in a container of its parent and committing it, so that the host's
certificates and client settings reach the build by mounts and stay in no layer.
"""

from __future__ import annotations

import contextlib
import fcntl
import hashlib
import io
import json
import tarfile
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import partial
from pathlib import Path
from typing import Any

import docker
from docker.errors import ImageNotFound

from runner.engine import guarded
from runner.errors import EngineUnavailable, HostFailure, ImageBuildFailed
from runner.image_build.base import LAST_LINES, bootstrap, loadable
from runner.image_build.client_settings import lay_client_settings
from runner.image_build.disk import disk_bytes
from runner.image_build.recipes import (
    Recipe,
    base_inputs,
    base_packages,
    base_tag,
    task_recipe,
    toolchain_recipe,
)
from runner.sandbox.ownership import Owner, remove_container
from runner.scratch import scratch_folder
from runner.task import Task
from runner.tree import Tree

REGISTRY_IMAGE = "debian:trixie-slim"
BUILD_FOLDER = "/run/assay-build"
HOST_FILES = {"/etc/pip.conf": "pip.conf", "/etc/apt/apt.conf.d/99artifact-registry": "99host"}

BUILT = "built"
"""What is last said of an image."""
Progress = Callable[[str, str], None]
"""Called with an image's short name and what is being done to it."""


@dataclass(frozen=True, slots=True)
class Image:
    """A built image: tag, engine id, digest of its inputs, and what it holds."""

    tag: str
    id: str
    inputs: str
    manifest: str
    """SHA-256 of the list of packages with versions and the base tree."""
    toolchain: Mapping[str, str]


class Images:
    """Builds what is missing. `cache` holds locks, so that two processes never build one image twice."""

    def __init__(self, client: docker.APIClient, owner: Owner, cache: Path, progress: Progress) -> None:
        self._client, self._owner, self._cache, self._progress = client, owner, cache, progress

    def base(self) -> Image:
        """Debian with Python: from a registry where one answers, else bootstrapped from Debian's packages."""
        with self._lock(base_tag()):
            return self._find(base_tag()) or self._make_base(base_tag(), base_inputs(), base_packages())

    def toolchain(self, language: str) -> Image:
        """The language's toolchain on the base."""
        self.base()
        return self.layer(toolchain_recipe(language))

    def task(self, task: Task, start: Tree) -> Image:
        """One task: dependencies, the base tree as a sandbox starts from it, and what is built of it."""
        self.toolchain(task.language)
        return self.layer(task_recipe(task, start))

    def layer(self, recipe: Recipe) -> Image:
        """The recipe's image, built unless it is there."""
        with self._lock(recipe.tag):
            return self._find(recipe.tag) or self._run_and_commit(recipe)

    def list(self) -> list[tuple[str, str, int]]:
        """Our images: tag, id, size in bytes."""
        found = guarded("list images", lambda: self._client.images(filters={"label": "assay.inputs"}))
        return sorted((tag, str(image["Id"]), int(image["Size"])) for image in found for tag in image["RepoTags"] or [])

    def disk_bytes(self, tags: Iterable[str]) -> int:
        """Bytes on disk of those of the images `tags` that are there, each layer counted once."""
        found = (guarded(f"look for {tag}", partial(_inspect, self._client, tag)) for tag in {*tags})
        return disk_bytes({tuple(one["RootFS"]["Layers"]): int(one["Size"]) for one in found if one})

    def remove(self, tag: str) -> None:
        """Remove one image."""
        guarded(f"remove {tag}", lambda: self._client.remove_image(tag))

    # ------------------------------------------------------------ finding

    def _find(self, tag: str) -> Image | None:
        found = guarded(f"look for {tag}", lambda: _inspect(self._client, tag))
        if found is None:
            return None
        labels = found["Config"]["Labels"]
        return Image(
            tag=tag,
            id=str(found["Id"]),
            inputs=labels["assay.inputs"],
            manifest=labels["assay.manifest"],
            toolchain=json.loads(labels["assay.toolchain"]),
        )

    @contextlib.contextmanager
    def _lock(self, tag: str) -> Iterator[None]:
        path = self._cache / "locks" / tag.replace("/", "_")
        path.parent.mkdir(parents=True, exist_ok=True)
        with path.open("w") as stream:
            fcntl.flock(stream, fcntl.LOCK_EX)
            yield

    # ------------------------------------------------------------ the base

    def _make_base(self, tag: str, inputs: str, packages: Sequence[str]) -> Image:
        if self._pull():
            script = "apt-get update -qq\napt-get install -y -qq --no-install-recommends " + " ".join(packages)
            recipe = Recipe("base", REGISTRY_IMAGE, "echo '::step:: debian packages'\n" + script, {})
            return self._run_and_commit(recipe, tag=tag, inputs=inputs)
        self._progress("base", "bootstrapping Debian")
        with scratch_folder(self._cache / "scratch") as scratch:
            archive = scratch / "root.tar"
            bootstrap(archive, packages)
            labels = {"assay.inputs": inputs, "assay.manifest": inputs, "assay.toolchain": "{}"}
            with loadable(archive, tag, labels) as stream:
                guarded("load the base image", lambda: _load(self._client, stream))
        self._progress("base", BUILT)
        image = self._find(tag)
        if image is None:
            raise ImageBuildFailed(
                "the engine took the base image and does not have it; run `assay images build` again"
            )
        return image

    def _pull(self) -> bool:
        self._progress("base", f"asking for {REGISTRY_IMAGE}")
        try:
            guarded("pull", lambda: self._client.pull(REGISTRY_IMAGE))
        except EngineUnavailable:
            raise
        except HostFailure:
            return False
        return True

    # ------------------------------------------------------------ a layer

    def _run_and_commit(self, recipe: Recipe, tag: str = "", inputs: str = "") -> Image:
        self._progress(recipe.name, "starting")
        with scratch_folder(self._cache / "scratch") as scratch:
            _fill_build_folder(scratch, recipe)
            container = guarded(f"create a container for {recipe.name}", lambda: self._create(recipe, scratch))
            try:
                self._follow(recipe, container)
                self._commit(container, tag or recipe.tag, inputs or recipe.inputs)
            finally:
                remove_container(self._client, container)
        self._progress(recipe.name, BUILT)
        image = self._find(tag or recipe.tag)
        assert image is not None
        return image

    def _create(self, recipe: Recipe, scratch: Path) -> str:
        binds = [f"{scratch}:{BUILD_FOLDER}:ro"]
        binds += [f"{path}:/etc/{_place(name)}:ro" for path, name in HOST_FILES.items() if Path(path).exists()]
        host = self._client.create_host_config(binds=binds, network_mode="bridge")
        created = self._client.create_container(
            recipe.parent,
            command=["/bin/sh", "-eu", f"{BUILD_FOLDER}/build.sh"],
            working_dir=BUILD_FOLDER,
            user="0:0",
            host_config=host,
            labels=self._owner.labels("build"),
        )
        return str(created["Id"])

    def _follow(self, recipe: Recipe, container: str) -> None:
        guarded(f"start building {recipe.name}", lambda: self._client.start(container))
        step, last = "start", [""]
        stream = guarded("follow a build", lambda: self._client.logs(container, stream=True, follow=True))
        for line in _lines(stream):
            if line.startswith("::step:: "):
                step = line.removeprefix("::step:: ")
                self._progress(recipe.name, step)
            else:
                last = [*last[1 - LAST_LINES :], line]
        code = guarded("wait for a build", lambda: self._client.wait(container))["StatusCode"]
        if code:
            tail = "\n".join(f"    {line}" for line in last if line)
            raise ImageBuildFailed(
                f"building {recipe.name} failed in step '{step}' (exit code {code}); its last lines:\n{tail}\n"
                f"To repeat only this: assay images build {recipe.name}"
            )

    def _commit(self, container: str, tag: str, inputs: str) -> None:
        text = self._manifest(container)
        labels = {
            "assay.inputs": inputs,
            "assay.manifest": hashlib.sha256(text.encode()).hexdigest(),
            "assay.toolchain": json.dumps(_toolchain(text), sort_keys=True),
        }
        name, _, version = tag.partition(":")
        config = {"Labels": labels, "Cmd": ["/bin/sh"], "WorkingDir": "/", "User": ""}
        guarded(f"commit {tag}", lambda: self._client.commit(container, name, version, conf=config))

    def _manifest(self, container: str) -> str:
        try:
            parts, _ = guarded(
                "read the manifest", lambda: self._client.get_archive(container, "/opt/assay/manifest.txt")
            )
        except HostFailure:
            return ""
        with tarfile.open(fileobj=io.BytesIO(b"".join(parts))) as archive:
            member = archive.extractfile("manifest.txt")
            return member.read().decode() if member else ""


def _fill_build_folder(folder: Path, recipe: Recipe) -> None:
    folder.chmod(0o755)
    for path, data in recipe.files.items():
        (folder / path).parent.mkdir(parents=True, exist_ok=True)
        (folder / path).write_bytes(data)
    exports = lay_client_settings(folder, BUILD_FOLDER)
    lines = [f"export {name}='{value}'" for name, value in exports.items() if "'" not in value]
    (folder / "build.sh").write_text("\n".join(["export DEBIAN_FRONTEND=noninteractive", *lines, recipe.script]))


def _place(name: str) -> str:
    return f"apt/apt.conf.d/{name}" if name == "99host" else name


def _inspect(client: docker.APIClient, tag: str) -> dict[str, Any] | None:
    try:
        found: dict[str, Any] = client.inspect_image(tag)  # type: ignore[no-untyped-call]  # no stub for it
    except ImageNotFound:
        return None
    return found


def _load(client: docker.APIClient, stream: io.BufferedReader) -> None:
    list(client.load_image(stream))  # type: ignore[no-untyped-call]  # no stub for it


def _lines(stream: Iterator[bytes]) -> Iterator[str]:
    rest = b""
    for part in stream:
        *whole, rest = (rest + part).split(b"\n")
        yield from (line.decode("utf-8", "replace").rstrip("\r") for line in whole)
    if rest:
        yield rest.decode("utf-8", "replace")


def _toolchain(manifest: str) -> dict[str, str]:
    rows = [line.split() for line in manifest.splitlines() if line.startswith("toolchain ")]
    return {row[1]: row[2] for row in rows if len(row) == 3}
