// Roots, lengths and remainders on f64.

// The product of two doubles as x.x + x.y, exact unless it overflows or underflows (Dekker).
dvec2 exact_product(double a, double b) {
    double p = a * b;
    double t = 134217729.0lf * a;
    double a_high = t - (t - a);
    double a_low = a - a_high;
    t = 134217729.0lf * b;
    double b_high = t - (t - b);
    double b_low = b - b_high;
    return dvec2(p, ((a_high * b_high - p) + a_high * b_low + a_low * b_high) + a_low * b_low);
}

// A first guess by a third of the exponent, three steps of Newton's method, and one with the residue computed exactly.
double cbrt_f64(double x) {
    if (isnan_f64(x) || isinf_f64(x) || x == 0.0lf) return x;
    double a = abs(x);
    int shift = 0;
    // mutant: at the threshold itself both ways give the same bits
    if (high_word(a) < 0x00100000u) {
        a *= power_of_two(54);
        shift = -18;
    }
    int exponent = int(high_word(a) >> 20) - 1023;
    // mutant off by one `3072`: what is left is between 1/2 and 8, or 1/4 and 4: Newton's method finds the root from either
    int third = (exponent + 3072) / 3 - 1024;
    double m = with_high_word(a, (high_word(a) & 0x000fffffu) | (uint(1023 + exponent - 3 * third) << 20));
    // m in [1, 8); a parabola through its cube root's ends and middle.
    double r = 0.7lf + m * (0.2875lf - m * 0.0158lf);
    // mutant: one step more than is needed changes no result
    for (int i = 0; i < 3; i++) {
        TICK;
        r -= (r - m / (r * r)) / 3.0lf;
    }
    dvec2 square = exact_product(r, r);
    dvec2 cube = exact_product(square.x, r);
    double residue = ((cube.x - m) + cube.y) + square.y * r;
    r -= residue / (3.0lf * square.x);
    double y = r * power_of_two(third + shift);
    return copysign_f64(y, x);
}

double hypot_f64(double x, double y) {
    if (isinf_f64(x) || isinf_f64(y)) return inf_f64();
    if (isnan_f64(x) || isnan_f64(y)) return nan_f64();
    double a = max(abs(x), abs(y));
    double b = min(abs(x), abs(y));
    // mutant tie: at the threshold itself both ways give the same bits
    // mutant off by one: at 2^-64 of the other, a side does not count in either way
    if (b == 0.0lf || a * power_of_two(-64) > b) return a;
    double scale = 1.0lf;
    // mutant off by one: every power that keeps the squares in range gives the same bits
    // mutant tie: every power that keeps the squares in range gives the same bits
    if (a > power_of_two(510)) scale = power_of_two(-700);
    // mutant off by one: every power that keeps the squares in range gives the same bits
    // mutant tie: every power that keeps the squares in range gives the same bits
    else if (b < power_of_two(-450)) scale = power_of_two(700);
    a *= scale;
    b *= scale;
    dvec2 aa = exact_product(a, a);
    dvec2 bb = exact_product(b, b);
    return sqrt(bb.y + aa.y + bb.x + aa.x) / scale;
}

// The bits of a significand shifted so that its top bit is bit 52, and the exponent that goes with it.
uint64_t significand(uint64_t bits, out int exponent) {
    exponent = int(bits >> 52);
    if (exponent != 0) return (bits & 0xfffffffffffffUL) | 0x10000000000000UL;
    exponent = 1;
    while ((bits & 0x10000000000000UL) == 0UL) {
        TICK;
        bits <<= 1;
        exponent -= 1;
    }
    return bits;
}

// The remainder of division toward zero, with the sign of x: exact, by long division in binary.
double mod_f64(double x, double y) {
    if (isnan_f64(x) || isnan_f64(y) || isinf_f64(x) || y == 0.0lf) return nan_f64();
    uint64_t xs = bits_f64(abs(x));
    uint64_t ys = bits_f64(abs(y));
    if (xs < ys) return x;
    if (xs == ys) return copysign_f64(0.0lf, x);
    int ex;
    int ey;
    uint64_t a = significand(xs, ex);
    uint64_t b = significand(ys, ey);
    for (; ex > ey; ex--) {
        TICK;
        if (a >= b) a -= b;
        a <<= 1;
    }
    if (a >= b) a -= b;
    if (a == 0UL) return copysign_f64(0.0lf, x);
    while ((a & 0x10000000000000UL) == 0UL) {
        TICK;
        a <<= 1;
        ex -= 1;
    }
    // mutant off by one `0`: at exponent 1 both forms give the same bits
    uint64_t bits = ex > 0 ? (a & 0xfffffffffffffUL) | (uint64_t(ex) << 52) : a >> (1 - ex);
    return copysign_f64(from_bits_f64(bits), x);
}
