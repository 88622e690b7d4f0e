"""A suite served to agents that live elsewhere: HTTP and MCP, with the truth kept here.

The parts, from the network inwards: ``routes``, ``tool_routes``, ``operator_routes`` and
``mcp_tools`` take calls; ``attempts`` knows which attempt may do what; ``store`` keeps what was
answered; ``grading_pool`` and ``drawing_pool`` start the processes that grade and draw. The
process that speaks to the network never loads a truth.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

import lazy_loader

if TYPE_CHECKING:
    from ecliptic.server.application import create_app
    from ecliptic.server.settings import Limits, Settings, Source
    from ecliptic.server.signatures import verify_result

__getattr__, __dir__, _ = lazy_loader.attach(
    __name__,
    submod_attrs={
        "application": ["create_app"],
        "settings": ["Limits", "Settings", "Source"],
        "signatures": ["verify_result"],
    },
)

__all__ = ["Limits", "Settings", "Source", "create_app", "verify_result"]
