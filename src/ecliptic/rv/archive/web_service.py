"""Gets files from a web service, again where that may help, and keeps them."""

from __future__ import annotations

import hashlib
import time
import urllib.error
import urllib.request
from collections.abc import Callable
from contextlib import suppress
from dataclasses import dataclass
from http.client import HTTPException
from pathlib import Path
from typing import TypeVar
from urllib.parse import urlsplit

from ecliptic.errors import OutputError, TaskError, UsageError
from ecliptic.files import write_bytes
from ecliptic.model import short
from ecliptic.rv.archive.text_tables import MAX_BYTES

Value = TypeVar("Value")
_PASSING = {429, 500, 502, 503, 504}
"""States of a service that may be over at the next try."""


@dataclass(frozen=True, slots=True, kw_only=True)
class WebService:
    """A service at ``url`` whose answers are kept in the folder ``cache``.

    ``retries`` are the further tries after the first, ``pause_s`` the wait before the first of
    them, doubled each time. With ``refresh`` nothing that was kept is used.
    """

    url: str
    cache: Path
    timeout_s: float = 30.0
    retries: int = 2
    pause_s: float = 1.0
    refresh: bool = False

    def __post_init__(self) -> None:
        parts = urlsplit(self.url)
        if parts.scheme not in ("http", "https") or not parts.netloc:
            raise UsageError(f"url must begin with http:// or https://, is {short(self.url)}")
        if not self.timeout_s > 0 or self.retries < 0:
            raise UsageError("timeout_s must be > 0 and retries at least 0")

    def get(
        self,
        path: str,
        read: Callable[[bytes, str], Value],
        *,
        max_age_s: float | None = None,
    ) -> Value:
        """What ``read(bytes, where)`` makes of the file at ``path`` below the service's URL.

        A kept answer is used if it is younger than ``max_age_s`` and still readable; a new one is
        kept only once ``read`` has accepted it.

        Raises
        ------
        UsageError
            The service cannot be reached, or does not have the file.
        TaskError
            From ``read``: the answer is damaged.
        """
        where = f"{self.url.rstrip('/')}/{path.lstrip('/')}"
        kept = self.cache / hashlib.sha256(where.encode()).hexdigest()[:32]
        if not self.refresh:
            with suppress(OSError, TaskError):
                age_s = time.time() - kept.stat().st_mtime
                if max_age_s is None or age_s < max_age_s:
                    return read(kept.read_bytes(), where)
        data = self._download(where)
        value = read(data, where)
        with suppress(OutputError):  # a full or read-only disk costs the next call some time only
            write_bytes(kept, data)
        return value

    def _download(self, where: str) -> bytes:
        fault = ""
        for attempt in range(self.retries + 1):
            if attempt:
                time.sleep(self.pause_s * 2 ** (attempt - 1))
            try:
                return self._once(where)
            except urllib.error.HTTPError as error:
                with error:
                    text = _plain(error.read(2000))
                if error.code not in _PASSING:
                    raise UsageError(_refusal(where, error.code, text)) from None
                fault = f"answers with status {error.code}"
            except urllib.error.URLError as error:
                fault = f"cannot be reached ({str(error.reason).lower()})"
            except TimeoutError:
                fault = f"does not answer within {self.timeout_s:g} s"
            except (HTTPException, OSError) as error:
                fault = f"broke off its answer ({type(error).__name__})"
        tries = self.retries + 1
        raise UsageError(
            f"{where}: {fault}, tried {tries} time{'s' if tries > 1 else ''}; "
            "check the network, or give the URL of a copy"
        )

    def _once(self, where: str) -> bytes:
        request = urllib.request.Request(where, headers={"User-Agent": "ecliptic"})
        with urllib.request.urlopen(request, timeout=self.timeout_s) as answer:
            data: bytes = answer.read(MAX_BYTES + 1)
        if len(data) > MAX_BYTES:
            raise UsageError(f"{where}: the answer is over {MAX_BYTES / 1e6:.0f} MB")
        return data


def _refusal(where: str, code: int, text: str) -> str:
    if code == 404:
        return f"{where}: is not there (404); the service may have changed, check its URL"
    detail = f": {text}" if text else ""
    return f"{where}: is refused with status {code}{detail}"


def _plain(data: bytes) -> str:
    """The words of a page without its tags, in short."""
    text = data.decode("utf-8", "replace")
    words: list[str] = []
    for piece in text.split("<"):
        words += piece.partition(">")[2].split() if ">" in piece else piece.split()
    return " ".join(words)[:160]
