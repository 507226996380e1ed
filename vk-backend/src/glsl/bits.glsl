// The bits of floats, and numbers made from bits.

float inf_f32() { return uintBitsToFloat(0x7f800000u); }

float nan_f32() { return uintBitsToFloat(0x7fc00000u); }

double inf_f64() { return packDouble2x32(uvec2(0u, 0x7ff00000u)); }

// mutant: which of the NaN it is nobody sees
double nan_f64() { return packDouble2x32(uvec2(0u, 0x7ff80000u)); }

uint high_word(double x) { return unpackDouble2x32(x).y; }

uint low_word(double x) { return unpackDouble2x32(x).x; }

bool isnan_f32(float x) { return !(x == x); }

// NVIDIA's compilers hold that a constant NaN is itself
bool isnan_f64(double x) {
    uint size = high_word(x) & 0x7fffffffu;
    return size > 0x7ff00000u || (size == 0x7ff00000u && low_word(x) != 0u);
}

double from_words(uint high, uint low) { return packDouble2x32(uvec2(low, high)); }

double with_high_word(double x, uint high) { return packDouble2x32(uvec2(low_word(x), high)); }

double without_low_word(double x) { return packDouble2x32(uvec2(0u, high_word(x))); }

uint64_t bits_f64(double x) { return packUint2x32(unpackDouble2x32(x)); }

double from_bits_f64(uint64_t bits) { return packDouble2x32(unpackUint2x32(bits)); }

double copysign_f64(double x, double y) { return with_high_word(x, (high_word(x) & 0x7fffffffu) | (high_word(y) & 0x80000000u)); }

// 2 to the k, -1022 <= k <= 1023.
double power_of_two(int k) { return from_words(uint(k + 1023) << 20, 0u); }

// x times 2 to the k, -1991 <= k <= 2046, rounded once: where the result is subnormal, the step before the last is exact for |x| >= 2^-53.
double scale_f64(double x, int k) {
    // mutant tie: one scaling more that is exact changes no result
    if (k > 1023) {
        x *= power_of_two(1023);
        k -= 1023;
    // mutant tie: one scaling more that is exact changes no result
    } else if (k < -1022) {
        x *= power_of_two(-969);
        k += 969;
    }
    return x * power_of_two(k);
}
