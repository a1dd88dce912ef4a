"""The new home of integer lists."""

from boltons import intlistutils


def test_runs_in_any_order():
    assert list(intlistutils.int_ranges([14, 3, 15, 4, 9, 5])) == [(3, 5), (9, 9), (14, 15)]


def test_runs_with_repeats():
    assert list(intlistutils.int_ranges([6, 6, 7, 2, 7, 2, 6])) == [(2, 2), (6, 7)]


def test_runs_of_any_iterable():
    assert list(intlistutils.int_ranges(n * 7 % 10 for n in range(5))) == [(0, 1), (4, 4), (7, 8)]


def test_runs_of_negative_integers():
    assert list(intlistutils.int_ranges({-7, -2, 0, -1, -6, 3})) == [(-7, -6), (-2, 0), (3, 3)]


def test_runs_of_few_integers():
    found = [list(intlistutils.int_ranges(ints)) for ints in ((), [12], {81: "x", 80: "y"})]
    assert found == [[], [(12, 12)], [(80, 81)]]


def test_runs_of_many_integers():
    runs = list(intlistutils.int_ranges(n for n in range(1000) if n % 9))
    assert [len(runs), runs[-1]] == [111, (991, 998)]


def test_parse():
    assert intlistutils.parse_int_list("13-11, 2,12") == [2, 11, 12, 12, 13]


def test_format():
    assert intlistutils.format_int_list(range(28, 33), range_delim="~") == "28~32"


def test_complement():
    assert intlistutils.complement_int_list("3-5,7", range_start=2, range_end=11) == "2,6,8-10"


def test_ranges_of_text():
    assert intlistutils.int_ranges_from_int_list("8+2to4+3", "+", "to") == ((2, 4), (8, 8))
