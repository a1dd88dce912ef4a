"""Builds a test program a unit with rustc, each on its own; what is wrong with those that fail goes to suite.json."""

from __future__ import annotations

import json
import os
import subprocess
import sys
from collections.abc import Sequence
from typing import Any

FOLDER = os.path.dirname(os.path.abspath(__file__))
sys.path.insert(0, FOLDER)

import crates  # type: ignore[import-not-found]  # noqa: E402  # laid beside this script
import recorder  # type: ignore[import-not-found]  # noqa: E402

RUSTC = "/usr/bin/rustc"
OPTIONS = ("--test", "--edition=2021", "--error-format=json", "--cap-lints=allow", "--crate-name=suite")
CODE = ("-Cdebuginfo=0", "-Cstrip=debuginfo", "-Ccodegen-units=1", "-Clinker=/usr/bin/cc")


def libraries(found: Sequence[crates.Crate]) -> list[str]:
    """Options that let a unit name the crates: as Cargo built them, with what they depend on."""
    debug = f"{os.environ['CARGO_TARGET_DIR']}/debug"
    named = [f"--extern={crate.library}={debug}/lib{crate.library}.rlib" for crate in found]
    return [f"-Ldependency={debug}/deps", *named]


def compiled(unit: str, program: str, libs: Sequence[str], tree: str) -> str:
    """Compile one unit; '' or its first error."""
    argv = [RUSTC, *OPTIONS, *CODE, *libs, "-o", program, unit]
    done = subprocess.run(argv, cwd=tree, stderr=subprocess.PIPE, stdout=subprocess.DEVNULL, check=False)
    said: list[dict[str, Any]] = []
    for line in done.stderr.splitlines():
        if line.startswith(b'{"$message_type":"diagnostic"'):
            said.append(json.loads(line))
    crates.show("".join(message["rendered"] or "" for message in said))
    if done.returncode == 0 and os.path.isfile(program):
        return ""
    return crates.first_error(said, tree, tree) or f"rustc ended with exit code {done.returncode}"


def main() -> None:
    """Program number n is that of the settings' unit number n."""
    settings = recorder.settings(FOLDER)
    tree, build, wrong = settings["tree"], settings["build"], {}
    own = crates.settings(FOLDER)
    found = crates.crates(tree, own["roots"])
    os.environ["CARGO_MANIFEST_DIR"] = found[0].folder
    os.makedirs(f"{build}/tests", exist_ok=True)
    for number, unit in enumerate(settings["units"]):
        program = f"{build}/tests/{number}"
        if os.path.lexists(program):
            os.unlink(program)
        if error := compiled(unit, program, libraries(found), tree):
            wrong[unit] = error
    with open(f"{build}/suite.json", "w", encoding="utf-8") as stream:
        json.dump(wrong, stream)


if __name__ == "__main__":
    main()
