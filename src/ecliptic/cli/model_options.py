"""The options that all runs of language models share."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, fields
from functools import wraps
from typing import Any, TypeVar

import click

from ecliptic.cli.option_types import NOT_NEGATIVE, POSITIVE
from ecliptic.errors import UsageError

F = TypeVar("F", bound=Callable[..., Any])


@dataclass(frozen=True)
class ModelOptions:
    """The options that all runs of language models share."""

    model: str | None
    agents: str | None
    model_args: dict[str, Any]
    model_roles: dict[str, str]
    base_url: str | None
    temperature: float | None
    max_connections: int | None
    epochs: int
    price_in: float | None
    price_out: float | None
    max_tokens: float | None
    max_cost: float | None
    estimate_only: bool


def _pairs(_: click.Context, parameter: click.Parameter, values: tuple[str, ...]) -> dict[str, Any]:
    import json

    found: dict[str, Any] = {}
    for value in values:
        name, equals, text = value.partition("=")
        if not (name and equals and text):
            raise click.BadParameter(f"'{value}' is not of the form NAME=VALUE")
        try:
            found[name] = text if parameter.name == "model_roles" else json.loads(text)
        except ValueError:
            found[name] = text
    return found


def _listed(_: click.Context, __: click.Parameter, value: str | None) -> str | None:
    """The names as they are; an empty one, as of a variable that is not set, is a mistake."""
    if value is not None and not all(name.strip() for name in value.split(",")):
        raise click.BadParameter(f"'{value}' holds an empty name; write such as single_shot,pace")
    return value


_OPTIONS = (
    click.option(
        "--model",
        metavar="PROVIDER/MODEL",
        help="A language model: any of Inspect's, such as openai/gpt-5, or `local`. Needs the "
        "extra `agents`.",
    ),
    click.option(
        "--agents",
        "--agent",
        metavar="NAMES",
        callback=_listed,
        help="Patterns, such as single_shot,pace,react, or `all`.",
    ),
    click.option(
        "-M",
        "--model-arg",
        "model_args",
        multiple=True,
        callback=_pairs,
        metavar="NAME=VALUE",
        help="An argument of the model's provider; may be repeated.",
    ),
    click.option(
        "--model-role",
        "model_roles",
        multiple=True,
        callback=_pairs,
        metavar="ROLE=MODEL",
        help="Another model for a role, such as verifier=openai/gpt-5; may be repeated.",
    ),
    click.option("--base-url", help="Of the model's server."),
    click.option("--temperature", type=NOT_NEGATIVE, help="Of every call."),
    click.option("--max-connections", type=click.IntRange(1), help="Calls at the same time."),
    click.option(
        "--epochs",
        type=click.IntRange(1, 10_000),
        default=1,
        show_default=True,
        help="Attempts on each task.",
    ),
    click.option("--price-in", type=NOT_NEGATIVE, help="Of a million tokens read."),
    click.option("--price-out", type=NOT_NEGATIVE, help="Of a million tokens written."),
    click.option(
        "--max-tokens",
        type=POSITIVE,
        help="Begin no attempt that would take all runs into --out beyond this.",
    ),
    click.option("--max-cost", type=POSITIVE, help="The same, in the currency of the prices."),
    click.option(
        "--estimate", "estimate_only", is_flag=True, help="Show what it would take, and stop."
    ),
)


def model_options(command: F) -> F:
    """Add the shared options; the command gets them as one argument ``models``."""
    names = {field.name for field in fields(ModelOptions)}

    @wraps(command)
    def gathered(**arguments: Any) -> Any:
        own = {name: arguments.pop(name) for name in names}
        return command(models=ModelOptions(**own), **arguments)

    for option in reversed(_OPTIONS):
        gathered = option(gathered)
    return gathered  # type: ignore[return-value]


def need_model(models: ModelOptions) -> str:
    """The model's name; a :class:`UsageError` where none is given."""
    if not models.model:
        raise UsageError("name a language model: --model PROVIDER/MODEL (or --model local)")
    return models.model


def refuse_roles(models: ModelOptions, *known: str) -> None:
    """A :class:`UsageError` for a role that nobody plays, such as one that is misspelt."""
    for role in models.model_roles:
        if role not in known:
            there = f"there is {', '.join(known)}" if known else "nothing here asks one"
            raise UsageError(f"--model-role {role}: no such role; {there}")
