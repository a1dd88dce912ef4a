"""Types of columns, numbers, alignment, wrapping and wide characters, seen through `tabulate.tabulate`."""

import importlib
import importlib.machinery
import sys
import types
import warnings
from datetime import date
from decimal import Decimal
from fractions import Fraction

from tabulate import tabulate


def _with_wide_characters(use):
    """What `use` makes of a fresh package that finds a wcwidth: two columns for what lies beyond U+1100."""
    stand_in = types.ModuleType("wcwidth")
    stand_in.__spec__ = importlib.machinery.ModuleSpec("wcwidth", None)
    stand_in.wcswidth = lambda text: sum(2 if ord(c) > 0x1100 else 1 for c in text)
    names = [name for name in sys.modules if name.split(".")[0] in ("tabulate", "wcwidth")]
    saved = {name: sys.modules.pop(name) for name in names}
    sys.modules["wcwidth"] = stand_in
    try:
        return use(importlib.import_module("tabulate"))
    finally:
        for name in [name for name in sys.modules if name.split(".")[0] in ("tabulate", "wcwidth")]:
            del sys.modules[name]
        sys.modules.update(saved)


def test_int_format_with_thousands_and_text():
    rows = [[12345, "1234567"], [-9, "x"], [0, "8"]]
    assert tabulate(rows, intfmt=",", tablefmt="plain").split("\n") == [
        "12,345  1234567",
        "    -9  x",
        "     0  8",
    ]


def test_number_formats_a_column():
    rows = [[1.23456, 2.5, 7, 9], [1000.5, "3.125", 65, "10"]]
    table = tabulate(rows, floatfmt=(".2f", ".3e"), intfmt=("", "", "x"), tablefmt="plain")
    assert table.split("\n") == ["   1.23  2.500e+00   7   9", "1000.50  3.125e+00  41  10"]


def test_thousands_separators_make_numbers():
    rows = [["1,234.5"], ["12,345,678"], ["9.25"]]
    assert tabulate(rows, floatfmt=".1f", tablefmt="plain").split("\n") == [
        "    1234.5",
        "12345678.0",
        "       9.2",
    ]
    assert tabulate([["1,234"], ["56"]], tablefmt="plain").split("\n") == ["1,234", "   56"]
    assert tabulate([["1,2345"], ["56"]], tablefmt="plain").split("\n") == ["1,2345", "56"]


def test_booleans_and_numbers_in_a_column():
    assert tabulate([[True], [False], [None]], tablefmt="plain", missingval="n/a").split("\n") == [
        "True",
        "False",
        "n/a",
    ]
    assert tabulate([["True"], [3]], tablefmt="plain").split("\n") == ["True", "   3"]
    assert tabulate([[True], [2.5]], tablefmt="plain").split("\n") == ["1", "2.5"]


def test_overflowing_exponents_are_text():
    assert tabulate([["1e999"], ["22"]], tablefmt="plain").split("\n") == ["1e999", "22"]
    assert tabulate([["inf"], ["-1.5"]], tablefmt="plain").split("\n") == ["inf", " -1.5"]


def test_bytes_are_shown_as_text():
    rows = [[b"raw", b"31"], [b"\xff\xfe", b"4.5"]]
    assert tabulate(rows, tablefmt="plain").split("\n") == ["raw          31", "b'\\xff\\xfe'   4.5"]


def test_dates_fractions_and_decimals():
    rows = [
        [date(2019, 3, 8), Fraction(7, 8), Decimal("1.50")],
        [date(2020, 11, 30), Fraction(9, 2), Decimal("20")],
    ]
    assert tabulate(rows, tablefmt="plain").split("\n") == [
        "2019-03-08  0.875   1.5",
        "2020-11-30  4.5    20",
    ]


def test_missing_values_a_column():
    rows = [[None, None, None], ["a", 1, ""]]
    assert tabulate(rows, missingval=("-", "?"), tablefmt="tsv").split("\n") == ["-\t?", "a\t1"]


def test_number_parsing_switched_off():
    rows = [["007", "007", 1.50]]
    assert tabulate(rows, disable_numparse=True, tablefmt="tsv") == "007\t007\t1.5"
    assert tabulate(rows + [["12345", "12345", 2]], disable_numparse=[1], tablefmt="presto").split("\n") == [
        "   007 | 007   | 1.5",
        " 12345 | 12345 | 2",
    ]


def test_coloured_numbers_are_numbers():
    rows = [["\x1b[31m1234\x1b[0m", "\x1b[32m2.5\x1b[0m"], ["56", "10.125"]]
    assert tabulate(rows, intfmt=",", floatfmt=".2f", tablefmt="presto").split("\n") == [
        " \x1b[31m1,234\x1b[0m |  \x1b[32m2.50\x1b[0m",
        "    56 | 10.12",
    ]


def test_coloured_words_keep_their_width():
    rows = [["\x1b[1mbold\x1b[0m", "r"], ["plainer", "s"]]
    assert tabulate(rows, tablefmt="outline", stralign="right").split("\n") == [
        "+---------+---+",
        "|    \x1b[1mbold\x1b[0m | r |",
        "| plainer | s |",
        "+---------+---+",
    ]


def test_links_count_by_their_text():
    rows = [["\x1b]8;;https://example.org/a\x1b\\here\x1b]8;;\x1b\\", 1], ["somewhere", 20]]
    widths = [len(line) for line in tabulate(rows, tablefmt="orgtbl").split("\n")]
    assert widths == [53, 18]


def test_unknown_alignments_of_column_and_header():
    table = tabulate([["abc"], ["d"]], headers=["longer"], tablefmt="orgtbl", colalign=["odd"])
    assert table.split("\n") == ["|   longer |", "|----------|", "| abc      |", "| d        |"]


def test_no_alignment_leaves_cells_alone():
    rows = [["  pad", "x"], ["y", "longest"]]
    table = tabulate(rows, headers=["h", "k"], tablefmt="orgtbl", stralign=None)
    assert table.split("\n") == ["| h | k |", "|-------+---------|", "|   pad | x |", "| y | longest |"]


def test_headers_aligned_on_their_own():
    table = tabulate(
        [["a", 1, 2.5, "z"]],
        headers=["first", "second", "third"],
        tablefmt="orgtbl",
        headersglobalalign="center",
        headersalign=["same", "global", "right"],
    )
    assert table.split("\n") == [
        "|    |   first |  second  |   third |",
        "|----+---------+----------+---------|",
        "| a  |       1 |      2.5 | z       |",
    ]


def test_alignments_beyond_the_columns_are_ignored():
    table = tabulate(
        [["a", "bcd"]],
        tablefmt="presto",
        colglobalalign="right",
        colalign=["global", "left", "center"],
        headers=["one", "two"],
        headersalign=["left", "same", "left"],
    )
    assert table.split("\n") == [" one   | two", "-------+-------", "     a | bcd"]


def test_alignment_given_as_one_word_warns():
    with warnings.catch_warnings(record=True) as caught:
        warnings.simplefilter("always")
        tabulate([["a"]], headers=["h"], colalign="center", headersalign="right")
    assert [str(w.message).split("`")[1::2] for w in caught] == [
        ["colalign", 'colglobalalign = "center"', 'colalign = ("center",)'],
        ["headersalign", 'headersglobalalign = "right"', 'headersalign = ("right",)'],
    ]
    assert [w.filename.split("/")[-1] for w in caught] == ["test_values.py", "test_values.py"]


def test_white_space_preserved_or_stripped():
    rows = [["  in", "x  "], ["out ", " y"]]
    assert tabulate(rows, tablefmt="orgtbl").split("\n") == ["| in  | x |", "| out | y |"]
    assert tabulate(rows, tablefmt="orgtbl", preserve_whitespace=True, stralign="right").split("\n") == [
        "|   in | x   |",
        "| out  |   y |",
    ]


def test_decimal_alignment_of_text_and_numbers():
    rows = [["1.5"], ["22"], ["three"], ["4.125"], ["5e2"]]
    assert tabulate(rows, tablefmt="orgtbl", stralign="decimal").split("\n") == [
        "|     1.5   |",
        "|    22     |",
        "| three     |",
        "|     4.125 |",
        "|     5e2   |",
    ]


def test_columns_folded_to_their_widths():
    rows = [["a silver birch stands here", 123456, "well-known-path"]]
    table = tabulate(rows, headers=["t", "n", "p"], maxcolwidths=[9, 3, 7], tablefmt="grid")
    assert table.split("\n") == [
        "+----------+--------+--------+",
        "| t        |      n | p      |",
        "+==========+========+========+",
        "| a silver | 123456 | well-  |",
        "| birch    |        | known- |",
        "| stands   |        | path   |",
        "| here     |        |        |",
        "+----------+--------+--------+",
    ]


def test_long_words_and_hyphens_left_whole():
    rows = [["extraordinary oak", "re-en-act it"]]
    table = tabulate(rows, maxcolwidths=6, break_long_words=False, break_on_hyphens=False, tablefmt="presto")
    assert table.split("\n") == [" extraordinary | re-en-act", " oak           | it"]


def test_headers_folded_to_their_widths():
    table = tabulate(
        [[1, "b"]], headers=["very long name", "so-so"], maxheadercolwidths=[5], tablefmt="outline"
    )
    assert table.split("\n") == [
        "+--------+---------+",
        "|   very | so-so   |",
        "|   long |         |",
        "|   name |         |",
        "+========+=========+",
        "|      1 | b       |",
        "+--------+---------+",
    ]


def test_colours_are_continued_over_folds():
    table = tabulate([["\x1b[33mamber willow\x1b[0m end"]], maxcolwidths=[6], tablefmt="plain")
    assert table.split("\n") == ["\x1b[33mamber\x1b[0m", "\x1b[33mwillow\x1b[0m", "end"]


def test_wide_characters_take_two_columns():
    lines = _with_wide_characters(
        lambda fresh: fresh.tabulate([["\u6771\u4eac", "a"], ["oslo", "bc"]], tablefmt="presto").split("\n")
    )
    assert lines == [" 東京 | a", " oslo | bc"]


def test_wide_characters_switched_off_on_the_package():
    def use(fresh):
        fresh.WIDE_CHARS_MODE = False
        rows = [["\u6771\u4eac", "a"], ["\x1b[31m\u5927\u962a\x1b[0m", "bc"]]
        return [len(line) for line in fresh.tabulate(rows, headers=["c", "d"], tablefmt="orgtbl").split("\n")]

    assert _with_wide_characters(use) == [13, 13, 13, 22]


def test_coloured_wide_characters():
    def use(fresh):
        rows = [["\x1b[31m\u5927\u962a\x1b[0m", "a"], ["oslo-b", "bc"]]
        return fresh.tabulate(rows, tablefmt="presto", stralign="right").split("\n")

    assert _with_wide_characters(use) == ["   \x1b[31m大阪\x1b[0m |  a", " oslo-b | bc"]


def test_wide_characters_are_folded_by_columns():
    lines = _with_wide_characters(
        lambda fresh: fresh.tabulate(
            [["\u6771\u4eac\u5927\u962a ab"]], maxcolwidths=[5], tablefmt="presto"
        ).split("\n")
    )
    assert lines == [" 東京", " 大阪", " ab"]
