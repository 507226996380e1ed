// Logarithms on f64.
//
// x = 2^k (1 + f) with sqrt(1/2) < 1 + f < sqrt(2); with s = f / (2 + f), log(1 + f) = 2 atanh(s) = f - (f*f/2 - s (f*f/2 + R)), where R is a
// polynomial in s*s up to an error below 2^-58 (coefficients of that minimax polynomial: Sun's fdlibm).

double log_polynomial(double s) {
    double z = s * s;
    double w = z * z;
    double even = w * (3.999999999940941908e-01lf + w * (2.222219843214978396e-01lf + w * 1.531383769920937332e-01lf));
    double odd = z * (6.666666666666735130e-01lf
        + w * (2.857142874366239149e-01lf + w * (1.818357216161805012e-01lf + w * 1.479819860511658591e-01lf)));
    return odd + even;
}

// The results of log at arguments that have none: true if x is such.
bool log_special(double x, out double y) {
    y = x;
    if (x == 0.0lf) y = -inf_f64();
    // mutant tie: zero does not come here
    else if (x < 0.0lf) y = nan_f64();
    else if (!isnan_f64(x) && !isinf_f64(x)) return false;
    return true;
}

// x = 2^k m with sqrt(1/2) < m < sqrt(2), for x positive and finite.
double log_reduce(double x, out int k) {
    k = 0;
    // mutant: at the threshold itself both ways give the same bits
    if (high_word(x) < 0x00100000u) {
        x *= power_of_two(54);
        k = -54;
    }
    uint high = high_word(x) + (0x3ff00000u - 0x3fe6a09eu);
    k += int(high >> 20) - 1023;
    return with_high_word(x, (high & 0x000fffffu) + 0x3fe6a09eu);
}

double log_f64(double x) {
    double y;
    if (log_special(x, y)) return y;
    int k;
    double f = log_reduce(x, k) - 1.0lf;
    double half_square = 0.5lf * f * f;
    double s = f / (2.0lf + f);
    double r = log_polynomial(s);
    double n = double(k);
    return s * (half_square + r) + n * LN2_LOW - half_square + f + n * LN2_HIGH;
}

double log1p_f64(double x) {
    if (isnan_f64(x) || x == 0.0lf) return x;
    if (x <= -1.0lf) return x == -1.0lf ? -inf_f64() : nan_f64();
    if (isinf_f64(x)) return x;
    // mutant: at the threshold itself both ways give the same bits
    if (abs(x) < 1.1102230246251565e-16lf) return x;
    int k = 0;
    double f = x;
    double lost = 0.0lf;
    // Beyond sqrt(1/2) - 1 and sqrt(2) - 1.
    // mutant tie: at the threshold itself both ways give the same bits
    if (high_word(x) > (x < 0.0lf ? 0xbfd2bec4u : 0x3fda8279u)) {
        double u = 1.0lf + x;
        f = log_reduce(u, k) - 1.0lf;
        // What adding 1 has rounded away, relative to u.
        // mutant tie: at 54, and for either form at 2, what is lost is the same, or too little to count
        // mutant off by one: at 54, and for either form at 2, what is lost is the same, or too little to count
        if (k < 54) lost = (k >= 2 ? 1.0lf - (u - x) : x - (u - 1.0lf)) / u;
    }
    double half_square = 0.5lf * f * f;
    double s = f / (2.0lf + f);
    double r = log_polynomial(s);
    double n = double(k);
    return s * (half_square + r) + (n * LN2_LOW + lost) - half_square + f + n * LN2_HIGH;
}

// log(x) / log(base) as k * scale + log(1+f) * factor, with the parts of log(1+f) and of the factor split, so that powers of the base are exact.
double log_to_base(double x, double factor_high, double factor_low, double scale_high, double scale_low) {
    int k;
    double f = log_reduce(x, k) - 1.0lf;
    double half_square = 0.5lf * f * f;
    double s = f / (2.0lf + f);
    double r = log_polynomial(s);
    double high = without_low_word(f - half_square);
    double low = f - high - half_square + s * (half_square + r);
    double value_high = high * factor_high;
    double n = double(k);
    double value_low = n * scale_low + (low + high) * factor_low + low * factor_high;
    double whole = n * scale_high;
    double sum = whole + value_high;
    value_low += (whole - sum) + value_high;
    return value_low + sum;
}

double log2_f64(double x) {
    double y;
    if (log_special(x, y)) return y;
    return log_to_base(x, 1.44269504072144627571e+00lf, 1.67517131648865118353e-10lf, 1.0lf, 0.0lf);
}

double log10_f64(double x) {
    double y;
    if (log_special(x, y)) return y;
    return log_to_base(x, 4.34294481878168880939e-01lf, 2.50829467116452752298e-11lf,
        3.01029995663611771306e-01lf, 3.69423907715893078616e-13lf);
}

double asinh_f64(double x) {
    double a = abs(x);
    double y;
    // mutant: at the threshold itself both ways give the same bits
    if (a < 1.4901161193847656e-8lf) return x;
    if (a >= 67108864.0lf) y = log_f64(a) + 0.693147180559945309417232121458176568lf;
    // mutant tie: at the threshold itself both ways give the same bits
    else if (a >= 2.0lf) y = log_f64(2.0lf * a + 1.0lf / (sqrt(a * a + 1.0lf) + a));
    else y = log1p_f64(a + a * a / (sqrt(a * a + 1.0lf) + 1.0lf));
    return copysign_f64(y, x);
}

double acosh_f64(double x) {
    // mutant neutral element: between 0 and 1 the square root is of a negative number: NaN on the device of the tests, but undefined in GLSL
    if (x < 1.0lf) return nan_f64();
    // mutant tie: at the threshold itself both ways give the same bits
    if (x < 2.0lf) return log1p_f64(x - 1.0lf + sqrt((x - 1.0lf) * (x - 1.0lf) + 2.0lf * (x - 1.0lf)));
    if (x < 67108864.0lf) return log_f64(2.0lf * x - 1.0lf / (x + sqrt(x * x - 1.0lf)));
    return log_f64(x) + 0.693147180559945309417232121458176568lf;
}

double atanh_f64(double x) {
    double a = abs(x);
    // mutant: at the threshold itself both ways give the same bits
    if (a < 2.3283064365386963e-10lf) return x;
    // mutant tie: at the threshold itself both ways give the same bits
    double y = a < 0.5lf ? 0.5lf * log1p_f64(2.0lf * a + 2.0lf * a * a / (1.0lf - a)) : 0.5lf * log1p_f64(2.0lf * (a / (1.0lf - a)));
    return copysign_f64(y, x);
}
