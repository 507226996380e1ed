// x to the y on f64: log2 |x| in two parts, about 70 bits together, times y, and 2 to that (coefficients and splitting: Sun's fdlibm).

bool is_odd(double y) {
    double half_y = 0.5lf * y;
    return y == floor_f64(y) && half_y != floor_f64(half_y);
}

double pow_f64(double x, double y) {
    if (y == 0.0lf || x == 1.0lf) return 1.0lf;
    if (isnan_f64(x) || isnan_f64(y)) return nan_f64();
    bool negative = (high_word(x) & 0x80000000u) != 0u;
    double a = abs(x);
    if (isinf_f64(y)) {
        if (a == 1.0lf) return 1.0lf;
        // mutant tie: neither is a the 1 nor y the 0 of the comparison here
        // mutant neutral element: y is infinite here: compared with 0 or 1 is the same
        return (a > 1.0lf) == (y > 0.0lf) ? inf_f64() : 0.0lf;
    }
    double sign = negative && is_odd(y) ? -1.0lf : 1.0lf;
    // mutant tie: y is not 0 here
    if (a == 0.0lf || isinf_f64(a)) return sign * ((a == 0.0lf) == (y > 0.0lf) ? 0.0lf : inf_f64());
    if (negative && y != floor_f64(y)) return nan_f64();
    // mutant neutral element: the logarithm of 1 is 0, and its power 1: the rule only saves time
    if (a == 1.0lf) return sign;
    // mutant neutral element: the power 1 comes out as the base to the bit: the rule only saves time
    if (y == 1.0lf) return x;
    if (y == -1.0lf) return 1.0lf / x;
    if (y == 2.0lf) return x * x;
    if (y == 0.5lf) return sqrt(x);
    double log_high;
    double log_low;
    uint y_size = high_word(y) & 0x7fffffffu;
    uint size = high_word(a);
    if (y_size > 0x41e00000u) {
        // |y| > 2^31: the power overflows or underflows unless x is within 2^-20 of 1, where log(x) is a short series.
        if (size < 0x3fefffffu || size > 0x3ff00000u) {
            // mutant tie: y is not 0 here, and the size is not that of 1
            // mutant neutral element: y is beyond 2^31 here: compared with 0 or 1 is the same
            return sign * ((size > 0x3ff00000u) == (y > 0.0lf) ? inf_f64() : 0.0lf);
        }
        double t = a - 1.0lf;
        double w = (t * t) * (0.5lf - t * (0.3333333333333333333333lf - t * 0.25lf));
        double u = 1.44269502162933349609e+00lf * t;
        double v = t * 1.92596299112661746887e-08lf - w * INVERSE_LN2;
        // mutant: where a sum is cut in two makes no difference: the second part is what the first has lost
        log_high = without_low_word(u + v);
        log_low = v - (log_high - u);
    } else {
        int n = 0;
        // mutant: at the threshold itself both ways give the same bits
        if (size < 0x00100000u) {
            a *= 9007199254740992.0lf;
            n = -53;
            size = high_word(a);
        }
        n += int(size >> 20) - 1023;
        uint fraction = size & 0x000fffffu;
        // a = 2^n a', a' near 1 or near 1.5.
        bool near_three_halves = fraction > 0x3988eu && fraction < 0xbb67au;
        size = fraction | 0x3ff00000u;
        if (fraction >= 0xbb67au) {
            n += 1;
            size -= 0x00100000u;
        }
        a = with_high_word(a, size);
        double base = near_three_halves ? 1.5lf : 1.0lf;
        // s = (a - base) / (a + base) in two parts; log(a / base) = 2 atanh s.
        double u = a - base;
        double v = 1.0lf / (a + base);
        double s = u * v;
        double s_high = without_low_word(s);
        // mutant neutral element `0u`: where a sum is cut in two makes no difference: the second part is what the first has lost
        double t_high = from_words(((size >> 1) | 0x20000000u) + 0x00080000u + (near_three_halves ? 0x40000u : 0u), 0u);
        double t_low = a - (t_high - base);
        double s_low = v * ((u - s_high * t_high) - s_high * t_low);
        double s2 = s * s;
        double r = s2 * s2 * (5.99999999999994648725e-01lf + s2 * (4.28571428578550184252e-01lf + s2 * (3.33333329818377432918e-01lf
            + s2 * (2.72728123808534006489e-01lf + s2 * (2.30660745775561754067e-01lf + s2 * 2.06975017800338417784e-01lf)))));
        r += s_low * (s_high + s);
        s2 = s_high * s_high;
        t_high = without_low_word(3.0lf + s2 + r);
        t_low = r - ((t_high - 3.0lf) - s2);
        u = s_high * t_high;
        v = s_low * t_high + t_low * s;
        // mutant: where a sum is cut in two makes no difference: the second part is what the first has lost
        double p_high = without_low_word(u + v);
        double p_low = v - (p_high - u);
        double z_high = 9.61796700954437255859e-01lf * p_high;
        double z_low = -7.02846165095275826516e-09lf * p_high + p_low * 9.61796693925975554329e-01lf
            + (near_three_halves ? 1.35003920212974897128e-08lf : 0.0lf);
        double t = double(n);
        double base_high = near_three_halves ? 5.84962487220764160156e-01lf : 0.0lf;
        // mutant: where a sum is cut in two makes no difference: the second part is what the first has lost
        log_high = without_low_word(((z_high + z_low) + base_high) + t);
        log_low = z_low - (((log_high - t) - base_high) - z_high);
    }
    // y log2(a) in two parts.
    double y_high = without_low_word(y);
    double p_low = (y - y_high) * log_high + y * log_low;
    double p_high = y_high * log_high;
    double z = p_low + p_high;
    // mutant: at 1024 itself the comparison in the branch, or the scaling after it, gives infinity
    if (z >= 1024.0lf) {
        // mutant tie: the two sums differ by more than a rounding, or are equal to the same result
        // mutant sign: only where the power is the largest number, or the next beyond, to half a unit; the scaling after it rounds to the same
        if (z > 1024.0lf || p_low + 8.0085662595372944372e-17lf > z - p_high) return sign * inf_f64();
    // mutant: at -1075 itself the scaling after it gives 0, too
    } else if (z <= -1075.0lf) {
        // mutant tie: at -1075 itself the scaling after it gives 0, too
        // mutant sign: only within a rounding of half the least number; the scaling after it rounds to the same
        if (z < -1075.0lf || p_low <= z - p_high) return copysign_f64(0.0lf, sign);
    }
    int n = 0;
    if ((high_word(z) & 0x7fffffffu) > 0x3fe00000u) {
        n = int(floor_f64(z + 0.5lf));
        p_high -= double(n);
    }
    double t = without_low_word(p_low + p_high);
    double u = t * 6.93147182464599609375e-01lf;
    double v = (p_low - (t - p_high)) * 6.93147180559945286227e-01lf + t * -1.90465429995776804525e-09lf;
    z = u + v;
    double w = v - (z - u);
    t = exp_polynomial(z);
    double r = (z * t) / (t - 2.0lf) - (w + z * w);
    return sign * scale_f64(1.0lf - (r - z), n);
}
