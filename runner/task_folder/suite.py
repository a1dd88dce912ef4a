"""Reads a suite folder: its units, its tests, and the files that are laid over the tree."""

from __future__ import annotations

from pathlib import Path

from runner.task import Publication, Suite, SuiteTest, Unit
from runner.task_folder.checked import CheckedFiles, Loaded
from runner.task_folder.files import SuiteFile
from runner.tree_paths import path_fault

SUITE_FILE = "suite.toml"


def read_suite(files: CheckedFiles, folder: Path, publication: Publication) -> Suite | None:
    """The suite in `folder`; None after noting what is wrong."""
    loaded = files.toml(folder / SUITE_FILE, SuiteFile)
    laid = _laid_files(files, folder)
    if loaded is None:
        return None
    units: list[Unit] = []
    tests: dict[str, SuiteTest] = {}
    for number, table in enumerate(loaded.value.unit):
        if table.file not in laid:
            files.note_at(loaded, ("unit", number, "file"), f"the suite has no file `{table.file}`; add it")
        if any(unit.file == table.file for unit in units):
            files.note_at(loaded, ("unit", number, "file"), f"`{table.file}` is a unit already; keep one")
        unit_tests = _tests(loaded, number)
        units.append(Unit(table.file, table.kind, tuple(test.id for test in unit_tests)))
        tests |= {test.id: test for test in unit_tests}
    return Suite(tuple(units), tests, laid, publication)


def _tests(loaded: Loaded[SuiteFile], number: int) -> list[SuiteTest]:
    unit = loaded.value.unit[number]
    return [
        SuiteTest(f"{unit.file}::{name}", unit.file, test.kind or unit.kind, test.proves)
        for name, test in unit.tests.items()
    ]


def _laid_files(files: CheckedFiles, folder: Path) -> dict[str, bytes]:
    """Every file of the folder but suite.toml and Python's caches, by its path in the tree."""
    laid: dict[str, bytes] = {}
    for file in sorted(folder.rglob("*")):
        path = file.relative_to(folder).as_posix()
        if file.is_symlink():
            files.note(file, "is a link; a suite consists of files")
        elif file.is_file() and path != SUITE_FILE and "__pycache__" not in file.parts:
            fault = path_fault(path)
            if fault is not None:
                files.note(file, f"cannot be laid over a tree: its path {fault}")
            laid[path] = file.read_bytes()
    return laid
