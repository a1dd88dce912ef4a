"""Where this host's pip looks for packages: its own settings, so that we need name no registry."""

from __future__ import annotations

import ast
import os
import re
import ssl
import subprocess
import sys
from collections.abc import Mapping
from dataclasses import dataclass

_LINE = re.compile(r"(?P<section>[^.]+)\.(?P<key>[A-Za-z0-9_.-]+)=(?P<value>.*)")
_SECTIONS = ("global", "download", ":env:")
"""Sections that hold for a download, the strongest last."""


@dataclass(frozen=True, slots=True)
class PipSettings:
    """Index URLs (none: the client's default), places of archives, certificates, trusted hosts."""

    index_url: str = ""
    extra_index_urls: tuple[str, ...] = ()
    find_links: tuple[str, ...] = ()
    trusted_hosts: tuple[str, ...] = ()
    no_index: bool = False
    certificates: str = ""

    def tls(self) -> ssl.SSLContext:
        """What registries are verified with: pip's bundle, else the usual variables', else the system's."""
        named = (self.certificates, os.environ.get("SSL_CERT_FILE"), os.environ.get("REQUESTS_CA_BUNDLE"))
        return ssl.create_default_context(cafile=next(filter(None, named), None))


def read_pip_settings() -> PipSettings:
    """The settings of `pip config list`; the defaults if there is no pip here."""
    output = subprocess.run(
        [sys.executable, "-m", "pip", "config", "list"], capture_output=True, text=True, check=False
    )
    return parse_pip_settings(output.stdout if output.returncode == 0 else "")


def parse_pip_settings(listing: str) -> PipSettings:
    """The settings in the output of `pip config list`."""
    found: dict[str, dict[str, str]] = {section: {} for section in _SECTIONS}
    for line in listing.splitlines():
        match = _LINE.fullmatch(line)
        if match and match["section"] in found:
            found[match["section"]][match["key"]] = _text(match["value"])
    merged: Mapping[str, str] = {key: value for section in _SECTIONS for key, value in found[section].items()}
    return PipSettings(
        index_url=merged.get("index-url", ""),
        extra_index_urls=tuple(merged.get("extra-index-url", "").split()),
        find_links=tuple(merged.get("find-links", "").split()),
        trusted_hosts=tuple(merged.get("trusted-host", "").split()),
        no_index=merged.get("no-index", "").lower() in ("1", "true", "yes", "on"),
        certificates=merged.get("cert", ""),
    )


def _text(quoted: str) -> str:
    try:
        return str(ast.literal_eval(quoted))
    except (ValueError, SyntaxError):
        return quoted
