-- A recursive call of a function of functions has all its arguments (language reference, "Recursive functions"; 0.25.32 knows no recursion).
-- ==
-- error: E0502.*higher-order parameter
def iterate_it (n: i64) (f: i64 -> i64) (x: i64): i64 =
  if n == 0 then x else let g = iterate_it (n - 1) f in g (f x)
entry main (n: i64) = iterate_it n (+ 1) 0
