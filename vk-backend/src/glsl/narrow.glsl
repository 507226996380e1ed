// What is narrower than a register, which has it widened: 8- and 16-bit integers by their sign, f16 as the f32 of the same value. Each result is brought back to what is narrow.

int wrap_i8(int x) { return bitfieldExtract(x, 0, 8); }

int wrap_i16(int x) { return bitfieldExtract(x, 0, 16); }

uint wrap_u8(uint x) { return x & 0xffu; }

uint wrap_u16(uint x) { return x & 0xffffu; }

// The nearest f16, ties to even, by the bits: packHalf2x16 may round as it likes.
float wrap_f16(float x) {
    uint sign = floatBitsToUint(x) & 0x80000000u;
    uint m = floatBitsToUint(x) & 0x7fffffffu;
    if (m > 0x7f800000u) return x;
    // from 65520 on
    if (m >= 0x477ff000u) return uintBitsToFloat(sign | 0x7f800000u);
    if (m >= 0x38800000u) {
        m += 0xfffu + ((m >> 13) & 1u);
        return uintBitsToFloat(sign | (m & ~0x1fffu));
    }
    // below 2^-14: multiples of 2^-24, of which all up to half of one are zero
    uint e = m >> 23;
    if (e < 102u) return uintBitsToFloat(sign);
    uint s = 126u - e;
    uint mantissa = (m & 0x7fffffu) | 0x800000u;
    uint q = mantissa >> s;
    uint rest = mantissa & ((1u << s) - 1u);
    uint tie = 1u << (s - 1u);
    if (rest > tie || (rest == tie && (q & 1u) != 0u)) q += 1u;
    return uintBitsToFloat(sign | floatBitsToUint(float(q) * uintBitsToFloat(0x33800000u)));
}

// To odd at 24 bits, so that the rounding to 11 is right.
float conv_f64_f16(double x) {
    float y = float(x);
    if (double(y) != x && !isnan_f64(x) && !isinf_f32(y)) {
        uint bits = floatBitsToUint(y);
        if (abs(double(y)) > abs(x)) bits -= 1u;
        y = uintBitsToFloat(bits | 1u);
    }
    return wrap_f16(y);
}

float f16_of_bits(uint bits) { return unpackHalf2x16(bits).x; }

// Exact, whatever packHalf2x16 does where it has to round.
uint bits_f16(float x) { return packHalf2x16(vec2(x, 0.0f)) & 0xffffu; }

float nextafter_f16(float x, float y) { return f16_of_bits(nextafter_bits(bits_f16(x), bits_f16(y), 0x8000u, 0x7c00u)); }

// Rounded once: 2^-300 and 2^300 are beyond all that is not zero or infinite.
float ldexp_f16(float x, int n) { return conv_f64_f16(double(x) * power_of_two(clamp(n, -300, 300))); }

// The product is exact, and the sum is, unless the product is less than a thousandth of a step of z: then the result is z.
float fma_f16(float x, float y, float z) { return conv_f64_f16(double(x) * double(y) + double(z)); }

float lerp_f16(float x, float y, float t) { return wrap_f16(x + wrap_f16(wrap_f16(y - x) * unit_f32(t))); }

uint64_t conv_f64_u64(double x) {
    if (isnan_f64(x) || isinf_f64(x) || x <= 0.0lf) return 0UL;
    if (x >= 18446744073709551616.0lf) return 0xffffffffffffffffUL;
    if (x >= 9223372036854775808.0lf) return uint64_t(conv_f64_i64(x - 9223372036854775808.0lf)) + 0x8000000000000000UL;
    return uint64_t(conv_f64_i64(x));
}

// Both halves are exact, and their sum is rounded once.
double conv_u64_f64(uint64_t x) {
    uvec2 halves = unpackUint2x32(x);
    return double(halves.y) * 4294967296.0lf + double(halves.x);
}

// As `conv_i64_f32`, to odd at 53 bits.
float conv_u64_f32(uint64_t m) {
    if (m >= 0x20000000000000UL) m = (m & ~0xfffUL) | ((m & 0xfffUL) != 0UL ? 0x1000UL : 0UL);
    return float(conv_u64_f64(m));
}
