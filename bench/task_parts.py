"""A task folder read part by part for `tasks check`: what reads is looked at, whatever the rest."""

from __future__ import annotations

from dataclasses import dataclass, field
from pathlib import Path

from runner.task import Control, Measured, Review, Structure, Suite, TaskKind
from runner.task_folder import TASK_FILE
from runner.task_folder.checked import CheckedFiles, Loaded
from runner.task_folder.files import StructureFile, SuiteFile, TaskFile
from runner.task_folder.parts import read_controls, read_measured, read_reviews, read_structure
from runner.task_folder.places import Place, Places, line_of
from runner.task_folder.suite import SUITE_FILE, read_suite
from runner.toolchains.registry import TOOLCHAINS


@dataclass(frozen=True, slots=True)
class TaskParts:
    """What of a task folder could be read; None or empty where it could not, which `load_task` tells."""

    folder: Path
    home: Path
    """Where suite and measured.json are: the folder itself, or that of its private suite."""
    table: TaskFile | None
    statement: str
    suite: Suite | None
    structure: Structure
    controls: tuple[Control, ...]
    reviews: tuple[Review, ...]
    measured: Measured | None
    suite_places: Places = field(default_factory=dict)
    structure_places: Places = field(default_factory=dict)

    @property
    def language(self) -> str:
        """The task's language; python where task.toml does not read."""
        return self.table.language if self.table else "python"

    @property
    def framework(self) -> str:
        """The framework of its suite, '' where there is none."""
        named = self.table.tests.framework if self.table else None
        known = TOOLCHAINS[self.language].frameworks if self.language in TOOLCHAINS else ()
        return named or next(iter(known), "")

    @property
    def kind(self) -> TaskKind | None:
        """The task's kind, if task.toml reads."""
        return self.table.kind if self.table else None

    @property
    def suite_file(self) -> Path:
        """suite.toml."""
        return self.home / "suite" / SUITE_FILE

    def suite_line(self, place: Place) -> int:
        """The line of a place in suite.toml."""
        return line_of(self.suite_places, place)

    def structure_line(self, place: Place) -> int:
        """The line of a place in structure.yml."""
        return line_of(self.structure_places, place)


def read_parts(folder: Path, suites: Path | None = None) -> TaskParts:
    """Everything in `folder` that reads; `suites` is the folder of private suites."""
    files = CheckedFiles()
    home = folder if suites is None else suites / folder.name
    suite = read_suite(files, home / "suite", "published" if suites is None else "private")
    table = files.toml(folder / TASK_FILE, TaskFile)
    return TaskParts(
        folder=folder,
        home=home,
        table=table.value if table else None,
        statement=files.text(folder / "statement.md") or "",
        suite=suite,
        structure=read_structure(files, folder / "structure.yml", suite),
        controls=read_controls(files, folder, table),
        reviews=read_reviews(files, folder / "reviews.jsonl", suite),
        measured=read_measured(files, home / "measured.json"),
        suite_places=_places(files.toml(home / "suite" / SUITE_FILE, SuiteFile)),
        structure_places=_places(files.yaml(folder / "structure.yml", StructureFile)),
    )


def _places(loaded: Loaded[SuiteFile] | Loaded[StructureFile] | None) -> Places:
    return loaded.places if loaded else {}
