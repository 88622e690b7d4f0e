"""The files of a suite that was made: one folder, or a public and a private one."""

from __future__ import annotations

import json
import shutil
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from importlib.metadata import version
from pathlib import Path
from typing import TYPE_CHECKING, Any

from ecliptic.files import atomic_folder, write_bytes
from ecliptic.run.audits import line_of, settings_of
from ecliptic.run.creation_card import card_of
from ecliptic.run.creation_panel import Rates
from ecliptic.run.creation_records import Records
from ecliptic.run.creation_slots import AUDIT_SEED
from ecliptic.run.journal import encode
from ecliptic.suite import load_suite, write_suite
from ecliptic.suite.commitments import commitment_of, salt_of, suite_commitment_of
from ecliptic.suite.croissant import croissant_of
from ecliptic.suite.manifest import AUDIT_SUFFIX, CARD, CROISSANT, Manifest, hash_file, hash_files
from ecliptic.suite.truth import PRIVATE_MANIFEST, PRIVATE_SCHEMA, TRUTH, write_truths

if TYPE_CHECKING:
    from ecliptic.rv.tasks import RVTask

TASKS, PICTURE = "tasks.parquet", "audit.png"
PUBLIC, PRIVATE = "public", "private"
PROTOCOL = "strict"


@dataclass(frozen=True, slots=True)
class Places:
    """Where the public part is, and the private one (``None``: they are one)."""

    public: Path
    private: Path | None = None


def write_whole(records: Records, folder: Path) -> Path:
    """All tasks with their truths, in one table in the working folder."""
    path = folder / TASKS
    write_suite((task_of(line) for line in records.published()), path, overwrite=True)
    return path


def task_of(line: Mapping[str, Any]) -> RVTask:
    """The task in a journal line."""
    from ecliptic.rv.tasks import RVTask

    return RVTask.from_dict(line["task"], line["key"])


def publish(
    records: Records,
    whole: Path,
    figures: Mapping[str, Mapping[str, Any]],
    rates: Rates,
    out: Path,
    url: str | None,
) -> Places:
    """Write everything; nothing shows under ``out`` before it is complete."""
    request = records.request
    with atomic_folder(out) as folder:
        if not request.sealed:
            shutil.copyfile(whole, folder / TASKS)
            _write_audits(records, folder)
            _describe(records, folder, figures, rates, None, url)
            return Places(out)
        public, private = folder / PUBLIC, folder / PRIVATE
        public.mkdir()
        private.mkdir(mode=0o700)
        commitment = _write_parts(records, whole, public, private)
        _write_audits(records, private)
        _write_private_manifest(records, private, commitment)
        shown = {tier: _without(each, "planets") for tier, each in figures.items()}
        _describe(records, public, shown, rates, commitment, url)
    return Places(out / PUBLIC, out / PRIVATE)


def _write_parts(records: Records, whole: Path, public: Path, private: Path) -> str:
    """Tasks without truth, and truths with salts; returns the suite's commitment."""
    from ecliptic.rv.sealing import public_of

    seed = int(records.request.seed)
    lines: list[dict[str, Any]] = []
    commitments: list[str] = []

    def parts() -> Iterator[Any]:
        for task in load_suite(whole):
            data, salt = task.to_dict(), salt_of(seed, task.id)
            commitment = commitment_of(data, salt)
            lines.append({"id": task.id, "salt": salt, "sealed": data["sealed"]})
            commitments.append(commitment)
            yield public_of(task, commitment)

    write_suite(parts(), public / TASKS)
    write_truths(private / TRUTH, lines)
    return suite_commitment_of(commitments, records.request.seed, salt_of(seed, "suite"))


def _write_audits(records: Records, folder: Path) -> None:
    """The audit file, as ``ecliptic audit`` would write it, and its picture."""
    from ecliptic.analysis.audit_figure import audit_figure
    from ecliptic.rv.plots import save_figure

    request = records.request
    settings = settings_of(PROTOCOL, request.draws, AUDIT_SEED)
    lines = []
    for line in records.published():
        task = task_of(line)
        lines.append(line_of(task.id, task, settings, line["audit"]))
    path = folder / f"{request.name}{AUDIT_SUFFIX}"
    path.write_bytes(b"".join(map(encode, lines)))
    save_figure(audit_figure(lines, f"{request.name}, protocol {PROTOCOL}"), folder / PICTURE)


def _write_private_manifest(records: Records, folder: Path, commitment: str) -> None:
    request = records.request
    names = [path.name for path in folder.iterdir()]
    data = {
        "schema": PRIVATE_SCHEMA,
        "name": request.name,
        "made_by": f"ecliptic {version('ecliptic')}",
        "command": request.command,
        "seed": request.seed,
        "salt": salt_of(int(request.seed), "suite"),
        "commitment": commitment,
        "sha256": hash_files(folder, names),
    }
    write_bytes(folder / PRIVATE_MANIFEST, json.dumps(data, indent=1).encode() + b"\n")


def _describe(
    records: Records,
    folder: Path,
    figures: Mapping[str, Mapping[str, Any]],
    rates: Rates,
    commitment: str | None,
    url: str | None,
) -> None:
    """Card, Croissant description, and the manifest with the hashes of all files."""
    from ecliptic.rv.columns import DESCRIPTIONS

    request = records.request
    text = card_of(request, figures, rates, hash_file(folder / TASKS), commitment)
    (folder / CARD).write_text(text, encoding="utf-8")
    described = croissant_of(
        folder / TASKS,
        name=request.name,
        description=text.partition("\n# ")[2].split("\n\n")[1].replace("\n", " "),
        published=request.started,
        columns=DESCRIPTIONS,
        url=url,
    )
    (folder / CROISSANT).write_text(json.dumps(described, indent=1) + "\n", encoding="utf-8")
    more: dict[str, Any] = {
        "command": request.command,
        "audit": {"protocol": PROTOCOL, "draws": request.draws, "seed": AUDIT_SEED},
        "tiers": {tier: dict(each) for tier, each in figures.items()},
        "panel": rates,
    }
    if commitment is not None:
        more["commitment"] = commitment
    names = [path.name for path in folder.iterdir()]
    Manifest(request.name, (TASKS,), PROTOCOL, hash_files(folder, names), more).write(folder)


def _without(data: Mapping[str, Any], name: str) -> dict[str, Any]:
    return {key: value for key, value in data.items() if key != name}
