// f32 by way of f64: rounded once from a value that is right to about 2^-52, so that it is the nearest f32 but for one case in 2^28.
// Division and sqrt are exactly IEEE that way (53 >= 2*24 + 2), which they are not on every GPU.

float div_f32(float x, float y) { return float(double(x) / double(y)); }

float sqrt_f32(float x) { return float(sqrt(double(x))); }

float rsqrt_f32(float x) { return div_f32(1.0f, sqrt_f32(x)); }

double rsqrt_f64(double x) { return 1.0lf / sqrt(x); }

// 2^-300 and 2^300 are beyond all that is not zero or infinite, so that the product is exact, and rounded once.
float ldexp_f32(float x, int n) { return float(double(x) * power_of_two(clamp(n, -300, 300))); }

float polygamma_f32(int n, float x) { return float(polygamma_f64(n, double(x))); }

float polygamma_f16(int n, float x) { return conv_f64_f16(polygamma_f64(n, double(x))); }
