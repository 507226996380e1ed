// 64-bit floats in integers, for devices that have none (device/doubles.rs): each function is an operation of IEEE 754 on the bits of its operands, rounded to the nearest, ties to even. All NaN
// are one. Parameters are constant, so that they are passed as values. None has a loop: drivers copy a function to each of its calls, and some count rounds.

const uint64_t SOFT_SIGN = 0x8000000000000000UL;

const uint64_t SOFT_INFINITY = 0x7ff0000000000000UL;

const uint64_t SOFT_NAN = 0x7ff8000000000000UL;

const uint64_t SOFT_ONE = 0x10000000000000UL;

uint64_t soft_magnitude(const uint64_t a) { return a & 0x7fffffffffffffffUL; }

bool soft_isnan(const uint64_t a) { return soft_magnitude(a) > SOFT_INFINITY; }

bool soft_isinf(const uint64_t a) { return soft_magnitude(a) == SOFT_INFINITY; }

int soft_exponent(const uint64_t a) { return int(uint(a >> 52) & 0x7ffu); }

// The significand, with the bit that is not stored, of a number that is not zero, as one of 53 bits; and the exponent that belongs to it, below 1 for a subnormal number.
uint64_t soft_significand(const uint64_t a, out int e) {
    uint64_t fraction = a & (SOFT_ONE - 1UL);
    e = soft_exponent(a);
    if (e > 0) return fraction | SOFT_ONE;
    int up = clz_u64(fraction) - 11;
    e = 1 - up;
    return fraction << up;
}

// The same, as it stands, with ten bits below: a subnormal one has the exponent 1.
uint64_t soft_fixed(const uint64_t a, out int e) {
    uint64_t fraction = a & (SOFT_ONE - 1UL);
    e = max(soft_exponent(a), 1);
    return (soft_exponent(a) > 0 ? fraction | SOFT_ONE : fraction) << 10;
}

// x divided by 2 to the n; the lowest bit is set if anything was lost.
uint64_t soft_shifted(const uint64_t x, const int n) {
    if (n <= 0) return x;
    if (n > 63) return x == 0UL ? 0UL : 1UL;
    return (x >> n) | ((x << (64 - n)) == 0UL ? 0UL : 1UL);
}

// The number next to m * 2^(e - 1085), where m is below 2^63 and its lowest bit may stand for what was lost; it is at least 2^62, unless e is at most 1.
uint64_t soft_rounded(const uint64_t sign, const int e, const uint64_t m) {
    if (e > 0x7fe) return sign | SOFT_INFINITY;
    uint64_t x = e > 0 ? m : soft_shifted(m, 1 - e);
    bool tie = (x & 0x3ffUL) == 0x200UL;
    x = (x + 0x200UL) >> 10;
    if (tie) x &= ~1UL;
    // the bit that is not stored adds one to the exponent, and so does a carry
    return sign | ((packUint2x32(uvec2(uint(max(e, 1) - 1), 0u)) << 52) + x);
}

uint64_t soft_add(const uint64_t a, const uint64_t b) {
    bool first = soft_magnitude(a) >= soft_magnitude(b);
    uint64_t x = first ? a : b;
    uint64_t y = first ? b : a;
    bool differ = ((x ^ y) & SOFT_SIGN) != 0UL;
    // NaN is above all
    if (soft_magnitude(x) >= SOFT_INFINITY) return soft_isnan(x) || (soft_isinf(y) && differ) ? SOFT_NAN : x;
    int e;
    int other;
    uint64_t m = soft_fixed(x, e);
    uint64_t n = soft_fixed(y, other);
    n = soft_shifted(n, e - other);
    m = differ ? m - n : m + n;
    if (m == 0UL) return differ ? 0UL : x;
    int up = min(clz_u64(m) - 1, e - 1);
    return soft_rounded(x & SOFT_SIGN, e - up, up < 0 ? (m >> 1) | (m & 1UL) : m << up);
}

uint64_t soft_sub(const uint64_t a, const uint64_t b) { return soft_add(a, b ^ SOFT_SIGN); }

uint64_t soft_mul(const uint64_t a, const uint64_t b) {
    uint64_t sign = (a ^ b) & SOFT_SIGN;
    bool zero = soft_magnitude(a) == 0UL || soft_magnitude(b) == 0UL;
    bool infinite = soft_isinf(a) || soft_isinf(b);
    if (soft_isnan(a) || soft_isnan(b) || (zero && infinite)) return SOFT_NAN;
    if (zero) return sign;
    if (infinite) return sign | SOFT_INFINITY;
    // the product of numbers from 1 to 2, times 2^61
    int e;
    int other;
    uint64_t x = soft_significand(a, e) << 10;
    uint64_t y = soft_significand(b, other) << 11;
    uint64_t m = mul_hi_u64(x, y) | (x * y == 0UL ? 0UL : 1UL);
    bool low = m < 0x4000000000000000UL;
    return soft_rounded(sign, e + other - (low ? 1023 : 1022), low ? m << 1 : m);
}

// A first guess, right to 20 bits and more, from which Newton's method gets to 40, and then as far as there are bits; the remainder tells what the last place is.
uint64_t soft_div(const uint64_t a, const uint64_t b) {
    uint64_t sign = (a ^ b) & SOFT_SIGN;
    bool infinite = soft_isinf(a);
    bool zero = soft_magnitude(a) == 0UL;
    if (soft_isnan(a) || soft_isnan(b)) return SOFT_NAN;
    if (infinite && soft_isinf(b) || zero && soft_magnitude(b) == 0UL) return SOFT_NAN;
    if (infinite || soft_magnitude(b) == 0UL) return sign | SOFT_INFINITY;
    if (zero || soft_isinf(b)) return sign;
    int e;
    int other;
    uint64_t x = soft_significand(a, e);
    uint64_t y = soft_significand(b, other);
    e += 1023 - other;
    if (x < y) {
        x <<= 1;
        e -= 1;
    }
    // d / 2^64 is from 1/2 to 1, its reciprocal r / 2^62
    uint64_t d = y << 11;
    float guess = 1.0f / (float(uint(d >> 40)) * 5.9604644775390625e-8f);
    uint64_t r = packUint2x32(uvec2(0u, uint(guess * 1073741824.0f)));
    r = mul_hi_u64(r, SOFT_SIGN - mul_hi_u64(d, r)) << 2;
    r = mul_hi_u64(r, SOFT_SIGN - mul_hi_u64(d, r)) << 2;
    // x / y from 1 to 2, times 2^55, and what is missing there
    uint64_t q = mul_hi_u64(x << 10, r) >> 6;
    uint64_t left = (x << 55) - q * y;
    if (left >= SOFT_SIGN) {
        q -= 1UL;
        left += y;
    }
    if (left >= y) {
        q += 1UL;
        left -= y;
    }
    return soft_rounded(sign, e, (q << 7) | (left == 0UL ? 0UL : 1UL));
}

uint64_t soft_sqrt(const uint64_t a) {
    if (soft_isnan(a) || (a > SOFT_SIGN)) return SOFT_NAN;
    if (soft_magnitude(a) == 0UL || soft_isinf(a)) return a;
    // s * 2^(e - 1023 - 52) with an even power of two
    int e;
    uint64_t s = soft_significand(a, e);
    bool odd = (e & 1) == 0;
    if (odd) s <<= 1;
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
    if (left >= SOFT_SIGN) {
        q -= 1UL;
        left += 2UL * q + 1UL;
    }
    if (left > 2UL * q) {
        left -= 2UL * q + 1UL;
        q += 1UL;
    }
    return soft_rounded(0UL, (odd ? e : e + 1) / 2 + 511, (q << 8) | (left == 0UL ? 0UL : 1UL));
}

bool soft_eq(const uint64_t a, const uint64_t b) {
    return !soft_isnan(a) && !soft_isnan(b) && (a == b || soft_magnitude(a | b) == 0UL);
}

bool soft_ne(const uint64_t a, const uint64_t b) { return !soft_eq(a, b); }

bool soft_lt(const uint64_t a, const uint64_t b) {
    if (soft_isnan(a) || soft_isnan(b) || soft_magnitude(a | b) == 0UL) return false;
    bool negative = a >= SOFT_SIGN;
    if (negative != (b >= SOFT_SIGN)) return negative;
    return negative ? b < a : a < b;
}

bool soft_le(const uint64_t a, const uint64_t b) { return soft_lt(a, b) || soft_eq(a, b); }

uint64_t soft_min(const uint64_t a, const uint64_t b) { return soft_lt(b, a) ? b : a; }

uint64_t soft_max(const uint64_t a, const uint64_t b) { return soft_lt(a, b) ? b : a; }

uint64_t soft_of_f32(const float x) {
    uint bits = floatBitsToUint(x);
    uint magnitude = bits & 0x7fffffffu;
    uint sign = bits & 0x80000000u;
    if (magnitude > 0x7f800000u) return SOFT_NAN;
    if (magnitude == 0x7f800000u) return packUint2x32(uvec2(0u, sign | 0x7ff00000u));
    if (magnitude == 0u) return packUint2x32(uvec2(0u, sign));
    // a subnormal one is shifted up to 24 bits
    int up = max(clz_u32(magnitude) - 8, 0);
    bool small = magnitude < 0x800000u;
    uint exponent = small ? uint(897 - up) : (magnitude >> 23) + 896u;
    uint fraction = (small ? magnitude << up : magnitude) & 0x7fffffu;
    return packUint2x32(uvec2(fraction << 29, sign | (exponent << 20) | (fraction >> 3)));
}

float soft_to_f32(const uint64_t a) {
    uint sign = uint(a >> 32) & 0x80000000u;
    if (soft_isnan(a)) return uintBitsToFloat(0x7fc00000u);
    if (soft_magnitude(a) == 0UL) return uintBitsToFloat(sign);
    int e;
    uint64_t s = soft_significand(a, e);
    e -= 896;
    if (e > 254) return uintBitsToFloat(sign | 0x7f800000u);
    // with seven bits below, the lowest of which stands for what was lost
    uint64_t m = soft_shifted(s, 22 + max(1 - e, 0));
    uint x = uint(m);
    bool tie = (x & 0x7fu) == 0x40u;
    x = (x + 0x40u) >> 7;
    if (tie) x &= ~1u;
    return uintBitsToFloat(sign | ((uint(max(e, 1) - 1) << 23) + x));
}

uint64_t soft_of_u64(const uint64_t x) {
    if (x == 0UL) return 0UL;
    int zeros = clz_u64(x);
    return soft_rounded(0UL, 1086 - zeros, zeros == 0 ? soft_shifted(x, 1) : x << (zeros - 1));
}

uint64_t soft_of_i64(const int64_t x) {
    uint64_t bits = uint64_t(x);
    return bits >= SOFT_SIGN ? SOFT_SIGN | soft_of_u64(0UL - bits) : soft_of_u64(bits);
}

uint64_t soft_of_u32(const uint x) { return soft_of_u64(packUint2x32(uvec2(x, 0u))); }

uint64_t soft_of_i32(const int x) {
    uint64_t size = soft_of_u32(x < 0 ? 0u - uint(x) : uint(x));
    return x < 0 ? SOFT_SIGN | size : size;
}

// Toward zero, of what is in range.
uint64_t soft_whole(const uint64_t a) {
    int e = soft_exponent(a) - 1075;
    if (e < -52) return 0UL;
    uint64_t m = (a & (SOFT_ONE - 1UL)) | SOFT_ONE;
    return e < 0 ? m >> -e : m << min(e, 63);
}

uint64_t soft_to_u64(const uint64_t a) { return soft_whole(a); }

int64_t soft_to_i64(const uint64_t a) {
    uint64_t whole = soft_whole(a);
    return int64_t(a >= SOFT_SIGN ? 0UL - whole : whole);
}

uint soft_to_u32(const uint64_t a) { return unpackUint2x32(soft_whole(a)).x; }

int soft_to_i32(const uint64_t a) {
    int whole = int(unpackUint2x32(soft_whole(a)).x);
    return a >= SOFT_SIGN ? -whole : whole;
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
