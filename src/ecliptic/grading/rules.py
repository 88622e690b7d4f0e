"""Conventions that reasonable graders differ on: one named rule each, strict by default."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Annotated, Any

from pydantic import Field, ValidationError

from ecliptic.errors import UsageError
from ecliptic.model import Float, Model, describe, known_fields

Tolerance = Annotated[Float, Field(ge=0.0, lt=1.0)]


class Rules(Model):
    """The conventions of one comparison; a verdict records those that differ from the default.

    ``True`` accepts what the name says; the strict default refuses it. A record overrides single
    rules in ``meta["rules"]``.
    """

    # Numbers.
    relative_tolerance: Tolerance = 0.05
    """``|answer - gold| <= relative_tolerance |gold|`` for numbers with a value."""
    absolute_tolerance: Annotated[Float, Field(ge=0.0)] = 0.0
    """In the gold's own unit, added to the relative one; the only tolerance at a gold of zero."""
    symbolic_tolerance: Tolerance = 0.05
    """For a constant factor between formulas with decimals: ``9 \\sqrt{n}`` for a gold of
    ``8.98 \\sqrt{n}``. The gold must hold a decimal of three digits, or both sides one of two;
    exact constants (2, 1/3, pi) must agree exactly."""
    log_quantity: bool = False
    """The gold is a logarithm (dex): only ``absolute_tolerance`` applies. Without it, a
    gold that says log, dex or mag is compared with the relative tolerance of its quantity."""
    order_of_magnitude: bool = False
    """A factor of ten either way passes. On by itself when the gold says so in words."""
    decimal_comma: bool = False
    """Read ``1,5`` as 1.5 (``1,500`` stays 1500)."""
    concise_uncertainty: bool = True
    """Read ``2.5(3)`` as 2.5 +- 0.3."""
    require_uncertainty: bool = False
    """The answer must state the gold's uncertainty."""
    allow_wide_uncertainty: bool = False
    """An uncertainty larger than the value and than ten times the gold's passes."""
    value_inside_range: bool = False
    """One value inside the gold's range passes for the range."""
    value_within_gold_uncertainty: bool = False
    """A value inside the gold's own error bar passes beyond the tolerance."""
    allow_unevaluated: bool = True
    """A closed expression of numbers (``2 \\times 3``) passes for its value."""

    # Units.
    allow_missing_unit: bool = False
    """A bare number passes for a quantity with a unit."""
    allow_missing_degree: bool = False
    """A bare number passes for degrees when the gold is in degrees."""
    allow_missing_percent: bool = False
    """A bare number passes for per cent when the gold is in per cent."""
    bare_number_is_radian: bool = True
    """A bare number is an angle in radians when the gold is an angle."""
    allow_extra_unit: bool = False
    """A quantity with a dimension passes for a bare number of the same value."""
    hertz_is_per_second: bool = True
    """Hz and 1/s are one unit."""
    hertz_is_radian_per_second: bool = False
    """Hz and rad/s differ by 2 pi (False) or not at all."""
    temperature_is_energy: bool = False
    """K and eV convert through k_B."""
    mass_is_energy: bool = False
    """kg and MeV convert through c^2."""
    per_nucleon_is_total: bool = False
    """MeV/nucleon passes for MeV."""
    gamma_is_nanotesla: bool = True
    """Read ``5 gamma`` as 5 nT."""

    # Names in formulas.
    aliases: Mapping[str, tuple[str, ...]] = Field(default_factory=dict)
    """Symbol of the gold -> other spellings of it, such as ``{"V_w": ("V_sw", "u")}``."""
    rename_symbols: bool = False
    """Symbols may differ by a one-to-one renaming."""
    fold_case: bool = False
    """``p`` and ``P`` are one symbol."""
    k_is_boltzmann: bool = False
    """``kT`` is ``k_B T``."""
    odot_is_sun: bool = True
    """The subscripts odot and sun are one."""
    log_is_ln: bool = False
    """``log`` without a base is the natural logarithm (False: another function than ``ln``)."""
    prime_is_derivative: bool = False
    """``f'`` is ``df/dx``; an ``f'(x)`` with its argument always is."""

    # Shapes of formulas.
    proportional_is_constant: bool = False
    """``f = C x`` with a free constant passes for ``f \\propto x``."""
    allow_squared_equation: bool = False
    """``v^2 = x^2`` passes for ``v = x``."""
    allow_rearranged_equation: bool = True
    """An equation that is solved for another quantity passes; both sides still hold together."""
    allow_bare_right_side: bool = True
    """The right-hand side alone passes for an equation ``symbol = ...`` and the other way round."""
    one_root_is_enough: bool = False
    """One of several roots passes for all."""
    slash_groups_product: bool = False
    """Read ``a/bc`` as ``a/(bc)``, always. Without it ``a/2b``, on one side only, may be read
    either way."""

    # Answers.
    last_box_counts: bool = True
    """After a word of correction ("wait", "on reflection") the last answer replaces earlier ones;
    without such a word two different final answers are no correct one. Words of correction behind
    a mark ("wait, that is wrong") void it, whether another answer is marked or not."""
    require_format: bool = True
    """A format that the hint demands with ONLY or MUST is needed for a correct verdict. Other
    format hints are reported as a criterion and fail nothing."""
    number_as_text: bool = True
    """``"400"`` passes for 400 in a field of a structured answer."""
    extra_fields: bool = True
    """A structured answer may hold fields that the gold has not."""

    def overridden(self) -> dict[str, Any]:
        """The rules that differ from their default, ready for JSON."""
        if self is DEFAULT_RULES:
            return {}
        plain = self.model_dump(mode="json")
        return {name: value for name, value in plain.items() if value != _DEFAULTS[name]}

    def updated(self, changes: Mapping[str, Any]) -> Rules:
        """These rules with some replaced; :class:`~ecliptic.errors.UsageError` names a bad one."""
        if not changes:
            return self
        try:
            return Rules.model_validate({**self.model_dump(), **changes})
        except ValidationError as error:
            field, _, sentence = describe(error, known_fields(Rules))
            raise UsageError(f"rules: '{field}' {sentence}") from None


DEFAULT_RULES = Rules()
_DEFAULTS = DEFAULT_RULES.model_dump(mode="json")
