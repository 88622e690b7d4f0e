"""The tools of an attempt on a star: ``python`` and ``submit``."""

from __future__ import annotations

import base64
from typing import Any

from inspect_ai.model import ContentImage, ContentText
from inspect_ai.tool import Tool, ToolDef, ToolParams, tool
from inspect_ai.util import JSONSchema

from ecliptic.evals.episodes import current_episode
from ecliptic.rv.agent_texts import python_text, submit_text


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

    return ToolDef(
        execute,
        name="python",
        description=python_text(indicators),
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
        description=submit_text(),
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
