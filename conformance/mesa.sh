# shellcheck shell=bash
# What tests ask of Mesa's software device (lavapipe), unless told: to be sourced, from the root of the repository.
#
# It runs each kernel once or twice: optimizing it, or splitting what is wide, takes longer. And Mesa keeps what it has compiled, in the user's home, by what the kernel is and not by how wide
# the vectors are: a kernel that asks for the size of its subgroup would be taken from there with another one. So there is a folder for what is compiled like this.
export GALLIVM_PERF=${GALLIVM_PERF-nopt} LP_NATIVE_VECTOR_WIDTH=${LP_NATIVE_VECTOR_WIDTH-128}
export MESA_SHADER_CACHE_DIR=${MESA_SHADER_CACHE_DIR-${XDG_CACHE_HOME:-${HOME:-$PWD/target}/.cache}/futi/mesa-$GALLIVM_PERF-$LP_NATIVE_VECTOR_WIDTH}
mkdir -p "$MESA_SHADER_CACHE_DIR"
