"""`assay tasks`: look at tasks, work on them, write them, prove them."""

from __future__ import annotations

import datetime
import re
import secrets
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any, cast, get_args

import typer

from cli.benchmark import DEFAULT_TASKS, TasksOption, find_task, materials, option, read_benchmark
from cli.output import JsonOption, print_json, print_table, say, width
from runner.task import VerdictName

if TYPE_CHECKING:
    from bench.lock import Trees
    from bench.measure import RunPass
    from runner.errors import Fault
    from runner.host import Host
    from runner.materials import Materials
    from runner.plan import Pass
    from runner.task import Task, TaskKind
    from runner.toolchains import Report
    from runner.tree import Tree

CONTROL_NAME = re.compile(rf"({'|'.join(get_args(VerdictName))})-[a-z0-9]+(-[a-z0-9]+)*")

app = typer.Typer(no_args_is_help=True, help="Look at tasks, work on one, write one, prove it.")
WIDTH_WITH_TITLES = 120
"""Columns from which `list` has room for titles beside ids."""
TaskId = Annotated[str, typer.Argument(metavar="TASK", help="The task's id.")]


@app.command("list")
def list_tasks(tasks: TasksOption = DEFAULT_TASKS, json_output: JsonOption = False) -> None:
    """List the tasks of the benchmark."""
    rows = [_row(task) for task in read_benchmark(tasks).tasks]
    if json_output:
        print_json(rows)
        return
    columns = ["id", "kind", "language", "keep", "gain", "canaries", "suite"]
    if width() >= WIDTH_WITH_TITLES:
        columns.append("title")
    print_table("", columns, [[str(row[column]) for column in columns] for row in rows], whole=columns[:-1])


@app.command()
def show(task_id: TaskId, tasks: TasksOption = DEFAULT_TASKS, json_output: JsonOption = False) -> None:
    """Show a task: what is asked, and what judges it.

    The statement, the limits, every test with what it proves, the structure rules, the controls. It tells the
    names of hidden tests: for whoever curates, not for an agent.
    """
    task = find_task(read_benchmark(tasks), task_id)
    if json_output:
        print_json(_document(task))
        return
    typer.echo(f"{task.id}: {task.title}\n{task.kind}, {task.language}, {task.licence}, {_source(task)}")
    typer.echo(f"limits of a pass: {_limits(task)}\n\n{task.statement.strip()}\n")
    for unit in task.suite.units:
        tests = [task.suite.tests[test] for test in unit.tests]
        rows = [(test.id.removeprefix(f"{unit.file}::"), test.demand, test.proves) for test in tests]
        print_table(unit.file, ("test", "demand", "proves"), rows)
    rules = [("gone", rule) for rule in task.structure.gone]
    rules += [("present", rule) for rule in task.structure.present]
    print_table(
        "structure", ("rule", "section", "because"), [(rule.id, of, rule.because) for of, rule in rules]
    )
    controls = [(control.name, control.expected) for control in task.controls]
    print_table("controls", ("control", "known verdict"), controls)


@app.command()
def workspace(
    task_id: TaskId,
    folder: Annotated[Path, typer.Argument(metavar="DIR", help="A new or empty folder.")],
    tasks: TasksOption = DEFAULT_TASKS,
) -> None:
    """Write a task's folder to work in.

    It is the base tree as a git folder of one commit, with ASSAY.md, which says what is asked; neither gold
    nor suite.
    """
    from runner.errors import TaskError
    from runner.workspace import GUIDE_NAME, guide, make_workspace

    try:
        task = find_task(read_benchmark(tasks), task_id)
    except TaskError:
        if not (tasks / task_id / "task.toml").is_file():
            raise
        _unfinished_workspace(tasks, task_id, folder)
        return
    make_workspace(materials().base(task), folder, guide(task))
    typer.echo(
        f"{folder} is ready; read {folder / GUIDE_NAME}, edit, then:\n"
        f"  git -C {folder} add --intent-to-add . && git -C {folder} diff > my.patch\n"
        f"  assay evaluate {task.id} --patch my.patch{option(tasks)}"
    )


@app.command()
def new(
    task_id: TaskId,
    title: Annotated[
        str, typer.Option(metavar="TEXT", help="One line: what is to be done.")
    ] = "What is to be done",
    kind: Annotated[str, typer.Option(metavar="NAME", help="refactor, evolve or fix.")] = "refactor",
    tasks: TasksOption = DEFAULT_TASKS,
) -> None:
    """Write the skeleton of a new task.

    `assay tasks check` then says what is still missing.
    """
    from bench.new_task import new as write_new
    from runner.errors import UsageError
    from runner.task_folder import load_settings

    load_settings(tasks)
    if kind not in ("refactor", "evolve", "fix"):
        raise UsageError(f"there is no kind {kind!r}; a task is refactor, evolve or fix")
    today = datetime.datetime.now(datetime.UTC).date()
    for path in write_new(tasks / task_id, title=title, kind=cast("TaskKind", kind), today=today):
        typer.echo(path)
    say(
        f"fill these in, then `assay tasks check {task_id}{option(tasks)}`; docs/tasks.md says what goes where"
    )


@app.command()
def check(
    task_ids: Annotated[
        list[str] | None, typer.Argument(metavar="TASK", help="Ids of tasks.", show_default="every folder")
    ] = None,
    tasks: TasksOption = DEFAULT_TASKS,
    json_output: JsonOption = False,
) -> None:
    """Check task folders: every fault, with file and line.

    Nothing is run. Exit code 0: no fault; 1: at least one.
    """
    from grader.sentences import counted
    from runner.task_folder import load_settings

    load_settings(tasks)
    folders = [tasks / one for one in task_ids or []] or sorted(
        path.parent for path in tasks.glob("*/task.toml")
    )
    faults = [fault for folder in folders for fault in _faults(tasks, folder)]
    if json_output:
        print_json([{"file": fault.file, "line": fault.line, "message": fault.message} for fault in faults])
    else:
        for fault in faults:
            typer.echo(fault)
        say(f"{counted(len(folders), 'task folder')}, {counted(len(faults), 'fault')}")
    raise typer.Exit(1 if faults else 0)


@app.command()
def record(
    task_id: TaskId,
    folder: Annotated[Path, typer.Argument(metavar="DIR", help="A workspace of the task, edited.")],
    name: Annotated[str, typer.Option("--as", metavar="NAME", help="gold, or a control: <verdict>-<what>.")],
    tasks: TasksOption = DEFAULT_TASKS,
) -> None:
    """Write an edited workspace as gold or control.

    It becomes a delta in the task folder, proved to give the edited tree back byte for byte.
    """
    from runner.errors import UsageError
    from runner.task_folder import load_source
    from runner.workspace import record_workspace

    task_folder = tasks / task_id
    if not (task_folder / "task.toml").is_file():
        find_task(read_benchmark(tasks), task_id)
    if name != "gold" and not CONTROL_NAME.fullmatch(name):
        verdicts = ", ".join(get_args(VerdictName))
        raise UsageError(
            f"{name!r} is neither gold nor a control's <verdict>-<what>; verdicts are {verdicts}"
        )
    if not folder.is_dir():
        raise UsageError(f"{folder} is no folder; `assay tasks workspace {task_id} DIR` makes one to edit")
    delta = record_workspace(materials().fetch(load_source(task_folder)), folder)
    target = task_folder / (_gold_name(task_folder) if name == "gold" else f"controls/{name}.delta")
    target.parent.mkdir(exist_ok=True)
    target.write_text(delta, encoding="utf-8", newline="")
    typer.echo(f"{target}: {len(delta)} bytes, gives {folder} back byte for byte")


@app.command()
def lock(
    task_ids: Annotated[
        list[str] | None, typer.Argument(metavar="TASK", help="Ids of tasks.", show_default="every task")
    ] = None,
    repeats: Annotated[int, typer.Option(min=2, metavar="N", help="How often base and gold run.")] = 10,
    tasks: TasksOption = DEFAULT_TASKS,
) -> None:
    """Measure tasks and write their measured.json.

    It holds the outcomes of every test on base and gold, over repeats in random order, and the canaries,
    proven on gold and on valid alternatives. Flaky tests, and demands that base or gold do not meet, are
    refused by name (exit code 2).
    """
    from bench.lock import lock as measure
    from bench.lock import write_measured
    from cli.progress import Board
    from runner.host import Host

    benchmark = read_benchmark(tasks)
    chosen = [find_task(benchmark, one) for one in task_ids or [task.id for task in benchmark.tasks]]
    room = materials()
    with Board() as board, Host(room, progress=board.building) as host:
        for task in chosen:
            step = board.steps(task.id)
            seed = secrets.randbits(64)
            measured = measure(
                task, _trees(task, room), _runner(task, host), seed=seed, repeats=repeats, progress=step
            )
            write_measured(measured, task.home / "measured.json")
            typer.echo(f"{task.id}: {len(measured.canaries)} of {len(task.suite.tests)} tests carry a canary")
            for test, reason in measured.uncarried.items():
                typer.echo(f"  without: {test}: {reason}")


def _runner(task: Task, host: Host) -> RunPass:
    from runner.execute import run_tree

    def run(tree: Tree, work: Pass) -> Report:
        host.expect(task, 2)
        return run_tree(task, tree, work, host)

    return run


def _trees(task: Task, room: Materials) -> Trees:
    from bench.lock import Trees

    resolved = {c.name: room.changed(task, c.change) for c in task.controls if c.expected == "resolved"}
    return Trees(room.base(task), room.gold(task), resolved)


def _faults(tasks: Path, folder: Path) -> list[Fault]:
    from bench.check import check as faults_of
    from runner.errors import SourceUnavailable, TaskError, UsageError
    from runner.task_folder import load_settings, load_task

    if not folder.is_dir():
        raise UsageError(f"{folder} is no task folder; `assay tasks new {folder.name}` writes one")
    settings, room = load_settings(tasks), materials()
    base = gold = None
    try:
        task = load_task(folder, settings.suites)
        base, gold = room.base(task), room.gold(task)
    except SourceUnavailable as failure:
        say(f"{failure}; checked without its trees")
    except (TaskError, UsageError):
        pass  # among the faults that follow
    return faults_of(folder, suites=settings.suites, canary_share=settings.canary_share, base=base, gold=gold)


def _row(task: Task) -> dict[str, Any]:
    from grader.draw_plan import coverage

    demands = [test.demand for test in task.suite.tests.values()]
    return {
        "id": task.id,
        "kind": task.kind,
        "language": task.language,
        "keep": demands.count("keep"),
        "gain": demands.count("gain"),
        "canaries": f"{coverage(task).share:.0%}",
        "suite": task.suite.publication,
        "title": task.title,
    }


def _document(task: Task) -> dict[str, Any]:
    return {
        **_row(task),
        "digest": task.digest,
        "licence": task.licence,
        "source": _source(task),
        "statement": task.statement,
        "tests": [{"id": t.id, "demand": t.demand, "proves": t.proves} for t in task.suite.tests.values()],
        "controls": {control.name: control.expected for control in task.controls},
    }


def _unfinished_workspace(tasks: Path, task_id: str, folder: Path) -> None:
    """The workspace of a task whose folder, or another of the benchmark, still has faults: to record gold in."""
    from runner.task_folder import load_source
    from runner.workspace import make_workspace

    base = materials().fetch(load_source(tasks / task_id))
    make_workspace(base, folder, f"# {task_id}\n\nThe task is not finished; `assay tasks check` says why.\n")
    say(f"the benchmark has faults (`assay tasks check`): {folder} has the base tree, and no guide")
    typer.echo(
        f"{folder} is ready; edit, then:\n  assay tasks record {task_id} {folder} --as gold{option(tasks)}"
    )


def _gold_name(task_folder: Path) -> str:
    """The file that task.toml (which was read already) calls the gold's delta. Raises UsageError."""
    import tomllib

    from runner.errors import UsageError

    table = tomllib.loads((task_folder / "task.toml").read_text(encoding="utf-8"))["gold"]
    if "delta" not in table:
        raise UsageError(f"[gold] in {task_folder / 'task.toml'} names no delta, so there is none to record")
    return str(table["delta"])


def _limits(task: Task) -> str:
    limits = task.limits
    return (
        f"{limits.cpu_seconds} s CPU, {limits.wall_seconds} s in all, {limits.memory_mb} MB memory, "
        f"{limits.disk_mb} MB disk, {limits.processes} processes, {limits.output_mb} MB output"
    )


def _source(task: Task) -> str:
    from runner.task import GitSource, RegistrySource, TreeSource

    match task.source:
        case RegistrySource(kind, package, version):
            return f"{kind}:{package} {version}"
        case GitSource(url, commit):
            return f"{url} at {commit[:12]}"
        case TreeSource(path):
            return f"tree {path.name}"
