"""The new home of inflection, and the places that use it."""

from boltons import inflectutils


def test_plural():
    words = ("Thief", "quay", "waltz", "FEE", "LADY")
    assert [inflectutils.pluralize(word) for word in words] == [
        "Thieves", "quays", "waltzs", "FEES", "LADIES"]


def test_singular():
    words = ("Vertebrae", "kisses", "loaves", "gross", "COPIES")
    assert [inflectutils.singularize(word) for word in words] == ["Vertebra", "kiss", "loaf", "gross", "COPY"]


def test_ordinal():
    assert [inflectutils.ordinalize(n) for n in (92, "117", 6003)] == ["92nd", "117th", "6003rd"]


def test_noun_for_a_count():
    assert [inflectutils.cardinalize("hero", n) for n in (3, 1)] == ["heroes", "hero"]


def test_length_with_unit():
    assert [inflectutils.unit_len("x" * n, "fox") for n in (0, 1, 6)] == ["No foxes", "1 fox", "6 foxes"]
