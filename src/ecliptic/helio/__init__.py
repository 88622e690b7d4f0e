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
    from ecliptic.helio import formulary, variants
    from ecliptic.helio.generator import family_names, generate, generate_many, generate_parts
    from ecliptic.helio.gold_audit.findings import Finding
    from ecliptic.helio.gold_audit.record_audit import RecordAudit, audit_records
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
    submodules=["formulary", "variants"],
    submod_attrs={
        "generator": ["family_names", "generate", "generate_many", "generate_parts"],
        "gold_audit.findings": ["Finding"],
        "gold_audit.record_audit": ["RecordAudit", "audit_records"],
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
    "Finding",
    "Problem",
    "Record",
    "RecordAudit",
    "Records",
    "audit_records",
    "family_names",
    "formulary",
    "generate",
    "generate_many",
    "generate_parts",
    "load",
    "read_record",
    "read_records",
    "variants",
    "write_records",
]
