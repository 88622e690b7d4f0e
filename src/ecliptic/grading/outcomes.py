"""Values that a clause makes of others, and values that "would be": which of them is stated.

"v = 5 km/s, which drag lowers to 3 km/s" concludes with 3 km/s; in "E = 10.2 eV, which gives
λ = 121.6 nm" both are stated, since they are of different dimensions. "Hence the diameter would be
6 km" is a conclusion, "without rotation it would be 6 km" another case.
"""

from __future__ import annotations

import re
from fractions import Fraction

from ecliptic.grading.number_chains import Chain
from ecliptic.grading.sentence_roles import Role

_SUPPOSES = re.compile(
    r"\b(?:if|unless|without|had|were|otherwise|neglect\w*|ignor\w*|omit\w*|forg[eo]t\w*|dropp\w*"
    r"|instead|even|naive\w*|classical\w*|ideal\w*|absence|twice|half|double[ds]?|doubling"
    r"|halving|another|other|different|alone|only|almost|at most|at least)\b"
    r"|(?:^|[,;]\s*)(?:and |but )?(?:for|with|in|at|on|under|by)\b"
    r"(?!\s+(?:these|this|those|our|the given|the above|such)\b)",
    re.I,
)
_CONCLUDES = re.compile(
    r"\b(?:so|thus|hence|therefore|then|consequently|accordingly|altogether|in total|finally)\b",
    re.I,
)
_STATED = (Role.RESULT, Role.PLAIN)


def dimension(chain: Chain) -> tuple[Fraction, ...] | None:
    """Exponents of the unit of a chain's last value; ``None`` for a bare number."""
    unit = chain.units[-1] if chain.units else None
    return None if unit is None else tuple(unit.exponents)


def settle_supposed(line: str, chains: list[Chain]) -> None:
    """Decide what a value that "would be" is to its sentence."""
    for chain in chains:
        if chain.role is not Role.WOULD_BE:
            continue
        others = [one for one in chains if one.role in _STATED]
        if _SUPPOSES.search(line):
            chain.role = Role.ASIDE
        elif not others or _CONCLUDES.search(line, 0, chain.start):
            chain.role = Role.RESULT
        else:
            chain.role = Role.BOUND


def settle_outcomes(chains: list[Chain]) -> None:
    """What a relative clause leads to takes the place of values of its dimension before it."""
    for place, chain in enumerate(chains):
        if chain.role not in (Role.OUTCOME, Role.COUNTERPART):
            continue
        earlier = [one for one in chains[:place] if one.role in _STATED]
        alike = [one for one in earlier if dimension(one) == dimension(chain)]
        if chain.role is Role.COUNTERPART:
            chain.role = Role.BOUND if alike else Role.ASIDE
            continue
        for one in earlier:
            one.role = Role.ASIDE if one in alike else Role.RESULT
        chain.role, chain.outcome = Role.RESULT, True
