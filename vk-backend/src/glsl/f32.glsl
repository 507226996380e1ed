// f32 by way of f64: rounded once from a value that is right to about 2^-52, so that it is the nearest f32 but for one case in 2^28.
// Division and sqrt are exactly IEEE that way (53 >= 2*24 + 2), which they are not on every GPU.

float div_f32(float x, float y) { return float(double(x) / double(y)); }

float sqrt_f32(float x) { return float(sqrt(double(x))); }
