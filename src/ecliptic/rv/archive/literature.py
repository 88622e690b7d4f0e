"""Published values of the shipped stars, each with uncertainty, confidence and source.

A value of ``medium`` confidence should be looked up in its paper before anything hangs on its
last digit. ``minus`` and ``plus`` are absent where the source gives none or the value was fixed.
"""

from __future__ import annotations

from functools import cache
from importlib.resources import files
from typing import Annotated, Literal

from pydantic import Field, ValidationError

from ecliptic.errors import TaskError
from ecliptic.files import parse_json
from ecliptic.model import Float, Model, Text, Texts, describe

SCHEMA = "ecliptic.archive.literature/1"
Seen = Literal["blind", "with_ephemeris", "marginal", "no"]


class Quantity(Model):
    """A value and its one-sigma uncertainties; ``source`` only where it is not the star's."""

    value: Float
    minus: Annotated[Float, Field(ge=0)] | None = None
    plus: Annotated[Float, Field(ge=0)] | None = None
    confidence: Literal["high", "medium"] = "high"
    source: Text = ""


class PublishedPlanet(Model):
    """Published elements of one planet.

    ``seen`` says what is expected of the shipped series: that it shows the planet to an analyst
    who knows nothing (``blind``), only to one who knows period and phase from transits
    (``with_ephemeris``), weakly or as a disputed signal (``marginal``), or not (``no``).
    """

    letter: Text
    period_days: Quantity
    seen: Seen
    semi_amplitude_ms: Quantity | None = None
    e: Quantity | None = None
    omega_deg: Quantity | None = None
    m_sin_i_mjup: Quantity | None = None
    note: Text = ""


class Activity(Model):
    """What is published of the star's rotation, and whether the published fit has a process."""

    rotation_days: Quantity
    gaussian_process: bool


class PublishedStar(Model):
    """A star's mass and planets; ``source`` is the paper of every value that names no other."""

    name: Text
    hip: int | None = None
    aliases: Texts = ()
    star_mass_sun: Quantity
    source: Text
    planets: tuple[PublishedPlanet, ...]
    trend: Text = ""
    activity: Activity | None = None
    forward_model: Literal["keplerian", "nbody"] = "keplerian"
    notes: Texts = ()

    @property
    def expected(self) -> tuple[PublishedPlanet, ...]:
        """The planets that a blind analysis of the shipped series should find."""
        return tuple(planet for planet in self.planets if planet.seen == "blind")


class _Library(Model):
    schema_name: Text = Field(alias="schema")
    stars: dict[str, PublishedStar]


@cache
def published() -> dict[str, PublishedStar]:
    """The shipped values by the name of their table, for instance ``hd164922``.

    Raises
    ------
    TaskError
        The shipped file was changed and is no longer valid.
    """
    where = "literature.json"
    data = files("ecliptic.rv.archive").joinpath(where).read_bytes()
    try:
        library = _Library.model_validate(parse_json(data, where))
    except ValidationError as error:
        field, _, sentence = describe(error)
        raise TaskError(f"{where}: {field} {sentence}") from None
    if library.schema_name != SCHEMA:
        raise TaskError(f"{where}: schema must be '{SCHEMA}', is '{library.schema_name}'")
    return library.stars
