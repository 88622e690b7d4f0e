"""Means: one spelling of them, and their linearity over sums, numbers and constants of nature."""

from __future__ import annotations

from dataclasses import replace

from ecliptic.grading.expression import (
    Add,
    Call,
    Constant,
    Expression,
    Mul,
    Number,
    Power,
    Symbol,
    add,
    multiply,
    rebuild,
)
from ecliptic.grading.tree_walk import Survey

_CONSTANTS = frozenset(
    ("G", "c", "k_B", "hbar", "mu_0", "epsilon_0", "varepsilon_0", "sigma_SB", "m_e", "m_p", "m_i")
)
"""Symbols that are the same in all samples of a mean."""


def has_means(found: tuple[Survey, Survey]) -> bool:
    """Whether a side holds a mean over more than a letter."""
    return any("mean" in side.functions for side in found)


def linear_means(node: Expression) -> Expression:
    """Bars over letters as means; ``<2 a + b>`` as 2<a> + <b>."""
    if isinstance(node, Symbol) and node.style == "bar":
        return Call("mean", (replace(node, style=""),))
    node = rebuild(node, linear_means)
    if not isinstance(node, Call) or node.function != "mean" or len(node.args) != 1:
        return node
    inner = node.args[0]
    if isinstance(inner, Add):
        return add(*(_mean(term) for term in inner.terms))
    return _mean(inner)


def _mean(node: Expression) -> Expression:
    if not isinstance(node, Mul):
        return node if isinstance(node, Number) else Call("mean", (node,))
    constants = [factor for factor in node.factors if _is_constant(factor)]
    rest = [factor for factor in node.factors if not _is_constant(factor)]
    if not constants:
        return Call("mean", (node,))
    return multiply(*constants, *([Call("mean", (multiply(*rest),))] if rest else []))


def _is_constant(node: Expression) -> bool:
    if isinstance(node, Power):
        return _is_constant(node.base) and isinstance(node.exponent, Number)
    if isinstance(node, Mul):
        return all(map(_is_constant, node.factors))
    if isinstance(node, Symbol):
        return not node.style and (node.name in _CONSTANTS or node.name == "m")
    return isinstance(node, Number | Constant)
