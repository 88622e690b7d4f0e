"""A formulary of heliophysics: short entries with the conditions under which they hold.

>>> from ecliptic.helio import formulary
>>> [entry.id for entry in formulary.search("critical radius of the isothermal solar wind", 1)]
['parker-wind']
"""

from __future__ import annotations

from ecliptic.helio.formulary.lookup import Entry, entries, prompt_section, search

__all__ = ["Entry", "entries", "prompt_section", "search"]
