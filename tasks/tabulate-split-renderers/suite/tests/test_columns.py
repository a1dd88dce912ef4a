"""The modules `tabulate.coltypes` and `tabulate.alignment`."""

from datetime import time

import tabulate as package
from tabulate.alignment import align_column, align_header
from tabulate.coltypes import (
    FORMATTERS,
    after_point,
    column_type,
    deduce_type,
    format_value,
    is_number,
)


def _put_back(table, saved):
    table.clear()
    table.update(saved)


def test_numbers_are_told_from_text():
    candidates = ["-8.5", "1e4", "1e400", "NaN", "inf", "six", None, 3 + 0j, b"12", "", "7,000"]
    assert [position for position, each in enumerate(candidates) if is_number(each)] == [0, 1, 3, 4, 8]


def test_types_of_single_values():
    values = [None, "", "False", True, "12", 5, "1,500", "1,500.5", "2e3", time(8, 15), b"ab", b"34", "oak"]
    assert [deduce_type(value).__name__ for value in values] == [
        "NoneType",
        "NoneType",
        "bool",
        "bool",
        "int",
        "int",
        "int",
        "float",
        "float",
        "str",
        "bytes",
        "int",
        "str",
    ]


def test_types_without_number_parsing_and_control_sequences():
    values = ["12", 5, 2.5, "True", b"34", "\x1b[31m9\x1b[0m"]
    assert [deduce_type(value, numparse=False).__name__ for value in values] == [
        "str",
        "str",
        "str",
        "bool",
        "bytes",
        "str",
    ]
    assert [deduce_type(value, has_invisible=False).__name__ for value in values] == [
        "int",
        "int",
        "float",
        "bool",
        "int",
        "str",
    ]


def test_digits_after_the_point():
    numbers = ["3.14159", "88", "2e10", "elm", "1,234.56", "1,234", "7."]
    assert [after_point(number) for number in numbers] == [5, -1, 2, -1, 2, -1, 0]


def test_types_of_columns():
    columns = [[True, None], [1, "2.5"], [1, True], [b"x", 3], ["", None], ["4", "IV"], [2.5, b"x"], []]
    assert [column_type(column).__name__ for column in columns] == [
        "bool",
        "float",
        "int",
        "bytes",
        "bool",
        "str",
        "bytes",
        "bool",
    ]
    assert [column_type(column, numparse=False).__name__ for column in columns] == [
        "bool",
        "str",
        "str",
        "str",
        "bool",
        "str",
        "str",
        "bool",
    ]


def test_values_written_by_type():
    assert [
        format_value(31, int, "g", "o"),
        format_value("2,500.125", float, ".1f", ""),
        format_value("?", float, ".1f", ""),
        format_value(b"\xfe", bytes, "g", ""),
        format_value(b"ok", bytes, "g", ""),
        format_value(7, str, "g", "05d"),
        format_value(True, bool, "g", ""),
    ] == ["37", "2,500.125", "?", "b'\\xfe'", "ok", "7", "True"]


def test_missing_and_empty_values_written():
    written = [format_value(None, int, "g", "d", "n/a"), "<" + format_value("", float, "g", "", "n/a") + ">"]
    assert written == ["n/a", "<>"]
    assert "<" + format_value(None, float, "g", "") + ">" == "<>"


def test_coloured_values_written():
    assert [
        format_value("\x1b[31m6.125\x1b[0m", float, ".1f", ""),
        format_value("\x1b[31m6.125\x1b[0m", float, ".1f", "", has_invisible=False),
        format_value("\x1b[32m98765\x1b[0m", int, "g", ","),
    ] == ["\x1b[31m6.1\x1b[0m", "\x1b[31m6.125\x1b[0m", "\x1b[32m98,765\x1b[0m"]


def test_formatters_write_by_type():
    assert [
        FORMATTERS[int](255, "g", "x", True),
        FORMATTERS[float]("1.5", ".3f", "", False),
        FORMATTERS[bytes](b"\xe9t", "g", "", True),
    ] == ["ff", "1.500", "b'\\xe9t'"]


def test_formatters_added_take_effect():
    saved = dict(FORMATTERS)
    FORMATTERS[bool] = lambda val, floatfmt, intfmt, has_invisible: f"{str(val)[0]}{intfmt}{floatfmt}"
    try:
        table = package.tabulate([[True], [False]], intfmt="d", floatfmt=".3f", tablefmt="plain")
    finally:
        _put_back(FORMATTERS, saved)
    assert table.split("\n") == ["Td.3f", "Fd.3f"]


def test_formatters_replaced_and_removed_take_effect():
    saved = dict(FORMATTERS)
    del FORMATTERS[float]
    try:
        bare = package.tabulate([[2.0], [10.125]], floatfmt=".1f", tablefmt="plain")
        FORMATTERS[float] = lambda val, floatfmt, intfmt, has_invisible: f"{val}{floatfmt}{has_invisible}"
        marked = format_value(1.5, float, "%", "", "", False)
    finally:
        _put_back(FORMATTERS, saved)
    assert bare.split("\n") == [" 2.0", "10.125"]
    assert marked == "1.5%False"


def test_columns_aligned_by_name():
    cells = [" ab", "c ", "defg"]
    assert align_column(cells, "right", 6) == ["    ab", "     c", "  defg"]
    assert align_column(cells, "center", has_invisible=False) == [" ab ", " c  ", "defg"]
    assert align_column(cells, "no such name", 5) == ["ab   ", "c    ", "defg "]
    assert [len(cell) for cell in align_column(cells, None, 9)] == [3, 2, 4]


def test_columns_aligned_by_their_points():
    assert align_column(["1.25", "310", "-7.5", "x"], "decimal", 9) == [
        "     1.25",
        "   310   ",
        "    -7.5 ",
        "     x   ",
    ]
    assert align_column(["\x1b[31m1.5\x1b[0m", "22"], "decimal") == [" \x1b[31m1.5\x1b[0m", "22  "]


def test_columns_with_blanks_preserved():
    assert align_column([" ab", "c "], "left", 4, preserve_whitespace=True) == [" ab ", "c   "]
    assert align_column([" ab", "c "], "decimal", 4, preserve_whitespace=True) == ["  ab", "  c "]


def test_columns_of_several_lines():
    cells = ["one\nfour5", "\x1b[1msix\x1b[0m", ""]
    assert align_column(cells, "right", 7, is_multiline=True) == [
        "    one\n  four5",
        "    \x1b[1msix\x1b[0m",
        "",
    ]
    assert align_column(["a\n\nbcd", "ef"], "center", 4, has_invisible=False, is_multiline=True) == [
        " a  \n    \nbcd ",
        " ef ",
    ]


def test_headers_aligned_by_name():
    aligned = [
        align_header("head", name, 8, 4) for name in ("left", "center", "right", "decimal", "odd", None)
    ]
    assert aligned == ["head    ", "  head  ", "    head", "    head", "    head", "head"]


def test_headers_of_several_lines():
    assert align_header("a\nlong", "center", 9, 4, True, len) == "    a    \n  long   "
    assert align_header("\x1b[1mhd\x1b[0m", "left", 5, 2) == "\x1b[1mhd\x1b[0m   "
