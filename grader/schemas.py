"""JSON Schemas of what the grader reads and writes: `python -m grader.schemas docs/schemas` writes them."""

from __future__ import annotations

import json
import sys
from collections.abc import Mapping
from pathlib import Path

from grader.result import Result
from runner.evidence import EVIDENCE


def schemas() -> Mapping[str, str]:
    """File name to the text of the schema."""
    found = {
        "assay.result-1.json": Result.model_json_schema(by_alias=True, mode="serialization"),
        "assay.evidence-1.json": EVIDENCE.json_schema(mode="serialization"),
    }
    return {name: json.dumps(schema, indent=2, sort_keys=True) + "\n" for name, schema in found.items()}


def main(folder: Path) -> None:
    """Write every schema into `folder`."""
    folder.mkdir(parents=True, exist_ok=True)
    for name, text in schemas().items():
        (folder / name).write_text(text, encoding="utf-8")


if __name__ == "__main__":
    main(Path(sys.argv[1]))
