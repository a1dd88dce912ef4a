"""Source jars of a Maven repository: the artifact of classifier `sources`, fetched by Maven's dependency plugin."""

from __future__ import annotations

import os
from pathlib import Path

from runner.source.client import refusal, run_client
from runner.task import RegistrySource
from runner.trust_store import trust_options

_GET = "org.apache.maven.plugins:maven-dependency-plugin:3.8.1:get"


def download(source: RegistrySource, scratch: Path) -> Path:
    """The package's sources jar, in the folder `scratch`. Raises SourceUnavailable."""
    group, _, artifact = source.package.partition(":")
    repository = scratch / "repository"
    command = [
        "mvn",
        "--batch-mode",
        "--quiet",
        "-Dstyle.color=never",
        f"-Dmaven.repo.local={repository}",
        _GET,
    ]
    command += [f"-Dartifact={source.package}:{source.version}:jar:sources", "-Dtransitive=false"]
    run_client(source, command, scratch, {"MAVEN_OPTS": _options(scratch)})
    place = repository.joinpath(*group.split("."), artifact, source.version)
    archive = place / f"{artifact}-{source.version}-sources.jar"
    if not archive.is_file():
        raise refusal(source, "mvn", "it kept no archive of that name")
    return archive


def _options(scratch: Path) -> str:
    """The person's, with the bundle that SSL_CERT_FILE names, which the JVM does not read."""
    options, bundle = os.environ.get("MAVEN_OPTS", ""), os.environ.get("SSL_CERT_FILE")
    if bundle is None or "trustStore" in options + os.environ.get("JAVA_TOOL_OPTIONS", ""):
        return options
    return f"{options} {trust_options(Path(bundle), scratch / 'certificates.jks')}".strip()
