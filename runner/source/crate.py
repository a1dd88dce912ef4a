"""Archives of a crate registry: cargo fetches what a manifest of ours depends on, and keeps the `.crate` as served."""

from __future__ import annotations

import os
from pathlib import Path

from runner.source.client import refusal, run_client
from runner.task import RegistrySource

_SETTINGS = ("config.toml", "config", "credentials.toml", "credentials")
_MANIFEST = """\
[package]
name = "assay-fetches"
version = "0.0.0"
edition = "2021"

[workspace]

[dependencies]
fetched = {{ package = "{package}", version = "={version}", default-features = false }}
"""


def download(source: RegistrySource, scratch: Path) -> Path:
    """The package's `.crate`, in the folder `scratch`. Raises SourceUnavailable.

    Cargo works in a home of its own that sees the person's settings, and leaves nothing in theirs.
    """
    home, project = scratch / "home", scratch / "project"
    home.mkdir()
    (project / "src").mkdir(parents=True)
    (project / "src" / "lib.rs").touch()
    (project / "Cargo.toml").write_text(_MANIFEST.format(package=source.package, version=source.version))
    persons = Path(os.environ.get("CARGO_HOME") or Path.home() / ".cargo")
    for name in _SETTINGS:
        if (persons / name).is_file():
            (home / name).symlink_to(persons.absolute() / name)
    run_client(source, ["cargo", "fetch", "--quiet"], project, {"CARGO_HOME": str(home)})
    for archive in home.glob(f"registry/cache/*/{source.package}-{source.version}.crate"):
        return archive
    raise refusal(source, "cargo", "it kept no archive of that name")
