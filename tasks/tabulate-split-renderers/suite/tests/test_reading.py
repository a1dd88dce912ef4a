"""The modules `tabulate.sources` and `tabulate.wrapping`."""

from collections import namedtuple

import pytest
import tabulate as package
from tabulate import SEPARATING_LINE, tabulate
from tabulate.sources import READERS, normalize_tabular_data
from tabulate.wrapping import CellWrapper, wrap_cells

Leaf = namedtuple("Leaf", ["shape", "size"])

OLD_NAMES = """
_isnumber _type _afterpoint _column_type _format _align_column _align_header _pipe_line_with_colons
_grid_line_with_colons _mediawiki_row_with_attrs _textile_row_with_attrs _html_row_with_attrs
_moin_row_with_attrs _latex_line_begin_tabular _latex_row _asciidoc_row _format_table _table_formats
_normalize_tabular_data _wrap_text_to_colwidths _CustomTextWrap
""".split()


def test_old_names_are_gone():
    assert sum(not hasattr(package, name) for name in OLD_NAMES) == 21


def test_dict_of_columns_is_transposed():
    data = {"x": [10, 20], 7: ["a"]}
    assert normalize_tabular_data(data, "keys") == ([[10, "a"], [20, None]], ["x", "7"], 0)
    assert normalize_tabular_data(data, []) == ([[10, "a"], [20, None]], [], 0)


def test_dicts_become_rows():
    data = [{"n": 1}, {"m": 2, "n": 3}]
    assert normalize_tabular_data(data, "keys") == ([[1, None], [3, 2]], ["n", "m"], 0)
    assert normalize_tabular_data(data, {"m": "em"}) == ([[1, None], [3, 2]], ["n", "em"], 0)
    assert normalize_tabular_data(data, "firstrow") == ([[3, 2]], ["1", "m"], 0)


def test_named_tuples_become_rows():
    assert normalize_tabular_data([Leaf("oval", 4)], "keys") == ([["oval", 4]], ["shape", "size"], 0)
    assert normalize_tabular_data([Leaf("oval", 4)], ["s"]) == ([["oval", 4]], ["", "s"], 1)


def test_headers_are_padded_and_become_text():
    assert normalize_tabular_data([[1, 2, 3], SEPARATING_LINE, [4, 5, 6]], [8.5]) == (
        [[1, 2, 3], "\x01", [4, 5, 6]],
        ["", "", "8.5"],
        2,
    )
    assert normalize_tabular_data(iter([("a", 1), ("b", 2)]), "firstrow") == ([["b", 2]], ["a", "1"], 0)


def test_index_is_put_in_front():
    assert normalize_tabular_data([["a"], ["b"]], "keys", showindex="always") == (
        [[0, "a"], [1, "b"]],
        ["", "0"],
        1,
    )
    assert normalize_tabular_data([["a"], ["b"]], ["h"], showindex=[6, 9]) == (
        [[6, "a"], [9, "b"]],
        ["", "h"],
        1,
    )


def test_data_that_cannot_be_read():
    with pytest.raises(TypeError) as error:
        normalize_tabular_data(3.5, "keys")
    assert len(str(error.value).split()) == 27
    with pytest.raises(ValueError) as keyword:
        normalize_tabular_data([{"n": 1}], ["em"])
    assert str(keyword.value).split()[-3:] == ["or", "a", "keyword"]


def test_readers_removed_take_effect():
    saved = READERS[:]
    READERS[:] = []
    try:
        seen = normalize_tabular_data([{"pear": 3, "plum": 4}, ("x", "y")], [])
        table = tabulate([{"pear": 3, "plum": 4}, ("x", "y")], tablefmt="presto")
    finally:
        READERS[:] = saved
    assert seen == ([["pear", "plum"], ["x", "y"]], [], 0)
    assert table.split("\n") == [" pear | plum", " x    | y"]


def test_readers_removed_leave_the_first_row():
    saved = READERS[:]
    READERS[:] = []
    try:
        seen = normalize_tabular_data({"ab": [1], "cd": [2]}, "firstrow", showindex=True)
    finally:
        READERS[:] = saved
    assert seen == ([[0, "c", "d"]], ["", "a", "b"], 1)


def test_cells_folded_by_column():
    rows = [["a maple in the yard", 1234567, None, "x\n\ny z"], ["ash", "98765", "keep this whole", ""]]
    assert wrap_cells(rows, [8, 3, None, 1], missingval="-") == [
        ["a maple\nin the\nyard", 1234567, None, "x\ny\nz"],
        ["ash", "98765", "keep this whole", ""],
    ]


def test_cells_folded_without_numbers():
    assert wrap_cells([["12345", "12345"]], [2, 2], numparses=[False, True]) == [["12\n34\n5", "12345"]]
    assert wrap_cells([["over-long", None]], [4, 4], missingval="gone", break_on_hyphens=False) == [
        ["over\n-lon\ng", "gone"]
    ]
    assert wrap_cells([["over-longest"]], [4], break_long_words=False) == [["over-\nlongest"]]


def test_wrapper_continues_colours():
    wrapper = CellWrapper(width=7)
    assert wrapper.wrap("\x1b[34mdeep blue sea\x1b[0m sky") == [
        "\x1b[34mdeep\x1b[0m",
        "\x1b[34mblue\x1b[0m",
        "\x1b[34msea\x1b[0m sky",
    ]


def test_wrapper_breaks_coloured_words():
    assert CellWrapper(width=4).wrap("\x1b[35mpolypod\x1b[0m") == [
        "\x1b[35mpoly\x1b[0m",
        "\x1b[35mpod\x1b[0m",
    ]


def test_wrapper_shortens_to_a_number_of_lines():
    wrappers = [CellWrapper(width=10, max_lines=lines, placeholder="..") for lines in (1, 2, 3)]
    assert ["/".join(wrapper.wrap("moss fern and ivy grow")) for wrapper in wrappers] == [
        "moss..",
        "moss fern/and ivy..",
        "moss fern/and ivy/grow",
    ]


def test_wrapper_refuses_no_width():
    with pytest.raises(ValueError) as error:
        CellWrapper(width=-2).wrap("fern")
    assert str(error.value).split()[2] == "-2"
