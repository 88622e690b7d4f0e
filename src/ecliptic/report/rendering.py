"""Templates become pages: everything is escaped, data in script elements too."""

from __future__ import annotations

import json
from collections.abc import Mapping
from functools import lru_cache
from typing import TYPE_CHECKING, Any

from ecliptic.report.inert_text import clipped, inert, one_line

if TYPE_CHECKING:
    from jinja2 import Environment

_IN_SCRIPT = {"<": "\\u003c", ">": "\\u003e", "&": "\\u0026"}


def render(template: str, context: Mapping[str, Any]) -> str:
    """A page as text."""
    return _environment().get_template(template).render(context) + "\n"


@lru_cache(maxsize=1)
def _environment() -> Environment:
    from jinja2 import Environment, PackageLoader, StrictUndefined

    environment = Environment(
        loader=PackageLoader("ecliptic.report", "templates"),
        autoescape=True,
        undefined=StrictUndefined,
        trim_blocks=True,
        lstrip_blocks=True,
        finalize=_finalised,
    )
    environment.filters["json_script"] = json_script
    environment.filters["clipped"] = clipped
    environment.filters["one_line"] = one_line
    environment.filters["thousands"] = lambda value: f"{value:,}"
    return environment


def _finalised(value: Any) -> Any:
    return inert(value) if type(value) is str else value


def json_script(data: Any) -> str:
    """JSON that cannot leave a script element, whatever texts it holds.

    >>> print(json_script({"a": "</script>"}))
    {"a":"\\u003c/script\\u003e"}
    """
    from markupsafe import Markup

    text = json.dumps(data, allow_nan=False, separators=(",", ":"))
    for character, escape in _IN_SCRIPT.items():
        text = text.replace(character, escape)
    return Markup(text)  # nothing in it can be markup
