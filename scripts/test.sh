#!/bin/sh
# Installs what the checks need into .venv and runs them all: lint, format, types, layers, tests.
. "$(dirname "$0")/venv.sh"
install_ecliptic nbody,dev
.venv/bin/ruff check .
.venv/bin/ruff format --check .
.venv/bin/mypy
.venv/bin/lint-imports
exec .venv/bin/pytest -n 2 "$@"
