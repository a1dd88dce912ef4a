"""Seconds are counted once."""

from __future__ import annotations

from bench.reports.timings import phases, seconds_taken

TIMINGS = {"admit": 0.25, "execute": 2.0, "build": 0.5, "test": 3.0}


def test_phases_of_passes_side_by_side_are_not_added_to_the_time_they_took() -> None:
    assert seconds_taken(TIMINGS) == 2.25


def test_timings_without_the_hosts_are_summed() -> None:
    assert seconds_taken({"build": 0.5, "test": 3.0}) == 3.5


def test_a_rejected_patch_took_its_admission() -> None:
    assert seconds_taken({"admit": 0.25}) == 0.25


def test_what_encloses_the_phases_is_none_of_them() -> None:
    assert phases(TIMINGS) == {"admit": 0.25, "build": 0.5, "test": 3.0}
