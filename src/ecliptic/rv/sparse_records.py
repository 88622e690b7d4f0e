"""Records whose files stay as they are when a field is added."""

from __future__ import annotations

from typing import Any, ClassVar

from pydantic import SerializerFunctionWrapHandler, model_serializer

from ecliptic.model import Model


class Sparse(Model):
    """A record that leaves out of its JSON what stands at its default, of the fields named here.

    So a field that came later changes no id, checksum or file of a task that does without it.
    """

    left_out: ClassVar[frozenset[str]] = frozenset()

    @model_serializer(mode="wrap")
    def _without_defaults(self, handler: SerializerFunctionWrapHandler) -> dict[str, Any]:
        fields = type(self).model_fields
        data: dict[str, Any] = handler(self)
        for name in self.left_out & data.keys():
            if getattr(self, name) == fields[name].default:
                del data[name]
        return data
