"""A suite's table described for machines, in Croissant (https://docs.mlcommons.org/croissant)."""

from __future__ import annotations

from collections.abc import Mapping
from importlib.metadata import version
from pathlib import Path
from typing import TYPE_CHECKING, Any

from ecliptic.suite.manifest import hash_file

if TYPE_CHECKING:
    import pyarrow as pa

VERSION = "http://mlcommons.org/croissant/1.1"
LICENCE = "https://spdx.org/licenses/MIT.html"
HOME = "https://pypi.org/project/ecliptic/"
SUITE_VERSION = "1.0.0"
"""Of the data: a suite that is drawn anew gets a new name, so this stays."""
CONTEXT: dict[str, Any] = {
    "@language": "en",
    "@vocab": "https://schema.org/",
    "arrayShape": "cr:arrayShape",
    "citeAs": "cr:citeAs",
    "column": "cr:column",
    "conformsTo": "dct:conformsTo",
    "containedIn": "cr:containedIn",
    "cr": "http://mlcommons.org/croissant/",
    "data": {"@id": "cr:data", "@type": "@json"},
    "dataType": {"@id": "cr:dataType", "@type": "@vocab"},
    "dct": "http://purl.org/dc/terms/",
    "equivalentProperty": "cr:equivalentProperty",
    "examples": {"@id": "cr:examples", "@type": "@json"},
    "extract": "cr:extract",
    "field": "cr:field",
    "fileObject": "cr:fileObject",
    "fileProperty": "cr:fileProperty",
    "fileSet": "cr:fileSet",
    "format": "cr:format",
    "includes": "cr:includes",
    "isArray": "cr:isArray",
    "isLiveDataset": "cr:isLiveDataset",
    "jsonPath": "cr:jsonPath",
    "key": "cr:key",
    "md5": "cr:md5",
    "parentField": "cr:parentField",
    "path": "cr:path",
    "rai": "http://mlcommons.org/croissant/RAI/",
    "recordSet": "cr:recordSet",
    "references": "cr:references",
    "regex": "cr:regex",
    "repeated": "cr:repeated",
    "replace": "cr:replace",
    "samplingRate": "cr:samplingRate",
    "sc": "https://schema.org/",
    "separator": "cr:separator",
    "source": "cr:source",
    "subField": "cr:subField",
    "transform": "cr:transform",
}


def croissant_of(
    table: Path,
    *,
    name: str,
    description: str,
    published: str,
    columns: Mapping[str, str],
    url: str | None = None,
) -> dict[str, Any]:
    """The JSON-LD of a suite whose tasks are in one Parquet file.

    ``published`` is a day (ISO 8601), ``columns`` says what each column holds, ``url`` where the
    suite will be found.
    """
    import pyarrow.parquet as pq

    schema = pq.read_schema(table)
    return {
        "@context": CONTEXT,
        "@type": "sc:Dataset",
        "name": name,
        "description": description,
        "conformsTo": VERSION,
        "citeAs": f"Ecliptic {version('ecliptic')}, suite {name}",
        "license": LICENCE,
        "url": url or HOME,
        "creator": {"@type": "Organization", "name": "Ecliptic"},
        "datePublished": published,
        "version": SUITE_VERSION,
        "isLiveDataset": False,
        "keywords": ["exoplanets", "radial velocity", "model fitting", "agents", "benchmark"],
        "distribution": [
            {
                "@type": "cr:FileObject",
                "@id": table.name,
                "name": table.name,
                "description": "One row a task.",
                "contentUrl": table.name,
                "contentSize": f"{table.stat().st_size} B",
                "encodingFormat": "application/x-parquet",
                "sha256": hash_file(table),
            }
        ],
        "recordSet": [
            {
                "@type": "cr:RecordSet",
                "@id": "tasks",
                "name": "tasks",
                "description": "One record a task.",
                "key": {"@id": "tasks/id"},
                "field": [_field(each, table.name, columns.get(each.name)) for each in schema],
            }
        ],
    }


def _field(column: pa.Field, file: str, description: str | None) -> dict[str, Any]:
    """A column; a list of structures becomes an array with a subfield a member."""
    import pyarrow as pa

    name = f"tasks/{column.name}"
    found: dict[str, Any] = {
        "@type": "cr:Field",
        "@id": name,
        "name": column.name,
        "description": description or column.name,
    }
    source = {"fileObject": {"@id": file}, "extract": {"column": column.name}}
    kind = column.type
    if pa.types.is_list(kind) and pa.types.is_struct(kind.value_type):
        members = []
        for member in kind.value_type:
            path = {"transform": {"jsonPath": member.name}}
            members.append(
                {
                    "@type": "cr:Field",
                    "@id": f"{name}/{member.name}",
                    "name": member.name,
                    "description": f"{member.name} of {column.name}",
                    **_typed(member.type),
                    "source": {**source, **path},
                }
            )
        return {**found, "isArray": True, "arrayShape": "-1", "subField": members}
    return {**found, **_typed(kind), "source": source}


def _typed(kind: pa.DataType) -> dict[str, Any]:
    import pyarrow as pa

    shape: dict[str, Any] = {}
    if pa.types.is_list(kind):
        kind = kind.value_type
        shape = {"isArray": True, "arrayShape": "-1"}
    if pa.types.is_floating(kind):
        return {"dataType": "sc:Float", **shape}
    return {"dataType": "sc:Integer" if pa.types.is_integer(kind) else "sc:Text", **shape}
