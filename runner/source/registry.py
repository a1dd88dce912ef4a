"""Fetches the archive of a package from its registry, through the registry's own client as this host has it set.

Nothing of a package is executed, and no registry is named: where to look, proxies, certificates and credentials
are the client's settings.
"""

from __future__ import annotations

import hashlib
import shutil
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from pathlib import Path

from runner.errors import SourceUnavailable
from runner.scratch import scratch_folder
from runner.source import crate, debian, go, maven, npm, pypi
from runner.task import RegistrySource


@dataclass(frozen=True, slots=True)
class Client:
    """How one registry is asked. `download` gives the archive, with a folder to work in; `programs` it needs."""

    download: Callable[[RegistrySource, Path], Path]
    programs: tuple[str, ...] = ()


CLIENTS: Mapping[str, Client] = {
    "pypi": Client(pypi.download),
    "npm": Client(npm.download, ("npm",)),
    "crate": Client(crate.download, ("cargo",)),
    "go": Client(go.download, ("go",)),
    "maven": Client(maven.download, ("mvn",)),
    "debian": Client(debian.download, ("apt-get",)),
}


def fetch_archive(source: RegistrySource, cache: Path) -> Path:
    """The source archive in the folder `cache`, by its SHA-256; fetched if it is not there, or was altered.

    An archive that somebody put there by hand is as good. Raises SourceUnavailable if no registry gives it,
    or gives another one.
    """
    kept = cache.absolute() / source.sha256
    if not kept.is_file() or _sha256(kept) != source.sha256:
        _check_programs(source, kept)
        with scratch_folder(kept.parent) as scratch:
            fetched = scratch / "archive"
            shutil.copyfile(CLIENTS[source.kind].download(source, scratch), fetched)
            _check_digest(source, fetched)
            fetched.replace(kept)
    return kept


def _check_programs(source: RegistrySource, kept: Path) -> None:
    for program in CLIENTS[source.kind].programs:
        if shutil.which(program) is None:
            raise SourceUnavailable(
                f"{source.package} {source.version} is fetched by `{program}`, which is not installed; install it, "
                f"or put the archive into the cache by hand, as {kept}"
            )


def _check_digest(source: RegistrySource, fetched: Path) -> None:
    digest = _sha256(fetched)
    if digest != source.sha256:
        raise SourceUnavailable(
            f"the archive of {source.package} {source.version} that the registry gives has the SHA-256 {digest}, "
            f"the task pins {source.sha256}; correct the pin, or find out who changed the archive"
        )


def _sha256(file: Path) -> str:
    with file.open("rb") as stream:
        return hashlib.file_digest(stream, "sha256").hexdigest()
