"""How often the oracle passes when the same star is observed again.

Each realisation has fresh noise of every kind and its own fit of all noise, the activity's shape
from the fresh indicators included. The oracle is the best of fits from the truth, from other shapes
of its orbits, and from the rivals that the actual data have; ``thorough`` explores every
realisation anew.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from ecliptic.errors import UsageError
from ecliptic.model import Model
from ecliptic.rv.alternatives import explore, reshaped, same_optimum, screened
from ecliptic.rv.archival import judge_archival
from ecliptic.rv.fresh_noise import jitters_of, observe_again, signal_ms
from ecliptic.rv.inference.dynamical import fit_dynamical, interaction_ms, interaction_slopes
from ecliptic.rv.inference.fitting import Fit, fit, fit_noise
from ecliptic.rv.inference.problem import Problem, family_of
from ecliptic.rv.inference.rotation import fit_rotation
from ecliptic.rv.inference.small_matrices import Array
from ecliptic.rv.oracle import as_submission, from_truth, planet_elements
from ecliptic.rv.protocols import AnyProtocol, ArchivalProtocol, PaperProtocol
from ecliptic.rv.scoring import grade
from ecliptic.rv.strict import Analysis, analyse, judge
from ecliptic.rv.tasks import Observation, Recovery, RVTask

MIN_SHARE = 0.9
N_RIVALS = 4
TOLERANCE = 0.02
SAME_PERIOD = 0.01
CLEAR = 60.0  # delta-BIC of a planet, of which a detection takes 20


class Ceiling(Model):
    """Realisations drawn and passed, and how many failed each criterion."""

    draws: int
    passed: int
    failed: dict[str, int]

    @property
    def share(self) -> float:
        """The share that passed; 0 where none was drawn."""
        return self.passed / self.draws if self.draws else 0.0


@dataclass(frozen=True, slots=True)
class _Pull:
    """The true planets' interaction, (n,), its derivatives, and that without each planet."""

    all_ms: Array
    slopes: Array
    without_ms: tuple[Array, ...]


def _pull_of(task: RVTask) -> _Pull:
    problem, planets = Problem.of(task.observation), task.truth.planets
    rests = [[*planets[:j], *planets[j + 1 :]] for j in range(len(planets))]
    return _Pull(
        all_ms=interaction_ms(problem, planets),
        slopes=interaction_slopes(problem, planets),
        without_ms=tuple(interaction_ms(problem, rest) for rest in rests),
    )


def ceiling_of(
    task: RVTask,
    truth: Array,
    recovery: Recovery,
    rivals: Sequence[Array],
    rules: AnyProtocol,
    *,
    fitted_jitters_ms: Sequence[float],
    draws: int,
    seed: int,
    thorough: bool = False,
    enough: float | None = None,
) -> Ceiling:
    """The share of fresh noise that the oracle passes.

    ``rivals``: shape parameters of wrong optima. ``fitted_jitters_ms``: one an instrument, for
    tasks whose truth does not state the noise. ``enough``: stop as soon as the share can no
    longer reach this.
    """
    signal = signal_ms(task)
    jitters = jitters_of(task, fitted_jitters_ms)
    rotation: Array | None = None
    family = family_of(task.observation)
    if family.activity and family.rotation is None and task.observation.indicators:
        rotation = fit_rotation(task.observation).parameters
    failed: dict[str, int] = {}
    passed = drawn = 0
    pull = _pull_of(task) if family.forward_model == "nbody" and len(truth) > 1 else None
    for child in np.random.SeedSequence(seed).spawn(draws):
        observation = observe_again(task, signal, jitters, np.random.default_rng(child))
        missing = _criteria_missed(
            task, observation, rotation, truth, recovery, rivals, rules, thorough, pull
        )
        drawn += 1
        passed += not missing
        for name in missing:
            failed[name] = failed.get(name, 0) + 1
        if enough is not None and passed + draws - drawn < enough * draws:
            break
    return Ceiling(draws=drawn, passed=passed, failed=failed)


def _criteria_missed(
    task: RVTask,
    observation: Observation,
    rotation: Array | None,
    truth: Array,
    recovery: Recovery,
    rivals: Sequence[Array],
    rules: AnyProtocol,
    thorough: bool,
    pull: _Pull | None,
) -> list[str]:
    gp = None if rotation is None else fit_rotation(observation, rotation).gp
    try:
        observed = Problem.of(observation, gp)
    except UsageError:
        return ["data"]
    problem = observed
    if pull is not None:
        problem = observed.with_velocities(observed.velocities.rvs_ms - pull.all_ms)
    best = quick_oracle(problem, truth, rivals)
    if thorough:
        best = explore(best, rivals).best
    planets = best.planets()
    if pull is not None:
        # From the truth: an optimum for a held interaction may lie in another valley.
        start = task.truth.planets
        planets = fit_dynamical(observed, start, best.theta, slopes=pull.slopes).planets
    guess = as_submission(planets, max(best.noise.jitters_ms))
    if isinstance(rules, PaperProtocol):
        again = task.model_copy(update={"observation": observation})
        plain = as_submission(planets, 0.0)
        verdicts = [grade(again, each, rules) for each in (guess, plain)]
        verdict = max(verdicts, key=lambda each: each.score)
    else:
        rows = planet_elements(planets, observation.star_mass_sun)
        analysis = _analysis(observed, rows, truth, pull)
        reached = {"rms_ms": analysis.held.rms_ms, "log_likelihood": analysis.held.log_likelihood}
        mine = recovery.model_copy(update=reached)
        verdict = (
            judge_archival(task, guess, analysis, analysis.held.log_likelihood, rules)
            if isinstance(rules, ArchivalProtocol)
            else judge(task, guess, analysis, mine, rules)
        )
    return [name for name, criterion in verdict.criteria.items() if not criterion.passed]


def _analysis(observed: Problem, rows: Array, truth: Array, pull: _Pull | None) -> Analysis:
    """As in :func:`ecliptic.rv.strict.analyse`; in full wherever a short cut might decide.

    The interaction of all planets but one is hardly another than that of the true ones.
    """
    null = fit_noise(observed)
    if pull is not None and np.allclose(rows[:, 0], truth[:, 0], rtol=SAME_PERIOD, atol=0.0):
        analysis = analyse(observed, null, rows, pull.without_ms)
        if min(analysis.delta_bic_per_planet) > CLEAR:
            return analysis
    return analyse(observed, null, rows)


def quick_oracle(problem: Problem, truth: Array, rivals: Sequence[Array]) -> Fit:
    """The best of fits from the truth, other shapes of its orbits and known rivals."""
    best = from_truth(problem, truth)
    starts = [start for j in range(best.n_planets) for start in reshaped(best.shape, j)]
    held = screened(best, best.shape)
    for start in [*starts, *rivals[:N_RIVALS]]:
        trial = screened(best, start)
        if trial.log_likelihood < held.log_likelihood - 5.0 or same_optimum(best, trial.shape):
            continue
        full = fit(problem, trial.shape, theta=best.theta, tolerance=TOLERANCE)
        if full.log_likelihood > best.log_likelihood + TOLERANCE:
            best = full
            held = screened(best, best.shape)
    return best
