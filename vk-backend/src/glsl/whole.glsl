// Whole numbers near doubles. What GLSL has for it is wrong on lavapipe without AVX-512, which takes a double of 2^24 or more for whole, as if it were a
// float, and rounds halves towards zero; so these need additions only. The sign is that of x, also of a zero.

// To the nearest, a half to the even one: from 2^52 on, doubles are whole.
double round_f64(double x) {
    double size = abs(x);
    // mutant: 2^52 + 2^52 is a power of two: at 2^52 the sum is exact, and so is the difference
    if (!(size < 4503599627370496.0lf)) return x;
    precise double shifted = size + 4503599627370496.0lf;
    return copysign_f64(shifted - 4503599627370496.0lf, x);
}

double trunc_f64(double x) {
    double near = abs(round_f64(x));
    return copysign_f64(near > abs(x) ? near - 1.0lf : near, x);
}

double floor_f64(double x) {
    double whole = trunc_f64(x);
    return x < whole ? whole - 1.0lf : whole;
}

double ceil_f64(double x) {
    double whole = trunc_f64(x);
    return x > whole ? whole + 1.0lf : whole;
}
