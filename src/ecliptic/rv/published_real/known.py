"""What is known of the published benchmark's real stars beside its files: names, other planets."""

from __future__ import annotations

from functools import cache
from importlib.resources import files
from typing import Annotated

from pydantic import Field, ValidationError

from ecliptic.errors import TaskError
from ecliptic.files import parse_json
from ecliptic.model import Float, Model, Text, describe


class KnownStar(Model):
    """A star, and the letters and periods in days of planets that its task leaves out.

    ``transit_hours``: the duration of its planet's transits; ``nbody``: the published fit is
    a dynamical one.
    """

    star: Text
    source: Text
    further: tuple[tuple[Text, Annotated[Float, Field(gt=0)]], ...] = ()
    transit_hours: Float | None = None
    nbody: bool = False


class _Library(Model):
    schema_name: Text = Field(alias="schema")
    stars: dict[str, KnownStar]


@cache
def known_stars() -> dict[str, KnownStar]:
    """By the task's name in the benchmark."""
    where = "known.json"
    data = files("ecliptic.rv.published_real").joinpath(where).read_bytes()
    try:
        return _Library.model_validate(parse_json(data, where)).stars
    except ValidationError as error:
        field, _, sentence = describe(error)
        raise TaskError(f"{where}: {field} {sentence}") from None
