-- A message shows the expression that a size is: the names in it as they are here, and parentheses where parts would merge.
-- By hand; 0.25.32 rejects each of these functions.
-- ==
-- error: Actual: +\[twice n\]i32.*Actual: +\[twice \(n \+ 1\)\]i32.*Actual: +\[p\.n\]i32.*Actual: +\[p\.n \*\* p\.m\]i32.*Actual: +\[ns\[i\]\]i32.*Actual: +\[ns\[i \+ 1, 0\] % 2\]i32.*Actual: +\[n % \(2 \*\* n\)\]i32.*Actual: +\[\(f n \(n - 1\)\) % 2\]i32.*Actual: +\[if n > 1 then n \+ 1 else if n < 1 then n else 3\]i32.*Actual: +\[bool \(\(a && b\) \|\| \(n == 2\)\)\]i32.*Actual: +\[\(n, m \+ 1\)\.0\]i32.*Actual: +\[\{n = n, m = m \+ 1\}\.m\]i32.*Actual: +\[n \|> twice\]i32.*Actual: +\[n \|> \(twice <-< twice\)\]i32.*Actual: +\[\(twice <-< twice\) n\]i32.*Actual: +\[\(f64 0\.5\) % n\]i32.*Actual: +\[\(bool true\) % n\]i32.*Actual: +\[bool \(\(n == 1\) && \(m == 2\)\)\]i32.*Actual: +\[\(\{n = n, m = m\}\.m, \(if a then ns else ns\)\[0\]\)\.1\]i32.*Actual: +\[\(if a then \(n, m\) else \(m, n\)\)\.1\]i32.*Actual: +\[if a then n else \(if b then n else m\) % 2\]i32.*Actual: +\[\(copies ns\)\[0\]\]i32.*Actual: +\[\(\(copies ns\) with \[0\] = n\)\[0\]\]i32.*Actual: +\[of_sum \(#some n m\)\]i32
def twice (n: i64): i64 = 2 * n
def called (n: i64) (xs: [twice n]i32): [0]i32 = xs
def called_of_sum (n: i64) (xs: [twice (n + 1)]i32): [0]i32 = xs
def field (p: {n: i64, m: i64}) (xs: [p.n]i32): [0]i32 = xs
def fields (p: {n: i64, m: i64}) (xs: [p.n ** p.m]i32): [0]i32 = xs

def element [k] (ns: [k]i64) (i: i64) (xs: [ns[i]]i32): [0]i32 = xs
def two_indices [k][l] (ns: [k][l]i64) (i: i64) (xs: [ns[i + 1, 0] % 2]i32): [0]i32 = xs
def operators (n: i64) (xs: [n % (2 ** n)]i32): [0]i32 = xs
def of_parameter (n: i64) (f: i64 -> i64 -> i64) (xs: [f n (n - 1) % 2]i32): [0]i32 = xs

def branches (n: i64) (xs: [if n > 1 then n + 1 else if n < 1 then n else 3]i32): [0]i32 = xs

def logical (n: i64) (a: bool) (b: bool) (xs: [i64.bool (a && b || n == 2)]i32): [0]i32 = xs
def pair (n: i64) (m: i64) (xs: [(n, m + 1).0]i32): [0]i32 = xs
def record (n: i64) (m: i64) (xs: [{n = n, m = m + 1}.m]i32): [0]i32 = xs

def piped (n: i64) (xs: [n |> twice]i32): [0]i32 = xs
def piped_on (n: i64) (xs: [n |> (twice <-< twice)]i32): [0]i32 = xs
def composed (n: i64) (xs: [(twice <-< twice) n]i32): [0]i32 = xs
def float (n: i64) (xs: [i64.f64 0.5 % n]i32): [0]i32 = xs
def truth (n: i64) (xs: [i64.bool true % n]i32): [0]i32 = xs

def both (n: i64) (m: i64) (xs: [i64.bool (n == 1 && m == 2)]i32): [0]i32 = xs
def parts [k] (a: bool) (ns: [k]i64) (n: i64) (m: i64) (xs: [({n, m}.m, (if a then ns else ns)[0]).1]i32): [0]i32 = xs

def of_branches (a: bool) (n: i64) (m: i64) (xs: [(if a then (n, m) else (m, n)).1]i32): [0]i32 = xs
def operand (a: bool) (b: bool) (n: i64) (m: i64) (xs: [if a then n else (if b then n else m) % 2]i32): [0]i32 = xs

def copies [k] (ns: [k]i64): *[k]i64 = copy ns
def copied [k] (ns: [k]i64) (xs: [(copies ns)[0]]i32): [0]i32 = xs
def updated [k] (ns: [k]i64) (n: i64) (xs: [(copies ns with [0] = n)[0]]i32): [0]i32 = xs
def of_sum (s: #some i64 i64 | #none): i64 = match s case #some x y -> x + y case #none -> 0
def constructed (n: i64) (m: i64) (xs: [of_sum (#some n m)]i32): [0]i32 = xs
entry main (x: i32) = x
