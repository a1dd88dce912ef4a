"""Plurals, singulars and ordinals as strutils and timeutils have always offered them."""

from datetime import datetime, timedelta

from boltons import strutils, timeutils

WHEN = datetime(2021, 3, 4, 5, 6, 7)


def test_plural_by_rule():
    words = ("tray", "fly", "fox", "lunch", "bush", "gas", "soliloquy", "y")
    assert [strutils.pluralize(word) for word in words] == [
        "trays", "flies", "foxes", "lunches", "bushes", "gases", "soliloquys", "ys"]


def test_plural_by_table_keeps_case():
    assert " ".join(map(strutils.pluralize, ("Ox", "PERSON", "leaf", "Woman"))) == "Oxen PEOPLE leaves Women"


def test_plural_table_is_taken_as_it_stands():
    assert [strutils.pluralize(word) for word in ("formula", "Millennium", "BUREAU")] == [
        "formulas", "Milennia", "BUREAUS"]


def test_plural_of_plurals():
    words = ("geese", "Mice", "shoes", "species")
    assert ",".join(map(strutils.pluralize, words)) == "geese,Mice,shoes,species"


def test_plural_drops_blanks_around_a_word():
    assert [strutils.pluralize(text) for text in ("  Wolf ", "\tcat", "   ")] == ["Wolves", "cats", "   "]


def test_plural_lowers_mixed_case():
    assert [strutils.pluralize(word) for word in ("McBay", "iBox", "rEd")] == ["mcbays", "iboxes", "reds"]


def test_singular_by_rule():
    words = ("berries", "rays", "classes", "boxes", "ties", "iced teas", "colloquies")
    assert [strutils.singularize(word) for word in words] == [
        "berry", "ray", "class", "boxe", "ty", "iced tea", "colloquie"]


def test_singular_by_table_keeps_case():
    words = ("Teeth", "WOMEN", "dice", "Formulas")
    assert " ".join(map(strutils.singularize, words)) == "Tooth WOMAN die Formula"


def test_singular_of_singulars():
    words = ("Boss", "apple", "corps", "formulae", "Cactus")
    assert "/".join(map(strutils.singularize, words)) == "Boss/apple/corps/formulae/Cactus"


def test_singular_of_short_words():
    words = ("as", "SS", "es", "ies", "yes")
    assert [strutils.singularize(word) for word in words] == ["a", "S", "e", "ie", "ye"]


def test_singular_drops_blanks_around_a_word():
    assert [strutils.singularize(text) for text in (" Thieves", "iPods ", " \n")] == ["Thief", "ipod", " \n"]


def test_ordinals():
    numbers = (1, 2, 3, 4, 10, 11, 12, 13, 21, 102, 111, 1013, 1023)
    assert " ".join(map(strutils.ordinalize, numbers)) == (
        "1st 2nd 3rd 4th 10th 11th 12th 13th 21st 102nd 111th 1013th 1023rd")


def test_ordinals_of_other_values():
    values = (-1, "-12", "B2", 1.3, "none", "")
    assert "|".join(map(strutils.ordinalize, values)) == "-1st|-12th|B2nd|1.3rd|none|"


def test_ordinal_endings_alone():
    values = (22, "x", 13, 0, "73")
    assert [strutils.ordinalize(value, ext_only=True) for value in values] == ["nd", "", "th", "th", "rd"]


def test_ordinals_know_ascii_digits_only():
    assert ";".join(map(strutils.ordinalize, ("x²", "٣", "²3"))) == "x²;٣;²3rd"


def test_noun_for_a_count():
    counts = (1, 1.0, 0, -1, 2)
    assert [strutils.cardinalize("Child", count) for count in counts] == [
        "Child", "Child", "Children", "Children", "Children"]


def test_length_with_unit():
    assert [strutils.unit_len(things, "Knife") for things in ((), "a", {1, 2})] == [
        "No Knives", "1 Knife", "2 Knives"]


def test_length_with_default_unit():
    assert [strutils.unit_len(range(count)) for count in (0, 1, 365)] == ["No items", "1 item", "365 items"]


def test_relative_time_in_plural():
    assert timeutils.decimal_relative_time(WHEN, WHEN + timedelta(hours=3, minutes=30), 1) == (3.5, "hours")


def test_relative_time_in_singular():
    assert timeutils.decimal_relative_time(WHEN, WHEN + timedelta(seconds=61)) == (1.0, "minute")


def test_relative_time_of_minus_one():
    assert timeutils.decimal_relative_time(WHEN, WHEN - timedelta(days=7)) == (-1.0, "week")


def test_relative_time_of_nothing():
    assert timeutils.decimal_relative_time(WHEN, WHEN) == (0.0, "seconds")


def test_relative_time_with_bare_unit():
    found = timeutils.decimal_relative_time(WHEN, WHEN + timedelta(days=90), cardinalize=False)
    assert found == (3.0, "month")


def test_relative_time_rounds_before_it_counts():
    found = [timeutils.decimal_relative_time(WHEN, WHEN + timedelta(hours=1, minutes=24), n) for n in (0, 1)]
    assert found == [(1.0, "hour"), (1.4, "hours")]


def test_relative_time_as_text():
    shifts = (timedelta(days=18), timedelta(seconds=-62), timedelta(days=800), timedelta(milliseconds=1200))
    assert [timeutils.relative_time(WHEN, WHEN + shift, 1) for shift in shifts] == [
        "2.6 weeks ago", "1 minute from now", "2.2 years ago", "1.2 seconds ago"]


def test_public_names_of_strutils():
    assert sorted(name for name in strutils.__all__ if name.endswith("ize")) == [
        "cardinalize", "ellipsize", "ordinalize", "pluralize", "singularize"]


def test_public_names_of_strutils_are_there():
    assert sum(callable(getattr(strutils, name)) for name in strutils.__all__) == 34


def test_what_stays_in_strutils():
    text = strutils.indent(strutils.slugify("Two  Wolves!", delim="\n"), "> ")
    assert text + strutils.bytes2human(7000, 1) == "> two\n> wolves6.8K"
