#!/usr/bin/env bash
# Fuzzes each target for a minute (FUZZ_SECONDS says otherwise), from its corpus and a fixed seed (FUZZ_SEED; 0 is another each time);
# `run.sh TARGET..` fuzzes these alone; `run.sh --build` builds them all and does no more, `run.sh --built` fuzzes what that has built. FUZZ_CARGO are arguments of cargo's. A line for each, with what was found, and `N passed, N failed, N skipped`. Needs stable Rust and a
# C++ compiler. What cannot be had is skipped, which is a failure where CI or FUTI_CI is set: there all must run.
set -uo pipefail
cd "$(dirname "$0")" || exit 1
seconds=${FUZZ_SECONDS:-60}
read -ra cargo <<<"${FUZZ_CARGO:-}"
declare -A dictionary=([lexer]=source [parser]=source [checker]=source [test_block]=source
  [ir_parser]=ir [ir_check]=ir [passes]=ir [values]=values [binary]=values)
step=all
case ${1:-} in --build | --built) step=${1#--} && shift ;; esac
targets=("$@")
[ $# -gt 0 ] || targets=(lexer parser checker test_block ir_parser ir_check passes values binary)
for target in "${targets[@]}"; do
  [ -n "${dictionary[$target]:-}" ] || { echo "there is no target $target: there are ${!dictionary[*]}" >&2; exit 2; }
done
passed=0 failed=0 skipped=0

finish() {
  echo "$passed passed, $failed failed, $skipped skipped"
  [ "$failed" = 0 ] || exit 1
  if [ "$skipped" != 0 ] && [ -n "${CI:-}${FUTI_CI:-}" ]; then
    echo "FAIL: CI or FUTI_CI is set, nothing may be skipped"
    exit 1
  fi
  exit 0
}

found=$(mktemp -d)
trap 'rm -rf "$found"' EXIT
program=$PWD/../../target/fuzz_targets
build() {
  local log
  if ! log=$(cargo fetch --quiet --target "$(rustc -vV | sed -n 's/^host: //p')" 2>&1); then
    echo "$log" | tail -5
    echo "skip  ${targets[*]}: the crates that fuzzing needs cannot be had"
    skipped=${#targets[@]}
    finish
  fi
  if ! log=$(RUSTC_WORKSPACE_WRAPPER=$PWD/rustc.sh cargo test --quiet --profile quick --workspace --all-features --test fuzz_targets --no-run --message-format=json-render-diagnostics "${cargo[@]}" 2>&1 >"$found/built"); then
    echo "$log" | tail -40
    failed=${#targets[@]}
    finish
  fi
  ln -sf "$(sed -n 's/.*"executable":"\([^"]*fuzz_targets-[^"]*\)".*/\1/p' "$found/built")" "$program"
}
[ "$step" = built ] || build
[ "$step" != build ] || exit 0
fuzz() {
  local target=$1
  mkdir -p "$found/$target" "artifacts/$target"
  # new inputs go where the first folder is, and are not kept
  FUZZ_TARGET=$target timeout $((seconds + 120)) "$program" "$found/$target" "corpus/$target" \
    -seed="${FUZZ_SEED:-1}" -max_total_time="$seconds" -timeout=20 -rss_limit_mb=4096 -dict="dict/${dictionary[$target]}.dict" \
    -artifact_prefix="artifacts/$target/" -print_final_stats=1 >"$found/$target.log" 2>&1 && touch "$found/$target.ok"
}
# two at a time
for ((i = 0; i < ${#targets[@]}; i += 2)); do
  for target in "${targets[@]:i:2}"; do fuzz "$target" & done
  wait
  for target in "${targets[@]:i:2}"; do
    log="$found/$target.log"
    if [ -e "$found/$target.ok" ]; then
      runs=$(sed -n 's/^stat::number_of_executed_units: *//p' "$log")
      echo "ok    $target: $runs inputs, none found"
      passed=$((passed + 1))
    else
      echo "FAIL  $target"
      # where it says nothing of these, its last lines
      { grep -E "panicked at|ERROR: libFuzzer|Test unit written" -A2 "$log" || tail -4 "$log"; } | grep -v "^--$" | sed 's/^/      /' | head -12
      failed=$((failed + 1))
    fi
  done
done
finish
