"""A source is what the task pins, wherever pip looks, fetched once, and nothing of it ever runs."""

from __future__ import annotations

import hashlib
import io
import subprocess
import tarfile
import threading
import zipfile
from collections.abc import Iterator
from functools import partial
from http.server import SimpleHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path

import pytest

from runner.errors import SourceUnavailable
from runner.source import fetch_source
from runner.source.pip_settings import PipSettings, parse_pip_settings, read_pip_settings
from runner.task import GitSource, RegistrySource, TreeSource
from runner.tree import EXECUTABLE, REGULAR, SYMLINK, Entry, Tree, write_tree

SHAPES = Tree(
    {
        "setup.py": Entry(
            REGULAR, b"from pathlib import Path\nPath(__file__).with_name('ran').touch()\n1 / 0\n"
        ),
        "shapes/__init__.py": Entry(REGULAR, b"x = 1\n"),
        "shapes/current": Entry(SYMLINK, b"__init__.py"),
        "run.sh": Entry(EXECUTABLE, b"#!/bin/sh\n"),
        ".gitignore": Entry(REGULAR, b"*\n"),
    }
)


def sdist(folder: Path, name: str, tree: Tree = SHAPES, top: str = "shapes-1.0/") -> str:
    """Write a `.tar.gz` of `tree`; its SHA-256."""
    with tarfile.open(folder / name, "w:gz") as tar:
        for path, entry in tree.items():
            info = tarfile.TarInfo(f"{top}{path}")
            info.mode = 0o755 if entry.mode == EXECUTABLE else 0o644
            info.size = len(entry.data)
            if entry.mode == SYMLINK:
                info.type, info.linkname, info.size = tarfile.SYMTYPE, entry.data.decode(), 0
            tar.addfile(info, io.BytesIO(entry.data))
    return hashlib.sha256((folder / name).read_bytes()).hexdigest()


def pinned(digest: str, version: str = "1.0") -> RegistrySource:
    return RegistrySource("pypi", "shapes", version, digest)


@pytest.fixture
def links(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """The only place where pip looks."""
    folder = tmp_path / "links"
    folder.mkdir()
    monkeypatch.setenv("PIP_CONFIG_FILE", "/dev/null")
    monkeypatch.setenv("PIP_NO_INDEX", "1")
    monkeypatch.setenv("PIP_FIND_LINKS", str(folder))
    return folder


class Quiet(SimpleHTTPRequestHandler):
    def log_message(self, format: str, *args: object) -> None:
        self.server.seen.append(self.path)  # type: ignore[attr-defined]  # the server is made below


@pytest.fixture
def index(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[tuple[Path, list[str]]]:
    """A package index on this host, and the paths that were asked of it."""
    root = tmp_path / "index"
    (root / "index" / "shapes").mkdir(parents=True)
    with ThreadingHTTPServer(("127.0.0.1", 0), partial(Quiet, directory=str(root))) as server:
        server.seen = []  # type: ignore[attr-defined]  # read by the handler above
        thread = threading.Thread(target=server.serve_forever)
        thread.start()
        monkeypatch.setenv("PIP_CONFIG_FILE", "/dev/null")
        monkeypatch.delenv("PIP_FIND_LINKS", raising=False)
        monkeypatch.delenv("PIP_EXTRA_INDEX_URL", raising=False)
        monkeypatch.setenv("PIP_INDEX_URL", f"http://127.0.0.1:{server.server_port}/index/")
        monkeypatch.setenv("NO_PROXY", "127.0.0.1")
        yield root / "index" / "shapes", server.seen  # type: ignore[attr-defined]  # as above
        server.shutdown()
        thread.join()


def test_an_archive_from_an_index_is_the_tree_and_is_fetched_once(
    index: tuple[Path, list[str]], tmp_path: Path
) -> None:
    page, seen = index
    digest = sdist(page, "shapes-1.0.tar.gz")
    (page / "shapes-1.0-py3-none-any.whl").write_bytes(b"not this")
    (page / "index.html").write_text(
        f'<a href="shapes-1.0-py3-none-any.whl">w</a> <a href="shapes-1.0.tar.gz#sha256={digest}">s</a>'
    )

    first = fetch_source(pinned(digest), tmp_path / "cache")
    asked = len(seen)
    second = fetch_source(pinned(digest), tmp_path / "cache")

    assert dict(first) == dict(SHAPES)
    assert second == first
    assert len(seen) == asked > 0
    assert not any("whl" in path for path in seen)
    assert [file.name for file in (tmp_path / "cache" / "archives").iterdir()] == [digest]


def test_another_archive_than_the_pinned_one_is_refused(links: Path, tmp_path: Path) -> None:
    digest = sdist(links, "shapes-1.0.tar.gz")

    with pytest.raises(
        SourceUnavailable, match=r"no source archive of shapes==1\.0 has the SHA-256 that the task pins"
    ):
        fetch_source(pinned("0" * 64), tmp_path / "cache")

    assert list((tmp_path / "cache" / "archives").iterdir()) == []
    assert fetch_source(pinned(digest), tmp_path / "cache") == SHAPES


def test_of_two_archives_the_pinned_one_is_taken(links: Path, tmp_path: Path) -> None:
    other = Tree({**SHAPES, "more.py": Entry(REGULAR, b"")})
    sdist(links, "shapes-1.0.tar.gz")
    with zipfile.ZipFile(links / "shapes-1.0.zip", "w") as packed:
        for path, entry in other.items():
            info = zipfile.ZipInfo(f"shapes-1.0/{path}")
            info.external_attr = int(entry.mode, 8) << 16
            packed.writestr(info, entry.data)
    digest = hashlib.sha256((links / "shapes-1.0.zip").read_bytes()).hexdigest()

    assert dict(fetch_source(pinned(digest), tmp_path / "cache")) == dict(other)


def test_an_altered_archive_in_the_cache_is_fetched_again(links: Path, tmp_path: Path) -> None:
    digest = sdist(links, "shapes-1.0.tar.gz")
    fetch_source(pinned(digest), tmp_path / "cache")
    (tmp_path / "cache" / "archives" / digest).write_bytes(b"cut")

    assert fetch_source(pinned(digest), tmp_path / "cache") == SHAPES


@pytest.mark.parametrize("version", ["2.0", "1.0.post1"])
def test_a_version_that_is_not_there_is_said(links: Path, tmp_path: Path, version: str) -> None:
    digest = sdist(links, "shapes-1.0.tar.gz")

    with pytest.raises(SourceUnavailable, match=rf"no source archive of shapes=={version} was found"):
        fetch_source(pinned(digest, version), tmp_path / "cache")


def test_no_place_to_look_is_said(links: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.delenv("PIP_FIND_LINKS")

    with pytest.raises(SourceUnavailable, match="set `find-links`"):
        fetch_source(pinned("0" * 64), tmp_path / "cache")


def test_a_registry_that_does_not_answer_is_said(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("PIP_CONFIG_FILE", "/dev/null")
    monkeypatch.delenv("PIP_FIND_LINKS", raising=False)
    monkeypatch.setenv("PIP_INDEX_URL", "http://127.0.0.1:9/index/")
    monkeypatch.setenv("NO_PROXY", "127.0.0.1")

    with pytest.raises(SourceUnavailable, match="check"):
        fetch_source(pinned("0" * 64), tmp_path / "cache")


@pytest.mark.parametrize(
    ("tree", "top", "message"),
    [
        (Tree({"../../escape": Entry(REGULAR, b"x")}), "shapes-1.0/", "does not unpack"),
        (Tree({"l": Entry(SYMLINK, b"../../x")}), "shapes-1.0/", "does not unpack"),
        (Tree({"a/x": Entry(REGULAR, b""), "b/x": Entry(REGULAR, b"")}), "", "holds 2 entries at its top"),
    ],
)
def test_an_archive_that_is_no_package_is_refused(
    links: Path, tmp_path: Path, tree: Tree, top: str, message: str
) -> None:
    digest = sdist(links, "shapes-1.0.tar.gz", tree, top)

    with pytest.raises(SourceUnavailable, match=message):
        fetch_source(pinned(digest), tmp_path / "cache")

    assert not (tmp_path / "escape").exists()


def test_an_archive_that_is_cut_is_refused(links: Path, tmp_path: Path) -> None:
    sdist(links, "shapes-1.0.tar.gz")
    cut = (links / "shapes-1.0.tar.gz").read_bytes()[:150]
    (links / "shapes-1.0.tar.gz").write_bytes(cut)

    with pytest.raises(SourceUnavailable, match="does not unpack"):
        fetch_source(pinned(hashlib.sha256(cut).hexdigest()), tmp_path / "cache")


def test_pip_settings_are_read_from_pip(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    config = tmp_path / "pip.conf"
    config.write_text(
        "[global]\nindex-url = https://a.example/simple\nno-index = false\n"
        "[download]\nfind-links =\n  /one\n  /two\n[install]\nindex-url = https://never.example/\n"
    )
    for name in ("PIP_FIND_LINKS", "PIP_NO_INDEX", "PIP_INDEX_URL"):
        monkeypatch.delenv(name, raising=False)
    monkeypatch.setenv("PIP_CONFIG_FILE", str(config))
    monkeypatch.setenv("PIP_TRUSTED_HOST", "a.example b.example:8080")

    settings = read_pip_settings()

    assert settings.index_url == "https://a.example/simple"
    assert settings.find_links == ("/one", "/two")
    assert settings.trusted_hosts == ("a.example", "b.example:8080")
    assert settings.no_index is False


def test_pip_settings_of_a_listing() -> None:
    assert parse_pip_settings("") == PipSettings()
    listing = (
        "global.index-url='g'\n:env:.index-url='e'\n:env:.no-index='1'\nWARNING: noise\nglobal.cert='c'\n"
    )
    assert parse_pip_settings(listing) == PipSettings(index_url="e", no_index=True, certificates="c")


def git(folder: Path, *words: str) -> str:
    identity = ["-c", "user.name=t", "-c", "user.email=t@example.org", "-c", "commit.gpgSign=false"]
    command = ["git", "-C", str(folder), *identity, *words]
    return subprocess.run(command, check=True, capture_output=True, text=True).stdout.strip()


@pytest.fixture
def repository(tmp_path: Path) -> tuple[Path, str]:
    """A repository of two commits with hooks and attributes, and the first commit's hash."""
    work = tmp_path / "work"
    attributes = Entry(REGULAR, b"shapes/** export-ignore\n*.py text eol=crlf\n")
    write_tree(Tree({**SHAPES, ".gitattributes": attributes}), work)
    git(tmp_path, "init", "-q", str(work))
    git(work, "add", "-Af")
    git(work, "commit", "-qm", "one")
    first = git(work, "rev-parse", "HEAD")
    (work / "later.py").write_text("")
    git(work, "add", "-Af")
    git(work, "commit", "-qm", "two")
    return work, first


def test_a_commit_is_its_tree_byte_for_byte(repository: tuple[Path, str], tmp_path: Path) -> None:
    work, commit = repository
    source = GitSource(str(work), commit)

    tree = fetch_source(source, tmp_path / "cache")
    for child in work.iterdir():
        child.rename(tmp_path / f"moved-{child.name}")

    assert dict(tree) == {**SHAPES, ".gitattributes": tree[".gitattributes"]}
    assert fetch_source(source, tmp_path / "cache") == tree


def test_a_broken_copy_of_a_repository_is_fetched_again(repository: tuple[Path, str], tmp_path: Path) -> None:
    work, commit = repository
    tree = fetch_source(GitSource(str(work), commit), tmp_path / "cache")
    for pack in (tmp_path / "cache" / "git" / commit / "objects").rglob("*"):
        if pack.is_file():
            pack.unlink()

    assert fetch_source(GitSource(str(work), commit), tmp_path / "cache") == tree


def test_a_commit_that_is_not_there_is_said(repository: tuple[Path, str], tmp_path: Path) -> None:
    with pytest.raises(SourceUnavailable, match="git did not give commit 0000"):
        fetch_source(GitSource(str(repository[0]), "0" * 40), tmp_path / "cache")


def test_a_folder_is_read_and_a_missing_one_said(tmp_path: Path) -> None:
    write_tree(SHAPES, tmp_path / "tree")

    assert fetch_source(TreeSource(tmp_path / "tree"), tmp_path / "cache") == SHAPES
    with pytest.raises(SourceUnavailable, match="is not there"):
        fetch_source(TreeSource(tmp_path / "none"), tmp_path / "cache")
