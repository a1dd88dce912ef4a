"""`tasks check` finds every fault of a task folder, at its file and line, and nothing in a sound one."""

from __future__ import annotations

import dataclasses
import datetime
import hashlib
import json
from pathlib import Path

import pytest

from bench.check import check
from bench.lock import write_measured
from bench.new_task import new
from runner.errors import UsageError
from runner.plan import Canary
from runner.task import Measured
from runner.task_folder import load_task
from runner.task_folder.digest import suite_digest
from runner.tree import Tree, read_tree

KEEP, GAIN = "tests/test_keep.py", "tests/test_gain.py"
COUNT = 24
STATEMENT = """# Move the price

`shop/prices.py` defines `price`.
`shop/api.py` no longer defines `price`.
"""
OLD = """\
def price(count):
    return count * 17 + 5


def label(text):
    head = text[0]
    tail = text[1:]
    return head + tail + "-x"
"""
TASK = """\
schema = "assay.task/1"
id = "shop-move-price"
title = "Move the price"
kind = "refactor"
language = "python"
created_at = 2026-12-01
licence = "MIT"
[source]
kind = "tree"
[gold]
delta = "gold.delta"
[tests]
upstream = ["tests"]
"""
STRUCTURE = """\
schema: assay.structure/1
gone:
  - id: price-out-of-api
    because: "`shop/api.py` no longer defines `price`."
    files: ["shop/api.py"]
    rule: { kind: function_definition, has: { field: name, regex: "^price$" } }
present:
  - id: price-in-prices
    because: "`shop/prices.py` defines `price`."
    files: ["shop/prices.py"]
    rule: { kind: function_definition, has: { field: name, regex: "^price$" } }
    test: "tests/test_gain.py::test_new_home"
"""
CONTROLS = (
    "broken-price",
    "incomplete-half-done",
    "incomplete-stub-present",
    "incomplete-old-hidden",
    "resolved-alternative",
    "tampered-cheat",
)


def keep_source() -> str:
    tests = (
        f"\n\ndef test_price_{number}():\n    assert api.price({number}) == {number * 17 + 5}\n"
        for number in range(COUNT)
    )
    return "from shop import api\n" + "".join(tests)


def suite_toml() -> str:
    keep = "".join(f'test_price_{number} = "the price of {number}"\n' for number in range(COUNT))
    return (
        f'schema = "assay.suite/1"\n[[unit]]\nfile = "{KEEP}"\nkind = "keep"\n[unit.tests]\n{keep}'
        f'[[unit]]\nfile = "{GAIN}"\nkind = "gain"\n[unit.tests]\ntest_new_home = "prices has the price"\n'
    )


@dataclasses.dataclass(frozen=True)
class Folder:
    """A task folder of a tree that we wrote."""

    path: Path

    def write(self, name: str, text: str) -> None:
        target = self.path / name
        target.parent.mkdir(parents=True, exist_ok=True)
        target.write_text(text, encoding="utf-8")

    def replace(self, name: str, old: str, new: str) -> None:
        text = (self.path / name).read_text(encoding="utf-8")
        assert old in text
        self.write(name, text.replace(old, new, 1))

    @property
    def base(self) -> Tree:
        return read_tree(self.path / "tree")

    def faults(self, base: Tree | None = None) -> list[str]:
        """The faults, with paths from the task folder on."""
        found = check(self.path, base=base or self.base)
        return [str(fault).replace(f"{self.path}/", "") for fault in found]

    def lock(self) -> None:
        """Write measurements that fit the folder as it is."""
        task = load_task(self.path)
        twins = {test: (Canary(test, "value", KEEP, 0, 1, "f", "g"),) for test in task.suite.tests}
        outcomes = dict.fromkeys(task.suite.tests, "passed")
        base = self.base.digest
        found = Measured(suite_digest(task.suite), base, "g", 10, outcomes, outcomes, twins, {}, {})
        write_measured(found, self.path / "measured.json")


def delta(body: str) -> str:
    return "assay-delta 1\n" + body


def new_file(path: str, text: str) -> str:
    lines = "".join(f"| {line}\n" if line else "|\n" for line in text.splitlines())
    return f"file {path}\n{lines}sha256 {hashlib.sha256(text.encode()).hexdigest()}\n"


@pytest.fixture
def folder(tmp_path: Path) -> Folder:
    made = Folder(tmp_path / "shop-move-price")
    made.write("task.toml", TASK)
    made.write("statement.md", STATEMENT)
    made.write("structure.yml", STRUCTURE)
    made.write("tree/shop/__init__.py", "")
    made.write("tree/shop/api.py", OLD)
    made.write(f"suite/{KEEP}", keep_source())
    gain = "from shop.prices import price\n\n\ndef test_new_home():\n    assert price(41) == 702\n"
    made.write(f"suite/{GAIN}", gain)
    made.write("suite/suite.toml", suite_toml())
    made.write("gold.delta", delta(new_file("shop/prices.py", "def price(n):\n    return n * 17 + 5\n")))
    made.write("controls/incomplete-noop.delta", delta(""))
    for name in CONTROLS:
        made.write(f"controls/{name}.delta", delta(new_file("shop/prices.py", f"NAME = '{name}'\n")))
    review = {
        "schema": "assay.review/1",
        "test": f"{GAIN}::test_new_home",
        "reviewer": "assay",
        "reviewer_kind": "author",
        "at": "2026-12-01",
        "verdict": "fair",
        "why": "the statement asks for it",
    }
    made.write("reviews.jsonl", json.dumps(review) + "\n")
    made.lock()
    return made


def test_a_sound_folder_has_no_fault(folder: Folder) -> None:
    assert folder.faults() == []


LIST, KEPT, GAINED, RULES = "suite/suite.toml", f"suite/{KEEP}", f"suite/{GAIN}", "structure.yml"
TWO = "controls/broken-two.delta"


@pytest.mark.parametrize(
    ("file", "old", "new", "place", "says"),
    [
        (LIST, "test_price_3 =", "test_price_x =", f"{LIST}:9", "there is no test"),
        (LIST, "test_price_3 =", "test_price_x =", f"{KEPT}:16", "not listed"),
        (LIST, '"the price of 3"', '""', f"{LIST}:9", "at least 1"),
        (KEPT, "== 22", "== (", f"{KEPT}:", "does not parse"),
        (KEPT, "test_price_3(", "test_price_2(", f"{KEPT}:16", "twice"),
        (RULES, "no longer", "never", f"{RULES}:4", "not in statement.md"),
        (RULES, "regex:", "regexp:", f"{RULES}:6", "cannot be used"),
        (RULES, "::test_new_home", "::test_none", f"{RULES}:12", "no gain test"),
        ("reviews.jsonl", "author", "person", "reviews.jsonl:1", "is no person"),
        ("reviews.jsonl", "new_home", "old_home", "reviews.jsonl:1", "no test"),
        (GAINED, "price\n", "price, cost\n", f"{GAINED}:1", "shop.prices.cost"),
        (GAINED, "== 702", "== 703", "measured.json", "another suite"),
        ("tree/shop/api.py", "-x", "-y", "measured.json", "another base"),
        ("task.toml", "licence", "license", "task.toml:7", "not a key"),
    ],
)
def test_a_spoilt_line_is_found_at_its_place(
    folder: Folder, file: str, old: str, new: str, place: str, says: str
) -> None:
    folder.replace(file, old, new)
    assert any(fault.startswith(place) and says in fault for fault in folder.faults()), folder.faults()


@pytest.mark.parametrize(
    ("file", "text", "place", "says"),
    [
        ("suite/tests/test_more.py", "def test_a(): pass\n", "suite/tests/test_more.py", "no unit"),
        ("controls/fine-attempt.delta", "assay-delta 1\n", "controls/fine-attempt.delta", "named"),
        (TWO, "assay-delta 1\n", TWO, "changes nothing"),
        (TWO, "assay-delta 1\nwhat\n", f"{TWO}:2", "what"),
        ("controls/incomplete-noop.delta", delta(new_file("a", "b\n")), "controls/incomplete-noop", "a noop"),
        ("gold.delta", delta(new_file("shop/new.py", OLD)), "gold.delta:3", "repeat shop/api.py"),
    ],
)
def test_a_file_that_does_not_belong_is_found(
    folder: Folder, file: str, text: str, place: str, says: str
) -> None:
    folder.write(file, text)
    assert any(fault.startswith(place) and says in fault for fault in folder.faults()), folder.faults()


@pytest.mark.parametrize(
    ("file", "says"),
    [
        ("controls/tampered-cheat.delta", "controls: there is no control of a cheat"),
        ("controls/broken-price.delta", "controls: there is no control of an honest attempt"),
        ("measured.json", "measured.json: is missing"),
        ("statement.md", "statement.md: is missing"),
    ],
)
def test_a_file_that_is_missing_is_named(folder: Folder, file: str, says: str) -> None:
    (folder.path / file).unlink()
    assert any(fault.startswith(says) for fault in folder.faults()), folder.faults()


def test_faults_come_all_at_once_by_file_and_line(folder: Folder) -> None:
    folder.replace("suite/suite.toml", "test_price_9 =", "test_price_y =")
    folder.replace("suite/suite.toml", "test_price_3 =", "test_price_x =")
    folder.replace("structure.yml", "no longer", "never")
    folder.replace("task.toml", "licence", "license")
    faults = check(folder.path, base=folder.base)
    assert len(faults) >= 6
    assert faults == sorted(faults, key=lambda fault: (fault.file, fault.line, fault.message))
    assert len({fault.file for fault in faults}) >= 4


def test_too_few_tests_are_a_fault(folder: Folder) -> None:
    folder.replace("suite/suite.toml", 'test_price_3 = "the price of 3"\n', "")
    folder.replace(f"suite/{KEEP}", "def test_price_3():", "def price_3():")
    assert any("24 tests, at least 25" in fault for fault in folder.faults())


def test_tests_that_can_carry_no_canary_are_named_where_they_are_too_many(folder: Folder) -> None:
    for number in range(2):
        folder.replace(f"suite/{KEEP}", f"== {number * 17 + 5}", "> 0")
    assert not any("can carry no canary" in fault for fault in folder.faults())
    folder.replace(f"suite/{KEEP}", f"== {2 * 17 + 5}", "> 0")
    named = [fault for fault in folder.faults() if "can carry no canary" in fault]
    assert [fault.split(":")[1] for fault in named] == ["4", "8", "12"]


def test_too_few_stored_canaries_are_a_fault(folder: Folder) -> None:
    document = json.loads((folder.path / "measured.json").read_text())
    document["canaries"] = dict(list(document["canaries"].items())[:14])
    folder.write("measured.json", json.dumps(document))
    assert any("14 tests carry a canary, at least 15" in fault for fault in folder.faults())


def test_without_the_trees_what_needs_them_is_left_out(folder: Folder) -> None:
    folder.write("controls/broken-two.delta", "assay-delta 1\nwhat\n")
    assert check(folder.path) == []


def test_a_private_suite_is_looked_for_where_it_is(folder: Folder, tmp_path: Path) -> None:
    private = tmp_path / "private" / folder.path.name
    private.mkdir(parents=True)
    (folder.path / "suite").rename(private / "suite")
    (folder.path / "measured.json").rename(private / "measured.json")
    assert check(folder.path, suites=tmp_path / "private", base=folder.base) == []
    (private / "suite" / KEEP).write_text("(")
    faults = check(folder.path, suites=tmp_path / "private", base=folder.base)
    assert any(fault.file == str(private / "suite" / KEEP) for fault in faults)


def test_a_new_folder_is_a_skeleton_whose_gaps_check_names(tmp_path: Path) -> None:
    home = tmp_path / "my-task"
    written = new(home, title='Say "it"', kind="fix", today=datetime.date(2026, 12, 1))
    assert all(path.is_file() for path in written)
    faults = [str(fault) for fault in check(home)]
    for gap in ("licence", "source.sha256", "proves", "because", "cheat", "measured.json"):
        assert any(gap in fault for fault in faults), gap
    assert not any("does not parse" in fault or "is not TOML" in fault for fault in faults)


@pytest.mark.parametrize("name", ["My-Task", "a--b", "a_b", "-a", "tâche"])
def test_a_name_that_is_no_id_is_refused(tmp_path: Path, name: str) -> None:
    with pytest.raises(UsageError, match="is no task id"):
        new(tmp_path / name, title="x", kind="fix", today=datetime.date(2026, 12, 1))


def test_nothing_that_is_there_is_overwritten(tmp_path: Path) -> None:
    (tmp_path / "here").mkdir()
    new(tmp_path / "here", title="x", kind="fix", today=datetime.date(2026, 12, 1))
    with pytest.raises(UsageError, match="there already"):
        new(tmp_path / "here", title="x", kind="fix", today=datetime.date(2026, 12, 1))


def test_nothing_of_a_task_is_executed(folder: Folder, tmp_path: Path) -> None:
    mark = tmp_path / "executed"
    trap = f"open({str(mark)!r}, 'w').close()\n"
    folder.write(f"suite/{GAIN}", trap + (folder.path / "suite" / GAIN).read_text())
    folder.write("suite/conftest.py", trap)
    folder.faults()
    assert not mark.exists()
