"""Kinds of tabular data and of headers, the index column and the command line."""

import contextlib
import io
import sys
from collections import namedtuple
from dataclasses import dataclass

import pytest
import tabulate as package
from tabulate import SEPARATING_LINE, tabulate

Point = namedtuple("Point", ["lat", "lon"])


@dataclass
class Stop:
    name: str
    minute: int


class Index(list):
    """Stands in for the index of a data frame."""

    name = None


class Frame:
    """Stands in for a data frame: keys, a matrix of values and an index."""

    def __init__(self, columns, rows, index, name=None):
        self.columns = columns
        self.values = rows
        self.index = Index(index)
        self.index.name = name

    def keys(self):
        return self.columns

    def __iter__(self):
        return iter(self.columns)


class Cursor:
    """Stands in for a cursor of a data base."""

    description = [("id", int), ("label", str)]
    rowcount = 2

    def fetchone(self):
        return None

    def __iter__(self):
        return iter([(4, "four"), (15, "teen")])


class Records(list):
    """Stands in for an array of records."""

    class dtype:
        names = ("ra", "dec")


class Unfit:
    """Has keys and values, but is neither a dict nor a data frame."""

    values = 3

    def keys(self):
        return []


def test_dict_of_uneven_columns():
    table = tabulate({"x": [1, 2, 3], "why": ["p"]}, headers="keys", tablefmt="presto")
    assert table.split("\n") == ["   x | why", "-----+-------", "   1 | p", "   2 |", "   3 |"]


def test_dict_of_columns_with_first_row_as_headers():
    table = tabulate({5: ["h1", "a"], 6: ["h2", "b"]}, headers="firstrow", tablefmt="tsv")
    assert table == "h1  \th2\na   \tb"


def test_data_frame_shows_its_index():
    frame = Frame(["u", "v"], [[1, "a"], [2, "b"]], [30, 41], name="no")
    assert tabulate(frame, headers="keys", tablefmt="presto").split("\n") == [
        "   no |   u | v",
        "------+-----+-----",
        "   30 |   1 | a",
        "   41 |   2 | b",
    ]
    assert tabulate(frame, headers="keys", tablefmt="tsv", showindex="never").split("\n")[1] == "  1\ta"
    assert tabulate(frame, headers="firstrow", tablefmt="tsv").split("\n") == ["  30\t  1\ta", "  41\t  2\tb"]


def test_data_frame_with_levels_in_its_index():
    frame = Frame(["u"], [[1], [2]], ["i", "j"], name=["outer"])
    assert tabulate(frame, headers="keys", tablefmt="tsv", showindex=True).split("\n") == [
        "outer  \t  u",
        "i      \t  1",
        "j      \t  2",
    ]


def test_named_tuples_by_their_fields():
    points = [Point(1.5, 20), Point(30.25, 4)]
    assert tabulate(points, headers="keys", tablefmt="presto").split("\n") == [
        "   lat |   lon",
        "-------+-------",
        "  1.5  |    20",
        " 30.25 |     4",
    ]
    assert tabulate(points, headers="firstrow", tablefmt="tsv") == "  1.5\t  20\n30.25\t   4"


def test_dicts_with_different_keys():
    rows = [{"b": 1, "a": 2}, {"c": 3, "a": 4}, {}]
    assert tabulate(rows, headers="keys", tablefmt="tsv").split("\n") == [
        "  b\t  a\t  c",
        "  1\t  2",
        "   \t  4\t  3",
        "",
    ]
    assert tabulate(rows, tablefmt="tsv").split("\n") == ["1\t2", " \t4\t3", ""]


def test_dicts_with_renamed_headers():
    rows = [{"b": 1, "a": 2}, {"c": 3}]
    assert tabulate(rows, headers={"a": "apple", "c": 9}, tablefmt="tsv").split("\n") == [
        "  b\t  apple\t  9",
        "  1\t      2",
        "   \t       \t  3",
    ]


def test_dicts_with_first_row_as_headers():
    rows = [{"b": "bee", "a": "ay"}, {"b": 5, "c": 6}]
    assert tabulate(rows, headers="firstrow", tablefmt="tsv").split("\n") == [
        "  bee\tay  \t  c",
        "    5\t    \t  6",
    ]
    assert tabulate(rows[:1], headers="firstrow", tablefmt="pretty") + "<" == "<"


def test_dicts_with_a_list_of_headers():
    with pytest.raises(ValueError) as error:
        tabulate([{"b": 1}], headers=["bee"])
    assert [str(error.value).split()[-1], len(str(error.value))] == ["keyword", 54]


def test_cursor_gives_its_column_names():
    assert tabulate(Cursor(), headers="keys", tablefmt="presto").split("\n") == [
        "   id | label",
        "------+---------",
        "    4 | four",
        "   15 | teen",
    ]


def test_records_give_their_field_names():
    assert tabulate(Records([(10, "a"), (2, "b")]), headers="keys", tablefmt="presto").split("\n") == [
        "   ra | dec",
        "------+-------",
        "   10 | a",
        "    2 | b",
    ]


def test_dataclasses_with_a_separating_line():
    stops = [Stop("gate", 5), SEPARATING_LINE, Stop("pier", 48)]
    assert tabulate(stops, headers="keys", tablefmt="simple").split("\n") == [
        "name      minute",
        "------  --------",
        "gate           5",
        "------  --------",
        "pier          48",
    ]
    assert tabulate(stops, headers=["stop"], tablefmt="psql").split("\n") == [
        "+------+--------+",
        "|      |   stop |",
        "|------+--------|",
        "| gate |      5 |",
        "|------+--------|",
        "| pier |     48 |",
        "+------+--------+",
    ]


def test_numbered_headers_and_empty_tables():
    assert tabulate(iter([["p", "q"], ["r", "s"]]), headers="keys", tablefmt="presto").split("\n") == [
        " 0   | 1",
        "-----+-----",
        " p   | q",
        " r   | s",
    ]
    assert [tabulate(empty, headers="keys") + "|" for empty in ([], {}, None, iter(()))] == [
        "|",
        "|",
        "|",
        "|",
    ]
    assert tabulate(None, headers=["solo", "duo"], tablefmt="psql").split("\n") == [
        "+--------+-------+",
        "| solo   | duo   |",
        "|--------+-------|",
        "+--------+-------+",
    ]


def test_first_row_and_too_few_headers():
    rows = [["k", 2.5, None], ["a", 7, "b"]]
    assert tabulate(rows, headers="firstrow", tablefmt="presto").split("\n") == [
        " k   |   2.5 | None",
        "-----+-------+--------",
        " a   |     7 | b",
    ]
    assert tabulate(rows, headers=["last"], tablefmt="presto").split("\n")[0] == "    |     | last"


def test_index_of_numbers_or_of_the_caller():
    rows = [["a"], ["b"]]
    assert tabulate(rows, headers=["h"], showindex="always", tablefmt="presto").split("\n") == [
        "    | h",
        "----+-----",
        "  0 | a",
        "  1 | b",
    ]
    assert tabulate(rows, showindex=iter("xyz"), tablefmt="tsv") == "x\ta\ny\tb"
    assert tabulate(rows, showindex=[12, 6], tablefmt="tsv") == "12\ta\n 6\tb"
    assert tabulate(rows, showindex="sometimes", tablefmt="tsv") == "a\nb"


def test_index_skips_separating_lines():
    rows = [["a", 10], SEPARATING_LINE, ["b", 2]]
    assert tabulate(rows, showindex=iter("ij"), tablefmt="simple").split("\n") == [
        "-  -  --",
        "i  a  10",
        "-  -  --",
        "j  b   2",
        "-  -  --",
    ]


def test_index_of_another_length():
    with pytest.raises(ValueError) as error:
        tabulate([["a"], ["b"], ["c"]], showindex=[1, 2])
    assert str(error.value).split(": ")[1] == "len(index)=2 len(rows)=3"


def test_data_that_are_not_a_table():
    with pytest.raises(TypeError) as error:
        tabulate(17)
    assert [len(line) for line in str(error.value).split("\n")] == [0, 0, 95, 47]
    with pytest.raises(TypeError) as flat:
        tabulate({"a": 4})
    assert str(flat.value).split()[-6:-3] == ["extra", "[]", "or"]


def test_mapping_that_is_neither_dict_nor_frame():
    with pytest.raises(ValueError) as error:
        tabulate(Unfit())
    assert [str(error.value).split()[-1], len(str(error.value))] == ["DataFrame", 55]


def test_data_are_left_as_they_were():
    rows = [["b", 1], SEPARATING_LINE, ["a", 2]]
    names = ["k", "v"]
    tabulate(rows, headers=names, showindex=True, tablefmt="textile")
    assert [len(row) for row in rows] + [len(names)] == [2, 1, 2, 2]


def _run(arguments):
    saved = sys.argv
    sys.argv = ["tabulate", *arguments]
    try:
        package._main()
    finally:
        sys.argv = saved


def test_command_line_formats_a_file(tmp_path):
    source, target = tmp_path / "in.txt", tmp_path / "out.txt"
    source.write_text("name;size\n\nelm;1234.5\nbeech;88\n")
    _run(["-1", "-s", ";", "-f", "presto", "-F", ".1f", "-o", str(target), str(source)])
    assert target.read_text().split("\n") == [
        " name   |   size",
        "--------+--------",
        " elm    | 1234.5",
        " beech  |   88.0",
        "",
    ]


def test_command_line_aligns_columns(tmp_path):
    source, target = tmp_path / "in.txt", tmp_path / "out.txt"
    source.write_text("elm 12345\nbeech 88\n")
    _run(
        ["--colalign", "right left", "--int", ",", "--format", "orgtbl", "--output", str(target), str(source)]
    )
    assert target.read_text().split("\n") == ["|   elm | 12345 |", "| beech | 88    |", ""]


def test_command_line_refuses_unknown_formats(tmp_path):
    said = io.StringIO()
    with contextlib.redirect_stdout(said), pytest.raises(SystemExit) as stop:
        _run(["-f", "cuneiform", str(tmp_path / "in.txt")])
    assert said.getvalue().split()[:2] == ["cuneiform", "is"]
    assert stop.value.code == 3
