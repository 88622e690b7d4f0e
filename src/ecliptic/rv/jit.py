"""One decorator for every compiled kernel of this package."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, TypeVar, cast

from numba import njit

F = TypeVar("F", bound=Callable[..., Any])


def compiled(function: F) -> F:
    """Compile with numba at the first call, without the GIL, and keep the machine code on disk.

    Where neither the package's folder nor the user's cache folder can be written, the kernel is
    compiled anew in each process: slower to start, otherwise the same.
    """
    try:
        kernel = njit(cache=True, nogil=True, error_model="numpy")(function)
    except RuntimeError:  # numba's way to say that no cache folder can be written
        kernel = njit(nogil=True, error_model="numpy")(function)
    return cast("F", kernel)
