-- R13 (digest 002, 6.2): a loop that overwrites what it has read must keep it. xs[i] := xs[i] xs[i + 1], upwards, reads each element before
-- it is overwritten: of [a, b, c] [a b, b c, c]. Adjoints [1, 10, 100]: b, a + 10 c, 10 b + 100. At [2, 3, 4]: 3, 42, 130.
-- ==
-- entry: upwards annotated
-- input { [2.0, 3.0, 4.0] [1.0, 10.0, 100.0] } output { [6.0, 12.0, 4.0] [3.0, 42.0, 130.0] }
entry upwards [n] (xs: [n]f64) (adj: [n]f64): ([n]f64, [n]f64) =
  vjp2 (\xs -> loop xs = copy xs for i < n - 1 do xs with [i] = xs[i] * xs[i + 1]) xs adj

-- An annotation that is wrong changes nothing.
entry annotated [n] (xs: [n]f64) (adj: [n]f64): ([n]f64, [n]f64) =
  vjp2 (\xs -> #[true_dep] loop xs = copy xs for i < n - 1 do xs with [i] = xs[i] * xs[i + 1]) xs adj

-- One element written again and again: xs[0] := xs[0]^2 xs[1], 3 times: x^8 y^7. At (1, 2): 128; 8 * 128 = 1024 and 7 * 64 = 448.
-- ==
-- entry: again
-- input { [1.0, 2.0] } output { [128.0, 2.0] [1024.0, 448.0] }
entry again (xs: [2]f64): ([2]f64, [2]f64) =
  vjp2 (\xs -> loop xs = copy xs for _i < 3 do xs with [0] = xs[0] * xs[0] * xs[1]) xs [1, 0]

-- Sweeps of an inner loop over an outer one: twice xs[j] := xs[j] xs[j + 1] over (x, y, z): (x y, y z, z), then (x y^2 z, y z^2, z).
-- Adjoints 1: y^2 z, 2 x y z + z^2, x y^2 + 2 y z + 1. At (2, 3, 5): 45, 60 + 25, 18 + 30 + 1.
-- ==
-- entry: sweeps
-- input { [2.0, 3.0, 5.0] } output { [90.0, 75.0, 5.0] [45.0, 85.0, 49.0] }
entry sweeps [n] (xs: [n]f64): ([n]f64, [n]f64) =
  vjp2 (\xs -> loop xs = copy xs for _k < 2 do loop xs for j < n - 1 do xs with [j] = xs[j] * xs[j + 1]) xs (replicate n 1)

-- Where the distance of the two indices is known only when it runs: with k = -2, xs[i] := xs[i + 1]^2, which is overwritten later: of [a, b, c, d] [b^2, c^2, c, d], with
-- adjoints 1: 0, 2 b, 2 c + 1, 1. With k = 0, xs[i + 2] := xs[i + 1]^2: [a, b, b^2, b^4] and 1, 1 + 2 b + 4 b^3, 0, 0.
-- ==
-- entry: apart
-- input { -2i64 [1.0, 2.0, 3.0, 5.0] } output { [4.0, 9.0, 3.0, 5.0] [0.0, 4.0, 7.0, 1.0] }
-- input { 0i64 [1.0, 2.0, 3.0, 5.0] } output { [1.0, 2.0, 4.0, 16.0] [1.0, 37.0, 0.0, 0.0] }
entry apart [n] (k: i64) (xs: [n]f64): ([n]f64, [n]f64) =
  vjp2 (\xs -> loop xs = copy xs for i < n - 2 do xs with [k + (i + 2)] = xs[i + 1] * xs[i + 1]) xs (replicate n 1)
