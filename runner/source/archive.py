"""Unpacks a source archive to a tree: everything in it, without the folder that its registry puts on top."""

from __future__ import annotations

import lzma
import tarfile
import zipfile
import zlib
from pathlib import Path

from runner.errors import SourceUnavailable
from runner.scratch import scratch_folder, system_scratch
from runner.task import RegistrySource
from runner.tree import EXECUTABLE, REGULAR, SYMLINK, Entry, Tree, read_tree
from runner.tree_paths import path_fault

_BROKEN = (tarfile.TarError, zipfile.BadZipFile, zlib.error, lzma.LZMAError, EOFError, OSError)


def archive_tree(archive: Path, source: RegistrySource) -> Tree:
    """The tree in a tar (any compression) or zip archive of a registry.

    Raises SourceUnavailable for an archive that is broken, leaves its folder, or is not laid out as the registry
    lays its archives out: files at the top in Maven's, `<module>@<version>/` in Go's, else one folder.
    """
    name = f"{source.package} {source.version}"
    try:
        tree = _unzipped(archive) if zipfile.is_zipfile(archive) else _untarred(archive)
    except _BROKEN as error:
        raise SourceUnavailable(
            f"the archive of {name} does not unpack: {error}; pin another version"
        ) from error
    if source.kind == "maven":
        return tree
    tops = {path.partition("/")[0] for path in tree}
    top = f"{source.package}@{source.version}/" if source.kind == "go" else f"{min(tops, default='')}/"
    if not tree or not all(path.startswith(top) for path in tree):
        holds = f"holds {len(tops)} entries at its top, not one folder"
        raise SourceUnavailable(
            f"the archive of {name} {f'is not all in {top}' if source.kind == 'go' else holds}; pin another version"
        )
    return Tree({path.removeprefix(top): entry for path, entry in tree.items()})


def _untarred(archive: Path) -> Tree:
    with scratch_folder(system_scratch()) as folder:
        with tarfile.open(archive) as tar:
            tar.extractall(folder, filter="data")
        return read_tree(folder)


def _unzipped(archive: Path) -> Tree:
    entries: dict[str, Entry] = {}
    with zipfile.ZipFile(archive) as packed:
        for info in packed.infolist():
            if info.is_dir():
                continue
            fault = path_fault(info.filename)
            if fault is not None:
                raise zipfile.BadZipFile(f"`{info.filename}` {fault}")
            entries[info.filename] = Entry(_mode(info.external_attr >> 16), packed.read(info))
    return Tree(entries)


def _mode(unix: int) -> str:
    if unix & 0o170000 == 0o120000:
        return SYMLINK
    return EXECUTABLE if unix & 0o100 else REGULAR
