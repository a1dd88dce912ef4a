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
import os
import shutil
import subprocess
import tarfile
import tempfile
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import docker
from docker.errors import ImageNotFound

from runner.engine import guarded
from runner.errors import EngineUnavailable, HostFailure, ImageBuildFailed
from runner.ownership import Owner, remove_container
from runner.task import Task
from runner.toolchains.registry import TOOLCHAINS
from runner.tree import SYMLINK, Tree

IMAGES = Path(__file__).resolve().parent.parent / "images"
RELEASE = "trixie"
REGISTRY_IMAGE = "debian:trixie-slim"
EPOCH = 1_735_689_600
"""2025-01-01, the time stamp of everything that we write into an image (seconds since 1970)."""
BUILD_FOLDER = "/run/assay-build"
LAST_LINES = 20
CERTIFICATE_VARIABLES = ("SSL_CERT_FILE", "REQUESTS_CA_BUNDLE", "PIP_CERT", "CURL_CA_BUNDLE", "NODE_EXTRA_CA_CERTS")
PASSED_VARIABLES = ("PIP_INDEX_URL", "PIP_EXTRA_INDEX_URL", "PIP_TRUSTED_HOST", "PIP_DEFAULT_TIMEOUT")
PROXY_VARIABLES = ("http_proxy", "https_proxy", "no_proxy", "HTTP_PROXY", "HTTPS_PROXY", "NO_PROXY")
HOST_FILES = {"/etc/pip.conf": "pip.conf", "/etc/apt/apt.conf.d/99artifact-registry": "99host"}

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


@dataclass(frozen=True, slots=True)
class Recipe:
    """How one layer is made: script and files for it, on a parent."""

    name: str
    parent: str
    script: str
    files: Mapping[str, bytes]

    @property
    def inputs(self) -> str:
        """SHA-256 over everything that decides the image."""
        sha = hashlib.sha256(f"{self.parent}\0{self.script}".encode())
        for path in sorted(self.files):
            sha.update(f"\0{path}\0".encode() + hashlib.sha256(self.files[path]).digest())
        return sha.hexdigest()

    @property
    def tag(self) -> str:
        """`assay/<name>:<first 16 digits of the inputs' digest>`."""
        return f"assay/{self.name}:{self.inputs[:16]}"


class Images:
    """Builds what is missing. `cache` holds locks, so that two processes never build one image twice."""

    def __init__(self, client: docker.APIClient, owner: Owner, cache: Path, progress: Progress) -> None:
        self._client, self._owner, self._cache, self._progress = client, owner, cache, progress

    def base(self) -> Image:
        """Debian with Python: from a registry where one answers, else bootstrapped from Debian's packages."""
        packages = _packages(IMAGES / "base")
        inputs = hashlib.sha256(f"{RELEASE} {packages} apt".encode()).hexdigest()
        tag = f"assay/base:{inputs[:16]}"
        with self._lock(tag):
            return self._find(tag) or self._make_base(tag, inputs, packages)

    def toolchain(self, language: str) -> Image:
        """The language's toolchain on the base."""
        folder = IMAGES / language
        files = {path.name: path.read_bytes() for path in sorted(folder.iterdir()) if path.suffix != ".in"}
        script = files.pop("build.sh").decode()
        return self.layer(Recipe(language, self.base().tag, script, files))

    def task(self, task: Task, sandbox_base: Tree) -> Image:
        """One task: dependencies, the base tree as a sandbox starts from it, and what is built of it."""
        script = TREE_SCRIPT + TOOLCHAINS[task.language].image_script(task)
        files = {"tree.tar": tree_archive(sandbox_base)}
        if task.image.requirements is not None:
            files["requirements.txt"] = task.image.requirements.read_bytes()
        return self.layer(Recipe(f"task-{task.id}", self.toolchain(task.language).tag, script, files))

    def layer(self, recipe: Recipe) -> Image:
        """The recipe's image, built unless it is there."""
        with self._lock(recipe.tag):
            return self._find(recipe.tag) or self._run_and_commit(recipe)

    def list(self) -> list[tuple[str, str, int]]:
        """Our images: tag, id, size in bytes."""
        found = guarded("list images", lambda: self._client.images(filters={"label": "assay.inputs"}))
        return sorted((tag, str(image["Id"]), int(image["Size"])) for image in found for tag in image["RepoTags"] or [])

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
        with tempfile.TemporaryDirectory(prefix="assay-base-") as scratch:
            archive = Path(scratch) / "root.tar"
            _bootstrap(archive, packages)
            labels = {"assay.inputs": inputs, "assay.manifest": inputs, "assay.toolchain": "{}"}
            with loadable(archive, tag, labels) as stream:
                guarded("load the base image", lambda: _load(self._client, stream))
        image = self._find(tag)
        if image is None:
            raise ImageBuildFailed("the engine took the base image and does not have it; run `assay images build` again")
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
        with tempfile.TemporaryDirectory(prefix="assay-build-") as scratch:
            _fill_build_folder(Path(scratch), recipe)
            container = guarded(f"create a container for {recipe.name}", lambda: self._create(recipe, scratch))
            try:
                self._follow(recipe, container)
                self._commit(container, tag or recipe.tag, inputs or recipe.inputs)
            finally:
                remove_container(self._client, container)
        image = self._find(tag or recipe.tag)
        assert image is not None
        return image

    def _create(self, recipe: Recipe, scratch: str) -> str:
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
            parts, _ = guarded("read the manifest", lambda: self._client.get_archive(container, "/opt/assay/manifest.txt"))
        except HostFailure:
            return ""
        with tarfile.open(fileobj=io.BytesIO(b"".join(parts))) as archive:
            member = archive.extractfile("manifest.txt")
            return member.read().decode() if member else ""


TREE_SCRIPT = """\
echo '::step:: base tree'
mkdir -p /opt/assay/tree
tar -xf tree.tar -C /opt/assay/tree
echo "tree $(sha256sum < tree.tar)" >> /opt/assay/manifest.txt
"""


def tree_archive(tree: Tree) -> bytes:
    """The tree as an uncompressed tar, the same bytes for the same tree."""
    buffer = io.BytesIO()
    with tarfile.open(fileobj=buffer, mode="w", format=tarfile.PAX_FORMAT) as archive:
        for path, entry in tree.items():
            member = tarfile.TarInfo(path)
            member.mtime = EPOCH
            if entry.mode == SYMLINK:
                member.type, member.linkname = tarfile.SYMTYPE, os.fsdecode(entry.data)
                archive.addfile(member)
                continue
            member.size, member.mode = len(entry.data), 0o755 if entry.mode == "100755" else 0o644
            archive.addfile(member, io.BytesIO(entry.data))
    return buffer.getvalue()


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


def _bootstrap(archive: Path, packages: Sequence[str]) -> None:
    if shutil.which("mmdebstrap") is None:
        raise ImageBuildFailed(
            f"no registry gives {REGISTRY_IMAGE}, and mmdebstrap, which makes a base out of Debian's packages, "
            "is not installed; run `make engine`, or `apt-get install mmdebstrap`"
        )
    command = ["mmdebstrap", "--variant=apt", f"--include={','.join(packages)}", "--quiet"]
    command += ['--aptopt=Acquire::Check-Valid-Until "false"', RELEASE, str(archive)]
    environment = {**os.environ, "SOURCE_DATE_EPOCH": str(EPOCH)}
    done = subprocess.run(command, env=environment, capture_output=True, text=True, check=False)
    if done.returncode:
        tail = "\n".join(done.stderr.splitlines()[-LAST_LINES:])
        raise ImageBuildFailed(f"bootstrapping the base failed; its last lines:\n{tail}\nTo repeat: assay images build base")


def _fill_build_folder(folder: Path, recipe: Recipe) -> None:
    folder.chmod(0o755)
    for path, data in recipe.files.items():
        (folder / path).write_bytes(data)
    exports = {name: os.environ[name] for name in (*PASSED_VARIABLES, *PROXY_VARIABLES) if name in os.environ}
    bundle = os.environ.get("SSL_CERT_FILE") or "/etc/ssl/certs/ca-certificates.crt"
    if Path(bundle).is_file():
        shutil.copyfile(bundle, folder / "ca.crt")
        exports |= dict.fromkeys(CERTIFICATE_VARIABLES, f"{BUILD_FOLDER}/ca.crt")
    lines = [f"export {name}='{value}'" for name, value in exports.items() if "'" not in value]
    (folder / "build.sh").write_text("\n".join(["export DEBIAN_FRONTEND=noninteractive", *lines, recipe.script]))


def _place(name: str) -> str:
    return f"apt/apt.conf.d/{name}" if name == "99host" else name


def _packages(folder: Path) -> list[str]:
    lines = (folder / "packages.txt").read_text().splitlines()
    return [line.strip() for line in lines if line.strip() and not line.startswith("#")]


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


def _file_digest(path: Path) -> str:
    with path.open("rb") as stream:
        return hashlib.file_digest(stream, "sha256").hexdigest()


def _architecture() -> str:
    machine = os.uname().machine
    return {"x86_64": "amd64", "aarch64": "arm64"}.get(machine, machine)
