"""Models of Inspect by name, with every mistake as one line; and what they cost."""

from __future__ import annotations

import re
from collections.abc import Mapping
from typing import Any

from inspect_ai._util.error import PrerequisiteError
from inspect_ai.model import (
    GenerateConfig,
    Model,
    ModelCost,
    ModelInfo,
    get_model,
    get_model_info,
    set_model_info,
)

import ecliptic.agents.scripted  # noqa: F401 - the provider of the tests and dry runs
from ecliptic.errors import UsageError
from ecliptic.evals.estimate import Prices

MAX_RETRIES = 8
"""Of a call, some ten minutes as Inspect waits between them. Its own default is to go on for ever,
so that a provider that has died would hold up the whole run."""
CALL_SECONDS = 1800
"""An attempt at a call is given up after so long, and a call that took so long is not tried again.
The clients' own timeout is of each read, so that a reply that drips would never end."""

_LIMITS = GenerateConfig(
    max_retries=MAX_RETRIES, attempt_timeout=CALL_SECONDS, timeout=CALL_SECONDS
)


def find_model(
    name: str,
    config: GenerateConfig | None = None,
    base_url: str | None = None,
    arguments: Mapping[str, Any] | None = None,
) -> Model:
    """The model of that name (``PROVIDER/MODEL``).

    Raises
    ------
    UsageError
        The provider is not known, its package or its key is missing.
    """
    try:
        return get_model(
            name,
            config=_LIMITS.merge(config or GenerateConfig()),
            base_url=base_url,
            memoize=False,
            **(arguments or {}),
        )
    except PrerequisiteError as error:
        plain = re.sub(r"\[/?[a-z ]+\]", "", str(error.message))  # markup of Inspect's display
        raise UsageError(f"model {name}: {plain}") from None
    except (ValueError, TypeError, ModuleNotFoundError) as error:
        raise UsageError(f"model {name}: {error}") from None


def prices_of(model: Model, read: float | None, written: float | None) -> Prices | None:
    """What a million tokens cost: as given, else by Inspect's own data; ``None`` if unknown.

    Given prices are told to Inspect, so that its logs hold the costs.

    Raises
    ------
    UsageError
        Only one of the two is given.
    """
    if (read is None) != (written is None):
        raise UsageError("--price-in and --price-out belong together: give both")
    info = get_model_info(model)
    if read is not None and written is not None:
        cost = ModelCost(input=read, output=written, input_cache_write=read, input_cache_read=read)
        known = info or ModelInfo()
        set_model_info(str(model), known.model_copy(update={"cost": cost}))
        return Prices(read, written)
    if info is None or info.cost is None:
        return None
    return Prices(info.cost.input, info.cost.output)
