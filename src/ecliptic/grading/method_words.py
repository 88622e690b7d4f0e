"""What each way of comparing does, in one plain phrase for a reader of a verdict."""

from __future__ import annotations

import re

_WORDS = {
    "quantities": "number and unit, after conversion, within the tolerance",
    "words beside the value": "what the sentences say beside the equal value",
    "canonical form": "both formulas in one standard form",
    "points": "the values of both formulas at seeded random points",
    "kinds of operands": "which kind of object stands where: scalar, vector, operator",
    "claims": "the claims of the gold, one by one, in the sentences of the answer",
    "claim: words": "the same sentence, word for word or in the passive",
    "claim: same words": "the same words",
    "claim: compare": "which of two things is the greater",
    "claim: cause": "which of two things is the cause",
    "claim: before": "which of two things comes first",
    "claim: order": "which of two things does it more or earlier",
    "claim: trend": "how one quantity changes with another",
    "claim: independent": "what does not depend on what",
    "claim: factor": "by what factor a quantity is multiplied, told in words",
    "claim: contrast": "what the answer affirms and what it denies",
    "claim: change of a quantity": "whether each quantity rises, falls or stays",
    "direction of a claim": "whether it goes up or down",
    "roles of a comparison": "which of two things is the greater",
    "terms": "the terms used, and their opposites",
    "list of items": "the items of both lists",
    "yes or no": "agreement or denial",
    "date": "the dates and times that are named",
    "option": "the letter of the option",
    "fields": "field by field",
    "same words": "the same words",
    "same text": "the same text",
    "several answers": "each of the answers that are given",
    "JSON": "whether the answer is a JSON document",
    "schema": "the JSON schema of the record",
    "parse": "whether the formula can be read",
    "SymPy": "computer algebra",
    "SymPy, confirmed by numbers": "computer algebra, confirmed at points",
    "text": "the same text",
}


def in_plain_words(method: str) -> str:
    """The method's name with what it does in front, if that is known."""
    inner = method.removeprefix("fields: ")
    known = _WORDS.get(re.sub(r"^\d+ points$", "points", inner))
    if known is None:
        return method or "-"
    where = "field by field; " if inner != method else ""
    return f"{where}{known}" + (f" ({method})" if known != method else "")
