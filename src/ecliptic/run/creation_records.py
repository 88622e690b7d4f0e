"""What has been made so far: the journal of a creation, slot by slot, and its figures by tier."""

from __future__ import annotations

import json
from collections import Counter
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Any

from ecliptic.run.creation_request import Request
from ecliptic.run.creation_slots import Slot

if TYPE_CHECKING:
    from ecliptic.rv.structures import EclipticTier

_KINDS: dict[str, type | tuple[type, ...]] = {
    "key": str,
    "status": str,
    "tier": str,
    "index": int,
    "published": bool,
    "task": dict,
    "audit": dict,
    "rejected": dict,
    "redrawn": dict,
    "make_cpu_s": (int, float),
    "audit_cpu_s": (int, float),
}


def is_record(line: Any) -> bool:
    """Whether a JSON value is the line of a slot."""
    if not isinstance(line, dict) or not isinstance(line.get("key"), str):
        return False
    if line.get("status") == "failed":
        return True
    return all(isinstance(line.get(name), kind) for name, kind in _KINDS.items())


@dataclass(frozen=True, slots=True)
class Made:
    """A slot that was made, without its task: what decides about further ones, and the costs."""

    tier: str
    index: int
    published: bool
    start: int
    rejected: Mapping[str, int]
    redrawn: Mapping[str, int]
    make_cpu_s: float
    audit_cpu_s: float


class Records:
    """The slots of a request that are in its journal; tasks stay in the file."""

    def __init__(self, request: Request, journal: Path) -> None:
        self.request = request
        self.journal = journal
        self._made: dict[str, dict[int, Made]] = {tier: {} for tier in request.tiers}
        self._given: dict[str, set[int]] = {tier: set() for tier in request.tiers}
        self.read()

    def read(self) -> None:
        """Read the journal, which must be whole."""
        if not self.journal.exists():
            return
        with self.journal.open("rb") as file:
            start = 0
            for text in file:
                line = json.loads(text)
                if line["status"] == "done" and line["tier"] in self._made:
                    self.add(line, start)
                start += len(text)

    def add(self, line: Mapping[str, Any], start: int) -> None:
        """Count a slot whose line starts at byte ``start``."""
        made = Made(
            line["tier"],
            line["index"],
            line["published"],
            start,
            line["rejected"],
            line["redrawn"],
            line["make_cpu_s"],
            line["audit_cpu_s"],
        )
        self._made[made.tier][made.index] = made
        self._given[made.tier].add(made.index)

    def next_slot(self) -> Slot | None:
        """The next slot to make, of the tier that takes longest; ``None``: none at present.

        A tier gets one index more for each that was refused, never on suspicion: so which
        indices are made does not depend on how many work at it.
        """
        for tier, count in reversed(self._in_order()):
            refused = sum(not made.published for made in self._made[tier].values())
            for index in range(count + refused):
                if index not in self._given[tier]:
                    self._given[tier].add(index)
                    return self._slot(tier, index)
        return None

    def _slot(self, tier: EclipticTier, index: int) -> Slot:
        asked = self.request
        return Slot(
            int(asked.seed),
            tier,
            index,
            asked.draws,
            asked.sealed,
            asked.forward_model,
            asked.variant,
        )

    def _in_order(self) -> list[tuple[EclipticTier, int]]:
        from ecliptic.rv.structures import ECLIPTIC_TIERS

        tiers = self.request.tiers
        return [(tier, tiers[tier]) for tier in ECLIPTIC_TIERS if tier in tiers]

    @property
    def n_published(self) -> int:
        """Tasks that the suite has so far."""
        return sum(made.published for tier in self._made.values() for made in tier.values())

    def of_tier(self, tier: str) -> list[Made]:
        """All slots of a tier, by index."""
        return [self._made[tier][index] for index in sorted(self._made[tier])]

    def published(self) -> Iterator[dict[str, Any]]:
        """The lines of the suite's tasks in its order: by tier, then by index."""
        with self.journal.open("rb") as file:
            for tier, _ in self._in_order():
                for made in self.of_tier(tier):
                    if made.published:
                        file.seek(made.start)
                        yield json.loads(file.readline())

    def figures(self) -> dict[str, dict[str, Any]]:
        """What the suite's card says of each tier, ready for JSON.

        ``tasks``, and how many of them are ``nbody``; ``oracle`` and ``truth`` (tasks that they
        pass); ``ceiling`` (draws, passed, and the lowest share of one task); ``floor`` (tasks that
        each such submission passes, of how many it could be tried on); ``draws`` (candidates
        judged, accepted, rejected by reason, refused after the published draws; and ``redrawn``,
        the draws that never became a candidate); ``cpu_s`` an accepted task.
        """
        found = {tier: _Figures(self.of_tier(tier)) for tier, _ in self._in_order()}
        for line in self.published():
            found[line["tier"]].add(line)
        return {tier: each.to_dict() for tier, each in found.items()}


class _Figures:
    def __init__(self, slots: list[Made]) -> None:
        self.slots = slots
        self.tasks = self.nbody = self.oracle = self.truth = self.draws = self.passed = 0
        self.lowest = 1.0
        self.floor_passed: Counter[str] = Counter()
        self.floor_tried: Counter[str] = Counter()
        self.planets: Counter[int] = Counter()

    def add(self, line: Mapping[str, Any]) -> None:
        audit = line["audit"]
        ceiling = audit["ceiling"]
        self.tasks += 1
        family = line["task"]["public"]["observation"]["family"]
        self.nbody += family["forward_model"] == "nbody"
        self.oracle += audit["oracle"]["passed"]
        self.truth += audit["truth"]["passed"]
        self.draws += ceiling["draws"]
        self.passed += ceiling["passed"]
        self.lowest = min(self.lowest, ceiling["passed"] / ceiling["draws"])
        self.planets[audit["n_planets"]] += 1
        for name, passed in audit["floor"].items():
            self.floor_tried[name] += 1
            self.floor_passed[name] += passed

    def to_dict(self) -> dict[str, Any]:
        rejected: Counter[str] = Counter()
        redrawn: Counter[str] = Counter()
        for slot in self.slots:
            rejected.update(slot.rejected)
            redrawn.update(slot.redrawn)
        made = sum(slot.make_cpu_s for slot in self.slots)
        audited = sum(slot.audit_cpu_s for slot in self.slots)
        judged = len(self.slots) + rejected.total()
        return {
            "tasks": self.tasks,
            "nbody": self.nbody,
            "planets": {str(n): self.planets[n] for n in sorted(self.planets)},
            "truth": self.truth,
            "oracle": self.oracle,
            "ceiling": {
                "draws": self.draws,
                "passed": self.passed,
                "lowest": round(self.lowest, 4),
            },
            "floor": {
                name: {"tasks": self.floor_tried[name], "passed": self.floor_passed[name]}
                for name in self.floor_tried
            },
            "draws": {
                "judged": judged,
                "accepted": len(self.slots),
                "rejected": dict(rejected.most_common()),
                "redrawn": dict(redrawn.most_common()),
                "refused_in_publication": sum(not slot.published for slot in self.slots),
            },
            "cpu_s": {
                "make": round(made / self.tasks, 2),
                "audit": round(audited / self.tasks, 2),
            },
        }
