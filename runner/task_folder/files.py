"""The files of a task folder and of a benchmark as models: what may stand in them. See docs/tasks.md."""

from __future__ import annotations

import datetime
import re
from typing import Annotated, Any, Literal

from pydantic import (
    AfterValidator,
    BaseModel,
    ConfigDict,
    Field,
    RootModel,
    StringConstraints,
    model_validator,
)

from runner.task import Demand, Limits, Measured, Protocol, TaskKind
from runner.tree_paths import path_fault


class _File(BaseModel):
    model_config = ConfigDict(frozen=True, extra="forbid")


def _checked_path(path: str) -> str:
    fault = path_fault(path)
    if fault is not None:
        raise ValueError(f"`{path}` {fault}")
    return path


def _checked_root(path: str) -> str:
    return path if path == "." else _checked_path(path)


_LIMITS, _PROTOCOL = Limits(), Protocol()

Text = Annotated[str, StringConstraints(min_length=1, strip_whitespace=True)]
Sha256 = Annotated[str, StringConstraints(pattern=r"^[0-9a-f]{64}$")]
Identifier = Annotated[str, StringConstraints(pattern=r"^[a-z0-9]+(-[a-z0-9]+)*$")]
FilePath = Annotated[str, AfterValidator(_checked_path)]
RootPath = Annotated[str, AfterValidator(_checked_root)]
Positive = Annotated[int, Field(strict=True, gt=0)]


_PACKAGES = {
    "pypi": r"[A-Za-z0-9]([A-Za-z0-9._-]*[A-Za-z0-9])?",
    "npm": r"(@[a-z0-9~-][a-z0-9._~-]*/)?[a-z0-9~-][a-z0-9._~-]*",
    "crate": r"[A-Za-z][A-Za-z0-9_-]*",
    "go": r"[a-z0-9][a-z0-9.-]*(/[A-Za-z0-9_.~-]+)*",
    "maven": r"[A-Za-z0-9][A-Za-z0-9._-]*:[A-Za-z0-9][A-Za-z0-9._-]*",
    "debian": r"[a-z0-9][a-z0-9.+-]+",
}
"""How each registry spells a package: npm with its scope, Go a module path, Maven `group:artifact`."""


class RegistryTable(_File):
    """`[source]` of a package registry's archive."""

    kind: Literal["pypi", "npm", "crate", "go", "maven", "debian"]
    package: Text
    version: Annotated[str, StringConstraints(pattern=r"^[A-Za-z0-9.!+_~:-]+$")]
    sha256: Sha256

    @model_validator(mode="after")
    def _package_of_its_registry(self) -> RegistryTable:
        if not re.fullmatch(_PACKAGES[self.kind], self.package):
            raise ValueError(f"`{self.package}` is no name of a package as {self.kind} spells it")
        return self


class GitTable(_File):
    """`[source]` of a git commit."""

    kind: Literal["git"]
    url: Annotated[str, StringConstraints(pattern=r"^(https|ssh|file)://|^/|^[\w.-]+@[\w.-]+:")]
    commit: Annotated[str, StringConstraints(pattern=r"^([0-9a-f]{40}|[0-9a-f]{64})$")]


class TreeTable(_File):
    """`[source]` that stands in the task folder."""

    kind: Literal["tree"]
    path: FilePath = "tree"


SourceTable = Annotated[RegistryTable | GitTable | TreeTable, Field(discriminator="kind")]


class ReleaseTable(_File):
    """`release` in `[gold]`: a later version of the task's own package."""

    version: str
    sha256: Sha256


class GoldTable(_File):
    """`[gold]`: one of a delta, a patch, a later release."""

    delta: FilePath | None = None
    patch: FilePath | None = None
    release: ReleaseTable | None = None

    @model_validator(mode="after")
    def _one(self) -> GoldTable:
        if sum(each is not None for each in (self.delta, self.patch, self.release)) != 1:
            raise ValueError("give one of `delta`, `patch` and `release`")
        return self


class ImageTable(_File):
    """`[image]`: beside these, the keys that the language's toolchain reads, each a list of texts."""

    model_config = ConfigDict(frozen=True, extra="allow")
    __pydantic_extra__: dict[str, tuple[Text, ...]] = Field(init=False)
    import_roots: Annotated[tuple[RootPath, ...], Field(min_length=1)] = (".",)
    requirements: FilePath | None = None


class LimitsTable(_File):
    """`[limits]`: the defaults are those of `runner.task.Limits`."""

    cpu_seconds: Positive = _LIMITS.cpu_seconds
    wall_seconds: Positive = _LIMITS.wall_seconds
    memory_mb: Positive = _LIMITS.memory_mb
    disk_mb: Positive = _LIMITS.disk_mb
    processes: Positive = _LIMITS.processes
    output_mb: Positive = _LIMITS.output_mb


class TestsTable(_File):
    """`[tests]`."""

    __test__ = False
    upstream: tuple[FilePath, ...] = ()
    framework: Identifier | None = None


class ProtectTable(_File):
    """`[protect]`."""

    allow: tuple[Text, ...] = ()


class TaskFile(_File):
    """`task.toml`."""

    schema_: Literal["assay.task/1"] = Field(alias="schema")
    id: Identifier
    title: Text
    kind: TaskKind
    language: Identifier
    created_at: datetime.date
    licence: Text
    source: SourceTable
    gold: GoldTable
    image: ImageTable = ImageTable()
    limits: LimitsTable = LimitsTable()
    tests: TestsTable = TestsTable()
    protect: ProtectTable = ProtectTable()


class TestTable(_File):
    """The long form of a test in suite.toml."""

    __test__ = False
    proves: Text
    kind: Demand | None = None


def _long_form(test: object) -> object:
    return {"proves": test} if isinstance(test, str) else test


class UnitTable(_File):
    """`[[unit]]`."""

    file: FilePath
    kind: Demand
    tests: dict[Text, TestTable] = Field(min_length=1)

    @model_validator(mode="before")
    @classmethod
    def _short_forms(cls, table: object) -> object:
        if isinstance(table, dict) and isinstance(table.get("tests"), dict):
            return {**table, "tests": {name: _long_form(test) for name, test in table["tests"].items()}}
        return table


class SuiteFile(_File):
    """`suite/suite.toml`."""

    schema_: Literal["assay.suite/1"] = Field(alias="schema")
    unit: Annotated[tuple[UnitTable, ...], Field(min_length=1)]


class _RuleItem(_File):
    id: Identifier
    because: Text
    files: Annotated[tuple[Text, ...], Field(min_length=1)]
    rule: dict[str, Any] | None = None


class GoneItem(_RuleItem):
    """An item of `gone:`."""

    may_live_in: tuple[Text, ...] = ()


class PresentItem(_RuleItem):
    """An item of `present:`."""

    test: Text


class StructureFile(_File):
    """`structure.yml`."""

    schema_: Literal["assay.structure/1"] = Field(alias="schema")
    gone: tuple[GoneItem, ...] = ()
    present: tuple[PresentItem, ...] = ()


class ReviewLine(_File):
    """A line of `reviews.jsonl`."""

    schema_: Literal["assay.review/1"] = Field(alias="schema")
    test: Text
    reviewer: Text
    reviewer_kind: Literal["person", "team", "model", "author"]
    at: datetime.date
    verdict: Literal["fair", "narrow", "wide", "wrong"]
    why: Text


class MeasuredFile(RootModel[Measured]):
    """`measured.json`, written by `assay tasks lock`."""


class ProtocolTable(_File):
    """`[protocol]`: the defaults are those of `runner.task.Protocol`."""

    attempts: Positive = _PROTOCOL.attempts
    runs_per_owner: Positive = _PROTOCOL.runs_per_owner
    infra_retries: Annotated[int, Field(strict=True, ge=0)] = _PROTOCOL.infra_retries
    reveal: Literal["after_close", "at_once"] = _PROTOCOL.reveal
    wall_clock_minutes: Positive | None = None


class BenchmarkFile(_File):
    """`benchmark.toml`. `suites` or `suites_env` names the folder of private suites, where there is one."""

    schema_: Literal["assay.benchmark/1"] = Field(alias="schema")
    name: Identifier
    version: Text
    protocol: ProtocolTable = ProtocolTable()
    canary_share: Annotated[float, Field(ge=0, le=1)] = 0.9
    suites: Text | None = None
    suites_env: Annotated[str, StringConstraints(pattern=r"^[A-Za-z_][A-Za-z0-9_]*$")] | None = None

    @model_validator(mode="after")
    def _one(self) -> BenchmarkFile:
        if self.suites is not None and self.suites_env is not None:
            raise ValueError("give `suites` or `suites_env`, not both")
        return self
