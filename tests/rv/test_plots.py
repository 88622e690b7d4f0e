from __future__ import annotations

import math
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from matplotlib.figure import Figure

from ecliptic.errors import OutputError, SubmissionError, UsageError
from ecliptic.rv.inference.periodogram import periodogram
from ecliptic.rv.plots import fit_figure, save_figure
from ecliptic.rv.power_panels import false_alarm_level
from ecliptic.rv.tasks import Instrument, Noise, Observation, Planet, Truth


def observation(n: int = 40, n_instruments: int = 1, start: float = 0.0) -> Observation:
    rng = np.random.default_rng(n)
    times = start + np.sort(rng.uniform(0.0, 90.0, n))
    labels = [f"inst{index % n_instruments}" for index in range(n)]
    offsets = np.array([1000.0 * (index % n_instruments) for index in range(n)])
    return Observation(
        times_days=times,
        rvs_ms=offsets + 10.0 * np.cos(2 * np.pi * (times - times[0]) / 11.0),
        sigmas_ms=np.full(n, 1.5),
        instruments=tuple(labels),
        star_mass_sun=1.0,
    )


def planets(count: int) -> dict[str, Any]:
    return {"planets": [{"P_days": 11.0 * 1.7**j, "m_sin_i_mjup": 0.1} for j in range(count)]}


def texts(figure: Figure) -> list[str]:
    """Everything that stands in the figure's titles, labels, legends and annotations."""
    from matplotlib.text import Text

    return [text.get_text() for text in figure.findobj(Text) if text.get_text()]


def panels(figure: Figure) -> int:
    return len(figure.axes)


@pytest.mark.parametrize("count", range(8))
def test_one_folded_panel_a_planet(count: int) -> None:
    figure = fit_figure(observation(), planets(count))
    assert panels(figure) == 4 + count
    titles = [axis.get_title("left") for axis in figure.axes if axis.get_title("left")]
    assert len(titles) == count
    if count:
        assert titles[0].startswith("1: P = 11 d, K = ")
        assert titles[0].endswith("e = 0.00")


def test_without_a_submission_there_is_no_model() -> None:
    figure = fit_figure(observation(n_instruments=3))
    assert panels(figure) == 2
    assert "submission" not in texts(figure)
    assert {"inst0", "inst1", "inst2"} <= set(texts(figure))


@pytest.mark.parametrize(
    ("n", "n_instruments"), [(1, 1), (2, 2), (3, 1), (4, 3), (8, 6), (1000, 1), (1000, 20)]
)
def test_any_size_can_be_drawn_without_a_warning(
    n: int, n_instruments: int, tmp_path: Path
) -> None:
    data = observation(n, n_instruments)
    for index, submission in enumerate((None, planets(2))):
        path = tmp_path / f"{index}.png"
        save_figure(fit_figure(data, submission), path)
        assert path.read_bytes().startswith(b"\x89PNG")


def test_a_single_epoch(tmp_path: Path) -> None:
    data = observation(4)
    same = data.model_copy(update={"times_days": np.full(4, 5.0), "t_ref_days": 5.0})
    save_figure(fit_figure(same, planets(1)), tmp_path / "x.png")
    assert "too few points for a periodogram" in texts(fit_figure(same))


def test_offsets_are_removed() -> None:
    data = observation(n_instruments=3)
    figure = fit_figure(data, planets(1))
    low, high = figure.axes[0].get_ylim()
    assert -60 < low < high < 60  # the instruments are 1000 m/s apart


def test_residuals_are_those_of_the_grader() -> None:
    from ecliptic.rv.assessment import Prepared, planet_rows
    from ecliptic.rv.submission import read_submission
    from ecliptic.rv.tasks import RVTask

    data = observation(n_instruments=2)
    submission = planets(2) | {"noise": {"sigma_jitter_ms": 2.0}}
    truth = Truth(
        planets=(),
        instruments=(Instrument(label="inst0"), Instrument(label="inst1")),
        noise=Noise(sigma_white_ms=1.0),
    )
    task = RVTask.create(tier="easy", observation=data, truth=truth, difficulty=1)
    rows = planet_rows(read_submission(submission).planets)
    rms_ms = Prepared(task).assess(rows, 2.0)[0][1]
    assert any(
        text.startswith(f"RMS {rms_ms:.3g} m/s") for text in texts(fit_figure(data, submission))
    )


def test_julian_dates_are_shortened() -> None:
    data = observation(start=2_455_123.4)
    labels = texts(fit_figure(data, planets(1)))
    assert "Time − 2 455 000 (days)" in labels
    assert "Time (days)" in texts(fit_figure(observation()))
    low, high = fit_figure(data).axes[0].get_xlim()
    assert 100 < low < high < 300


def test_the_truth_is_drawn_only_when_given() -> None:
    truth = Truth(
        planets=(Planet(period_days=11.0, m_sin_i_mjup=0.1),),
        instruments=(Instrument(label="inst0"),),
        noise=Noise(sigma_white_ms=1.0),
    )
    sealed = {"truth", "▲ true periods"}
    assert not sealed & set(texts(fit_figure(observation(), planets(1))))
    assert sealed <= set(texts(fit_figure(observation(), planets(1), truth=truth)))
    assert sealed <= set(texts(fit_figure(observation(), truth=truth)))


def test_labels_are_names_and_not_mathematics(tmp_path: Path) -> None:
    data = observation()
    odd = data.model_copy(update={"instruments": (r"$\bad{$" + "x" * 90,) * 40})
    save_figure(fit_figure(odd, planets(1)), tmp_path / "x.png")
    assert (tmp_path / "x.png").stat().st_size > 1000


@pytest.mark.parametrize(
    ("ending", "start"), [("pdf", b"%PDF"), ("svg", b"<?xml"), ("PNG", b"\x89")]
)
def test_formats(tmp_path: Path, ending: str, start: bytes) -> None:
    path = tmp_path / f"x.{ending}"
    save_figure(fit_figure(observation(), planets(1)), path)
    assert path.read_bytes().startswith(start)
    assert list(tmp_path.iterdir()) == [path]


@pytest.mark.parametrize("name", ["x", "x.jpg", "x.txt"])
def test_unknown_formats(tmp_path: Path, name: str) -> None:
    with pytest.raises(UsageError, match=r"must end in \.png, \.pdf, \.svg"):
        save_figure(Figure(), tmp_path / name)


def test_a_picture_that_cannot_be_written(tmp_path: Path) -> None:
    (tmp_path / "file").touch()
    with pytest.raises(OutputError, match="cannot be written"):
        save_figure(Figure(), tmp_path / "file" / "x.png")


def test_malformed_submission() -> None:
    with pytest.raises(SubmissionError, match="planets"):
        fit_figure(observation(), {"planets": [{"P_days": 0}]})


def test_extreme_submissions_can_be_drawn(tmp_path: Path) -> None:
    for planet in (
        {"P_days": 1e-3, "m_sin_i_mjup": 1.0},
        {"P_days": 1e7, "m_sin_i_mjup": 1.0},
        {"P_days": 11.0, "m_sin_i_mjup": 0.0},
        {"P_days": 11.0, "m_sin_i_mjup": 5.0, "e": 0.99},
    ):
        save_figure(fit_figure(observation(), {"planets": [planet]}), tmp_path / "x.png")
        assert (tmp_path / "x.png").stat().st_size > 1000


def test_false_alarm_level_is_what_noise_reaches() -> None:
    rng = np.random.default_rng(7)
    times = np.sort(rng.uniform(0.0, 100.0, 60))
    highest = []
    for _ in range(1000):
        power = periodogram(times, rng.normal(size=60), np.ones(60), 2.0, 100.0)
        highest.append(power.power.max())
    level = false_alarm_level(60, 1 / 2.0 - 1 / 100.0, power.resolution, probability=0.1)
    share = np.mean(np.array(highest) > level)
    # The number of independent frequencies is an estimate: 0.1 within a factor of three.
    assert 0.03 < share < 0.3
    assert math.isclose(false_alarm_level(5, 1.0, 1.0, 0.01), 1 - 0.01, rel_tol=1e-12)
