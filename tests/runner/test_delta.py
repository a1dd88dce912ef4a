"""A delta gives the edited tree back, reads only against its own base, and holds only our own text."""

from __future__ import annotations

import re
from functools import cache
from pathlib import Path

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from runner.delta import decode, encode, foreign_runs, record
from runner.delta.words import quote, split_words, unquote, unword, word
from runner.errors import DeltaError
from runner.tree import EXECUTABLE, REGULAR, SYMLINK, Entry, Tree, write_tree
from runner.tree_paths import path_fault

SHAPES = b"""import math


class Square:
    def __init__(self, side):
        self.side = side

    def area(self):
        return self.side * self.side


class Circle:
    def __init__(self, radius):
        self.radius = radius

    def area(self):
        return math.pi * self.radius ** 2
"""


def tree(**files: bytes | str | Entry) -> Tree:
    """A tree of regular files; `a__b_py` names `a/b.py`."""
    entries = {}
    for name, data in files.items():
        path = re.sub(r"_(py|txt|md)$", r".\1", name).replace("__", "/")
        raw = data.encode() if isinstance(data, str) else data
        entries[path] = raw if isinstance(raw, Entry) else Entry(REGULAR, raw)
    return Tree(entries)


def test_a_moved_class_is_a_copy_and_the_delta_holds_only_our_own_lines() -> None:
    circle = SHAPES.index(b"class Circle")
    base = tree(shapes_py=SHAPES)
    edited = tree(shapes_py=SHAPES[13 : circle - 2], circle_py=b"PI = 3.14\n\n\n" + SHAPES[circle:])

    text = encode(base, edited)

    own = [line.strip() for line in text.splitlines() if line.lstrip().startswith(("|", "="))]
    assert decode(text, base) == edited
    assert "  copy shapes.py 12-17\n" in text
    assert [line for line in own if line != "|"] == ["| PI = 3.14"]


def test_a_rename_is_written_as_one_substitution() -> None:
    base = tree(shapes_py=SHAPES)
    edited = tree(shapes_py=SHAPES.replace(b"radius", b"r"))

    text = encode(base, edited)

    assert "copy 1-17 radius -> r\n" in text
    assert decode(text, base) == edited


@pytest.mark.parametrize(
    ("edited", "expected"),
    [
        (tree(), "delete shapes.py"),
        (tree(form_py=SHAPES), "file form.py from shapes.py"),
        (tree(shapes_py=Entry(EXECUTABLE, SHAPES)), "file shapes.py mode 100755"),
        (tree(shapes_py=SHAPES.replace(b"\n", b"\r\n")), "file shapes.py eol crlf\n  copy 1-17 eol crlf"),
        (tree(shapes_py=SHAPES.replace(b"\n    ", b"\n\t    ")), 'indent +"\\t"'),
        (tree(shapes_py=SHAPES.replace(b"\n    ", b"\n  ")), "indent -2"),
        (tree(shapes_py=SHAPES[:-1]), 'copy 1-17 "2\\n" -> "2"'),
        (tree(shapes_py=SHAPES + b"x = 1 \n"), '= "x = 1 \\n"'),
        (tree(shapes_py=SHAPES + "x = '\u202e'\n".encode()), "= \"x = '\\xe2\\x80\\xae'\\n\""),
        (tree(shapes_py=SHAPES + b"x = '\xff'\n"), "= \"x = '\\xff'\\n\""),
        (tree(shapes_py=SHAPES, empty_py=b""), "file empty.py\n  sha256"),
        (tree(shapes_py=SHAPES, link=Entry(SYMLINK, b"shapes.py")), "file link mode 120000"),
    ],
)
def test_every_sort_of_change_goes_round(edited: Tree, expected: str) -> None:
    base = tree(shapes_py=SHAPES)

    text = encode(base, edited)

    assert expected in text
    assert decode(text, base) == edited
    text.encode()


def test_nothing_changed_is_the_header_alone() -> None:
    assert encode(tree(shapes_py=SHAPES), tree(shapes_py=SHAPES)) == "assay-delta 1\n"


def test_an_altered_binary_is_refused_and_a_renamed_one_is_not() -> None:
    base = Tree({"a.bin": Entry(REGULAR, b"\0\1\2\n" * 9)})

    with pytest.raises(DeltaError, match=r"`a\.bin` is binary"):
        encode(base, Tree({"a.bin": Entry(REGULAR, b"\0\1\3\n" * 9)}))
    renamed = Tree({"b.bin": base["a.bin"]})
    assert decode(encode(base, renamed), base) == renamed


def test_paths_that_need_quotes_go_round() -> None:
    base = Tree(
        {name: Entry(REGULAR, SHAPES) for name in ("from", "1-2", "a b,c", "caf\u00e9", "x\udcff", '"')}
    )
    edited = Tree({f"d/{name}": Entry(REGULAR, b"#\n" + entry.data) for name, entry in base.items()})

    assert decode(encode(base, edited), base) == edited


def test_another_base_is_refused() -> None:
    base = tree(shapes_py=SHAPES)
    text = encode(base, tree(shapes_py=SHAPES + b"x = 1\n"))

    with pytest.raises(DeltaError, match=r"line 2: `shapes\.py` differs in this base"):
        decode(text, tree(shapes_py=SHAPES + b"\n"))
    with pytest.raises(DeltaError, match=r"line 2: the base has no `shapes\.py`"):
        decode(text, tree(other_py=SHAPES))


def test_a_delta_with_any_one_line_dropped_is_refused() -> None:
    base = tree(shapes_py=SHAPES, other_py=b"one = 1\ntwo = 2\n", gone_py=b"x\n")
    edited = tree(
        shapes_py=SHAPES.replace(b"radius", b"r") + b"\nx = 1\n", new_py=b"two = 2\nnew = 3\n", other_py=b""
    )
    text = encode(base, edited)
    lines = text.split("\n")

    for number, line in enumerate(lines):
        if line.strip():
            with pytest.raises(DeltaError):
                decode("\n".join(lines[:number] + lines[number + 1 :]), base)


FILE = "assay-delta 1\nbase a.py {a}\nfile a.py\n"


@pytest.mark.parametrize(
    ("body", "message"),
    [
        ("file a.py\n  copy 1-2 absent -> x\n", r"line 4: the substitution of b'absent' does nothing"),
        ("file a.py\n  copy 1-2 on -> x\n", r"line 4: the substitution of b'on' does nothing"),
        ("file a.py\n  copy 1-3\n", r"line 4: `a\.py` has 2 lines, not 1-3"),
        ("file a.py\n  copy 2-1\n", r"line 4: `a\.py` has 2 lines, not 2-1"),
        ("file a.py\n  copy 0-1\n", r"line 4: .*`0-1` has no `base` line"),
        ("file a.py\n  copy\n", r"line 4: `copy` needs the lines"),
        ("file a.py\n  copy b.py 1\n", r"line 4: `b\.py` has no `base` line"),
        ("file a.py\n  copy 1 indent -4\n", r"line 4: a line copied from `a\.py` has less indentation"),
        ("file a.py\n  copy 1 indent 4\n", r"line 4: `indent` needs a sign"),
        ("file a.py\n  copy 1 eol cr\n", r"line 4: `eol` needs `crlf` or `lf`"),
        ("file a.py\n  copy 1 one ->\n", r"line 4: `one ->` is no substitution"),
        ("file a.py\n  copy 1 one -> x,\n", r"line 4: .* is no substitution"),
        ('file a.py\n  = "\\q"\n', r"line 4: .*is no escape"),
        ("file a.py\n  = x\n", r"line 4: x is not a quoted text"),
        ('file a.py\n  copy 1 "one -> x\n', r"line 4: a double quote is not closed"),
        ("file a.py\n  |x\n", r"line 4: a blank belongs between"),
        ("file a.py\n  paste 1\n", r"line 4: `paste` begins no line"),
        ("file a.py\n  | x\n  sha256 00\n", r"line 5: the outcome of `a\.py` has another digest"),
        ("file a.py mode 160000\n", r"line 3: mode 160000 is none of"),
        ("file a.py to b.py\n", r"line 3: after the path come"),
        ("file a.py\n  | x\nfile c.py\n", r"line 5: the file entry of line 3 has no `sha256`"),
        ("file a.py\n  | x\n", r"the file entry of line 3 has no `sha256`"),
        ("  | x\n", r"line 3: this line belongs into a `file` entry"),
        ("delete a.py\ndelete a.py\n", r"line 4: `a\.py` has an entry already"),
        ("delete b.py\n", r"line 3: `b\.py` has no `base` line"),
        ("# nothing\n", r"line 2: nothing reads, replaces or deletes `a\.py`"),
        ("delete ../a.py\n", r"line 3: the path `\.\./a\.py` has the component `\.\.`"),
        ("file /etc/passwd\n", r"line 3: the path `/etc/passwd` is absolute"),
        ("file x/.GIT/config\n", r"line 3: the path `x/\.GIT/config` has the component"),
    ],
)
def test_what_does_not_read_is_refused_with_its_line(body: str, message: str) -> None:
    base = tree(a_py=b"one = 1\ntwo = 2\n")
    header = encode(base, tree()).split("\n\n")[0]

    with pytest.raises(DeltaError, match=message):
        decode(f"{header}\n{body}", base)


def test_no_header_no_delta() -> None:
    with pytest.raises(DeltaError, match="line 1: 'diff --git a/x b/x' is not"):
        decode("diff --git a/x b/x\n", tree())


@pytest.mark.parametrize(
    ("path", "target", "message"),
    [
        ("d/link", b"../../outside", "leads out of the repository"),
        ("link", b"/etc/passwd", "leads out of the repository"),
        ("link", b"old/x", "passes through another link"),
        ("old/x", b"x", "lies beyond `old`, which is a link"),
        ("a.py/x", b"x", r"lies beyond `a\.py`, which is a file"),
    ],
)
def test_a_link_stays_in_the_tree(path: str, target: bytes, message: str) -> None:
    base = Tree({"a.py": Entry(REGULAR, b"x\n"), "old": Entry(SYMLINK, b".")})

    with pytest.raises(DeltaError, match=message):
        encode(base, Tree({**base, path: Entry(SYMLINK, target)}))


def test_record_reads_folders_and_leaves_by_products_out(tmp_path: Path) -> None:
    base, edited = tree(shapes_py=SHAPES), tree(shapes_py=SHAPES + b"x = 1\n")
    write_tree(base, tmp_path / "base")
    write_tree(edited, tmp_path / "edited")
    (tmp_path / "edited" / "__pycache__").mkdir()
    (tmp_path / "edited" / "__pycache__" / "shapes.pyc").write_bytes(b"\0")

    text = record(tmp_path / "base", tmp_path / "edited")

    assert decode(text, base) == edited


def test_foreign_runs_names_delta_line_and_upstream_line() -> None:
    base = tree(shapes_py=SHAPES)
    copied = SHAPES.decode().splitlines()[3:9]
    text = "\n".join(["assay-delta 1", "file x.py", "  | # ours", *(f"  |   {line}" for line in copied)])

    (run,) = foreign_runs(text, base)

    assert (run.line, run.count, run.where, run.path, run.at) == (4, 5, "base", "shapes.py", 4)
    assert foreign_runs(text, tree(), later=base)[0].where == "later"
    assert foreign_runs(text.replace("self.side = side", "self.s = side"), base) == ()


def test_a_recorded_delta_has_no_foreign_run() -> None:
    base = tree(shapes_py=SHAPES)
    text = encode(base, tree(new_py=b"# ours\n" + SHAPES[14:]))

    assert foreign_runs(text, base) == ()


@given(st.binary(max_size=40))
def test_words_go_round(data: bytes) -> None:
    assert unquote(quote(data)) == data
    if data:
        (only,) = split_words(word(data))
        assert unword(only) == data


LINE = st.one_of(
    st.sampled_from(
        [
            b"def f(x):",
            b"    return x",
            b"",
            b"}",
            b"\tvalue = f(x, 1)",
            b"class A:",
            b"import os, sys",
            b"    x = f(y)",
        ]
    ),
    st.binary(max_size=12).map(lambda data: data.replace(b"\n", b"").replace(b"\0", b"")),
)
FILE_DATA = st.builds(
    lambda lines, eol, end: eol.join(lines) + end,
    st.lists(LINE, max_size=14),
    st.sampled_from([b"\n", b"\r\n"]),
    st.sampled_from([b"", b"\n"]),
)
MODE = st.sampled_from([REGULAR, EXECUTABLE])
FILES = st.dictionaries(
    st.sampled_from(["a.py", "b.py", "d/c.py", "d/e f.py", "from"]),
    st.builds(Entry, MODE, FILE_DATA),
    max_size=4,
)


def scrambled(draw: st.DrawFn, data: bytes) -> bytes:
    """`data` with lines moved, renamed, indented or dropped."""
    lines = data.split(b"\n")
    for _ in range(draw(st.integers(0, 4))):
        at = draw(st.integers(0, len(lines) - 1))
        match draw(st.integers(0, 4)):
            case 0:
                lines.insert(draw(st.integers(0, len(lines))), lines[at])
            case 1:
                lines = [line.replace(b"x", b"why") for line in lines]
            case 2:
                lines[at:] = [b"  " + line for line in lines[at:]]
            case 3:
                lines[at : at + 2] = []
            case _:
                lines[at] = lines[at].replace(b"f(", b"g(1, ")
        lines = lines or [b""]
    return b"\n".join(lines)


@st.composite
def edits(draw: st.DrawFn) -> tuple[Tree, Tree]:
    base = draw(FILES)
    edited = dict(draw(FILES))
    for path, entry in base.items():
        target = draw(st.sampled_from([path, "d/moved.py", None]))
        if target is not None:
            edited[target] = Entry(draw(MODE), scrambled(draw, entry.data))
    return Tree(base), Tree(edited)


@settings(max_examples=60, deadline=None, suppress_health_check=[HealthCheck.too_slow])
@given(edits())
def test_any_edit_goes_round(pair: tuple[Tree, Tree]) -> None:
    base, edited = pair

    text = encode(base, edited)

    assert decode(text, base) == edited
    assert decode(text.encode().decode(), base).digest == edited.digest


@cache
def some_delta() -> tuple[str, Tree]:
    """A delta with every sort of line, and its base."""
    base = tree(shapes_py=SHAPES, other_py=b"one = 1\r\n\ttwo = 2\n")
    edited = tree(
        shapes_py=SHAPES.replace(b"radius", b"r").replace(b"    ", b"  "), new_py=b"x\r\n\ty = 2 \n"
    )
    return encode(base, edited), base


@settings(max_examples=200, deadline=None)
@given(st.data())
def test_a_garbled_delta_is_read_or_refused_and_nothing_else(data: st.DataObject) -> None:
    text, base = some_delta()
    for _ in range(data.draw(st.integers(1, 3))):
        at = data.draw(st.integers(0, len(text) - 1))
        patch = data.draw(
            st.one_of(
                st.sampled_from(["", " ", '"', ",", "->", "\n", "copy", "|", "\\"]), st.text(max_size=2)
            )
        )
        text = text[:at] + patch + text[at + data.draw(st.integers(0, 4)) :]

    try:
        outcome = decode(text, base)
    except DeltaError as refusal:
        assert str(refusal)
    else:
        assert all(path_fault(path) is None for path in outcome)
