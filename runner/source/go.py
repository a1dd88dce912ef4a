"""Archives of Go modules: the zip that the module proxy serves, as `go mod download` keeps it."""

from __future__ import annotations

from pathlib import Path

from runner.source.client import refusal, run_client
from runner.task import RegistrySource


def download(source: RegistrySource, scratch: Path) -> Path:
    """The module's zip, in the folder `scratch`. Raises SourceUnavailable."""
    command = ["go", "mod", "download", "-modcacherw", f"{source.package}@{source.version}"]
    folders = {"GOPATH": str(scratch / "path"), "GOMODCACHE": str(scratch / "modules")}
    here = {"GO111MODULE": "on", "GOWORK": "off", "GOTOOLCHAIN": "local"}
    run_client(source, command, scratch, folders | here)
    for archive in scratch.glob("modules/cache/download/**/@v/*.zip"):
        return archive
    raise refusal(source, "go", "it kept no zip")
