r"""Evidence of p planets for p = 0, 1, 2, ...: one nested sampling run each.

The engine is dynesty (Speagle 2020, MNRAS 493, 3132; Koposov et al. 2024, zenodo.3348367; after
Skilling 2006 and Higson et al. 2019). Each run hands its posterior to the next: where the planets
are, and where one more would help (:mod:`ecliptic.rv.solvers.nested_periods`). The planets of a
model are ordered by frequency, which counts each system once under a prior of labelled planets:
the evidence is that of all p! labellings together.
"""

from __future__ import annotations

import math
import time
import warnings
from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any

import numpy as np

from ecliptic.errors import MissingExtraError
from ecliptic.rv.inference.small_matrices import Array
from ecliptic.rv.solvers.nested_model import NestedModel, ln_target
from ecliptic.rv.solvers.nested_periods import PeriodDensity, from_draws, from_gains, mixed
from ecliptic.rv.solvers.nested_priors import ln_prior_ratios, ln_ratio_table
from ecliptic.rv.solvers.nested_walk import compiled_walk

SCANS = 8  # posterior draws whose residuals' periodograms make the next density
DRAWS = 400
AMPLITUDES = 8
CHUNK = 200


@dataclass(frozen=True, slots=True)
class Effort:
    """How hard to sample.

    Attributes
    ----------
    live_points
        Of one run.
    walks
        Steps of the random walk to a new point, besides two a dimension.
    dlogz
        A run ends when the live points could add less than so many nats.
    """

    live_points: int = 400
    walks: int = 20
    dlogz: float = 0.05


@dataclass(frozen=True, slots=True)
class Run:
    """What a run found.

    Attributes
    ----------
    n_planets
        Of the model.
    ln_evidence, ln_error
        Natural logarithm and its standard error; a lower bound where not ``finished``.
    points
        Draws from the posterior in the unit cube, equal weights, (m, d).
    best
        The most likely point of the cube, (d,).
    period
        The density of ln f that the cube is to be read with.
    evaluations
        Of the likelihood.
    cpu_seconds
        Of the run and the density's construction.
    finished
        False where the budget ended the run.
    """

    n_planets: int
    ln_evidence: float
    ln_error: float
    points: Array
    best: Array
    period: PeriodDensity
    evaluations: int
    cpu_seconds: float
    finished: bool

    @property
    def log10_evidence(self) -> float:
        """As the field's tables have it."""
        return self.ln_evidence / math.log(10.0)

    @property
    def log10_error(self) -> float:
        """Standard error of ``log10_evidence``."""
        return self.ln_error / math.log(10.0)


def runs(
    model: NestedModel,
    max_planets: int,
    effort: Effort,
    seed: int,
    *,
    until: float = math.inf,
) -> Iterator[Run]:
    """Runs for 0, 1, ... ``max_planets`` planets.

    The result depends on the seed alone unless the process's CPU time passes ``until``
    (:func:`time.process_time`): the run under way then ends early and is the last.

    Raises
    ------
    MissingExtraError
        dynesty is not installed.
    """
    streams = np.random.SeedSequence(seed).spawn(2 * max_planets + 1)
    period = PeriodDensity.flat(model.ln_f)
    last: Run | None = None
    for p in range(max_planets + 1):
        start = time.process_time()
        if last is not None:
            rng = np.random.default_rng(streams[2 * p - 1])
            period = next_density(model, last, rng)
        last = sample(model, p, period, effort, streams[2 * p], until=until, start=start)
        yield last
        if not last.finished:
            return


def next_density(model: NestedModel, run: Run, rng: np.random.Generator) -> PeriodDensity:
    """A density for one planet more."""
    chosen = run.points[rng.integers(0, len(run.points), SCANS)]
    further = np.zeros(len(model.ln_f))
    for u in chosen:
        further += from_gains(model.ln_f, model.gains(*model.unpacked(run.period, u))) / SCANS
    p = run.n_planets
    if p == 0:
        return PeriodDensity.of(model.ln_f, mixed(model.ln_f, further, None, None, 1))
    shapes = np.concatenate([model.unpacked(run.period, u)[0] for u in run.points])
    known = from_draws(model.ln_f, np.log(shapes[:, 0]))
    values = mixed(model.ln_f, further, known, run.period.density, p + 1)
    return PeriodDensity.of(model.ln_f, values)


def sample(
    model: NestedModel,
    n_planets: int,
    period: PeriodDensity,
    effort: Effort,
    stream: np.random.SeedSequence,
    *,
    until: float = math.inf,
    start: float | None = None,
) -> Run:
    """One run."""
    begun = time.process_time() if start is None else start
    engine, choice = stream.spawn(2)
    d = model.n_dimensions(n_planets)

    constants = model.constants(period)
    constant = model.ln_linear_prior()

    def ln_like(u: Array) -> float:
        return max(float(ln_target(u, *constants)) + constant, -1e300)

    dynesty = _engine()
    walk = compiled_walk(dynesty, constants, constant, effort.walks + 2 * d, d)
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        sampler = dynesty.NestedSampler(
            ln_like,
            np.copy,
            d,
            nlive=max(effort.live_points, 2 * d + 2),
            bound="multi",
            sample=walk,
            rstate=np.random.default_rng(engine),
        )
        finished = _iterate(sampler, effort.dlogz, until)
        results = sampler.results
    rng = np.random.default_rng(choice)
    weights = np.exp(results.logwt - results.logwt.max())
    weights /= weights.sum()
    points = results.samples[rng.choice(len(weights), DRAWS, p=weights)]
    ln_z, error = float(results.logz[-1]), float(results.logzerr[-1])
    ln_ratio, ratio_error = _prior_ratio(model, period, points, rng)
    return Run(
        n_planets=n_planets,
        ln_evidence=ln_z + ln_ratio,
        ln_error=math.hypot(error, ratio_error),
        points=points,
        best=results.samples[int(np.argmax(results.logl))],
        period=period,
        evaluations=int(np.sum(results.ncall)),
        cpu_seconds=time.process_time() - begun,
        finished=finished,
    )


def _iterate(sampler: Any, dlogz: float, until: float) -> bool:
    """Until the evidence is known or the time is over; whether it is known."""
    finished = True
    for count, _ in enumerate(sampler.sample(dlogz=dlogz, save_bounds=False)):
        if count % CHUNK == 0 and time.process_time() > until:
            finished = False
            break
    sampler.add_final_live(print_progress=False)
    return finished


def _prior_ratio(
    model: NestedModel, period: PeriodDensity, points: Array, rng: np.random.Generator
) -> tuple[float, float]:
    """ln of the mean ratio of the exact to the sampled prior of K, and its standard error."""
    if points.shape[1] == model.n_noise:
        return 0.0, 0.0
    means = []
    table = ln_ratio_table(model.priors)
    for u in points:
        draws = model.amplitudes(*model.unpacked(period, u), rng, AMPLITUDES)
        means.append(float(np.exp(ln_prior_ratios(draws, model.priors, table)).mean()))
    mean = float(np.mean(means))
    if not mean > 0.0:
        return -math.inf, math.inf
    return math.log(mean), float(np.std(means)) / mean / math.sqrt(len(means))


def _engine() -> Any:
    try:
        import dynesty
    except ImportError:
        raise MissingExtraError("evidences by nested sampling", "nested") from None
    return dynesty
