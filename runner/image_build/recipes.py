"""How images are made, and the tags that follow: digests of everything that decides them. Nothing is built here."""

from __future__ import annotations

import hashlib
import io
import os
import tarfile
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from pathlib import Path

from runner.task import Task
from runner.toolchains.registry import TOOLCHAINS
from runner.tree import SYMLINK, Tree

IMAGES = Path(__file__).resolve().parents[2] / "images"
RELEASE = "trixie"
EPOCH = 1_735_689_600
"""2025-01-01, the time stamp of everything that we write into an image (seconds since 1970)."""


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


def base_packages() -> list[str]:
    """Debian packages of the base beyond the essential ones."""
    lines = (IMAGES / "base" / "packages.txt").read_text().splitlines()
    return [line.strip() for line in lines if line.strip() and not line.startswith("#")]


def base_inputs() -> str:
    """SHA-256 over what decides the base."""
    return hashlib.sha256(f"{RELEASE} {base_packages()} apt".encode()).hexdigest()


def base_tag() -> str:
    """The base's tag."""
    return f"assay/base:{base_inputs()[:16]}"


def toolchain_recipe(language: str) -> Recipe:
    """The folder under `images/` that the language names, on the base."""
    name = TOOLCHAINS[language].image
    folder = IMAGES / name
    files = {path.name: path.read_bytes() for path in sorted(folder.iterdir()) if path.suffix != ".in"}
    script = files.pop("build.sh").decode()
    return Recipe(name, base_tag(), script, files)


def task_recipe(task: Task, start: Tree) -> Recipe:
    """Dependencies, the tree that every sandbox of the task starts from, and what is built of it."""
    files = {"tree.tar": tree_archive(start)}
    if task.image.requirements is not None:
        files["requirements.txt"] = task.image.requirements.read_bytes()
    toolchain = TOOLCHAINS[task.language]
    script = toolchain.image_script(task)
    if ours := toolchain.build_files(task):
        files |= {f"trusted/{path}": data for path, data in ours.items()}
        script = STAGE_SCRIPT + script + KEEP_SCRIPT
    script = TREE_SCRIPT + script + SEAL_SCRIPT
    return Recipe(f"task-{task.id}", toolchain_recipe(task.language).tag, script, files)


def needed_tags(tasks: Iterable[tuple[Task, Tree]]) -> set[str]:
    """Tags of every image that these tasks, each with its start tree, are judged in."""
    tags = {base_tag()}
    for task, start in tasks:
        tags |= {toolchain_recipe(task.language).tag, task_recipe(task, start).tag}
    return tags


TREE_SCRIPT = """\
echo '::step:: base tree'
mkdir -p /opt/assay/tree
tar -xf tree.tar -C /opt/assay/tree
echo "tree $(sha256sum < tree.tar)" >> /opt/assay/manifest.txt
"""
STAGE_SCRIPT = """\
mkdir -p /sandbox/tree /sandbox/build
cp -a /opt/assay/tree/. /sandbox/tree/
cp -r trusted /sandbox/trusted
"""
KEEP_SCRIPT = """\
mv /sandbox/build /opt/assay/build
rm -rf /sandbox
"""
"""What a compiler made of the base, in the places that an evaluation has: paths end up in what it makes."""
SEAL_SCRIPT = """\
chmod 700 /opt/assay
"""
"""Only the supervisor enters: a product that could read the base tree would serve old code from there."""


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
