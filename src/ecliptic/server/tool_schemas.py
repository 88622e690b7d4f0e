"""The tools of an attempt: names, descriptions and JSON schemas, the same over HTTP and MCP."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

from ecliptic.rv.agent_texts import PYTHON_TEXT, python_text, submit_text
from ecliptic.rv.submission import AGENT_LIMITS

LONGEST_CODE, LONGEST_ANSWER = 500_000, 100_000
LEAST_DAYS, MOST_DAYS = 1e-3, 1e7
_A = AGENT_LIMITS


def _number(description: str, **limits: Any) -> dict[str, Any]:
    return {"type": "number", "description": description, **limits}


_ANGLE = {"minimum": -1e6, "maximum": 1e6}
PLANET = {
    "type": "object",
    "required": ["period_days", "m_sin_i_mjup", "e", "omega_rad", "l_rad"],
    "additionalProperties": False,
    "properties": {
        "period_days": _number(
            "orbital period in days", exclusiveMinimum=_A.period_above_days, maximum=MOST_DAYS
        ),
        "m_sin_i_mjup": _number("minimum mass in Jupiter masses", minimum=0, maximum=1e4),
        "e": _number("eccentricity", minimum=0, maximum=_A.max_e),
        "omega_rad": _number("argument of periastron of the star, in radians", **_ANGLE),
        "l_rad": _number("mean longitude omega + M at t_ref_days, in radians", **_ANGLE),
    },
}
NOISE = {
    "type": ["object", "null"],
    "description": "what is assumed beyond the quoted errors; may be left out",
    "additionalProperties": False,
    "properties": {
        "sigma_jitter_ms": _number(
            "white noise beyond the quoted errors, in m/s", minimum=0, maximum=1e6
        )
    },
}
PLANETS = {"type": "array", "items": PLANET, "maxItems": _A.max_planets}
EXAMPLE = {
    "planets": [
        {"period_days": 12.3, "m_sin_i_mjup": 0.2, "e": 0.1, "omega_rad": 1.0, "l_rad": 2.0}
    ],
    "noise": {"sigma_jitter_ms": 0.5},
}


def _object(required: list[str], **properties: Any) -> dict[str, Any]:
    return {
        "type": "object",
        "required": required,
        "additionalProperties": False,
        "properties": properties,
    }


STAR_SUBMISSION = _object(["planets"], planets=PLANETS, noise=NOISE)
ANSWER_SUBMISSION = _object(
    ["answer"],
    answer={
        "type": "string",
        "description": "the answer, in the form that is asked for; LaTeX is read",
        "minLength": 1,
        "maxLength": LONGEST_ANSWER,
        "pattern": r"[^\s]",
    },
)
MODEL = _object([], planets=PLANETS, noise=NOISE)
CODE = _object(
    ["code"],
    code={"type": "string", "description": "Python source", "maxLength": LONGEST_CODE},
)
_DAYS = {"minimum": LEAST_DAYS, "maximum": MOST_DAYS}
POWER = _object(
    [],
    planets={**PLANETS, "description": "of what these planets leave; without them, of the data"},
    noise=NOISE,
    period_min_days=_number("shortest period; by default the declared range", **_DAYS),
    period_max_days=_number("longest period", **_DAYS),
    peaks={"type": "integer", "minimum": 1, "maximum": 20, "description": "how many peaks"},
)


@dataclass(frozen=True, slots=True)
class ToolText:
    """A tool as it is described to an agent."""

    name: str
    description: str
    schema: dict[str, Any]


OBSERVE_STAR = ToolText(
    "observe",
    "Everything you may see of the star: times_days, rvs_ms, sigmas_ms, instruments, "
    "star_mass_sun, t_ref_days, activity indicators and the declared noise family where there "
    "are such; how it is graded, and what is left of your budget.",
    _object([]),
)
OBSERVE_QUESTION = ToolText(
    "observe", "The question, the form of answer that it asks for, and your budget.", _object([])
)
SUBMIT_STAR = ToolText(
    "submit",
    submit_text(),
    STAR_SUBMISSION,
)
SUBMIT_ANSWER = ToolText(
    "submit", "Hand in your answer, as text. Only one is taken.", ANSWER_SUBMISSION
)
PYTHON_STAR = ToolText(
    "python",
    python_text(indicators=True),
    CODE,
)
PYTHON = ToolText("python", PYTHON_TEXT, CODE)
PERIODOGRAM = ToolText(
    "periodogram",
    "Generalised Lomb-Scargle periodogram of the velocities, or of what a model leaves of them: "
    "the highest peaks, the power that noise exceeds in 1 % of cases, and the curve.",
    POWER,
)
PLOT = ToolText(
    "plot",
    "A picture (PNG) of the velocities and, with a model, its curve, residuals, folded orbits and "
    "periodograms.",
    MODEL,
)


def tools_of(kind: str, python: bool) -> tuple[ToolText, ...]:
    """The tools for stars or questions, with or without the laboratory."""
    if kind == "questions":
        return (OBSERVE_QUESTION, SUBMIT_ANSWER, *((PYTHON,) if python else ()))
    laboratory = (PYTHON_STAR,) if python else ()
    return (OBSERVE_STAR, SUBMIT_STAR, *laboratory, PERIODOGRAM, PLOT)
