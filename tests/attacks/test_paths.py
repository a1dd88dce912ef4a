"""Patches that reach out of the tree, or make it a tree that cannot be written: refused, or judged without them."""

from __future__ import annotations

import pytest

from runner.errors import PatchRejected
from runner.materials import Materials
from runner.mechanisms import Mechanisms
from runner.patch import admit
from runner.sandbox.placement import place_patch
from runner.task import Benchmark
from runner.toolchains.registry import TOOLCHAINS
from runner.tree import SYMLINK, Entry
from tests.attacks.attack import REFACTOR, Arena, edited


def added(path: str, mode: str = "100644", text: str = "x") -> bytes:
    """A patch that adds one file of one line without its end."""
    return (
        f"diff --git a/{path} b/{path}\nnew file mode {mode}\n--- /dev/null\n+++ b/{path}\n"
        f"@@ -0,0 +1 @@\n+{text}\n\\ No newline at end of file\n"
    ).encode()


REFUSED = {
    "path-traversal": added("../usr/bin/x"),
    "path-traversal-inside": added("boltons/../../x"),
    "absolute-path": added("/etc/passwd"),
    "sym-etc-passwd": added("boltons/leak.txt", SYMLINK, "/etc/passwd"),
    "link-out-of-the-tree": added("boltons/leak.txt", SYMLINK, "../../reports/report.jsonl"),
    "symlink-then-write": added("boltons/bin", SYMLINK, "/usr/local/bin") + added("boltons/bin/x"),
    "link-inside-then-write": added("boltons/bin", SYMLINK, "../tests") + added("boltons/bin/x"),
    "git-hooks": added(".git/hooks/post-checkout", "100755"),
    "git-hooks-in-other-case": added("boltons/.GIT/config"),
    "git-hooks-by-short-name": added("git~1/config"),
    "submodule": added("vendor", "160000", "Subproject commit " + "1" * 40),
    "submodule-declared": added(".gitmodules"),
    "control-characters": added("boltons/a\x1b[2Jb.py"),
}


@pytest.mark.parametrize("patch", REFUSED.values(), ids=REFUSED)
def test_refused_with_the_place(benchmark: Benchmark, materials: Materials, patch: bytes) -> None:
    with pytest.raises(PatchRejected) as refusal:
        admit(patch, materials.base(benchmark.task(REFACTOR)), materials.objects)
    assert refusal.value.where
    assert str(refusal.value).isprintable()


@pytest.mark.engine
def test_a_refusal_is_the_verdict(arena: Arena) -> None:
    result = arena.judge(arena.task(), REFUSED["symlink-then-write"])
    assert result.verdict == "rejected"
    rejection = arena.evidence(result).rejection
    assert rejection is not None
    assert rejection.where in result.reason


@pytest.mark.engine
def test_a_kept_file_made_a_folder_is_no_error_of_ours(arena: Arena) -> None:
    """`errored` would be a retry for nothing."""
    task = arena.task()
    after = edited(arena.materials.base(task), {"pyproject.toml": None, "pyproject.toml/x.py": "x = 1\n"})
    result = arena.judge(task, after)
    assert result.verdict == "incomplete", result.reason
    assert "pyproject.toml/x.py" in result.dropped


def test_nothing_takes_the_place_of_a_folder_above_the_suite(
    benchmark: Benchmark, materials: Materials
) -> None:
    task = benchmark.task(REFACTOR)
    base = materials.base(task)
    deep = edited(base, {"pkg/tests/test_x.py": "x = 1\n"})
    nested = type(task.suite)(
        task.suite.units, task.suite.tests, {"pkg/tests/test_x.py": b""}, task.suite.publication
    )
    after = edited(base, {"pkg": Entry(SYMLINK, b"boltons")})
    placed = place_patch(
        type(task)(**{**{name: getattr(task, name) for name in task.__slots__}, "suite": nested}),
        TOOLCHAINS["python"],
        deep,
        after,
        Mechanisms(),
    )
    assert "pkg" in placed.dropped
    assert "pkg" not in placed.files


def test_removals_come_before_a_link_that_could_lead_them_astray(
    benchmark: Benchmark, materials: Materials
) -> None:
    """`a` becomes a link to `b`: removing `a/x.py` afterwards would remove `b/x.py`."""
    task = benchmark.task(REFACTOR)
    base = edited(materials.base(task), {"a/x.py": "x = 1\n", "b/x.py": "x = 2\n"})
    after = edited(base, {"a/x.py": None, "a": Entry(SYMLINK, b"b")})
    placed = place_patch(task, TOOLCHAINS["python"], base, after, Mechanisms())
    assert list(placed.files)[-1] == "a"
    assert placed.files["a/x.py"] is None


def test_byte_code_of_what_changes_goes_with_it(benchmark: Benchmark, materials: Materials) -> None:
    """The image holds byte code of the base: old code that could be loaded without its source."""
    task = benchmark.task(REFACTOR)
    base = materials.base(task)
    after = edited(base, {"boltons/easterutils.py": None, "boltons/strutils.py": "x = 1\n"})
    placed = place_patch(task, TOOLCHAINS["python"], base, after, Mechanisms())
    assert placed.files["boltons/__pycache__/easterutils.cpython-313.pyc"] is None
    assert placed.files["boltons/__pycache__/strutils.cpython-313.pyc"] is None
