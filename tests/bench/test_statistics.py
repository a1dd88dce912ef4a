from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from bench.statistics import Rate, interval, percent, rate_sentence, wilson_rate


@pytest.mark.parametrize(
    ("numerator", "denominator", "low", "high"),
    # R 4: prop.test(x, n, correct = FALSE)$conf.int
    [
        (0, 10, 0.0, 0.2775328),
        (5, 10, 0.2365931, 0.7634069),
        (10, 10, 0.7224672, 1.0),
        (1, 500, 0.000353, 0.01124),
    ],
)
def test_interval_is_wilsons(numerator: int, denominator: int, low: float, high: float) -> None:
    rate = wilson_rate(numerator, denominator)
    assert rate.low == pytest.approx(low, abs=1e-4)
    assert rate.high == pytest.approx(high, abs=1e-4)


@given(st.integers(0, 2000).flatmap(lambda n: st.tuples(st.integers(0, n), st.just(n))))
def test_interval_holds_the_rate_and_stays_a_share(pair: tuple[int, int]) -> None:
    rate = wilson_rate(*pair)
    assert 0 <= rate.low <= rate.value <= rate.high <= 1


def test_no_tasks_say_nothing() -> None:
    assert wilson_rate(0, 0) == Rate(0, 0, 0.0, 1.0)
    assert wilson_rate(0, 0).value == 0


@pytest.mark.parametrize("pair", [(-1, 3), (4, 3)])
def test_impossible_counts_are_refused(pair: tuple[int, int]) -> None:
    with pytest.raises(ValueError, match="0 <= numerator <= denominator"):
        wilson_rate(*pair)


def test_a_wider_confidence_is_a_wider_interval() -> None:
    narrow, wide = wilson_rate(12, 40, 0.8), wilson_rate(12, 40, 0.99)
    assert wide.low < narrow.low < narrow.high < wide.high


@pytest.mark.parametrize(
    ("share", "text"), [(0.0, "0 %"), (1.0, "100 %"), (0.3, "30 %"), (0.002, "0.2 %"), (0.998, "99.8 %")]
)
def test_percent_is_nought_or_full_only_where_it_is(share: float, text: str) -> None:
    assert percent(share) == text


def test_a_rate_is_said_with_its_interval() -> None:
    rate = wilson_rate(12, 40)
    assert interval(rate) == "18 % to 45 %"
    assert rate_sentence(rate) == "12 of 40 tasks resolved, 30 % (95 % interval 18 % to 45 %)"
