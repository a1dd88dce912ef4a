"""The host's certificates and package-client settings, as files and variables of an image build; in no layer."""

from __future__ import annotations

import os
import shutil
from collections.abc import Iterator, Mapping
from pathlib import Path

CERTIFICATE_VARIABLES = (
    "CARGO_HTTP_CAINFO",
    "CURL_CA_BUNDLE",
    "GIT_SSL_CAINFO",
    "NODE_EXTRA_CA_CERTS",
    "NPM_CONFIG_CAFILE",
    "PIP_CERT",
    "REQUESTS_CA_BUNDLE",
    "SSL_CERT_FILE",
)
"""Where pip, npm, cargo, go, git and curl look for a bundle; the JVM alone takes none (see images/java)."""
PASSED_VARIABLES = (
    *("GOFLAGS", "GOINSECURE", "GONOPROXY", "GONOSUMDB", "GOPRIVATE", "GOPROXY", "GOSUMDB"),
    *("PIP_INDEX_URL", "PIP_EXTRA_INDEX_URL", "PIP_TRUSTED_HOST", "PIP_DEFAULT_TIMEOUT"),
    *("http_proxy", "https_proxy", "no_proxy", "HTTP_PROXY", "HTTPS_PROXY", "NO_PROXY"),
)
PASSED_PREFIXES = ("CARGO_REGISTR", "CARGO_SOURCE_", "NPM_CONFIG_", "npm_config_")
SETTINGS: Mapping[str, tuple[str, str, str]] = {
    ".npmrc": ("npmrc", "NPM_CONFIG_USERCONFIG", "{}"),
    ".config/go/env": ("goenv", "GOENV", "{}"),
    ".cargo/config.toml": ("cargo-config.toml", "ASSAY_CARGO_CONFIG", "{}"),
    ".m2/settings.xml": ("maven-settings.xml", "MAVEN_ARGS", "-s {}"),
}
"""A file under the person's home folder: its name in the build folder, and the variable that leads to it."""


def lay_client_settings(folder: Path, seen_as: str) -> Mapping[str, str]:
    """Copy the host's settings into the build folder; the variables for the build, which sees it at `seen_as`."""
    exports = {name: value for name, value in os.environ.items() if name in PASSED_VARIABLES}
    exports |= {name: value for name, value in os.environ.items() if name.startswith(PASSED_PREFIXES)}
    exports |= dict(_copied(folder, seen_as))
    bundle = os.environ.get("SSL_CERT_FILE") or "/etc/ssl/certs/ca-certificates.crt"
    if Path(bundle).is_file():
        shutil.copyfile(bundle, folder / "ca.crt")
        exports |= dict.fromkeys(CERTIFICATE_VARIABLES, f"{seen_as}/ca.crt")
    return exports


def _copied(folder: Path, seen_as: str) -> Iterator[tuple[str, str]]:
    for file, (name, variable, form) in SETTINGS.items():
        path = Path.home() / file
        if path.is_file():
            shutil.copyfile(path, folder / name)
            yield variable, form.format(f"{seen_as}/{name}")
