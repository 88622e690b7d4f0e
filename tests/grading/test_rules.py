from __future__ import annotations

import ast
from pathlib import Path
from typing import Any

import pytest

import ecliptic.grading
from ecliptic.grading import Rules, grade

ONLY = "Give the answer ONLY as a LaTeX-formatted equation wrapped in dollar signs."

# rule, its other value, gold, answer, whether the answer passes by default (else by the other
# value): one pair that the rule alone decides.
DECIDED: list[tuple[str, object, str, str, bool]] = [
    ("relative_tolerance", 0.2, "100", "110", False),
    ("absolute_tolerance", 0.05, "0", "0.03", False),
    ("symbolic_tolerance", 0.0, r"$8.98\sqrt{n}$", r"$9\sqrt{n}$", True),
    ("log_quantity", True, "6.2", "6.25", True),
    ("order_of_magnitude", True, "1e5", "4e5", False),
    ("decimal_comma", True, "1.5", "1,5", False),
    ("concise_uncertainty", False, "2.5 nT", "2.5(3) nT", True),
    ("require_uncertainty", True, "2.5±0.3 nT", "2.5 nT", True),
    ("allow_wide_uncertainty", True, "2.5 nT", "2.5±25 nT", False),
    ("value_inside_range", True, "300-800 km/s", "500 km/s", False),
    ("value_within_gold_uncertainty", True, "2.5±0.3 nT", "2.75 nT", False),
    ("allow_unevaluated", False, "1200 km/s", "3 × 400 km/s", True),
    ("allow_missing_unit", True, "400 km/s", "400", False),
    ("allow_missing_degree", True, "45°", "45", False),
    ("allow_missing_percent", True, "25%", "25", False),
    ("bare_number_is_radian", False, "0.5 rad", "0.5", True),
    ("allow_extra_unit", True, "4", "4 km", False),
    ("hertz_is_per_second", False, "20 kHz", "2e4 s^-1", True),
    ("hertz_is_radian_per_second", True, "10 Hz", "10 rad/s", False),
    ("temperature_is_energy", True, "1 MK", "86 eV", False),
    ("mass_is_energy", True, "938 MeV/c^2", "938 MeV", False),
    ("per_nucleon_is_total", True, "10 MeV/n", "10 MeV", False),
    ("gamma_is_nanotesla", False, "5 nT", "5 gamma", True),
    ("aliases", {"V_w": ("u",)}, r"$\frac{V_w}{\kappa_0}$", r"$\frac{u}{\kappa_0}$", False),
    ("rename_symbols", True, r"$\frac{V_w}{\kappa_0}$", r"$\frac{u}{k}$", False),
    ("fold_case", True, r"$\sqrt{\gamma p/\rho}$", r"$\sqrt{\gamma P/\rho}$", False),
    ("k_is_boltzmann", True, "$k_B T$", "$k T$", False),
    ("odot_is_sun", False, r"$\frac{GM_\odot}{r}$", r"$\frac{GM_{sun}}{r}$", True),
    ("log_is_ln", True, r"$\ln x$", r"$\log x$", False),
    ("prime_is_derivative", True, "$f' + 1$", r"$\frac{df}{dx} + 1$", False),
    ("proportional_is_constant", True, r"$f\propto p^{-q}$", "$f = C p^{-q}$", False),
    ("allow_squared_equation", True, r"$v = \sqrt{a/b}$", "$v^2 = a/b$", False),
    ("allow_rearranged_equation", False, r"$r = \frac{GM}{2c^2}$", r"$M = \frac{2rc^2}{G}$", True),
    ("allow_bare_right_side", False, r"$r = \frac{GM}{2c^2}$", r"$\frac{GM}{2c^2}$", True),
    ("one_root_is_enough", True, r"$x = \pm a$", "$x = a$", False),
    ("slash_groups_product", True, r"$\frac{m v^2}{2}$", "$m/2v^2$", True),
    ("last_box_counts", False, "1.5", r"\boxed{3} Wait, on reflection: \boxed{1.5}", True),
    ("require_format", False, r"$\frac{GM}{r}$", "GM/r", False),
    ("number_as_text", False, '{"value": 5}', '{"value": "5"}', True),
    ("extra_fields", False, '{"a": 1}', '{"a": 1, "b": 2}', True),
]


@pytest.mark.parametrize(
    ("rule", "other", "gold", "answer", "by_default"), DECIDED, ids=[row[0] for row in DECIDED]
)
def test_each_rule_decides_a_pair(
    rule: str, other: object, gold: str, answer: str, by_default: bool
) -> None:
    hint: dict[str, Any] = {"hint": ONLY} if rule == "require_format" else {}
    assert grade(gold=gold, answer=answer, **hint).passed is by_default
    assert grade(gold=gold, answer=answer, rules={rule: other}, **hint).passed is not by_default


def test_every_rule_has_its_pair() -> None:
    assert [row[0] for row in DECIDED] == list(Rules.model_fields)
    switched = {rule: value for rule, value, *_ in DECIDED if isinstance(value, bool)}
    defaults = {name: field.default for name, field in Rules.model_fields.items()}
    assert switched == {
        name: not value for name, value in defaults.items() if isinstance(value, bool)
    }


def test_every_rule_is_read_by_the_package() -> None:
    folder = Path(ecliptic.grading.__file__).parent
    read = {
        node.attr
        for path in folder.glob("*.py")
        if path.name != "rules.py"
        for node in ast.walk(ast.parse(path.read_text("utf-8")))
        if isinstance(node, ast.Attribute) and ast.unparse(node.value).endswith("rules")
    }
    assert set(Rules.model_fields) - read == set()
