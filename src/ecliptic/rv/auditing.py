"""Is a task solvable, is its answer the only one, and what can be reached? See :func:`audit`."""

from __future__ import annotations

import time
from collections.abc import Iterator, Sequence
from typing import Any

from ecliptic.model import Model
from ecliptic.rv.ceiling import MIN_SHARE, Ceiling, ceiling_of
from ecliptic.rv.floor import floor_of
from ecliptic.rv.identifiability import (
    MAX_FURTHER_DELTA_BIC,
    MIN_REMOVAL_DELTA_BIC,
    Identifiability,
    identifiability_of,
)
from ecliptic.rv.oracle import Oracle, as_submission, consult, planet_elements
from ecliptic.rv.protocols import (
    AnyProtocol,
    ArchivalProtocol,
    PaperProtocol,
    StrictProtocol,
    protocol_of,
)
from ecliptic.rv.recovery import recovery_of
from ecliptic.rv.scoring import grade
from ecliptic.rv.submission import Submission, read_submission
from ecliptic.rv.tasks import Recovery, RVTask
from ecliptic.rv.uniqueness import (
    Uniqueness,
    allowed_deviations,
    is_unique,
    uniqueness_of,
    wrong,
)
from ecliptic.verdict import Verdict

SCREEN_DRAWS = 25
DEFAULTS = StrictProtocol()


class Outcome(Model):
    """A verdict in short: whether it passed, and the criteria that failed."""

    passed: bool
    failed: tuple[str, ...]
    diagnosis: str | None = None


class Audit(Model):
    """What :func:`audit` found; sealed, as it tells of the truth.

    Attributes
    ----------
    accepted, reasons
        Whether every condition holds, and the codes of those that do not, in the order in which
        they are checked: ``oracle``, ``identifiability``, ``further_planet``, ``uniqueness``,
        ``solver_rival`` (a rival that only the caller brought), ``floor``, ``ceiling``.
    truth, oracle
        The truth as it stands, and the oracle.
    recovery
        What the oracle reached, for the task's sealed part (:func:`with_recovery`).
    identifiability, uniqueness, ceiling, floor
        ``None`` (``floor``: empty) where ``stop_early`` ended the audit before.
    cpu_seconds
        Processor time, this audit alone.
    """

    task_id: str
    tier: str
    protocol: str
    n_planets: int
    accepted: bool
    reasons: tuple[str, ...]
    truth: Outcome
    oracle: Outcome
    recovery: Recovery
    identifiability: Identifiability | None = None
    uniqueness: Uniqueness | None = None
    ceiling: Ceiling | None = None
    floor: dict[str, bool] = {}  # noqa: RUF012  (a pydantic default, copied for each record)
    cpu_seconds: float

    @property
    def reason(self) -> str | None:
        """The first reason for rejection."""
        return self.reasons[0] if self.reasons else None

    def to_dict(self) -> dict[str, Any]:
        """Ready for JSON; ``Audit.model_validate`` takes it again."""
        return self.model_dump(mode="json")


def audit(
    task: RVTask,
    protocol: str | AnyProtocol = "strict",
    *,
    draws: int = SCREEN_DRAWS,
    seed: int = 0,
    rivals: Sequence[object] = (),
    thorough: bool = False,
    stop_early: bool = False,
) -> Audit:
    """Audit one task.

    In order: the **truth** is submitted; the **oracle** (:mod:`ecliptic.rv.oracle`) is; each
    planet's removal must cost a delta-BIC of 30 and no further planet gain 10
    (**identifiability**); no wrong-period model may come within 5 in log-likelihood
    (**uniqueness**); submissions without insight must fail (**floor**); the oracle must pass 90 %
    of fresh noise realisations (**ceiling**).

    Parameters
    ----------
    draws, seed
        Realisations of the ceiling, and the seed of their noise.
    rivals
        Submissions of solvers, to be refined and compared as further rivals.
    thorough
        Explore every realisation of the ceiling anew.
    stop_early
        End at the first condition that fails, as a generator does.

    Raises
    ------
    UsageError
        There is no such protocol, or no orbit can be fitted to the data.
    """
    started = time.process_time()
    rules = protocol_of(protocol)
    guesses = [read_submission(each) for each in rivals]
    star_mass_sun = task.observation.star_mass_sun
    extra = tuple(planet_elements(each.planets, star_mass_sun) for each in guesses)
    oracle = consult(task, extra)
    recovery = recovery_of(task, oracle)
    judged = with_recovery(task, recovery)
    found: dict[str, Any] = {}
    reasons = []
    for code in _conditions(judged, oracle, rules, found, draws, seed, thorough, stop_early):
        reasons.append(code)
        if stop_early:
            break
    truth = grade(judged, as_submission(task.truth.planets), rules)
    return Audit(
        task_id=task.id,
        tier=task.tier,
        protocol=rules.label,
        n_planets=len(task.truth.planets),
        accepted=not reasons,
        reasons=tuple(reasons),
        truth=_outcome(truth),
        oracle=_outcome(found.pop("verdict")),
        recovery=recovery,
        cpu_seconds=round(time.process_time() - started, 4),
        **found,
    )


def with_recovery(task: RVTask, recovery: Recovery) -> RVTask:
    """The task with the oracle's record in its sealed part; its id stays."""
    truth = task.truth.model_copy(update={"recovery": recovery})
    return task.model_copy(update={"truth": truth})


def _conditions(
    task: RVTask,
    oracle: Oracle,
    rules: AnyProtocol,
    found: dict[str, Any],
    draws: int,
    seed: int,
    thorough: bool,
    stop_early: bool,
) -> Iterator[str]:
    """Check one condition after another, put its record into ``found``, yield what fails."""
    recovery = task.truth.recovery
    assert recovery is not None
    found["verdict"] = verdict = _oracle_verdict(task, oracle, rules)
    if not verdict.passed:
        yield "oracle"
    found["identifiability"] = figures = identifiability_of(oracle.exploration)
    if not figures.weakest_delta_bic >= MIN_REMOVAL_DELTA_BIC:
        yield "identifiability"
    if figures.further_delta_bic > MAX_FURTHER_DELTA_BIC:
        yield "further_planet"
    strict = rules if isinstance(rules, StrictProtocol) else DEFAULTS
    allowed = allowed_deviations(
        oracle.truth,
        recovery.period_sigmas_days,
        oracle.problem.velocities.span_days,
        strict.period_sigmas,
        strict.period_resolution,
    )
    found["uniqueness"] = unique = uniqueness_of(oracle.exploration, oracle.truth, allowed)
    if not is_unique(unique):
        yield "solver_rival" if _only_from_solver(unique) else "uniqueness"
    found["floor"] = floor = floor_of(task, oracle.planets, rules)
    if any(floor.values()):
        yield "floor"
    others = wrong(oracle.exploration, oracle.truth, allowed)
    same_count = [each.fit.shape for each in others if each.fit.n_planets == len(oracle.truth)]
    found["ceiling"] = ceiling = ceiling_of(
        task,
        oracle.truth,
        recovery,
        same_count,
        rules,
        fitted_jitters_ms=oracle.best.noise.jitters_ms,
        draws=draws,
        seed=seed,
        thorough=thorough,
        enough=MIN_SHARE if stop_early else None,
    )
    if draws and ceiling.share < MIN_SHARE:
        yield "ceiling"


def _only_from_solver(unique: Uniqueness) -> bool:
    near = [rival for rival in unique.rivals if rival.margin < 5.0]
    return all(rival.move == "rival" for rival in near)


def _oracle_verdict(task: RVTask, oracle: Oracle, rules: AnyProtocol) -> Verdict:
    """Under ``paper`` and ``archival`` the best of what the oracle may hand in: jitter, fit."""
    best = oracle.best
    candidates: list[Submission] = [as_submission(oracle.planets, max(best.noise.jitters_ms))]
    if isinstance(rules, PaperProtocol | ArchivalProtocol):
        first = oracle.from_truth
        candidates.append(as_submission(oracle.planets))
        candidates.append(as_submission(first.planets(), max(first.noise.jitters_ms)))
        candidates.append(as_submission(first.planets()))
    verdicts = [grade(task, each, rules) for each in candidates]
    return max(verdicts, key=lambda verdict: (verdict.passed, verdict.score))


def _outcome(verdict: Verdict) -> Outcome:
    return Outcome(
        passed=verdict.passed,
        failed=tuple(name for name, each in verdict.criteria.items() if not each.passed),
        diagnosis=None if verdict.diagnosis is None else str(verdict.diagnosis.code),
    )
