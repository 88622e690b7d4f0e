"""Values that stand in the session's namespace before the first cell."""

from __future__ import annotations

import base64
from typing import Any


def decode(preload: dict[str, dict[str, Any]]) -> dict[str, Any]:
    """Fresh objects from their JSON form: arrays as little-endian bytes, the rest as it is."""
    values: dict[str, Any] = {}
    for name, item in preload.items():
        if "bytes" in item:
            import numpy as np

            data = bytearray(base64.b64decode(item["bytes"]))
            values[name] = np.frombuffer(data, dtype=item["dtype"]).reshape(item["shape"])
        else:
            values[name] = item["value"]
    return values
