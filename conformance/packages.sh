#!/usr/bin/env bash
# On Debian, installs the system packages that the tests need, and those named as arguments, if they are missing.
set -euo pipefail
command -v dpkg-query >/dev/null || exit 0
missing=()
for p in libshaderc-dev libvulkan1 mesa-vulkan-drivers vulkan-validationlayers spirv-tools g++ "$@"; do
  dpkg-query -W -f='${Status}' "$p" 2>/dev/null | grep -q 'ok installed' || missing+=("$p")
done
[ ${#missing[@]} -gt 0 ] || exit 0
sudo=()
[ "$(id -u)" = 0 ] || sudo=(sudo)
"${sudo[@]}" apt-get update -qq
"${sudo[@]}" env DEBIAN_FRONTEND=noninteractive apt-get install -y -qq --no-install-recommends "${missing[@]}"
