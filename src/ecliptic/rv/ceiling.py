"""How often the oracle passes when the same star is observed again.

Each realisation has fresh noise of every kind and its own fit of all noise, the activity's shape
from the fresh indicators included. The oracle is the best of fits from the truth, from other shapes
of its orbits, and from the rivals that the actual data have; ``thorough`` explores every
realisation anew.
"""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from ecliptic.errors import UsageError
from ecliptic.model import Model
from ecliptic.rv.alternatives import explore, reshaped, same_optimum, screened
from ecliptic.rv.archival import judge_archival
from ecliptic.rv.fresh_noise import jitters_of, observe_again, signal_ms
from ecliptic.rv.inference.dynamical import derivatives, fit_dynamical, without_interaction
from ecliptic.rv.inference.fitting import Fit, fit, fit_noise
from ecliptic.rv.inference.problem import Problem, family_of
from ecliptic.rv.inference.rotation import fit_rotation
from ecliptic.rv.inference.small_matrices import Array
from ecliptic.rv.oracle import as_submission, from_truth, planet_elements
from ecliptic.rv.protocols import AnyProtocol, ArchivalProtocol, PaperProtocol
from ecliptic.rv.scoring import grade
from ecliptic.rv.strict import analyse, judge
from ecliptic.rv.tasks import Observation, Recovery, RVTask

MIN_SHARE = 0.9
N_RIVALS = 4
TOLERANCE = 0.02


class Ceiling(Model):
    """Realisations drawn and passed, and how many failed each criterion."""

    draws: int
    passed: int
    failed: dict[str, int]

    @property
    def share(self) -> float:
        """The share that passed; 0 where none was drawn."""
        return self.passed / self.draws if self.draws else 0.0


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
    columns = None
    if family.forward_model == "nbody" and len(truth) > 1:
        columns = derivatives(Problem.of(task.observation), task.truth.planets)
    for child in np.random.SeedSequence(seed).spawn(draws):
        observation = observe_again(task, signal, jitters, np.random.default_rng(child))
        missing = _criteria_missed(
            task, observation, rotation, truth, recovery, rivals, rules, thorough, columns
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
    columns: Array | None,
) -> list[str]:
    gp = None if rotation is None else fit_rotation(observation, rotation).gp
    try:
        observed = Problem.of(observation, gp)
    except UsageError:
        return ["data"]
    problem = without_interaction(observed, task.truth.planets)
    best = quick_oracle(problem, truth, rivals)
    if thorough:
        best = explore(best, rivals).best
    planets = best.planets()
    if columns is not None:
        start = task.truth.planets
        planets = fit_dynamical(observed, start, best.theta, columns=columns).planets
    guess = as_submission(planets, max(best.noise.jitters_ms))
    if isinstance(rules, PaperProtocol):
        again = task.model_copy(update={"observation": observation})
        plain = as_submission(planets, 0.0)
        verdicts = [grade(again, each, rules) for each in (guess, plain)]
        verdict = max(verdicts, key=lambda each: each.score)
    else:
        rows = planet_elements(planets, observation.star_mass_sun)
        analysis = analyse(observed, fit_noise(observed), rows)
        reached = {"rms_ms": analysis.held.rms_ms, "log_likelihood": analysis.held.log_likelihood}
        mine = recovery.model_copy(update=reached)
        verdict = (
            judge_archival(task, guess, analysis, analysis.held.log_likelihood, rules)
            if isinstance(rules, ArchivalProtocol)
            else judge(task, guess, analysis, mine, rules)
        )
    return [name for name, criterion in verdict.criteria.items() if not criterion.passed]


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
