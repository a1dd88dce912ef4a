"""The modules `tabulate.renderers` and `tabulate.formats`."""

import tabulate as package
from tabulate import DataRow, Line, TableFormat, tabulate
from tabulate.formats import FORMAT_TRAITS, TABLE_FORMATS
from tabulate.renderers import (
    asciidoc_begin,
    asciidoc_header_row,
    asciidoc_row,
    format_table,
    grid_line,
    html_row,
    latex_begin,
    latex_row,
    mediawiki_row,
    moin_row,
    pipe_line,
    textile_row,
)

ALIGNS = ["left", "right", "center", "decimal", "other"]


def _as_if_named(name, other, *args, **kwargs):
    """A table in the format `name` while it has the traits of `other`."""
    FORMAT_TRAITS[name] = FORMAT_TRAITS[other]
    try:
        return tabulate(*args, tablefmt=name, **kwargs)
    finally:
        del FORMAT_TRAITS[name]


def test_lines_with_colons():
    assert pipe_line([4, 5, 6, 7, 3], ALIGNS) == "|:---|----:|:----:|------:|---|"
    assert grid_line([4, 5, 6, 7, 3], ALIGNS) == "+:===+====:+:====:+=======+===+"
    assert pipe_line([2, 3], []) + grid_line([3, 2], None) == "|--|---|+===+==+"


def test_rows_with_attributes():
    assert (
        mediawiki_row("!", ["a", "b", "c", "d", "e "], [1] * 5, ALIGNS)
        == '! a !! style="text-align: right;"| b !! style="text-align: center;"| c !! style="text-align: right;"| d !! e'
    )
    assert (
        moin_row("||", ["a", "b"], [1, 1], ["center", "left"], header="_")
        == '||<style="text-align: center;"> _a_ || _b_ ||'
    )
    assert textile_row(["a", "b", "c"], [1] * 3, ALIGNS[1:4]) == "|>.a |=.b|>.c|"


def test_rows_of_html():
    assert (
        html_row("td", False, ["a<b", "'c'"], [3, 3], ["left", "decimal"])
        == '<tr><td>a&lt;b</td><td style="text-align: right;">&#x27;c&#x27;</td></tr>'
    )
    assert html_row("th", True, ["<i>a</i>"], [8], ["center"]).split("\n") == [
        "<table>",
        "<thead>",
        '<tr><th style="text-align: center;"><i>a</i></th></tr>',
        "</thead>",
        "<tbody>",
    ]


def test_latex_openings_and_rows():
    assert latex_begin([1] * 5, ALIGNS).split("\n") == ["\\begin{tabular}{lrcrl}", "\\hline"]
    assert latex_begin([1], ["center"], booktabs=True, longtable=True) == "\\begin{longtable}{c}\n\\toprule"
    assert latex_row(["a^2", "~5%"], [3, 3], ["left", "left"]) == "a\\^{}2&\\textasciitilde{}5\\%\\\\"
    assert latex_row(["a^2", "~5%"], [3, 3], ["left", "left"], escrules={"5": "V"}) == "a^2&~V%\\\\"


def test_asciidoc_openings_and_rows():
    assert asciidoc_begin([7, 12], ["center", "decimal"]) == '[cols="^7,>12"]\n|===='
    assert (
        asciidoc_header_row([" p ", " q "], [3, 4], ["left", "right"])
        == '[cols="<3,>4",options="header"]\n|====\n| p | q '
    )
    assert asciidoc_row([" p ", " q "], [3, 4], ["left", "right"]) == "| p | q "


def test_tables_put_together():
    fmt = TableFormat(
        Line("/", "-", "+", "\\"),
        None,
        Line("<", "~", "+", ">"),
        None,
        DataRow("!", ":", "!"),
        DataRow("|", ":", "|"),
        1,
        None,
    )
    table = format_table(
        fmt,
        ["h1  ", "h2 "],
        ["left", "left"],
        [("ab  ", "c  "), ("de\nfg", "h  ")],
        [4, 3],
        ["left", "left"],
        True,
        rowaligns=["top", "bottom"],
    )
    assert table.split("\n") == [
        "/------+-----\\",
        "! h1   : h2  !",
        "| ab   : c   |",
        "<~~~~~~+~~~~~>",
        "| de :     |",
        "| fg : h   |",
    ]


def test_no_table_without_headers_and_rows():
    made = format_table(TABLE_FORMATS["grid"], [], None, [], [], [], False, rowaligns=[])
    assert f"{type(made).__name__}:{made}." == "str:."


def test_formats_added_take_effect():
    TABLE_FORMATS["boxed"] = TABLE_FORMATS["psql"]._replace(linebelow=Line("`", ".", ",", "'"), padding=2)
    try:
        table = tabulate([["a", 1]], headers=["k", "v"], tablefmt="boxed")
    finally:
        del TABLE_FORMATS["boxed"]
    assert table.split("\n") == [
        "+-------+-------+",
        "|  k    |    v  |",
        "|-------+-------|",
        "|  a    |    1  |",
        "`.......,.......'",
    ]


def test_formats_replaced_take_effect():
    saved = TABLE_FORMATS["simple"]
    TABLE_FORMATS["simple"] = TABLE_FORMATS["jira"]
    try:
        table = tabulate([["a", 12]], headers=["k", "v"], tablefmt="no such format")
    finally:
        TABLE_FORMATS["simple"] = saved
    assert table.split("\n") == ["|| k   ||   v ||", "| a   |  12 |"]


def test_formats_are_the_public_ones():
    assert [name for name in package.tabulate_formats if TABLE_FORMATS[name].with_header_hide] == [
        "asciidoc",
        "github",
        "html",
        "pipe",
        "simple",
        "unsafehtml",
    ]


def test_traits_belong_to_three_formats():
    assert sorted(FORMAT_TRAITS) == ["colon_grid", "pretty", "rst"]


def test_traits_of_pretty_lent_to_another():
    table = _as_if_named("outline", "pretty", [["0150", 2.50], ["3", "1e1"]], headers=["id", "v"])
    assert table.split("\n") == [
        "+------+-----+",
        "|  id  |  v  |",
        "+======+=====+",
        "| 0150 | 2.5 |",
        "|  3   | 1e1 |",
        "+------+-----+",
    ]


def test_traits_of_rst_lent_to_another():
    table = _as_if_named("presto", "rst", [["", 1], ["b", 2]], headers=["", "n"])
    assert table.split("\n") == [" ..   |   n", "------+-----", " ..   |   1", " b    |   2"]


def test_traits_of_colon_grid_lent_to_another():
    table = _as_if_named(
        "psql", "colon_grid", [[5, "x"], [1250, "yz"]], headers=["num", "w"], colalign=["center"]
    )
    assert table.split("\n") == [
        "+-------+-----+",
        "| num   | w   |",
        "|-------+-----|",
        "| 5     | x   |",
        "| 1250  | yz  |",
        "+-------+-----+",
    ]


def test_traits_removed_take_effect():
    saved = FORMAT_TRAITS.pop("pretty")
    try:
        table = tabulate([["0150", 2.5], ["3", 10]], headers=["id", "v"], tablefmt="pretty")
    finally:
        FORMAT_TRAITS["pretty"] = saved
    assert table.split("\n") == [
        "+------+------+",
        "|   id |    v |",
        "+------+------+",
        "| 0150 |  2.5 |",
        "|    3 | 10   |",
        "+------+------+",
    ]
