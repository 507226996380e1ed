// x * y + z, rounded once: GLSL's fma may round twice.

// The product of two f32 is exact as f64. The sum is rounded to odd at 53 bits, so that the rounding to 24 is right: its error is exact (Knuth's sum of two).
float fma_f32(float x, float y, float z) {
    double p = double(x) * double(y);
    double c = double(z);
    double sum = p + c;
    double back = sum - p;
    double error = (p - (sum - back)) + (c - back);
    uint64_t bits = bits_f64(sum);
    if (error == 0.0lf || isnan_f64(error) || (bits & 1UL) != 0UL) return float(sum);
    return float(from_bits_f64((error > 0.0lf) == (sum > 0.0lf) ? bits + 1UL : bits - 1UL));
}

// The number high * 2^64 + low divided by 2 to the n, n >= 0; the lowest bit is set if anything was lost.
void shift_right_to_odd(inout uint64_t high, inout uint64_t low, int n) {
    bool lost = false;
    if (n >= 64) {
        lost = low != 0UL;
        low = high;
        high = 0UL;
        n = min(n - 64, 63);
    }
    if (n > 0) {
        lost = lost || (low << (64 - n)) != 0UL;
        low = (low >> n) | (high << (64 - n));
        high >>= n;
    }
    if (lost) low |= 1UL;
}

// By integers of 128 bits: the product of the significands (106 bits) and the third one, both with room below, so that what is shifted out and kept as an odd bit
// is far below the rounding.
double fma_f64(double x, double y, double z) {
    double product = x * y;
    if (isnan_f64(x) || isinf_f64(x) || isnan_f64(y) || isinf_f64(y) || x == 0.0lf || y == 0.0lf) return product + z;
    if (isnan_f64(z) || isinf_f64(z)) return z;
    if (z == 0.0lf) return product;
    int ex;
    int ey;
    int ez;
    uint64_t mx = significand(bits_f64(abs(x)), ex);
    uint64_t my = significand(bits_f64(abs(y)), ey);
    uint64_t mz = significand(bits_f64(abs(z)), ez);
    // in units of 2 to the e: at least 2^124, below 2^126
    uint64_t high = mul_hi_u64(mx, my);
    uint64_t low = mx * my;
    high = (high << 20) | (low >> 44);
    low <<= 20;
    int e = ex + ey - 2170;
    // the third, as far up as it fits
    int up = ez - 1075 - e;
    int shift = clamp(up, 0, 73);
    uint64_t other_high = shift >= 64 ? mz << (shift - 64) : shift > 0 ? mz >> (64 - shift) : 0UL;
    uint64_t other_low = shift >= 64 ? 0UL : mz << shift;
    if (up > shift) {
        shift_right_to_odd(high, low, up - shift);
        e += up - shift;
    }
    if (up < 0) shift_right_to_odd(other_high, other_low, -up);
    uint sign = (high_word(x) ^ high_word(y)) & 0x80000000u;
    if (sign == (high_word(z) & 0x80000000u)) {
        low += other_low;
        high += other_high + (low < other_low ? 1UL : 0UL);
    } else {
        bool less = high < other_high || (high == other_high && low < other_low);
        uint64_t a = less ? other_low : low;
        uint64_t b = less ? low : other_low;
        high = (less ? other_high - high : high - other_high) - (a < b ? 1UL : 0UL);
        low = a - b;
        if (less) sign ^= 0x80000000u;
        if ((high | low) == 0UL) return 0.0lf;
    }
    // to 53 bits, or less where the result is subnormal, and two bits more
    int top = high != 0UL ? 127 - clz_u64(high) : 63 - clz_u64(low);
    int drop = max(top - 52, -1074 - e);
    if (drop >= 2) shift_right_to_odd(high, low, drop - 2);
    else low <<= 2 - drop;
    uint64_t m = low >> 2;
    uint rest = uint(low & 3UL);
    if (rest > 2u || (rest == 2u && (m & 1UL) != 0UL)) m += 1UL;
    // an exponent one less, to which the significand's highest bit adds
    uint64_t bits = (packUint2x32(uvec2(uint(e + drop + 1074), 0u)) << 52) + m;
    bits = min(bits, 0x7ff0000000000000UL);
    return with_high_word(from_bits_f64(bits), uint(bits >> 32) | sign);
}

// x times 2 to the n, rounded once: a step that makes a subnormal is followed by none, or only by such as make it zero.
double ldexp_f64(double x, int n) {
    if (n > 0) {
        int first = min(n, 1023);
        int second = min(n - first, 1023);
        return x * power_of_two(first) * power_of_two(second) * power_of_two(min(n - first - second, 1023));
    }
    // by 2^-969: what is then subnormal has at least 53 bits more to lose
    if (n < -1022) {
        x *= power_of_two(-969);
        n += 969;
    }
    if (n < -1022) {
        x *= power_of_two(-969);
        n += 969;
    }
    return x * power_of_two(max(n, -1022));
}
