"""The prompts of the roles: one file each, in the package's folder ``prompts``."""

from __future__ import annotations

from functools import cache
from importlib.resources import files

from ecliptic.errors import UsageError


@cache
def read_prompt(name: str) -> str:
    """Text of the prompt ``name``, for example ``hmaw/ceo``.

    Raises
    ------
    UsageError
        There is no such prompt.
    """
    path = files("ecliptic.agents").joinpath("prompts", *f"{name}.md".split("/"))
    if not path.is_file():
        raise UsageError(f"there is no prompt '{name}': name a file of ecliptic/agents/prompts")
    return path.read_text(encoding="utf-8").strip()
