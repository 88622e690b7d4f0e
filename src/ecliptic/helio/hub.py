"""The published questions, from the Hugging Face hub or any file of JSON lines.

The hub's file is pinned: the commit that is fetched first is written down beside the cache and
used from then on, so that a later change of the dataset changes no figure in silence.
"""

from __future__ import annotations

import os
import re
import warnings
from pathlib import Path
from typing import Final

from ecliptic.errors import EclipticWarning, TaskError
from ecliptic.files import atomic_file, reason
from ecliptic.helio.records import Records, read_records
from ecliptic.helio.shipped import SETS, path_of

RWS: Final = "rws"
REPOSITORY: Final = "SpaceML/ReasoningWithAStar"
FILE: Final = "RWS.jsonl"
PUBLISHED: Final = {"textual": 68, "symbolic": 52, "numeric": 38}
"""Records of each type as the paper counts them (158 in all)."""

_COMMIT = re.compile(r"[0-9a-f]{40}")


def load(
    source: str | Path = RWS,
    *,
    revision: str | None = None,
    refresh: bool = False,
    cache_dir: str | Path | None = None,
) -> Records:
    """Question records of a published or shipped set, or of a file.

    A line that cannot be read is left out, named in ``.problems`` and told as a warning.

    Parameters
    ----------
    source
        ``rws`` (the published dataset on the Hugging Face hub, kept in the hub's cache), the name
        of a shipped set, or a file of JSON lines.
    revision
        Commit, branch or tag on the hub; by default the commit that was fetched first.
    refresh
        Ask the hub for the newest commit, and pin that.
    cache_dir
        Where the hub's files are kept; by default where ``huggingface_hub`` keeps them.

    Raises
    ------
    TaskError
        No such file, no network and nothing in the cache, a damaged download, or a file whose
        lines are no records. Names what to do.
    """
    if str(source) in SETS:
        records = _read(path_of(str(source)))
    elif str(source) != RWS:
        records = _read(Path(source))
    else:
        records = _read(fetch(revision, refresh=refresh, cache_dir=cache_dir))
        if records.counts != PUBLISHED:
            shown = ", ".join(f"{number} {kind}" for kind, number in records.counts.items())
            _warn(f"{FILE} holds {shown}; the paper counts 68 textual, 52 symbolic, 38 numeric")
    return records


def fetch(
    revision: str | None = None,
    *,
    refresh: bool = False,
    cache_dir: str | Path | None = None,
) -> Path:
    """Where the hub's file lies on this machine, downloaded if it is not there yet.

    The environment of ``huggingface_hub`` counts: ``HF_ENDPOINT`` names another server,
    ``HF_HUB_OFFLINE=1`` forbids the network, ``HF_HOME`` moves the cache.

    Raises
    ------
    TaskError
        As for :func:`load`.
    """
    import httpx2
    from huggingface_hub import constants, hf_hub_download
    from huggingface_hub.errors import (
        HfHubHTTPError,
        LocalEntryNotFoundError,
        RemoteEntryNotFoundError,
        RepositoryNotFoundError,
        RevisionNotFoundError,
    )

    cache = Path(cache_dir or constants.HF_HUB_CACHE)
    pin = cache / f"ecliptic-{FILE}.commit"
    wanted = revision or (None if refresh else _pinned(pin))
    where = f"{REPOSITORY} on {os.environ.get('HF_ENDPOINT', 'huggingface.co')}"
    try:
        path = Path(
            hf_hub_download(
                REPOSITORY,
                FILE,
                repo_type="dataset",
                revision=wanted,
                cache_dir=cache,
                endpoint=os.environ.get("HF_ENDPOINT"),
                local_files_only=os.environ.get("HF_HUB_OFFLINE", "0") not in ("", "0"),
            )
        )
    except LocalEntryNotFoundError:
        raise TaskError(
            f"{where}: cannot be reached, and {FILE} is not in the cache {cache}; connect once, "
            "or name a local copy: helio.load('RWS.jsonl')"
        ) from None
    except RevisionNotFoundError:
        raise TaskError(f"{where}: has no revision {wanted!r}; leave it out") from None
    except (RepositoryNotFoundError, RemoteEntryNotFoundError):
        raise TaskError(
            f"{where}: there is no {FILE}; it may have moved: name a local copy instead"
        ) from None
    except (HfHubHTTPError, httpx2.HTTPError, OSError) as error:
        text = reason(error) if isinstance(error, OSError) else str(error)
        raise TaskError(f"{where}: download of {FILE} failed, try again ({text})") from None
    commit = path.parent.name
    if revision is None and _COMMIT.fullmatch(commit) and commit != _pinned(pin):
        with atomic_file(pin) as file:
            file.write(commit.encode())
    return path


def _pinned(pin: Path) -> str | None:
    try:
        commit = pin.read_text("ascii").strip()
    except (OSError, UnicodeDecodeError):
        return None
    return commit if _COMMIT.fullmatch(commit) else None


def _read(path: Path) -> Records:
    records = read_records(path)
    if not records:
        first = f": {records.problems[0]}" if records.problems else " (it is empty)"
        raise TaskError(f"{path}: holds no question record{first}")
    if records.problems:
        more = f", and {len(records.problems) - 1} more" if len(records.problems) > 1 else ""
        _warn(f"{len(records.problems)} lines are left out: {records.problems[0]}{more}")
    return records


def _warn(text: str) -> None:
    warnings.warn(text, EclipticWarning, stacklevel=3)
