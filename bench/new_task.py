"""A new task folder to fill in: a skeleton whose gaps `assay tasks check` names one by one."""

from __future__ import annotations

import datetime
import re
from pathlib import Path

from runner.errors import UsageError
from runner.task import TaskKind

TASK_ID = re.compile(r"[a-z0-9]+(-[a-z0-9]+)*")

TASK_TOML = """\
schema = "assay.task/1"
id = "{id}"
title = "{title}"
kind = "{kind}"                     # refactor | evolve | fix
language = "python"
created_at = {today}
licence = ""                        # SPDX name of the package's licence

[source]
kind = "pypi"
package = ""
version = ""
sha256 = ""                         # of the sdist

[gold]
delta = "gold.delta"                # assay tasks record {id} DIR --as gold

[image]
import_roots = ["."]                # or ["src"]

[tests]
upstream = ["tests"]                # the package's own test folders: emptied before the suite is laid
"""

STATEMENT = """\
# {title}

Say what the tree is and what has to change. Name every module, function and argument that the suite uses
and the base does not have. Say what must be gone and where it may live now: structure.yml quotes this.
"""

SUITE_TOML = """\
schema = "assay.suite/1"

[[unit]]
file = "tests/test_keep.py"
kind = "keep"                       # passes on base and gold
[unit.tests]
test_that_stays = ""                # one sentence: what the test proves

[[unit]]
file = "tests/test_gain.py"
kind = "gain"                       # fails on the base, passes on the gold; a file of its own
[unit.tests]
test_that_is_new = ""
"""

KEEP_TEST = '''\
"""Behaviour that stays. A plain function a test, comparing something computed with a literal."""


def test_that_stays():
    assert len("a product function goes here") == 28
'''

GAIN_TEST = '''\
"""What the change brings."""


def test_that_is_new():
    assert len("a new product function goes here") == 32
'''

STRUCTURE = """\
schema: assay.structure/1
gone:
  - id: old-definition
    because: "quote the sentence of statement.md"
    files: ["package/module.py"]
    rule: { kind: function_definition, has: { field: name, regex: "^old_name$" } }
    may_live_in: []
present:
  - id: new-definition
    because: "quote the sentence of statement.md"
    files: ["package/new_module.py"]
    rule: { kind: function_definition, has: { field: name, regex: "^new_name$" } }
    test: "tests/test_gain.py::test_that_is_new"
"""

NOOP_DELTA = "assay-delta 1\n"


def new(folder: Path, *, title: str, kind: TaskKind, today: datetime.date) -> tuple[Path, ...]:
    """Write the skeleton of a task into `folder`, whose name is the task's id; the files written come back.

    Raises UsageError if the name is no id or the folder holds anything already.
    """
    if not TASK_ID.fullmatch(folder.name):
        message = f"`{folder.name}` is no task id: lower-case letters, digits and single hyphens between them"
        raise UsageError(message)
    if folder.exists() and (not folder.is_dir() or any(folder.iterdir())):
        raise UsageError(f"{folder} is there already; choose another id, or empty it")
    written = []
    for path, text in _skeleton(folder.name, title, kind, today).items():
        target = folder / path
        target.parent.mkdir(parents=True, exist_ok=True)
        target.write_text(text, encoding="utf-8")
        written.append(target)
    return tuple(written)


def _skeleton(id_: str, title: str, kind: TaskKind, today: datetime.date) -> dict[str, str]:
    quoted = title.replace("\\", "\\\\").replace('"', '\\"')
    return {
        "task.toml": TASK_TOML.format(id=id_, title=quoted, kind=kind, today=today.isoformat()),
        "statement.md": STATEMENT.format(title=title),
        "suite/suite.toml": SUITE_TOML,
        "suite/tests/test_keep.py": KEEP_TEST,
        "suite/tests/test_gain.py": GAIN_TEST,
        "structure.yml": STRUCTURE,
        "controls/incomplete-noop.delta": NOOP_DELTA,
        "reviews.jsonl": "",
    }
