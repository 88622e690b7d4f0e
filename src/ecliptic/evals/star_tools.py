"""The tools of an attempt on a star: ``python`` and ``submit``."""

from __future__ import annotations

import base64
from typing import Any

from inspect_ai.model import ContentImage, ContentText
from inspect_ai.tool import Tool, ToolDef, ToolParams, tool
from inspect_ai.util import JSONSchema

from ecliptic.evals.episodes import current_episode
from ecliptic.rv.submission import AGENT_LIMITS

_PYTHON = (
    "Run Python and return what it prints, with the value of a last expression. Variables, "
    "imports and files are kept from call to call. numpy (as np), scipy, astropy, matplotlib and "
    "sympy can be imported. The data are there already: times_days, rvs_ms, sigmas_ms (arrays), "
    "instruments (one label a point), star_mass_sun, t_ref_days{indicators}."
)
_INDICATORS = ", indicators (a dict of dicts with values_ms and sigmas_ms)"
_SUBMIT = (
    "Hand in a model of the planets and learn how it was judged. The number of submissions is "
    "limited; one that does not follow the schema costs none. planets is a list of objects: "
    f"period_days (> {AGENT_LIMITS.period_above_days:g}), m_sin_i_mjup (minimum mass in Jupiter "
    f"masses, >= 0), e (eccentricity, 0 to {AGENT_LIMITS.max_e:g}), omega_rad (argument of "
    "periastron of the star), l_rad (mean longitude omega + M at t_ref_days); at most "
    f"{AGENT_LIMITS.max_planets} planets. noise is optional: "
    '{"sigma_jitter_ms": white noise in m/s beyond the quoted errors}. Instrument offsets are '
    "fitted for you."
)


def _number(description: str) -> JSONSchema:
    return JSONSchema(type="number", description=description)


PLANET_SCHEMA = JSONSchema(
    type="object",
    properties={
        "period_days": _number("orbital period in days"),
        "m_sin_i_mjup": _number("minimum mass in Jupiter masses"),
        "e": _number("eccentricity"),
        "omega_rad": _number("argument of periastron of the star, in radians"),
        "l_rad": _number("mean longitude omega + M at t_ref_days, in radians"),
    },
    required=["period_days", "m_sin_i_mjup", "e", "omega_rad", "l_rad"],
)
NOISE_SCHEMA = JSONSchema(
    type="object",
    description="what is assumed beyond the quoted errors; may be left out",
    properties={"sigma_jitter_ms": _number("white noise beyond the quoted errors, in m/s")},
)


@tool
def python(images: bool = True, indicators: bool = False) -> Tool:
    """The laboratory of the sample; ``images`` says whether the model sees plots."""

    async def execute(code: str) -> str | list[ContentText | ContentImage]:
        result = await current_episode().run(code)
        text = result.text or "[no output]"
        if not result.images:
            return text
        if not images:
            return f"{text}\n[{len(result.images)} plots were drawn; you cannot see images]"
        return [ContentText(text=text), *map(_as_image, result.images)]

    note = _INDICATORS if indicators else ""
    return ToolDef(
        execute,
        name="python",
        description=_PYTHON.format(indicators=note),
        parameters={"code": "Python source"},
    ).as_tool()


def _as_image(png: bytes) -> ContentImage:
    return ContentImage(image="data:image/png;base64," + base64.b64encode(png).decode())


@tool
def submit() -> Tool:
    """Hands a submission to the sample's environment."""

    async def execute(planets: Any, noise: Any = None) -> str:
        submission = {"planets": planets, **({} if noise is None else {"noise": noise})}
        return (await current_episode().hand_in(submission)).feedback.text

    return ToolDef(
        execute,
        name="submit",
        description=_SUBMIT,
        parameters=ToolParams(
            properties={
                "planets": JSONSchema(
                    type="array", description="one object a planet", items=PLANET_SCHEMA
                ),
                "noise": NOISE_SCHEMA,
            },
            required=["planets"],
        ),
    ).as_tool()
