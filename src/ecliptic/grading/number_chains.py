"""The numbers of a line with what they are set equal to: ``label = 2 * 3 m = 6 m``."""

from __future__ import annotations

import re
from dataclasses import dataclass, field

from ecliptic.grading.measures import Options, number_and_unit, with_second_end
from ecliptic.grading.numbers import find_number
from ecliptic.grading.parse_failure import ParseFailure
from ecliptic.grading.sentence_roles import Role
from ecliptic.grading.units import Unit

MOST_NUMBERS = 30
MOST_GAP = 120
"""Characters of a formula between two numbers of one chain."""
_TOKEN = r"[^\s,;:=≈(]+(?:\([^()\s]{1,12}\))?"
_LABEL = re.compile(
    rf"(?<![^\s(,;:]){_TOKEN}\s*[=≈]\s*"
    rf"(?:{_TOKEN}(?: [A-Za-zΑ-ω](?:_\w{{1,8}})?(?![\w(]))*\s*[=≈]\s*)*$"
)
"""``E = v B =``: a name, and formulas behind it."""
_SIGNS = r"[\s=≈*·/+^()√\-]*"
_SYMBOLS = re.compile(
    rf"{_SIGNS}(?:(?<![A-Za-z])(?:[b-zA-ZΑ-ωμ](?:_\(?\w{{1,8}}\)?)?|[A-Za-z]?[A-ZΑ-ω][A-Za-z]?"
    rf"|[a-z]{{2}}(?=\^)|sqrt|exp|ln|log|sin|cos|tan)(?![A-Za-z])(?:\^\(?-?\d\)?)?{_SIGNS})*"
)
_GOES_ON = re.compile(
    r"\s*[*·/^+]|\s*-\s*[\d(]|\s*(?:[A-Za-zΑ-ω]_?\w{0,2}(?=[\s/^*·√]*[/^*·√=≈]))|√"
)
_CONTINUES = re.compile(r"(?:[*·/^+√]|[\w)]\s*-)\s*\(*\s*$|\^\s*\($")
_EQUALS = re.compile(r"[=≈]")
_NUMBER_RUN = re.compile(r"[-+ (]*[\d.]+|.")
_BRACKET = re.compile(
    r"\((?=[-+]?\d[^()=*/]{0,20}(?:\*\s?10\^\([-+\d]+\))?\s?[A-Za-zμ°%][^()=]{0,20}"
    r"(?:\^\([-+\d]+\)[^()=]{0,12}){0,4}\)\s*(?:[.,;]|$))"
)
"""``4.5 W (45 erg/s)``: once more in another unit."""
_EXPONENT = re.compile(r"\^\s*\(?$")
_TERM = re.compile(r"[-+] ")
_FAR_LABEL = re.compile(r"(?<![^\s(,;:])((?:[^\s,;:=≈(]+\s*[=≈]\s*)+)(?:(?![a-z]{4})[^=≈,;:])*$")
FACTOR = re.compile(r"\s*-?\s*(?:times|fold)\b")
_LITERAL = re.compile(
    r"[-+]?\s*[\d.,]+(?:[eE][-+]?\d+|\s*[*·x]\s*10\s*\^\S+)?(?![\d.eE])(?!\s*[*/·√π])"
)


@dataclass(slots=True)
class Chain:
    """``label = 2 * 3 m = 6 m``: its place, its last value, and the plain values in front."""

    start: int
    end: int
    label: str
    values: list[str] = field(default_factory=list)
    units: list[Unit | None] = field(default_factory=list)
    choice: bool = False
    depth: int = 0
    bare: bool = True
    readable: bool = True
    role: Role = Role.PLAIN
    denied: bool = False
    outcome: bool = False
    """A relative clause leads to it from the values before."""


def number_chains(line: str, options: Options) -> list[Chain]:
    """The values of a line in order; those that are a part of arithmetic only are left out."""
    found: list[Chain] = []
    at = 0
    while (start := find_number(line, at)) >= 0 and len(found) < MOST_NUMBERS:
        if _EXPONENT.search(line, max(0, start - 4), start):
            at = _behind_number(line, start)
            continue
        try:
            value, end = number_and_unit(line, start, options)
            if value.upper is None:
                value, end = with_second_end(line, value, end, options)
        except ParseFailure:
            bracket = found and _BRACKET.match(line, start) and line[start - 1 : start] == " "
            at = start + 1 if bracket else _behind_number(line, start)
            continue
        part = _is_part(line, start, end)
        gap = line[found[-1].end : start] if found else ""
        linked = bool(gap.strip()) and len(gap) < MOST_GAP and _SYMBOLS.fullmatch(gap) is not None
        if linked and (re.search(r"[=≈]", gap) or part):
            chain = found[-1]
            if not chain.label and not chain.values and (sign := _EQUALS.search(line, chain.start)):
                chain.label = line[chain.start : sign.end()]
        else:
            pattern = _FAR_LABEL if part else _LABEL
            label = pattern.search(line, max(0, start - 120), start)
            begin = label.start() if label else start
            chain = Chain(begin, end, label[0] if label else "")
            chain.depth = line.count("(", 0, begin) - line.count(")", 0, begin)
            found.append(chain)
        chain.end, at = end, end
        chain.readable = not part
        chain.bare = value.unit is None
        if not part:
            chain.values.append(line[start:end].strip())
            chain.units.append(value.unit)
    for chain in found:
        kept = zip(chain.values[:-1], chain.units, strict=False)
        earlier = [v for v, unit in kept if _LITERAL.match(v) or unit == chain.units[-1]]
        chain.values = earlier + chain.values[-1:]
    return [chain for chain in found if chain.values and chain.readable]


def _is_part(line: str, start: int, end: int) -> bool:
    """Whether a number is a part of a formula or a factor only."""
    if _CONTINUES.search(line[max(0, start - 40) : start]) or FACTOR.match(line, end):
        return True
    if line[end : end + 1].isalnum() or line[end : end + 1] == "_":
        return True
    if _TERM.match(line, start) and re.search(r"[\w)]\s*$", line[:start]):
        return True
    return _GOES_ON.match(line, end) is not None


def _behind_number(line: str, start: int) -> int:
    match = _NUMBER_RUN.match(line, start)
    return match.end() if match else start + 1
