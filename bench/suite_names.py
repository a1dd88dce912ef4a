"""The names of a package that a Python suite uses, read off its syntax: an agent has to know them."""

from __future__ import annotations

import ast
import re
import sys
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field

from runner.tree import Tree

NOT_THE_PACKAGE = frozenset({"pytest", *sys.stdlib_module_names})


@dataclass(frozen=True, slots=True)
class UsedName:
    """A dotted name of the package (`boltons.strutils.ordinalize`) and the line of its first use."""

    name: str
    line: int


def used_names(file: str, data: bytes, suite_modules: frozenset[str] = frozenset()) -> tuple[UsedName, ...]:
    """The package's modules that a suite file imports and the names it takes from them, each once.

    `suite_modules` are the suite's own modules, which are no part of the package. Raises SyntaxError.
    """
    tree = ast.parse(data, filename=file)
    imports = _Imports(NOT_THE_PACKAGE | suite_modules)
    for node in ast.walk(tree):
        imports.read(node)
    found = [*imports.names, *_attributes(tree, imports.modules)]
    first: dict[str, int] = {}
    for used in sorted(found, key=lambda used: used.line):
        first.setdefault(used.name, used.line)
    return tuple(UsedName(name, line) for name, line in first.items())


def untold(name: str, statement: str, base: Tree, import_roots: Sequence[str]) -> bool:
    """Whether an agent cannot know a dotted name: neither the statement nor the base has it.

    A private name (`_x`) has to be in the statement even if the base has it: honest work may rename it.
    """
    last = name.rpartition(".")[2]
    if _has_word(statement, last):
        return False
    return last.startswith("_") or not _in_base(name, base, import_roots)


def _in_base(name: str, base: Tree, import_roots: Sequence[str]) -> bool:
    """Whether the innermost module on the way to `name` is in the base and says what follows it in the name.

    Where more follows (`shop.Till.total`), the last part may stand anywhere in the base's Python files.
    """
    parts = name.split(".")
    for length in range(len(parts), 0, -1):
        for path in _module_files(parts[:length], import_roots):
            if path in base:
                return _follows(parts[length:], path, base)
    return False


def _follows(parts: Sequence[str], path: str, base: Tree) -> bool:
    if not parts:
        return True
    if not _has_word(base.text(path), parts[0]):
        return False
    others = (other for other in base if other.endswith(".py"))
    return len(parts) == 1 or any(_has_word(base.text(other), parts[-1]) for other in others)


def _module_files(parts: Sequence[str], import_roots: Sequence[str]) -> Iterator[str]:
    for root in import_roots:
        stem = "/".join([*([] if root == "." else [root]), *parts])
        yield from (f"{stem}.py", f"{stem}/__init__.py")


def _has_word(text: str, word: str) -> bool:
    return re.search(rf"(?<!\w){re.escape(word)}(?!\w)", text) is not None


@dataclass(slots=True)
class _Imports:
    """What the import statements bind: local name to the dotted module it stands for."""

    foreign: frozenset[str]
    modules: dict[str, str] = field(default_factory=dict)
    names: list[UsedName] = field(default_factory=list)

    def read(self, node: ast.AST) -> None:
        """Take note of an import statement; anything else is passed over."""
        if isinstance(node, ast.Import):
            for alias in node.names:
                self._module(alias, node.lineno)
        elif isinstance(node, ast.ImportFrom) and not node.level and self._ours(node.module or ""):
            self.names.append(UsedName(node.module or "", node.lineno))
            for alias in node.names:
                dotted = f"{node.module}.{alias.name}"
                self.names.append(UsedName(dotted, node.lineno))
                self.modules[alias.asname or alias.name] = dotted

    def _module(self, alias: ast.alias, line: int) -> None:
        if not self._ours(alias.name):
            return
        self.names.append(UsedName(alias.name, line))
        top = alias.name.partition(".")[0]
        self.modules[alias.asname or top] = alias.name if alias.asname else top

    def _ours(self, module: str) -> bool:
        return module.partition(".")[0] not in self.foreign


def _attributes(tree: ast.AST, modules: Mapping[str, str]) -> Iterator[UsedName]:
    """`strutils.ordinalize` where `strutils` is a module of the package: the longest chain, part by part."""
    for node in ast.walk(tree):
        if isinstance(node, ast.Attribute) and not _is_dunder(node.attr):
            chain = _chain(node)
            if chain and chain[0] in modules:
                yield UsedName(".".join([modules[chain[0]], *chain[1:]]), node.lineno)


def _chain(node: ast.expr) -> list[str]:
    if isinstance(node, ast.Name):
        return [node.id]
    if isinstance(node, ast.Attribute):
        before = _chain(node.value)
        return [*before, node.attr] if before else []
    return []


def _is_dunder(name: str) -> bool:
    return name.startswith("__") and name.endswith("__")
