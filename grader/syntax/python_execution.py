"""Where Python source turns computed text, or bytes, into code.

Names count however they are used (`run = exec` is as good as a call); imports by name do not count.
"""

from __future__ import annotations

import keyword
from bisect import bisect_left
from collections.abc import Iterator, Mapping, Sequence

from grader.syntax.lexed import Execution, Lexed

_BUILTINS = frozenset({"exec", "eval", "compile"})
_ANYWHERE = frozenset(
    {
        "InspectLoader",
        "InteractiveConsole",
        "InteractiveInterpreter",
        "SourceFileLoader",
        "SourceLoader",
        "SourcelessFileLoader",
        "compile_command",
        "run_path",
        "source_to_code",
        "spec_from_file_location",
        "spec_from_loader",
        "zipimporter",
    }
)
_CALLED = frozenset({"FunctionType", "CodeType", "LambdaType"})
"""Honest in `isinstance`; making one, or giving it another name, builds a function from parts."""
_OF_MODULES: Mapping[str, frozenset[str]] = {
    "builtins": _BUILTINS,
    "__builtins__": _BUILTINS,
    "marshal": frozenset({"load", "loads"}),
    "pickle": frozenset({"load", "loads", "Unpickler"}),
    "_pickle": frozenset({"load", "loads", "Unpickler"}),
    "dill": frozenset({"load", "loads"}),
    "cloudpickle": frozenset({"load", "loads"}),
    "timeit": frozenset({"timeit", "repeat", "Timer"}),
}
_LOOKUPS = frozenset(
    {"getattr", "__getattribute__", "attrgetter", "builtins", "__builtins__", "__dict__", "vars", "globals"}
)
_SETTERS = frozenset({"setattr", "__setattr__"})
_LOOKUP_DISTANCE = 8
"""Tokens between a look-up and the name it looks up, as in `getattr(builtins, "ex" + "ec")`."""


def executions(lexed: Lexed) -> tuple[Execution, ...]:
    """Every place in order of the text."""
    found = [*_by_name(lexed), *_looked_up(lexed)]
    return tuple(sorted(found, key=lambda execution: execution.start))


def _by_name(lexed: Lexed) -> Iterator[Execution]:
    texts = ("", "", *lexed.texts, "", "")
    modules, shadowed = _aliases(texts), _imported_elsewhere(texts)
    for place, start in enumerate(lexed.starts):
        renamed = "=" in (texts[place + 1], texts[place - 1] if texts[place + 1] == "." and place else "")
        if _runs_code(texts[place : place + 4], modules, shadowed, renamed=renamed):
            yield Execution(texts[place + 2], start)


def _runs_code(
    around: Sequence[str], modules: Mapping[str, str], shadowed: frozenset[str], *, renamed: bool
) -> bool:
    """Whether the third of four tokens in a row turns text into code; `renamed`: it stands right of a `=`."""
    owner, before, text, after = around
    if before in ("def", "class"):
        return False
    if text in _CALLED:
        return renamed or after in ("(", "as")
    if text in _ANYWHERE or (text == "__code__" and after in ("=", ":")):
        return True
    if before == ".":
        return owner in modules and text in _OF_MODULES[modules[owner]]
    if text not in _BUILTINS:
        return text in shadowed and after == "("
    keyword_argument = after == "=" and before in ("(", ",")
    return text not in shadowed and not keyword_argument


def _aliases(texts: tuple[str, ...]) -> Mapping[str, str]:
    """Local name to module, for `import pickle as p` as well."""
    found = {name: name for name in _OF_MODULES}
    for place in range(len(texts) - 2):
        if texts[place] in _OF_MODULES and texts[place + 1] == "as":
            found[texts[place + 2]] = texts[place]
    return found


def _imported_elsewhere(texts: tuple[str, ...]) -> frozenset[str]:
    """`compile` where it means something else (`from re import compile`), and dangerous names imported bare
    (`from marshal import loads`). `exec` and `eval` keep their meaning: an import nobody uses would hide them."""
    found: set[str] = set()
    for place in range(len(texts) - 3):
        if texts[place] != "from" or "import" not in texts[place + 2 : place + 8]:
            continue
        module, imported = texts[place + 1], _imported(texts, place)
        dangerous = _OF_MODULES.get(module, frozenset()) - _BUILTINS
        found |= imported & dangerous
        if module not in ("builtins", "__builtins__"):
            found |= imported & {"compile"}
    return frozenset(found)


def _imported(texts: tuple[str, ...], start: int) -> frozenset[str]:
    """The names after the `import` of a `from` statement that starts at `start`."""
    place = texts.index("import", start) + 1
    names: set[str] = set()
    while place < len(texts) and (texts[place] in ("(", ",") or texts[place].isidentifier()):
        if keyword.iskeyword(texts[place]) and texts[place] != "as":
            break
        if texts[place].isidentifier() and names and texts[place - 1] not in ("(", ",", "as"):
            break
        names.add(texts[place])
        place += 1
    return frozenset(names)


def _looked_up(lexed: Lexed) -> Iterator[Execution]:
    for value, start in _folded(lexed):
        if value in _BUILTINS:
            place = bisect_left(lexed.starts, start)
            if _LOOKUPS & {*lexed.texts[max(0, place - _LOOKUP_DISTANCE) : place]}:
                yield Execution(value, start)
        if value == "__code__":
            place = bisect_left(lexed.starts, start)
            if _SETTERS & {*lexed.texts[max(0, place - _LOOKUP_DISTANCE) : place]}:
                yield Execution(value, start)


def _folded(lexed: Lexed) -> Iterator[tuple[str, int]]:
    """Literals with those that continue them, as one value."""
    values: list[str] = []
    start = 0
    for literal in lexed.literals:
        if not literal.continues:
            if values:
                yield "".join(values), start
            values, start = [], literal.start
        values.append(literal.value)
    if values:
        yield "".join(values), start
