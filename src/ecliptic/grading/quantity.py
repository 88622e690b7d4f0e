"""One value or range with its unit, uncertainty and label."""

from __future__ import annotations

import re
from dataclasses import dataclass, replace
from decimal import Decimal

from ecliptic.grading.decimals import CONTEXT
from ecliptic.grading.parse_failure import ParseFailure
from ecliptic.grading.units import ONE, Unit

_OPERATOR = re.compile(r"[-+*·/^±√∂∫]|nabla|∇|sqrt|times")
_INVERSE = re.compile(r"[A-Za-zΑ-ω]\w*\^\(?-\d\)?")
_SCALED = re.compile(r"(?:^|[-+*·/^])\d")


def symbols_in(label: str) -> set[str]:
    """The symbols of a label, without the names of functions."""
    bare = re.sub(r"sqrt|exp|log|ln|sin|cos|tan|times|\\[dt]?frac", " ", label)
    return set(re.findall(r"[A-Za-zΑ-ω](?:_\(?\w+\)?)?", bare))


@dataclass(frozen=True, slots=True)
class Quantity:
    """One value, or a range from ``value`` to ``upper``, in ``unit`` (``None``: none written)."""

    value: Decimal
    unit: Unit | None = None
    upper: Decimal | None = None
    uncertainty: Decimal | None = None
    relation: str = "="
    label: str = ""
    log_base: str = ""
    """``10`` or ``e`` when the label is a logarithm."""
    about: bool = False
    """Marked as approximate."""
    order_of_magnitude: bool = False
    arithmetic: bool = False
    decimal_comma: bool = False
    concise: bool = False
    both_signs: bool = False
    ends: str = ""
    """``<`` or ``≤`` at either end of a range, where the text says which."""
    is_condition: bool = False
    """What another value holds for: ``5 nT, for n = 1 cm^-3``."""
    extremum: str = ""
    """``min`` or ``max`` where the text says that the quantity reaches one."""
    words: str = ""
    """The words in front of the value or its symbol: ``the proton temperature is``."""
    restated: tuple[Quantity, ...] = ()
    """The same quantity once more: ``= 5e-9 T = 5 nT``, ``400 km/s (4e5 m/s)``."""

    @property
    def is_of_a_formula(self) -> bool:
        """Whether the label is an expression (``T_e/T_i``), not a name."""
        return _OPERATOR.search(self.label) is not None

    @property
    def is_of_a_scaled_symbol(self) -> bool:
        """Whether the label is a number of times, a part or a power of one symbol (``2x``).

        A formula of several (``rho v^2``) is how the quantity was computed.
        """
        return _SCALED.search(self.label) is not None and len(symbols_in(self.label)) < 2

    @property
    def is_of_an_inverse_power(self) -> bool:
        """Whether the label is a negative power (``M_A^-2``), which is no step to the symbol."""
        return _INVERSE.fullmatch(self.label) is not None

    @property
    def measure(self) -> Unit:
        """The unit, or the number one."""
        return ONE if self.unit is None else self.unit


def joined_range(lower: Quantity, upper: Quantity) -> Quantity:
    """A range in the unit of its upper end."""
    value = lower.value
    if lower.unit is not None and upper.unit is not None and lower.unit != upper.unit:
        if lower.unit.exponents != upper.unit.exponents:
            raise ParseFailure("the ends of the range have different dimensions", 0)
        value = CONTEXT.multiply(value, Decimal(lower.unit.factor / upper.unit.factor))
    return replace(upper, value=value, upper=upper.value, unit=upper.unit or lower.unit)
