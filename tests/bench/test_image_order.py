"""Images are made in an order that brings verdicts early; the disk that they take is counted once."""

from __future__ import annotations

import dataclasses
import datetime
import threading
from pathlib import Path

import pytest

from bench.batch import Watcher, run_batch
from bench.evaluate import Judging, Submission
from bench.image_order import image_order
from bench.results_file import open_results
from grader.result import Result
from runner.host import Host
from runner.image_build import BUILT, Image, Images
from runner.image_build.disk import disk_bytes
from runner.image_build.recipes import Recipe, toolchain_recipe
from runner.materials import Materials
from runner.task import Benchmark, Task

FIRST, LAST = "cachetools-7-3-to-8-0", "boltons-split-strutils"
WAIT_SECONDS = 300


@pytest.fixture
def task(benchmark: Benchmark) -> Task:
    return benchmark.task(FIRST)


def named(task: Task, *ids: str) -> list[Task]:
    return [dataclasses.replace(task, id=id_) for id_ in ids]


@pytest.mark.parametrize(
    ("there", "order"),
    [
        (set(), "a b c"),
        ({"assay/python"}, "a b c"),
        ({"assay/python", "assay/task-c"}, "c a b"),
        ({"assay/task-b", "assay/task-c"}, "b c a"),
    ],
)
def test_what_is_there_comes_first(task: Task, there: set[str], order: str) -> None:
    assert [one.id for one in image_order(named(task, "a", "b", "c"), there)] == order.split()


def test_builders_do_not_wait_for_one_toolchain(task: Task, monkeypatch: pytest.MonkeyPatch) -> None:
    toolchains = {"python": _Named("python"), "x": _Named("x"), "y": _Named("x"), "z": _Named("z")}
    monkeypatch.setattr("bench.image_order.TOOLCHAINS", toolchains)
    languages = {"p1": "python", "p2": "python", "x1": "x", "y1": "y", "z1": "z"}
    tasks = [dataclasses.replace(task, id=id_, language=language) for id_, language in languages.items()]
    assert [one.id for one in image_order(tasks, set())] == ["p1", "x1", "z1", "p2", "y1"]
    assert [one.id for one in image_order(tasks, {"assay/z"})] == ["z1", "p1", "x1", "p2", "y1"]


@dataclasses.dataclass(frozen=True)
class _Named:
    image: str


def test_layers_that_images_share_count_once() -> None:
    base, toolchain = ("b",), ("b", "t")
    images = {base: 100, toolchain: 250, (*toolchain, "1"): 260, (*toolchain, "2"): 300, ("other",): 7}
    assert disk_bytes(images) == 100 + 150 + 10 + 50 + 7
    assert disk_bytes({(*toolchain, "1"): 260, (*toolchain, "2"): 300}) == 560
    assert disk_bytes({}) == 0


class _HeldBack(Host):
    """The machine room, whose last image is not there before a verdict is out."""

    verdict_is_out = threading.Event()
    asked: tuple[str, ...] = ()

    def image(self, task: Task) -> Image:
        if task.id not in self.asked:
            self.asked = (*self.asked, task.id)
        if task.id == LAST:
            assert self.verdict_is_out.wait(WAIT_SECONDS), "no verdict came while an image was being built"
        return super().image(task)


@pytest.mark.engine
def test_a_verdict_is_out_before_the_last_image_is_there(
    benchmark: Benchmark, materials: Materials, tmp_path: Path
) -> None:
    submissions = [Submission(benchmark.task(id_), "noop", b"") for id_ in (FIRST, LAST)]
    ended: list[str] = []
    with open_results(tmp_path) as results, _HeldBack(materials) as host:

        def out(submission: Submission, result: Result) -> None:
            ended.append(result.task)
            host.verdict_is_out.set()

        watcher = Watcher(begun=lambda one: None, ended=out, image_failed=lambda one, reason: None)
        judging = Judging(benchmark, canaries=False)
        run_batch(submissions, host, results, judging, workers=2, watcher=watcher)
        assert {*host.asked} == {FIRST, LAST}
        assert 10_000_000 < host.image_bytes(one.task for one in submissions) < 3_000_000_000
    assert ended == [FIRST, LAST]
    assert [result.verdict for result in results.results] == ["incomplete", "incomplete"]


@pytest.mark.engine
def test_two_builders_of_one_image_make_it_once(host: Host) -> None:
    told: list[str] = []
    stamp = datetime.datetime.now(datetime.UTC).isoformat()
    recipe = Recipe("test-once", toolchain_recipe("python").tag, f"mkdir -p /opt/assay; echo {stamp}", {})

    def build() -> None:
        images = Images(
            host.client(), host.owner, host.materials.cache, lambda name, doing: told.append(doing)
        )
        images.layer(recipe)

    host.images().toolchain("python")
    threads = [threading.Thread(target=build) for _ in range(2)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    host.images().remove(recipe.tag)
    assert told == ["starting", BUILT]
