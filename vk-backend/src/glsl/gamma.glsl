// The gamma function, its logarithm and the derivatives of that, on f64.

// The sum of Lanczos's approximation with g = 6.024680040776729583740234375, as a quotient of polynomials (coefficients: Boost's), for x from 0 to 184.
double lanczos(double x) {
    double p = 2.5066282746310002lf;
    p = p * x + 210.82427775157936lf;
    p = p * x + 8071.672002365816lf;
    p = p * x + 186056.26539522348lf;
    p = p * x + 2876370.6289353725lf;
    p = p * x + 31426415.585400194lf;
    p = p * x + 248874557.86205417lf;
    p = p * x + 1439720407.3117216lf;
    p = p * x + 6039542586.352028lf;
    p = p * x + 17921034426.03721lf;
    p = p * x + 35711959237.35567lf;
    p = p * x + 42919803642.6491lf;
    p = p * x + 23531376880.41076lf;
    double q = x + 66.0lf;
    q = q * x + 1925.0lf;
    q = q * x + 32670.0lf;
    q = q * x + 357423.0lf;
    q = q * x + 2637558.0lf;
    q = q * x + 13339535.0lf;
    q = q * x + 45995730.0lf;
    q = q * x + 105258076.0lf;
    q = q * x + 150917976.0lf;
    q = q * x + 120543840.0lf;
    q = q * x + 39916800.0lf;
    return p / (q * x);
}

double gamma_f64(double x) {
    if (isnan_f64(x)) return x;
    double a = abs(x);
    // mutant tie: x is infinite here
    // mutant neutral element: x is infinite here: compared with 0 or 1 is the same
    if (isinf_f64(x)) return x < 0.0lf ? nan_f64() : x;
    // mutant tie: at the threshold itself both ways are as precise
    if (a < 5.551115123125783e-17lf) return 1.0lf / x;
    double whole = floor_f64(x);
    if (x == whole) {
        // mutant neutral element: a whole number below 1 is negative here, as 0 does not come here
        if (x < 0.0lf) return nan_f64();
        // mutant tie: at the threshold itself both ways are as precise
        if (x <= 23.0lf) {
            // exact
            double product = 1.0lf;
            for (double k = 2.0lf; k < x; k += 1.0lf) {
                TICK;
                product *= k;
            }
            return product;
        }
    }
    // mutant tie: at 184 itself the formula is infinite, too, and 0 does not come here
    if (a >= 184.0lf) return x > 0.0lf ? inf_f64() : 0.5lf * whole == floor_f64(0.5lf * x) ? 0.0lf : -0.0lf;
    // (a + g - 1/2) to the a - 1/2, over e to the a + g - 1/2, times the sum; what rounding the first has lost makes up a term
    double y = a + 5.524680040776729583740234375lf;
    double lost = a > 5.524680040776729583740234375lf ? (y - a) - 5.524680040776729583740234375lf : (y - 5.524680040776729583740234375lf) - a;
    double z = a - 0.5lf;
    double r = lanczos(a) * exp_f64(-y);
    // mutant tie: zero does not come here
    if (x < 0.0lf) {
        // by reflection
        r = -3.141592653589793116lf / (sinpi_f64(a) * a * r);
        lost = -lost;
        z = -z;
    }
    r += lost * 6.024680040776729583740234375lf * r / y;
    // in two steps, of which none overflows before the whole does
    double root = pow_f64(y, 0.5lf * z);
    return r * root * root;
}

// The logarithm of gamma at 2 - y, at its minimum plus y, and at 1 + y (coefficients, of this and what follows: Sun's fdlibm).
double lgamma_below_2(double y) {
    double z = y * y;
    double p = 7.72156649015328655494e-02lf + z * (6.73523010531292681824e-02lf + z * (7.38555086081402883957e-03lf
        + z * (1.19270763183362067845e-03lf + z * (2.20862790713908385557e-04lf + z * 2.52144565451257326939e-05lf))));
    double q = z * (3.22467033424113591611e-01lf + z * (2.05808084325167332806e-02lf + z * (2.89051383673415629091e-03lf
        + z * (5.10069792153511336608e-04lf + z * (1.08011567247583939954e-04lf + z * 4.48640949618915160150e-05lf)))));
    return (y * p + q) - 0.5lf * y;
}

double lgamma_near_minimum(double y) {
    double z = y * y;
    double w = z * y;
    double p = 4.83836122723810047042e-01lf + w * (-3.27885410759859649565e-02lf + w * (6.10053870246291332635e-03lf
        + w * (-1.40346469989232843813e-03lf + w * 3.15632070903625950361e-04lf)));
    double q = -1.47587722994593911752e-01lf + w * (1.79706750811820387126e-02lf + w * (-3.68452016781138256760e-03lf
        + w * (8.81081882437654011382e-04lf + w * -3.12754168375120860518e-04lf)));
    double r = 6.46249402391333854778e-02lf + w * (-1.03142241298341437450e-02lf + w * (2.25964780900612472250e-03lf
        + w * (-5.38595305356740546715e-04lf + w * 3.35529192635519073543e-04lf)));
    return -1.21486290535849611461e-01lf + (z * p - (-3.63867699703950536541e-18lf - w * (q + y * r)));
}

double lgamma_above_1(double y) {
    double p = y * (-7.72156649015328655494e-02lf + y * (6.32827064025093366517e-01lf + y * (1.45492250137234768737e+00lf
        + y * (9.77717527963372745603e-01lf + y * (2.28963728064692451092e-01lf + y * 1.33810918536787660377e-02lf)))));
    double q = 1.0lf + y * (2.45597793713041134822e+00lf + y * (2.12848976379893395361e+00lf + y * (7.69285150456672783825e-01lf
        + y * (1.04222645593369134254e-01lf + y * 3.21709242282423911810e-03lf))));
    return -0.5lf * y + p / q;
}

// What lgamma is for x from 2 to 8 at 2 plus the fraction y, and what it is from 8 on by Stirling's series, with the logarithm t of x.
double lgamma_above_2(double y) {
    double p = y * (-7.72156649015328655494e-02lf + y * (2.14982415960608852501e-01lf + y * (3.25778796408930981787e-01lf
        + y * (1.46350472652464452805e-01lf + y * (2.66422703033638609560e-02lf + y * (1.84028451407337715652e-03lf + y * 3.19475326584100867617e-05lf))))));
    double q = 1.0lf + y * (1.39200533467621045958e+00lf + y * (7.21935547567138069525e-01lf + y * (1.71933865632803078993e-01lf
        + y * (1.86459191715652901344e-02lf + y * (7.77942496381893596434e-04lf + y * 7.32668430744625636189e-06lf)))));
    return 0.5lf * y + p / q;
}

double lgamma_from_8(double x, double t) {
    // mutant tie: at the threshold itself both ways give the same bits
    if (x >= 288230376151711744.0lf) return x * (t - 1.0lf);
    double z = 1.0lf / x;
    double y = z * z;
    double w = 4.18938533204672725052e-01lf + z * (8.33333333333329678849e-02lf + y * (-2.77777777728775536470e-03lf
        + y * (7.93650558643019558500e-04lf + y * (-5.95187557450339963135e-04lf + y * (8.36339918996282139126e-04lf + y * -1.63092934096575273989e-03lf)))));
    return (x - 0.5lf) * (t - 1.0lf) + w;
}

// For x >= 0. There is one logarithm: of x, or from 2 to 8 of the product of what lies between x and 2.
double lgamma_positive(double x) {
    if (x == 1.0lf) return 0.0lf;
    double whole = floor_f64(x);
    double fraction = x - whole;
    // mutant tie: at the threshold itself both ways are as precise
    bool middle = x >= 2.0lf && x < 8.0lf;
    double product = middle ? 1.0lf : x;
    for (double k = whole - 1.0lf; middle && k >= 2.0lf; k -= 1.0lf) {
        TICK;
        product *= fraction + k;
    }
    double t = log_f64(product);
    if (middle) return lgamma_above_2(fraction) + t;
    if (x >= 8.0lf) return lgamma_from_8(x, t);
    // by that of x + 1 where x is near 0, so that y is what x or x + 1 is beyond 1
    // mutant tie: at the threshold itself both ways are as precise
    bool low = x <= 0.9lf;
    double y = low ? x : x - 1.0lf;
    double r = low ? -t : 0.0lf;
    // mutant tie: at the threshold itself both ways are as precise
    if (y >= 0.7316lf) return r + lgamma_below_2(1.0lf - y);
    // mutant tie: at the threshold itself both ways are as precise
    if (y >= 0.2316lf) return r + lgamma_near_minimum(y - (1.46163214496836224576lf - 1.0lf));
    return r + lgamma_above_1(y);
}

double lgamma_f64(double x) {
    if (isnan_f64(x)) return x;
    double a = abs(x);
    if (isinf_f64(x)) return a;
    double r = lgamma_positive(a);
    // mutant tie: zero is smaller than the threshold, at which both ways are as precise
    if (x > 0.0lf || a < 8.470329472543003e-22lf) return r;
    // by reflection
    double t = abs(sinpi_f64(a));
    if (t == 0.0lf) return inf_f64();
    return log_f64(3.141592653589793116lf / (t * a)) - r;
}

// The first derivative, for x > 0: the asymptotic series (DLMF 5.11.2) from 12 on.
double digamma(double x) {
    double sum = 0.0lf;
    while (x < 12.0lf) {
        TICK;
        sum -= 1.0lf / x;
        x += 1.0lf;
    }
    double y = 1.0lf / (x * x);
    // mutant dropped term: what the last terms of the series come to is below the rounding
    double series = -174611.0lf / 6600.0lf * y;
    // mutant sign: what the last terms of the series come to is below the rounding
    series = (series + 43867.0lf / 14364.0lf) * y;
    series = (series - 3617.0lf / 8160.0lf) * y;
    series = (series + 1.0lf / 12.0lf) * y;
    series = (series - 691.0lf / 32760.0lf) * y;
    series = (series + 1.0lf / 132.0lf) * y;
    series = (series - 1.0lf / 240.0lf) * y;
    series = (series + 1.0lf / 252.0lf) * y;
    series = (series - 1.0lf / 120.0lf) * y;
    series = (series + 1.0lf / 12.0lf) * y;
    return sum + (log_f64(x) - 0.5lf / x - series);
}

// n! / a to the n + 1, for n > 0: for large n neither overflows before their quotient does.
double zeta_term(int n, double a) {
    double s = double(n) + 1.0lf;
    if (n > 20) return exp_f64(lgamma_from_8(s, log_f64(s)) - s * log_f64(a));
    double factorial = 1.0lf;
    for (int k = 2; k <= n; k++) {
        TICK;
        factorial *= double(k);
    }
    return factorial * pow_f64(a, -s);
}

// n! times Hurwitz's zeta at n + 1 and x, for n, x > 0: see Note [Polygamma] in core's prim/special.rs.
double scaled_zeta(int n, double x) {
    double s = double(n) + 1.0lf;
    double a = x;
    double sum = 0.0lf;
    double t;
    for (;;) {
        TICK;
        t = zeta_term(n, a);
        if (a >= s + 12.0lf) break;
        sum += t;
        if (t <= sum * 1e-18lf) return sum;
        a += 1.0lf;
    }
    // Euler and Maclaurin's formula, with the Bernoulli numbers of indices 2 to 20
    const double bernoulli[10] = double[](1.0lf / 6.0lf, -1.0lf / 30.0lf, 1.0lf / 42.0lf, -1.0lf / 30.0lf, 5.0lf / 66.0lf, -691.0lf / 2730.0lf,
        7.0lf / 6.0lf, -3617.0lf / 510.0lf, 43867.0lf / 798.0lf, -174611.0lf / 330.0lf);
    double factor = s / (2.0lf * a);
    double tail = a / (s - 1.0lf) + 0.5lf;
    for (int k = 0; k < 10; k++) {
        TICK;
        double i = 2.0lf * double(k) + 1.0lf;
        tail += bernoulli[k] * factor;
        factor *= (s + i) * (s + i + 1.0lf) / ((i + 2.0lf) * (i + 3.0lf) * a * a);
    }
    return sum + t * tail;
}

double polygamma_f64(int n, double x) {
    if (n < 0 || isnan_f64(x) || x == -inf_f64()) return nan_f64();
    bool even = (n & 1) == 0;
    double sign = even ? -1.0lf : 1.0lf;
    if (isinf_f64(x)) return n == 0 ? x : copysign_f64(0.0lf, sign);
    if (x == 0.0lf) return even ? sign / x : inf_f64();
    // mutant neutral element: a whole number below 1 is negative here, as 0 does not come here
    if (x < 0.0lf && x == floor_f64(x)) return even ? nan_f64() : inf_f64();
    if (n == 0) {
        double positive = digamma(x < 0.0lf ? 1.0lf - x : x);
        // mutant tie: zero does not come here
        return x < 0.0lf ? positive - 3.141592653589793116lf * cospi_f64(x) / sinpi_f64(x) : positive;
    }
    // one sum, or of a negative x three
    double rest = x - round_f64(x);
    double f = rest > 0.0lf ? rest : 1.0lf + rest;
    // mutant tie: of a negative x that is no whole number there is a rest, of others nobody asks for it
    double g = rest > 0.0lf ? 1.0lf - rest : -rest;
    // mutant neutral element: the first sum takes its place
    double sum = 0.0lf;
    // mutant tie: zero does not come here
    for (int k = 0; k < (x > 0.0lf ? 1 : 3); k++) {
        TICK;
        // mutant tie: zero does not come here
        double z = scaled_zeta(n, k == 2 ? f : k == 1 ? g : x > 0.0lf ? x : 1.0lf - x);
        sum = k == 2 ? z + sign * sum : k == 1 ? z - sum : z;
    }
    return sign * sum;
}
