"""A seed becomes a task, by one of two recipes.

``ecliptic`` (:mod:`ecliptic.rv.recipe`)
    Stars as surveys see them, whose planets the data do give back; hard by structure.
``paper`` (:mod:`ecliptic.rv.paper_recipe`)
    The published one.

Everything random comes from one of the streams of :mod:`ecliptic.rv.streams`. So task ``index`` of
a seed is the same whether it is made alone, in a batch, or on another machine.

To that end nothing is left to the last bit of a mathematical library: the truth is rounded to eight
significant digits before the velocities are computed from it, times are multiples of 1e-6 d, errors
of 1e-6 m/s, and velocities of 1e-4 m/s, far finer than any spectrograph. (The GP decides: between
points that nearly coincide its Cholesky factor turns last bits into 4e-8 m/s, so that in steps of
1e-6 m/s one of 1,500 tasks had another hash without the processor's FMA and AVX2.)
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, field
from typing import Final, Literal, get_args

from numpy.typing import ArrayLike

from ecliptic.arguments import one_of, seed_number, whole_number
from ecliptic.errors import UsageError
from ecliptic.rv import nbody, paper_recipe
from ecliptic.rv.acceptance import Accept, Tally, accepted, by_audit
from ecliptic.rv.difficulty import TIERS, GeneratedTier
from ecliptic.rv.paper_recipe import ForwardModel
from ecliptic.rv.recipe_options import Cadence, Options, times_of
from ecliptic.rv.structures import ECLIPTIC_TIERS, VARIANTS, EclipticTier
from ecliptic.rv.tasks import RVTask

Recipe = Literal["ecliptic", "paper"]
RECIPES: Final[tuple[Recipe, ...]] = get_args(Recipe)
FORWARD_MODELS: Final[tuple[ForwardModel, ...]] = get_args(ForwardModel)
CADENCES: Final[tuple[Cadence, ...]] = get_args(Cadence)
IN_TURN: Final[tuple[EclipticTier, ...]] = ("easy", "medium", "hard", "frontier")
"""Tiers of the recipe ``ecliptic`` where none is asked for: by the remainder of the index."""
_MAX_INDEX = 2**32 - 1  # one word of a spawn key


def generate(
    seed: int,
    recipe: str = "ecliptic",
    tier: str | None = None,
    *,
    index: int = 0,
    forward_model: str = "keplerian",
    variant: str | None = None,
    cadence: str = "survey",
    times_days: ArrayLike | None = None,
    accept: Accept | None = by_audit,
    tally: Tally | None = None,
) -> RVTask:
    """Task number ``index`` of a seed.

    Parameters
    ----------
    seed
        Any whole number from 0 to 2^128 - 1. Draw 128 random bits for tasks whose truth must not
        be guessed.
    recipe
        ``ecliptic``, or ``paper``: the published one (:mod:`ecliptic.rv.priors`).
    tier
        ``easy``, ``medium``, ``hard``, and for the recipe ``ecliptic`` also ``frontier`` and
        ``faint``. ``None``: as it comes (``paper``), or easy to frontier in turn.
    forward_model
        ``keplerian``, or ``nbody`` for planets that pull on each other (needs REBOUND). The recipe
        ``ecliptic`` labels a task ``nbody`` only where that makes a difference.
    variant, cadence, times_days
        Of the recipe ``ecliptic`` alone: see :class:`ecliptic.rv.recipe_options.Options`.
    accept, tally
        Of the recipe ``ecliptic`` alone: see :func:`ecliptic.rv.acceptance.accepted`. By default
        an audit decides, and the task carries the oracle's record; ``None`` takes each candidate.

    Raises
    ------
    UsageError
        A name that is not known, or a number out of range.
    MissingExtraError
        N-body velocities without REBOUND.
    """
    request = _request(seed, recipe, tier, forward_model, variant, cadence, times_days)
    return _make(request, whole_number("index", index, 0, _MAX_INDEX), accept, tally)


def generate_many(
    seed: int,
    count: int,
    *,
    recipe: str = "ecliptic",
    tier: str | None = None,
    forward_model: str = "keplerian",
    variant: str | None = None,
    cadence: str = "survey",
    times_days: ArrayLike | None = None,
    accept: Accept | None = by_audit,
    tally: Tally | None = None,
    start: int = 0,
) -> Iterator[RVTask]:
    """Tasks ``start`` to ``start + count - 1`` of a seed, made one by one as they are asked for.

    Each is the task that :func:`generate` makes of that index. Errors are raised at once, not at
    the first task.
    """
    request = _request(seed, recipe, tier, forward_model, variant, cadence, times_days)
    count = whole_number("count", count, 1, _MAX_INDEX)
    start = whole_number("start", start, 0, _MAX_INDEX - count)
    return (_make(request, index, accept, tally) for index in range(start, start + count))


@dataclass(frozen=True, slots=True)
class _Request:
    seed: int
    recipe: Recipe
    paper_tier: GeneratedTier | None = None
    tier: EclipticTier | None = None
    options: Options = field(default_factory=Options)


def _request(
    seed: int,
    recipe_name: str,
    tier: str | None,
    forward_model: str,
    variant: str | None,
    cadence: str,
    times_days: ArrayLike | None,
) -> _Request:
    seed = seed_number(seed)
    name = one_of("recipe", recipe_name, RECIPES)
    options = Options(
        forward_model=one_of("forward model", forward_model, FORWARD_MODELS),
        variant=None if variant is None else one_of("variant", variant, VARIANTS),
        cadence=one_of("cadence", cadence, CADENCES),
        times_days=None if times_days is None else times_of(times_days),
    )
    if name == "paper":
        request = _Request(
            seed,
            name,
            paper_tier=None if tier is None else one_of("tier", tier, TIERS),
            options=options,
        )
        if options != Options(forward_model=options.forward_model):
            raise UsageError(
                "variant, cadence and times_days: the recipe 'paper' has none; "
                "use recipe='ecliptic'"
            )
    else:
        request = _Request(
            seed,
            name,
            tier=None if tier is None else one_of("tier", tier, ECLIPTIC_TIERS),
            options=options,
        )
    if options.forward_model == "nbody":
        nbody.require_rebound()
    return request


def _make(request: _Request, index: int, accept: Accept | None, tally: Tally | None) -> RVTask:
    if request.recipe == "paper":
        return paper_recipe.make(
            request.seed, request.paper_tier, request.options.forward_model, index
        )
    tier = request.tier or IN_TURN[index % len(IN_TURN)]
    return accepted(request.seed, tier, index, accept=accept, options=request.options, tally=tally)
