"""Admits a patch: applies it as `git apply` would, and refuses what must not get into a tree, saying why."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from runner.errors import PatchRejected
from runner.object_store import ObjectStore
from runner.patch.diagnosis import diagnose
from runner.patch.repair import all_crlf, match_line_ends
from runner.patch.text import NULL, Section, scan
from runner.tree import SYMLINK, Tree
from runner.tree_paths import link_fault, parents, path_fault, place_fault, printable, shown

MAX_PATCH_BYTES = 10_000_000
MAX_NEW_FILES = 5_000
MAX_GROWTH_BYTES = 64 * 1024 * 1024
MAX_PATH_BYTES, MAX_NAME_BYTES = 1024, 255


@dataclass(frozen=True, slots=True)
class Admitted:
    """The patched tree, and the harmless repairs made on the way: `final-newline`, `line-endings`."""

    tree: Tree
    repairs: tuple[str, ...] = ()


def admit(raw: bytes, base: Tree, store: ObjectStore) -> Admitted:
    """The tree that the patch `raw` makes of `base`; white space alone is the empty patch.

    Raises PatchRejected with a stable code, a message that says what happened and what to do, and the path or
    line of the patch where; what they quote of the patch is escaped.
    """
    try:
        return _admit(raw, base, store)
    except PatchRejected as refusal:
        raise PatchRejected(refusal.code, printable(str(refusal)), printable(refusal.where)) from None


def _admit(raw: bytes, base: Tree, store: ObjectStore) -> Admitted:
    if len(raw) > MAX_PATCH_BYTES:
        raise PatchRejected(
            "too-large",
            f"the patch has {len(raw):,} bytes and may have {MAX_PATCH_BYTES:,}; leave generated files out",
        )
    if not raw.strip():
        return Admitted(base)
    repairs = () if raw.endswith(b"\n") else ("final-newline",)
    lines = raw.removesuffix(b"\n").split(b"\n")
    if repairs and all_crlf(lines[:-1]):
        lines[-1] = lines[-1].rstrip(b"\r") + b"\r"
    sections = scan(lines)
    _check_text(sections, base)
    tree, mended = _apply(lines, sections, base, store)
    _check_outcome(base, tree)
    return Admitted(tree, (*repairs, "line-endings") if mended else repairs)


def _apply(
    lines: list[bytes], sections: Sequence[Section], base: Tree, store: ObjectStore
) -> tuple[Tree, bool]:
    """The patched tree, and whether line ends were mended: only where it does not apply as it came."""
    mended = match_line_ends(lines, sections, base)
    tries = [mended] if all_crlf(lines) else [lines]
    if mended not in tries:
        tries.append(mended)
    refusals: list[PatchRejected] = []
    for text in tries:
        try:
            return store.apply(base, b"".join(line + b"\n" for line in text)), text is not lines
        except PatchRejected as refusal:
            refusals.append(refusal)
    raise diagnose(refusals[0], tries[0], sections, base)


def _check_text(sections: Sequence[Section], base: Tree) -> None:
    """Refuse by what the patch says, before git reads it."""
    if not sections:
        raise PatchRejected(
            "no-diff", "the text holds no diff; hand in the output of `git diff`, and nothing else"
        )
    for section in sections:
        _check_written(section)
        for path in section.paths:
            _check_path(path)
            beyond = [folder for folder in parents(path) if folder in base and base[folder].mode == SYMLINK]
            if beyond:
                message = (
                    f"`{path}` lies beyond the link `{beyond[0]}`; change the file where it really stands"
                )
                raise PatchRejected("beyond-link", message, path)
        if section.dataless:
            raise PatchRejected(
                "binary-without-data",
                f"line {section.line} of the patch says that a binary file differs, but not how; "
                "make the patch with `git diff --binary`",
                f"line {section.line}",
            )
    if sum(section.binary_bytes for section in sections) > MAX_GROWTH_BYTES:
        raise _too_large("its binary files unpack to more")


def _check_written(section: Section) -> None:
    where = f"line {section.line}"
    for written in (section.old, section.new):
        if written.startswith("/") and written != NULL:
            message = f"the path `{written}` is absolute; paths are relative to the repository's root"
            raise PatchRejected("bad-path", message, written)
        if written and "/" not in written:
            message = f"the path `{written}` has no `a/` or `b/` before it; hand in the output of `git diff`"
            raise PatchRejected("bad-path", message, where)


def _check_path(path: str) -> None:
    fault = path_fault(path)
    raw = path.encode("utf-8", "surrogateescape")
    if fault is None and path != raw.decode("utf-8", "replace"):
        fault = "is not UTF-8; rename the file"
    if fault is None and (len(raw) > MAX_PATH_BYTES or max(map(len, raw.split(b"/"))) > MAX_NAME_BYTES):
        fault = f"is longer than {MAX_PATH_BYTES} bytes, or has a name of more than {MAX_NAME_BYTES}"
    if fault is not None:
        raise PatchRejected("bad-path", f"the path `{shown(path)}` {fault}", shown(path))
    if path.rpartition("/")[2].lower() == ".gitmodules":
        raise PatchRejected(
            "submodule", f"`{path}` declares submodules, which are not taken; leave it as it is", path
        )


def _check_outcome(base: Tree, tree: Tree) -> None:
    """Refuse by what came out, whatever the patch said."""
    changed = base.changed(tree)
    for path in changed:
        _check_path(path)
        fault = place_fault(path, tree) if path in tree else None
        if fault is not None:
            raise PatchRejected("beyond-link", f"`{path}` {fault}", path)
    _check_links(base, tree, changed)
    if sum(path not in base for path in tree) > MAX_NEW_FILES:
        raise _too_large(f"it adds more than {MAX_NEW_FILES:,} files")
    if _bytes(tree, changed) - _bytes(base, changed) > MAX_GROWTH_BYTES:
        raise _too_large("it makes it grow by more")


def _check_links(base: Tree, tree: Tree, changed: Sequence[str]) -> None:
    """Every link must stay inside; an old one too may lead elsewhere once a link stands on its way."""
    if not any(path in tree and tree[path].mode == SYMLINK for path in changed):
        return
    for path, entry in tree.items():
        fault = link_fault(path, tree) if entry.mode == SYMLINK else None
        if fault is not None and (path in changed or link_fault(path, base) is None):
            raise PatchRejected("bad-link", f"`{path}` {fault}", path)


def _bytes(tree: Tree, paths: Sequence[str]) -> int:
    return sum(len(tree[path].data) for path in paths if path in tree)


def _too_large(what: str) -> PatchRejected:
    megabytes = MAX_GROWTH_BYTES // 1024 // 1024
    return PatchRejected(
        "too-large", f"the patch may add {MAX_NEW_FILES:,} files and {megabytes} MB to the tree, and {what}"
    )
