"""Damage and missing statements are one line that names file, column and the way out."""

from __future__ import annotations

from contextlib import suppress
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st
from rv.archive.samples import (
    DACE,
    EXOSTRIKER,
    IPAC,
    JULIET,
    KIMA,
    ORBITIZE,
    RADVEL,
    RVBANK,
    SAMPLES,
    Sample,
)

from ecliptic.errors import EclipticError, TaskError, UsageError
from ecliptic.rv.archive.ecsv_files import read_ecsv, write_ecsv
from ecliptic.rv.archive.reading import read_series


def refused(folder: Path, sample: Sample, text: str | bytes, **stated: Any) -> str:
    path = folder / sample.name
    path.write_bytes(text if isinstance(text, bytes) else text.encode())
    with pytest.raises(EclipticError) as caught:
        read_series(path, sample.file_format, **{**sample.stated, **stated})
    message = str(caught.value)
    assert "\n" not in message
    assert sample.name in message
    return message


@pytest.mark.parametrize(
    ("sample", "argument", "words"),
    [
        (RADVEL, "velocity_unit", ("column 'mnvel'", "velocity_unit='m/s'")),
        (EXOSTRIKER, "velocity_unit", ("column 'rv'", "velocity_unit='km/s'")),
        (EXOSTRIKER, "instrument", ("column of the instruments is missing", "instrument='NAME'")),
        (KIMA, "time_offset_days", ("column 'bjd'", "55000.5", "give time_offset_days")),
        (JULIET, "velocity_unit", ("column 'rv'", "m/s or km/s")),
        (DACE, "velocity_unit", ("column 'rv'", "m/s or km/s")),
    ],
    ids=lambda value: getattr(value, "file_format", value if isinstance(value, str) else ""),
)
def test_what_the_file_leaves_open_must_be_stated(
    tmp_path: Path, sample: Sample, argument: str, words: tuple[str, ...]
) -> None:
    message = refused(tmp_path, sample, sample.text, **{argument: None})
    for word in words:
        assert word in message


@pytest.mark.parametrize(
    ("sample", "stated", "words"),
    [
        (IPAC, {"velocity_unit": "km/s"}, "is in m/s by the file itself"),
        (DACE, {"time_offset_days": 2450000.0}, "the file says 2400000 was subtracted"),
        (ORBITIZE, {"velocity_unit": "m/s"}, "is in km/s by the file itself"),
        (RADVEL, {"instrument": "HIRES"}, "leave instrument out"),
        (RADVEL, {"sigma_ms": 1.0}, "leave sigma_ms out"),
        (RADVEL, {"time_offset_days": 2400000.0}, "check time_offset_days"),
        (KIMA, {"time_offset_days": 2.0}, "check time_offset_days"),
        (KIMA, {"velocity_unit": "m/s"}, "too small for any spectrograph; check velocity_unit"),
        (IPAC, {"time_reference": "bjd_tdb"}, "leave time_reference out"),
    ],
    ids=str,
)
def test_contradictions_and_wrong_statements_are_refused(
    tmp_path: Path, sample: Sample, stated: dict[str, Any], words: str
) -> None:
    assert words in refused(tmp_path, sample, sample.text, **stated)


def test_errors_of_many_kilometres_per_second_are_refused(tmp_path: Path) -> None:
    text = RADVEL.text.replace(",1.1,", ",60,").replace(",0.9,", ",70,")
    message = refused(tmp_path, RADVEL, text, velocity_unit="km/s")
    assert "column 'errvel': a median error of 6e+04 m/s is too large" in message


@pytest.mark.parametrize(
    ("sample", "old", "new", "words"),
    [
        (RADVEL, "-2.0", "nan", ("column 'mnvel'", "row 2 holds no number")),
        (RADVEL, "-2.0", "inf", ("column 'mnvel'", "row 2 holds 'inf'")),
        (RADVEL, "-2.0", "abc", ("column 'mnvel'", "row 2 holds 'abc'")),
        (RADVEL, "1.1", "-1.1", ("column 'errvel'", "must be > 0, is -1.1 in row 2")),
        (RADVEL, "0.9,j", "0.9,", ("column 'tel'", "row 1 is empty")),
        (RADVEL, "mnvel", "speed", ("column of the velocities is missing", "speed")),
        (RADVEL, "errvel", "sloppy", ("column of the errors is missing", "give sigma_ms")),
        (RADVEL, "time,", "when,", ("column of the times is missing",)),
        (JULIET, " HARPS", "", ("is not a whole bare table",)),
        (EXOSTRIKER, "\t1.1", "\t1.1 7 8", ("is not a whole bare table",)),
        (KIMA, "55010.125\t0.0035\t0.0010\t0.3\n", "55010.1", ("'vrad'",)),
        (IPAC, "|BJD ", " BJD ", ("is not a whole ipac table",)),
        (IPAC, "m/s            |m/s ", "mph            |m/s ", ("unit 'mph'", "nor km/s")),
        (IPAC, "m/s            |m/s ", "m/s            |km/s", ("correct the header",)),
        (RVBANK, "BJD", "JD", ("column of the times is missing",)),
        (RVBANK, "RV_mlc_nzp;e", "RV_x;e", ("column of the velocities is missing",)),
        (ORBITIZE, ",0,,,,,", ",1,,,,,", ("holds no velocities of object 0",)),
        (ORBITIZE, "epoch", "date", ("column of the times is missing",)),
    ],
    ids=lambda value: getattr(value, "file_format", ""),
)
def test_damage_is_named(
    tmp_path: Path, sample: Sample, old: str, new: str, words: tuple[str, ...]
) -> None:
    assert old in sample.text
    message = refused(tmp_path, sample, sample.text.replace(old, new, 1 if old != ",0,,,,," else 9))
    for word in words:
        assert word in message


@pytest.mark.parametrize("sample", SAMPLES, ids=lambda sample: sample.file_format)
@pytest.mark.parametrize(
    ("content", "words"),
    [
        (b"", "is empty"),
        (b" \r\n\n", "is empty"),
        (b"# one\n#two\n", ""),
        (b"\xff\xfe\x00t", "is not UTF-8"),
        (b"time\x00,1\n", "is a binary file"),
    ],
)
def test_what_is_no_table_is_refused(
    tmp_path: Path, sample: Sample, content: bytes, words: str
) -> None:
    assert words in refused(tmp_path, sample, content)


def test_a_header_alone_is_refused(tmp_path: Path) -> None:
    assert "holds no rows" in refused(tmp_path, RADVEL, RADVEL.text.splitlines()[0] + "\n")


def test_errors_can_be_stated_where_the_file_has_none(tmp_path: Path) -> None:
    path = tmp_path / "bare.vels"
    path.write_text("2455000.5 1.0\n2455002.25 -2.0\n")
    with pytest.raises(UsageError, match=r"bare\.vels: column of the errors is missing"):
        read_series(path, "exostriker", velocity_unit="m/s", instrument="X")
    series = read_series(path, "exostriker", velocity_unit="m/s", instrument="X", sigma_ms=2.0)
    assert series.sigmas_ms.tolist() == [2.0, 2.0]
    assert series.sources[0].stated["sigma_ms"] == "2"


def test_a_missing_file_a_folder_and_an_unknown_format_are_one_line_each(tmp_path: Path) -> None:
    with pytest.raises(TaskError, match="no such file"):
        read_series(tmp_path / "none.csv", "radvel")
    with pytest.raises(TaskError, match="directory"):
        read_series(tmp_path, "radvel")
    with pytest.raises(UsageError, match="file_format must be one of radvel, exostriker"):
        read_series(tmp_path / "none.csv", "fits")
    with pytest.raises(UsageError, match="target is not an option of the format 'radvel'"):
        read_series(tmp_path / "none.csv", "radvel", target="x")


@pytest.mark.parametrize(
    ("old", "new", "words"),
    [
        ("ecliptic.archive/1", "ecliptic.archive/9", "schema must be"),
        ("{name: rv, unit: m / s,", "{name: rv,", "'rv': must be in m / s, is in no unit"),
        ("# ---\n", "# --- [\n", "is not a whole ECSV table"),
        ("name: instrument", "name: telescope", "own.ecsv"),
        ("2455002.25", "nan", "column 'time_bjd': row 2"),
        ("{time_reference: unstated}", "{time_reference: noon}", "time_reference"),
    ],
    ids=["schema", "unit", "yaml", "column", "nan", "field"],
)
def test_a_damaged_table_of_our_own_is_named(
    tmp_path: Path, old: str, new: str, words: str
) -> None:
    sample = tmp_path / RADVEL.name
    sample.write_text(RADVEL.text)
    path = tmp_path / "own.ecsv"
    write_ecsv(read_series(sample, "radvel", velocity_unit="m/s"), path)
    text = path.read_text()
    assert old in text
    path.write_text(text.replace(old, new, 1))
    with pytest.raises(TaskError) as caught:
        read_ecsv(path)
    assert "own.ecsv" in str(caught.value)
    assert words in str(caught.value)


CUTS = settings(
    max_examples=80, deadline=None, suppress_health_check=[HealthCheck.function_scoped_fixture]
)


@CUTS
@given(
    sample=st.sampled_from(SAMPLES),
    start=st.integers(0, 400),
    length=st.integers(0, 60),
    junk=st.sampled_from(["", "\n", ",", "|", '"', "nan", "\t", "#", "1e999", "---", "\\", "é"]),
)
def test_no_damage_makes_a_reader_fail_otherwise(
    tmp_path: Path, sample: Sample, start: int, length: int, junk: str
) -> None:
    start = min(start, len(sample.text))
    path = tmp_path / sample.name
    path.write_text(sample.text[:start] + junk + sample.text[start + length :], encoding="utf-8")
    with suppress(EclipticError):
        series = read_series(path, sample.file_format, **sample.stated)
        assert np.isfinite(series.rvs_ms).all()
        assert (series.sigmas_ms > 0).all()
