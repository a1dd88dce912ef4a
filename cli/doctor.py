"""`assay doctor`: what works on this machine, what is weaker, what is refused, and what to do about it."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from cli.output import JsonOption, print_json, print_table

if TYPE_CHECKING:
    from collections.abc import Sequence

    from rich.text import Text

    from bench.prove_toolchains import Proof
    from runner.doctor import Check, Engine, Standing

BUILD = Path(__file__).resolve().parent.parent / "build"
STYLES: dict[Standing, str] = {"works": "green", "weaker": "yellow", "refused": "bold red"}
CLOSING: dict[Standing, str] = {
    "works": "This machine can judge patches.",
    "weaker": "This machine can judge patches; what is weaker is said above.",
    "refused": "This machine cannot judge patches yet; what to do is said above.",
}


def doctor(
    json_output: JsonOption = False,
    toolchains: Annotated[
        bool,
        typer.Option(
            "--toolchains",
            help="Run every language's smoke program, which must pass, and its tripwires, which must fail.",
        ),
    ] = False,
) -> None:
    """Examine this machine: what works, what is weaker, what is refused.

    Exit code 0: all works; 1: something is weaker, or a language does not do what it must; 3: something is
    refused, or our side failed.
    """
    from runner.doctor import EXIT_CODES, examine, overall
    from runner.doctor.look import look

    if toolchains:
        raise typer.Exit(_languages(json_output))
    found = look(BUILD)
    checks = examine(found)
    standing = overall(checks)
    if json_output:
        print_json(document(checks, found.engine))
    else:
        show(checks, found.engine, standing)
    raise typer.Exit(EXIT_CODES[standing])


def document(checks: Sequence[Check], engine: Engine | None) -> dict[str, object]:
    """What `--json` prints."""
    from dataclasses import asdict

    from runner.doctor import overall
    from runner.doctor.hosts import HOST_KINDS, kinds_here

    here = kinds_here(engine)
    kinds = [
        {
            "kind": kind.name,
            "works": kind.works,
            "weaker": kind.weaker,
            "refused": kind.refused,
            "here": kind in here,
        }
        for kind in HOST_KINDS
    ]
    rows = [asdict(check) for check in checks]
    return {"schema": "assay.doctor/1", "standing": overall(checks), "checks": rows, "hosts": kinds}


def show(checks: Sequence[Check], engine: Engine | None, standing: Standing) -> None:
    """The two tables and a closing line, on stdout."""
    from runner.doctor.hosts import HOST_KINDS, kinds_here

    rows = [(check.what, check.found, _styled(check.standing), check.advice) for check in checks]
    print_table("This machine", ("what", "found", "standing", "what to do"), rows)
    here = kinds_here(engine)
    kinds = [
        ("*" if kind in here else "", kind.name, kind.works, kind.weaker, kind.refused) for kind in HOST_KINDS
    ]
    print_table("Kinds of hosts (* this one)", ("", "kind", "works", "weaker", "refused"), kinds)
    typer.echo(CLOSING[standing])


def _languages(json_output: bool) -> int:
    """Prove every language and show it; the exit code."""
    from dataclasses import asdict

    from bench.prove_toolchains import prove_toolchains
    from cli.benchmark import materials
    from cli.progress import Board
    from runner.host import Host

    with Board() as board, Host(materials(), progress=board.building) as host:
        proofs = list(prove_toolchains(host, board.steps("languages")))
    if json_output:
        rows = [{**asdict(proof), "holds": proof.holds} for proof in proofs]
        print_json({"schema": "assay.toolchains/1", "languages": rows})
    else:
        print_table(
            "Languages",
            ("language", "versions", "smoke", "tripwire", "seconds"),
            [_row(each) for each in proofs],
        )
    if any(proof.failed_here for proof in proofs):
        return 3
    return 0 if all(proof.holds for proof in proofs) else 1


def _row(proof: Proof) -> tuple[str | Text, ...]:
    from rich.text import Text

    def told(wrong: str, well: str) -> Text:
        return Text(wrong, style="bold red") if wrong else Text(well, style="green")

    versions = ", ".join(f"{tool} {version}" for tool, version in proof.versions.items())
    smoke, tripwire = told(proof.smoke, "passes"), told(proof.tripwire, "fails, as it must")
    return proof.language, versions, smoke, tripwire, f"{proof.seconds:.1f}"


def _styled(standing: Standing) -> Text:
    from rich.text import Text

    return Text(standing, style=STYLES[standing])
