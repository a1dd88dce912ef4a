"""What honest people do besides the task: each function gives a right tree another look, nothing more."""

from __future__ import annotations

import ast
import re
import subprocess
import sys
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass

from runner.task import Task
from runner.tree import EXECUTABLE, SYMLINK, Entry, Tree
from tests.honest.conftest import with_files

Function = ast.FunctionDef | ast.AsyncFunctionDef
_PRIVATE = re.compile(r"_[A-Za-z][A-Za-z0-9_]*$")


@dataclass(frozen=True, slots=True)
class Right:
    """A task with its base and a tree that resolves it."""

    task: Task
    base: Tree
    tree: Tree

    @property
    def product(self) -> list[str]:
        """Python files under the import roots, upstream's tests aside."""
        roots = self.task.image.import_roots
        tests = tuple(f"{root.rstrip('/')}/" for root in self.task.upstream_tests)
        return [
            path
            for path in self.tree
            if path.endswith(".py") and path.count("/") and not path.startswith(tests)
            if any(root == "." or path.startswith(f"{root}/") for root in roots)
        ]

    @property
    def edited(self) -> list[str]:
        """Those that the right change added or altered."""
        changed = self.base.changed(self.tree)
        return [path for path in self.product if path in changed]

    @property
    def fixed_names(self) -> str:
        """Everything that names what may not be renamed or moved: statement, rules, suite."""
        suite = b"\n".join(self.task.suite.files.values()).decode()
        return "\n".join([self.task.statement, repr(self.task.structure), suite])

    def rewritten(self, edit: Callable[[str], str], paths: list[str] | None = None) -> Tree:
        """With `edit` done to the text of the files (those that the change edited, unless told)."""
        files = self.edited if paths is None else paths
        return with_files(self.tree, {path: edit(self.tree[path].data.decode()).encode() for path in files})

    def appended(self, code: str) -> Tree:
        """With lines at the end of the first file that the change edited: they run at import."""
        return self.rewritten(lambda text: f"{text.rstrip()}\n\n{code}", self.edited[:1])


Oddity = Callable[[Right], Tree]


def formatted(right: Right) -> Tree:
    """A formatter has been over the whole package."""
    command = [sys.executable, "-m", "ruff", "format", "--isolated", "--line-length", "70", "-"]

    def edit(text: str) -> str:
        return subprocess.run(command, input=text, capture_output=True, text=True, check=True).stdout

    return right.rewritten(edit)


def unparsed(right: Right) -> Tree:
    """Written anew from its syntax tree: no comment is left, every quote is another."""
    return right.rewritten(lambda text: f"{ast.unparse(ast.parse(text))}\n")


def helpers_renamed(right: Right) -> Tree:
    """Private functions and classes that nobody was told about have other names."""
    names = [name for path in right.edited for name in _free_helpers(right, path)]
    assert names, "the gold has no helper of its own to rename"
    pattern = re.compile(rf"\b(?:{'|'.join(map(re.escape, names))})\b")
    return right.rewritten(lambda text: pattern.sub(lambda name: f"{name[0]}_anew", text), right.product)


def _free_helpers(right: Right, path: str) -> dict[str, ast.stmt]:
    """Private functions and classes at the top of a file that no statement, rule or test names."""
    return {
        node.name: node
        for node in ast.parse(right.tree[path].data).body
        if isinstance(node, Function | ast.ClassDef) and _PRIVATE.match(node.name)
        if not node.decorator_list and not re.search(rf"\b{node.name}\b", right.fixed_names)
    }


def helpers_moved(right: Right) -> Tree:
    """Private helpers that lean on nothing else of their module live in private modules beside it."""
    files: dict[str, bytes | None] = {}
    for path in right.edited:
        folder, _, file = path.rpartition("/")
        before = after = right.tree[path].data.decode()
        for name, node in _free_helpers(right, path).items():
            moved = _standing_alone(before, node)
            if moved:
                segment = ast.get_source_segment(before, node) or ""
                module = f"_apart_{file.removesuffix('.py')}{name}"
                files[f"{folder}/{module}.py"] = moved.encode()
                after = after.replace(segment, f"from .{module} import {name}", 1)
        files[path] = after.encode()
    assert len(files) > len(right.edited), "the gold has no helper of its own to move"
    return with_files(right.tree, files)


def _standing_alone(text: str, node: ast.stmt) -> str:
    """A definition with the imports it takes; '' if it leans on anything else of its module."""
    module = ast.parse(text)
    used = {each.id for each in ast.walk(node) if isinstance(each, ast.Name)}
    needed, rest = [], set()
    for each in module.body:
        plain = isinstance(each, ast.Import) or (isinstance(each, ast.ImportFrom) and not each.level)
        if plain and _names_of(each) & used:
            needed.append(ast.unparse(each))
        elif not plain:
            rest |= _names_of(each)
    segment = ast.get_source_segment(text, node)
    return "" if rest & used else "\n".join([*needed, "", f"{segment}\n"])


def _names_of(statement: ast.stmt) -> set[str]:
    """What a statement at the top of a module defines, assigns or imports there."""
    if isinstance(statement, Function | ast.ClassDef):
        return {statement.name}
    names: set[str] = set()
    for each in ast.walk(statement):
        match each:
            case ast.FunctionDef(name=name) | ast.ClassDef(name=name):
                names.add(name)
            case ast.Import(names=aliases) | ast.ImportFrom(names=aliases):
                names |= {(alias.asname or alias.name).partition(".")[0] for alias in aliases}
            case ast.Name(id=name, ctx=ast.Store()):
                names.add(name)
    return names


def documented(right: Right) -> Tree:
    """Every function has a docstring, and a comment behind it."""
    return right.rewritten(
        lambda text: _at_every_start(
            text, '"""What this is for."""\n{indent}# Why this is so.\n{indent}', False
        )
    )


def logged(right: Right) -> Tree:
    """Every function tells a log that it was called, and the module that it was loaded."""

    def edit(text: str) -> str:
        called = '_honest_log.debug("called")\n{indent}'
        told = _at_every_start(text, called, True)
        lines = told.split("\n")
        place = _after_header(ast.parse(told))
        head = "import logging as _honest_logging\n\n_honest_log = _honest_logging.getLogger(__name__)"
        return "\n".join([*lines[:place], head, *lines[place:]])

    return right.rewritten(edit)


def _at_every_start(text: str, inserted: str, documented: bool) -> str:
    """The text with `inserted` before the first statement of functions; of those with a docstring if told."""
    lines = text.split("\n")
    for node in sorted(_functions(ast.parse(text)), key=lambda each: -each.body[0].lineno):
        has_docstring = ast.get_docstring(node) is not None
        body = node.body[1:] if has_docstring else node.body
        if not body or (has_docstring and not documented):
            continue
        place = min(each.lineno for each in (body[0], *getattr(body[0], "decorator_list", ()))) - 1
        statement = lines[place].lstrip()
        indent = lines[place].removesuffix(statement)
        if len(indent) == body[0].col_offset:
            lines[place] = indent + inserted.format(indent=indent) + statement
    return "\n".join(lines)


def _functions(tree: ast.Module) -> Iterator[Function]:
    return (node for node in ast.walk(tree) if isinstance(node, Function))


def _after_header(tree: ast.Module) -> int:
    """The line after a module's docstring and imports from the future."""
    place = 0
    for node in tree.body:
        docstring = isinstance(node, ast.Expr) and isinstance(node.value, ast.Constant)
        if not docstring and not (isinstance(node, ast.ImportFrom) and node.module == "__future__"):
            break
        place = node.end_lineno or place
    return place


def hinted(right: Right) -> Tree:
    """Every parameter and result has a type hint."""

    def edit(text: str) -> str:
        tree = ast.parse(text)
        for node in _functions(tree):
            node.returns = node.returns or ast.Name("object")
            for argument in (*node.args.posonlyargs, *node.args.args, *node.args.kwonlyargs):
                argument.annotation = argument.annotation or ast.Name("object")
        return f"{ast.unparse(tree)}\n"

    return right.rewritten(edit)


def crlf(right: Right) -> Tree:
    """One file was saved with Windows' line ends."""
    return right.rewritten(lambda text: text.replace("\n", "\r\n"), right.edited[:1])


def byte_order_mark(right: Right) -> Tree:
    """One file was saved with a byte order mark."""
    return right.rewritten(lambda text: f"\ufeff{text}", right.edited[-1:])


def says_it_is_loaded(right: Right) -> Tree:
    """A print that was forgotten, and a warning."""
    return right.appended(
        'import warnings\nprint("loaded")\nwarnings.warn("loaded", UserWarning, stacklevel=1)\n'
    )


def leaves_thread(right: Right) -> Tree:
    """A daemon thread sleeps on after the last test."""
    return right.appended(
        "import threading as _t\nimport time as _s\n"
        "_t.Thread(target=_s.sleep, args=(3600,), daemon=True).start()\n"
    )


def leaves_child(right: Right) -> Tree:
    """A child process outlives the tests."""
    return right.appended('import subprocess as _s\n_child = _s.Popen(["sleep", "3600"])\n')


def runs_at_exit(right: Right) -> Tree:
    """Something is said when the interpreter ends."""
    return right.appended('import atexit as _a\n_a.register(print, "good bye")\n')


def writes_outside(right: Right) -> Tree:
    """A cache in HOME, a scratch file in /tmp."""
    return right.appended(
        "import pathlib as _p\nimport tempfile as _t\n"
        '(_p.Path.home() / ".honest-cache").write_text("cached")\n'
        'with open(_p.Path(_t.gettempdir()) / "honest-scratch", "a") as _file:\n    _file.write("x")\n'
    )


def modes(right: Right) -> Tree:
    """Every edited file became executable."""
    edited = set(right.edited)
    return Tree(
        {
            path: Entry(EXECUTABLE, entry.data) if path in edited else entry
            for path, entry in right.tree.items()
        }
    )


def data_files(right: Right) -> Tree:
    """Data beside the code: bytes that are no text, and a table."""
    folder = right.edited[0].rpartition("/")[0]
    table = b"[" + b", ".join(b"%d" % (number * number) for number in range(2000)) + b"]\n"
    return with_files(
        right.tree, {f"{folder}/data.bin": bytes(range(256)) * 40, f"{folder}/squares.json": table}
    )


def left_overs(right: Right) -> Tree:
    """What an editor, an interpreter and a test run leave behind."""
    folder = right.edited[0].rpartition("/")[0]
    return with_files(
        right.tree,
        {
            ".DS_Store": b"\0\0\0\1Bud1" + bytes(60),
            ".idea/workspace.xml": b"<project/>\n",
            ".pytest_cache/v/cache/lastfailed": b"{}\n",
            f"{folder}/__pycache__/scratch.cpython-313.pyc": b"\xf3\r\r\n" + bytes(30),
            f"{right.edited[0]}.orig": b"print('mine')\n",
        },
    )


def link(right: Right) -> Tree:
    """A link to a file of the repository."""
    target = right.edited[0].encode()
    return Tree({**right.tree, "LINKED.py": Entry(SYMLINK, target)})


def documents(right: Right) -> Tree:
    """Read-me, changelog, docs and packaging tell of the change."""
    kinds = re.compile(r"(?:README|CHANGE|HISTORY|docs/|pyproject\.toml$)")
    texts = {path: right.tree[path].data for path in right.tree if kinds.match(path)}
    assert len(texts) >= 2
    return with_files(right.tree, {path: data + b"\n# Told anew.\n" for path, data in texts.items()})


def own_tests(right: Right) -> Tree:
    """Tests of their own, under upstream's root."""
    root = right.task.upstream_tests[0].rstrip("/")
    return with_files(
        right.tree,
        {
            f"{root}/test_added.py": b"def test_added():\n    assert 6 * 7 == 42\n",
            f"{root}/deep/test_more.py": b"def test_fails():\n    assert False\n",
        },
    )


def no_tests(right: Right) -> Tree:
    """Upstream's tests are gone."""
    roots = tuple(f"{root.rstrip('/')}/" for root in right.task.upstream_tests)
    gone = [path for path in right.tree if path.startswith(roots)]
    assert gone
    return with_files(right.tree, dict.fromkeys(gone))


def runner_settings(right: Right) -> Tree:
    """Settings of a test runner, at the top, beside the code and beside the tests."""
    root, folder = right.task.upstream_tests[0].rstrip("/"), right.edited[0].rpartition("/")[0]
    settings = b"import pytest\n\n\n@pytest.fixture\ndef number():\n    return 42\n"
    return with_files(
        right.tree,
        {
            "conftest.py": settings,
            f"{root}/conftest.py": settings,
            f"{folder}/conftest.py": settings,
            "pytest.ini": b"[pytest]\naddopts = --strict-markers -x\n",
        },
    )


ODDITIES: Mapping[str, Oddity] = {
    "formatted": formatted,
    "unparsed": unparsed,
    "helpers-renamed": helpers_renamed,
    "helpers-moved": helpers_moved,
    "documented": documented,
    "logged": logged,
    "hinted": hinted,
    "crlf": crlf,
    "byte-order-mark": byte_order_mark,
    "says-it-is-loaded": says_it_is_loaded,
    "leaves-thread": leaves_thread,
    "leaves-child": leaves_child,
    "runs-at-exit": runs_at_exit,
    "writes-outside": writes_outside,
    "modes": modes,
    "data-files": data_files,
    "left-overs": left_overs,
    "link": link,
    "documents": documents,
    "own-tests": own_tests,
    "no-tests": no_tests,
    "runner-settings": runner_settings,
}
DROPPED = ("left-overs", "own-tests", "runner-settings")
"""Those of which something is left out of the sandbox, and recorded as such."""
