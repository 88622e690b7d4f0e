"""One place in a suite that is being made: drawn, screened, and audited for publication.

A slot is a tier and an index. Its task is the first candidate that the screen of the recipe accepts
(25 draws, seed 0); then come the draws of the published figure, with another seed. Where these fail
the slot stays empty and the tier gets one index more. So the tasks of a suite are those of the
first indices that hold, whoever made them and in which order.
"""

from __future__ import annotations

import time
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from ecliptic.rv.structures import EclipticTier

AUDIT_SEED = 1
"""Of the published ceilings; tasks were accepted on the draws of seed 0."""


@dataclass(frozen=True, slots=True)
class Slot:
    """Everything that decides about one task."""

    seed: int
    tier: EclipticTier
    index: int
    draws: int
    sealed: bool = False
    forward_model: str = "keplerian"
    variant: str | None = None

    @property
    def key(self) -> str:
        """The name of the slot within its suite."""
        return f"{self.tier}:{self.index}"


def make(slot: Slot) -> dict[str, Any]:
    """The task and its audit, ready for a journal.

    Returns ``task`` and ``audit`` as JSON, ``published`` (whether the audit accepts the task),
    ``rejected`` and ``redrawn`` (reasons of the draws before it), ``make_cpu_s``, ``audit_cpu_s``.
    """
    from ecliptic.rv.acceptance import Tally
    from ecliptic.rv.auditing import audit
    from ecliptic.rv.generator import generate

    tally = Tally()
    begin = time.process_time()
    task = generate(
        slot.seed,
        tier=slot.tier,
        index=slot.index,
        forward_model=slot.forward_model,
        variant=slot.variant,
        tally=tally,
    )
    if slot.sealed:
        # Opening one commitment must not open all: the seed stands in the private part, once.
        meta = {name: value for name, value in task.meta.items() if name != "seed"}
        task = task.model_copy(update={"meta": meta})
    made = time.process_time()
    found = audit(task, draws=slot.draws, seed=AUDIT_SEED)
    return {
        "tier": slot.tier,
        "index": slot.index,
        "published": found.accepted,
        "task": task.to_dict(),
        "audit": found.to_dict(),
        "rejected": dict(tally.rejected),
        "redrawn": dict(tally.redrawn),
        "make_cpu_s": round(made - begin, 3),
        "audit_cpu_s": round(time.process_time() - made, 3),
    }
