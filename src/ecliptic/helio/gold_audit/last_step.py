"""Whether the final is what the steps end in."""

from __future__ import annotations

import math
import re
from collections.abc import Iterator

from ecliptic.errors import UsageError
from ecliptic.grading import grade
from ecliptic.helio.gold_audit.findings import Check, Finding
from ecliptic.helio.gold_audit.mathematics import (
    Equation,
    Solution,
    Symbol,
    equations_in,
    free_symbols,
    read_final,
    solutions_of,
)
from ecliptic.helio.gold_audit.quantities_stated import (
    Quantity,
    quantities_in,
    quantity_of,
)
from ecliptic.helio.gold_audit.symbols_used import asked_symbols
from ecliptic.helio.records import Record
from ecliptic.verdict import Verdict

_TELLING = frozenset(("sign", "factor", "power_of_ten", "exponent", "reciprocal", "missing_term"))
_CONDITION = re.compile(
    r"\b(?:if|when|for|at|unless|not|besides|than|set|suppose|assum\w+|initially|where|limit)\s*$",
    re.I,
)
_FACTORS = {
    -1.0: "sign",
    2.0: "factor 2",
    0.5: "factor 1/2",
    -2.0: "factor -2",
    -0.5: "factor -1/2",
}


def check_last_step(record: Record) -> Iterator[Finding]:
    """The final against what the steps state of the same quantity."""
    if record.type == "symbolic":
        yield from _symbolic(record)
    elif record.type == "numeric":
        yield from _numeric(record)


def _symbolic(record: Record) -> Iterator[Finding]:
    tree = read_final(record.final)
    solutions = [] if isinstance(tree, str) else solutions_of(tree)
    if not solutions:
        return
    final = solutions[0]
    known = set(free_symbols(final.value)) | (asked_symbols(record) or set())
    known |= {symbol for other in solutions[1:] for symbol in free_symbols(other.subject)}
    stated = [
        (number, equation)
        for number, step in enumerate(record.step, 1)
        for equation in equations_in(step)
        if _is_about(equation, final, known)
    ]
    if not stated:
        return
    verdicts = [(number, equation, _graded(record, equation)) for number, equation in stated]
    last = verdicts[-1][0]
    if any(verdict is None or verdict.passed for number, _, verdict in verdicts if number == last):
        verdicts = [entry for entry in verdicts if entry[0] != last]
    for number, equation, verdict in verdicts:
        if verdict is None or verdict.outcome != "incorrect" or verdict.diagnosis is None:
            continue
        code = str(verdict.diagnosis.code)
        if number != last and code not in _TELLING:
            continue
        evidence = {
            "step": number,
            "formula": equation.source.text,
            "diagnosis": code,
            **verdict.diagnosis.evidence,
        }
        yield Finding(
            record.id,
            Check.LAST_STEP,
            "error" if number == last else "warning",
            f"Step {number} gives another {final.subject.name} than the final ({code}).",
            "Derive it again; mend the step or the final.",
            evidence,
        )


def _is_about(equation: Equation, final: Solution, known: set[Symbol]) -> bool:
    if _CONDITION.search(equation.source.before):
        return False
    pairs = equation.named
    if not pairs or pairs[0][0].name != final.subject.name:
        return False
    symbols = free_symbols(pairs[0][1])
    return bool(symbols or not free_symbols(final.value)) and set(symbols) <= known


def _graded(record: Record, equation: Equation) -> Verdict | None:
    gold = {"final": record.final, "type": "symbolic", "meta": {"rules": record.meta.get("rules")}}
    try:
        return grade(gold, f"${equation.source.text}$")
    except UsageError:
        return None


def _numeric(record: Record) -> Iterator[Finding]:
    final = quantity_of(record.final)
    if final is None or not final.value:
        return
    stated = [
        (number, quantity)
        for number, step in enumerate(record.step, 1)
        for _, quantity in quantities_in(step)
        if quantity.value
    ]
    if not stated or any(_agrees(final, quantity) for _, quantity in stated):
        return
    other = next((entry for entry in stated if _same_number(final, entry[1])), None)
    if other is not None:
        yield _other_unit(record, final, *other)
        return
    if any(_bare_agrees(final, quantity) for _, quantity in stated):
        return
    yield from _labelled(record, final)
    last = stated[-1][0]
    for number, quantity in reversed(stated):
        concluding = number == last == len(record.step) and quantity is stated[-1][1]
        finding = _difference(record, final, number, quantity, concluding=concluding)
        if finding is not None:
            yield finding
            return


def _labelled(record: Record, final: Quantity) -> Iterator[Finding]:
    """``$v = 400$ km/s`` against what the steps give for v."""
    name = next((read_final(f"${left}$") for left, _ in quantities_in(record.final) if left), None)
    if not isinstance(name, Symbol):
        return
    for number, step in reversed(list(enumerate(record.step, 1))):
        for left, quantity in reversed(quantities_in(step)):
            ratio = _ratio(final, quantity)
            if not left or ratio is None or read_final(f"${left}$") != name:
                continue
            if _simple(ratio, _tolerance(final, quantity)) is None:
                shown = f"{quantity.value:g} {quantity.unit.spelling if quantity.unit else ''}"
                yield Finding(
                    record.id,
                    Check.LAST_STEP,
                    "error" if number == len(record.step) else "warning",
                    f"Step {number} gives {name.name} = {shown.strip()}, the final another value.",
                    "Work it out again; mend the step or the final.",
                    {"step": number, "stated": shown.strip(), "ratio": float(f"{ratio:.4g}")},
                )
            return


def _ratio(final: Quantity, stated: Quantity) -> float | None:
    """Final over stated, in their units; nothing for two dimensions."""
    if _pure(final) != _pure(stated):
        return None
    a, b = final.measure, stated.measure
    if a.without("rad", "nucleon", "dex") != b.without("rad", "nucleon", "dex"):
        return None
    return float(final.value) * a.factor / (float(stated.value) * b.factor)


def _pure(quantity: Quantity) -> bool:
    return not any(quantity.measure.dimensions)


def _tolerance(*quantities: Quantity) -> float:
    """Relative: half a unit of the last digit of each."""
    total = 2e-3
    for quantity in quantities:
        exponent = quantity.value.as_tuple().exponent
        assert isinstance(exponent, int)
        total += 0.6 * 10.0**exponent / abs(float(quantity.value))
    return min(total, 0.3)


def _agrees(final: Quantity, stated: Quantity) -> bool:
    ratio = _ratio(final, stated)
    return ratio is not None and abs(ratio - 1) <= _tolerance(final, stated)


def _bare_agrees(final: Quantity, stated: Quantity) -> bool:
    """A number without its unit in a step says nothing against the final's."""
    if stated.unit is not None:
        return False
    return abs(float(final.value / stated.value) - 1) <= _tolerance(final, stated)


def _same_number(final: Quantity, stated: Quantity) -> bool:
    """The number of the final in another unit; a final without unit is told elsewhere."""
    if final.unit is None or stated.unit is None or final.unit.is_bare or stated.unit.is_bare:
        return False
    return abs(float(final.value / stated.value) - 1) <= _tolerance(final, stated)


def _other_unit(record: Record, final: Quantity, number: int, stated: Quantity) -> Finding:
    shown = f"{stated.value:g} {stated.unit.spelling if stated.unit else ''}".strip()
    return Finding(
        record.id,
        Check.LAST_STEP,
        "error",
        f"Step {number} gives {shown}, the final the same number in "
        f"{final.unit.spelling if final.unit else 'no unit'}.",
        "Give both in one unit.",
        {"step": number, "stated": shown, "final": record.final},
    )


def _difference(
    record: Record, final: Quantity, number: int, stated: Quantity, *, concluding: bool
) -> Finding | None:
    tolerance = _tolerance(final, stated)
    shown = f"{stated.value:g} {stated.unit.spelling if stated.unit else ''}".strip()
    evidence: dict[str, object] = {"step": number, "stated": shown, "final": record.final}
    bare = float(final.value / stated.value)
    ratio = _ratio(final, stated)
    if ratio is None:
        if not concluding or stated.unit is not None:
            return None
        ratio = bare
    kind = _simple(ratio, tolerance)
    if kind is None:
        return None
    certain = concluding or (stated.unit is not None and not _pure(stated))
    if not certain:
        return None
    return Finding(
        record.id,
        Check.LAST_STEP,
        "error",
        f"The final is {ratio:.3g} times the {shown} of step {number} ({kind}).",
        "Work it out again; mend the step or the final.",
        evidence | {"ratio": float(f"{ratio:.4g}"), "diagnosis": kind},
    )


def _simple(ratio: float, tolerance: float) -> str | None:
    for factor, name in _FACTORS.items():
        if abs(ratio / factor - 1) <= tolerance:
            return name
    power = round(math.log10(abs(ratio))) if ratio else 0
    if power and ratio > 0 and abs(ratio / 10.0**power - 1) <= tolerance:
        return f"power of ten, 10^{power}"
    return None
