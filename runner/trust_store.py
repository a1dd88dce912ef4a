"""A bundle of certificates as the JVM reads it: other clients take a PEM file, the JVM only a key store."""

from __future__ import annotations

import hashlib
import re
import ssl
import struct
from collections.abc import Iterator
from pathlib import Path

_PASSWORD = "changeit"  # noqa: S105 - the JVM's customary one: a store of public certificates hides nothing
_CERTIFICATE = re.compile(r"-----BEGIN CERTIFICATE-----[^-]+-----END CERTIFICATE-----")
_MAGIC, _VERSION, _TRUSTED = 0xFEEDFEED, 2, 2


def trust_options(bundle: Path, store: Path, seen_as: str = "") -> str:
    """Write the PEM `bundle` as the key store `store`; the JVM's options to use it, seen at `seen_as`."""
    store.write_bytes(key_store(bundle.read_text(errors="replace")))
    place = seen_as or str(store)
    return (
        f"-Djavax.net.ssl.trustStore={place} -Djavax.net.ssl.trustStoreType=JKS "
        f"-Djavax.net.ssl.trustStorePassword={_PASSWORD}"
    )


def key_store(bundle: str) -> bytes:
    """The certificates of a PEM bundle as a Java key store (JKS version 2, sun.security.provider.JavaKeyStore)."""
    entries = [*_entries(bundle)]
    body = struct.pack(">III", _MAGIC, _VERSION, len(entries)) + b"".join(entries)
    keyed = _PASSWORD.encode("utf-16-be") + b"Mighty Aphrodite" + body
    return body + hashlib.sha1(keyed, usedforsecurity=False).digest()


def _entries(bundle: str) -> Iterator[bytes]:
    for number, match in enumerate(_CERTIFICATE.finditer(bundle)):
        der = ssl.PEM_cert_to_DER_cert(match[0])
        yield (
            struct.pack(">I", _TRUSTED)
            + _text(f"certificate-{number}")
            + struct.pack(">Q", 0)
            + _text("X.509")
            + struct.pack(">I", len(der))
            + der
        )


def _text(text: str) -> bytes:
    return struct.pack(">H", len(text)) + text.encode("ascii")
