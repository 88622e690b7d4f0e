"""Values for the session's namespace in the JSON form that ``inside.preload`` reads."""

from __future__ import annotations

import base64
import json
import keyword
from collections.abc import Mapping
from typing import Any

from ecliptic.errors import UsageError

_KINDS = "biufcU"


def encode(preload: Mapping[str, Any]) -> dict[str, dict[str, Any]]:
    """Arrays as bytes with type and shape, everything else as JSON.

    Raises
    ------
    UsageError
        A name is no identifier, or a value is neither an array of numbers or strings nor JSON.
    """
    import numpy as np

    encoded: dict[str, dict[str, Any]] = {}
    for name, value in preload.items():
        if not name.isidentifier() or keyword.iskeyword(name) or name.startswith("__"):
            raise UsageError(f"preload: {name!r} cannot name a variable")
        if isinstance(value, np.generic):
            value = value.item()
        if isinstance(value, np.ndarray):
            encoded[name] = _encode_array(name, value)
        else:
            try:
                json.dumps(value)
            except (TypeError, ValueError) as error:
                raise UsageError(f"preload: {name} is neither an array nor JSON: {error}") from None
            encoded[name] = {"value": value}
    return encoded


def _encode_array(name: str, array: Any) -> dict[str, Any]:
    import numpy as np

    if array.dtype.kind not in _KINDS:
        raise UsageError(f"preload: {name} holds {array.dtype}; numbers or strings are needed")
    array = np.ascontiguousarray(array, dtype=array.dtype.newbyteorder("<"))
    return {
        "bytes": base64.b64encode(array.tobytes()).decode(),
        "dtype": array.dtype.str,
        "shape": list(array.shape),
    }
