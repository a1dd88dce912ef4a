"""A task folder is read whole: a good one as values, a bad one with every fault, its file and its line."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from runner.errors import TaskError
from runner.task import DeltaChange, RegistrySource, ReleaseChange, Task, TreeSource
from runner.task_folder import load_benchmark, load_task

TASK = """schema = "assay.task/1"
id = "split-shapes"
title = "Split the shapes"
kind = "refactor"
language = "python"
created_at = 2026-12-01
licence = "MIT"

[source]
kind = "pypi"
package = "shapes"
version = "1.0"
sha256 = "{digest}"

[gold]
delta = "gold.delta"

[limits]
cpu_seconds = 20

[tests]
upstream = ["tests"]
""".replace("{digest}", "a" * 64)
SUITE = """schema = "assay.suite/1"

[[unit]]
file = "tests/test_keep.py"
kind = "keep"
[unit.tests]
test_area = "the area of a square"

[[unit]]
file = "tests/test_gain.py"
kind = "gain"
[unit.tests]
test_circle = "the circle's module"
"TestOld::test_alias" = { proves = "the old name stays", kind = "keep" }
"""
STRUCTURE = """schema: assay.structure/1
gone:
  - id: no-circle-in-shapes
    because: "Circle moves."
    files: ["shapes.py"]
    rule: { kind: class_definition }
    may_live_in: ["circle.py"]
present:
  - id: circle-in-circle
    because: "Circle moves."
    files: ["circle.py"]
    test: "tests/test_gain.py::test_circle"
"""
REVIEW = {
    "schema": "assay.review/1",
    "test": "tests/test_keep.py::test_area",
    "reviewer": "assay",
    "reviewer_kind": "author",
    "at": "2026-12-01",
    "verdict": "fair",
    "why": "area is documented",
}
MEASURED = {
    "schema": "assay.measured/1",
    "suite_digest": "s",
    "base_tree": "b",
    "gold_tree": "g",
    "repeats": 5,
    "base": {"tests/test_keep.py::test_area": "passed"},
    "gold": {"tests/test_keep.py::test_area": "passed"},
    "canaries": {
        "tests/test_keep.py::test_area": [
            {
                "test": "tests/test_keep.py::test_area",
                "kind": "value",
                "file": "tests/test_keep.py",
                "start": 3,
                "end": 4,
                "old": "4",
                "new": "9",
                "distance": 0,
            }
        ]
    },
    "uncarried": {},
    "durations": {"tests/test_keep.py::test_area": 0.01},
}


def write(root: Path, files: dict[str, str]) -> None:
    for name, text in files.items():
        (root / name).parent.mkdir(parents=True, exist_ok=True)
        (root / name).write_text(text, encoding="utf-8")


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    root = tmp_path / "benchmark" / "split-shapes"
    write(
        root,
        {
            "task.toml": TASK,
            "statement.md": "Circle moves.\n",
            "gold.delta": "assay-delta 1\n",
            "suite/suite.toml": SUITE,
            "suite/tests/test_keep.py": "def test_area(): ...\n",
            "suite/tests/test_gain.py": "def test_circle(): ...\n",
            "structure.yml": STRUCTURE,
            "controls/incomplete-noop.delta": "assay-delta 1\n",
            "reviews.jsonl": json.dumps(REVIEW) + "\n",
            "measured.json": json.dumps(MEASURED),
        },
    )
    write(root.parent, {"benchmark.toml": 'schema = "assay.benchmark/1"\nname = "shapes"\nversion = "1"\n'})
    return root


def faults(folder: Path) -> list[str]:
    """The faults of the folder, files by their path inside."""
    with pytest.raises(TaskError) as caught:
        load_task(folder)
    return [str(fault).replace(f"{folder}/", "") for fault in caught.value.faults]


def test_a_good_folder_becomes_values(folder: Path) -> None:
    task = load_task(folder)

    assert task.source == RegistrySource("pypi", "shapes", "1.0", "a" * 64)
    assert task.gold == DeltaChange(folder / "gold.delta")
    assert (task.limits.cpu_seconds, task.limits.memory_mb) == (20, 512)
    assert task.upstream_tests == ("tests",)
    assert {test.id: test.demand for test in task.suite.tests.values()} == {
        "tests/test_keep.py::test_area": "keep",
        "tests/test_gain.py::test_circle": "gain",
        "tests/test_gain.py::TestOld::test_alias": "keep",
    }
    assert set(task.suite.files) == {"tests/test_keep.py", "tests/test_gain.py"}
    assert task.suite.publication == "published"
    assert task.structure.gone[0].may_live_in == ("circle.py",)
    assert task.structure.present[0].rule is None
    assert [(control.name, control.expected) for control in task.controls] == [
        ("incomplete-noop", "incomplete")
    ]
    assert task.reviews[0].reviewer_kind == "author"
    assert task.measured is not None
    assert task.measured.canaries["tests/test_keep.py::test_area"][0].new == "9"


DECIDING = [
    ("statement.md", "Circle moves.", "Circle stays."),
    ("gold.delta", "1\n", "1\n# again\n"),
    ("suite/tests/test_keep.py", "...", "assert True"),
    ("structure.yml", "class_definition", "function_definition"),
    ("task.toml", "cpu_seconds = 20", "cpu_seconds = 21"),
    ("task.toml", '"1.0"', '"1.1"'),
    ("task.toml", "[tests]", '[image]\nimport_roots = ["src"]\n\n[tests]'),
    ("task.toml", "[tests]", '[protect]\nallow = ["setup.py"]\n\n[tests]'),
    ("measured.json", '"new": "9"', '"new": "8"'),
    ("suite/suite.toml", 'kind = "gain"', 'kind = "keep"'),
]
SILENT = [
    ("task.toml", "Split the shapes", "Another title"),
    ("controls/incomplete-noop.delta", "1\n", "1\n# again\n"),
    ("reviews.jsonl", "area is documented", "so it is"),
    ("structure.yml", "gone:", "# what goes\ngone:"),
    ("measured.json", "0.01", "0.02"),
]


@pytest.mark.parametrize(
    ("name", "old", "new", "same"), [(*e, False) for e in DECIDING] + [(*e, True) for e in SILENT]
)
def test_the_digest_covers_what_decides_a_verdict(
    folder: Path, name: str, old: str, new: str, same: bool
) -> None:
    before = load_task(folder).digest
    text = (folder / name).read_text()
    assert old in text
    if name == "suite/suite.toml":
        write(folder, {"structure.yml": "schema: assay.structure/1\n"})
        before = load_task(folder).digest

    write(folder, {name: text.replace(old, new)})

    assert (load_task(folder).digest == before) is same


def test_every_fault_is_named_at_once_with_its_line(folder: Path) -> None:
    write(
        folder,
        {
            "task.toml": TASK.replace('"MIT"', '"MIT"\nlicense = "MIT"').replace(
                "cpu_seconds = 20", 'cpu_seconds = "20"'
            ),
            "suite/suite.toml": SUITE.replace("the area of a square", ""),
            "structure.yml": STRUCTURE.replace("may_live_in", "may_stay_in"),
            "reviews.jsonl": "\n{}\nnonsense\n",
            "statement.md": " \n",
        },
    )
    (folder / "controls" / "good-try.delta").write_text("")

    found = faults(folder)

    assert "task.toml:8: `license` is not a key that is known here; remove it or correct its name" in found
    assert "task.toml:20: `limits.cpu_seconds`: input should be a valid integer" in found
    assert (
        "suite/suite.toml:7: `unit.0.tests.test_area.proves`: string should have at least 1 character"
        in found
    )
    assert any(each.startswith("structure.yml:7: `gone.0.may_stay_in` is not a key") for each in found)
    assert "reviews.jsonl:2: `test` is missing; add it" in found
    assert any(each.startswith("reviews.jsonl:3: is not JSON") for each in found)
    assert "statement.md: is empty; say what the agent is to do" in found
    assert any(
        each.startswith("controls/good-try.delta: is not named <verdict>-<what>.delta") for each in found
    )


@pytest.mark.parametrize(
    ("name", "old", "new", "expected"),
    [
        ("task.toml", '"split-shapes"', '"split"', "task.toml:2: `split` is not the folder's name"),
        ("task.toml", '"gold.delta"', '"gone.delta"', "task.toml:16: the task has no file `gone.delta`"),
        ("task.toml", '"gold.delta"', '"../x"', "task.toml:16: `gold.delta`: `../x` has the component `..`"),
        ("task.toml", "delta = ", "patch = ", "task.toml:16: a patch holds upstream's text"),
        ("task.toml", "delta =", 'patch = "gold.patch"\ndelta =', "task.toml:15: `gold`: give one of"),
        ("task.toml", "[source]", "[source", "task.toml:9: is not TOML"),
        ("task.toml", '"pypi"', '"cpan"', "task.toml:9: `source`: input tag 'cpan'"),
        ("task.toml", "a" * 64, "a" * 63, "task.toml:13: `source.sha256`: string should match pattern"),
        ("task.toml", "2026-12-01", "1", "task.toml:6: `created_at`:"),
        ("task.toml", '"python"', '"cobol"', "task.toml:5: `cobol` is none of python"),
        ("task.toml", "[tests]", '[tests]\nframework = "nose"', "task.toml:22: `nose` is none of"),
        ("task.toml", "[source]", '[image]\nwheels = ["a"]\n[source]', "task.toml:10: is not known to python"),
        ("task.toml", "[source]", "[image]\nwheels = 3\n[source]", "task.toml:10: `image.wheels`: input should"),
        ("task.toml", '"shapes"', '"@scope/shapes"', "task.toml:9: `source.pypi`: `@scope/shapes` is no name"),
        (
            "suite/suite.toml",
            "test_gain.py",
            "test_none.py",
            "suite/suite.toml:10: the suite has no file `tests/test_none.py`",
        ),
        (
            "suite/suite.toml",
            "test_gain.py",
            "test_keep.py",
            "suite/suite.toml:10: `tests/test_keep.py` is a unit already",
        ),
        (
            "suite/suite.toml",
            'kind = "keep"\n',
            'kind = "stay"\n',
            "suite/suite.toml:5: `unit.0.kind`: input should be",
        ),
        (
            "suite/suite.toml",
            'kind = "keep" }',
            'kind = "stay" }',
            "suite/suite.toml:14: `unit.1.tests.TestOld",
        ),
        (
            "structure.yml",
            "::test_circle",
            "::test_square",
            "structure.yml:12: `tests/test_gain.py::test_square` is no gain",
        ),
        (
            "structure.yml",
            "circle-in-circle",
            "no-circle-in-shapes",
            "structure.yml:9: the id `no-circle-in-shapes` is taken",
        ),
        ("structure.yml", "gone:", "gone: []\ngone:", "structure.yml:3: `gone` stands here a second time"),
        ("structure.yml", 'files: ["shapes.py"]', 'files: ["shapes.py"', "structure.yml:"),
        ("reviews.jsonl", "test_area", "test_none", "reviews.jsonl:1: the suite has no test"),
        ("reviews.jsonl", '"author"', '"nobody"', "reviews.jsonl:1: `reviewer_kind`: input should be"),
        ("measured.json", "assay.measured/1", "assay.measured/0", "measured.json: `assay.measured/0` is not"),
        ("measured.json", '"repeats": 5', '"repeats": "x"', "measured.json:1: `repeats`:"),
    ],
)
def test_a_fault_has_its_file_and_line(folder: Path, name: str, old: str, new: str, expected: str) -> None:
    text = (folder / name).read_text()
    assert old in text
    write(folder, {name: text.replace(old, new)})

    assert any(each.startswith(expected) for each in faults(folder)), faults(folder)


@pytest.mark.parametrize("name", ["task.toml", "statement.md", "suite/suite.toml", "structure.yml"])
def test_a_missing_file_is_a_fault(folder: Path, name: str) -> None:
    (folder / name).unlink()

    assert f"{name}: is missing; add it" in faults(folder)


def test_a_file_that_is_not_utf8_is_a_fault(folder: Path) -> None:
    (folder / "statement.md").write_bytes(b"one\n\xff\n")

    assert faults(folder) == ["statement.md:2: is not UTF-8; save it as UTF-8"]


def test_a_link_out_of_the_folder_is_a_fault(folder: Path) -> None:
    (folder / "notes").symlink_to("/etc/hostname")
    (folder / "suite" / "tests" / "more.py").symlink_to("test_keep.py")

    found = faults(folder)

    assert "notes: is a link that leads out of the task folder; put the file itself there" in found
    assert "suite/tests/more.py: is a link; a suite consists of files" in found


def test_a_task_without_measurements_loads_unlocked(folder: Path) -> None:
    (folder / "measured.json").unlink()

    assert load_task(folder).measured is None


def test_a_tree_source_may_have_a_patch_for_gold(folder: Path) -> None:
    source = TASK[TASK.index("[source]") : TASK.index("[gold]")]
    own = TASK.replace(source, '[source]\nkind = "tree"\n\n').replace(
        'delta = "gold.delta"', 'patch = "gold.patch"'
    )
    write(folder, {"task.toml": own, "gold.patch": "", "tree/shapes.py": "x = 1\n"})

    task = load_task(folder)
    write(folder, {"tree/shapes.py": "x = 2\n"})

    assert task.source == TreeSource(folder / "tree")
    assert load_task(folder).digest != task.digest


def test_a_release_is_of_the_same_package(folder: Path) -> None:
    release = f'release = {{ version = "2.0", sha256 = "{"b" * 64}" }}'
    write(folder, {"task.toml": TASK.replace('delta = "gold.delta"', release)})

    assert load_task(folder).gold == ReleaseChange(RegistrySource("pypi", "shapes", "2.0", "b" * 64))


def private(folder: Path, suites: Path) -> None:
    """Move the suite and what was measured with it into the folder of private suites."""
    (suites / folder.name).mkdir(parents=True)
    for name in ("suite", "measured.json"):
        (folder / name).rename(suites / folder.name / name)


def test_a_private_suite_lies_outside(folder: Path, tmp_path: Path) -> None:
    private(folder, tmp_path / "suites")

    task = load_task(folder, tmp_path / "suites")

    assert task.suite.publication == "private"
    assert task.measured is not None
    write(folder, {"suite/suite.toml": SUITE})
    with pytest.raises(TaskError, match="is published beside a private suite"):
        load_task(folder, tmp_path / "suites")


def test_a_benchmark_names_its_private_suites_by_folder_or_variable(folder: Path, tmp_path: Path) -> None:
    private(folder, tmp_path / "suites")
    head = 'schema = "assay.benchmark/1"\nname = "shapes"\nversion = "1"\n'
    file = folder.parent / "benchmark.toml"

    file.write_text(head + 'suites = "../suites"\n')
    by_folder = load_benchmark(folder.parent)
    file.write_text(head + 'suites_env = "SHAPES_SUITES"\n')
    by_variable = load_benchmark(folder.parent, {"SHAPES_SUITES": str(tmp_path / "suites")})

    assert by_folder.tasks[0].suite.publication == "private"
    assert by_variable.digest == by_folder.digest
    with pytest.raises(TaskError, match=r"benchmark\.toml:4: the variable SHAPES_SUITES is not set"):
        load_benchmark(folder.parent, {})


def test_private_suites_inside_the_benchmark_are_refused(folder: Path) -> None:
    file = folder.parent / "benchmark.toml"
    file.write_text(file.read_text() + 'suites = "split-shapes"\n')

    with pytest.raises(TaskError, match="lies inside the benchmark"):
        load_benchmark(folder.parent)


def test_a_benchmark_holds_protocol_and_tasks(folder: Path) -> None:
    file = folder.parent / "benchmark.toml"
    one = load_benchmark(folder.parent)
    file.write_text(file.read_text() + "\n[protocol]\nattempts = 3\n")
    three = load_benchmark(folder.parent)

    assert (one.protocol.attempts, one.canary_share, one.task("split-shapes").title) == (
        1,
        0.9,
        "Split the shapes",
    )
    assert three.protocol.attempts == 3
    assert three.digest != one.digest
    with pytest.raises(KeyError):
        one.task("none")


def test_a_benchmark_names_the_faults_of_all_its_tasks(folder: Path) -> None:
    for name in ("second", "third"):
        write(folder.parent, {f"{name}/notes.txt": "x"})

    with pytest.raises(TaskError) as caught:
        load_benchmark(folder.parent)

    assert {Path(fault.file).parent.name for fault in caught.value.faults} >= {"second", "third"}


def test_the_shipped_benchmark_is_well_formed() -> None:
    root = Path(__file__).parents[2] / "tasks"

    benchmark = load_benchmark(root)

    assert benchmark.name == "assay-refactor"
    assert all(isinstance(task, Task) for task in benchmark.tasks)
