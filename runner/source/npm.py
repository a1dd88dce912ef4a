"""Archives of an npm registry: what `npm pack` saves of a published version is the registry's file, as it is."""

from __future__ import annotations

import os
from pathlib import Path

from runner.source.client import refusal, run_client
from runner.task import RegistrySource


def download(source: RegistrySource, scratch: Path) -> Path:
    """The package's `.tgz`, in the folder `scratch`. Raises SourceUnavailable."""
    command = ["npm", "pack", f"{source.package}@{source.version}", "--ignore-scripts"]
    command += ["--loglevel=error", "--logs-max=0", "--update-notifier=false", f"--cache={scratch / 'cache'}"]
    run_client(source, command, scratch, _certificates())
    for archive in scratch.glob("*.tgz"):
        return archive
    raise refusal(source, "npm", "it wrote no archive")


def _certificates() -> dict[str, str]:
    """Node reads no SSL_CERT_FILE, which every other client here does."""
    bundle = os.environ.get("NODE_EXTRA_CA_CERTS") or os.environ.get("SSL_CERT_FILE")
    return {"NODE_EXTRA_CA_CERTS": bundle} if bundle else {}
