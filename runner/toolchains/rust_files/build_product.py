"""Builds the libraries of the tree's crates with Cargo; the last line of the output is the first error.

Arguments are paths that changed: a crate that one lies in is built anew. `--vendor`, when the image is made,
fetches the sources of what the crates depend on instead.
"""

from __future__ import annotations

import json
import os
import re
import shutil
import subprocess
import sys
from collections.abc import Sequence
from typing import Any

FOLDER = os.path.dirname(os.path.abspath(__file__))
sys.path.insert(0, FOLDER)

import crates  # type: ignore[import-not-found]  # noqa: E402  # laid beside this script

CARGO = "/usr/bin/cargo"
VENDORED = "/opt/cargo/vendor"
REGISTRY = "/opt/cargo/registry"
SOURCE = re.compile(r"^source = .*\n", re.MULTILINE)
FINGERPRINT = re.compile(r"(.+)-[0-9a-f]{16}")


def write_package(settings: dict[str, Any], found: Sequence[crates.Crate]) -> str:
    """A package of ours that depends on the crates, a workspace of its own; the path of its manifest."""
    folder, features = f"{settings['build']}/product", settings["features"]
    os.makedirs(folder, exist_ok=True)
    lines = ["[workspace]", "[package]", 'name = "assay-product"', 'version = "0.0.0"', 'edition = "2021"']
    lines += ["[lib]", 'path = "lib.rs"', "[dependencies]"]
    chosen = f", default-features = false, features = {json.dumps(features)}" if features is not None else ""
    lines += [f"{crate.package} = {{ path = {json.dumps(crate.folder)}{chosen} }}" for crate in found]
    for name, text in (("Cargo.toml", "\n".join(lines) + "\n"), ("lib.rs", "")):
        with open(f"{folder}/{name}", "w", encoding="utf-8") as stream:
            stream.write(text)
    if os.path.exists(f"{FOLDER}/Cargo.lock") and os.path.exists(REGISTRY):
        with (
            open(f"{FOLDER}/Cargo.lock", encoding="utf-8") as pins,
            open(REGISTRY, encoding="utf-8") as source,
        ):
            lock = pins.read().replace("checksum = ", source.read() + "checksum = ")
        with open(f"{folder}/Cargo.lock", "w", encoding="utf-8") as stream:
            stream.write(lock)
    return f"{folder}/Cargo.toml"


def note_registry(manifest: str) -> None:
    """Keep the line by which Cargo names its registry in a lock file: a task's pins leave it out."""
    subprocess.run([CARGO, "generate-lockfile", "--quiet", f"--manifest-path={manifest}"], check=True)
    lock = f"{os.path.dirname(manifest)}/Cargo.lock"
    with open(lock, encoding="utf-8") as stream:
        named = SOURCE.search(stream.read())
    os.unlink(lock)
    with open(REGISTRY, "w", encoding="utf-8") as stream:
        stream.write(named[0] if named else "")


def vendor(manifest: str) -> None:
    """Put the sources of every dependency in the image, and tell Cargo to look there alone."""
    done = subprocess.run([CARGO, "vendor", f"--manifest-path={manifest}", VENDORED], check=True, stdout=-1)
    if done.stdout:
        with open("/opt/cargo/config.toml", "wb") as stream:
            stream.write(done.stdout)


def forget(manifest: str, changed: Sequence[str], tree: str) -> None:
    """Drop what was built of each crate that a changed path lies in; of what is not in the tree nothing."""
    asked = [CARGO, "metadata", "--format-version=1", f"--manifest-path={manifest}"]
    done = subprocess.run(asked, stdout=subprocess.PIPE, stderr=subprocess.DEVNULL, check=False)
    if done.returncode != 0:
        return  # what is wrong the build will tell
    touched = set()
    for package in json.loads(done.stdout)["packages"]:
        folder = os.path.dirname(package["manifest_path"]) + "/"
        if package["source"] is None and any(f"{tree}/{path}".startswith(folder) for path in changed):
            touched.add(package["name"])
    target = os.environ["CARGO_TARGET_DIR"]
    kept = f"{target}/debug/.fingerprint"
    for name in os.listdir(kept) if os.path.isdir(kept) else ():
        print_of = FINGERPRINT.fullmatch(name)
        if print_of and print_of[1] in touched:
            shutil.rmtree(f"{kept}/{name}")


def build(manifest: str, found: Sequence[crates.Crate], tree: str) -> str:
    """Run Cargo; '' or the first error."""
    argv = [
        CARGO,
        "build",
        "--quiet",
        "--offline",
        "--lib",
        "--message-format=json",
        f"--manifest-path={manifest}",
    ]
    argv += [f"--package={crate.package}" for crate in found]
    done = subprocess.run(argv, capture_output=True, check=False)
    stderr = done.stderr.decode("utf-8", "replace")
    messages = [json.loads(line) for line in done.stdout.splitlines() if line.startswith(b"{")]
    said = [message for message in messages if message["reason"] == "compiler-message"]
    crates.show("".join(one["message"]["rendered"] or "" for one in said) + stderr)
    if done.returncode == 0:
        return ""
    for one in said:
        error: str = crates.first_error([one["message"]], os.path.dirname(one["manifest_path"]), tree)
        if error:
            return error
    lines = [line.strip() for line in stderr.splitlines() if line.strip()]
    start = next((place for place, line in enumerate(lines) if line.startswith("error")), 0)
    return " ".join(lines[start:])[:300] or f"cargo ended with exit code {done.returncode}"


def main(arguments: Sequence[str]) -> str:
    """What is wrong, '' if nothing is."""
    settings = crates.settings(FOLDER)
    tree = settings["tree"]
    try:
        found = crates.crates(tree, settings["roots"])
    except ValueError as error:
        return str(error)
    manifest = write_package(settings, found)
    if list(arguments) == ["--vendor"]:
        note_registry(manifest)
        vendor(write_package(settings, found))
        return ""
    forget(manifest, arguments, tree)
    return build(manifest, found, tree)


if __name__ == "__main__":
    if wrong := main(sys.argv[1:]):
        crates.show(wrong + "\n")
        sys.exit(1)
