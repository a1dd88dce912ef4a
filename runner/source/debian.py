"""Upstream archives of Debian's source packages (`.orig.tar`), found in the source indexes of apt's own mirrors.

Asked for first in the release that the images are made of, then in the host's own releases. Debian keeps only the
versions that are in a release.
"""

from __future__ import annotations

from collections.abc import Iterable
from contextlib import suppress
from pathlib import Path

from runner.errors import SourceUnavailable
from runner.source.client import refusal, run_client
from runner.task import RegistrySource

_RELEASE = "trixie"
_ASK = ("apt-get", "indextargets", "--format", "$(REPO_URI) $(RELEASE) $(COMPONENT)", "Created-By: Packages")
_CONFIGURATION = """\
Dir::Cache "{scratch}/cache";
Dir::Etc::SourceList "{scratch}/sources.list";
Dir::Etc::SourceParts "/dev/null";
Dir::State::Lists "{scratch}/lists";
Dir::State::Status "{scratch}/status";
APT::Sandbox::User "";
#clear APT::Update::Post-Invoke;
#clear APT::Update::Post-Invoke-Success;
"""
"""apt's settings are the host's, but for the places that it writes to, and what the host runs after an update."""


def download(source: RegistrySource, scratch: Path) -> Path:
    """The package's upstream archive, in the folder `scratch`. Raises SourceUnavailable."""
    mirrors = [line.split() for line in run_client(source, _ASK, scratch).splitlines()]
    whole = [(uri, release, component) for uri, release, component in mirrors]
    ours = {(uri, _RELEASE, component) for uri, release, component in whole if "-" not in release}
    (scratch / "apt.conf").write_text(_CONFIGURATION.format(scratch=scratch))
    (scratch / "status").touch()
    (scratch / "lists" / "partial").mkdir(parents=True)
    (scratch / "cache" / "archives" / "partial").mkdir(parents=True)
    with suppress(SourceUnavailable):
        return _from(source, scratch, ours)
    return _from(source, scratch, {*ours, *whole})


def _from(source: RegistrySource, scratch: Path, places: Iterable[tuple[str, str, str]]) -> Path:
    """Signatures are not asked for: the task pins the archive's digest, and an older host has not every key."""
    lines = [f"deb-src [trusted=yes] {uri} {release} {component}\n" for uri, release, component in places]
    (scratch / "sources.list").write_text("".join(sorted(lines)))
    apt = ["apt-get", "-qq", f"--config-file={scratch / 'apt.conf'}"]
    trouble = ""
    try:
        run_client(source, [*apt, "update"], scratch)
    except SourceUnavailable as error:  # a mirror that lacks one release has the others
        trouble = f" ({error})"
    try:
        package = f"{source.package}={source.version}"
        run_client(
            source, [*apt, "source", "--download-only", "--tar-only", "--only-source", package], scratch
        )
    except SourceUnavailable as error:
        raise SourceUnavailable(f"{error}{trouble}") from error
    for pattern in (".orig.tar.*", ".tar.*"):
        for archive in sorted(scratch.glob(f"{source.package}_*{pattern}")):
            if archive.suffix != ".asc" and ".debian.tar" not in archive.name:
                return archive
    raise refusal(source, "apt-get", "the source package holds no upstream archive")
