"""`assay`: every command, and the outer edge, where what went wrong becomes a sentence and an exit code."""

from __future__ import annotations

import errno
import os
import shutil
import signal
import sys
import tempfile
import traceback
from collections.abc import Callable
from datetime import UTC, datetime
from importlib.metadata import version
from pathlib import Path
from typing import Annotated

import typer

from cli import bench, doctor, evaluate, images, regrade, report, show, tasks
from cli.output import error, say
from runner.errors import AssayError

ROOT = Path(__file__).resolve().parent.parent
OUR_SIDE_FAILED = 3
INTERRUPTED = 130
FULL_DISK = (errno.ENOSPC, errno.EDQUOT)
FULL_BELOW_BYTES = 4 << 20
NO_SPACE = "no space left on device"


def main() -> None:
    """The console script."""
    signal.signal(signal.SIGTERM, signal.default_int_handler)  # asked to end: clean up as for Ctrl-C
    sys.exit(run(build_app()))


def _print_version(wanted: bool) -> None:
    if wanted:
        typer.echo(f"assay {version('assay')}")
        raise typer.Exit


def build_app() -> typer.Typer:
    """The command line. A command imports what it needs when it runs, so that `--help` comes at once."""
    app = typer.Typer(
        name="assay",
        help="Judges the patches of refactoring agents in sealed containers.",
        no_args_is_help=True,
        add_completion=False,
        pretty_exceptions_enable=False,
        rich_markup_mode=None,
    )
    app.callback()(_assay)
    for command in (doctor.doctor, evaluate.evaluate, bench.bench, show.show, regrade.regrade, report.report):
        app.command()(command)
    app.add_typer(tasks.app, name="tasks")
    app.add_typer(images.app, name="images")
    return app


def _assay(
    show_version: Annotated[
        bool, typer.Option("--version", help="Print the version.", callback=_print_version, is_eager=True)
    ] = False,
) -> None:
    """Options of `assay` itself; what each does is its own callback's."""


def run(app: Callable[[], object]) -> int:
    """Call the command line; its exit code, with a sentence on stderr for whatever ended it."""
    try:
        app()
    except SystemExit as leaving:
        code = _as_code(leaving.code)
    except KeyboardInterrupt:
        code = INTERRUPTED
    except AssayError as failure:
        error(_with_space_hint(failure))
        code = failure.exit_code
    except OSError as failure:
        code = _full_disk(failure) if failure.errno in FULL_DISK else _unforeseen(failure)
    except Exception as failure:  # noqa: BLE001 - the outer edge: nobody is left to take it
        code = _unforeseen(failure)
    else:
        code = 0
    if code == INTERRUPTED:
        say(
            "interrupted; what was finished is kept, and the same command with the same --out goes on from it"
        )
    return code


def _as_code(code: object) -> int:
    if isinstance(code, int):
        return code
    return 0 if code is None else 1


# ---------------------------------------------------------------- a full disk


def _full_disk(failure: OSError) -> int:
    error(f"{full_place(failure.filename)} {_make_room()}")
    return OUR_SIDE_FAILED


def full_place(named: object) -> str:
    """`the disk of FOLDER is full.`: of the file that the error names, else of ours that has no room."""
    if isinstance(named, str | bytes):
        return f"the disk of {Path(os.fsdecode(named)).parent} is full."
    for folder in (ROOT / "build", Path(tempfile.gettempdir()), Path.cwd()):
        if folder.is_dir() and shutil.disk_usage(folder).free < FULL_BELOW_BYTES:
            return f"the disk of {folder} is full."
    return (
        f"a disk is full, or its quota is used up: that of {ROOT / 'build'}, or of {tempfile.gettempdir()}."
    )


def _make_room() -> str:
    return "Make room there (old runs: build/bench/; images: `assay images prune`), then run it again."


def _with_space_hint(failure: AssayError) -> str:
    """What failed; and whose disk is full, where that is the engine's: of ours, the words name the file."""
    words, cause = str(failure), failure.__cause__
    ours = isinstance(cause, OSError) and cause.errno in FULL_DISK
    if NO_SPACE in words.lower() and not ours:
        return f"{words}\nThe disk that keeps the engine's images is full. {_make_room()}"
    return words


# ---------------------------------------------------------------- what nobody foresaw


def _unforeseen(failure: BaseException) -> int:
    place = keep_traceback(failure)
    what = f"{type(failure).__name__}: {str(failure)[:300]}".rstrip(": ")
    where = f"where it happened is in {place}" if place else "and there was no room to keep where it happened"
    error(f"Assay failed in a way that nobody foresaw ({what}); {where}. That is a defect: please report it.")
    return OUR_SIDE_FAILED


def keep_traceback(failure: BaseException) -> Path | None:
    """Write the traceback under build/, else into the temporary folder; where it is, None if nowhere."""
    text = "".join(traceback.format_exception(failure))
    name = f"assay-failure-{datetime.now(UTC):%Y%m%d-%H%M%S}-{os.getpid()}.txt"
    for folder in (ROOT / "build", Path(tempfile.gettempdir())):
        try:
            folder.mkdir(parents=True, exist_ok=True)
            (folder / name).write_text(text)
        except OSError:
            continue
        return folder / name
    return None
