-- R11 (digest 002, 4.2, 6.2): loops that update an array in place. xs[i] = v[i] xs[i - 1] is the scan with (*) (R27): of [2, 3, 4] with the
-- adjoint 1 each [1 + 3 + 12, 2 + 8, 6]; with [1, 10, 100] [1 + 30 + 1200, 20 + 800, 600].
-- ==
-- entry: prefix_product over_itself
-- input { [2.0, 3.0, 4.0] [1.0, 1.0, 1.0] }    output { [2.0, 6.0, 24.0] [16.0, 10.0, 6.0] }
-- input { [2.0, 3.0, 4.0] [1.0, 10.0, 100.0] } output { [2.0, 6.0, 24.0] [1231.0, 820.0, 600.0] }
-- input { [7.0] [1.0] } output { [7.0] [1.0] }
entry prefix_product [n] (vs: [n]f64) (adj: [n]f64): ([n]f64, [n]f64) =
  vjp2 (\vs -> loop xs = replicate n vs[0] for i in 1..<n do xs with [i] = vs[i] * xs[i - 1]) vs adj

-- The same over what is multiplied.
entry over_itself [n] (vs: [n]f64) (adj: [n]f64): ([n]f64, [n]f64) =
  vjp2 (\vs -> loop xs = copy vs for i in 1..<n do xs with [i] = xs[i] * xs[i - 1]) vs adj

-- Rows: xs[i] := xs[i - 1] vs[i], in each column as above.
-- ==
-- entry: rows
-- input { [[2.0, 1.0], [3.0, 5.0], [4.0, 2.0]] [[1.0, 1.0], [10.0, 1.0], [100.0, 1.0]] }
-- output { [[1231.0, 16.0], [820.0, 3.0], [600.0, 5.0]] }
entry rows [n] [m] (vs: [n][m]f64) (adj: [n][m]f64): [n][m]f64 =
  vjp (\vs -> loop xs = copy vs for i in 1..<n do xs with [i] = map2 (*) (copy xs[i - 1]) (copy xs[i])) vs adj

-- A slice: each round replaces the first half by its products with the second. Twice: a c^2, b d^2 beside c, d. Adjoints [1, 1, 0, 0]: c^2,
-- d^2, 2 a c, 2 b d.
-- ==
-- entry: slices
-- input { [2.0, 3.0, 5.0, 7.0] } output { [50.0, 147.0, 5.0, 7.0] [25.0, 49.0, 20.0, 42.0] }
entry slices (xs: [4]f64): ([4]f64, [4]f64) =
  vjp2 (\xs -> loop xs = copy xs for _i < 2 do xs with [:2] = map2 (*) (take 2 xs) (drop 2 xs :> [2]f64)) xs [1, 1, 0, 0]

-- Several arrays and a number at once. Two rounds of s := s + as[i]; as[i] := s bs[i]; bs[i] := as[i]^2 on as = (a, b), bs = (c, d), s = 0:
-- as = (a c, (a + b) d), bs = ((a c)^2, ((a + b) d)^2), s = a + b. At a = 2, b = 1, c = 3, d = 4, everything with the adjoint 1, with p = a
-- c = 6 and q = (a + b) d = 12: p' = 1 + 2 p = 13, q' = 1 + 2 q = 25; a: 13 c + 25 d + 1 = 140; b: 25 d + 1 = 101; c: 13 a = 26; d: 25 (a +
-- b) = 75.
-- ==
-- entry: several
-- input { [2.0, 1.0] [3.0, 4.0] } output { [6.0, 12.0] [36.0, 144.0] 3.0 [140.0, 101.0] [26.0, 75.0] }
entry several [n] (as: [n]f64) (bs: [n]f64): ([n]f64, [n]f64, f64, [n]f64, [n]f64) =
  let f (as, bs) =
    loop (as, bs, s) = (copy as, copy bs, 0) for i < n do
      let s = s + as[i]
      let as = as with [i] = s * bs[i]
      let y = as[i] * as[i]
      in (as, bs with [i] = y, s)
  let ((as1, bs1, s), (as', bs')) = vjp2 f (as, bs) (replicate n 1, replicate n 1, 1)
  in (as1, bs1, s, as', bs')

-- What is overwritten before anything reads it has no part in the result.
-- ==
-- entry: overwritten
-- input { [2.0, 3.0] } output { [0.0, 1.0] [0.0, 0.0] }
entry overwritten [n] (xs: [n]f64): ([n]f64, [n]f64) =
  vjp2 (\xs -> loop xs = copy xs for i < n do xs with [i] = f64.i64 i) xs (replicate n 1)
