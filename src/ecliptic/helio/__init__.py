"""Heliophysics questions: records, their files, and families of problems without end.

>>> from ecliptic import helio
>>> record = helio.generate("parker_wind", seed=3)
>>> record.type
'numeric'
"""

from __future__ import annotations

from typing import TYPE_CHECKING

import lazy_loader

if TYPE_CHECKING:
    from ecliptic.helio.generator import family_names, generate, generate_many, generate_parts
    from ecliptic.helio.hub import load
    from ecliptic.helio.records import (
        Problem,
        Record,
        Records,
        read_record,
        read_records,
        write_records,
    )

__getattr__, __dir__, _ = lazy_loader.attach(
    __name__,
    submod_attrs={
        "generator": ["family_names", "generate", "generate_many", "generate_parts"],
        "hub": ["load"],
        "records": [
            "Problem",
            "Record",
            "Records",
            "read_record",
            "read_records",
            "write_records",
        ],
    },
)

__all__ = [
    "Problem",
    "Record",
    "Records",
    "family_names",
    "generate",
    "generate_many",
    "generate_parts",
    "load",
    "read_record",
    "read_records",
    "write_records",
]
