"""Heliophysics questions: the published record schema and its files."""

from __future__ import annotations

from typing import TYPE_CHECKING

import lazy_loader

if TYPE_CHECKING:
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

__all__ = ["Problem", "Record", "Records", "read_record", "read_records", "write_records"]
