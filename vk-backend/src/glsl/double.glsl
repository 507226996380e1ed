// 64-bit floats in integers, for devices that have none (device/doubles.rs): each function is an operation of IEEE 754 on the bits of its operands, rounded to the nearest, ties to even. All NaN
// are one. Parameters are constant, so that they are passed as values. None has a loop or a branch: drivers copy a function to each of its calls, and the more blocks that makes, the longer they
// take for each. So what only some operands need is computed for all, and `mix` chooses: its second argument where the third is true.

const uint64_t SOFT_SIGN = 0x8000000000000000UL;

const uint64_t SOFT_INFINITY = 0x7ff0000000000000UL;

const uint64_t SOFT_NAN = 0x7ff8000000000000UL;

const uint64_t SOFT_ONE = 0x10000000000000UL;

uint64_t soft_magnitude(const uint64_t a) { return a & 0x7fffffffffffffffUL; }

int soft_exponent(const uint64_t a) { return int(uint(a >> 52) & 0x7ffu); }

// The significand as it stands, with the bit that is not stored. A subnormal number has it with the exponent 1.
uint64_t soft_fixed(const uint64_t a, out int e) {
    e = max(soft_exponent(a), 1);
    uint64_t unstored = packUint2x32(uvec2(0u, uint(min(soft_exponent(a), 1)) << 20));
    return (a & (SOFT_ONE - 1UL)) | unstored;
}

// The significand, of a number that is not zero, as one of 53 bits; and the exponent that belongs to it, below 1 for a subnormal number.
uint64_t soft_significand(const uint64_t a, out int e) {
    uint64_t fixed_point = soft_fixed(a, e);
    int up = clz_u64(fixed_point) - 11;
    e -= up;
    return fixed_point << up;
}

// x, below 2^63, divided by 2 to the n; the lowest bit is set if anything was lost.
uint64_t soft_shifted(const uint64_t x, const int n) {
    int down = clamp(n, 0, 63);
    uint64_t y = x >> down;
    return y | uint64_t((y << down) != x);
}

// The number next to m * 2^(e - 1085), where m is below 2^63 and its lowest bit may stand for what was lost; it is at least 2^62, unless e is at most 1.
uint64_t soft_rounded(const uint64_t sign, const int e, const uint64_t m) {
    uint64_t x = soft_shifted(m, 1 - e);
    bool tie = (x & 0x3ffUL) == 0x200UL;
    x = ((x + 0x200UL) >> 10) & ~uint64_t(tie);
    // the bit that is not stored adds one to the exponent, and so does a carry
    x += packUint2x32(uvec2(0u, uint(max(e, 1) - 1) << 20));
    return sign | mix(x, SOFT_INFINITY, e > 0x7fe);
}

uint64_t soft_add(const uint64_t a, const uint64_t b) {
    bool first = soft_magnitude(a) >= soft_magnitude(b);
    uint64_t x = mix(b, a, first);
    uint64_t y = mix(a, b, first);
    uint64_t signs = (x ^ y) & SOFT_SIGN;
    bool differ = signs != 0UL;
    int e;
    int other;
    uint64_t m = soft_fixed(x, e) << 10;
    uint64_t n = soft_fixed(y, other) << 10;
    n = soft_shifted(n, e - other);
    m = mix(m + n, m - n, differ);
    int up = min(clz_u64(m) - 1, e - 1);
    uint64_t sum = soft_rounded(x & SOFT_SIGN, e - up, mix(m << max(up, 0), (m >> 1) | (m & 1UL), up < 0));
    sum = mix(sum, mix(x, 0UL, differ), m == 0UL);
    // NaN is above all
    uint64_t infinite = mix(x, SOFT_NAN, (soft_magnitude(y) | signs) == (SOFT_INFINITY | SOFT_SIGN));
    sum = mix(sum, infinite, soft_magnitude(x) >= SOFT_INFINITY);
    return mix(sum, SOFT_NAN, soft_magnitude(x) > SOFT_INFINITY);
}

uint64_t soft_sub(const uint64_t a, const uint64_t b) { return soft_add(a, b ^ SOFT_SIGN); }

uint64_t soft_mul(const uint64_t a, const uint64_t b) {
    uint64_t sign = (a ^ b) & SOFT_SIGN;
    // the product of numbers from 1 to 2, times 2^61
    int e;
    int other;
    uint64_t x = soft_significand(a, e) << 10;
    uint64_t y = soft_significand(b, other) << 11;
    uint64_t m = mul_hi_u64(x, y) | uint64_t(x * y != 0UL);
    int up = int(m < 0x4000000000000000UL);
    uint64_t product = soft_rounded(sign, e + other - 1022 - up, m << up);
    uint64_t smaller = min(soft_magnitude(a), soft_magnitude(b));
    uint64_t larger = max(soft_magnitude(a), soft_magnitude(b));
    product = mix(product, sign, smaller == 0UL);
    product = mix(product, mix(sign | SOFT_INFINITY, SOFT_NAN, smaller == 0UL), larger == SOFT_INFINITY);
    return mix(product, SOFT_NAN, larger > SOFT_INFINITY);
}

// A first guess, right to 20 bits and more, from which Newton's method gets to 40, and then as far as there are bits; the remainder tells what the last place is.
uint64_t soft_div(const uint64_t a, const uint64_t b) {
    uint64_t sign = (a ^ b) & SOFT_SIGN;
    int e;
    int other;
    uint64_t x = soft_significand(a, e);
    // by one in place of zero
    uint64_t y = soft_significand(mix(b, SOFT_ONE, soft_magnitude(b) == 0UL), other);
    int up = int(x < y);
    x <<= up;
    e += 1023 - other - up;
    // d / 2^64 is from 1/2 to 1, its reciprocal r / 2^62
    uint64_t d = y << 11;
    float guess = 1.0f / (float(uint(d >> 40)) * 5.9604644775390625e-8f);
    uint64_t r = packUint2x32(uvec2(0u, uint(guess * 1073741824.0f)));
    r = mul_hi_u64(r, SOFT_SIGN - mul_hi_u64(d, r)) << 2;
    r = mul_hi_u64(r, SOFT_SIGN - mul_hi_u64(d, r)) << 2;
    // x / y from 1 to 2, times 2^55, and what is missing there
    uint64_t q = mul_hi_u64(x << 10, r) >> 6;
    uint64_t left = (x << 55) - q * y;
    bool above = left >= SOFT_SIGN;
    q -= uint64_t(above);
    left += mix(0UL, y, above);
    bool below = left >= y;
    q += uint64_t(below);
    left -= mix(0UL, y, below);
    uint64_t quotient = soft_rounded(sign, e, (q << 7) | uint64_t(left != 0UL));
    uint64_t smaller = min(soft_magnitude(a), soft_magnitude(b));
    uint64_t larger = max(soft_magnitude(a), soft_magnitude(b));
    // zero by something, or something by zero; of infinities likewise
    uint64_t extreme = mix(sign, sign | SOFT_INFINITY, soft_magnitude(a) == larger);
    quotient = mix(quotient, extreme, smaller == 0UL);
    quotient = mix(quotient, extreme, larger == SOFT_INFINITY);
    quotient = mix(quotient, SOFT_NAN, larger == 0UL);
    quotient = mix(quotient, SOFT_NAN, smaller == SOFT_INFINITY);
    return mix(quotient, SOFT_NAN, larger > SOFT_INFINITY);
}

uint64_t soft_sqrt(const uint64_t a) {
    bool zero = soft_magnitude(a) == 0UL;
    // s * 2^(e - 1023 - 52) with an even power of two; of one in place of zero
    int e;
    uint64_t s = soft_significand(mix(a, SOFT_ONE, zero), e);
    int odd = ~e & 1;
    s <<= odd;
    // d / 2^64 is from 1/4 to 1, the reciprocal of its root r / 2^62: Newton's method, as in soft_div
    uint64_t d = s << 10;
    float guess = inversesqrt(float(uint(d >> 40)) * 5.9604644775390625e-8f);
    uint64_t r = packUint2x32(uvec2(0u, uint(guess * 1073741824.0f)));
    r = mul_hi_u64(r, 0x3000000000000000UL - mul_hi_u64(d, mul_hi_u64(r, r))) << 3;
    r = mul_hi_u64(r, 0x3000000000000000UL - mul_hi_u64(d, mul_hi_u64(r, r))) << 3;
    r = mul_hi_u64(r, 0x3000000000000000UL - mul_hi_u64(d, mul_hi_u64(r, r))) << 3;
    // the root of s * 2^56, and what its square lacks
    uint64_t q = mul_hi_u64(d, r) >> 7;
    uint64_t left = (s << 56) - q * q;
    bool above = left >= SOFT_SIGN;
    q -= uint64_t(above);
    left += mix(0UL, 2UL * q + 1UL, above);
    bool below = left > 2UL * q;
    left -= mix(0UL, 2UL * q + 1UL, below);
    q += uint64_t(below);
    uint64_t root = soft_rounded(0UL, (e + 1 - odd) / 2 + 511, (q << 8) | uint64_t(left != 0UL));
    root = mix(root, SOFT_NAN, a >= SOFT_SIGN);
    root = mix(root, a, zero);
    root = mix(root, a, a == SOFT_INFINITY);
    return mix(root, SOFT_NAN, soft_magnitude(a) > SOFT_INFINITY);
}

bool soft_are_numbers(const uint64_t a, const uint64_t b) {
    return max(soft_magnitude(a), soft_magnitude(b)) <= SOFT_INFINITY;
}

// An integer in the order of the numbers; both zeros have one.
uint64_t soft_order(const uint64_t a) {
    return mix(a ^ (SOFT_SIGN | (0UL - (a >> 63))), SOFT_SIGN, soft_magnitude(a) == 0UL);
}

bool soft_eq(const uint64_t a, const uint64_t b) { return mix(false, soft_order(a) == soft_order(b), soft_are_numbers(a, b)); }

bool soft_ne(const uint64_t a, const uint64_t b) { return !soft_eq(a, b); }

bool soft_lt(const uint64_t a, const uint64_t b) { return mix(false, soft_order(a) < soft_order(b), soft_are_numbers(a, b)); }

bool soft_le(const uint64_t a, const uint64_t b) { return mix(false, soft_order(a) <= soft_order(b), soft_are_numbers(a, b)); }

uint64_t soft_min(const uint64_t a, const uint64_t b) { return mix(a, b, soft_lt(b, a)); }

uint64_t soft_max(const uint64_t a, const uint64_t b) { return mix(a, b, soft_lt(a, b)); }

uint64_t soft_of_f32(const float x) {
    uint bits = floatBitsToUint(x);
    uint magnitude = bits & 0x7fffffffu;
    uint sign = bits & 0x80000000u;
    // a subnormal one is shifted up to 24 bits
    int up = max(clz_u32(magnitude) - 8, 0);
    uint exponent = (magnitude >> 23) + 896u + uint(up == 0 ? 0 : 1 - up);
    uint fraction = (magnitude << up) & 0x7fffffu;
    uint high = (exponent << 20) | (fraction >> 3);
    high = mix(high, 0u, magnitude == 0u);
    high = mix(high, 0x7ff00000u, magnitude >= 0x7f800000u);
    return mix(packUint2x32(uvec2(fraction << 29, sign | high)), SOFT_NAN, magnitude > 0x7f800000u);
}

float soft_to_f32(const uint64_t a) {
    uint sign = uint(a >> 32) & 0x80000000u;
    int e;
    uint64_t s = soft_significand(a, e);
    e -= 896;
    // with seven bits below, the lowest of which stands for what was lost
    uint x = uint(soft_shifted(s, 22 + max(1 - e, 0)));
    bool tie = (x & 0x7fu) == 0x40u;
    x = ((x + 0x40u) >> 7) & ~uint(tie);
    x = mix((uint(max(e, 1) - 1) << 23) + x, 0x7f800000u, e > 254);
    return uintBitsToFloat(mix(sign | x, 0x7fc00000u, soft_magnitude(a) > SOFT_INFINITY));
}

uint64_t soft_of_u64(const uint64_t x) {
    int zeros = clz_u64(x);
    uint64_t m = mix(x << max(zeros - 1, 0), (x >> 1) | (x & 1UL), zeros == 0);
    return mix(soft_rounded(0UL, 1086 - zeros, m), 0UL, x == 0UL);
}

uint64_t soft_of_i64(const int64_t x) {
    uint64_t bits = uint64_t(x);
    uint64_t sign = bits & SOFT_SIGN;
    return sign | soft_of_u64(mix(bits, 0UL - bits, sign != 0UL));
}

uint64_t soft_of_u32(const uint x) { return soft_of_u64(packUint2x32(uvec2(x, 0u))); }

uint64_t soft_of_i32(const int x) {
    uint bits = uint(x);
    uint sign = bits & 0x80000000u;
    return packUint2x32(uvec2(0u, sign)) | soft_of_u32(mix(bits, 0u - bits, sign != 0u));
}

// Toward zero, of what is in range.
uint64_t soft_whole(const uint64_t a) {
    int e = soft_exponent(a) - 1075;
    uint64_t m = (a & (SOFT_ONE - 1UL)) | SOFT_ONE;
    return (m >> clamp(-e, 0, 63)) << clamp(e, 0, 63);
}

uint64_t soft_to_u64(const uint64_t a) { return soft_whole(a); }

int64_t soft_to_i64(const uint64_t a) {
    uint64_t whole = soft_whole(a);
    return int64_t(mix(whole, 0UL - whole, a >= SOFT_SIGN));
}

uint soft_to_u32(const uint64_t a) { return unpackUint2x32(soft_whole(a)).x; }

int soft_to_i32(const uint64_t a) {
    int whole = int(unpackUint2x32(soft_whole(a)).x);
    return mix(whole, -whole, a >= SOFT_SIGN);
}

// What keeps a compiler from leaving out functions that nothing calls yet.
void keep_doubles() {
    soft_add(0UL, 0UL);
    soft_sub(0UL, 0UL);
    soft_mul(0UL, 0UL);
    soft_div(0UL, 0UL);
    soft_sqrt(0UL);
    soft_eq(0UL, 0UL);
    soft_ne(0UL, 0UL);
    soft_lt(0UL, 0UL);
    soft_le(0UL, 0UL);
    soft_min(0UL, 0UL);
    soft_max(0UL, 0UL);
    soft_of_f32(0.0f);
    soft_to_f32(0UL);
    soft_of_u64(0UL);
    soft_of_i64(int64_t(0));
    soft_of_u32(0u);
    soft_of_i32(0);
    soft_to_u64(0UL);
    soft_to_i64(0UL);
    soft_to_u32(0UL);
    soft_to_i32(0UL);
}
