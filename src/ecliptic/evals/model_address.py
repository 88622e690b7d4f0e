"""Whether somebody listens where a model is said to be, before a run waits for it in vain."""

from __future__ import annotations

import socket
from urllib.parse import urlsplit
from urllib.request import getproxies, proxy_bypass

from inspect_ai.model import Model

from ecliptic.errors import UsageError

SECONDS = 10.0
_PORTS = {"http": 80, "https": 443}


def check_address(model: Model) -> None:
    """Connect to the model's server, where it has an address of its own; nothing is sent.

    A connection that is refused counts as passing trouble and is tried again for more than ten
    minutes: too long for a mistake of typing. Behind a proxy nothing is checked.

    Raises
    ------
    UsageError
        The address is none, or nobody listens there.
    """
    address = model.api.base_url
    if not address:
        return
    fix = "is the server up, and --base-url (or NAME_BASE_URL) right?"
    try:
        parts = urlsplit(address)
        host, port = parts.hostname, parts.port or _PORTS[parts.scheme]
    except (ValueError, KeyError):
        host = None
    if host is None:
        raise UsageError(
            f"model {model}: '{address}' is no address; give one such as http://localhost:8000/v1"
        )
    if parts.scheme in getproxies() and not proxy_bypass(host):
        return
    try:
        socket.create_connection((host, port), SECONDS).close()
    except OSError as error:
        told = error.strerror or str(error) or type(error).__name__
        raise UsageError(f"model {model}: nobody answers at {address} ({told}); {fix}") from None
