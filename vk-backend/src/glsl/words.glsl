// Operators on the bits of 32- and 64-bit words, as unsigned integers.

int popc_u32(uint x) { return bitCount(x); }

int popc_u64(uint64_t x) {
    uvec2 halves = unpackUint2x32(x);
    return bitCount(halves.x) + bitCount(halves.y);
}

int clz_u32(uint x) { return 31 - findMSB(x); }

int clz_u64(uint64_t x) {
    uvec2 halves = unpackUint2x32(x);
    return mix(32 + clz_u32(halves.x), clz_u32(halves.y), halves.y != 0u);
}

int ctz_u32(uint x) { return x == 0u ? 32 : findLSB(x); }

int ctz_u64(uint64_t x) {
    uvec2 halves = unpackUint2x32(x);
    return halves.x != 0u ? ctz_u32(halves.x) : 32 + ctz_u32(halves.y);
}

// Note [Products with a bit]
uint low_bit_u32(uint x) { return bitfieldExtract(x, 0, 1); }

int low_bit_i32(int x) { return int(low_bit_u32(uint(x))); }

uint64_t low_bit_u64(uint64_t x) { return uint64_t(low_bit_u32(unpackUint2x32(x).x)); }

int64_t low_bit_i64(int64_t x) { return int64_t(low_bit_u64(uint64_t(x))); }

// Beyond the width of a signed number its sign goes on.
int get_bit_i32(int i, int x) { return low_bit_i32(shr_i32(x, i)); }

int get_bit_i64(int i, int64_t x) {
    ivec2 halves = unpackInt2x32(x);
    return i < 0 || i >= 32 ? get_bit_i32(i < 0 ? i : i - 32, halves.y) : low_bit_i32(halves.x >> i);
}

int get_bit_u32(int i, uint x) { return int(low_bit_u32(shr_u32(x, uint(i)))); }

int get_bit_u64(int i, uint64_t x) {
    uvec2 halves = unpackUint2x32(x);
    return i < 0 || i >= 32 ? get_bit_u32(i < 0 ? i : i - 32, halves.y) : int(low_bit_u32(halves.x >> i));
}

uint set_bit_u32(int i, uint x, int b) { return (x & ~shl_u32(1u, uint(i))) | shl_u32(uint(b), uint(i)); }

uint64_t set_bit_u64(int i, uint64_t x, int b) {
    uint64_t place = packUint2x32(uvec2(uint(i), 0u));
    return (x & ~shl_u64(1UL, place)) | shl_u64(uint64_t(conv_i32_i64(b)), place);
}

// The lowest bits of x, as many as the width says, turned left by y. What is above them in the result is anything.
uint rotl_u32(uint x, uint y, uint width) {
    uint left = y & (width - 1u);
    return (x << left) | ((x >> 1) >> (width - 1u - left));
}

uint64_t rotl_u64(uint64_t x, uint y, uint width) {
    uint left = y & (width - 1u);
    return (x << left) | ((x >> 1) >> (width - 1u - left));
}

uint mul_hi_u32(uint x, uint y) {
    uint high;
    uint low;
    umulExtended(x, y, high, low);
    return high;
}

int mul_hi_i32(int x, int y) {
    int high;
    int low;
    imulExtended(x, y, high, low);
    return high;
}

// By halves: no sum overflows, since (2^32-1)^2 + 2 (2^32-1) = 2^64-1.
uint64_t mul_hi_u64(uint64_t x, uint64_t y) {
    uint64_t x_low = x & 0xffffffffUL;
    uint64_t y_low = y & 0xffffffffUL;
    uint64_t middle = (x >> 32) * y_low + ((x_low * y_low) >> 32);
    uint64_t other = x_low * (y >> 32) + (middle & 0xffffffffUL);
    return (x >> 32) * (y >> 32) + (middle >> 32) + (other >> 32);
}

// A negative number is 2^64 more as an unsigned one.
int64_t mul_hi_i64(int64_t x, int64_t y) {
    uint64_t high = mul_hi_u64(uint64_t(x), uint64_t(y));
    if (x < int64_t(0)) high -= uint64_t(y);
    if (y < int64_t(0)) high -= uint64_t(x);
    return int64_t(high);
}

// The bits of the float next to that of the bits x toward that of the bits y, where `sign` and `infinity` are the bits of these.
uint nextafter_bits(uint x, uint y, uint sign, uint infinity) {
    uint a = x & ~sign;
    uint b = y & ~sign;
    if (a > infinity || b > infinity) return infinity + 1u;
    if (x == y || (a | b) == 0u) return y;
    if (a == 0u) return (y & sign) | 1u;
    return a > b || ((x ^ y) & sign) != 0u ? x - 1u : x + 1u;
}

float copysign_f32(float x, float y) { return uintBitsToFloat((floatBitsToUint(x) & 0x7fffffffu) | (floatBitsToUint(y) & 0x80000000u)); }

float nextafter_f32(float x, float y) { return uintBitsToFloat(nextafter_bits(floatBitsToUint(x), floatBitsToUint(y), 0x80000000u, 0x7f800000u)); }

double nextafter_f64(double x, double y) {
    uint64_t a = bits_f64(abs(x));
    uint64_t b = bits_f64(abs(y));
    uint64_t sign = bits_f64(x) ^ a;
    uint64_t other = bits_f64(y) ^ b;
    if (a > 0x7ff0000000000000UL || b > 0x7ff0000000000000UL) return nan_f64();
    if ((a == b && sign == other) || (a | b) == 0UL) return y;
    if (a == 0UL) return from_bits_f64(other | 1UL);
    return from_bits_f64(sign | (a > b || sign != other ? a - 1UL : a + 1UL));
}
