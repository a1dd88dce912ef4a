"""`assay doctor --toolchains`: every language holds here, and one that does not is told with what is wrong."""

from __future__ import annotations

import shutil
from pathlib import Path

import pytest

from bench import prove_toolchains as proving
from runner.host import Host

pytestmark = pytest.mark.engine


def proofs(host: Host) -> list[proving.Proof]:
    return list(proving.prove_toolchains(host, lambda what, done, of: None))


def smoke_of_python(folder: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A smoke benchmark of Python alone, to be bent."""
    shutil.copytree(proving.SMOKE_TASKS / "smoke-python", folder / "smoke-python")
    shutil.copy(proving.SMOKE_TASKS / "benchmark.toml", folder)
    monkeypatch.setattr(proving, "SMOKE_TASKS", folder)
    return folder / "smoke-python"


def test_a_smoke_program_that_fails_is_told(
    host: Host, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    gold = smoke_of_python(tmp_path, monkeypatch) / "gold.patch"
    gold.write_text(gold.read_text().replace("add(number, number)", "add(number, 1)"))
    [proof] = proofs(host)
    assert proof.smoke.startswith("gold is incomplete: Gain test suite_tests/test_gain.py::")
    assert (proof.tripwire, proof.holds, proof.failed_here) == ("", False, False)


def test_a_tripwire_that_passes_is_told(host: Host, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    task = smoke_of_python(tmp_path, monkeypatch)
    shutil.copy(task / "gold.patch", task / "controls" / "broken-does-not-compile.patch")
    [proof] = proofs(host)
    assert proof.tripwire.startswith("broken-does-not-compile is resolved: ")
    assert (proof.smoke, proof.holds) == ("", False)
