#!/usr/bin/env bash
# One part of the tables of docs/results: Futi and its peers on one device, in one call, so that their times can be compared. Takes less than ten minutes.
#
#   run.sh FUTI PART OUT [--small]
#
# FUTI is a program `futi` that has the backend vulkan; PART is micro or models; OUT is a folder for the results, which table.py reads. With --small the cases are those for
# two cores. Python must have jax and torch; what is missing is left out.
set -euo pipefail
futi=$(realpath "$1") part=$2 out=$(mkdir -p "$3" && realpath "$3") size=${4:---large}
cd "$(dirname "$0")"
other=small
[ "$size" = --large ] || other=large
"$futi" bench --backend vulkan --exclude-case tiny --exclude-case "$other" --runs 3 --no-convergence-phase --json "$out/futi-$part.json" "$part.fut"
for framework in jax torch; do
  python3 -c "import $framework" 2>/dev/null || continue
  python3 peers.py "$framework" "$out/$framework-$part.json" "$size" --only "$part.fut"
done
