"""The unit of a numeric final: the one that is asked for, or that its steps carry; and its sign."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping

from ecliptic.helio.gold_audit.findings import Check, Finding, Severity
from ecliptic.helio.gold_audit.quantities_stated import (
    Quantity,
    Unit,
    dimension_name,
    quantities_in,
    quantity_of,
    unit_of,
)
from ecliptic.helio.records import Record

_ASKED = re.compile(
    r"\bin\s+(?:the\s+)?(?:units?\s+of\s+)?(\$[^$]{1,60}\$|\S{1,24}(?:\s+per\s+\w+)?)"
    r"(?=\s*$|\s*[,.;?)]|\s+(?:to|with|and|only|using)\b)",
    re.I,
)
_NO_UNITS = frozenset(("a", "h", "as", "at", "m", "g", "s", "magnitude", "mag", "second"))
_NO_UNIT = re.compile(r"\b(?:without (?:a )?unit|no unit|unitless|dimensionless)\b", re.I)
_MEASURED = re.compile(
    r"\b(?:what|which|find|calculate|compute|determine|estimate|evaluate)\b[^.?]*?\b(speed|velocity|"
    r"temperature|pressure|density|magnetic field|wavelength|frequency|radius|distance|energy|"
    r"power|mass|time|period|height|thickness|torque|luminosity)\b",
    re.I,
)
_ASKING = re.compile(r"\?|\b(?:find|calculate|compute|determine|estimate|evaluate|derive)\b", re.I)
_PURE = re.compile(
    r"\b(?:ratios?|factors?|times|relative|units? of|fraction|per ?cents?|percentage|mach|log|"
    r"index|exponent|normali[sz]ed|dimensionless|number|how (?:many|often)|dex|compared|share)\b",
    re.I,
)


_KINDS = {
    "m s-1": "speed|velocity",
    "m": "radius|distance|wavelength|height|thickness|width|length",
    "K": "temperature",
    "Pa": "pressure",
    "T": "magnetic field|field strength",
    "s": "time|period|duration",
}
_ASKED_KIND = re.compile(
    r"\b(?:what(?: is)?|which|find|calculate|determine|compute|estimate)\s+"
    r"(?:the\s+|its\s+|their\s+)?"
    r"(?:[\w-]+\s+)?(" + "|".join(_KINDS.values()) + r")\b(?!\s*(?:ratio|gradient|change|profile|"
    r"difference|drop|jump|increase|excess|anisotropy|component|scale|constant|integral|-))",
    re.I,
)


def _kind(record: Record, final: Quantity) -> Iterator[Finding]:
    """A unit of another dimension than that of what the question asks for."""
    if final.unit is None or final.unit.is_bare or not any(final.unit.dimensions):
        return
    last = re.split(r"(?<=[.?])\s+", record.question.strip())[-1]
    match = _ASKED_KIND.search(last)
    if match is None or _PURE.search(last):
        return
    noun = match[1].lower()
    spelling = next(unit for unit, nouns in _KINDS.items() if noun in nouns.split("|"))
    allowed = [unit_of(spelling), *(unit_of(unit) for unit in _ALSO.get(noun, ()))]
    if any(unit is not None and unit.dimensions == final.unit.dimensions for unit in allowed):
        return
    yield _finding(
        record,
        "warning",
        f"The question asks for a {noun}, but the final is in {final.unit.spelling} "
        f"({dimension_name(final.unit)}).",
        "Mend the unit of the final.",
        {"quantity": noun, "given": final.unit.spelling},
    )


_ALSO = {"temperature": ("eV",), "width": ("s", "Hz", "rad"), "height": ("s",), "length": ("s",)}
"""Other dimensions that the field gives these in."""
_POSITIVE = re.compile(
    r"\b(?:how (?:fast|far|long|large|high|thick|wide|deep|hot|many|strong|much)|speed|"
    r"temperature|pressure|density|densities|wavelength|frequency|radius|distance|mass|period|"
    r"height|thickness|plasma beta|luminosity|fraction|percentage|per ?cent|scale height|time|"
    r"wavenumber|mach number|optical depth|lifetime|angle)\b",
    re.I,
)
_SIGNED = re.compile(
    r"\b(?:change|difference|potential|gradient|rate|component|decrease|increase|charge|sign|"
    r"radial|azimuthal|velocity|shift|deviation|excess|relative|lag|lead|longitude|latitude|"
    r"before|earlier|inward|drift|exponent|slope|index|logarithm|log|celsius|torque|work)\b",
    re.I,
)


def check_unit(record: Record) -> Iterator[Finding]:
    """Unit and sign of a numeric final."""
    final = quantity_of(record.final) if record.type == "numeric" else None
    if final is not None:
        yield from _unit(record, final)
        yield from _value(record, final)


def asked_unit(record: Record) -> tuple[Unit, str] | None:
    """The unit that the hint or, without one there, the end of the question names."""
    for text in (record.hint, record.question):
        for match in reversed(list(_ASKED.finditer(text))):
            spelling = match[1].strip("$ .,;")
            if spelling.lower() in _NO_UNITS and "$" not in match[1]:
                continue
            unit = unit_of(spelling)
            if unit is not None and (not unit.is_bare):
                return unit, spelling
    return None


def _unit(record: Record, final: Quantity) -> Iterator[Finding]:
    asked = asked_unit(record)
    if asked is not None:
        yield from _against_asked(record, final, *asked)
        return
    yield from _kind(record, final)
    pure = final.unit is None or final.unit.is_bare
    if _NO_UNIT.search(record.hint):
        if not pure:
            assert final.unit is not None
            yield _finding(
                record,
                "error",
                f"The hint wants no unit, but the final has {final.unit.spelling}.",
                "Change the hint or the final.",
                {"unit": final.unit.spelling},
            )
        return
    if not pure:
        return
    carried = _carried_unit(record, final)
    if carried is not None:
        yield _finding(
            record,
            "error",
            f"The final has no unit, but the last step gives the same number in {carried}.",
            f"Add {carried} to the final.",
            {"step_unit": carried},
        )
        return
    last = re.split(r"(?<=[.?])\s+", record.question.strip())[-1]
    wanted = _MEASURED.search(last)
    if wanted is not None and not _PURE.search(last):
        yield _finding(
            record,
            "warning",
            f"The question asks for a {wanted[1].lower()}, but the final has no unit.",
            "Add the unit to the final.",
            {"quantity": wanted[1].lower()},
        )


def _value(record: Record, final: Quantity) -> Iterator[Finding]:
    """A negative number for what cannot be negative."""
    if final.value >= 0 or final.label:
        return
    asked = re.split(r"(?<=[.?])\s+", record.question.strip())
    sentence = next((text for text in reversed(asked) if _ASKING.search(text)), asked[-1])
    wanted = _POSITIVE.search(sentence)
    stated = any(one.value < 0 for step in record.step for _, one in quantities_in(step))
    if wanted is None or stated or _SIGNED.search(sentence):
        return
    yield Finding(
        record.id,
        Check.VALUE,
        "warning",
        f"The final is negative, but the question asks for what is positive ({wanted[0].lower()}).",
        "Check the sign, or say in the question which direction counts as positive.",
        {"final": record.final},
    )


def _against_asked(
    record: Record, final: Quantity, wanted: Unit, spelling: str
) -> Iterator[Finding]:
    evidence = {"asked": spelling, "given": final.unit.spelling if final.unit else ""}
    if final.unit is None:
        if any(wanted.dimensions) or wanted.factor != 1.0:
            yield _finding(
                record,
                "error",
                f"The final has no unit, but {spelling} is asked for.",
                f"Add {spelling} to the final.",
                evidence,
            )
    elif final.unit.exponents != wanted.exponents:
        yield _finding(
            record,
            "error",
            f"The final is in {final.unit.spelling or '1'} ({dimension_name(final.unit)}), "
            f"but {spelling} ({dimension_name(wanted)}) is asked for.",
            f"Give the final in {spelling}, or ask for another unit.",
            evidence,
        )
    elif abs(final.unit.factor / wanted.factor - 1.0) > 1e-9:
        yield _finding(
            record,
            "error",
            f"The final is in {final.unit.spelling}, but {spelling} is asked for.",
            f"Convert the final to {spelling}, or ask for {final.unit.spelling}.",
            evidence,
        )


def _carried_unit(record: Record, final: Quantity) -> str | None:
    for step in reversed(record.step[-2:]):
        for _, stated in reversed(quantities_in(step)):
            if stated.value == final.value and stated.unit is not None and not stated.unit.is_bare:
                return stated.unit.spelling
    return None


def _finding(
    record: Record, severity: Severity, message: str, fix: str, evidence: Mapping[str, object]
) -> Finding:
    return Finding(record.id, Check.UNIT, severity, message, fix, evidence)
