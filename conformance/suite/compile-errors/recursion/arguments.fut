-- Wherever a call of itself stands, a recursive function of functions has all its arguments there, and its functions are unchanged
-- (language reference, "Recursive functions"; 0.25.32 knows no recursion).
-- ==
-- error: "in_argument" refers to itself: those.*"first" refers to itself: those.*"operand" refers to itself: those.*"piped_to" refers to itself and has a higher-order parameter.*"piped_to_call" refers to itself and has a higher-order parameter.*"bare" refers to itself and has a higher-order parameter.*"swapped" refers to itself: those.*"in_pair" refers to itself: those
def in_argument (f: i64 -> i64) (n: i64): i64 = if n == 0 then 0 else in_argument f (in_argument (\x -> f (x + 1)) (n - 1))
def first (f: i64 -> i64) (n: i64): i64 = if n == 0 then 0 else first (\x -> f (x + 1)) (n - 1) + 1
def operand (f: i64 -> i64) (n: i64): i64 = if n == 0 then 0 else 1 + operand (\x -> f (x + 1)) (n - 1)
def piped_to (f: i64 -> i64): i64 = if f 1 == 0 then 0 else f |> piped_to
def piped_to_call (f: i64 -> i64) (n: i64): i64 = if n == 0 then f 0 else n - 1 |> piped_to_call f
def bare (f: i64 -> i64) (n: i64): i64 = if n == 0 then f 0 else let g = bare in g f (n - 1)
def swapped '^a 'b (x: a) (y: a) (z: b) (n: i64): i64 = if n == 0 then 0 else swapped y x z (n - 1)
def in_pair '^a (p: (a, i64)) (n: i64): i64 = if n == 0 then p.1 else in_pair (p.0, n) (n - 1)
entry main (n: i64) = n
