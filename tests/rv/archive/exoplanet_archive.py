"""A copy of the NASA Exoplanet Archive on this machine that answers as the real one does."""

from __future__ import annotations

import threading
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from urllib.parse import parse_qs, urlsplit

HOSTS_CSV = (
    "hostname,hd_name,hip_name,st_mass,st_nrvc\n"
    '"eta Cet","HD 6805","HIP 5364",1.7,2\n'
    '"eta Cet","HD 6805","HIP 5364",1.7,2\n'
)
HOSTS_IPAC = (
    "\\fixlen = T\n"
    "|hostname|hd_name |hip_name |st_mass|st_nrvc|\n"
    "|char    |char    |char     |double |int    |\n"
    "|        |        |         |       |       |\n"
    "|null    |null    |null     |null   |null   |\n"
    " eta Cet  HD 6805  HIP 5364  1.7     2       \n"
)
HOSTS_VOTABLE = """<?xml version="1.0" encoding="UTF-8"?>
<VOTABLE version="1.4" xmlns="http://www.ivoa.net/xml/VOTable/v1.3">
<RESOURCE type="results"><INFO name="QUERY_STATUS" value="OK"/>
<TABLE>
<FIELD name="hostname" datatype="char" arraysize="*"/>
<FIELD name="hd_name" datatype="char" arraysize="*"/>
<FIELD name="hip_name" datatype="char" arraysize="*"/>
<FIELD name="st_mass" datatype="double"/>
<FIELD name="st_nrvc" datatype="int"/>
<DATA><TABLEDATA>
<TR><TD>eta Cet</TD><TD>HD 6805</TD><TD>HIP 5364</TD><TD>1.7</TD><TD>2</TD></TR>
</TABLEDATA></DATA></TABLE></RESOURCE></VOTABLE>
"""
FAILED_VOTABLE = """<?xml version="1.0" encoding="UTF-8"?>
<VOTABLE version="1.4" xmlns="http://www.ivoa.net/xml/VOTable/v1.3">
<RESOURCE type="results">
<INFO name="QUERY_STATUS" value="ERROR">ORA-00904: invalid identifier</INFO>
</RESOURCE></VOTABLE>
"""
TAP = "/TAP/sync"
LIST = "/bulk_data_download/wget_RADIAL.bat"
FOLDER = "/data/ExoData/0005/0005364/data/"


def table(instrument: str, first_day: float, unit: str = "m/s", points: int = 3) -> str:
    """A table of velocities, a day apart."""
    rows = "".join(
        f" {first_day + day:<14.5f} {10.0 + day:<15.4f} {1.5:<27.4f} \n" for day in range(points)
    )
    return (
        '\\STAR_ID                 = "eta Cet"\n'
        f'\\REFERENCE               = "Paper of {instrument}"\n'
        f'\\INSTRUMENT              = "{instrument}"\n'
        '\\TIME_REFERENCE_FRAME    = "BJD"\n'
        "|BJD           |Radial_Velocity|Radial_Velocity_Uncertainty|\n"
        "|double        |double         |double                     |\n"
        f"|days          |{unit:<15}|{unit:<27}|\n"
        "|              |               |                           |\n" + rows
    )


@dataclass
class Archive:
    """Paths with their answers: a text, a status, or a list of both that is used up in order."""

    url: str = ""
    pages: dict[str, str | int | list[str | int]] = field(default_factory=dict)
    asked: list[str] = field(default_factory=list)
    queries: list[str] = field(default_factory=list)


def healthy_pages() -> dict[str, str | int | list[str | int]]:
    """The archive as it should be: one star with two curves."""
    base = "wget -O UID_{0}.tbl http://exoplanetarchive.ipac.caltech.edu:80{1}UID_{0}.tbl -a log\n"
    return {
        TAP: HOSTS_CSV,
        LIST: "#!/bin/sh\n"
        + base.format("0005364_RVC_001", FOLDER)
        + base.format("0005364_RVC_002", FOLDER)
        + base.format("0113357_RVC_001", "/data/ExoData/0113/0113357/data/"),
        f"{FOLDER}UID_0005364_RVC_001.tbl": table("Hamilton", 2452000.5),
        f"{FOLDER}UID_0005364_RVC_002.tbl": table("CRIRES", 2455900.5),
    }


@contextmanager
def served(archive: Archive) -> Iterator[Archive]:
    """Serve the pages on the loopback address until the block ends."""

    class Handler(BaseHTTPRequestHandler):
        def do_GET(self) -> None:
            parts = urlsplit(self.path)
            archive.asked.append(parts.path)
            archive.queries += parse_qs(parts.query).get("query", [])
            page = archive.pages.get(parts.path, 404)
            if isinstance(page, list):
                page = page.pop(0) if len(page) > 1 else page[0]
            status, body = (
                (page, "<html><b>No</b> luck</html>")
                if isinstance(page, int)
                else (
                    200,
                    page,
                )
            )
            data = body.encode()
            self.send_response(status)
            self.send_header("Content-Length", str(len(data)))
            self.end_headers()
            self.wfile.write(data)

        def log_message(self, *arguments: object) -> None:
            """Keep quiet."""

    server = ThreadingHTTPServer(("127.0.0.1", 0), Handler)
    thread = threading.Thread(target=server.serve_forever, kwargs={"poll_interval": 0.02})
    thread.start()
    archive.url = f"http://127.0.0.1:{server.server_port}"
    try:
        yield archive
    finally:
        server.shutdown()
        thread.join()
        server.server_close()
