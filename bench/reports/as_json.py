"""`report.json`: the counted facts, for programs. Its JSON Schema is `docs/schemas/assay.report-1.json`."""

from __future__ import annotations

import json

from pydantic import TypeAdapter

from bench.reports.tally import Report

_REPORT = TypeAdapter(Report)


def render_json(report: Report) -> str:
    """The report as indented JSON. Reading it back with `read_report` gives an equal report."""
    return _REPORT.dump_json(report, indent=2).decode("utf-8") + "\n"


def read_report(text: str) -> Report:
    """A report from its JSON. Raises pydantic.ValidationError if it is not one."""
    return _REPORT.validate_json(text)


def json_schema() -> str:
    """The JSON Schema of `report.json`, as published."""
    schema = _REPORT.json_schema(mode="serialization") | {"title": "Assay report, version 1"}
    return json.dumps({"$schema": "https://json-schema.org/draft/2020-12/schema", **schema}, indent=2) + "\n"
