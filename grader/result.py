"""The result document: the graded evidence of one submission, `schema: "assay.result/1"`."""

from __future__ import annotations

import datetime
from typing import Literal

from pydantic import BaseModel, ConfigDict, Field

from runner.task import Publication, TaskKind, VerdictName


class _Document(BaseModel):
    model_config = ConfigDict(frozen=True, extra="forbid")


class FindingDocument(_Document):
    """One reason against `resolved`: which mechanism, what verdict it asks for, where."""

    mechanism: str
    verdict: VerdictName
    message: str
    where: str = ""


class TestDocument(_Document):
    """One suite test: its outcome as itself, and as its canary (None where it carried none)."""

    __test__ = False
    id: str
    demand: Literal["keep", "gain"]
    outcome: Literal["passed", "failed", "skipped", "missing", "duplicate"]
    canary: Literal["passed", "failed", "skipped", "missing", "duplicate"] | None = None
    message: str = Field(default="", description="one line of the real test's failure; never the canary's")
    seconds: float = Field(default=0.0, description="duration of the real test in seconds")


class RuleDocument(_Document):
    """One structure rule: did it hold, and if not, where."""

    id: str
    section: Literal["gone", "present"]
    holds: bool
    because: str
    where: str = ""


class ScopeDocument(_Document):
    """What the patch touched, counted by lines."""

    files: int
    lines_added: int
    lines_removed: int


class Curation(_Document):
    """How many of the suite's tests were signed off, by kind of reviewer."""

    tests: int
    person: int
    team: int
    model: int
    author: int
    nobody: int


class Effort(_Document):
    """Figures of effort; each says whether we measured it or the agent declared it."""

    name: str
    value: float
    unit: str
    source: Literal["measured", "declared"]


class EnvironmentDocument(_Document):
    """What it ran in."""

    image_id: str
    image_inputs: str
    image_manifest: str
    toolchain: dict[str, str]
    engine: str
    cgroup: str
    supervisor: str


class Result(_Document):
    """One submission, judged."""

    schema_: Literal["assay.result/1"] = Field(default="assay.result/1", alias="schema")
    task: str
    kind: TaskKind
    language: str
    agent: str = Field(description="model_name_or_path of the prediction, or the reference agent's name")
    attempt: int = 1
    verdict: VerdictName
    reason: str = Field(description="one sentence a person can act on")
    findings: tuple[FindingDocument, ...]
    caught_by: tuple[str, ...] = Field(description="mechanisms with a finding, in order of weight")
    prevented: tuple[str, ...] = Field(
        default=(), description="what mechanisms kept from taking effect, as `mechanism: what`; no verdict"
    )
    fix_rate: float = Field(ge=0, le=1)
    tests: tuple[TestDocument, ...]
    rules: tuple[RuleDocument, ...]
    canary_share: float = Field(ge=0, le=1, description="share of the suite's tests that carried a canary")
    canaries: bool = Field(description="False for a run without canaries, which is never ranked")
    review_flags: tuple[str, ...] = Field(description="constructs for a person to look at; no verdict")
    identical_to_gold: bool
    scope: ScopeDocument | None
    memorization: None = None
    curation: Curation
    suite: Publication
    effort: tuple[Effort, ...]
    timings: dict[str, float] = Field(description="seconds by phase, both passes summed")
    environment: EnvironmentDocument | None
    repairs: tuple[str, ...]
    dropped: tuple[str, ...]
    flagged: tuple[str, ...]
    patch: str = Field(description="SHA-256 of the patch as it came in; a blob of the evidence")
    evidence: str = Field(description="SHA-256 of the evidence document")
    task_digest: str
    benchmark_digest: str
    graded_at: datetime.datetime

    model_config = ConfigDict(frozen=True, extra="forbid", populate_by_name=True, serialize_by_alias=True)
