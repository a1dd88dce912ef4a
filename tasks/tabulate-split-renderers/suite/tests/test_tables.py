"""Tables as they come out of `tabulate.tabulate`, format by format."""

import tabulate as package
from tabulate import SEPARATING_LINE, DataRow, Line, TableFormat, simple_separated_format, tabulate


def test_simple_lines_up_points_and_signs():
    table = tabulate([["kiwi", -3.25], ["fig", "12.5"], ["yam", 700]], headers=["fruit", "weight"])
    assert table.split("\n") == [
        "fruit      weight",
        "-------  --------",
        "kiwi        -3.25",
        "fig         12.5",
        "yam        700",
    ]


def test_plain_keeps_exponents_and_blank_cells():
    table = tabulate([["1e3", "x"], ["2.75", ""], [None, "zz"]], tablefmt="plain")
    assert table.split("\n") == ["1000     x", "   2.75", "         zz"]


def test_grid_folds_line_breaks():
    table = tabulate([["one\ntwo", 5], ["six", "7\n88\n9"]], headers=["w", "n\nm"], tablefmt="grid")
    assert table.split("\n") == [
        "+-----+-----+",
        "| w   | n   |",
        "|     | m   |",
        "+=====+=====+",
        "| one | 5   |",
        "| two |     |",
        "+-----+-----+",
        "| six | 7   |",
        "|     | 88  |",
        "|     | 9   |",
        "+-----+-----+",
    ]


def test_row_alignment_without_rules_is_ignored():
    rows = [["a\nb\nc", "mid"], ["d", "e\nf\ng"]]
    table = tabulate(rows, tablefmt="presto", rowalign=["center", "bottom"])
    assert table.split("\n") == [" a | mid", " b |", " c |", " d | e", "   | f", "   | g"]


def test_row_alignment_between_ruled_rows():
    rows = [["a\nb\nc\nd", "mid"], ["e\nf\ng", "low"], ["h\ni", "end"]]
    table = tabulate(rows, tablefmt="outline", rowalign="bottom")
    ruled = tabulate(rows, tablefmt="simple_grid", rowalign=["center", "top", "bottom"])
    assert (table + "\n" + ruled).split("\n") == [
        "+---+-----+",
        "| a | mid |",
        "| b |     |",
        "| c |     |",
        "| d |     |",
        "| e | low |",
        "| f |     |",
        "| g |     |",
        "| h | end |",
        "| i |     |",
        "+---+-----+",
        "┌───┬─────┐",
        "│ a │     │",
        "│ b │ mid │",
        "│ c │     │",
        "│ d │     │",
        "├───┼─────┤",
        "│ e │ low │",
        "│ f │     │",
        "│ g │     │",
        "├───┼─────┤",
        "│ h │     │",
        "│ i │ end │",
        "└───┴─────┘",
    ]


def test_pipe_marks_every_alignment():
    table = tabulate(
        [["ab", "cd", 4.5, "ef"]],
        headers=["left", "mid", "num", "none"],
        tablefmt="pipe",
        colalign=("left", "center", "decimal", None),
    )
    assert table.split("\n") == [
        "| left   |  mid  |   num | none |",
        "|:-------|:-----:|------:|--------|",
        "| ab     |  cd   |   4.5 | ef |",
    ]


def test_pipe_without_rows():
    assert tabulate([], headers=["alpha", "be"], tablefmt="pipe").split("\n") == [
        "| alpha   | be   |",
        "|---------|------|",
    ]


def test_colon_grid_marks_alignment_and_leaves_text():
    table = tabulate(
        [["kelp", 10.5, "r"], ["moss", 2.25, "s"]],
        headers=["plant", "height", "zone"],
        tablefmt="colon_grid",
        colalign=["right", "center"],
    )
    assert table.split("\n") == [
        "+---------+----------+--------+",
        "| plant   | height   | zone   |",
        "+========:+:========:+:=======+",
        "| kelp    | 10.5     | r      |",
        "+---------+----------+--------+",
        "| moss    | 2.25     | s      |",
        "+---------+----------+--------+",
    ]


def test_colon_grid_overrides_global_alignments():
    table = tabulate(
        [[7, "abc"], [1234, "d"]],
        headers=["n", "text"],
        tablefmt="colon_grid",
        colglobalalign="right",
        headersglobalalign="center",
        headersalign=["same", "right"],
    )
    assert table.split("\n") == [
        "+------+--------+",
        "| n    |   text |",
        "+:=====+:=======+",
        "| 7    | abc    |",
        "+------+--------+",
        "| 1234 | d      |",
        "+------+--------+",
    ]


def test_pretty_centres_and_does_not_parse():
    table = tabulate([["0012", 3.5], ["7", "1e2"]], headers=["code", "v"], tablefmt="pretty")
    assert table.split("\n") == [
        "+------+-----+",
        "| code |  v  |",
        "+------+-----+",
        "| 0012 | 3.5 |",
        "|  7   | 1e2 |",
        "+------+-----+",
    ]


def test_pretty_obeys_alignment_of_the_caller():
    table = tabulate([["0012", 3.5], ["7", "1e2"]], tablefmt="pretty", stralign="right", numalign="left")
    assert table.split("\n") == ["+------+-----+", "| 0012 | 3.5 |", "|    7 | 1e2 |", "+------+-----+"]


def test_pretty_does_not_fold_numbers():
    rows = [["20301405", "tall oak tree"]]
    assert tabulate(rows, tablefmt="pretty", maxcolwidths=[4, 6]).split("\n") == [
        "+----------+------+",
        "| 20301405 | tall |",
        "|          | oak  |",
        "|          | tree |",
        "+----------+------+",
    ]


def test_rst_dots_empty_first_cells():
    table = tabulate([["", "x"], [None, "y"], ["  ", ""]], headers=["", "h"], tablefmt="rst")
    assert table.split("\n") == ["====  ===", "..    h", "====  ===", "..    x", "      y", "..", "====  ==="]


def test_mediawiki_aligns_by_attributes():
    table = tabulate(
        [["oak", 12], ["elm", 7]], headers=["tree", "age"], tablefmt="mediawiki", stralign="center"
    )
    assert table.split("\n") == [
        '{| class="wikitable" style="text-align: left;"',
        "|+ <!-- caption -->",
        "|-",
        '! style="text-align: center;"|  tree  !! style="text-align: right;"|   age',
        "|-",
        '| style="text-align: center;"|  oak   || style="text-align: right;"|    12',
        "|-",
        '| style="text-align: center;"|  elm   || style="text-align: right;"|     7',
        "|}",
    ]


def test_moinmoin_emphasises_headers():
    assert tabulate([["oak", 12.5]], headers=["tree", "age"], tablefmt="moinmoin").split("\n") == [
        "|| ''' tree   ''' ||<style=\"text-align: right;\"> '''   age ''' ||",
        '||  oak     ||<style="text-align: right;">   12.5  ||',
    ]


def test_textile_shifts_the_first_cell():
    table = tabulate(
        [["oak", 12], ["elm", 7]], headers=["tree", "age"], tablefmt="textile", colalign=["center"]
    )
    assert table.split("\n") == [
        "|_.   tree  |_.   age |",
        "|=.  oak    |>.    12 |",
        "|=.  elm    |>.     7 |",
    ]


def test_youtrack_and_jira_rows():
    rows, names = [["q", 31]], ["k", "v"]
    both = [tabulate(rows, names, tablefmt="youtrack"), tabulate(rows, names, tablefmt="jira")]
    assert both == ["||  k    ||    v  ||\n|  q    |   31  |", "|| k   ||   v ||\n| q   |  31 |"]


def test_html_escapes_and_unsafehtml_does_not():
    rows, names = [["<b>5 & 6</b>", 8]], ["x<y", "n"]
    assert tabulate(rows, names, tablefmt="html").split("\n") == [
        "<table>",
        "<thead>",
        '<tr><th>x&lt;y         </th><th style="text-align: right;">  n</th></tr>',
        "</thead>",
        "<tbody>",
        '<tr><td>&lt;b&gt;5 &amp; 6&lt;/b&gt;</td><td style="text-align: right;">  8</td></tr>',
        "</tbody>",
        "</table>",
    ]
    assert (
        tabulate(rows, names, tablefmt="unsafehtml").split("\n")[5]
        == '<tr><td><b>5 & 6</b></td><td style="text-align: right;">  8</td></tr>'
    )


def test_html_without_headers_is_made_for_notebooks():
    table = tabulate([["p", "q"]], tablefmt="html")
    assert (type(table).__name__, table._repr_html_().split("\n")) == (
        "JupyterHTMLStr",
        ["<table>", "<tbody>", "<tr><td>p</td><td>q</td></tr>", "</tbody>", "</table>"],
    )
    assert table.str.count("td") == 4


def test_which_formats_are_made_for_notebooks():
    made = [type(tabulate([["p", "q"]], tablefmt=name)).__name__ for name in package.tabulate_formats]
    assert [name for name, kind in zip(package.tabulate_formats, made) if kind != "str"] == [
        "html",
        "unsafehtml",
    ]


def test_latex_family():
    rows, names = [["50% of $x_1$", 2.5]], ["a&b", "~c"]
    assert tabulate(rows, names, tablefmt="latex").split("\n") == [
        "\\begin{tabular}{lr}",
        "\\hline",
        " a\\&b          &   \\textasciitilde{}c \\\\",
        "\\hline",
        " 50\\% of \\$x\\_1\\$ &  2.5 \\\\",
        "\\hline",
        "\\end{tabular}",
    ]
    assert tabulate(rows, names, tablefmt="latex_raw").split("\n")[2:5] == [
        " a&b          &   ~c \\\\",
        "\\hline",
        " 50% of $x_1$ &  2.5 \\\\",
    ]
    assert tabulate(rows, names, tablefmt="latex_booktabs").split("\n")[1:6:2] == [
        "\\toprule",
        "\\midrule",
        "\\bottomrule",
    ]
    assert tabulate(rows, names, tablefmt="latex_longtable").split("\n")[::3] == [
        "\\begin{longtable}{lr}",
        "\\hline",
        "\\hline",
    ]


def test_latex_escape_rules_can_be_extended():
    package.LATEX_ESCAPE_RULES["|"] = r"\textbar{}"
    try:
        line = tabulate([["u|v", "w"]], tablefmt="latex").split("\n")[2]
    finally:
        del package.LATEX_ESCAPE_RULES["|"]
    assert line == " u\\textbar{}v & w \\\\"


def test_asciidoc_with_and_without_headers():
    rows = [["fern", 3.5], ["ivy", 11]]
    assert tabulate(rows, ["plant", "cm"], tablefmt="asciidoc").split("\n") == [
        '[cols="<9,>6",options="header"]',
        "|====",
        "| plant   |   cm ",
        "| fern    |  3.5 ",
        "| ivy     | 11   ",
        "|====",
    ]
    assert tabulate(rows, tablefmt="asciidoc", stralign="center").split("\n")[:3] == [
        '[cols="^6,>6"]',
        "|====",
        "| fern |  3.5 ",
    ]


def test_separating_line_takes_the_next_best_rule():
    rows = [["a", 1], SEPARATING_LINE, ["b", 22], [SEPARATING_LINE], ["c", 3]]
    assert tabulate(rows, tablefmt="psql").split("\n") == [
        "+---+----+",
        "| a |  1 |",
        "|---+----|",
        "| b | 22 |",
        "|---+----|",
        "| c |  3 |",
        "+---+----+",
    ]
    assert tabulate(rows, tablefmt="plain").split("\n") == ["a   1", "", "b  22", "", "c   3"]


def test_separating_line_in_a_ruled_grid():
    rows = [["a", 1], SEPARATING_LINE, ["b", 22]]
    assert tabulate(rows, headers=["k", "v"], tablefmt="fancy_grid", showindex=True).split("\n") == [
        "╒════╤═════╤═════╕",
        "│    │ k   │   v │",
        "╞════╪═════╪═════╡",
        "│  0 │ a   │   1 │",
        "├────┼─────┼─────┤",
        "├────┼─────┼─────┤",
        "│  1 │ b   │  22 │",
        "╘════╧═════╧═════╛",
    ]


def test_own_format_with_hidden_line_and_functions():
    own = TableFormat(
        lineabove=Line("<", "-", "^", ">"),
        linebelowheader=lambda widths, aligns: f"{widths} {'/'.join(aligns)}",
        linebetweenrows=None,
        linebelow=Line("{", "~", "_", "}"),
        headerrow=DataRow("(", ";", ")"),
        datarow=lambda cells, widths, aligns: "+".join(cells),
        padding=1,
        with_header_hide=["lineabove"],
    )
    assert tabulate([["fig", 2], ["k", 30]], headers=["name", "n"], tablefmt=own).split("\n") == [
        "( name   ;   n )",
        "[8, 5] left/decimal",
        " fig    +   2 ",
        " k      +  30 ",
        "{~~~~~~~~_~~~~~}",
    ]
    assert tabulate([["fig", 2]], tablefmt=own).split("\n") == ["<-----^--->", " fig + 2 ", "{~~~~~_~~~}"]


def test_separated_format_and_unknown_name():
    rows = [["a", 10], ["bcd", 2]]
    assert tabulate(rows, tablefmt=simple_separated_format(" ~ ")) == "a   ~ 10\nbcd ~  2"
    assert tabulate(rows, tablefmt="no such format").split("\n") == [
        "---  --",
        "a    10",
        "bcd   2",
        "---  --",
    ]


def test_multiline_formats_can_be_extended():
    rows = [["x\ny", "z"]]
    before = tabulate(rows, tablefmt="tsv")
    package.multiline_formats["tsv"] = "tsv"
    try:
        after = tabulate(rows, tablefmt="tsv")
    finally:
        del package.multiline_formats["tsv"]
    assert [before, after] == ["x\ny\tz", "x\tz\ny"]


def test_padding_of_headers_can_be_set_on_the_package():
    saved = package.MIN_PADDING
    package.MIN_PADDING = 6
    try:
        wide = tabulate([["a", 1]], headers=["key", "val"], tablefmt="orgtbl")
        pretty = tabulate([["a", 1]], headers=["key", "val"], tablefmt="pretty")
    finally:
        package.MIN_PADDING = saved
    assert wide.split("\n") == [
        "| key       |       val |",
        "|-----------+-----------|",
        "| a         |         1 |",
    ]
    assert pretty.split("\n")[1] == "| key | val |"


def test_public_names_and_formats():
    assert sum(len(name) for name in package.tabulate_formats) == 317
    assert [package.tabulate_formats.index(name) for name in ("asciidoc", "html", "rst", "youtrack")] == [
        0,
        10,
        29,
        36,
    ]
    assert sorted(set(package.tabulate_formats) - set(package.multiline_formats)) == [
        "asciidoc",
        "html",
        "latex",
        "latex_booktabs",
        "latex_longtable",
        "latex_raw",
        "mediawiki",
        "moinmoin",
        "textile",
        "tsv",
        "unsafehtml",
        "youtrack",
    ]
    assert sorted(package.__all__) == ["simple_separated_format", "tabulate", "tabulate_formats"]
