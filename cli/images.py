"""`assay images`: build, list and prune."""

from __future__ import annotations

import json
from typing import TYPE_CHECKING, Annotated

import typer

from cli.benchmark import DEFAULT_TASKS, TasksOption, materials, read_benchmark
from cli.output import JsonOption

if TYPE_CHECKING:
    from runner.host import Host
    from runner.task import Benchmark

app = typer.Typer(no_args_is_help=True, help="Build, list and remove container images.")
MEGABYTE = 1_000_000


@app.command()
def build(
    names: Annotated[
        list[str] | None,
        typer.Argument(metavar="NAME", help="base, a language, or a task's id.", show_default="all"),
    ] = None,
    tasks: TasksOption = DEFAULT_TASKS,
) -> None:
    """Build the images that are missing; what is there is left alone."""
    from cli.progress import Board
    from runner.host import Host

    benchmark = read_benchmark(tasks)
    with Board() as board, Host(materials(), progress=board.building) as host:
        for tag in _built(host, benchmark, names or [task.id for task in benchmark.tasks]):
            typer.echo(tag)


@app.command("list")
def list_images(json_output: JsonOption = False) -> None:
    """List the images of ours that the engine has."""
    from runner.host import Host

    with Host(materials()) as host:
        found = host.images().list()
    if json_output:
        typer.echo(json.dumps([{"tag": tag, "id": id_, "bytes": size} for tag, id_, size in found], indent=2))
        return
    for tag, id_, size in found:
        typer.echo(f"{tag:<60} {id_[7:19]} {size / MEGABYTE:7.0f} MB")


@app.command()
def prune(tasks: TasksOption = DEFAULT_TASKS) -> None:
    """Remove our images that the benchmark does not need now."""
    from runner.host import Host
    from runner.image_build.recipes import needed_tags
    from runner.sandbox.placement import start_tree

    room = materials()
    needed = needed_tags([(task, start_tree(task, room.base(task))) for task in read_benchmark(tasks).tasks])
    with Host(room) as host:
        images = host.images()
        for tag, _, _ in images.list():
            if tag not in needed:
                images.remove(tag)
                typer.echo(f"removed {tag}")


def _built(host: Host, benchmark: Benchmark, names: list[str]) -> list[str]:
    from cli.benchmark import find_task
    from runner.toolchains.registry import TOOLCHAINS

    images = host.images()
    tags = []
    for name in names:
        short = name.removeprefix("task-")
        if short == "base":
            tags.append(images.base().tag)
        elif short in TOOLCHAINS:
            tags.append(images.toolchain(short).tag)
        else:
            tags.append(host.image(find_task(benchmark, short)).tag)
    return tags
