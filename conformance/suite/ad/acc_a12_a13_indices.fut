-- A12, A13 (digest 001, 5.2; 2.4): several indices into the same array, into two arrays of one let, and under conditions. Expected: the
-- digest's golden values for its inputs a and -a, and by hand where they are said to be so. Each entry point gives the value, the gradient
-- in reverse mode, and the same from forward mode.

def both [n] (f: [n]f64 -> f64) (a: [n]f64) : (f64, [n]f64, [n]f64) =
  let unit i = map (\j -> f64.bool (i == j)) (iota n)
  let (y, gradient) = vjp2 f a 1
  in (y, gradient, map (jvp f a) (map unit (iota n)))

-- A12: both parts of a pair of arrays are indexed: x^2 (x + 1), which is 3.3.1.
-- ==
-- entry: pair_of_arrays
-- input { [1.25, -2.25, 0.75, 3.25, -0.75, 2.2] }
-- output { 58.69112 [7.1875, 10.6875, 3.1875, 38.1875, 0.1875, 18.92] [7.1875, 10.6875, 3.1875, 38.1875, 0.1875, 18.92] }
-- input { empty([0]f64) } output { 0.0 empty([0]f64) empty([0]f64) }
entry pair_of_arrays [n] (a: [n]f64) =
  both (\a ->
          let (p, q) = unzip (map (\x -> (x * x, x + 1)) a)
          in f64.sum (map (\i -> p[i] * q[i]) (iota n)))
       a

-- A12: two indices into one array, aindex_generate_2; and into one that was computed, with both its neighbours: by hand x0 x1 + x1 x2 + x2
-- x0.
-- ==
-- entry: same_array
-- input { [1.25, -2.25, 0.75, 3.25, -0.75, 2.2] } output { 2.9 [8.0, 8.0, 2.0, 2.0, 2.0, 2.0] [8.0, 8.0, 2.0, 2.0, 2.0, 2.0] }
entry same_array [n] (a: [n]f64) =
  both (\a ->
          f64.sum (map (\i -> a[i / 2] + a[i64.min (i % 2) (n - 1)])
                       (iota (2 * n))))
       a

-- ==
-- entry: neighbours
-- input { [2.0, 3.0, 5.0] } output { 31.0 [8.0, 7.0, 5.0] [8.0, 7.0, 5.0] }
entry neighbours [n] (a: [n]f64) =
  both (\a ->
          let b = map (* 1) a
          in f64.sum (map (\i -> b[i] * b[(i + 1) % n]) (iota n)))
       a

-- A13, aindex_generate_3 and 4: under a condition, in both branches.
-- ==
-- entry: some
-- input { [1.25, -2.25, 0.75, 3.25, -0.75, 2.2] } output { 292.75 [2.0, 2.0, 1.0, 0.0, 0.0, 0.0] [2.0, 2.0, 1.0, 0.0, 0.0, 0.0] }
entry some [n] (a: [n]f64) =
  both (\a ->
          f64.sum (map (\i -> if i < 5 then a[i / 2] else 42) (iota (2 * n))))
       a

-- ==
-- entry: in_either_branch
-- input { [1.25, -2.25, 0.75, 3.25, -0.75, 2.2] } output { 8.9 [2.0, 2.0, 2.0, 2.0, 2.0, 2.0] [2.0, 2.0, 2.0, 2.0, 2.0, 2.0] }
entry in_either_branch [n] (a: [n]f64) =
  both (\a ->
          f64.sum (map (\i -> if i < n then a[i] else a[i - n]) (iota (2 * n))))
       a

-- A13, acond_cond1: an index would be out of bounds if the wrong branch ran. (0.01: so that it is less than 2 n.)
-- ==
-- entry: conditional_arrays
-- input { [1.25, -2.25, 0.75, 3.25, -0.75, 2.2] } output { 39.75 [3.0, 3.0, 3.0, 3.0, 3.0, 15.0] [3.0, 3.0, 3.0, 3.0, 3.0, 15.0] }
-- input { [-1.25, 2.25, -0.75, -3.25, 0.75, -2.2] } output { -16.55 [3.0, 4.0, 4.0, 4.0, 4.0, 4.0] [3.0, 4.0, 4.0, 4.0, 4.0, 4.0] }
entry conditional_arrays [n] (a: [n]f64) =
  let f a =
    let b = map (* 2) a
    let k =
      i64.f64 (f64.floor (1
                          / (1 + f64.exp (-(f64.sum a)))
                          * (f64.i64 (2 * n) - 0.01)))
    let at i =
      if k < n then if i <= k then a[i] else b[(i - k) / 2]
      else a[k - n] + (if i >= n then b[i - n] else a[i])
    in f64.sum (map at (iota (2 * n)))
  in both f a

-- A13, cond_4: nested conditions.
-- ==
-- entry: nested
-- input { [1.25, -2.25, 0.75, 3.25, -0.75, 2.2] }
-- output { 72.9825 [12.0863, -1.05554, 7.4095, 17.281, 0.236183, 15.1596] [12.0863, -1.05554, 7.4095, 17.281, 0.236183, 15.1596] }
-- input { [-1.25, 2.25, -0.75, -3.25, 0.75, -2.2] }
-- output { 30.67407 [-2.00374, 15.2818, 0.236183, -0.427737, 7.4095, -1.10033] [-2.00374, 15.2818, 0.236183, -0.427737, 7.4095, -1.10033] }
entry nested [n] (a: [n]f64) =
  let g x =
    let u =
      if x >= 1 then f64.log x + 1
      else if x - 2 < -3 then f64.exp (x + 1) - 2
      else x
    let y = 2 * f64.exp u
    in u * (if u < -1 then u + y else y)
  in both (\a -> f64.sum (map g a)) a

-- Of each row what is behind its first.
-- ==
-- entry: behind_in_rows
-- input { [[2.0, 3.0, 5.0], [7.0, 11.0, 13.0]] [[1.0, 10.0], [100.0, 1000.0]] } output { [[0.0, 1.0, 10.0], [0.0, 100.0, 1000.0]] }
-- input { [[2.0], [3.0]] empty([2][0]f64) } output { [[0.0], [0.0]] }
entry behind_in_rows [n] [m] (xs: [n][m]f64) (seed: [n][m - 1]f64) : [n][m]f64 =
  vjp (\xs -> tabulate_2d n (m - 1) (\i j -> xs[i, j + 1])) xs seed
