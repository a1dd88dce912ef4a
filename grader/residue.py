"""Old code kept out of sight: runs of definitions that had to go, and newly added execution of computed text.

How long a run has to be. A definition is compared in normal form (`grader.syntax`: no layout, comments,
docstrings). In the exact form a run of 60 % of its tokens and at least 40 is residue: 40 tokens are about
five lines, more than any idiom, signature or table row that unrelated code shares, and with less than 60 %
the code was rewritten. With names numbered (`grader.runs.RENAMED`) code that is merely built alike comes
closer, so it takes 75 % and 60 tokens. Definitions under 40 tokens are never residue. What the base held
already, or what was moved from another file, does not count, except for the definition's own place. Where a
rule names `may_live_in`, the old code may stand there as code, not in a string; a definition that several
rules name may stand only where all of them say, and one that is to be rewritten nowhere.
"""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass

from grader.finding import Finding
from grader.gone import Gone, gone_definitions
from grader.runs import (
    EXACT,
    GRAM_TOKENS,
    RENAMED,
    Gram,
    Index,
    Run,
    index_of,
    longest_run,
    occurrences,
    surplus,
)
from grader.searched import Searched, changed_texts, read_source
from grader.sentences import one_line
from grader.syntax import SYNTAXES
from grader.syntax.lexed import Syntax, line_of
from runner.globs import matches_any
from runner.task import Task
from runner.tree import SYMLINK, Tree


def judge_residue(task: Task, base: Tree, patched: Tree) -> list[Finding]:
    """The findings of the residue check, all `incomplete`; none for a task that is not a refactoring."""
    if task.kind != "refactor":
        return []
    syntax = SYNTAXES[task.language]
    paths = [path for path in base.changed(patched) if not _in_test_roots(path, task)]
    if not paths:
        return []
    before, after = (tuple(changed_texts(paths, tree, syntax)) for tree in (base, patched))
    gone = gone_definitions(task.structure, task.language, base)
    return [
        *_hidden_code(gone, before, after),
        *_new_execution(_executions(before, syntax), _executions(after, syntax)),
        *_unreadable(paths, base, patched, syntax),
    ]


def _in_test_roots(path: str, task: Task) -> bool:
    """Upstream's test roots are emptied before the suite runs: nothing there can serve."""
    return any(path.startswith(f"{root.rstrip('/')}/") for root in task.upstream_tests)


@dataclass(frozen=True, slots=True)
class _Sighting:
    gone: Gone
    text: Searched
    run: Run


def _hidden_code(
    gone: Sequence[Gone], before: Sequence[Searched], after: Sequence[Searched]
) -> Iterator[Finding]:
    wanted = [definition for definition in gone if len(definition.tokens.texts) >= EXACT.least_tokens]
    if not wanted:
        return
    index = index_of([definition.tokens for definition in wanted])
    held = {text.key: _accounted(text, index, wanted) for text in before}
    texts = {text.key: text for text in after}
    holds = {key: list(occurrences(text.tokens, index)) for key, text in texts.items()}
    sightings = [
        sighting
        for key, added in surplus(held, holds).items()
        for sighting in _sightings(texts[key], added, index, wanted)
    ]
    for sighting in _outermost(sightings):
        yield _hidden_finding(sighting)


def _accounted(text: Searched, index: Index, gone: Sequence[Gone]) -> Counter[Gram]:
    """What the base's text holds apart from the definitions that had to go."""
    spans = [(one.start, one.end) for one in gone if one.path == text.path and not text.level]
    starts = text.tokens.starts
    return Counter(
        gram
        for position, gram in occurrences(text.tokens, index)
        if not any(
            low <= starts[position] and starts[position + GRAM_TOKENS - 1] < high for low, high in spans
        )
    )


def _sightings(
    text: Searched, added: Iterable[tuple[int, Gram]], index: Index, gone: Sequence[Gone]
) -> Iterator[_Sighting]:
    wanted = {
        number
        for number, one in enumerate(gone)
        if text.level or not all(matches_any(text.path, globs) for globs in one.may_live_in)
    }
    hits: defaultdict[tuple[int, str], list[tuple[int, int]]] = defaultdict(list)
    for position, gram in added:
        for number, place in index.places[gram]:
            if number in wanted:
                hits[number, gram[0]].append((position, place))
    for (number, form), found in hits.items():
        definition = gone[number]
        run = longest_run(found)
        least = (EXACT if form == EXACT.name else RENAMED).threshold(len(definition.tokens.texts))
        if run.tokens >= least:
            yield _Sighting(definition, text, run)


def _outermost(sightings: Sequence[_Sighting]) -> Iterator[_Sighting]:
    """The longest run of a definition in a file, without definitions inside others that were found there."""
    kept: list[_Sighting] = []
    for sighting in sorted(sightings, key=lambda one: -one.run.tokens):
        if not any(_covers(other, sighting) for other in kept):
            kept.append(sighting)
            yield sighting


def _covers(other: _Sighting, sighting: _Sighting) -> bool:
    outer, inner = other.gone, sighting.gone
    inside = outer.path == inner.path and outer.start <= inner.start and inner.end <= outer.end
    return inside and other.text.path == sighting.text.path


def _hidden_finding(sighting: _Sighting) -> Finding:
    gone, size = sighting.gone, len(sighting.gone.tokens.texts)
    where = f"{sighting.text.path}:{sighting.text.line(sighting.run.start)}"
    holds = "holds, in string literals," if sighting.text.level else "holds"
    message = (
        f"{one_line(where)} {holds} {sighting.run.tokens} of the {size} tokens of "
        f"`{one_line(gone.name, 80)}` from {gone.path}:{gone.line}, which had to go "
        f'(the statement: "{one_line(gone.because, 120)}")'
    )
    return Finding("residue", "incomplete", message, where)


def _new_execution(before: Mapping[str, _Executions], after: Mapping[str, _Executions]) -> Iterator[Finding]:
    """What a file has more of than before, and the changed files together too: moving is free."""
    growth = _totals(after)
    growth.subtract(_totals(before))
    for path, found in after.items():
        old = before.get(path, _Executions("", {}))
        for name, starts in found.starts.items():
            if len(starts) > len(old.starts.get(name, ())) and growth[name] > 0:
                growth[name] -= len(starts) - len(old.starts.get(name, ()))
                yield _execution_finding(path, name, _newest_line(starts, found.text, old.text))


@dataclass(frozen=True, slots=True)
class _Executions:
    """A file's text, and the offsets of each name in it that turns text into code."""

    text: str
    starts: Mapping[str, Sequence[int]]


def _executions(texts: Sequence[Searched], syntax: Syntax) -> Mapping[str, _Executions]:
    found = {}
    for text in texts:
        if text.level or not text.path.endswith(syntax.suffixes):
            continue
        starts: defaultdict[str, list[int]] = defaultdict(list)
        for execution in syntax.executions(text.tokens):
            starts[execution.name].append(execution.start)
        found[text.path] = _Executions(text.file_text, starts)
    return found


def _totals(found: Mapping[str, _Executions]) -> Counter[str]:
    totals: Counter[str] = Counter()
    for one in found.values():
        totals.update({name: len(starts) for name, starts in one.starts.items()})
    return totals


def _newest_line(starts: Sequence[int], text: str, before: str) -> int:
    """The first line with it that the base does not have, else the first."""
    old = {*before.split("\n")}
    for start in starts:
        end = text.find("\n", start)
        if text[text.rfind("\n", 0, start) + 1 : end if end >= 0 else None] not in old:
            return line_of(text, start)
    return line_of(text, starts[0])


def _execution_finding(path: str, name: str, line: int) -> Finding:
    where = f"{path}:{line}"
    message = f"{one_line(where)} newly turns computed text or bytes into code (`{name}`); write the code out"
    return Finding("residue", "incomplete", message, where)


def _unreadable(paths: Sequence[str], base: Tree, patched: Tree, syntax: Syntax) -> Iterator[Finding]:
    """Files that the patch made unreadable: source in an encoding that hides it, any file too large."""
    for path in paths:
        entry, old = patched.get(path), base.get(path)
        if entry is None or entry.mode == SYMLINK:
            continue
        problem = read_source(path, entry, syntax).problem
        if problem and not (old and read_source(path, old, syntax).problem):
            message = f"{one_line(path)} cannot be searched for old code: it {problem}"
            yield Finding("residue", "incomplete", message, path)
