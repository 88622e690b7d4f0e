"""Kinds of values that options take."""

from __future__ import annotations

import math
import os
from pathlib import Path
from typing import Any

import click


class FiniteRange(click.FloatRange):
    """A range of floats without ``nan``, which is in every range, and without infinities.

    A limit that is ``nan`` would stop nothing.
    """

    def convert(
        self, value: Any, param: click.Parameter | None, ctx: click.Context | None
    ) -> float:
        """The number, or a refusal that names the option."""
        number = float(super().convert(value, param, ctx))
        if not math.isfinite(number):
            self.fail(f"{value} is no finite number.", param, ctx)
        return number


class NamedPath(click.Path):
    """A path that is not empty, and no address.

    An empty one, as a shell makes it of a variable that is not set, would be this folder; of
    ``s3://bucket`` would become a folder ``s3:``.
    """

    def __init__(self) -> None:
        super().__init__(path_type=Path)

    def convert(
        self,
        value: str | os.PathLike[str],
        param: click.Parameter | None,
        ctx: click.Context | None,
    ) -> Any:
        """The path, or a refusal that names the option."""
        if value == "":
            self.fail("the path is empty; write . for this folder.", param, ctx)
        if "://" in os.fsdecode(value):
            self.fail(f"{value} is an address; name a path on this machine.", param, ctx)
        return super().convert(value, param, ctx)


POSITIVE = FiniteRange(0, min_open=True)
NOT_NEGATIVE = FiniteRange(0)
NAMED_PATH = NamedPath()
