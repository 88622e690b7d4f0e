"""What is read, what is refused, and how the refusal is worded."""

from __future__ import annotations

import json
import math
from collections.abc import Iterator, Mapping
from typing import Any

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from tasks import small_task

from ecliptic.errors import SubmissionError
from ecliptic.rv.scoring import evaluate
from ecliptic.rv.submission import (
    AGENT_LIMITS,
    GRADER_LIMITS,
    Submission,
    SubmittedNoise,
    SubmittedPlanet,
    read_submission,
)

FULL = {
    "planets": [
        {"P_days": 12.5, "m_sin_i_mjup": 0.3, "e": 0.1, "omega_rad": 1.0, "l_rad": -2.0},
        {"period_days": 3, "inc_rad": 1.2, "m_true_mjup": None},
    ],
    "noise": {"sigma_jitter_ms": 0.5},
}


def one(**fields: Any) -> dict[str, Any]:
    return {"planets": [{"P_days": 10.0}, {"P_days": 20.0, **fields}]}


def test_defaults_and_ignored_fields() -> None:
    submission = read_submission(FULL)
    first, second = submission.planets
    assert (first.period_days, first.m_sin_i_mjup, first.e) == (12.5, 0.3, 0.1)
    assert (first.omega_rad, first.l_rad, first.Omega_rad) == (1.0, -2.0, 0.0)
    assert (second.period_days, second.m_sin_i_mjup, second.e, second.l_rad) == (3.0, 0.1, 0, 0)
    assert submission.sigma_jitter_ms == 0.5
    assert "inc_rad" not in submission.to_dict()["planets"][1]


@pytest.mark.parametrize("noise", [{}, {"noise": None}, {"noise": {}}])
def test_noise_may_be_left_out(noise: dict[str, Any]) -> None:
    assert read_submission({"planets": [], **noise}).sigma_jitter_ms == 0.0


def test_text_bytes_mapping_and_model_are_the_same() -> None:
    submission = read_submission(FULL)
    text = json.dumps(FULL)
    assert read_submission(text) == read_submission(text.encode()) == submission
    assert read_submission(submission, AGENT_LIMITS) == submission
    assert read_submission(submission.to_dict()) == submission


def test_numpy_numbers_are_numbers() -> None:
    submission = read_submission(one(e=np.float64(0.25), l_rad=np.float32(0.5)))
    assert (submission.planets[1].e, submission.planets[1].l_rad) == (0.25, 0.5)


CASES = [
    # data, limits, field, what the message must hold
    (one(e=1.2), GRADER_LIMITS, "planets[1].e", ["0 <= e < 1", "1.2"]),
    (one(e=1.0), GRADER_LIMITS, "planets[1].e", ["0 <= e < 1", "1.0"]),
    (one(e=-0.1), AGENT_LIMITS, "planets[1].e", ["0 <= e <= 0.8", "-0.1"]),
    (one(e=0.81), AGENT_LIMITS, "planets[1].e", ["0 <= e <= 0.8", "0.81"]),
    (one(e=True), GRADER_LIMITS, "planets[1].e", ["number", "True"]),
    (one(e="0.1"), GRADER_LIMITS, "planets[1].e", ["number", "'0.1'"]),
    (one(e=None), GRADER_LIMITS, "planets[1].e", ["number", "None"]),
    (one(e=math.nan), GRADER_LIMITS, "planets[1].e", ["NaN"]),
    (one(l_rad=math.inf), GRADER_LIMITS, "planets[1].l_rad", ["finite", "infinity"]),
    (one(omega_rad=[1.0]), GRADER_LIMITS, "planets[1].omega_rad", ["finite", "[1.0]"]),
    (one(Omega_rad="x" * 9999), GRADER_LIMITS, "planets[1].Omega_rad", ["xxx..."]),
    (one(l_rad=10**400), GRADER_LIMITS, "planets[1].l_rad", ["integer of 1329 bits"]),
    (one(m_sin_i_mjup=-1), GRADER_LIMITS, "planets[1].m_sin_i_mjup", [">= 0", "-1"]),
    (one(P_days=0), GRADER_LIMITS, "planets[1].P_days", ["> 0", "days", "not 0"]),
    (one(P_days=0.5), AGENT_LIMITS, "planets[1].period_days", ["> 0.5", "not 0.5"]),
    (one(P_days=-3.0), AGENT_LIMITS, "planets[1].P_days", ["> 0.5", "-3.0"]),
    ({"planets": [{"e": 0.1}]}, GRADER_LIMITS, "planets[0].period_days", ["missing", "> 0"]),
    ({"planets": [{"P": 3.0, "P_days": 3}]}, GRADER_LIMITS, "planets[0].P", ["'period_days'"]),
    (one(eccentricity=0.1), GRADER_LIMITS, "planets[1].eccentricity", ["did you mean 'e'"]),
    (one(omega=0.1), GRADER_LIMITS, "planets[1].omega", ["did you mean 'omega_rad'"]),
    (one(period_days=1.0), GRADER_LIMITS, "planets[1].P_days", ["repeats period_days"]),
    (one(zzz=0), GRADER_LIMITS, "planets[1].zzz", ["not a field", "known: period_days"]),
    ({"planets": [7]}, GRADER_LIMITS, "planets[0]", ["object", "not 7"]),
    ({"planets": "none"}, GRADER_LIMITS, "planets", ["list", "'none'"]),
    ({"planets": None}, GRADER_LIMITS, "planets", ["list", "None"]),
    ({"planets": {"P_days": 1.0}}, GRADER_LIMITS, "planets", ["list"]),
    ({}, GRADER_LIMITS, "planets", ["missing"]),
    ({"planet": []}, GRADER_LIMITS, "planets", ["missing"]),
    ({"planets": [], "noize": {}}, GRADER_LIMITS, "noize", ["did you mean 'noise'"]),
    ({"planets": [], "noise": 3}, GRADER_LIMITS, "noise", ["object", "not 3"]),
    (
        {"planets": [], "noise": {"sigma_jitter_ms": -1}},
        GRADER_LIMITS,
        "noise.sigma_jitter_ms",
        [">= 0", "m/s", "-1"],
    ),
    (
        {"planets": [], "noise": {"sigma_jitter": 1}},
        GRADER_LIMITS,
        "noise.sigma_jitter",
        ["did you mean 'sigma_jitter_ms'"],
    ),
    (
        {"planets": [], "noise": {"jitter": 1}},
        GRADER_LIMITS,
        "noise.jitter",
        ["did you mean 'sigma_jitter_ms'"],
    ),
    ({"planets": [{"P_days": 9.0}] * 8}, AGENT_LIMITS, "planets", ["at most 7", "not 8"]),
    ({"planets": [{"P_days": 9.0}] * 101}, GRADER_LIMITS, "planets", ["at most 100", "101"]),
    (None, GRADER_LIMITS, "", ["object with 'planets'", "None"]),
    ([{"P_days": 1.0}], GRADER_LIMITS, "", ["object with 'planets'"]),
    (3.5, GRADER_LIMITS, "", ["object with 'planets'", "3.5"]),
    ('{"planets": [\n{"P_days": 3,}]}', GRADER_LIMITS, "", ["JSON", "line 2 column"]),
    ("I think that P = 3 d", GRADER_LIMITS, "", ["JSON", "line 1 column"]),
    (b"\xff\xfe", GRADER_LIMITS, "", ["JSON"]),
    ("\ud800", GRADER_LIMITS, "", ["JSON"]),
    ("[" * 100_000, GRADER_LIMITS, "", ["JSON", "recursion"]),
    ("9" * 5000, GRADER_LIMITS, "", ["JSON"]),
    ("", GRADER_LIMITS, "", ["JSON"]),
    ("null", GRADER_LIMITS, "", ["object with 'planets'"]),
    (" " * 2_000_000, GRADER_LIMITS, "", ["at most 1000000 characters"]),
    ('{"planets": [{"P_days": NaN}]}', GRADER_LIMITS, "planets[0].P_days", ["NaN"]),
]


@pytest.mark.parametrize(
    ("data", "limits", "field", "words"), CASES, ids=[str(i) for i in range(len(CASES))]
)
def test_a_refusal_names_field_value_and_range(
    data: object, limits: Any, field: str, words: list[str]
) -> None:
    with pytest.raises(SubmissionError) as caught:
        read_submission(data, limits)
    assert caught.value.field == field
    message = str(caught.value)
    assert message.startswith(field)
    assert [word for word in words if word not in message] == []
    assert len(message) < 300
    assert "\n" not in message


def test_an_unknown_field_is_refused_whatever_its_key() -> None:
    with pytest.raises(SubmissionError, match="planets"):
        read_submission({"planets": [{"P_days": 1.0, 7: 1.0}]})
    with pytest.raises(SubmissionError, match="not a field"):
        read_submission({"planets": [], "noise": None, ("a",): 1})


class MillionUnreadable(list[Any]):
    """A million planets that fail the test when one of them is looked at."""

    def __len__(self) -> int:
        return 1_000_000

    def __iter__(self) -> Any:
        raise AssertionError("a planet was read")

    def __getitem__(self, index: Any) -> Any:
        raise AssertionError("a planet was read")


def test_a_million_planets_are_refused_unread() -> None:
    with pytest.raises(SubmissionError, match="at most 7 planets, not 1000000"):
        read_submission({"planets": MillionUnreadable()}, AGENT_LIMITS)


def test_of_a_million_unknown_fields_the_first_is_named() -> None:
    fields = dict.fromkeys(map(str, range(1_000_000)))
    with pytest.raises(SubmissionError, match=r"^0 is not a field"):
        read_submission({"planets": [], **fields}, AGENT_LIMITS)


def test_agent_limits_hold_for_a_validated_submission_too() -> None:
    submission = read_submission(one(e=0.9))
    assert isinstance(submission, Submission)
    with pytest.raises(SubmissionError, match=r"0 <= e <= 0\.8"):
        read_submission(submission, AGENT_LIMITS)


SCALARS = st.none() | st.booleans() | st.integers() | st.floats() | st.text(max_size=8)
KEYS = st.sampled_from(["planets", "noise", "P_days", "e", "sigma_jitter_ms"]) | st.text(max_size=3)
GARBAGE = st.recursive(
    SCALARS | st.binary(max_size=8),
    lambda inner: st.lists(inner, max_size=4) | st.dictionaries(KEYS, inner, max_size=4),
)


@given(GARBAGE | st.fixed_dictionaries({"planets": st.lists(GARBAGE, max_size=3)}))
def test_garbage_is_refused_with_one_line_or_read(data: object) -> None:
    try:
        submission = read_submission(data, AGENT_LIMITS)
    except SubmissionError as error:
        message = str(error)
    else:
        message = "read"
        assert all(math.isfinite(planet.period_days) for planet in submission.planets)
    assert message
    assert "\n" not in message


class Hostile(Mapping[str, Any]):
    """A mapping with two keys, of which one of the methods fails."""

    def __init__(self, fails: str) -> None:
        self.fails = fails

    def _fail(self, method: str) -> None:
        if method == self.fails:
            raise ZeroDivisionError("line one\nline two")

    def __getitem__(self, key: str) -> Any:
        self._fail("getitem")
        return {"planets": []}[key]

    def __iter__(self) -> Iterator[str]:
        self._fail("iter")
        return iter(["planets"])

    def __len__(self) -> int:
        self._fail("len")
        return 1


class OddKey:
    def __str__(self) -> str:
        raise ZeroDivisionError

    __repr__ = __str__


class OddText(str):
    def __str__(self) -> str:
        raise ZeroDivisionError

    __repr__ = __str__


class OddDict(dict[str, Any]):
    def items(self) -> Any:
        raise ZeroDivisionError

    __getitem__ = get = items


class OddNumber(float):
    def __float__(self) -> float:
        raise ZeroDivisionError

    __repr__ = __float__  # type: ignore[assignment]


class OddList(list[Any]):
    def __len__(self) -> int:
        raise ZeroDivisionError


@pytest.mark.parametrize(
    "data",
    [
        Hostile("getitem"),
        Hostile("iter"),
        {"planets": [Hostile("getitem")]},
        {"planets": [], "noise": Hostile("iter")},
        {OddKey(): 1},
        {"planets": [{OddKey(): 1}]},
        {"planets": [], "noise": {OddKey(): 1}},
        OddDict(planets=1),
        {"planets": [OddDict(e=1)]},
        {"planets": OddList()},
        {"planets": [{"P_days": OddNumber(3.0)}]},
        {"planets": [{"P_days": OddList()}]},
        {"planets": [{"P_days": OddKey()}]},
        {"planets": [{"P_days": 3.0, "\ud800": 1}]},
        {"planets": [], "\ud800": 1},
        OddKey(),
        OddList(),
    ],
)
def test_hostile_objects_are_refused_with_one_line(data: object) -> None:
    with pytest.raises(SubmissionError) as caught:
        read_submission(data, AGENT_LIMITS)
    assert str(caught.value)
    assert str(caught.value).isprintable()


def test_a_mapping_is_asked_once_and_its_length_not_at_all() -> None:
    assert read_submission(Hostile("len")).planets == ()
    assert read_submission({OddText("planets"): [{OddText("P_days"): 3}]}).planets[0].e == 0.0


MANY = dict.fromkeys(map(str, range(100_000)), 1.0)


@pytest.mark.parametrize(
    ("data", "field"),
    [
        ({"planets": [{"P_days": 3.0, **MANY}]}, "planets[0].0"),
        ({"planets": [], "noise": MANY}, "noise.0"),
        (json.dumps({"planets": [{"P_days": 3.0}, MANY]}), "planets[1].0"),
    ],
)
def test_of_many_unknown_fields_only_the_first_is_looked_at(
    data: object, field: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    def never(_: object) -> None:
        raise AssertionError("left to the validator, which lists every fault")

    monkeypatch.setattr(Submission, "model_validate", never)
    if isinstance(data, str):
        data = json.loads(data)  # longer than text may be
    with pytest.raises(SubmissionError, match="not a field") as caught:
        read_submission(data, AGENT_LIMITS)
    assert caught.value.field == field


BAD_PLANET = SubmittedPlanet.model_construct(period_days=math.nan)


@pytest.mark.parametrize(
    "data",
    [
        Submission.model_construct(planets=(BAD_PLANET,)),
        Submission.model_construct(planets=[{"period_days": -1.0}]),
        Submission.model_construct(planets=7),
        Submission.model_construct(),
        {"planets": [BAD_PLANET]},
        {"planets": [], "noise": SubmittedNoise.model_construct(sigma_jitter_ms=-1.0)},
    ],
)
def test_a_constructed_model_is_validated(data: object) -> None:
    with pytest.raises(SubmissionError, match=r"^(planets|noise)"):
        read_submission(data)
    with pytest.raises(SubmissionError, match=r"^(planets|noise)"):
        evaluate(small_task(), data)
