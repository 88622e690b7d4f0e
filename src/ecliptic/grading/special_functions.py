"""Known functions by name, on arrays of complex doubles and on mpmath numbers.

A function that is not listed is handled as unknown.
"""

from __future__ import annotations

import math
from collections.abc import Callable
from typing import Any

import numpy as np

_SAME_NAME: dict[str, str] = {
    "asin": "arcsin",
    "acos": "arccos",
    "atan": "arctan",
    "acot": "arccot",
    "asec": "arcsec",
    "acsc": "arccsc",
    "asinh": "arcsinh",
    "acosh": "arccosh",
    "atanh": "arctanh",
    "arsinh": "arcsinh",
    "arcosh": "arccosh",
    "artanh": "arctanh",
    "atan2": "arctan2",
    "sgn": "sign",
    "J": "besselj",
    "Y": "bessely",
    "I": "besseli",
    "K": "besselk",
    "Gamma": "gamma",
    "theta": "heaviside",
    "step": "heaviside",
    "real": "re",
    "imag": "im",
    "expint_ei": "ei",
}

NOT_ANALYTIC = frozenset({"abs", "sign", "heaviside", "floor", "ceil", "min", "max"})
"""Functions that agree with simpler ones on positive numbers, so either sign must be tried."""


def standard_name(name: str) -> str:
    """The one name of a function that has several spellings."""
    return _SAME_NAME.get(name, name)


def float_function(name: str) -> Callable[..., Any] | None:
    """The function on arrays of complex doubles; ``None`` for an unknown one."""
    name = standard_name(name)
    if name in _FLOAT:
        return _FLOAT[name]
    if name in _SCIPY:
        return _SCIPY[name]
    return None


def is_special(name: str) -> bool:
    """Whether the function costs far more than an elementary one."""
    return standard_name(name) in _SCIPY


def overflows(name: str) -> bool:
    """Whether an infinite value may only be one beyond any double, or stand in a denominator."""
    return standard_name(name) in _OVERFLOWING


_OVERFLOWING = frozenset(
    ("exp", "sinh", "cosh", "gamma", "factorial", "binomial", "beta", "besseli", "erfi", "ei")
)


def exact_function(name: str) -> Callable[..., Any] | None:
    """The function on mpmath numbers, its context in front; ``None`` for an unknown one."""
    return _EXACT.get(standard_name(name))


def _extreme(pick: Callable[[Any, Any], Any]) -> Callable[..., Any]:
    def function(*args: Any) -> Any:
        result = np.real(args[0])
        for arg in args[1:]:
            result = pick(result, np.real(arg))
        return result

    return function


def _log(x: Any, base: Any | None = None) -> Any:
    return np.log(x) / np.log(10.0 if base is None else base)


def _on_real_numbers(function: Callable[..., float], args: tuple[Any, ...]) -> Any:
    """Values of a function of the standard library; ``None`` where it has not all of them.

    A dozen real numbers are not worth the quarter of a second that SciPy takes to load.
    """
    (values,) = map(np.asarray, args)
    if values.size > _FEW or np.any(np.imag(values)):
        return None
    try:
        found = [function(value) for value in np.real(values).ravel().tolist()]
    except (ValueError, OverflowError):
        return None
    return np.array(found, np.complex128).reshape(values.shape)


_MATH: dict[str, Callable[[float], float]] = {
    "erf": math.erf, "erfc": math.erfc, "gamma": math.gamma
}  # fmt: skip
_FEW = 60


def _scipy(name: str, *real: int) -> Callable[..., Any]:
    """A function of ``scipy.special``, loaded when used; arguments in ``real`` must be real."""

    def function(*args: Any) -> Any:
        quick = _on_real_numbers(_MATH[name], args) if name in _MATH else None
        if quick is not None:
            return quick
        from scipy import special

        values = [np.real(arg) if i in real else arg for i, arg in enumerate(args)]
        return getattr(special, name)(*values)

    return function


_FLOAT: dict[str, Callable[..., Any]] = {
    "exp": np.exp,
    "ln": np.log,
    "log": _log,
    "sin": np.sin,
    "cos": np.cos,
    "tan": np.tan,
    "cot": lambda x: 1 / np.tan(x),
    "sec": lambda x: 1 / np.cos(x),
    "csc": lambda x: 1 / np.sin(x),
    "sinh": np.sinh,
    "cosh": np.cosh,
    "tanh": np.tanh,
    "coth": lambda x: 1 / np.tanh(x),
    "sech": lambda x: 1 / np.cosh(x),
    "csch": lambda x: 1 / np.sinh(x),
    "arcsin": np.arcsin,
    "arccos": np.arccos,
    "arctan": np.arctan,
    "arccot": lambda x: np.arctan(1 / x),
    "arcsec": lambda x: np.arccos(1 / x),
    "arccsc": lambda x: np.arcsin(1 / x),
    "arcsinh": np.arcsinh,
    "arccosh": np.arccosh,
    "arctanh": np.arctanh,
    "arccoth": lambda x: np.arctanh(1 / x),
    "sinc": lambda x: np.sin(x) / x,
    "arctan2": lambda y, x: np.arctan2(np.real(y), np.real(x)),
    "abs": np.abs,
    "sign": lambda x: np.sign(np.real(x)),
    "heaviside": lambda x: np.heaviside(np.real(x), 0.5),
    "floor": lambda x: np.floor(np.real(x)),
    "ceil": lambda x: np.ceil(np.real(x)),
    "re": np.real,
    "im": np.imag,
    "conj": np.conj,
    "arg": np.angle,
    "min": _extreme(np.minimum),
    "max": _extreme(np.maximum),
}

_SCIPY: dict[str, Callable[..., Any]] = {
    "erf": _scipy("erf"),
    "erfc": _scipy("erfc"),
    "erfi": _scipy("erfi"),
    "gamma": _scipy("gamma"),
    "lngamma": _scipy("loggamma"),
    "beta": _scipy("beta", 0, 1),
    "zeta": _scipy("zeta", 0),
    "factorial": lambda x: _scipy("gamma")(x + 1),
    "binomial": lambda n, k: (
        _scipy("gamma")(n + 1) / _scipy("gamma")(k + 1) / _scipy("gamma")(n - k + 1)
    ),
    "besselj": _scipy("jv", 0),
    "bessely": _scipy("yv", 0),
    "besseli": _scipy("iv", 0),
    "besselk": _scipy("kv", 0),
    "sphericalj": _scipy("spherical_jn", 0),
    "ei": _scipy("expi"),
    "digamma": _scipy("digamma"),
}


def _exact_extreme(pick: Callable[..., Any]) -> Callable[..., Any]:
    return lambda c, *args: pick(c.re(arg) for arg in args)


_EXACT: dict[str, Callable[..., Any]] = {
    "exp": lambda c, x: c.exp(x),
    "ln": lambda c, x: c.log(x),
    "log": lambda c, x, base=10: c.log(x) / c.log(base),
    "arccot": lambda c, x: c.atan(1 / x),
    "arcsec": lambda c, x: c.acos(1 / x),
    "arccsc": lambda c, x: c.asin(1 / x),
    "arccoth": lambda c, x: c.atanh(1 / x),
    "arctan2": lambda c, y, x: c.atan2(c.re(y), c.re(x)),
    "abs": lambda c, x: abs(x),
    "sign": lambda c, x: c.sign(c.re(x)),
    "heaviside": lambda c, x: (1 + c.sign(c.re(x))) / 2,
    "floor": lambda c, x: c.floor(c.re(x)),
    "ceil": lambda c, x: c.ceil(c.re(x)),
    "min": _exact_extreme(min),
    "max": _exact_extreme(max),
    "binomial": lambda c, n, k: c.binomial(n, k),
    "lngamma": lambda c, x: c.loggamma(x),
    **{name: (lambda c, x, n=name: getattr(c, n)(x))
       for name in ("sin", "cos", "tan", "cot", "sec", "csc", "sinh", "cosh", "tanh", "coth",
                    "sech", "csch", "erf", "erfc", "erfi", "gamma", "factorial", "digamma",
                    "re", "im", "conj", "arg", "ei")},
    **{f"arc{name}": (lambda c, x, n=name: getattr(c, f"a{n}")(x))
       for name in ("sin", "cos", "tan", "sinh", "cosh", "tanh")},
    **{name: (lambda c, n, x, f=name: getattr(c, f)(n, x))
       for name in ("besselj", "bessely", "besseli", "besselk")},
}  # fmt: skip
