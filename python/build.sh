#!/usr/bin/env bash
# Makes python/dist/futi-*.whl, the Python package with the Vulkan backend; on Debian it installs the system packages that this needs, if they are missing.
#
#   build.sh [ARGUMENTS of maturin build]
set -euo pipefail
cd "$(dirname "$0")"
bash ../conformance/packages.sh
venv=../target/python
[ -x "$venv/bin/maturin" ] || { python3 -m venv "$venv" && "$venv/bin/pip" install --quiet 'maturin>=1.16,<2'; }
exec "$venv/bin/maturin" build --release --out dist "$@"
