"""What a suite uses of the package under test, read off its syntax."""

from __future__ import annotations

import pytest

from bench.suite_names import untold, used_names
from runner.tree import REGULAR, Entry, Tree

BASE = Tree(
    {
        "src/shop/__init__.py": Entry(REGULAR, b"from shop.api import price\n"),
        "src/shop/api.py": Entry(REGULAR, b"def price(): ...\ndef _round(): ...\nprices = 1\n"),
    }
)


def names(source: str, own: frozenset[str] = frozenset()) -> list[tuple[str, int]]:
    return [(used.name, used.line) for used in used_names("tests/test_x.py", source.encode(), own)]


@pytest.mark.parametrize(
    ("source", "expected"),
    [
        ("import os, pytest\nfrom json import dumps\nos.path.join()\n", []),
        ("import shop\nshop.price()\n", [("shop", 1), ("shop.price", 2)]),
        (
            "import shop.api\nshop.api.price()\n",
            [("shop.api", 1), ("shop.api.price", 2)],
        ),
        ("import shop.api as a\na.price()\na.price()\n", [("shop.api", 1), ("shop.api.price", 2)]),
        ("from shop.api import price as p\np()\n", [("shop.api", 1), ("shop.api.price", 1)]),
        (
            "from shop import api\nclass A:\n    x = api.price\n",
            [("shop", 1), ("shop.api", 1), ("shop.api.price", 3)],
        ),
        ("from . import near\nfrom shop import __version__\n", [("shop", 2), ("shop.__version__", 2)]),
        ("price = 1\nprice.real\nother().attribute\n", []),
    ],
)
def test_modules_and_the_names_taken_from_them(source: str, expected: list[tuple[str, int]]) -> None:
    assert sorted(names(source)) == sorted(expected)


def test_the_suite_s_own_modules_are_no_part_of_the_package() -> None:
    assert names("import samples\nsamples.make()\n", frozenset({"samples"})) == []


@pytest.mark.parametrize(
    ("name", "statement", "is_untold"),
    [
        ("shop.api.price", "", False),
        ("shop.price", "", False),
        ("shop.api", "", False),
        ("shop.api._round", "", True),
        ("shop.api._round", "`_round` goes to `shop.numbers`", False),
        ("shop.api.total", "", True),
        ("shop.api.total", "subtotal, totals", True),
        ("shop.api.total", "Add `total`.", False),
        ("shop.numbers", "", True),
        ("shop.numbers.price", "", True),
        ("till.price", "", True),
        ("shop.price.rounded", "", True),
        ("shop.price.prices", "", False),
    ],
)
def test_a_name_is_told_by_the_statement_or_public_in_the_base(
    name: str, statement: str, is_untold: bool
) -> None:
    assert untold(name, statement, BASE, ("src",)) is is_untold
