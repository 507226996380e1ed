-- Loops that overwrite what they have read, in arrays that are too large to be kept trip by trip: what is overwritten is put back on the way back (digest 002, 5.3 and
-- 6.2). Values and derivatives from Futhark 0.25.32, which keeps every trip's array.

-- A histogram by a loop, whose values depend on what is there.
def histogram [n] [m] (h: [m]f64) (is: [n]i64) (xs: [n]f64): [m]f64 =
  loop h = copy h for i < n do h with [is[i]] = h[is[i]] * xs[i] + f64.sin h[(is[i] + 1) % m]

-- ==
-- entry: bins
-- input { [0.1, 0.2, 0.3, 0.4, 0.5] [0i64, 3i64, 3i64, 1i64, 0i64, 4i64, 2i64] [1.1, 0.9, 1.2, 0.8, 1.3, 0.7, 1.05] [1.0, 0.5, 0.25, 2.0, 1.5] }
-- output { [2.859790554165025, 4.384732940506309, 2.455888628800988, 2.182669518735877, 4.951888849654599]
--          [0.259980959469548, 0.97007534166039, 1.696470866999852, 0.459186611998572, 0.617293452145563, 0.75, 0.075] }
entry bins [n] [m] (h: [m]f64) (is: [n]i64) (xs: [n]f64) (seed: [m]f64) =
  vjp (\(h, xs) -> histogram h is xs) (h, xs) seed

-- The derivative of its derivative, along t: reverse over reverse, and forward over reverse.
-- ==
-- entry: bins_second
-- input { [0.1, 0.2, 0.3, 0.4, 0.5] [0i64, 3i64, 3i64, 1i64, 0i64, 4i64, 2i64] [1.1, 0.9, 1.2, 0.8, 1.3, 0.7, 1.05] [1.0, 0.5, 0.25, 2.0, 1.5]
--         [1.0, 0.5, 0.25, 2.0, 1.5, 0.1, 0.3] }
-- output { [0.161562401950396, 0.148306875087614, 0.310126166940039, -0.261616962209988, -0.128665872178525, 0.0, 0.0]
--          [0.161562401950396, 0.148306875087614, 0.310126166940039, -0.261616962209988, -0.128665872178525, 0.0, 0.0] }
entry bins_second [n] [m] (h: [m]f64) (is: [n]i64) (xs: [n]f64) (seed: [m]f64) (t: [n]f64) =
  let g xs = vjp (\xs -> histogram h is xs) xs seed
  in (vjp g xs t, jvp g xs t)

-- Exchanges, or an update, or none, as the elements compare.
-- ==
-- entry: exchanges
-- input { [0.9, 0.2, 0.7, 0.4, 0.5, 0.8, 0.1] 12i64 [1.0, 0.5, 0.25, 2.0, 1.5, 3.0, 0.1] }
-- output { [0.02916, 0.81, 0.7, 0.4, 0.5, 0.8, 0.0081]
--          [0.9, 0.2916, 0.25, 2.0, 1.5, 3.0, 0.0162] }
-- input { [0.3, 0.6] 5i64 [1.0, 0.5] }
-- output { [0.11664, 0.059049]
--          [0.19683, 0.7776] }
-- input { [0.3, 0.6] 0i64 [1.0, 0.5] }
-- output { [0.3, 0.6]
--          [1.0, 0.5] }
entry exchanges [n] (a: [n]f64) (k: i64) (seed: [n]f64) =
  let f (a: [n]f64) =
    loop a = copy a for i < k do
      let j = (i * 7) % n
      let l = (i * 3 + 1) % n
      in if a[j] > a[l]
         then let t = a[j] let a[j] = a[l] * 0.9 let a[l] = t * t in a
         else if a[j] > 0.5 then a with [l] = a[l] + a[j] else a
  in vjp2 f a seed

-- Gaussian elimination in place: three loops, of fewer trips the further they come.
def eliminated [n] (a: [n][n]f64): [n][n]f64 =
  loop a = copy a for k < n do
    loop a for i0 < n - k - 1 do
      let i = k + 1 + i0
      let f = a[i, k] / a[k, k]
      let a[i, k] = f
      in loop a for j0 < n - k - 1 do
           let j = k + 1 + j0
           in a with [i, j] = a[i, j] - f * a[k, j]

-- ==
-- entry: elimination
-- input { [[4.0, 1.0, 2.0, 0.5], [1.0, 5.0, 0.3, 2.0], [0.7, 1.1, 6.0, 1.0], [2.0, 0.2, 0.4, 7.0]]
--         [[1.0, 0.1, 0.2, 0.3], [0.4, 0.5, 0.6, 0.7], [0.8, 0.9, 1.0, 1.1], [1.2, 1.3, 1.4, 1.5]] }
-- output { [[4.0, 1.0, 2.0, 0.5], [0.25, 4.75, -0.2, 1.875], [0.175, 0.194736842105263, 5.688947368421053, 0.547368421052632], [0.5, -0.063157894736842, -0.107688037746322, 6.92736608381904]]
--          [[1.075944782701501, 0.170619617504619, -0.130190467104169, -0.808035628204566], [-0.306398648878528, 0.531946736893642, 0.409556411014079, 0.549070073184627], [-0.396687854481661, -0.265932797360792, 1.010959093488848, 1.261532056619484], [0.140150508104844, -0.314136124379781, 0.101767045980202, 1.5]] }
entry elimination [n] (a: [n][n]f64) (seed: [n][n]f64) = vjp2 eliminated a seed

-- ==
-- entry: elimination_second
-- input { [[4.0, 1.0, 2.0], [1.0, 5.0, 0.3], [0.7, 1.1, 6.0]] [[1.0, 0.1, 0.2], [0.4, 0.5, 0.6], [0.8, 0.9, 1.0]] [[1.0, 0.5, 0.2], [0.4, 0.5, 2.6], [0.8, 0.9, 1.0]] }
-- output { [[0.033638066773582, 0.021850087476308, -0.14036703601108], [0.020153411576031, 0.07588219857122, -0.124321329639889], [0.144903047091413, -0.537506925207756, 0.0]]
--          [[0.033638066773582, 0.021850087476308, -0.14036703601108], [0.020153411576031, 0.07588219857122, -0.124321329639889], [0.144903047091413, -0.537506925207756, 0.0]] }
entry elimination_second [n] (a: [n][n]f64) (seed: [n][n]f64) (t: [n][n]f64) =
  let g a = vjp eliminated a seed
  in (vjp g a t, jvp g a t)

-- Rows that are read and written, and an array of integers that says which.
-- ==
-- entry: rows
-- input { [[0.1, 0.2], [0.3, 0.4], [0.5, 0.6]] 7i64 [[1.0, 2.0], [3.0, 4.0], [5.0, 6.0]] }
-- output { [[22.582439212460507, 27.88655481058505], [0.0, 0.0], [-0.102855745481576, -8.94738800636393]] }
entry rows [n] [m] (a: [n][m]f64) (k: i64) (seed: [n][m]f64) =
  let f (a: [n][m]f64): ([n][m]f64, [n]i64) =
    loop (a, p) = (copy a, replicate n 0) for i < k do
      let j = (i * 5 + p[i % n]) % n
      let r = a[j]
      let q = map (\x -> x * f64.cos x) r
      let a[(j + 1) % n] = map2 (\x y -> x + f64.i64 p[j] * y) q a[(j + 1) % n]
      let p[j] = p[j] + 1
      in (a, p)
  in vjp (\a -> (f a).0) a seed

-- In each row of a map, with as many trips as the row says; a loop in a branch, a branch in it.
-- ==
-- entry: in_map
-- input { [[0.1, 0.2, 0.3], [0.3, 0.4, 0.5], [0.5, 0.6, 0.7]] [4i64, 0i64, 7i64] [[1.0, 2.0, 0.5], [3.0, 4.0, 0.25], [5.0, 6.0, 0.1]] }
-- output { [[0.154144827220246, 0.586081446448975, 0.3], [0.3, 0.4, 0.5], [0.284901538311064, 0.515329518766704, 0.91939199239041]]
--          [[1.495803714523326, 6.363342462261345, 0.353546921563693], [3.0, 4.0, 0.25], [20.550838500061282, 2.080746844725468, -0.422087590632964]] }
entry in_map [n] [m] (a: [n][m]f64) (ks: [n]i64) (seed: [n][m]f64) =
  let f (row: [m]f64) (k: i64): [m]f64 =
    let steps (row: *[m]f64) (i: i64): *[m]f64 =
      if i % 2 == 0
      then loop row for j < i % 3 + 1 do
             if row[j % m] > 0.4 then row with [(i + j) % m] = f64.sin row[j % m] * row[(i + j) % m] else row
      else let s = f64.sum (map f64.cos row)
           in row with [i % m] = row[i % m] * s
    in loop row = copy row for i < k do steps row i
  in vjp2 (\a -> map2 f a ks) a seed
