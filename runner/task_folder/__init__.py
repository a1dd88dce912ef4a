"""Reads task folders and benchmarks from disk, with every fault at once. Nothing in them is ever executed."""

from __future__ import annotations

import os
from collections.abc import Mapping
from dataclasses import dataclass, replace
from pathlib import Path

from runner.errors import Fault, TaskError
from runner.task import Benchmark, ImageSpec, Limits, Protocol, Publication, Source, Task
from runner.task_folder.checked import CheckedFiles, Loaded
from runner.task_folder.digest import benchmark_digest, task_digest
from runner.task_folder.files import BenchmarkFile, TaskFile
from runner.task_folder.parts import (
    read_controls,
    read_gold,
    read_measured,
    read_reviews,
    read_source,
    read_structure,
    refuse_links,
)
from runner.task_folder.suite import read_suite
from runner.toolchains.registry import TOOLCHAINS

TASK_FILE, BENCHMARK_FILE = "task.toml", "benchmark.toml"


def load_task(folder: Path, suites: Path | None = None) -> Task:
    """The task in `folder`. `suites` is the folder of private suites: its suite is then `suites/<id>/suite`.

    Raises TaskError with every fault of the folder, each with its file and line.
    """
    files = CheckedFiles()
    task = _read_task(files, folder, suites)
    if files.faults or task is None:
        raise TaskError(f"the task folder {folder} has {_count(files.faults)}:", files.faults)
    return task


def load_benchmark(folder: Path, environment: Mapping[str, str] | None = None) -> Benchmark:
    """The benchmark in `folder` with all its tasks. `environment` (else the process's) resolves `suites_env`.

    Raises TaskError with the faults of all its files, each with its file and line.
    """
    files = CheckedFiles()
    loaded = files.toml(folder / BENCHMARK_FILE, BenchmarkFile)
    suites = None
    if loaded is not None:
        suites = _suites(files, loaded, folder, os.environ if environment is None else environment)
    tasks = [_read_task(files, each, suites) for each in _task_folders(folder)]
    if files.faults or loaded is None:
        raise TaskError(f"the benchmark {folder} has {_count(files.faults)}:", files.faults)
    good = tuple(task for task in tasks if task is not None)
    table = loaded.value
    protocol = Protocol(**table.protocol.model_dump())
    digest = benchmark_digest(protocol, table.canary_share, good)
    return Benchmark(table.name, table.version, folder, protocol, table.canary_share, good, digest)


def load_source(folder: Path) -> Source:
    """Where the base of the task in `folder` comes from, however unfinished the rest of the folder is.

    Raises TaskError with the faults of task.toml.
    """
    files = CheckedFiles()
    loaded = files.toml(folder / TASK_FILE, TaskFile)
    source = read_source(files, folder, loaded) if loaded is not None else None
    if source is None or files.faults:
        raise TaskError(f"{folder / TASK_FILE} has {_count(files.faults)}:", files.faults)
    return source


@dataclass(frozen=True, slots=True)
class Settings:
    """What `benchmark.toml` says for all tasks: private suites' folder (None: published), least canary share."""

    suites: Path | None
    canary_share: float


def load_settings(folder: Path, environment: Mapping[str, str] | None = None) -> Settings:
    """The settings of the benchmark in `folder`, without its tasks. Raises TaskError."""
    files = CheckedFiles()
    loaded = files.toml(folder / BENCHMARK_FILE, BenchmarkFile)
    suites = _suites(files, loaded, folder, os.environ if environment is None else environment) if loaded else None
    if loaded is None or files.faults:
        raise TaskError(f"the benchmark {folder} has {_count(files.faults)}:", files.faults)
    return Settings(suites, loaded.value.canary_share)


def _count(faults: list[Fault]) -> str:
    return "1 fault" if len(faults) == 1 else f"{len(faults)} faults"


def _task_folders(folder: Path) -> list[Path]:
    """Every folder in the benchmark that holds anything, hidden ones left out."""
    inside = sorted(folder.iterdir()) if folder.is_dir() else []
    return [each for each in inside if each.is_dir() and each.name[0] not in "._" and any(each.iterdir())]


def _suites(
    files: CheckedFiles, loaded: Loaded[BenchmarkFile], folder: Path, environment: Mapping[str, str]
) -> Path | None:
    """The folder of private suites, None if the suites are published."""
    named, variable = loaded.value.suites, loaded.value.suites_env
    if variable is not None:
        named = environment.get(variable)
        if not named:
            files.note_at(
                loaded,
                ("suites_env",),
                f"the variable {variable} is not set; set it to the private suites' folder",
            )
    if not named:
        return None
    suites = (folder / named).resolve()
    key = "suites" if variable is None else "suites_env"
    if not suites.is_dir():
        files.note_at(loaded, (key,), f"there is no folder {suites}; name the folder of the private suites")
    elif suites.is_relative_to(folder.resolve()):
        files.note_at(loaded, (key,), f"{suites} lies inside the benchmark; private suites belong outside")
    return suites


def _read_task(files: CheckedFiles, folder: Path, suites: Path | None) -> Task | None:
    """Read everything, whatever is wrong with the rest; None if anything is."""
    before = len(files.faults)
    refuse_links(files, folder)
    loaded = files.toml(folder / TASK_FILE, TaskFile)
    statement = _read_statement(files, folder)
    home = folder if suites is None else suites / folder.name
    publication: Publication = "published" if suites is None else "private"
    if suites is not None and (folder / "suite").exists():
        files.note(folder / "suite", "is published beside a private suite; remove one of them")
    suite = read_suite(files, home / "suite", publication)
    structure = read_structure(files, folder / "structure.yml", suite)
    controls = read_controls(files, folder, loaded)
    reviews = read_reviews(files, folder / "reviews.jsonl", suite)
    measured = read_measured(files, home / "measured.json")
    if loaded is None:
        return None
    source, gold = read_source(files, folder, loaded), read_gold(files, folder, loaded)
    framework, image = _read_framework(files, loaded), _read_image(files, folder, loaded)
    if loaded.value.id != folder.name:
        files.note_at(
            loaded, ("id",), f"`{loaded.value.id}` is not the folder's name, `{folder.name}`; rename one"
        )
    if suite is None or len(files.faults) > before:
        return None
    table = loaded.value
    task = Task(
        id=table.id,
        title=table.title,
        kind=table.kind,
        language=table.language,
        created_at=table.created_at,
        licence=table.licence,
        folder=folder,
        statement=statement,
        source=source,
        gold=gold,
        image=image,
        limits=Limits(**table.limits.model_dump()),
        upstream_tests=table.tests.upstream,
        allowed=table.protect.allow,
        suite=suite,
        structure=structure,
        controls=controls,
        reviews=reviews,
        measured=measured,
        digest="",
        framework=framework,
        home=home,
    )
    return replace(task, digest=task_digest(task))


def _read_statement(files: CheckedFiles, folder: Path) -> str:
    statement = files.text(folder / "statement.md")
    if statement is not None and not statement.strip():
        files.note(folder / "statement.md", "is empty; say what the agent is to do")
    return statement or ""


def _read_framework(files: CheckedFiles, loaded: Loaded[TaskFile]) -> str:
    """The framework that the suite is written for: the language's first where task.toml says nothing."""
    toolchain = TOOLCHAINS.get(loaded.value.language)
    if toolchain is None:
        files.note_at(loaded, ("language",), f"`{loaded.value.language}` is none of {', '.join(TOOLCHAINS)}")
        return ""
    named = loaded.value.tests.framework
    if named is not None and named not in toolchain.frameworks:
        fault = f"`{named}` is none of {', '.join(toolchain.frameworks)}, which run {toolchain.name}"
        files.note_at(loaded, ("tests", "framework"), fault)
    return named or toolchain.frameworks[0]


def _read_image(files: CheckedFiles, folder: Path, loaded: Loaded[TaskFile]) -> ImageSpec:
    table = loaded.value.image
    options: dict[str, tuple[str, ...]] = table.model_extra or {}
    toolchain = TOOLCHAINS.get(loaded.value.language)
    for key in options if toolchain else ():
        if toolchain and key not in toolchain.image_keys:
            known = ", ".join(("import_roots", "requirements", *toolchain.image_keys))
            files.note_at(loaded, ("image", key), f"is not known to {toolchain.name}: known are {known}")
    if table.requirements is None:
        return ImageSpec(table.import_roots, options=options)
    if not (folder / table.requirements).is_file():
        fault = f"the task has no file `{table.requirements}`; add it, with a hash for every pin"
        files.note_at(loaded, ("image", "requirements"), fault)
    return ImageSpec(table.import_roots, folder / table.requirements, options)
