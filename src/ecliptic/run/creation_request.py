"""What was asked for when a suite is made, and the folder that a stopped creation goes on from.

``OUT.making`` holds ``request.json`` (the request, the seed among it), ``journal.jsonl`` (a line a
slot) and the runs of the panel. It is private: nobody but its owner may read it. It goes away when
the suite is complete.
"""

from __future__ import annotations

import json
import os
import secrets
from collections.abc import Mapping
from dataclasses import asdict, dataclass
from datetime import UTC, datetime
from importlib.metadata import version
from pathlib import Path
from typing import Any, Self

from ecliptic.errors import TaskError, UsageError
from ecliptic.files import output_errors, read_json

SEED_BITS = 128
LEAST_SEALED_SEED = 2**64
REQUEST, JOURNAL, PANEL, STATE = "request.json", "journal.jsonl", "panel", "publishing"
_COMPARED = (
    "name", "tiers", "draws", "sealed", "forward_model", "variant", "ecliptic",
)  # fmt: skip


@dataclass(frozen=True, slots=True)
class Request:
    """A suite to be made.

    Attributes
    ----------
    tiers
        How many tasks of each tier.
    seed
        Of everything random; as text, since JSON readers round large numbers.
    draws
        Fresh noise realisations a task, for the published ceilings.
    sealed
        Whether public and private part are kept apart.
    started
        The day, for the card.
    """

    name: str
    tiers: Mapping[str, int]
    seed: str
    draws: int
    sealed: bool
    forward_model: str
    variant: str | None
    started: str
    ecliptic: str

    @classmethod
    def of(
        cls,
        name: str,
        tiers: Mapping[str, int],
        *,
        seed: int | None = None,
        draws: int = 100,
        sealed: bool = False,
        forward_model: str = "keplerian",
        variant: str | None = None,
    ) -> Self:
        """A checked request; without ``seed`` 128 bits are drawn.

        Raises
        ------
        UsageError
            Says which part cannot be carried out.
        """
        from ecliptic.rv.structures import ECLIPTIC_TIERS

        _check(name, tiers, seed, draws, sealed, forward_model, variant)
        return cls(
            name=name,
            tiers={tier: tiers[tier] for tier in ECLIPTIC_TIERS if tiers.get(tier)},
            seed=str(secrets.randbits(SEED_BITS) if seed is None else seed),
            draws=draws,
            sealed=sealed,
            forward_model=forward_model,
            variant=variant,
            started=datetime.now(UTC).date().isoformat(),
            ecliptic=version("ecliptic"),
        )

    @property
    def total(self) -> int:
        """Tasks that the suite will have."""
        return sum(self.tiers.values())

    @property
    def command(self) -> str:
        """The command that makes such a suite; the seed is left out."""
        tiers = ",".join(f"{tier}={count}" for tier, count in self.tiers.items())
        words = [f"ecliptic suite create {self.name} --tiers {tiers} --draws {self.draws}"]
        if self.forward_model != "keplerian":
            words.append(f"--forward-model {self.forward_model}")
        if self.variant is not None:
            words.append(f"--variant {self.variant}")
        if self.sealed:
            words.append("--sealed")
        return " ".join([*words, "--out FOLDER"])


def _check(
    name: str,
    tiers: Mapping[str, int],
    seed: int | None,
    draws: int,
    sealed: bool,
    forward_model: str,
    variant: str | None,
) -> None:
    from ecliptic.arguments import one_of, seed_number, whole_number
    from ecliptic.rv import nbody
    from ecliptic.rv.generator import FORWARD_MODELS
    from ecliptic.rv.structures import ECLIPTIC_TIERS, VARIANTS

    if not name or name != Path(name).name or name.startswith("."):
        raise UsageError(f"'{name}' cannot be the name of a suite; give a plain word like core-v2")
    for tier, count in tiers.items():
        one_of("tier", tier, ECLIPTIC_TIERS)
        whole_number(f"number of {tier} tasks", count, 0, 1_000_000)
    if not sum(tiers.values()):
        raise UsageError(
            "no task was asked for; give --tiers easy=30,hard=30 or --tier and --count"
        )
    whole_number("draws", draws, 1, 1_000_000)
    one_of("forward model", forward_model, FORWARD_MODELS)
    if variant is not None:
        one_of("variant", variant, VARIANTS)
    if forward_model == "nbody":
        nbody.require_rebound()
    if seed is not None:
        seed_number(seed)
        if sealed and seed < LEAST_SEALED_SEED:
            raise UsageError(
                "a small seed can be found by trying them all; leave --seed out (128 bits are "
                "drawn), or give a sealed suite one of at least 2^64"
            )


def open_request(folder: Path, asked: Request, *, seed_given: bool) -> Request:
    """The request that ``folder`` goes on with: ``asked``, or the one that was begun there.

    Raises
    ------
    UsageError
        Something else was begun there; says what differs.
    """
    path = folder / REQUEST
    if not path.exists():
        text = json.dumps(asdict(asked), indent=1) + "\n"
        with output_errors(path):
            partial = folder / f".{REQUEST}"
            partial.unlink(missing_ok=True)
            handle = os.open(partial, os.O_WRONLY | os.O_CREAT | os.O_EXCL, 0o600)
            try:
                os.write(handle, text.encode())
                os.fsync(handle)
            finally:
                os.close(handle)
            partial.replace(path)
        return asked
    advice = "choose another --out, or delete this folder"
    try:
        data = read_json(path)
        there = Request(**data)  # type: ignore[arg-type]
    except (TaskError, TypeError):
        raise UsageError(f"{path}: is damaged; {advice}") from None
    compared = (*_COMPARED, "seed") if seed_given else _COMPARED
    for name in compared:
        was, now = getattr(there, name), getattr(asked, name)
        if was != now:
            shown = "another one" if name == "seed" else f"{_shown(was)} there, {_shown(now)} here"
            raise UsageError(f"{folder}: another suite was begun here ({name}: {shown}); {advice}")
    return there


def _shown(value: Any) -> str:
    if isinstance(value, Mapping):
        return ",".join(f"{tier}={count}" for tier, count in value.items())
    return str(value)
