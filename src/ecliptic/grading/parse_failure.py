"""The one way in which reading a formula fails."""

from __future__ import annotations


class ParseFailure(Exception):  # noqa: N818 - an outcome, not an error of the program
    """A text is not a formula of the closed grammar; caught inside the package, never shown raw.

    ``position`` is the offset in the text as given, ``limit`` the name of the exhausted budget (or
    "" when the text is malformed rather than too large).
    """

    def __init__(self, message: str, position: int, *, limit: str = "") -> None:
        super().__init__(f"{message} (at character {position + 1})")
        self.message = message
        self.position = position
        self.limit = limit
