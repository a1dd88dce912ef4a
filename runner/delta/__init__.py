"""The delta: a change of a tree that refers to what it keeps and holds only our own text.

```
delta = "assay-delta 1" {base} {entry}       # blank lines and "# ..." are allowed anywhere
base  = "base" PATH SHA256                   # every file that is read from, replaced or deleted
entry = "delete" PATH
      | "file" PATH ["from" PATH] ["mode" OCTAL] ["eol" "crlf"] {piece} "sha256" HEX
piece = "copy" [PATH] N["-"M] [edit] [sub {"," sub}]    # PATH: else the `from`, else the file's own path
      | "|" [" " TEXT]                       # TEXT and the file's end of line
      | "=" QUOTED                           # exact bytes, no end of line added
edit  = "indent" ("+"|"-")(N|QUOTED) | "eol" ("crlf"|"lf")
sub   = TOKEN "->" TOKEN                     # simultaneous, longest first, a whole word where an end is one
```
A line is the bytes up to and including LF. A rename is `from` with a `delete`; a link is mode 120000 with its
target as content. Read and write delta files as UTF-8 without translating line ends.
"""

from __future__ import annotations

from pathlib import Path

from runner.delta.decode import decode
from runner.delta.encode import encode
from runner.delta.foreign import ForeignRun, foreign_runs
from runner.tree import Tree, read_tree

BY_PRODUCTS = frozenset(
    {
        "__pycache__",
        ".mypy_cache",
        ".pytest_cache",
        ".ruff_cache",
        ".hypothesis",
        ".tox",
        ".venv",
        "node_modules",
    }
)
"""Folders that tools leave behind in an edited tree; `record` takes them only where the base has them."""

__all__ = ["BY_PRODUCTS", "ForeignRun", "decode", "encode", "foreign_runs", "record"]


def record(base_root: Path, edited_root: Path) -> str:
    """The delta from folder `base_root` to folder `edited_root`, without what tools left behind in it.

    Raises DeltaError as `encode` does.
    """
    base, edited = read_tree(base_root), read_tree(edited_root)
    kept = {path: entry for path, entry in edited.items() if path in base or not _is_by_product(path)}
    return encode(base, Tree(kept))


def _is_by_product(path: str) -> bool:
    return path.endswith(".pyc") or not BY_PRODUCTS.isdisjoint(path.split("/"))
