"""Where words go: results on stdout, everything else on stderr. No text from outside is read as markup."""

from __future__ import annotations

import json
import sys
from collections.abc import Collection, Sequence
from typing import TYPE_CHECKING, Annotated

import typer

if TYPE_CHECKING:
    from rich.console import Console
    from rich.text import Text

JsonOption = Annotated[bool, typer.Option("--json", help="Print one JSON document instead of text.")]
WIDTH_OF_NO_TERMINAL = 160
"""Columns of a table that goes into a file or a pipe."""


def say(words: str) -> None:
    """A sentence for the person, on stderr."""
    typer.echo(words, err=True)


def error(words: str) -> None:
    """What went wrong and what to do, on stderr."""
    say(f"error: {words}")


def print_json(document: object) -> None:
    """The one document of `--json`, on stdout."""
    typer.echo(json.dumps(document, indent=2, ensure_ascii=False))


def print_table(
    title: str, columns: Sequence[str], rows: Sequence[Sequence[str | Text]], *, whole: Collection[str] = ()
) -> None:
    """A table on stdout. Cells wrap, but for those of the columns `whole`; in a pipe there is room for long ones."""
    from rich import box
    from rich.table import Table

    table = Table(
        title=title or None,
        title_justify="left",
        title_style="bold",
        box=box.SIMPLE_HEAD,
        pad_edge=False,
        padding=(0, 1, 0, 0),
    )
    for name in columns:
        table.add_column(name, overflow="fold", no_wrap=name in whole)
    for row in rows:
        table.add_row(*(_plain(cell) for cell in row))
    _results().print(table)


def width() -> int:
    """Columns that a table on stdout has room for."""
    return _results().width


def _plain(cell: str | Text) -> Text:
    from rich.text import Text

    return Text(cell) if isinstance(cell, str) else cell


def _results() -> Console:
    from rich.console import Console

    return Console(highlight=False, width=None if sys.stdout.isatty() else WIDTH_OF_NO_TERMINAL)
