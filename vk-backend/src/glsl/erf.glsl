// The error function on f64 (coefficients: Sun's fdlibm), with s = x*x near 0, |x| - 1 near 1, and 1/(x*x) beyond.

double erf_near_zero(double s) {
    double p = -2.37630166566501626084e-05lf;
    p = -5.77027029648944159157e-03lf + s * p;
    p = -2.84817495755985104766e-02lf + s * p;
    p = -3.25042107247001499370e-01lf + s * p;
    p = 1.28379167095512558561e-01lf + s * p;
    double q = -3.96022827877536812320e-06lf;
    q = 1.32494738004321644526e-04lf + s * q;
    q = 5.08130628187576562776e-03lf + s * q;
    q = 6.50222499887672944485e-02lf + s * q;
    q = 3.97917223959155352819e-01lf + s * q;
    q = 1.0lf + s * q;
    return p / q;
}

double erf_near_one(double s) {
    double p = -2.16637559486879084300e-03lf;
    p = 3.54783043256182359371e-02lf + s * p;
    p = -1.10894694282396677476e-01lf + s * p;
    p = 3.18346619901161753674e-01lf + s * p;
    p = -3.72207876035701323847e-01lf + s * p;
    p = 4.14856118683748331666e-01lf + s * p;
    p = -2.36211856075265944077e-03lf + s * p;
    double q = 1.19844998467991074170e-02lf;
    q = 1.36370839120290507362e-02lf + s * q;
    q = 1.26171219808761642112e-01lf + s * q;
    q = 7.18286544141962662868e-02lf + s * q;
    q = 5.40397917702171048937e-01lf + s * q;
    q = 1.06420880400844228286e-01lf + s * q;
    q = 1.0lf + s * q;
    return p / q;
}

double erfc_middle(double s) {
    double p = -9.81432934416914548592e+00lf;
    p = -8.12874355063065934246e+01lf + s * p;
    p = -1.84605092906711035994e+02lf + s * p;
    p = -1.62396669462573470355e+02lf + s * p;
    p = -6.23753324503260060396e+01lf + s * p;
    p = -1.05586262253232909814e+01lf + s * p;
    p = -6.93858572707181764372e-01lf + s * p;
    p = -9.86494403484714822705e-03lf + s * p;
    double q = -6.04244152148580987438e-02lf;
    q = 6.57024977031928170135e+00lf + s * q;
    q = 1.08635005541779435134e+02lf + s * q;
    q = 4.29008140027567833386e+02lf + s * q;
    q = 6.45387271733267880336e+02lf + s * q;
    q = 4.34565877475229228821e+02lf + s * q;
    q = 1.37657754143519042600e+02lf + s * q;
    q = 1.96512716674392571292e+01lf + s * q;
    q = 1.0lf + s * q;
    return p / q;
}

double erfc_far(double s) {
    double p = -4.83519191608651397019e+02lf;
    p = -1.02509513161107724954e+03lf + s * p;
    p = -6.37566443368389627722e+02lf + s * p;
    p = -1.60636384855821916062e+02lf + s * p;
    p = -1.77579549177547519889e+01lf + s * p;
    p = -7.99283237680523006574e-01lf + s * p;
    p = -9.86494292470009928597e-03lf + s * p;
    double q = -2.24409524465858183362e+01lf;
    q = 4.74528541206955367215e+02lf + s * q;
    q = 2.55305040643316442583e+03lf + s * q;
    q = 3.19985821950859553908e+03lf + s * q;
    q = 1.53672958608443695994e+03lf + s * q;
    q = 3.25792512996573918826e+02lf + s * q;
    q = 3.03380607434824582924e+01lf + s * q;
    q = 1.0lf + s * q;
    return p / q;
}

// erfc(a) for a >= 0.84375, as what is missing from or exceeds the value at 1.
double erfc_tail(double a) {
    if (a < 1.25lf) return 1.0lf - 8.45062911510467529297e-01lf - erf_near_one(a - 1.0lf);
    double s = 1.0lf / (a * a);
    // mutant: at the threshold itself both ways give the same bits
    double r = a < 2.857142857142857lf ? erfc_middle(s) : erfc_far(s);
    double z = without_low_word(a);
    return exp_f64(-z * z - 0.5625lf) * exp_f64((z - a) * (z + a) + r) / a;
}

double erf_f64(double x) {
    if (isnan_f64(x)) return x;
    double a = abs(x);
    // mutant: at the threshold itself both ways give the same bits
    if (a < 0.84375lf) {
        // mutant tie: at the threshold itself both ways give the same bits
        if (a < 3.725290298461914e-9lf) return 0.125lf * (8.0lf * x + 1.02703333676410069053e+00lf * x);
        return x + x * erf_near_zero(x * x);
    }
    // mutant tie: at the threshold itself both ways give the same bits
    double y = a < 6.0lf ? 1.0lf - erfc_tail(a) : 1.0lf;
    return copysign_f64(y, x);
}

double erfc_f64(double x) {
    if (isnan_f64(x)) return x;
    double a = abs(x);
    // mutant: at the threshold itself both ways give the same bits
    if (a < 0.84375lf) {
        double y = erf_near_zero(x * x);
        // mutant tie: at the threshold itself both ways give the same bits
        return x < 0.25lf ? 1.0lf - (x + x * y) : 0.5lf - (x - 0.5lf + x * y);
    }
    // mutant tie: at the threshold itself both ways give the same bits
    if (a >= 28.0lf) return 1.0lf - copysign_f64(1.0lf, x);
    // mutant tie: zero does not come here
    return x < 0.0lf ? 2.0lf - erfc_tail(a) : erfc_tail(a);
}
