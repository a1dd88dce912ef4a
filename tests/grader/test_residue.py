"""Old code kept out of sight is found wherever it went; honest moves and rewrites are not."""

from __future__ import annotations

import base64
import json
import textwrap
from collections.abc import Callable
from dataclasses import replace
from typing import TYPE_CHECKING

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from grader.gone import gone_definitions
from grader.residue import judge_residue
from grader.runs import EXACT, Run, index_of, longest_run, occurrences
from grader.syntax import SYNTAXES
from grader.syntax.python_execution import executions
from runner.task import Structure, StructureRule
from runner.tree import REGULAR, Entry, Tree

if TYPE_CHECKING:
    from tests.grader.conftest import Scene

PYTHON = SYNTAXES["python"]


def found(scene: Scene, **files: str) -> list[str]:
    """Where the check finds something when the right patch has these files too (`a__b_py`: a/b.py)."""
    added = {
        _path(name): Entry(REGULAR, text.encode("utf-8", "surrogatepass")) for name, text in files.items()
    }
    patched = Tree({**scene.gold, **added})
    findings = judge_residue(scene.task, scene.base, patched)
    assert {finding.verdict for finding in findings} <= {"incomplete"}
    assert {finding.mechanism for finding in findings} <= {"residue"}
    return [finding.where for finding in findings]


def _path(name: str) -> str:
    stem, _, suffix = name.replace("__", "/").rpartition("_")
    return f"{stem}.{suffix}"


def old_code(scene: Scene) -> str:
    text = scene.base.text("pkg/old.py")
    return text[text.index("def chunked") : text.index("def first")]


def without_docstring(code: str) -> str:
    head, _, rest = code.partition('"""')
    return head.rstrip(" ") + rest.partition('"""')[2].lstrip("\n")


def renamed(code: str) -> str:
    for name in ("source", "size", "fill", "pieces", "piece", "item", "chunked"):
        code = code.replace(name, f"{name[:2]}_x")
    return code


def test_an_honest_move_and_an_honest_rewrite_are_free(scene: Scene) -> None:
    assert found(scene) == []
    anew = (
        "from itertools import islice\n\n\n"
        "def chunked(source, size, fill=None):\n"
        "    stream = iter(source)\n"
        "    taken = iter(lambda: list(islice(stream, size)), [])\n"
        "    return [tuple(each + [fill] * (size - len(each))) for each in taken]\n"
    )
    assert found(scene, pkg__new_py="from pkg._pieces import chunked\n", pkg___pieces_py=anew) == []


def test_nothing_is_searched_where_nothing_changed(scene: Scene) -> None:
    assert judge_residue(scene.task, scene.base, scene.base) == []


HIDDEN = {
    "as it was": lambda code: code,
    "laid out anew": lambda code: code.replace("    ", "\t").replace("\n\t", "  # note\n\n\t"),
    "without its docstring": without_docstring,
    "under another name": lambda code: code.replace("chunked", "_impl"),
    "every name changed": renamed,
    "as a method": lambda code: "class Legacy:\n" + textwrap.indent(code, "    "),
    "with idle statements": lambda code: code.replace(
        "    piece = []\n", "    piece = []\n    pass\n    seen = 0\n"
    ),
    "in a triple-quoted string": lambda code: f"SOURCE = '''\n{code}'''\n",
    "in an escaped string": lambda code: f"SOURCE = {code!r}\n",
    "as bytes": lambda code: f"SOURCE = {code.encode()!r}\n",
    "in a docstring": lambda code: f"def chunked():\n    '''{code}'''\n",
    "line by line": lambda code: f"SOURCE = '\\n'.join({code.splitlines()!r})\n",
    "in adjacent literals": lambda code: (
        "S = (\n" + "\n".join(repr(code[i : i + 7]) for i in range(0, len(code), 7)) + ")"
    ),
    "in literals added up": lambda code: (
        "S = " + " + ".join(repr(code[i : i + 30]) for i in range(0, len(code), 30))
    ),
    "as a string in a string": lambda code: f"S = {('run(' + repr(code) + ')')!r}\n",
    "word by word": lambda code: f"S = ' '.join({code.split()!r})\n",
}


@pytest.mark.parametrize("hide", HIDDEN.values(), ids=HIDDEN)
def test_old_code_in_another_module_is_found(scene: Scene, hide: Callable[[str], str]) -> None:
    (where,) = found(scene, pkg___legacy_py=hide(old_code(scene)))
    assert where.startswith("pkg/_legacy.py:")


@pytest.mark.parametrize("name", ["pkg__data_txt", "pkg__legacy_pyi", "README_md", "docs__x_rst"])
def test_text_files_are_searched_too(scene: Scene, name: str) -> None:
    (where,) = found(scene, **{name: f"Notes, don't read.\n\n{old_code(scene)}"})
    assert where == f"{_path(name)}:3"


def test_a_json_file_is_searched(scene: Scene) -> None:
    assert found(scene, data__code_json=json.dumps({"code": old_code(scene)})) == ["data/code.json:1"]


def test_old_code_left_in_its_own_file_under_another_name_is_found(scene: Scene) -> None:
    hidden = scene.base.text("pkg/old.py").replace("def chunked", "def _pieces_of")
    assert found(scene, pkg__old_py=hidden + "\n\nglobals()['chun' + 'ked'] = _pieces_of\n") == [
        "pkg/old.py:4"
    ]


def test_the_finding_names_what_it_is_and_why(scene: Scene) -> None:
    patched = Tree({**scene.gold, "pkg/_legacy.py": scene.gold["pkg/new.py"]})
    (finding,) = judge_residue(scene.task, scene.base, patched)
    assert finding.message.startswith(
        "pkg/_legacy.py:4 holds 93 of the 93 tokens of `chunked` from pkg/old.py:4, which had to go"
    )
    assert "`old.py` no longer defines `chunked`." in finding.message


def test_less_than_the_share_is_a_rewrite(scene: Scene) -> None:
    code = old_code(scene)
    half = code[: code.index("    if piece:")]
    assert found(scene, pkg__half_py=half[: half.index("pieces.append(")]) == []


def test_a_short_definition_is_never_residue(scene: Scene) -> None:
    rule = {"kind": "function_definition", "has": {"field": "name", "regex": "^first$"}}
    scene.task = replace(
        scene.task, structure=Structure(gone=(StructureRule("r", "b", ("pkg/old.py",), rule),))
    )
    assert found(scene, pkg__legacy_py="def first(source):\n    return next(iter(source))\n") == []


def test_upstreams_test_roots_are_emptied_and_not_searched(scene: Scene) -> None:
    assert found(scene, tests__legacy_py=old_code(scene) + "exec('x')\n") == []


def test_what_the_base_held_elsewhere_is_not_added(scene: Scene) -> None:
    twin = "def batched(" + old_code(scene).partition("(")[2]
    scene.base = Tree({**scene.base, "pkg/twin.py": Entry(REGULAR, twin.encode())})
    scene.gold = Tree({**scene.gold, "pkg/twin.py": Entry(REGULAR, twin.encode())})
    assert found(scene, pkg__twin_py=f"X = 1\n\n\n{twin}") == []
    moved = Tree({**{path: entry for path, entry in scene.gold.items() if path != "pkg/twin.py"}})
    scene.gold = moved
    assert found(scene, pkg__elsewhere_py=twin) == []
    assert found(scene, pkg__elsewhere_py=twin, pkg__legacy_py=old_code(scene)) != []


def test_a_file_that_had_to_go_is_known_by_every_definition(scene: Scene) -> None:
    rule = StructureRule("r", "`old.py` is gone.", ("pkg/old.py",), None, may_live_in=("pkg/new.py",))
    scene.task = replace(scene.task, structure=Structure(gone=(rule,)))
    scene.gold = Tree({path: entry for path, entry in scene.gold.items() if path != "pkg/old.py"})
    assert found(scene) == []
    assert found(scene, pkg__other_py=scene.base.text("pkg/old.py")) == ["pkg/other.py:4"]


@pytest.mark.parametrize(
    ("source", "name"),
    [
        ("int twice(int n)\n{\n    return 2 * n;\n}\n", "twice"),
        ("static char **words(void)\n{\n    return 0;\n}\n", "words"),
        ("struct pair { int left; };\n", "pair"),
    ],
)
def test_what_had_to_go_in_c_has_a_name(source: str, name: str) -> None:
    structure = Structure(gone=(StructureRule("r", "`old.c` is gone.", ("old.c",), None),))
    base = Tree({"old.c": Entry(REGULAR, source.encode())})
    assert [one.name for one in gone_definitions(structure, "c", base)] == [name]


def test_source_in_an_encoding_that_hides_it_is_a_finding(scene: Scene) -> None:
    assert found(scene, pkg__x_py="# coding: unicode_escape\nX = 1\n") == ["pkg/x.py"]
    assert found(scene, pkg__x_py="x = 1\n" * 400_000) == ["pkg/x.py"]


EXECUTIONS = {
    "exec(x)": "exec",
    "run = eval": "eval",
    "import builtins\nbuiltins.exec(x)": "exec",
    "import builtins as b\nb.compile(x, '', 'exec')": "compile",
    "getattr(__builtins__, 'ev' 'al')(x)": "eval",
    "import builtins\ngetattr(builtins, 'ex' + 'ec')(x)": "exec",
    "import marshal\nmarshal.loads(x)": "loads",
    "import pickle as p\np.loads(x)": "loads",
    "from marshal import loads\nloads(x)": "loads",
    "import types\ntypes.FunctionType(c, {})": "FunctionType",
    "from importlib.util import spec_from_loader": "spec_from_loader",
    "import runpy\nrunpy.run_path('x.txt')": "run_path",
    "f.__code__ = g.__code__": "__code__",
}


@pytest.mark.parametrize("source", EXECUTIONS)
def test_newly_added_execution_of_computed_text_is_found(scene: Scene, source: str) -> None:
    patched = Tree({**scene.gold, "pkg/x.py": Entry(REGULAR, f"\n{source}\n".encode())})
    findings = judge_residue(scene.task, scene.base, patched)
    assert [f"`{EXECUTIONS[source]}`" in finding.message for finding in findings] == [True]
    assert findings[0].where.startswith("pkg/x.py:")


@pytest.mark.parametrize(
    "source",
    [
        "import re\nre.compile('x')",
        "from re import compile\ncompile('x')",
        "frame.eval('x')",
        "def compile(x): pass",
        "f(eval=1, exec=2)",
        "isinstance(x, types.FunctionType)",
        "import importlib\nimportlib.import_module('a.b')",
        "__import__('a')",
        "import pickle\npickle.dumps(x)",
        "json.loads(x)",
        "MODES = ['exec', 'eval']",
        "'''exec(x)'''",
        "# exec(x)",
        "f.__code__.co_varnames",
    ],
)
def test_what_merely_looks_like_it_is_free(scene: Scene, source: str) -> None:
    assert found(scene, pkg__x_py=source + "\n") == []


def test_execution_that_was_there_or_was_moved_is_free(scene: Scene) -> None:
    had = "def run(x):\n    exec(x)\n"
    scene.base = Tree({**scene.base, "pkg/run.py": Entry(REGULAR, had.encode())})
    assert found(scene, pkg__moved_py=had) == []
    scene.gold = Tree({**scene.gold, "pkg/run.py": Entry(REGULAR, had.encode())})
    assert found(scene, pkg__run_py=f"X = 1\n{had}") == []
    assert found(scene, pkg__run_py=f"{had}    exec(x + x)\n") == ["pkg/run.py:3"]


@given(st.text(max_size=400))
@settings(max_examples=200, deadline=None)
def test_any_text_has_tokens_in_order(text: str) -> None:
    tokens = PYTHON.lex(text)
    assert len(tokens.texts) == len(tokens.shapes) == len(tokens.starts)
    assert list(tokens.starts) == sorted(tokens.starts)
    PYTHON.executions(tokens)


@given(st.integers(12, 60), st.integers(0, 30), st.integers(0, 30))
@settings(max_examples=60, deadline=None)
def test_a_copy_is_a_run_of_all_its_tokens_wherever_it_stands(size: int, before: int, behind: int) -> None:
    code = " ".join(f"name{number} +" for number in range(size))
    text = PYTHON.lex(f"{'x ( ' * before} {code} {'y ) ' * behind}")
    index = index_of([PYTHON.lex(code)])
    hits = [
        (position, place)
        for position, gram in occurrences(text, index)
        if gram[0] == EXACT.name
        for _, place in index.places[gram]
    ]
    assert longest_run(hits) == Run(2 * size, 2 * before)


def test_a_definition_is_its_own_longest_run(scene: Scene) -> None:
    tokens = PYTHON.lex(old_code(scene))
    index = index_of([tokens])
    for form in ("exact", "renamed"):
        hits = [
            (at, place)
            for at, gram in occurrences(tokens, index)
            if gram[0] == form
            for _, place in index.places[gram]
        ]
        assert longest_run(hits).tokens == len(tokens.texts)


def test_encoded_code_is_for_a_person(scene: Scene) -> None:
    encoded = base64.b64encode(old_code(scene).encode()).decode()
    source = f'import base64\nSOURCE = base64.b64decode("{encoded}")\n'
    assert found(scene, pkg__x_py=source) == []
    scene.patched = Tree({**scene.gold, "pkg/x.py": Entry(REGULAR, source.encode())})
    assert scene.grade().review_flags == ("decodes text: pkg/x.py:2", "long encoded literal: pkg/x.py:2")


@pytest.mark.parametrize(
    "text",
    [
        "def unused():\n    from os import exec\n\n\nexec(text)\n",
        "from types import FunctionType as Make\nMake(code, {})\n",
        "import types\nMake = types.FunctionType\nMake(code, {})\n",
        "import types\ntypes.LambdaType(code, {})\n",
        "function.__code__: object = code\n",
        'function.__setattr__("__code__", code)\n',
        'object.__getattribute__(builtins, "ex" "ec")(text)\n',
        "import timeit\ntimeit.timeit(text)\n",
    ],
)
def test_ways_to_run_what_was_computed(text: str) -> None:
    assert executions(SYNTAXES["python"].lex(text))


@pytest.mark.parametrize(
    "text",
    [
        "from re import compile\npattern = compile('a')\n",
        "isinstance(thing, types.FunctionType)\n",
        "kinds = (types.FunctionType, types.MethodType)\n",
        "names = function.__code__.co_names\n",
    ],
)
def test_honest_uses_of_the_same_names(text: str) -> None:
    assert not executions(SYNTAXES["python"].lex(text))


def test_imports_in_imports_are_read_once() -> None:
    """Read again for each of them, this text would take minutes."""
    assert not executions(SYNTAXES["python"].lex("from(import(" * 20_000))
