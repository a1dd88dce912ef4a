"""Runs a suite's functions, a process a test; one has passed only if the shell lived to say so."""

from __future__ import annotations

import os
import secrets
import subprocess
import sys

FOLDER = os.path.dirname(os.path.abspath(__file__))
sys.path.insert(0, FOLDER)

import recorder  # type: ignore[import-not-found]  # noqa: E402  # laid beside this script

DRIVER = r"""
expect() {
    local wanted=$1 got
    shift
    got=$("$@")
    [ "$got" = "$wanted" ] || { echo "wanted $wanted, got $got: $*"; outcome=failed; }
}
skip() { outcome=skipped; }
set -- "$1" "$2" "$3"
outcome=passed
source "$1"
"$2"
printf '%s %s\n' "$3" "$outcome"
"""
WHY = r"^wanted |: command not found$|: No such file or directory$"


def loads(unit: str) -> str:
    """Why a unit does not load, '' if it does."""
    argv = ["/bin/bash", "-n", unit]
    said = subprocess.run(argv, capture_output=True, check=False)
    if said.returncode == 0:
        argv = ["/bin/bash", "-ec", 'source "$1"', "load", unit]
        said = subprocess.run(argv, capture_output=True, check=False)
    return (
        "" if said.returncode == 0 else said.stderr.decode("utf-8", "replace").strip() or "it ends the shell"
    )


def outcome(nonce: str, ended: recorder.Ended) -> tuple[str, str]:
    """`passed`, `failed` or `skipped`, and a message."""
    said = ended.output.decode("utf-8", "replace").splitlines()[-1:]
    why = recorder.first_match(ended.output, WHY)
    for word in ("passed", "skipped"):
        if ended.code == 0 and said == [f"{nonce} {word}"]:
            return (
                ("failed", why)
                if why and word == "passed"
                else (word, "skipped" if word == "skipped" else "")
            )
    told = said == [f"{nonce} failed"]
    return "failed", why if told else f"{ended.how} before the test ended"


def main() -> None:
    """Run the settings' order."""
    settings = recorder.settings(FOLDER)
    os.chdir(settings["tree"])
    wrong = {unit: why for unit in settings["units"] if (why := loads(unit))}
    report = recorder.Recorder(settings["report"])
    for unit, why in wrong.items():
        report.uncollected(unit, why)
    for test in settings["order"]:
        unit, _, name = test.partition("::")
        if unit in wrong:
            continue
        nonce = secrets.token_hex(8)
        report.start(test)
        argv = ["/bin/bash", "--noprofile", "--norc", "-c", DRIVER, "suite", unit, name, nonce]
        ended = recorder.run(argv, dict(os.environ), settings["tree"])
        report.end(test, *outcome(nonce, ended), seconds=ended.seconds)
    report.done()


if __name__ == "__main__":
    main()
