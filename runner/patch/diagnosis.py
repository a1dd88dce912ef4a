"""Says in words why git did not take a patch: which file, which hunk, what stands there instead."""

from __future__ import annotations

import re
from collections.abc import Sequence

from runner.errors import PatchRejected
from runner.patch.text import Hunk, Section
from runner.tree import Tree

_AGAIN = "Make the patch against the task's base tree."
_KNOWN = (
    (r"error: (?P<path>.*): does not exist in index", "missing-file",
     "the base has no file `{path}`{hint}. " + _AGAIN),
    (r"error: (?P<path>.*): already exists in index", "file-exists",
     "the patch creates `{path}`, which the base has already. " + _AGAIN),
    (r"error: affected file '(?P<path>.*)' is beyond a symbolic link", "beyond-link",
     "`{path}` lies beyond a link; change the file where it really stands"),
    (r"error: invalid path '(?P<path>.*)'", "bad-path",
     "the path `{path}` may not stand in a repository; name a file inside, outside of git's own folder"),
    (r"error: cannot apply binary patch to '(?P<path>.*)'", "binary-without-data",
     "the data of the binary file `{path}` is missing; make the patch with `git diff --binary`"),
    (r"error: corrupt (?:binary )?patch at line (?P<path>\d+)", "corrupt",
     "line {path} of the patch does not read; hand in the output of `git diff` unaltered"),
    (r"error: patch fragment without header at line (?P<path>\d+)", "corrupt",
     "line {path} of the patch is a hunk without a file; hand in the output of `git diff` unaltered"),
    (r"error: No valid patches in input", "no-diff",
     "the text holds no diff; hand in the output of `git diff`, and nothing else"),
)  # fmt: skip
_MISMATCH = re.compile(r"error: patch failed: (?P<path>.*):(?P<start>\d+)")


def diagnose(
    refusal: PatchRejected, lines: Sequence[bytes], sections: Sequence[Section], base: Tree
) -> PatchRejected:
    """`refusal` in better words where it holds git's own; `lines` are the patch's, without their ends."""
    if refusal.code != "does-not-apply":
        return refusal
    words = str(refusal)
    mismatch = _MISMATCH.search(words)
    if mismatch:
        return _mismatch(mismatch["path"], int(mismatch["start"]), lines, sections, base)
    for pattern, code, message in _KNOWN:
        found = re.search(pattern, words)
        if found:
            path = found["path"] if "path" in found.groupdict() else ""
            text = message.format(path=path, hint=_hint(path, sections, base))
            return PatchRejected(code, text, f"line {path}" if path.isdigit() else path)
    return PatchRejected("does-not-apply", f"git does not take the patch: {words.splitlines()[0]}. {_AGAIN}")


def _hint(path: str, sections: Sequence[Section], base: Tree) -> str:
    """A patch made without `a/` and `b/` names files that are there under their full name."""
    written = {name for section in sections for name in (section.old, section.new)}
    bare = [name for name in written if name in base and name.partition("/")[2] == path]
    return f" (it has `{bare[0]}`: the patch lacks the `a/` and `b/` before its paths)" if bare else ""


def _mismatch(
    path: str, start: int, lines: Sequence[bytes], sections: Sequence[Section], base: Tree
) -> PatchRejected:
    """A hunk that does not match: the first line that differs, wanted and found."""
    for section in sections:
        for number, hunk in enumerate(section.hunks, 1):
            if path in section.paths and hunk.old_start == start and path in base:
                found = _difference(hunk, lines, base[path].data.split(b"\n"))
                return PatchRejected(
                    "hunk-mismatch",
                    f"hunk {number} of `{path}` (line {hunk.line} of the patch) does not match: {found}. "
                    + _AGAIN,
                    f"{path}:{start}",
                )
    return PatchRejected(
        "hunk-mismatch", f"a hunk of `{path}` at line {start} does not match. {_AGAIN}", path
    )


def _difference(hunk: Hunk, lines: Sequence[bytes], there: Sequence[bytes]) -> str:
    wanted = [lines[number - 1] for number in hunk.body]
    old = [line[1:] for line in wanted if line[:1] in (b"", b" ", b"-")]
    for offset, line in enumerate(old):
        at = max(hunk.old_start, 1) + offset
        if at > len(there):
            return f"the file ends at line {len(there)}, where the patch has `{_shown(line)}`"
        if there[at - 1] != line:
            return f"line {at} of the file is `{_shown(there[at - 1])}`, the patch has `{_shown(line)}`"
    return "the lines are there, but not where the file's beginning or end has to be"


def _shown(line: bytes) -> str:
    text = line[:120].decode("utf-8", "replace")
    return text.replace("\r", "\\r").replace("\t", "\\t") + ("..." if len(line) > 120 else "")
