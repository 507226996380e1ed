-- Accumulators of other operators than +: `withacc` and `updacc` under vjp (digest 002 §1A.18 for sums, digest 000 §1.7 for operators). Derivatives of
-- products by hand: the product over the element.

-- dest[i] * products: [2 * 3 * 5, 7 * 4], index 9 is out of range. With the seed [1, 10]: dest: [15, 10 * 4]; values: [10, 10 * 7, 6, 0].
-- ==
-- entry: product
-- input { [2.0, 7.0] [0i64, 1i64, 0i64, 9i64] [3.0, 4.0, 5.0, 6.0] [1.0, 10.0] }
-- output { [30.0, 28.0] [15.0, 40.0] [10.0, 70.0, 6.0, 0.0] }
-- input { [2.0, 7.0] empty([0]i64) empty([0]f64) [1.0, 10.0] } output { [2.0, 7.0] [1.0, 10.0] empty([0]f64) }
entry product [k] [n] (dest: [k]f64) (is: [n]i64) (vs: [n]f64) (seed: [k]f64) =
  let f (dest, vs) = reduce_by_index_stream (copy dest) (*) 1f64 (\(acc: *acc ([]f64)) (i, v) -> write acc i v) (zip is vs)
  let (y, (d, v)) = vjp2 f (dest, vs) seed
  in (y, d, v)

-- The largest: of bin 0 the destination's 9, of bin 1 the second value; where two are equal, the first gets all.
-- ==
-- entry: greatest
-- input { [9.0, 1.0] [0i64, 1i64, 1i64] [3.0, 4.0, 2.0] [1.0, 10.0] } output { [9.0, 4.0] [1.0, 0.0] [0.0, 10.0, 0.0] }
entry greatest [k] [n] (dest: [k]f64) (is: [n]i64) (vs: [n]f64) (seed: [k]f64) =
  let f (dest, vs) = reduce_by_index_stream (copy dest) f64.max (-f64.inf) (\(acc: *acc ([]f64)) (i, v) -> write acc i v) (zip is vs)
  let (y, (d, v)) = vjp2 f (dest, vs) seed
  in (y, d, v)

-- (1 + a) (1 + b) - 1, whose inverse needs a division. In bin 0: (1 + 1) (1 + 2) (1 + 3) - 1 = 23, derivatives 12, 8, 6.
-- ==
-- entry: general
-- input { [1.0] [0i64, 0i64] [2.0, 3.0] [1.0] } output { [23.0] [12.0] [8.0, 6.0] }
entry general [k] [n] (dest: [k]f64) (is: [n]i64) (vs: [n]f64) (seed: [k]f64) =
  let op (a: f64) b = a + b + a * b
  let f (dest, vs) = reduce_by_index_stream (copy dest) op 0 (\(acc: *acc ([]f64)) (i, v) -> write acc i v) (zip is vs)
  let (y, (d, v)) = vjp2 f (dest, vs) seed
  in (y, d, v)

-- Only what is greater than 2 counts, twice if it is greater than 3: 1 * 3 * 4 * 4 = 48; derivatives 48, 0, 16, 2 * 12.
-- ==
-- entry: branches
-- input { [1.0] [1.5, 3.0, 4.0] } output { [48.0] [48.0] [0.0, 16.0, 24.0] }
entry branches [k] [n] (dest: [k]f64) (vs: [n]f64) =
  let once (acc: *acc ([]f64)) v : acc ([]f64) = write acc 0 v
  let f (dest, vs) =
    reduce_by_index_stream (copy dest) (*) 1f64
                           (\(acc: *acc ([]f64)) v -> if v > 2 then (if v > 3 then once (once acc v) v else once acc v) else acc)
                           vs
  let (y, (d, v)) = vjp2 f (dest, vs) (replicate k 1)
  in (y, d, v)

-- Each element goes to the bins 0 to 2, plus the bin's number: of 2: 2, 3, 4; of 1: 1, 2, 3. Products 2, 6, 12; the derivatives: 1 + 2 + 3, 2 + 3 + 4.
-- ==
-- entry: in_loops
-- input { [1.0, 1.0, 1.0] [2.0, 1.0] } output { [2.0, 6.0, 12.0] [2.0, 6.0, 12.0] [6.0, 9.0] }
entry in_loops [k] [n] (dest: [k]f64) (vs: [n]f64) =
  let f (dest, vs) =
    reduce_by_index_stream (copy dest) (*) 1f64
                           (\(acc: *acc ([]f64)) v -> loop (acc: *acc ([]f64)) = acc for i < k do write acc i (v + f64.i64 i))
                           vs
  let (y, (d, v)) = vjp2 f (dest, vs) (replicate k 1)
  in (y, d, v)

-- Each row has its own number of trips: v^k, the derivative k v^(k-1) times what others give: 2^3 * 5^0 * 3^1 = 24: 3 * 4 * 3 = 36, 0, 8.
-- ==
-- entry: own_trips
-- input { [1.0] [3i64, 0i64, 1i64] [2.0, 5.0, 3.0] } output { [24.0] [24.0] [36.0, 0.0, 8.0] }
-- input { [1.0] empty([0]i64) empty([0]f64) } output { [1.0] [1.0] empty([0]f64) }
entry own_trips [k] [n] (dest: [k]f64) (ks: [n]i64) (vs: [n]f64) =
  let f (dest, vs) =
    reduce_by_index_stream (copy dest) (*) 1f64
                           (\(acc: *acc ([]f64)) (k, v) -> loop (acc: *acc ([]f64)) = acc for _i < k do write acc 0 v)
                           (zip ks vs)
  let (y, (d, v)) = vjp2 f (dest, vs) (replicate k 1)
  in (y, d, v)

-- Halved while it is at least 2: 8 gives 8, 4, 2; 3 gives 3; 1 nothing. 64 * 3; derivatives: 3 * 192 / 8, 192 / 3, 0.
-- ==
-- entry: while_loops
-- input { [1.0] [8.0, 3.0, 1.0] } output { [192.0] [192.0] [72.0, 64.0, 0.0] }
entry while_loops [k] [n] (dest: [k]f64) (vs: [n]f64) =
  let f (dest, vs) =
    reduce_by_index_stream (copy dest) (*) 1f64
                           (\(acc: *acc ([]f64)) v -> (loop (acc: *acc ([]f64), v) = (acc, v) while v >= 2 do (write acc 0 v, v / 2)).0)
                           vs
  let (y, (d, v)) = vjp2 f (dest, vs) (replicate k 1)
  in (y, d, v)

-- In one branch of each row a loop of its own: 2 twice and 3 not at all; then 5 once. 20; 2 * 20 / 2, 0, 4.
-- ==
-- entry: trips_in_branches
-- input { [1.0] [2i64, -1i64, 1i64] [2.0, 3.0, 5.0] } output { [20.0] [20.0] [20.0, 0.0, 4.0] }
entry trips_in_branches [k] [n] (dest: [k]f64) (ks: [n]i64) (vs: [n]f64) =
  let f (dest, vs) =
    reduce_by_index_stream (copy dest) (*) 1f64
                           (\(acc: *acc ([]f64)) (k, v) -> if k > 0 then loop (acc: *acc ([]f64)) = acc for _i < k do write acc 0 v else acc)
                           (zip ks vs)
  let (y, (d, v)) = vjp2 f (dest, vs) (replicate k 1)
  in (y, d, v)

-- Dual numbers, (a, a') * (b, b') = (a b, a' b + a b'): of the second component of (2, 1) * (3, 0) * (5, 0) = (30, 15), by each component:
-- 1 / 30 of each, so for the first row d15/d2 = 0, d15/d1 = 15; d15/d3 = 5, d/d0 = 10; d15/d5 = 3, d/d0 = 6.
-- ==
-- entry: pairs
-- input { [2.0, 3.0, 5.0] [1.0, 0.0, 0.0] } output { 15.0 [0.0, 5.0, 3.0] [15.0, 10.0, 6.0] }
entry pairs [n] (vs: [n]f64) (us: [n]f64) =
  let op (a: f64, a': f64) (b, b') = (a * b, a' * b + a * b')
  let f (vs, us) =
    (reduce_by_index_stream [(1, 0)] op (1, 0) (\(acc: *acc ([](f64, f64))) vu -> write acc 0 vu) (zip vs us))[0].1
  let (y, (v, u)) = vjp2 f (vs, us) 1
  in (y, v, u)

-- Rows multiplied element by element: [1 * 3, 2 * 4]: the other row is the derivative.
-- ==
-- entry: rows
-- input { [[1.0, 2.0], [3.0, 4.0]] } output { [3.0, 8.0] [[3.0, 4.0], [1.0, 2.0]] }
entry rows [n] [m] (vss: [n][m]f64) =
  let f vss =
    (reduce_by_index_stream [replicate m 1] (map2 (*)) (replicate m 1f64) (\(acc: *acc ([][]f64)) row -> write acc 0 row) vss)[0]
  in vjp2 f vss (replicate m 1)

-- The derivative of the derivative of x^3 times the start, 6 x: the accumulator of the first derivative is of pairs.
-- ==
-- entry: second
-- input { 5.0 } output { 30.0 30.0 }
entry second (x: f64) =
  let f x = (reduce_by_index_stream [1] (*) 1f64 (\(acc: *acc ([]f64)) _ -> write acc 0 x) (iota 3))[0]
  in (vjp (\x -> vjp f x 1) x 1, vjp (\x -> jvp f x 1) x 1)

-- Three elements for each seed at once: 2 * 3 * 5.
-- ==
-- entry: seeds
-- input { [2.0, 3.0, 5.0] } output { [[15.0, 10.0, 6.0], [30.0, 20.0, 12.0]] }
entry seeds [n] (vs: [n]f64) =
  let f vs = (reduce_by_index_stream [1] (*) 1f64 (\(acc: *acc ([]f64)) v -> write acc 0 v) vs)[0]
  in mjp f vs [1, 2]

-- What is written takes the place of what was there: the last of [1, 2, 3] is 7 x. Index 9 is out of range.
-- ==
-- entry: stored
-- input { [1.0, 2.0, 3.0] [2i64, 9i64] [5.0, 6.0] } output { [1.0, 2.0, 35.0] [1.0, 10.0, 0.0] [700.0, 0.0] [1.0, 1.0, 7.0] }
entry stored [k] [n] (dest: [k]f64) (is: [n]i64) (vs: [n]f64) =
  let f (dest: [k]f64, vs: [n]f64) =
    scatter_stream (copy dest) (\(acc: *acc ([k]f64)) (i, v) -> write acc i (7 * v)) (zip is vs)
  let (y, (d, v)) = vjp2 f (dest, vs) (map (10 **) (map f64.i64 (iota k)))
  in (y, d, v, jvp f (dest, vs) (replicate k 1, replicate n 1))

-- Loops in loops, of which the inner has as many rounds as the outer's number: 3 (3 + 1) (3 + 2)^2 = 300 for two outer rounds of 1 and 2 inner ones after one
-- before. By v: 300 (1 / 3 + 1 / 4 + 2 / 5) = 100 + 75 + 120.
-- ==
-- entry: loops_in_loops
-- input { 3i64 3.0 } output { 300.0 295.0 }
-- input { 0i64 3.0 } output { 3.0 1.0 }
entry loops_in_loops (k: i64) (v: f64): (f64, f64) =
  let f v =
    (reduce_by_index_stream [1] (*) 1f64
                            (\(acc: *acc ([1]f64)) _ ->
                               let acc = write acc 0 v
                               in loop (acc: *acc ([1]f64)) = acc for i < k do
                                    loop (acc: *acc ([1]f64)) = acc for _j < i do write acc 0 (v + f64.i64 i))
                            [true])[0]
  in vjp2 f v 1

-- What is added is constant: the derivative is that of the array.
-- ==
-- entry: constant_updates
-- input { [1.0, 2.0] [0i64, 0i64, 1i64] } output { [3.0, 3.0] [1.0, 10.0] }
entry constant_updates [k] [n] (xs: [k]f64) (is: [n]i64): ([k]f64, [k]f64) =
  vjp2 (\xs -> reduce_by_index_stream (copy xs) (+) 0 (\(acc: *acc ([k]f64)) i -> write acc i 1) is) xs
       (map (10 **) (map f64.i64 (iota k)))
