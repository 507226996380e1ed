#!/usr/bin/env bash
# Runs every test of Futi, the Vulkan backend on Mesa's software device (lavapipe) included. On Debian it installs the system packages that this
# needs, if they are missing; elsewhere, have shaderc's static libraries, a Vulkan loader and a driver, and set SHADERC_LIB_DIR.
#
#   test.sh [--all] [ARGUMENTS of cargo test]
#
# Each of the suite's programs is run by one of the backends, one in 32 on Vulkan, under its validation layers; with --all, by all of them.
set -euo pipefail
cd "$(dirname "$0")/.."
if [ "${1:-}" = --all ]; then
  shift
  export FUTI_VALIDATE=all
fi
bash conformance/packages.sh
. conformance/mesa.sh
export RUSTC_WORKSPACE_WRAPPER=${RUSTC_WORKSPACE_WRAPPER-$PWD/conformance/rustc.sh}
# optimized a little, with all assertions: that is compiled in a few minutes more, and runs several times as fast
exec cargo test --profile quick --workspace --all-features "$@"
