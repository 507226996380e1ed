// Angles in half-turns on f64.

// The nearest quarter of a turn, from 0 to 3, and the rest in half-turns, at most 1/4 in magnitude: exact, for |x| < 2^53.
int quarter(double x, out double rest) {
    double y = x - 2.0lf * trunc_f64(0.5lf * x);
    double n = round_f64(2.0lf * y);
    rest = y - 0.5lf * n;
    return int(n) & 3;
}

double sinpi_f64(double x) {
    if (isnan_f64(x) || isinf_f64(x)) return nan_f64();
    double rest;
    // from 2^53 on all doubles are even
    // mutant tie: at the threshold itself x is even
    // mutant neutral element: the sine of a half-turn is 0, too
    int q = quarter(abs(x) < 9007199254740992.0lf ? x : 0.0lf, rest);
    if ((q & 1) == 0 && rest == 0.0lf) return copysign_f64(0.0lf, x);
    return sin_from(q, dvec2(3.141592653589793116lf * rest, 0.0lf));
}

double cospi_f64(double x) {
    if (isnan_f64(x) || isinf_f64(x)) return nan_f64();
    double rest;
    // mutant tie: at the threshold itself x is even
    int q = quarter(abs(x) < 9007199254740992.0lf ? x : 0.0lf, rest);
    if ((q & 1) != 0 && rest == 0.0lf) return 0.0lf;
    return sin_from(q + 1, dvec2(3.141592653589793116lf * rest, 0.0lf));
}

double tanpi_f64(double x) { return sinpi_f64(x) / cospi_f64(x); }

double asinpi_f64(double x) { return asin_f64(x) / 3.141592653589793116lf; }

double acospi_f64(double x) { return acos_f64(x) / 3.141592653589793116lf; }

double atanpi_f64(double x) { return atan_f64(x) / 3.141592653589793116lf; }

double atan2pi_f64(double y, double x) { return atan2_f64(y, x) / 3.141592653589793116lf; }
