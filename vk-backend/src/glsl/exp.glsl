// exp, expm1 and the hyperbolic functions on f64.
//
// x = k ln 2 + r with |r| <= ln(2)/2, ln 2 in two parts so that r is exact to its last bit. On that interval
// r (exp(r) + 1) / (exp(r) - 1) is a polynomial in r*r up to an error below 2^-59 (coefficients of that minimax polynomial: Sun's fdlibm).

const double LN2_HIGH = 6.93147180369123816490e-01lf;

const double LN2_LOW = 1.90821492927058770002e-10lf;

const double INVERSE_LN2 = 1.44269504088896338700e+00lf;

double exp_polynomial(double r) {
    double z = r * r;
    double p = 4.13813679705723846039e-08lf;
    p = -1.65339022054652515390e-06lf + z * p;
    p = 6.61375632143793436117e-05lf + z * p;
    p = -2.77777777770155933842e-03lf + z * p;
    p = 1.66666666666666019037e-01lf + z * p;
    return r - z * p;
}

double exp_f64(double x) {
    if (isnan_f64(x)) return x;
    if (x > 709.782712893383973096lf) return inf_f64();
    if (x < -745.133219101941108420lf) return 0.0lf;
    double high = x;
    double low = 0.0lf;
    int k = 0;
    uint size = high_word(x) & 0x7fffffffu;
    // mutant: at the threshold itself both ways give the same bits
    if (size > 0x3fd62e42u) {
        k = int(INVERSE_LN2 * x + copysign_f64(0.5lf, x));
        high = x - double(k) * LN2_HIGH;
        low = double(k) * LN2_LOW;
    // mutant: at the threshold itself both ways give the same bits
    } else if (size <= 0x3e300000u) {
        return 1.0lf + x;
    }
    double r = high - low;
    double c = exp_polynomial(r);
    double y = 1.0lf + (r * c / (2.0lf - c) - low + high);
    return k == 0 ? y : scale_f64(y, k);
}

// exp(x) - 1 for the same reduction, with a correction for what rounding r has lost; the cases of k keep the difference exact.
double expm1_f64(double x) {
    if (isnan_f64(x)) return x;
    if (x > 709.782712893383973096lf) return inf_f64();
    // mutant tie: at the threshold itself both ways give the same bits
    if (x < -38.816242111356935lf) return -1.0lf;
    uint size = high_word(x) & 0x7fffffffu;
    // mutant: at the threshold itself both ways give the same bits
    if (size < 0x3c900000u) return x;
    double r = x;
    double lost;
    int k = 0;
    // mutant: at the threshold itself both ways give the same bits
    if (size > 0x3fd62e42u) {
        k = int(INVERSE_LN2 * x + copysign_f64(0.5lf, x));
        double high = x - double(k) * LN2_HIGH;
        double low = double(k) * LN2_LOW;
        r = high - low;
        lost = (high - r) - low;
    }
    double half_r = 0.5lf * r;
    double z = r * half_r;
    double q = -2.01099218183624371326e-07lf;
    q = 4.00821782732936239552e-06lf + z * q;
    q = -7.93650757867487942473e-05lf + z * q;
    q = 1.58730158725481460165e-03lf + z * q;
    q = -3.33333333333331316428e-02lf + z * q;
    double p = 1.0lf + z * q;
    double t = 3.0lf - p * half_r;
    double e = z * ((p - t) / (6.0lf - r * t));
    if (k == 0) return r - (r * e - z);
    e = (r * (e - lost) - lost) - z;
    if (k == -1) return 0.5lf * (r - e) - 0.5lf;
    // mutant tie: at the threshold itself both ways give the same bits
    if (k == 1) return r < -0.25lf ? -2.0lf * (e - (r + 0.5lf)) : 1.0lf + 2.0lf * (r - e);
    // mutant tie: k is not 0 here, and at 56 both forms give the same bits
    // mutant off by one: k is neither 0 nor 1 here, and at 57 both forms give the same bits
    if (k < 0 || k > 56) {
        double y = r - e + 1.0lf;
        y = k == 1024 ? y * 2.0lf * power_of_two(1023) : y * power_of_two(k);
        return y - 1.0lf;
    }
    double tail = power_of_two(-k);
    // mutant tie: at the threshold itself both ways give the same bits
    // mutant off by one: at 20 both forms give the same bits
    return k < 20 ? (r - e + (1.0lf - tail)) * power_of_two(k) : (r - (e + tail) + 1.0lf) * power_of_two(k);
}

// exp(x) / 2 where exp(x) itself overflows: scaled down by an exactly representable multiple of ln 2.
double exp_halved(double x) { return exp_f64(x - 1416.0996898839683lf) * power_of_two(1021) * power_of_two(1021); }

double cosh_f64(double x) {
    double a = abs(x);
    if (isnan_f64(x)) return x;
    // mutant: at the threshold itself both ways give the same bits
    if (a < 0.69314718055994530942lf) {
        // mutant tie: at the threshold itself both ways give the same bits
        if (a < 3.725290298461914e-9lf) return 1.0lf;
        double t = expm1_f64(a);
        return 1.0lf + t * t / (2.0lf * (1.0lf + t));
    }
    // mutant: at the threshold itself both ways give the same bits
    if (a < 709.782712893383973096lf) {
        double t = exp_f64(a);
        return 0.5lf * (t + 1.0lf / t);
    }
    return exp_halved(a);
}

double sinh_f64(double x) {
    double half_sign = copysign_f64(0.5lf, x);
    double a = abs(x);
    // mutant: at the threshold itself both ways give the same bits
    if (a < 709.782712893383973096lf) {
        double t = expm1_f64(a);
        // mutant tie: at the threshold itself both ways give the same bits
        if (a < 1.0lf) return a < 1.4901161193847656e-8lf ? x : half_sign * (2.0lf * t - t * t / (t + 1.0lf));
        return half_sign * (t + t / (t + 1.0lf));
    }
    return 2.0lf * half_sign * exp_halved(a);
}

double tanh_f64(double x) {
    double a = abs(x);
    double t;
    // mutant: at the threshold itself both ways give the same bits
    if (a > 0.54930614433405484570lf) {
        // mutant tie: at the threshold itself both ways give the same bits
        if (a > 20.0lf) t = 1.0lf;
        else t = 1.0lf - 2.0lf / (expm1_f64(2.0lf * a) + 2.0lf);
    // mutant: at the threshold itself both ways give the same bits
    } else if (a > 0.25541281188299534160lf) {
        t = expm1_f64(2.0lf * a);
        t = t / (t + 2.0lf);
    // mutant: at the threshold itself both ways give the same bits
    } else if (a >= 2.2250738585072014e-308lf) {
        t = expm1_f64(-2.0lf * a);
        t = -t / (t + 2.0lf);
    } else {
        t = a;
    }
    return copysign_f64(t, x);
}
