// Conversions. Float to integer truncates; NaN and infinities give 0, out of range saturates: all undefined in GLSL.

int conv_f64_i32(double x) {
    if (isnan_f64(x) || isinf_f64(x)) return 0;
    // mutant tie: the limit itself is an integer that converts exactly
    if (x >= 2147483647.0lf) return 2147483647;
    // mutant: the limit itself is an integer that converts exactly
    if (x <= -2147483648.0lf) return int(0x80000000u);
    return int(x);
}

// Not `int64_t(x)`: what compares that with a constant is compared in 32 bits by Mesa 22.3.6, and wrongly.
int64_t conv_i32_i64(int x) { return packInt2x32(ivec2(x, x >> 31)); }

// Exact by way of 32-bit halves: conversions between double and 64-bit integers are where drivers are thinnest.
int64_t conv_f64_i64(double x) {
    if (isnan_f64(x) || isinf_f64(x)) return int64_t(0);
    if (x >= 9223372036854775808.0lf) return int64_t(0x7fffffffffffffffUL);
    // mutant: the halves of the limit itself are exact, and so is its negation
    if (x <= -9223372036854775808.0lf) return int64_t(0x8000000000000000UL);
    double magnitude = trunc_f64(abs(x));
    uint high = uint(magnitude * power_of_two(-32));
    uint low = uint(magnitude - double(high) * 4294967296.0lf);
    uint64_t bits = packUint2x32(uvec2(low, high));
    // mutant tie: zero is its own negation
    // mutant neutral element: a number from 0 up to 1 is truncated to zero, which is its own negation
    return int64_t(x < 0.0lf ? uint64_t(0) - bits : bits);
}

// The high half is exact, the low half too, and their sum is rounded once.
double conv_i64_f64(int64_t x) {
    uvec2 halves = unpackUint2x32(uint64_t(x));
    return double(int(halves.y)) * 4294967296.0lf + double(halves.x);
}

// To odd at 53 bits, so that the rounding to 24 is right: a double rounding would not be.
float conv_i64_f32(int64_t x) {
    uint64_t m = magnitude_i64(x);
    // mutant tie: the lowest bits of 2^53 are zero, so that it stays what it is
    // mutant neutral element: above 2^53 a lowest bit after ten zeros is rounded away: it is at most half a unit, and then the even neighbour is the
    //   one without it
    if (m >= 0x20000000000000UL) m = (m & ~0x7ffUL) | ((m & 0x7ffUL) != 0UL ? 0x800UL : 0UL);
    float y = float(conv_i64_f64(int64_t(m & 0x7fffffffffffffffUL)));
    if (m >= 0x8000000000000000UL) y = 9223372036854775808.0f;
    return x < int64_t(0) ? -y : y;
}

int conv_f32_i32(float x) { return conv_f64_i32(double(x)); }

int64_t conv_f32_i64(float x) { return conv_f64_i64(double(x)); }

float conv_f64_f32(double x) { return float(x); }

// x / y for indices and sizes, x >= 0 and y > 0: 32-bit division where that will do, which GPUs do several times faster.
int64_t index_div(int64_t x, int64_t y) {
    if (((x | y) >> 32) == int64_t(0)) return int64_t(uint(x) / uint(y));
    return int64_t(uint64_t(x) / uint64_t(y));
}
