#!/usr/bin/env bash
# Tests the Python package as it is built with the tests (`bash conformance/test.sh --no-run`), in a fresh virtual environment: it trains on digits as NumPy does, by itself and through the server with clients that others have written.
#
#   test.sh [ARGUMENTS of pytest]
set -euo pipefail
cd "$(dirname "$0")"
target=$PWD/../target
# without what would take as long again: another pip, and code of modules that no test imports
python3 -m venv --clear --without-pip "$target/venv"
python3 -m pip --python "$target/venv/bin/python" install --quiet --disable-pip-version-check --no-compile -r tests/requirements.txt
ln -sf "$target/quick/deps/lib_futi.so" futi/_futi.abi3.so
PYTHONPATH=$PWD FUTI=$target/quick/futi FUTI_BACKENDS=interp,vulkan exec "$target/venv/bin/python" -m pytest -q "$@"
