-- Two expressions are one size only if they are written equally: the operators, the names and how the parts are grouped.
-- By hand; 0.25.32 rejects each of these functions.
-- ==
-- error: Expected: \[n // m\]i32.*Actual: +\[n % m\]i32.*Expected: \[n % \(m % k % n\)\]i32.*Actual: +\[n % \(m % k\) % n\]i32.*Expected: \[n % \(m % k % n\)\]i32.*Actual: +\[n % m % \(k % n\)\]i32.*Expected: \[n % m\]i32.*Actual: +\[m % n\]i32.*Expected: \[n % n\]i32.*Actual: +\[m % n\]i32.*Expected: \[n % m\]i32.*Actual: +\[n % m % k\]i32.*Expected: \[twice n\]i32.*Actual: +\[thrice n\]i32.*Expected: \[n % 2\]i32.*Actual: +\[n % 3\]i32.*Expected: \[p\.n\]i32.*Actual: +\[p\.m\]i32.*Expected: \[\{n = n, m = m\}\.n\]i32.*Actual: +\[\{n = m, m = n\}\.n\]i32.*Expected: \[ns\[0\]\]i32.*Actual: +\[ns\[1\]\]i32.*Expected: \[bool \(a && b\)\]i32.*Actual: +\[bool \(a \|\| b\)\]i32.*Expected: \[if a then n else m\]i32.*Actual: +\[if a then m else n\]i32.*Expected: \[if a then n else 1\]i32.*Actual: +\[if b then n else 1\]i32.*Expected: \[n\]i32.*Actual: +\[first ns\]i32
def twice (n: i64): i64 = 2 * n
def first (ns: []i64): i64 = ns[0]
def thrice (n: i64): i64 = 3 * n
def operator (n: i64) (m: i64) (xs: [n % m]i32): [n // m]i32 = xs
def grouping (n: i64) (m: i64) (k: i64) (xs: [n % (m % k) % n]i32): [n % (m % k % n)]i32 = xs
def grouping_too (n: i64) (m: i64) (k: i64) (xs: [n % m % (k % n)]i32): [n % (m % k % n)]i32 = xs
def swapped (n: i64) (m: i64) (xs: [m % n]i32): [n % m]i32 = xs
def repeated (n: i64) (m: i64) (xs: [m % n]i32): [n % n]i32 = xs
def longer (n: i64) (m: i64) (k: i64) (xs: [n % m % k]i32): [n % m]i32 = xs
def function (n: i64) (xs: [thrice n]i32): [twice n]i32 = xs
def literal (n: i64) (xs: [n % 3]i32): [n % 2]i32 = xs
def field (p: {n: i64, m: i64}) (xs: [p.m]i32): [p.n]i32 = xs
def fields (n: i64) (m: i64) (xs: [{n = m, m = n}.n]i32): [{n = n, m = m}.n]i32 = xs
def element [k] (ns: [k]i64) (xs: [ns[1]]i32): [ns[0]]i32 = xs
def logical (a: bool) (b: bool) (xs: [i64.bool (a || b)]i32): [i64.bool (a && b)]i32 = xs
def branch (a: bool) (n: i64) (m: i64) (xs: [if a then m else n]i32): [if a then n else m]i32 = xs
def condition (a: bool) (b: bool) (n: i64) (xs: [if b then n else 1]i32): [if a then n else 1]i32 = xs
def of_array [n] (ns: [n]i64) (xs: [first ns]i32): [n]i32 = xs
entry main (x: i32) = x
