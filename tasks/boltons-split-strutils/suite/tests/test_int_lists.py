"""Lists of integers in short form, as strutils has always offered them."""

import pytest

from boltons import strutils


def test_parse_sorts_and_keeps_repeats():
    assert strutils.parse_int_list("9,2-4,3") == [2, 3, 3, 4, 9]


def test_parse_reads_descending_ranges():
    assert strutils.parse_int_list("14-11,6") == [6, 11, 12, 13, 14]


def test_parse_spans_all_limits_of_a_part():
    assert strutils.parse_int_list("5-9-4") == [4, 5, 6, 7, 8, 9]


def test_parse_passes_over_blanks_and_empty_parts():
    assert strutils.parse_int_list("  17, 5 ,,1 - 2,\n") == [1, 2, 5, 17]


def test_parse_with_other_delimiters():
    assert strutils.parse_int_list("33..35;;20", delim=";;", range_delim="..") == [20, 33, 34, 35]


def test_parse_refuses_other_text():
    with pytest.raises(ValueError) as caught:
        strutils.parse_int_list("1,four")
    assert str(caught.value) == "invalid literal for int() with base 10: 'four'"


def test_parse_refuses_a_blank_part():
    with pytest.raises(ValueError) as caught:
        strutils.parse_int_list("1,  ,2")
    assert str(caught.value) == "invalid literal for int() with base 10: '  '"


def test_format_collapses_runs_of_two():
    assert strutils.format_int_list([31, 30, 8, 2, 9]) == "2,8-9,30-31"


def test_format_counts_repeats_once():
    assert strutils.format_int_list([9, 5, 6, 5, 7, 9, 6, 9]) == "5-7,9"


def test_format_takes_any_iterable():
    assert strutils.format_int_list(n * n for n in range(6)) == "0-1,4,9,16,25"


def test_format_with_other_delimiters():
    text = strutils.format_int_list({3, 1, 2, 7, 40, 41}, delim=";", range_delim=" to ")
    assert text == "1 to 3;7;40 to 41"


def test_format_adds_a_space_on_request():
    text = strutils.format_int_list([4, 6, 7], delim=" &", delim_space=True)
    assert text == "4 & 6-7"


def test_format_without_runs():
    assert [strutils.format_int_list(ints) for ints in ([], [44], [60, 58])] == ["", "44", "58,60"]


def test_format_across_powers_of_ten():
    assert strutils.format_int_list([100, 9, 99, 10, 1000]) == "9-10,99-100,1000"


def test_complement_ends_with_the_largest_given():
    assert strutils.complement_int_list("2-3,6") == "0-1,4-5"


def test_complement_within_bounds():
    assert strutils.complement_int_list("10-12,15", range_start=8, range_end=20) == "8-9,13-14,16-19"


def test_complement_starts_at_zero_at_the_earliest():
    assert strutils.complement_int_list("5,8", range_start=-3) == "0-4,6-7"


def test_complement_of_nothing():
    found = [strutils.complement_int_list("", 3, end) for end in (None, 2, 4, 9)]
    assert found == ["", "", "3", "3-8"]


def test_complement_where_the_start_lies_beyond():
    found = [strutils.complement_int_list("1-4,9", start) for start in (6, 9, 12)]
    assert found == ["6-8", "", ""]


def test_complement_with_other_delimiters():
    text = strutils.complement_int_list("1:3|9", range_end=12, delim="|", range_delim=":")
    assert text == "0|4:8|10:11"


def test_ranges_join_neighbours_and_repeats():
    assert strutils.int_ranges_from_int_list("20,3-5,4,6,21,30") == ((3, 6), (20, 21), (30, 30))


def test_ranges_with_other_delimiters():
    assert strutils.int_ranges_from_int_list("7..9/11/1..2", "/", "..") == ((1, 2), (7, 9), (11, 11))


def test_ranges_with_delimiters_exchanged():
    found = strutils.int_ranges_from_int_list("1,4-9", delim="-", range_delim=",")
    assert found == ((1, 4), (9, 9))


def test_ranges_of_scattered_integers():
    found = [strutils.int_ranges_from_int_list(text) for text in ("", " ", "70", "8,6")]
    assert found == [(), (), ((70, 70),), ((6, 6), (8, 8))]
