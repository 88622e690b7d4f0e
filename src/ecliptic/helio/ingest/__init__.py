"""LaTeX problem sets with solutions become draft records; nothing is guessed in silence.

``draft_records`` reads a file, ``write_todo`` writes the list for the human who finishes it.
"""

from __future__ import annotations

from ecliptic.helio.ingest.problem_set import Drafts, draft_records
from ecliptic.helio.ingest.todo import Item, Place, write_todo

__all__ = ["Drafts", "Item", "Place", "draft_records", "write_todo"]
