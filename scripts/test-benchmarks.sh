#!/bin/sh
# The tests of patterns on Inspect Evals' benchmarks, on small data sets of their own, in an
# environment of their own: those benchmarks bring 1.4 GB of packages. Takes some minutes.
set -eu
cd "$(dirname "$0")/.."
venv=.venv-benchmarks
[ -x "$venv/bin/python" ] || "${PYTHON:-python3}" -m venv "$venv"
"$venv/bin/python" -m pip install --quiet --editable ".[benchmarks]" hypothesis pytest
exec "$venv/bin/pytest" -rs tests/agents/test_benchmarks.py tests/studies/test_cross_benchmark.py "$@"
