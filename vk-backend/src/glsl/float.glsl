// Float operators that need no approximation, at one width. $T is the type, $t the suffix.

bool isinf_$t($T x) { return abs(x) == inf_$t(); }

$T min_$t($T x, $T y) { return x <= y || isnan_$t(y) ? x : y; }

$T max_$t($T x, $T y) { return x >= y || isnan_$t(y) ? x : y; }

$T sgn_$t($T x) { return x > $T(0) ? $T(1) : x < $T(0) ? $T(-1) : x; }

// Zero times infinity is zero, and so is NaN times zero.
$T zmul_$t($T x, $T y) {
    $T p = x * y;
    if (!isnan_$t(p)) return p;
    if (y == $T(0)) return isnan_$t(x) || x > $T(0) ? y : -y;
    return x == $T(0) && !isnan_$t(y) ? (y > $T(0) ? x : -x) : p;
}

// The nearest number from 0 to 1; 1 for NaN.
$T unit_$t($T t) { return max_$t($T(0), min_$t($T(1), t)); }

$T lerp_$t($T x, $T y, $T t) { return x + (y - x) * unit_$t(t); }
