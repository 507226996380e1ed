#!/bin/sh
# Compiles one of our crates for fuzzing, as cargo asks it to (RUSTC_WORKSPACE_WRAPPER): with coverage, and without a sanitizer, as what is written is in safe Rust. Stable Rust will do.
# What our crates depend on is that of the tests.
exec "$@" -Cpasses=sancov-module -Cllvm-args=-sanitizer-coverage-level=4 -Cllvm-args=-sanitizer-coverage-inline-8bit-counters \
  -Cllvm-args=-sanitizer-coverage-pc-table -Cllvm-args=-sanitizer-coverage-trace-compares
