#!/usr/bin/env bash
# Runs every test of Futi, the Vulkan backend on Mesa's software device (lavapipe) included. On Debian it installs the system packages that this
# needs, if they are missing; elsewhere, have shaderc's static libraries, a Vulkan loader and a driver, and set SHADERC_LIB_DIR.
set -euo pipefail
cd "$(dirname "$0")/.."

packages="libshaderc-dev libvulkan1 mesa-vulkan-drivers vulkan-validationlayers spirv-tools g++"
if command -v dpkg-query >/dev/null; then
  missing=""
  for p in $packages; do
    dpkg-query -W -f='${Status}' "$p" 2>/dev/null | grep -q 'ok installed' || missing="$missing $p"
  done
  if [ -n "$missing" ]; then
    sudo=""
    [ "$(id -u)" = 0 ] || sudo=sudo
    $sudo apt-get update -qq
    # shellcheck disable=SC2086
    DEBIAN_FRONTEND=noninteractive $sudo apt-get install -y -qq --no-install-recommends $missing
  fi
fi

# optimized a little, with all assertions: that is compiled in a few minutes more, and runs several times as fast
exec cargo test --profile quick --workspace --all-features "$@"
