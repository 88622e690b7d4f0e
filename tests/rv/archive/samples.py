"""One small file a format, and what has to be stated to read it."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Any


@dataclass(frozen=True)
class Sample:
    """A file of three velocities, 1, -2 and 3.5 m/s at JD 2455000.5, ...02.25, ...10.125."""

    name: str
    file_format: str
    text: str
    stated: dict[str, Any] = field(default_factory=dict)


RADVEL = Sample(
    "star.csv",
    "radvel",
    "time,mnvel,errvel,tel,svalue\n"
    "2455000.5,1.0,0.9,j,0.15\n2455002.25,-2.0,1.1,j,\n2455010.125,3.5,1.0,a,0.16\n",
    {"velocity_unit": "m/s"},
)
EXOSTRIKER = Sample(
    "star.vels",
    "exostriker",
    "2455000.5 \t1.0 0.9\n2455002.25   -2.0\t1.1\n2455010.125  3.5  1.0 #clouds\n",
    {"velocity_unit": "m/s", "instrument": "Hamilton"},
)
KIMA = Sample(
    "star.rdb",
    "kima",
    "bjd\tvrad\tsvrad\tbis_span\n---\t----\t-----\t--------\n"
    "55000.5\t0.001\t0.0009\t0.1\n55002.25\t-0.002\t0.0011\t0.2\n55010.125\t0.0035\t0.0010\t0.3\n",
    {"velocity_unit": "km/s", "time_offset_days": 2400000.0, "instrument": "SOPHIE"},
)
JULIET = Sample(
    "rvs.dat",
    "juliet",
    "2455002.25 -2.0 1.1 FEROS\n2455000.5 1.0 0.9 FEROS\n2455010.125 3.5 1.0 HARPS\n",
    {"velocity_unit": "m/s"},
)
DACE = Sample(
    "dace.csv",
    "dace",
    "rjd,rv,rv_err,fwhm,ins_name,drs_qc\n"
    "55000.5,1.0,0.9,7000.0,HARPS03,True\n55001.0,99.0,1.0,7000.0,HARPS03,False\n"
    "55002.25,-2.0,1.1,7001.0,HARPS03,True\n55010.125,3.5,1.0,7002.0,HARPS15,True\n",
    {"velocity_unit": "m/s"},
)
IPAC = Sample(
    "UID_0005364_RVC_001.tbl",
    "ipac",
    '\\STAR_ID                 = "eta Cet"\n'
    '\\REFERENCE               = "Somebody et al. 2014"\n'
    "\\BIBCODE                 = '2014A&A...568A..64T'\n"
    '\\INSTRUMENT              = "Hamilton"\n'
    '\\TIME_REFERENCE_FRAME    = "BJD"\n'
    "|BJD          |Radial_Velocity|Radial_Velocity_Uncertainty|\n"
    "|double       |double         |double                     |\n"
    "|days         |m/s            |m/s                        |\n"
    "|             |               |                           |\n"
    " 2455000.5     1.0             0.9                         \n"
    " 2455002.25    -2.0            1.1                         \n"
    " 2455010.125   3.5             1.0                         \n",
)
RVBANK = Sample(
    "GJ1_HARPS_RVBank.csv",
    "rvbank",
    "target;BJD;RV_mlc_nzp;e_RV_mlc_nzp;RV_drs_nzp;e_RV_drs_nzp;CRX;e_CRX\n"
    "GJ1;2455000.5;1.0;0.9;7.0;1.0;3.0;1.0\nGJ1;2455002.25;-2.0;1.1;8.0;1.0;3.0;1.0\n"
    "GJ1;2455010.125;3.5;1.0;9.0;1.0;3.0;1.0\n",
)
ORBITIZE = Sample(
    "orbit.csv",
    "orbitize",
    "epoch,object,sep,sep_err,pa,pa_err,rv,rv_err,instrument\n"
    "54000.0,1,606.5,7.0,180.0,0.6,,,\n"
    "55000.0,0,,,,,0.001,0.0009,H\n55001.75,0,,,,,-0.002,0.0011,H\n"
    "55009.625,0,,,,,0.0035,0.001,H\n",
)
SAMPLES = (RADVEL, EXOSTRIKER, KIMA, JULIET, DACE, IPAC, RVBANK, ORBITIZE)
