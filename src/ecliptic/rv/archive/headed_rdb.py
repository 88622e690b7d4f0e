"""What the rdb-like tables share: a line of names, a line of dashes, then rows."""

from __future__ import annotations

import re

from ecliptic.rv.archive.text_tables import Columns, TextFile, data_lines, parse

_RULE = re.compile(r"^\s*-{2,}(\s+-+)*\s*$")
TIMES = ("bjd", "jdb", "rjd", "jd", "time", "bjd_tdb", "date_bjd", "mjd")
VELOCITIES = ("vrad", "rv", "radvel", "rv_mean")
ERRORS = ("svrad", "rv_err", "error", "err", "sigma", "sig_rv", "erv")
INSTRUMENTS = ("instrument", "ins_name", "inst", "tel")
OFFSETS = {"rjd": 2400000.0, "mjd": 2400000.5}
"""Names of columns that themselves say what was subtracted."""
_INDICATORS = {
    "fwhm": ("fwhm", ("sig_fwhm", "fwhm_err", "efwhm")),
    "bisector": ("bis_span", ("sig_bis_span", "bis_span_err")),
    "bispan": ("bispan", ("sig_bispan", "bispan_err")),
    "s_index": ("s_mw", ("sig_s", "sig_s_mw")),
    "sindex": ("sindex", ("sindex_err",)),
    "log_rhk": ("rhk", ("sig_rhk", "rhk_err")),
    "halpha": ("ha", ("sig_ha", "ha_err")),
    "contrast": ("contrast", ("sig_contrast", "contrast_err")),
}


def ruled_table(file: TextFile) -> Columns | None:
    """The table below a line of dashes, or nothing if there is no such line."""
    lines = data_lines(file)
    if len(lines) < 2 or not _RULE.match(lines[1]):
        return None
    kind = "tab" if "\t" in lines[0] and len(lines[0].split("\t")) > 2 else "words"
    return parse(file, kind, [lines[0], *lines[2:]])


def indicators(columns: Columns) -> dict[str, tuple[str, str | None, str]]:
    """The measures of activity that are there; such files state no unit for them."""
    found: dict[str, tuple[str, str | None, str]] = {}
    for name, (values, errors) in _INDICATORS.items():
        column = columns.find(values)
        if column is not None:
            label = {"bispan": "bisector", "sindex": "s_index"}.get(name, name)
            found.setdefault(label, (column, columns.find(*errors), ""))
    return found
