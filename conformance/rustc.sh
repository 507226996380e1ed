#!/usr/bin/env bash
# Compiles one of our crates, as cargo asks it to (RUSTC_WORKSPACE_WRAPPER). Tests are not optimized: that takes three quarters of a compilation, and what they call of other
# crates is. With FUTI_LINT set (`.ci/rustc`), warnings are errors, clippy's among them, and each library's documentation is made, as what is compiled has been read for that, and nothing
# that it depends on must be compiled once more.
set -euo pipefail
rustc=$1
shift
case " $* " in
  *" --test "*) set -- "$@" -C opt-level=0 ;;
esac
[ -n "${FUTI_LINT:-}" ] || exec "$rustc" "$@"
bin=$("$rustc" --print sysroot)/bin
case " $* " in
  # what clippy compiles is slower: it reads a library as that is compiled with its tests, if it has any
  *" --crate-name futi_fuzz "*) "$bin/clippy-driver" "$rustc" "$@" -D warnings ;;
  *" --crate-type lib "*) "$rustc" "$@" -D warnings ;;
  *) exec "$bin/clippy-driver" "$rustc" "$@" -D warnings ;;
esac
arguments=()
while [ $# -gt 0 ]; do
  case $1 in
    --crate-name | --extern | -L | --cfg | --check-cfg | --cap-lints) arguments+=("$1" "$2") && shift ;;
    --edition=* | *.rs) arguments+=("$1") ;;
  esac
  shift
done
exec "$bin/rustdoc" "${arguments[@]}" -D warnings --out-dir target/doc
