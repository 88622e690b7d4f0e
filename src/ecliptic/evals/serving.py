"""The model under test and those of the roles, ready to call; a missing key is told at once."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from typing import Any

from inspect_ai.model import GenerateConfig, Model

from ecliptic.errors import UsageError
from ecliptic.evals.models_by_name import find_model

LOCAL = "local"
_MISSING = re.compile(r"No (.+) defined in the environment")
_VARIABLE = re.compile(r"\b[A-Z][A-Z0-9]*(?:_[A-Z0-9]+)+\b")


@contextmanager
def served(
    name: str,
    config: GenerateConfig | None = None,
    *,
    base_url: str | None = None,
    arguments: Mapping[str, Any] | None = None,
    roles: Mapping[str, str] | None = None,
) -> Iterator[tuple[Model, dict[str, Model]]]:
    """The model of that name and those of ``roles``; ``local`` is served meanwhile.

    Raises
    ------
    UsageError
        A provider is not known, or its package or key is missing: which, and what to do.
    """
    bound = {role: reachable_model(other, role=role) for role, other in (roles or {}).items()}
    if name == LOCAL:
        from ecliptic.evals.local_model import local_model

        with local_model(config) as model:
            yield model, bound
        return
    yield reachable_model(name, config, base_url=base_url, arguments=arguments), bound


def reachable_model(
    name: str,
    config: GenerateConfig | None = None,
    *,
    base_url: str | None = None,
    arguments: Mapping[str, Any] | None = None,
    role: str = "",
) -> Model:
    """The model of that name; where its key is missing, the variable is named that holds it.

    Raises
    ------
    UsageError
        As :func:`ecliptic.evals.models_by_name.find_model`.
    """
    try:
        return find_model(name, config, base_url, arguments)
    except UsageError as error:
        # Inspect names the variables of each provider in this sentence, and nowhere else.
        told = _MISSING.search(str(error))
        variables = _VARIABLE.findall(told.group(1)) if told else []
        if not variables:
            raise
        others = f" (or {', '.join(variables[1:])})" if variables[1:] else ""
        what = f"model {name}" + (f" of the role {role}" if role else "")
        if variables[0].endswith("_BASE_URL"):
            raise UsageError(
                f"{what}: no address: the environment variable {variables[0]}{others} is not set; "
                f"set it (export {variables[0]}=https://.../v1)"
            ) from None
        raise UsageError(
            f"{what}: no key: the environment variable {variables[0]}{others} is not set; "
            f"set it (export {variables[0]}=...), or try without a key: --model local"
        ) from None
