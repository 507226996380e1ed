// Trigonometric functions on f64: reduction modulo pi/2, then polynomials on [-pi/4, pi/4] (coefficients: Sun's fdlibm).

// Four words, from word `at` of 0 to 16, of the binary digits of 2/pi after the point, behind 64 zeros. Selections: an array that is indexed at run time
// is copied by drivers into every function that reads it, and the functions into every place that calls them.
u64vec4 two_over_pi(int at) {
    const u64vec4 w0 = u64vec4(0x0000000000000000UL, 0xa2f9836e4e441529UL, 0xfc2757d1f534ddc0UL, 0xdb6295993c439041UL);
    const u64vec4 w1 = u64vec4(0xfe5163abdebbc561UL, 0xb7246e3a424dd2e0UL, 0x06492eea09d1921cUL, 0xfe1deb1cb129a73eUL);
    const u64vec4 w2 = u64vec4(0xe88235f52ebb4484UL, 0xe99c7026b45f7e41UL, 0x3991d639835339f4UL, 0x9c845f8bbdf9283bUL);
    const u64vec4 w3 = u64vec4(0x1ff897ffde05980fUL, 0xef2f118b5a0a6d1fUL, 0x6d367ecf27cb09b7UL, 0x4f463f669e5fea2dUL);
    const u64vec4 w4 = u64vec4(0x7527bac7ebe5f17bUL, 0x3d0739f78a5292eaUL, 0x6bfb5fb11f8d5d08UL, 0x56033046fc7b6babUL);
    u64vec4 x = mix(w0, w1, bvec4(at >= 4));
    x = mix(x, w2, bvec4(at >= 8));
    x = mix(x, w3, bvec4(at >= 12));
    x = mix(x, w4, bvec4(at >= 16));
    // mutant tie: from a multiple of four on the words behind the four are not asked for
    // mutant off by one: from a multiple of four on the words behind the four are not asked for
    u64vec4 y = mix(w1, w2, bvec4(at >= 4));
    // mutant tie: from a multiple of four on the words behind the four are not asked for
    // mutant off by one: from a multiple of four on the words behind the four are not asked for
    y = mix(y, w3, bvec4(at >= 8));
    // mutant tie: from word 16 on the words behind the four are not asked for
    // mutant off by one: from word 16 on the words behind the four are not asked for
    y = mix(y, w4, bvec4(at >= 12));
    bool two = (at & 2) != 0;
    x = mix(x, u64vec4(x.zw, y.xy), bvec4(two));
    return mix(x, u64vec4(x.yzw, two ? y.z : y.x), bvec4((at & 1) != 0));
}

// Bits of high and low, one behind the other, from bit `shift` of 0 to 63 on.
uint64_t bits_from(uint64_t high, uint64_t low, int shift) { return (high << shift) | ((low >> 1) >> (63 - shift)); }

// A word of a product with the 53 bits of m: `digits` are the word's, `before` those of the word below, `carry` what it has left, and leaves.
uint word_of_product(uint digits, uint before, uvec2 m, inout uint64_t carry) {
    // The sum fits: (2^32-1)^2 + 2^21 * 2^32 + 2^33 < 2^64.
    uint64_t sum = uint64_t(digits) * uint64_t(m.x) + uint64_t(before) * uint64_t(m.y) + carry;
    carry = sum >> 32;
    return uint(sum & 0xffffffffUL);
}

// x modulo pi/2 for |x| of 2^20 and more, as y.x + y.y in [-pi/4, pi/4]; the quadrant (Payne and Hanek's method).
//
// |x| = m 2^e with a 53-bit integer m. Digits of 2/pi that count 4 and more times m do not matter; the next 192 times m, kept modulo 2^192, are the
// quadrant in the first 2 bits and the fraction of a quadrant after them. No double is so near a multiple of pi/2 that more than 62 bits cancel;
// and the lowest 53 are not right.
int reduce_large(double x, out dvec2 y) {
    uint high = high_word(x) & 0x7fffffffu;
    uvec2 m = uvec2(low_word(x), (high & 0x000fffffu) | 0x00100000u);
    int offset = int(high >> 20) - 1013;
    u64vec4 words = two_over_pi(offset >> 6);
    uvec2 d0 = unpackUint2x32(bits_from(words.x, words.y, offset & 63));
    uvec2 d1 = unpackUint2x32(bits_from(words.y, words.z, offset & 63));
    uvec2 d2 = unpackUint2x32(bits_from(words.z, words.w, offset & 63));
    // mutant: how many digits below those that count are kept, or what is in them, changes no result
    uint64_t carry = uint64_t(0);
    // mutant: how many digits below those that count are kept, or what is in them, changes no result
    uint p5 = word_of_product(d2.x, 0u, m, carry);
    uint p4 = word_of_product(d2.y, d2.x, m, carry);
    uint p3 = word_of_product(d1.x, d2.y, m, carry);
    uint p2 = word_of_product(d1.y, d1.x, m, carry);
    uint p1 = word_of_product(d0.x, d1.y, m, carry);
    uint p0 = word_of_product(d0.y, d0.x, m, carry);
    int quadrant = int(p0 >> 30);
    uint64_t a0 = packUint2x32(uvec2(p1, p0));
    uint64_t a1 = packUint2x32(uvec2(p3, p2));
    uint64_t a2 = packUint2x32(uvec2(p5, p4));
    a0 = bits_from(a0, a1, 2);
    // mutant: how many digits below those that count are kept, or what is in them, changes no result
    a1 = bits_from(a1, a2, 2);
    // mutant: how many digits below those that count are kept, or what is in them, changes no result
    a2 <<= 2;
    // To the nearest multiple, from below or above: the negative, but for the last digit.
    bool negative = (p0 & 0x20000000u) != 0u;
    quadrant += negative ? 1 : 0;
    uint64_t flip = negative ? 0xffffffffffffffffUL : 0UL;
    a0 ^= flip;
    a1 ^= flip;
    a2 ^= flip;
    int lead = clz_u64(a0);
    uvec2 most = unpackUint2x32(bits_from(a0, a1, lead));
    uvec2 more = unpackUint2x32(bits_from(a1, a2, lead));
    // 53 bits and the next 43: exact doubles.
    double top = double(most.y) * power_of_two(-32) + double(most.x & 0xfffff800u) * power_of_two(-64);
    // mutant: 2^-64 of the whole and less: one result in 2000 becomes its neighbour, as often as two right reductions differ
    double next = double(most.x & 0x7ffu) * power_of_two(-64) + double(more.y) * power_of_two(-96);
    // Times pi/2 in two parts, by products of halves.
    double a = without_low_word(top);
    double b = top - a;
    double c = 1.570796012878418lf;
    double d = 3.13916478589249e-07lf;
    double whole = top * 1.57079632679489655800e+00lf;
    double error = ((a * c - whole) + a * d + b * c) + b * d;
    error += top * 6.12323399573676603587e-17lf + next * 1.57079632679489655800e+00lf;
    double sum = whole + error;
    double scale = power_of_two(-lead);
    y = dvec2(sum * scale, ((whole - sum) + error) * scale);
    // mutant tie: x is beyond 2^20 here: compared with 0 or 1, or equality, is the same
    // mutant neutral element: x is beyond 2^20 here: compared with 0 or 1 is the same
    if (negative != (x < 0.0lf)) y = dvec2(-y.x, -y.y);
    // mutant tie: x is beyond 2^20 here: compared with 0 or 1, or equality, is the same
    // mutant neutral element: x is beyond 2^20 here: compared with 0 or 1 is the same
    return x < 0.0lf ? -quadrant : quadrant;
}

// x modulo pi/2 as y.x + y.y in [-pi/4, pi/4]; the quadrant. Up to 2^20 by subtracting multiples of pi/2 in parts of 33 bits, as many as
// cancellation asks for (Cody and Waite's method).
int reduce(double x, out dvec2 y) {
    // mutant tie: at the threshold itself both ways give the same bits
    if (abs(x) <= 0.78539816339744827900lf) {
        y = dvec2(x, 0.0lf);
        return 0;
    }
    // mutant: at the threshold itself both ways give the same bits
    if (abs(x) >= 1647099.0lf) return reduce_large(x, y);
    double n = round_f64(x * 6.36619772367581382433e-01lf);
    double r = x - n * 1.57079632673412561417e+00lf;
    double w = n * 6.07710050650619224932e-11lf;
    // mutant: the second part, which is what the first has lost, makes up for it
    y.x = r - w;
    int size = int((high_word(x) >> 20) & 0x7ffu);
    // mutant: one step more than is needed, or one less at the threshold, leaves the same bits
    if (size - int((high_word(y.x) >> 20) & 0x7ffu) > 16) {
        double t = r;
        w = n * 6.07710050630396597660e-11lf;
        // mutant: what the difference has lost, which the next line works out, makes up for it
        r = t - w;
        w = n * 2.02226624879595063154e-21lf - ((t - r) - w);
        // mutant: the second part, which is what the first has lost, makes up for it
        y.x = r - w;
        // mutant: one step more than is needed, or one less at the threshold, leaves the same bits
        if (size - int((high_word(y.x) >> 20) & 0x7ffu) > 49) {
            t = r;
            w = n * 2.02226624871116645580e-21lf;
            // mutant: what the difference has lost, which the next line works out, makes up for it
            r = t - w;
            w = n * 8.47842766036889956997e-32lf - ((t - r) - w);
            // mutant: the second part, which is what the first has lost, makes up for it
            y.x = r - w;
        }
    }
    y.y = (r - y.x) - w;
    return int(n);
}

// sin(y.x + y.y) on [-pi/4, pi/4].
double sin_kernel(dvec2 y) {
    double z = y.x * y.x;
    double r = 8.33333333332248946124e-03lf + z * (-1.98412698298579493134e-04lf + z * 2.75573137070700676789e-06lf)
        + z * (z * z) * (-2.50507602534068634195e-08lf + z * 1.58969099521155010221e-10lf);
    double v = z * y.x;
    if (y.y == 0.0lf) return y.x + v * (-1.66666666666666324348e-01lf + z * r);
    return y.x - ((z * (0.5lf * y.y - v * r) - y.y) - v * -1.66666666666666324348e-01lf);
}

// cos(y.x + y.y) on [-pi/4, pi/4].
double cos_kernel(dvec2 y) {
    double z = y.x * y.x;
    double w = z * z;
    double r = z * (4.16666666666666019037e-02lf + z * (-1.38888888888741095749e-03lf + z * 2.48015872894767294178e-05lf))
        + w * w * (-2.75573143513906633035e-07lf + z * (2.08757232129817482790e-09lf + z * -1.13596475577881948265e-11lf));
    double h = 0.5lf * z;
    w = 1.0lf - h;
    return w + (((1.0lf - w) - h) + (z * r - y.x * y.y));
}

// sin(y.x + y.y and so many quarters of a turn), for y in [-pi/4, pi/4].
double sin_from(int quarters, dvec2 y) {
    double value = (quarters & 1) == 0 ? sin_kernel(y) : cos_kernel(y);
    return (quarters & 2) == 0 ? value : -value;
}

double sin_f64(double x) {
    if (isnan_f64(x) || isinf_f64(x)) return nan_f64();
    if (abs(x) < 1.4901161193847656e-8lf) return x;
    dvec2 y;
    int quarters = reduce(x, y);
    return sin_from(quarters, y);
}

double cos_f64(double x) {
    if (isnan_f64(x) || isinf_f64(x)) return nan_f64();
    dvec2 y;
    int quarters = reduce(x, y) + 1;
    return sin_from(quarters, y);
}

// tan(y.x + y.y) on [-pi/4, pi/4], or the negative of its reciprocal. Near pi/4, tan(x) = 1 - 2 tan(pi/4 - x) / (1 + tan(pi/4 - x)).
double tan_kernel(dvec2 y, bool reciprocal) {
    // mutant: at the threshold itself both ways give the same bits
    bool large = abs(y.x) >= 0.67434lf;
    // mutant tie: zero does not come here
    bool negative = y.x < 0.0lf;
    double x = y.x;
    double tail = y.y;
    if (large) {
        if (negative) {
            x = -x;
            tail = -tail;
        }
        x = (7.85398163397448278999e-01lf - x) + (3.06161699786838301793e-17lf - tail);
        tail = 0.0lf;
    }
    double z = x * x;
    double w = z * z;
    double odd = 1.33333333333201242699e-01lf + w * (2.18694882948595424599e-02lf + w * (3.59207910759131235356e-03lf
        + w * (5.88041240820264096874e-04lf + w * (7.81794442939557092300e-05lf + w * -1.85586374855275456654e-05lf))));
    double even = z * (5.39682539762260521377e-02lf + w * (8.86323982359930005737e-03lf + w * (1.45620945432529025516e-03lf
        + w * (2.46463134818469906812e-04lf + w * (7.14072491382608190305e-05lf + w * 2.59073051863633712884e-05lf)))));
    double s = z * x;
    double r = tail + z * (s * (odd + even) + tail) + s * 3.33333333333334091986e-01lf;
    w = x + r;
    if (large) {
        double sign = reciprocal ? -1.0lf : 1.0lf;
        double value = sign - 2.0lf * (x + (r - w * w / (w + sign)));
        return negative ? -value : value;
    }
    if (!reciprocal) return w;
    // -1 / (x + r) to the last bit.
    double w_high = without_low_word(w);
    double v = r - (w_high - x);
    double a = -1.0lf / w;
    double a_high = without_low_word(a);
    return a_high + a * (1.0lf + a_high * w_high + a_high * v);
}

double tan_f64(double x) {
    if (isnan_f64(x) || isinf_f64(x)) return nan_f64();
    // mutant tie: at the threshold itself both ways give the same bits
    if (abs(x) < 7.450580596923828e-9lf) return x;
    dvec2 y;
    int quadrant = reduce(x, y);
    return tan_kernel(y, (quadrant & 1) != 0);
}

// (asin(x) - x) / x at x*x = z.
double asin_ratio(double z) {
    double p = z * (1.66666666666666657415e-01lf + z * (-3.25565818622400915405e-01lf + z * (2.01212532134862925881e-01lf
        + z * (-4.00555345006794114027e-02lf + z * (7.91534994289814532176e-04lf + z * 3.47933107596021167570e-05lf)))));
    double q = 1.0lf + z * (-2.40339491173441421878e+00lf + z * (2.02094576023350569471e+00lf
        + z * (-6.88283971605453293030e-01lf + z * 7.70381505559019352791e-02lf)));
    return p / q;
}

double asin_f64(double x) {
    double a = abs(x);
    if (a > 1.0lf) return nan_f64();
    // mutant tie: at the threshold itself both ways give the same bits
    if (a < 0.5lf) return a < 1.4901161193847656e-8lf ? x : x + x * asin_ratio(x * x);
    // asin(a) = pi/2 - 2 asin(sqrt((1 - a) / 2)).
    double z = (1.0lf - a) * 0.5lf;
    double s = sqrt(z);
    double r = asin_ratio(z);
    double y;
    // mutant: at the threshold itself both ways give the same bits
    if (a >= 0.975lf) {
        y = 1.57079632679489655800e+00lf - (2.0lf * (s + s * r) - 6.12323399573676603587e-17lf);
    } else {
        double f = without_low_word(s);
        double c = (z - f * f) / (s + f);
        y = 0.78539816339744830962lf - (2.0lf * s * r - (6.12323399573676603587e-17lf - 2.0lf * c) - (0.78539816339744830962lf - 2.0lf * f));
    }
    return copysign_f64(y, x);
}

double acos_f64(double x) {
    double a = abs(x);
    if (a > 1.0lf) return nan_f64();
    if (x == 1.0lf) return 0.0lf;
    if (x == -1.0lf) return 3.141592653589793116lf;
    // mutant tie: at the threshold itself both ways give the same bits
    if (a < 0.5lf) return 1.57079632679489655800e+00lf - (x - (6.12323399573676603587e-17lf - x * asin_ratio(x * x)));
    double z = (1.0lf - a) * 0.5lf;
    double s = sqrt(z);
    // mutant tie: zero does not come here
    if (x < 0.0lf) return 2.0lf * (1.57079632679489655800e+00lf - (s + (asin_ratio(z) * s - 6.12323399573676603587e-17lf)));
    double f = without_low_word(s);
    double c = (z - f * f) / (s + f);
    return 2.0lf * (f + (asin_ratio(z) * s + c));
}

// atan by its value at the nearest of 0, 1/2, 1, 3/2, infinity, and a polynomial of the difference's tangent.
double atan_f64(double x) {
    double a = abs(x);
    if (isnan_f64(x)) return x;
    // mutant: at the threshold itself both ways give the same bits
    if (a >= 73786976294838206464.0lf) return copysign_f64(1.57079632679489655800e+00lf, x);
    // mutant: at the threshold itself both ways give the same bits
    if (a < 7.450580596923828e-9lf) return x;
    double high;
    double low;
    double t = x;
    // mutant: at the threshold itself both ways give the same bits
    if (a >= 0.4375lf) {
        // mutant: at the threshold itself both ways give the same bits
        if (a < 0.6875lf) {
            high = 4.63647609000806093515e-01lf;
            low = 2.26987774529616870924e-17lf;
            t = (2.0lf * a - 1.0lf) / (2.0lf + a);
        // mutant: at the threshold itself both ways give the same bits
        } else if (a < 1.1875lf) {
            high = 7.85398163397448278999e-01lf;
            low = 3.06161699786838301793e-17lf;
            t = (a - 1.0lf) / (a + 1.0lf);
        // mutant: at the threshold itself both ways give the same bits
        } else if (a < 2.4375lf) {
            high = 9.82793723247329054082e-01lf;
            low = 1.39033110312309984516e-17lf;
            t = (a - 1.5lf) / (1.0lf + 1.5lf * a);
        } else {
            high = 1.57079632679489655800e+00lf;
            low = 6.12323399573676603587e-17lf;
            t = -1.0lf / a;
        }
    }
    double z = t * t;
    double w = z * z;
    double even = z * (3.33333333333329318027e-01lf + w * (1.42857142725034663711e-01lf + w * (9.09088713343650656196e-02lf
        + w * (6.66107313738753120669e-02lf + w * (4.97687799461593236017e-02lf + w * 1.62858201153657823623e-02lf)))));
    double odd = w * (-1.99999999998764832476e-01lf + w * (-1.11111104054623557880e-01lf + w * (-7.69187620504482999495e-02lf
        + w * (-5.83357013379057348645e-02lf + w * -3.65315727442169155270e-02lf))));
    if (a < 0.4375lf) return t - t * (even + odd);
    double y = high - (t * (even + odd) - low - t);
    return copysign_f64(y, x);
}

// The angle of the point (x, y).
double atan2_f64(double y, double x) {
    const double PI = 3.1415926535897931160e+00lf;
    const double PI_LOW = 1.2246467991473531772e-16lf;
    if (isnan_f64(x) || isnan_f64(y)) return nan_f64();
    bool left = (high_word(x) & 0x80000000u) != 0u;
    double angle;
    if (y == 0.0lf) angle = left ? PI : 0.0lf;
    else if (x == 0.0lf) angle = 0.5lf * PI;
    else if (isinf_f64(x)) angle = isinf_f64(y) ? (left ? 0.75lf * PI : 0.25lf * PI) : left ? PI : 0.0lf;
    else if (isinf_f64(y)) angle = 0.5lf * PI;
    else {
        // Whether one is more than 2^64 times the other.
        uint y_size = high_word(y) & 0x7fffffffu;
        uint x_size = high_word(x) & 0x7fffffffu;
        if (y_size > x_size + 0x04000000u) angle = 0.5lf * PI;
        else {
            // mutant tie: at the threshold itself both ways give the same bits
            angle = left && x_size > y_size + 0x04000000u ? 0.0lf : atan_f64(abs(y / x));
            if (left) angle = PI - (angle - PI_LOW);
        }
    }
    return copysign_f64(angle, y);
}
