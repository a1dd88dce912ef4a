"""The task as a person or an agent gets it: the base tree as a git folder of one commit, and what to do."""

from __future__ import annotations

from pathlib import Path

from runner.delta import BY_PRODUCTS, encode
from runner.errors import HostFailure, UsageError
from runner.git_command import run_git
from runner.task import Task
from runner.toolchains.registry import TOOLCHAINS
from runner.tree import Tree, read_tree, write_tree

GUIDE_NAME = "ASSAY.md"
PATCH_NAME = "my.patch"
"""What the guide calls the patch; git does not see it, so that it is not part of the next one."""
IDENTITY = {
    "GIT_AUTHOR_NAME": "assay",
    "GIT_AUTHOR_EMAIL": "assay@localhost",
    "GIT_COMMITTER_NAME": "assay",
    "GIT_COMMITTER_EMAIL": "assay@localhost",
    "GIT_AUTHOR_DATE": "2025-01-01T00:00:00Z",
    "GIT_COMMITTER_DATE": "2025-01-01T00:00:00Z",
}


def make_workspace(base: Tree, folder: Path, guide: str) -> None:
    """Write the base into the new or empty `folder`, commit it, and add the guide, out of git's sight.

    Neither gold nor suite is in it. Raises UsageError if the folder holds anything.
    """
    if folder.exists() and (not folder.is_dir() or any(folder.iterdir())):
        raise UsageError(f"{folder} is there already; name a new folder, or empty it")
    folder.mkdir(parents=True, exist_ok=True)
    write_tree(base, folder)
    for words in (
        ["init", "--quiet", "--initial-branch=main"],
        ["add", "--all", "--force"],
        ["commit", "--quiet", "-m", "base"],
    ):
        output = run_git(folder, words, IDENTITY)
        if output.status:
            raise HostFailure(f"git could not make the workspace {folder}: {output.stderr.strip()}")
    (folder / GUIDE_NAME).write_text(guide, encoding="utf-8")
    with (folder / ".git" / "info" / "exclude").open("a", encoding="utf-8") as exclude:
        exclude.write(f"/{GUIDE_NAME}\n/{PATCH_NAME}\n__pycache__/\n")


def guide(task: Task) -> str:
    """What is asked, how the tree is built and tested, and how to hand in."""
    return (
        f"# {task.title}\n\n{task.statement.strip()}\n\n"
        f"## How it is run\n\n{TOOLCHAINS[task.language].guide(task)}\n\n"
        "## How to hand in\n\n"
        f"    git add --intent-to-add . && git diff > {PATCH_NAME}\n"
        f"    assay evaluate {task.id} --patch {PATCH_NAME}\n"
    )


def record_workspace(base: Tree, folder: Path) -> str:
    """The delta from `base` to an edited workspace, proved to give it back. Raises DeltaError."""
    edited = read_tree(folder)
    kept = {path: entry for path, entry in edited.items() if path in base or not is_by_product(path)}
    return encode(base, Tree(kept))


def is_by_product(path: str) -> bool:
    """What tools and we leave in a workspace."""
    return (
        path in (GUIDE_NAME, PATCH_NAME)
        or path.endswith(".pyc")
        or not BY_PRODUCTS.isdisjoint(path.split("/"))
    )
