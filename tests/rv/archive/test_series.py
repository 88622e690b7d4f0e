"""Series become observations, are merged and split, and keep what is known of them."""

from __future__ import annotations

import numpy as np
import pytest
from pydantic import ValidationError

from ecliptic.errors import UsageError
from ecliptic.rv.archive.merging import merge
from ecliptic.rv.archive.series import ArchivalSeries, SeriesIndicator
from ecliptic.rv.archive.upgrades import split_at_upgrade


def series(times: list[float], label: str = "HARPS", **fields: object) -> ArchivalSeries:
    n = len(times)
    given = {
        "star": "X",
        "times_bjd": times,
        "time_reference": "bjd",
        "rvs_ms": [float(index) for index in range(n)],
        "sigmas_ms": [1.0] * n,
        "instruments": (label,) * n,
    }
    return ArchivalSeries.model_validate({**given, **fields})


def test_times_keep_a_millisecond() -> None:
    observation = series([2450275.9700771, 2455000.12345678]).observation(0.9)
    assert observation.times_days.tolist() == [275.9700771, 5000.12345678]
    assert observation.t_ref_days == 275.9700771


def test_another_epoch_can_be_chosen() -> None:
    observation = series([2455000.5]).observation(0.9, epoch_bjd=2455000.0)
    assert observation.times_days.tolist() == [0.5]


def test_flagged_points_are_left_out_unless_asked_for() -> None:
    one = series([2455000.0, 2455001.0, 2455002.0], flags=("", "transit", ""))
    assert one.observation(1.0).rvs_ms.tolist() == [0.0, 2.0]
    assert one.observation(1.0, without=()).rvs_ms.tolist() == [0.0, 1.0, 2.0]
    with pytest.raises(UsageError, match="every point is flagged"):
        series([2455000.0], flags=("transit",)).observation(1.0)


@pytest.mark.parametrize(
    ("unit", "values", "kept"),
    [("m/s", (1.0, 2.0), True), ("m/s", (1.0, None), False), ("", (1.0, 2.0), False)],
)
def test_only_complete_indicators_in_metres_per_second_reach_a_task(
    unit: str, values: tuple[float | None, ...], kept: bool
) -> None:
    indicator = SeriesIndicator(name="fwhm", unit=unit, values=values, sigmas=(0.5, 0.5))
    observation = series([2455000.0, 2455001.0], indicators=(indicator,)).observation(1.0)
    assert bool(observation.indicators) is kept
    assert all(one.values_ms.tolist() == [1.0, 2.0] for one in observation.indicators)


def test_harps_is_two_instruments_on_either_side_of_its_new_fibres() -> None:
    split = split_at_upgrade(series([2457100.0, 2457200.0]), "HARPS", "harps")
    assert split.instruments == ("HARPS-pre", "HARPS-post")
    assert split.remarks == (
        "HARPS split at new fibres of HARPS, May 2015: 1 points before, 1 after",
    )


@pytest.mark.parametrize(
    ("label", "upgrade", "words"),
    [
        ("HARPS", "sophie", "upgrade must be one of harps, hires"),
        ("HIRES", "hires", "has no instrument 'HIRES', only HARPS"),
        ("HARPS", "harps", "2457165.00000 lies within the upgrade"),
    ],
)
def test_a_split_that_makes_no_sense_is_refused(label: str, upgrade: str, words: str) -> None:
    with pytest.raises(UsageError, match=words):
        split_at_upgrade(series([2457165.0]), label, upgrade)


def test_merged_series_are_in_order_and_keep_their_sources() -> None:
    one = series([2455000.0, 2455002.0], "A")
    other = series([2455001.0], "B", time_reference="hjd")
    both = merge([one, other])
    assert both.instruments == ("A", "B", "A")
    assert both.time_reference == "mixed"
    assert (np.diff(both.times_bjd) > 0).all()


def test_a_point_may_not_be_merged_twice() -> None:
    with pytest.raises(UsageError, match=r"the point of A at 2455000\.000000 is in two"):
        merge([series([2455000.0], "A"), series([2455000.0], "A")])


def test_an_indicator_of_one_part_has_gaps_in_the_other() -> None:
    indicator = SeriesIndicator(name="fwhm", unit="m/s", values=(7.0,), sigmas=(0.1,))
    both = merge([series([2455000.0], "A"), series([2455001.0], "B", indicators=(indicator,))])
    assert both.indicators[0].values == (None, 7.0)


@pytest.mark.parametrize(
    "fields",
    [
        {"times_bjd": [2455001.0, 2455000.0]},
        {"sigmas_ms": [1.0, 0.0]},
        {"flags": ("",)},
        {"instruments": ("A",)},
    ],
)
def test_an_inconsistent_series_cannot_be_made(fields: dict[str, object]) -> None:
    with pytest.raises(ValidationError):
        series([2455000.0, 2455001.0], **fields)
