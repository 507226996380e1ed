// Float operators that need no approximation, at one width. $T is the type, $t the suffix.

bool isnan_$t($T x) { return !(x == x); }

bool isinf_$t($T x) { return abs(x) == inf_$t(); }

$T min_$t($T x, $T y) { return x <= y || isnan_$t(y) ? x : y; }

$T max_$t($T x, $T y) { return x >= y || isnan_$t(y) ? x : y; }

$T sgn_$t($T x) { return x > $T(0) ? $T(1) : x < $T(0) ? $T(-1) : x; }

$T zmul_$t($T x, $T y) { return y == $T(0) ? $T(0) : x * y; }
