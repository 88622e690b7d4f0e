#!/bin/sh
# Installs Ecliptic into .venv and runs the main job: twelve shipped stars, the classical solver.
. "$(dirname "$0")/venv.sh"
install_ecliptic nbody
exec .venv/bin/ecliptic run "$@"
