"""How often a verifier errs, measured on labelled pairs."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import asdict, dataclass, fields
from typing import Any

from ecliptic.errors import UsageError
from ecliptic.grading.chat_models import ChatModel
from ecliptic.grading.verifier import Verifier


@dataclass(frozen=True, slots=True)
class VerifierRates:
    """Error rates of a verifier on labelled pairs."""

    pairs: int
    correct: int
    false_accepts: int
    different: int
    false_rejects: int
    same: int
    undecided: int
    unreadable: int
    calls: int

    def to_dict(self) -> dict[str, int]:
        """Ready for JSON."""
        return asdict(self)


def measure_verifier(
    pairs: Iterable[Mapping[str, Any]], model: ChatModel | Verifier
) -> VerifierRates:
    """Error rates of the verifier alone, on pairs with ``gold``, ``pred`` and ``expected``.

    Contested pairs are left out. Nothing is checked by rule first: these are the rates that a
    reader needs to judge the answers that only the verifier decided.
    """
    from ecliptic.grading.reading import infer_type

    verifier = model if isinstance(model, Verifier) else Verifier(model)
    counts = dict.fromkeys((item.name for item in fields(VerifierRates)), 0)
    for number, pair in enumerate(pairs, 1):
        if pair.get("contested"):
            continue
        try:
            gold, answer, expected = str(pair["gold"]), str(pair["pred"]), pair["expected"]
        except KeyError as error:
            raise UsageError(f"pair {number}: field {error} is missing") from None
        kind = str(pair.get("type") or infer_type(gold))
        result = verifier.verify(kind, gold, answer)
        counts["pairs"] += 1
        counts["calls"] += result.calls
        counts["unreadable"] += result.unreadable
        counts["same" if expected == "same" else "different"] += 1
        if result.equivalent is None:
            counts["undecided"] += 1
        elif result.equivalent == (expected == "same"):
            counts["correct"] += 1
        elif result.equivalent:
            counts["false_accepts"] += 1
        else:
            counts["false_rejects"] += 1
    return VerifierRates(**counts)
