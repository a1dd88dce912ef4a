"""Reads the parts of a task folder: source, gold, controls, structure, reviews, measurements."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path
from typing import cast, get_args

from runner.task import (
    Change,
    Control,
    DeltaChange,
    GitSource,
    Measured,
    PatchChange,
    RegistrySource,
    ReleaseChange,
    Review,
    Source,
    Structure,
    StructureRule,
    Suite,
    TreeSource,
    VerdictName,
)
from runner.task_folder.checked import CheckedFiles, Loaded
from runner.task_folder.files import (
    GoneItem,
    MeasuredFile,
    PresentItem,
    RegistryTable,
    ReviewLine,
    StructureFile,
    TaskFile,
    TreeTable,
)

MEASURED_SCHEMA = "assay.measured/1"


def read_source(files: CheckedFiles, folder: Path, loaded: Loaded[TaskFile]) -> Source:
    """The source that `[source]` names."""
    table = loaded.value.source
    if isinstance(table, RegistryTable):
        return RegistrySource(table.kind, table.package, table.version, table.sha256)
    if isinstance(table, TreeTable):
        if not (folder / table.path).is_dir():
            files.note_at(loaded, ("source", "path"), f"the task has no folder `{table.path}`; add the tree")
        return TreeSource(folder / table.path)
    return GitSource(table.url, table.commit)


def read_gold(files: CheckedFiles, folder: Path, loaded: Loaded[TaskFile]) -> Change:
    """The change that `[gold]` names."""
    gold, source = loaded.value.gold, loaded.value.source
    if gold.release is not None:
        if not isinstance(source, RegistryTable):
            files.note_at(loaded, ("gold", "release"), "a release needs a source of a package registry")
            return ReleaseChange(GitSource("", ""))
        later = RegistrySource(source.kind, source.package, gold.release.version, gold.release.sha256)
        return ReleaseChange(later)
    key, name = ("delta", gold.delta) if gold.delta is not None else ("patch", gold.patch or "")
    if not (folder / name).is_file():
        files.note_at(
            loaded, ("gold", key), f"the task has no file `{name}`; record the gold, or correct its name"
        )
    if key == "patch":
        _refuse_patch(files, loaded, ("gold", "patch"))
        return PatchChange(folder / name)
    return DeltaChange(folder / name)


def _refuse_patch(files: CheckedFiles, loaded: Loaded[TaskFile], place: tuple[str, ...]) -> None:
    if not isinstance(loaded.value.source, TreeTable):
        files.note_at(
            loaded, place, "a patch holds upstream's text, which is not ours to keep; record a delta instead"
        )


def read_controls(files: CheckedFiles, folder: Path, loaded: Loaded[TaskFile] | None) -> tuple[Control, ...]:
    """Every file of `controls/`: `<verdict>-<what>.delta`, or `.patch` for a tree of our own."""
    controls: list[Control] = []
    inside = sorted((folder / "controls").iterdir()) if (folder / "controls").is_dir() else []
    for file in inside:
        verdict, _, what = file.stem.partition("-")
        if verdict not in get_args(VerdictName) or not what:
            names = ", ".join(get_args(VerdictName))
            files.note(file, f"is not named <verdict>-<what>.delta; the verdict is one of {names}")
        elif file.suffix == ".delta":
            controls.append(Control(file.stem, cast(VerdictName, verdict), DeltaChange(file)))
        elif file.suffix != ".patch":
            files.note(file, "is neither a .delta nor a .patch; `assay tasks record` writes one")
        elif loaded is not None and not isinstance(loaded.value.source, TreeTable):
            files.note(file, "holds upstream's text, which is not ours to keep; record a delta instead")
        else:
            controls.append(Control(file.stem, cast(VerdictName, verdict), PatchChange(file)))
    names_seen = [control.name for control in controls]
    for name in {name for name in names_seen if names_seen.count(name) > 1}:
        files.note(folder / "controls", f"`{name}` stands there as a delta and as a patch; keep one")
    return tuple(controls)


def read_structure(files: CheckedFiles, file: Path, suite: Suite | None) -> Structure:
    """The rules of structure.yml; every `present:` names a gain test of the suite."""
    loaded = files.yaml(file, StructureFile)
    if loaded is None:
        return Structure()
    table = loaded.value
    _refuse_twins(files, loaded, [*table.gone, *table.present])
    for number, item in enumerate(table.present):
        test = None if suite is None else suite.tests.get(item.test)
        if suite is not None and (test is None or test.demand != "gain"):
            fault = f"`{item.test}` is no gain test of the suite; name the one that goes with the rule"
            files.note_at(loaded, ("present", number, "test"), fault)
    return Structure(tuple(map(_gone, table.gone)), tuple(map(_present, table.present)))


def _gone(item: GoneItem) -> StructureRule:
    return StructureRule(item.id, item.because, item.files, item.rule, may_live_in=item.may_live_in)


def _present(item: PresentItem) -> StructureRule:
    return StructureRule(item.id, item.because, item.files, item.rule, test=item.test)


def _refuse_twins(
    files: CheckedFiles, loaded: Loaded[StructureFile], items: Sequence[GoneItem | PresentItem]
) -> None:
    ids = [item.id for item in items]
    for position, name in enumerate(ids):
        if name in ids[:position]:
            gone = len(loaded.value.gone)
            place = ("gone", position) if position < gone else ("present", position - gone)
            files.note_at(loaded, (*place, "id"), f"the id `{name}` is taken; give every rule its own")


def read_reviews(files: CheckedFiles, file: Path, suite: Suite | None) -> tuple[Review, ...]:
    """The lines of reviews.jsonl, none if there is no such file; each names a test of the suite."""
    if not file.exists():
        return ()
    lines = files.json_lines(file, ReviewLine)
    for number, line in lines:
        if suite is not None and line.test not in suite.tests:
            files.note(file, f"the suite has no test `{line.test}`; correct its id", number)
    return tuple(
        Review(line.test, line.reviewer, line.reviewer_kind, line.at, line.verdict, line.why)
        for _, line in lines
    )


def read_measured(files: CheckedFiles, file: Path) -> Measured | None:
    """measured.json; None if the task is not locked yet."""
    if not file.exists():
        return None
    loaded = files.json(file, MeasuredFile)
    if loaded is None:
        return None
    measured = loaded.value.root
    if measured.schema != MEASURED_SCHEMA:
        files.note(file, f"`{measured.schema}` is not {MEASURED_SCHEMA}; run `assay tasks lock` again")
    return measured


def refuse_links(files: CheckedFiles, folder: Path) -> None:
    """Note every link in `folder` that leads outside."""
    home = folder.resolve()
    for file in sorted(folder.rglob("*")):
        if file.is_symlink() and not file.resolve().is_relative_to(home):
            files.note(file, "is a link that leads out of the task folder; put the file itself there")
