"""Options ``--engine`` and ``--address`` of the commands that can work on a cluster."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from contextlib import contextmanager
from typing import TYPE_CHECKING, Any, TypeVar

import click

if TYPE_CHECKING:
    from ecliptic.distributed import Engine

F = TypeVar("F", bound=Callable[..., Any])


def engine_options(what: str) -> Callable[[F], F]:
    """Add both options; ``what`` says what they are for."""

    def add(command: F) -> F:
        address = click.option(
            "--address",
            metavar="HOST:PORT|auto",
            help="With --engine ray: of a running cluster.  [default: one is started for the call]",
        )
        engine = click.option(
            "--engine", metavar="local|ray", help=f"{what} Ray needs the extra 'distributed'."
        )
        return engine(address(command))

    return add


def workers_asked(workers: int | None) -> int | None:
    """The number on the command line; ``None`` where it is only the default of local processes."""
    context = click.get_current_context(silent=True)
    source = context and context.get_parameter_source("workers")
    return None if source == click.core.ParameterSource.DEFAULT else workers


@contextmanager
def chosen_engine(
    name: str | None, workers: int | None, address: str | None
) -> Iterator[Engine | None]:
    """The engine asked for; ``None`` for processes as without the option."""
    if name is None and address is None:
        yield None
        return
    from ecliptic.distributed import engine_of

    asked = workers_asked(workers) if name == "ray" else workers
    with engine_of(name or "local", asked, address) as engine:
        yield engine if name == "ray" else None
