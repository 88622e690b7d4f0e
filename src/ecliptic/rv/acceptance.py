"""Candidates of the recipe ``ecliptic`` until one is accepted.

What accepts is handed in, so that the recipe knows nothing of audits. A rejected candidate is
followed by the seed's next child, whatever the reason was; so the accepted task depends on the
seed, the tier, the index, the options and the verdicts alone, never on time or on the machine.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable
from dataclasses import dataclass, field

from ecliptic.errors import UsageError
from ecliptic.rv.recipe import candidate
from ecliptic.rv.recipe_options import Options
from ecliptic.rv.structures import EclipticTier
from ecliptic.rv.tasks import RVTask

Accept = Callable[[RVTask], str | RVTask | None]
"""Judge of a candidate: ``None`` takes it, a text rejects it and says why in a word or two. A
task is taken in the candidate's place: the same one with what the judge found out about it."""
MAX_ATTEMPTS = 1000


@dataclass
class Tally:
    """What was drawn, and why some of it was not taken.

    ``rejected`` counts the verdicts on whole candidates, ``redrawn`` the draws that never became
    one.
    """

    accepted: int = 0
    rejected: Counter[str] = field(default_factory=Counter)
    redrawn: Counter[str] = field(default_factory=Counter)

    @property
    def acceptance(self) -> float:
        """Share of the candidates that were accepted; 0 before the first."""
        judged = self.accepted + self.rejected.total()
        return self.accepted / judged if judged else 0.0


def by_audit(task: RVTask) -> str | RVTask:
    """Accept what an audit accepts, with the oracle's record in its sealed part.

    The audit ends at the first condition that fails, whose name is the reason
    (:func:`ecliptic.rv.auditing.audit`).
    """
    from ecliptic.rv.auditing import audit, with_recovery

    found = audit(task, stop_early=True)
    if found.reason is not None:
        return found.reason
    return with_recovery(task, found.recovery)


def accepted(
    seed: int,
    tier: EclipticTier,
    index: int,
    *,
    accept: Accept | None = None,
    options: Options | None = None,
    tally: Tally | None = None,
    max_attempts: int = MAX_ATTEMPTS,
) -> RVTask:
    """The first candidate of (seed, tier, index) that ``accept`` takes; without it, the first.

    Reasons are counted in ``tally``, and those of this task stand in its sealed ``meta`` under
    ``rejected``.

    Raises
    ------
    UsageError
        None of ``max_attempts`` candidates was taken; names the most frequent reasons.
    """
    tally = Tally() if tally is None else tally
    reasons: Counter[str] = Counter()
    for attempt in range(max_attempts):
        task = candidate(seed, tier, index, attempt, options)
        tally.redrawn.update(task.meta["redraws"])
        verdict = None if accept is None else accept(task)
        if isinstance(verdict, str):
            reasons[verdict] += 1
            tally.rejected[verdict] += 1
            continue
        tally.accepted += 1
        taken = task if verdict is None else verdict
        return taken.model_copy(update={"meta": {**taken.meta, "rejected": dict(reasons)}})
    told = ", ".join(f"{reason} {count}" for reason, count in reasons.most_common(3))
    raise UsageError(
        f"tier {tier}, index {index}: none of {max_attempts} candidates was accepted ({told})"
    )
