from __future__ import annotations

import base64
import hashlib
import json
import re
from collections import Counter
from collections.abc import Callable
from html.parser import HTMLParser
from pathlib import Path

import pytest

import bench
from bench.reports import CanaryCoverage, Expectation, RunSummary, Spent, tally, write_reports
from bench.reports.as_html import render_html
from bench.reports.as_json import json_schema, read_report, render_json
from bench.reports.as_markdown import render_markdown
from bench.reports.tally import OUTCOMES
from bench.reports.visible import cut, visible
from grader.finding import ORDER
from grader.result import Result

ResultOf = Callable[..., Result]
SummaryOf = Callable[..., RunSummary]

VOID = {"meta", "input", "br", "link", "img", "hr"}
A, B, C = "boltons-split-iterutils", "toolz-currying-module", "attrs-validators-package"


class Page(HTMLParser):
    """A page, taken apart: tags, attributes, text, and what is not closed as it should be."""

    def __init__(self, text: str) -> None:
        super().__init__()
        self.open: list[str] = []
        self.faults: list[str] = []
        self.tags: Counter[str] = Counter()
        self.attributes: list[tuple[str, str, str]] = []
        self.text = ""
        self.feed(text)
        self.close()

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        self.tags[tag] += 1
        self.attributes += [(tag, name, value or "") for name, value in attrs]
        if tag not in VOID:
            self.open.append(tag)

    def handle_startendtag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        self.tags[tag] += 1
        self.attributes += [(tag, name, value or "") for name, value in attrs]

    def handle_endtag(self, tag: str) -> None:
        if not self.open or self.open.pop() != tag:
            self.faults.append(f"</{tag}> at {self.getpos()}")

    def handle_data(self, data: str) -> None:
        if self.open and self.open[-1] not in ("script", "style"):
            self.text += data


def page_of(summary: RunSummary) -> tuple[Page, str]:
    text = render_html(tally(summary), summary)
    return Page(text), text


# counting


def test_every_task_chosen_is_in_the_denominator(result_of: ResultOf, summary_of: SummaryOf) -> None:
    results = (result_of(A, "x"), result_of(B, "x", "errored"))
    report = tally(summary_of(results, missing=((C, "x"),)))
    (agent,) = report.agents
    assert (agent.rate.numerator, agent.rate.denominator) == (1, 3)
    assert agent.outcomes == {"resolved": 1, "errored": 1, "no prediction": 1}
    assert report.errored == 1
    assert report.headline == "x: 1 of 3 tasks resolved, 33 % (95 % interval 6 % to 79 %)"


def test_what_has_not_run_is_a_row_and_counts_as_not_resolved(
    result_of: ResultOf, summary_of: SummaryOf
) -> None:
    report = tally(summary_of((result_of(A, "x"),), agents=("x", "y")))
    assert report.not_run == 5
    assert [(item.agent, item.rate.numerator, item.rate.denominator) for item in report.agents] == [
        ("x", 1, 3),
        ("y", 0, 3),
    ]


def test_more_attempts_are_never_folded_into_the_rate(result_of: ResultOf, summary_of: SummaryOf) -> None:
    results = (result_of(A, "x", "broken"), result_of(A, "x", attempt=2), result_of(B, "x"))
    (agent,) = tally(summary_of(results, missing=((C, "x"),))).agents
    assert agent.rate.numerator == 1
    assert agent.any_attempt is not None
    assert (agent.any_attempt.numerator, agent.any_attempt.denominator, agent.attempts) == (2, 3, 2)


def test_agents_stand_best_first(result_of: ResultOf, summary_of: SummaryOf) -> None:
    results = (result_of(A, "b", "broken"), result_of(A, "c"), result_of(A, "a", "broken"))
    assert [item.agent for item in tally(summary_of(results)).agents] == ["c", "a", "b"]


def test_agents_that_are_level_are_not_called_first(result_of: ResultOf, summary_of: SummaryOf) -> None:
    summary = summary_of((result_of(A, "x"), result_of(B, "y"), result_of(B, "z", "broken")))
    assert tally(summary).headline.startswith("3 agents; first x (level with 1 more): 1 of 3")
    assert "level with 1 more at the head of 3 agents" in page_of(summary)[0].text


def test_a_whole_run_of_predictions_is_ranked(result_of: ResultOf, summary_of: SummaryOf) -> None:
    report = tally(summary_of(tuple(result_of(task, "x") for task in (A, B, C))))
    assert report.ranked
    assert report.not_ranked_because == ()


@pytest.mark.parametrize(
    ("result_changes", "run_changes", "why"),
    [
        ({"canaries": False}, {}, "1 of 1 results were made without canaries"),
        ({}, {"benchmark_tasks": 9}, "3 of the benchmark's 9 tasks were chosen"),
        ({"benchmark_digest": "0" * 64}, {}, "1 results were made with another state of the benchmark"),
    ],
)
def test_what_is_not_ranked_says_so_first(
    result_changes: dict[str, object],
    run_changes: dict[str, object],
    why: str,
    result_of: ResultOf,
    summary_of: SummaryOf,
) -> None:
    summary = summary_of((result_of(A, "x", **result_changes),), **run_changes)
    report = tally(summary)
    assert not report.ranked
    assert report.not_ranked_because == (why,)
    assert render_markdown(report).splitlines()[0] == f"**not ranked**: {why}"
    body = page_of(summary)[0].text.split("To the submissions")[1]
    assert body.split()[:2] == ["not", "ranked:"]
    assert json.loads(render_json(report))["ranked"] is False


def test_outcomes_are_the_verdicts_and_two_more() -> None:
    assert set(OUTCOMES) == {*ORDER, "no prediction", "not run"}


# reference runs


def test_a_reference_run_counts_verdicts_as_known(reference_run: RunSummary) -> None:
    report = tally(reference_run)
    assert report.reference is not None
    assert report.headline == "25 of 27 verdicts as known"
    assert (report.reference.as_known, report.reference.of) == (25, 27)
    assert report.agents == ()
    assert not report.ranked


def test_disagreements_come_first(reference_run: RunSummary) -> None:
    report = tally(reference_run)
    assert [row.disagrees for row in report.rows] == [True, True] + [False] * 25
    assert [(row.agent, row.known, row.outcome) for row in report.rows[:2]] == [
        ("incomplete-old-hidden", "incomplete", "resolved"),
        ("tampered-cheat", "broken", "tampered"),
    ]
    assert "## Not as known" in render_markdown(report)
    page, _ = page_of(reference_run)
    assert page.text.index("Not as known") < page.text.index("Submissions", 40)


def test_a_reference_submission_that_has_not_run_does_not_agree(summary_of: SummaryOf) -> None:
    report = tally(summary_of((), expected=(Expectation(A, "gold", "resolved"),)))
    assert report.headline == "0 of 1 verdicts as known"
    assert report.rows[0].outcome == "not run"


# JSON


def test_report_json_reads_back_as_it_was(reference_run: RunSummary, hostile_run: RunSummary) -> None:
    for summary in (reference_run, hostile_run):
        report = tally(summary)
        assert read_report(render_json(report)) == report


def test_the_published_schema_is_this_codes() -> None:
    published = Path(bench.__file__).parents[1] / "docs" / "schemas" / "assay.report-1.json"
    command = "from bench.reports.as_json import json_schema; print(json_schema(), end='')"
    assert published.read_text(encoding="utf-8") == json_schema(), f'write it again: python -c "{command}"'


def test_the_schema_names_every_key_of_a_report(reference_run: RunSummary) -> None:
    written = json.loads(render_json(tally(reference_run)))
    schema = json.loads(json_schema())
    assert written["schema"] == schema["properties"]["schema"]["const"] == "assay.report/1"
    assert set(written) == set(schema["properties"])
    assert set(written["rows"][0]) == set(schema["$defs"]["Row"]["properties"])


# hostile text


def test_hostile_text_stays_text_in_html(hostile_run: RunSummary) -> None:
    page, text = page_of(hostile_run)
    assert page.faults == []
    assert page.open == []
    assert page.tags["script"] == 1
    assert page.tags["img"] == 0
    assert not [name for _, name, _ in page.attributes if name.startswith("on")]
    assert "<script>alert('x')</script>" in page.text
    assert not re.search(r"[\x00-\x08\x0b-\x1f\u202a-\u202e\u2066-\u2069]", text)
    assert "⟨U+202E⟩" in page.text
    assert "⟨U+001B⟩" in page.text


def test_hostile_text_stays_text_in_markdown(hostile_run: RunSummary) -> None:
    text = render_markdown(tally(hostile_run))
    assert "<" not in text
    assert "\u202e" not in text
    assert "\x1b" not in text
    rows = [line for line in text.splitlines() if line.startswith("|")]
    assert {len(re.findall(r"(?<!\\)\|", line)) for line in rows} == {7, 9}


def test_text_that_utf_8_cannot_hold_is_written_all_the_same(
    tmp_path: Path, result_of: ResultOf, summary_of: SummaryOf
) -> None:
    odd = "caf\udce9.jsonl"
    summary = summary_of(
        (result_of(),), noted=(odd,), unknown=(odd,), options={"predictions": odd}, folder=odd
    )
    write_reports(summary, tmp_path)
    assert "caf⟨U+DCE9⟩.jsonl" in Page((tmp_path / "report.html").read_text(encoding="utf-8")).text
    assert "caf⟨U+DCE9⟩.jsonl" in (tmp_path / "report.md").read_text(encoding="utf-8")
    assert "caf⟨U+DCE9⟩.jsonl" in (tmp_path / "report.json").read_text(encoding="utf-8")


@pytest.mark.parametrize(
    ("text", "seen"),
    [
        ("plain é 字", "plain é 字"),
        ("a\nb\tc", "a ⏎ b    c"),
        ("a\u200bb\ufeff", "a⟨U+200B⟩b⟨U+FEFF⟩"),
        ("\u2066x\u2069", "⟨U+2066⟩x⟨U+2069⟩"),
        ("no\u00a0break", "no\u00a0break"),
    ],
)
def test_nothing_hides(text: str, seen: str) -> None:
    assert visible(text) == seen


def test_a_cut_text_says_how_much_is_missing() -> None:
    assert cut("abcdef", 6) == "abcdef"
    assert cut("abcdef", 4) == "abcd … (2 more characters)"


# the page


def test_the_page_needs_nothing_else(reference_run: RunSummary) -> None:
    page, text = page_of(reference_run)
    assert page.faults == []
    links = {
        value for _, name, value in page.attributes if name in ("href", "src", "xlink:href", "data", "poster")
    }
    assert {link[0] for link in links} == {"#"}
    assert "url(http" not in text
    assert "@import" not in text
    script = text[text.index("<script>") + 8 : text.index("</script>")]
    digest = base64.b64encode(hashlib.sha256(script.encode()).digest()).decode()
    assert f"script-src 'sha256-{digest}'" in text


def test_every_link_and_icon_has_its_target(reference_run: RunSummary) -> None:
    page, text = page_of(reference_run)
    ids = [value for _, name, value in page.attributes if name == "id"]
    assert len(ids) == len(set(ids))
    wanted = {value[1:] for _, name, value in page.attributes if name == "href"}
    assert wanted | set(re.findall(r"url\(#([\w-]+)\)", text)) <= set(ids)


def test_charts_speak_to_a_screen_reader(result_of: ResultOf, summary_of: SummaryOf) -> None:
    page, _ = page_of(summary_of((result_of(A, "x"), result_of(B, "x", "broken")), missing=((C, "x"),)))
    labels = [value for tag, name, value in page.attributes if tag == "svg" and name == "aria-label"]
    assert "x: 1 resolved, 1 broken, 1 no prediction" in labels
    assert "x: 33\u00a0%, 95\u00a0% interval 6\u00a0% to 79\u00a0%" in labels


def test_details_hold_what_a_person_asks_for(
    submission_of: Callable[..., Result], summary_of: SummaryOf
) -> None:
    page, _ = page_of(summary_of((submission_of(A, 5), submission_of(B, 1))))
    for wanted in (
        "test_windowed passed as itself and as its canary",
        "passed, and so did its canary, which must fail",
        "AssertionError: assert [1, 2, 0] == [3, 5, 8]",
        "boltons/iterutils.py:214",
        "chunked and its relatives leave boltons/iterutils.py",
        "conftest.py",
        "imports importlib at run time",
        "final-newline",
        "24 tests, signed off: 4 by a model, 20 by their author",
        "184000 tokens, declared",
        "docker 28.3.3",
        f"assay show build/bench/2026-12-01 {A}",
        f"assay evaluate {B} --patch build/bench/2026-12-01/evidence/a7/{'a7' * 32}",
    ):
        assert wanted in page.text


def test_long_lists_are_cut_and_say_so(result_of: ResultOf, summary_of: SummaryOf) -> None:
    result = result_of(A, "x", dropped=tuple(f"tests/t{n}.py" for n in range(500)))
    page, _ = page_of(summary_of((result,)))
    assert "and 480 more, in results.jsonl" in page.text
    assert "tests/t20.py" not in page.text


def test_a_thousand_results_make_a_page_of_a_few_megabytes(
    submission_of: Callable[..., Result], summary_of: SummaryOf
) -> None:
    tasks = tuple(f"task-{number}" for number in range(125))
    results = tuple(
        submission_of(task, agent, agent=f"agent-{agent}") for task in tasks for agent in range(8)
    )
    summary = summary_of(results, tasks=tasks, benchmark_tasks=125)
    text = render_html(tally(summary), summary)
    assert text.count("<tbody ") == 1000
    assert len(text.encode()) < 5_000_000


def test_three_files_are_written_and_replaced(tmp_path: Path, reference_run: RunSummary) -> None:
    for _ in range(2):
        report = write_reports(reference_run, tmp_path)
    assert sorted(path.name for path in tmp_path.iterdir()) == ["report.html", "report.json", "report.md"]
    assert read_report((tmp_path / "report.json").read_text(encoding="utf-8")) == report


def test_a_run_without_results_is_a_report(summary_of: SummaryOf) -> None:
    summary = summary_of(())
    assert tally(summary).headline == "nothing judged, 3 tasks"
    assert "nothing was judged" in page_of(summary)[0].text


# what it took, and how much of every suite carries a canary

COVERAGE = (
    CanaryCoverage(
        A, 33, 31, {"tests/t.py::test_<b>": "it compares nothing", "tests/t.py::test_c": "no literal"}
    ),
    CanaryCoverage(B, 30, 30, {}),
)


def test_every_task_s_canaries_are_told_with_the_tests_that_carry_none(summary_of: SummaryOf) -> None:
    summary = summary_of((), coverage=COVERAGE)
    report = tally(summary)
    assert read_report(render_json(report)).coverage == COVERAGE
    lines = render_markdown(report).splitlines()
    assert f"| {A} | 33 | 31 | 94 % | tests/t.py::test\\_&lt;b&gt;, tests/t.py::test_c |" in lines
    assert f"| {B} | 30 | 30 | 100 % |  |" in lines
    page, _ = page_of(summary)
    assert not page.faults
    assert "31 of 33 tests carry one" in page.text
    assert "not tests/t.py::test_<b>: it compares nothing" in page.text


def test_time_and_disk_are_told(summary_of: SummaryOf) -> None:
    spent = Spent(seconds=252.4, folder_bytes=31_400_000, image_bytes=4_230_000_000)
    summary = summary_of((), spent=spent)
    assert read_report(render_json(tally(summary))).spent == spent
    assert "- took 4 min 12 s; disk: images 4.2 GB, results and evidence 31 MB\n" in render_markdown(
        tally(summary)
    )
    assert "images 4.2 GB, results and evidence 31 MB" in page_of(summary)[0].text
    bare = render_markdown(tally(summary_of((), spent=Spent(seconds=0.045, folder_bytes=1_000))))
    assert "- took 45 ms; disk: results and evidence 1 kB\n" in bare


def test_a_report_of_before_says_nothing_of_them(summary_of: SummaryOf) -> None:
    document = json.loads(render_json(tally(summary_of(()))))
    del document["coverage"], document["spent"]
    assert read_report(json.dumps(document)) == tally(summary_of(()))
