"""Who defines what after the split."""

from boltons import ecoutils, strutils, timeutils


def test_strutils_hands_on_shell_escaping():
    names = ("escape_shell_args", "args2sh", "args2cmd", "slugify")
    assert [getattr(strutils, name).__module__ for name in names] == [
        "boltons.shellutils", "boltons.shellutils", "boltons.shellutils", "boltons.strutils"]


def test_strutils_hands_on_integer_lists():
    names = ("parse_int_list", "format_int_list", "complement_int_list", "int_ranges_from_int_list", "a10n")
    assert [getattr(strutils, name).__module__[8:] for name in names] == [
        "intlistutils", "intlistutils", "intlistutils", "intlistutils", "strutils"]


def test_strutils_hands_on_inflection():
    names = ("pluralize", "unit_len", "ellipsize", "ordinalize", "cardinalize", "singularize")
    assert "-".join(getattr(strutils, name).__module__[8:11] for name in names) == "inf-inf-str-inf-inf-inf"


def test_ecoutils_defines_no_escaping():
    names = ("_escape_shell_args", "get_profile", "_args2sh", "_args2cmd", "dumps", "main")
    found = [getattr(ecoutils, name, None) for name in names]
    own = [it.__name__ for it in found if it and it.__module__ == ecoutils.__name__]
    assert "+".join(own) == "get_profile+dumps+main"


def test_timeutils_defines_no_plural():
    names = ("relative_time", "_cardinalize_time_unit", "isoparse", "decimal_relative_time")
    found = [getattr(timeutils, name, None) for name in names]
    own = [it.__name__ for it in found if it and it.__module__ == timeutils.__name__]
    assert "+".join(own) == "relative_time+isoparse+decimal_relative_time"
