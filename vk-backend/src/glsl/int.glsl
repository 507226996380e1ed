// Integer operators at one width. $T is the type, $U its unsigned counterpart, $t the suffix, $W the width, $MIN the smallest value.
// GLSL leaves division of negative numbers, by zero and of MIN by -1 undefined, and shifts by the width or more: drivers differ. So division
// goes by magnitudes.

// mutant tie: for 0, the magnitude and the quotient are 0 with either sign; and no divisor is 0 here
// mutant neutral element: for 0, the magnitude and the quotient are 0 with either sign; and no divisor is 0 here
$U magnitude_$t($T x) { return x < $T(0) ? $U(0) - $U(x) : $U(x); }

// Numbers of 31 bits, as indices are, which devices divide several times as fast as those of 64.
bool are_short_$t($T x, $T y) { return ((x | y) >> 31) == $T(0); }

$T quot_$t($T x, $T y) {
    if (y == $T(0)) return $T(0);
    if (are_short_$t(x, y)) return $T(uint(x) / uint(y));
    $U q = magnitude_$t(x) / magnitude_$t(y);
    // mutant tie: for 0, the magnitude and the quotient are 0 with either sign; and no divisor is 0 here
    // mutant neutral element: for 0, the magnitude and the quotient are 0 with either sign; and no divisor is 0 here
    return $T((x < $T(0)) != (y < $T(0)) ? $U(0) - q : q);
}

$T rem_$t($T x, $T y) { return y == $T(0) ? $T(0) : $T($U(x) - $U(quot_$t(x, y)) * $U(y)); }

$T div_$t($T x, $T y) {
    if (y == $T(0)) return $T(0);
    $T q = quot_$t(x, y);
    bool inexact = $U(q) * $U(y) != $U(x);
    // mutant tie: for 0, the magnitude and the quotient are 0 with either sign; and no divisor is 0 here
    // mutant off by one `0`: for 0, the magnitude and the quotient are 0 with either sign; and no divisor is 0 here
    return inexact && (x < $T(0)) != (y < $T(0)) ? q - $T(1) : q;
}

$T mod_$t($T x, $T y) {
    if (y == $T(0)) return $T(0);
    if (are_short_$t(x, y)) return $T(uint(x) % uint(y));
    return $T($U(x) - $U(div_$t(x, y)) * $U(y));
}

$T pow_$t($T x, $T y) {
    if (y < $T(0)) return $T(0);
    $U base = $U(x);
    $U result = $U(1);
    for ($U e = $U(y); e != $U(0); e >>= 1) {
        TICK;
        if ((e & $U(1)) != $U(0)) result *= base;
        base *= base;
    }
    return $T(result);
}

$T abs_$t($T x) { return $T(magnitude_$t(x)); }

$T sgn_$t($T x) { return max(min(x, $T(1)), $T(-1)); }

// mutant: equal integers are the same
$T min_$t($T x, $T y) { return y < x ? y : x; }

// mutant: equal integers are the same
$T max_$t($T x, $T y) { return y > x ? y : x; }

bool within_$t($T y) { return y >= $T(0) && y < $T($W); }

$T shl_$t($T x, $T y) { return within_$t(y) ? $T($U(x) << uint(y)) : $T(0); }

$T shr_$t($T x, $T y) { return within_$t(y) ? x >> uint(y) : x < $T(0) ? $T(-1) : $T(0); }

$T lshr_$t($T x, $T y) { return within_$t(y) ? $T($U(x) >> uint(y)) : $T(0); }

$T zmul_$t($T x, $T y) { return x * y; }
