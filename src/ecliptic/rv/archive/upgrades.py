"""Instruments that were rebuilt: before and after are two instruments with a zero point each."""

from __future__ import annotations

from dataclasses import dataclass

from ecliptic.errors import UsageError
from ecliptic.rv.archive.series import ArchivalSeries


@dataclass(frozen=True, slots=True)
class Upgrade:
    """What was changed, the last date before it and the first one after it (JD)."""

    what: str
    before_jd: float
    after_jd: float


UPGRADES = {
    # Lo Curto et al. 2015, ESO Messenger 162, 9; dates as in Trifonov et al. 2020, A&A 636, A74
    "harps": Upgrade("new fibres of HARPS, May 2015", 2457163.0, 2457173.0),
    # Butler et al. 2017, AJ 153, 208; Tal-Or et al. 2019, MNRAS 484, L8
    "hires": Upgrade("new detector of HIRES, August 2004", 2453241.0, 2453241.0),
}


def split_at_upgrade(series: ArchivalSeries, label: str, upgrade: str) -> ArchivalSeries:
    """The series with the instrument ``label`` as two, ``label-pre`` and ``label-post``.

    ``upgrade`` is a key of :data:`UPGRADES`; the split is noted in the remarks.

    Raises
    ------
    UsageError
        An instrument or upgrade that is not known, or a point within the upgrade itself.
    """
    if upgrade not in UPGRADES:
        raise UsageError(f"upgrade must be one of {', '.join(UPGRADES)}, not '{upgrade}'")
    if label not in series.instruments:
        known = ", ".join(series.instrument_labels)
        raise UsageError(f"{series.star}: has no instrument '{label}', only {known}")
    change = UPGRADES[upgrade]
    labels = list(series.instruments)
    for index, (time, name) in enumerate(zip(series.times_bjd, labels, strict=True)):
        if name != label:
            continue
        if change.before_jd < time < change.after_jd:
            raise UsageError(
                f"{series.star}: a point of {label} at {time:.5f} lies within the upgrade "
                f"({change.what}); remove it"
            )
        labels[index] = f"{label}-{'pre' if time <= change.before_jd else 'post'}"
    counts = [labels.count(f"{label}-{part}") for part in ("pre", "post")]
    remark = f"{label} split at {change.what}: {counts[0]} points before, {counts[1]} after"
    return series.model_copy(
        update={"instruments": tuple(labels), "remarks": (*series.remarks, remark)}
    )
