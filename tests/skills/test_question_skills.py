"""The skills for questions: their code runs, and their examples are read as they mean."""

from __future__ import annotations

import json
import re

import numpy as np
import pytest
from skills.laboratory import snippets

from ecliptic import grading
from ecliptic.skills import load_skills


def forms() -> dict[str, str]:
    """The table of final lines in ``answer-formats``."""
    body = load_skills(["answer-formats"])[-1].body
    return dict(re.findall(r"^\| ([^|`]+?) \| `(\$.*?\$)` \|$", body, re.MULTILINE))


@pytest.mark.parametrize(
    ("form", "kind", "gold"),
    [
        ("a number", "numeric", r"$430\ \mathrm{km/s}$"),
        ("a number, with uncertainty", "numeric", r"$430 \pm 20\ \mathrm{km/s}$"),
        (
            "several numbers",
            "numeric",
            r"$v = 4.3\times 10^{5}\ \mathrm{m/s},\quad n = 5\times 10^{6}\ \mathrm{m^{-3}}$",
        ),
        ("a formula", "symbolic", r"$v_A = B (\mu_0 \rho)^{-1/2}$"),
        ("boxed", "symbolic", r"$v_A = B (\mu_0 \rho)^{-1/2}$"),
    ],
)
def test_each_recommended_form_is_read_as_meant(form: str, kind: str, gold: str) -> None:
    assert grading.grade(gold=gold, answer=forms()[form], type=kind).passed


def test_the_recommended_definition_after_a_comma_is_read() -> None:
    answer = r"$f = A\,r^{-\alpha},\quad \alpha = \frac{V}{\kappa} - 1$"
    assert answer in load_skills(["answer-formats"])[-1].body
    gold = r"$f = A r^{1 - V/\kappa}$"
    assert grading.grade(gold=gold, answer=answer, type="symbolic").passed


def test_the_json_example_is_one_object(capsys: pytest.CaptureFixture[str]) -> None:
    for code in snippets("answer-formats"):
        exec(compile(code, "<skill>", "exec"), {})
    answer = json.loads(capsys.readouterr().out)
    gold = json.dumps({"speed": {"value": 430.0, "unit": "km/s"}, "supersonic": True})
    verdict = grading.grade(gold=gold, answer=json.dumps(answer), type="structured")
    assert verdict.passed


def test_the_units_example_gives_the_scales_of_the_table() -> None:
    session: dict[str, object] = {}
    for code in snippets("units-discipline"):
        exec(compile(code, "<skill>", "exec"), session)
    assert session["v_A"].to_value("km/s") == pytest.approx(48.8, rel=0.01)  # type: ignore[attr-defined]
    assert float(session["beta"]) == pytest.approx(1.67, rel=0.01)  # type: ignore[arg-type]
    assert session["f_pe"].to_value("kHz") == pytest.approx(20.1, rel=0.01)  # type: ignore[attr-defined]


def test_constants_of_the_units_skill_are_right() -> None:
    from astropy import constants as const
    from astropy import units as u

    body = load_skills(["units-discipline"])[-1].body
    facts = {
        "6.957e8 m": (const.R_sun.to_value(u.m), 6.957e8),
        "1.496e11 m (215 R_sun)": ((1 * u.au).to_value(u.R_sun), 215),
        "1.988e30 kg": (const.M_sun.to_value(u.kg), 1.988e30),
        "3.828e26 W": (const.L_sun.to_value(u.W), 3.828e26),
        "274 m/s^2": ((const.G * const.M_sun / const.R_sun**2).to_value("m/s2"), 274),
        "618 km/s": (np.sqrt(2 * const.G * const.M_sun / const.R_sun).to_value("km/s"), 618),
        "11604.5 K": ((1 * u.eV / const.k_B).to_value(u.K), 11604.5),
        "about 725 km": (((1 * u.au) * np.radians(1 / 3600)).to_value(u.km), 725),
        "2.97e-6 rad/s": (2 * np.pi / (24.5 * 86400), 2.97e-6),
        "1.26e9 kg/s": ((2e-14 * u.M_sun / u.yr).to_value("kg/s"), 1.26e9),
    }
    for text, (value, said) in facts.items():
        assert text in body
        assert value == pytest.approx(said, rel=5e-3 if "about" not in text else 0.05), text
