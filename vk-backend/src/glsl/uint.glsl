// Unsigned integer operators at one width. $T is the type, $t the suffix, $W the width.

$T quot_$t($T x, $T y) { return y == $T(0) ? $T(0) : x / y; }

$T rem_$t($T x, $T y) { return y == $T(0) ? $T(0) : x % y; }

$T div_$t($T x, $T y) { return quot_$t(x, y); }

$T mod_$t($T x, $T y) { return rem_$t(x, y); }

$T pow_$t($T x, $T y) {
    $T base = x;
    $T result = $T(1);
    for ($T e = y; e != $T(0); e >>= 1) {
        TICK;
        if ((e & $T(1)) != $T(0)) result *= base;
        base *= base;
    }
    return result;
}

$T abs_$t($T x) { return x; }

$T sgn_$t($T x) { return min(x, $T(1)); }

// mutant: equal integers are the same
$T min_$t($T x, $T y) { return y < x ? y : x; }

// mutant: equal integers are the same
$T max_$t($T x, $T y) { return y > x ? y : x; }

$T shl_$t($T x, $T y) { return y < $T($W) ? x << uint(y) : $T(0); }

$T shr_$t($T x, $T y) { return y < $T($W) ? x >> uint(y) : $T(0); }

$T lshr_$t($T x, $T y) { return shr_$t(x, y); }

$T zmul_$t($T x, $T y) { return x * y; }
