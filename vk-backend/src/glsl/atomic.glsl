// Atomic addition of floats at an address: the device's own, or compare-and-swap.

void native_add_f32(uint64_t address, float x) { atomicAdd(RefF32(address).v, x); }

void native_add_f64(uint64_t address, double x) { atomicAdd(RefF64(address).v, x); }

void swap_add_f32(uint64_t address, float x) {
    uint seen = RefU32(address).v;
    uint expected;
    do {
        TICK;
        expected = seen;
        seen = atomicCompSwap(RefU32(address).v, expected, floatBitsToUint(uintBitsToFloat(expected) + x));
    } while (seen != expected);
}

void swap_add_f64(uint64_t address, double x) {
    uint64_t seen = RefU64(address).v;
    uint64_t expected;
    do {
        TICK;
        expected = seen;
        seen = atomicCompSwap(RefU64(address).v, expected, bits_f64(from_bits_f64(expected) + x));
    } while (seen != expected);
}
