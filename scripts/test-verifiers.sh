#!/bin/sh
# The tests of the verifiers tasksets, in an environment of their own: that library wants an older
# openai than Inspect does. Takes some minutes.
set -eu
cd "$(dirname "$0")/.."
venv=.venv-verifiers
[ -x "$venv/bin/python" ] || "${PYTHON:-python3}" -m venv "$venv"
"$venv/bin/python" -m pip install --quiet --editable ".[verifiers]" hypothesis pytest ruff mypy
"$venv/bin/mypy" src/ecliptic/training src/ecliptic_stars src/ecliptic_questions
exec "$venv/bin/pytest" tests/training/test_language.py "$@"
