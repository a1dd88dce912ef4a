"""The published JSON Schemas are those of the code."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING

from grader.result import Result
from grader.schemas import main, schemas

if TYPE_CHECKING:
    from tests.grader.conftest import Scene

PUBLISHED = Path(__file__).parents[2] / "docs" / "schemas"


def test_published_schemas_are_current() -> None:
    for name, text in schemas().items():
        assert (PUBLISHED / name).read_text(encoding="utf-8") == text, (
            "run python -m grader.schemas docs/schemas"
        )


def test_every_schema_is_written(tmp_path: Path) -> None:
    main(tmp_path / "new")
    assert {path.name for path in (tmp_path / "new").iterdir()} == {
        "assay.result-1.json",
        "assay.evidence-1.json",
    }


def test_a_result_reads_back_as_itself(scene: Scene) -> None:
    result = scene.grade()
    document = result.model_dump_json()
    assert '"schema":"assay.result/1"' in document
    assert Result.model_validate_json(document) == result
