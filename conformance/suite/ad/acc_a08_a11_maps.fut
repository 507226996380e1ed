-- A8, A9, A10, A11 (digest 001, 5.2; 2.4): maps, arrays of different lengths, generation and maps with indices. Expected: the digest's
-- golden values for its inputs a and b, and by hand where they are said to be so. Each entry point gives the value, the gradient in reverse
-- mode, and the same from forward mode.

def unit (n: i64) (i: i64) : [n]f64 = map (\j -> f64.bool (i == j)) (iota n)

def both [n] (f: [n]f64 -> f64) (a: [n]f64) : (f64, [n]f64, [n]f64) =
  let (y, gradient) = vjp2 f a 1
  in (y, gradient, map (jvp f a) (map (unit n) (iota n)))

def generate_sum (n: i64) (f: i64 -> f64) : f64 = f64.sum (map f (iota n))

-- A8.
-- ==
-- entry: map_3
-- input { [1.25, -2.25, 0.75, 3.25, -0.75, 2.2] } output { 13.35 [3.0, 3.0, 3.0, 3.0, 3.0, 3.0] [3.0, 3.0, 3.0, 3.0, 3.0, 3.0] }
-- input { empty([0]f64) } output { 0.0 empty([0]f64) empty([0]f64) }
entry map_3 [n] (a: [n]f64) = both (\a -> f64.sum (map (* 3) a)) a

-- A8, the Jacobian of the map itself, by rows and by columns.
-- ==
-- entry: jacobian
-- input { [1.25, -2.25] } output { [[3.0, 0.0], [0.0, 3.0]] [[3.0, 0.0], [0.0, 3.0]] }
entry jacobian [n] (a: [n]f64) : ([n][n]f64, [n][n]f64) =
  ( map (vjp (map (* 3)) a) (map (unit n) (iota n))
  , transpose (map (jvp (map (* 3)) a) (map (unit n) (iota n)))
  )

-- A9: what the longer array has more of has the adjoint 0.
-- ==
-- entry: different_lengths
-- input { [1.25, -2.25, 0.75, 3.25, -0.75, 2.2] [0.5, 1.25, 2.0, 1.75] }
-- output { -1.250279 [-0.989992, -0.99413, -0.936457, -0.385748, 0.0, 0.0] [-0.933788, -0.654726, -0.260155, -0.103751]
--   [-0.989992, -0.99413, -0.936457, -0.385748, 0.0, 0.0] [-0.933788, -0.654726, -0.260155, -0.103751] }
entry different_lengths [n] [m]
                        (a: [n]f64)
                        (b: [m]f64) : (f64, [n]f64, [m]f64, [n]f64, [m]f64) =
  let f (a, b) =
    let k = i64.min n m
    in f64.sum (map2 (\x y -> f64.sin x * f64.cos (x + y))
                     (take k a)
                     (take k b))
  let (y, (a', b')) = vjp2 f (a, b) 1
  in ( y
     , a'
     , b'
     , map (\i -> jvp f (a, b) (unit n i, replicate m 0)) (iota n)
     , map (\i -> jvp f (a, b) (replicate n 0, unit m i)) (iota m)
     )

-- ==
-- entry: shorter
-- input { [1.0, 2.0, 3.0] [4.0, 5.0] } output { 14.0 [4.0, 5.0, 0.0] [1.0, 2.0] }
-- input { [1.0] empty([0]f64) } output { 0.0 [0.0] empty([0]f64) }
entry shorter [n] [m] (a: [n]f64) (b: [m]f64) : (f64, [n]f64, [m]f64) =
  let (y, (a', b')) =
    vjp2 (\(a, b) ->
            let k = i64.min n m in f64.sum (map2 (*) (take k a) (take k b)))
         (a, b)
         1
  in (y, a', b')

-- A10: aindex_generate_1 to 4, aindex_only.
-- ==
-- entry: every_second
-- input { [1.25, -2.25, 0.75, 3.25, -0.75, 2.2] } output { 1.25 [1.0, 0.0, 1.0, 0.0, 1.0, 0.0] [1.0, 0.0, 1.0, 0.0, 1.0, 0.0] }
entry every_second [n] (a: [n]f64) =
  both (\a -> generate_sum (n / 2) (\i -> a[2 * i])) a

-- ==
-- entry: two_indices
-- input { [1.25, -2.25, 0.75, 3.25, -0.75, 2.2] } output { 2.9 [8.0, 8.0, 2.0, 2.0, 2.0, 2.0] [8.0, 8.0, 2.0, 2.0, 2.0, 2.0] }
entry two_indices [n] (a: [n]f64) =
  both (\a ->
          generate_sum (2 * n) (\i -> a[i / 2] + a[i64.min (i % 2) (n - 1)]))
       a

-- ==
-- entry: some
-- input { [1.25, -2.25, 0.75, 3.25, -0.75, 2.2] } output { 292.75 [2.0, 2.0, 1.0, 0.0, 0.0, 0.0] [2.0, 2.0, 1.0, 0.0, 0.0, 0.0] }
entry some [n] (a: [n]f64) =
  both (\a -> generate_sum (2 * n) (\i -> if i < 5 then a[i / 2] else 42)) a

-- ==
-- entry: in_either_branch
-- input { [1.25, -2.25, 0.75, 3.25, -0.75, 2.2] } output { 8.9 [2.0, 2.0, 2.0, 2.0, 2.0, 2.0] [2.0, 2.0, 2.0, 2.0, 2.0, 2.0] }
-- input { empty([0]f64) } output { 0.0 empty([0]f64) empty([0]f64) }
entry in_either_branch [n] (a: [n]f64) =
  both (\a -> generate_sum (2 * n) (\i -> if i < n then a[i] else a[i - n])) a

-- ==
-- entry: first_five
-- input { [1.25, -2.25, 0.75, 3.25, -0.75, 2.2] } output { 2.25 [1.0, 1.0, 1.0, 1.0, 1.0, 0.0] [1.0, 1.0, 1.0, 1.0, 1.0, 0.0] }
entry first_five [n] (a: [n]f64) =
  both (\a -> generate_sum 5 (\i -> a[i % n])) a

-- A11: aindex_map_1 to 4.
-- ==
-- entry: plus_third
-- input { [1.25, -2.25, 0.75, 3.25, -0.75, 2.2] } output { 8.95 [1.0, 1.0, 7.0, 1.0, 1.0, 1.0] [1.0, 1.0, 7.0, 1.0, 1.0, 1.0] }
entry plus_third [n] (a: [n]f64) =
  both (\a -> f64.sum (map (\x -> x + a[2]) a)) a

def near (n: i64) (x: f64) : i64 = i64.abs (i64.f64 (f64.round x)) % n

-- ==
-- entry: plus_near
-- input { [1.25, -2.25, 0.75, 3.25, -0.75, 2.2] } output { 2.45 [1.0, 4.0, 3.0, 2.0, 1.0, 1.0] [1.0, 4.0, 3.0, 2.0, 1.0, 1.0] }
entry plus_near [n] (a: [n]f64) =
  both (\a -> f64.sum (map (\x -> x + a[near n x]) a)) a

-- Equal elements of a row are one element of a: at each of these kinks both sides are the same.
-- ==
-- entry: times_maxima
-- input { [1.25, -2.25, 0.75, 3.25, -0.75, 2.2] } output { 12.0625 [2.45, 1.25, 1.25, 6.5, 1.25, 1.25] [2.45, 1.25, 1.25, 6.5, 1.25, 1.25] }
entry times_maxima [n] (a: [n]f64) =
  both (\a ->
          let b =
            map (reduce f64.max (-20)) (tabulate_2d n n (\i j -> a[i & j]))
          in f64.sum (map (\x -> x * b[near n x]) a))
       a

-- ==
-- entry: sums_times_near
-- input { [1.25, -2.25, 0.75, 3.25, -0.75, 2.2] } output { -18.635 [-1.6, 13.2, -6.0, -6.0, 11.8, 12.4] [-1.6, 13.2, -6.0, -6.0, 11.8, 12.4] }
entry sums_times_near [n] (a: [n]f64) =
  both (\a ->
          let b =
            map f64.sum (tabulate_2d n n (\i j -> a[i64.min (i ^ j) (n - 1)]))
          in f64.sum (map (\x -> x * a[near n x]) b))
       a
