"""Why attempts failed: labels from a closed vocabulary, each with its evidence.

>>> from ecliptic.analysis import read_attempts
>>> from ecliptic.analysis.failures import confusion, confusion_text, label_all
>>> labelling = label_all(read_attempts("logs"))           # doctest: +SKIP
>>> print(confusion_text(confusion(labelling.rows)))       # doctest: +SKIP
"""

from ecliptic.analysis.failures.confusion_table import (
    ConfusionRow,
    confusion,
    confusion_text,
    failure_table,
)
from ecliptic.analysis.failures.details import Details, SubmissionFacts, ToolCall
from ecliptic.analysis.failures.evidence import Label
from ecliptic.analysis.failures.labelling import Labelled, Labelling, label_all
from ecliptic.analysis.failures.labels import label
from ecliptic.analysis.failures.reading import read_details
from ecliptic.analysis.failures.vocabulary import ORDER, FailureCode, Group

__all__ = [
    "ORDER",
    "ConfusionRow",
    "Details",
    "FailureCode",
    "Group",
    "Label",
    "Labelled",
    "Labelling",
    "SubmissionFacts",
    "ToolCall",
    "confusion",
    "confusion_text",
    "failure_table",
    "label",
    "label_all",
    "read_details",
]
