# Sourced by the other scripts: makes .venv in the checkout and installs Ecliptic into it.
# Usage: install_ecliptic EXTRAS
set -eu
cd "$(dirname "$0")/.."

make_venv() {
    [ -x .venv/bin/python ] && .venv/bin/python -m pip --version >/dev/null 2>&1 && return
    python=${PYTHON:-python3}
    "$python" -c 'import sys; sys.exit(sys.version_info < (3, 11))' || {
        echo "Python 3.11 or newer is needed; name one: PYTHON=/path/to/python3.12 sh $0" >&2
        exit 2
    }
    rm -rf .venv
    "$python" -m venv .venv 2>/dev/null && return
    # Debian ships venv without ensurepip unless python3-venv is installed; virtualenv brings its own.
    rm -rf .venv
    "$python" -m pip install --quiet --target .venv-tool virtualenv
    PYTHONPATH=.venv-tool "$python" -m virtualenv --quiet .venv
    rm -rf .venv-tool
}

install_ecliptic() {
    make_venv
    echo "Installing Ecliptic and its dependencies into .venv (a few minutes the first time)..."
    .venv/bin/python -m pip install --quiet --disable-pip-version-check --editable ".[$1]"
}
