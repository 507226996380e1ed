-- D29 (digest 000, table 5.D): sums and products whose operators are not recognised as such, by the general rule; expected are the literal
-- vectors of D1, D2, D3 and D4. (Maxima: D9.)
def f [w] [n] (op: f64 -> f64 -> f64) (ne: f64) (is: [n]i64) (dst: [w]f64, vs: [n]f64): [w]f64 = reduce_by_index (copy dst) op ne is vs

def plus (x: f64) (y: f64): f64 = -(-x - y)

def times (x: f64) (y: f64): f64 = -(-x * y)

-- ==
-- entry: sum
-- input { [2i64, 0i64, -1i64, 2i64, 5i64, 0i64, 3i64, 2i64, 4i64] [1.0, 2.0, 3.0, 4.0]
--   [10.0, 11.0, 12.0, 13.0, 14.0, 15.0, 16.0, 17.0, 18.0] [1.0, 10.0, 100.0, 1000.0] }
-- output { [1.0, 10.0, 100.0, 1000.0] [100.0, 1.0, 0.0, 100.0, 0.0, 1.0, 1000.0, 100.0, 0.0] }
entry sum [w] [n] (is: [n]i64) (dst: [w]f64) (vs: [n]f64) (seed: [w]f64): ([w]f64, [n]f64) = vjp (f plus 0.0 is) (dst, vs) seed

-- ==
-- entry: product
-- input { [2i64, 0i64, -1i64, 2i64, 5i64, 0i64, 3i64, 2i64, 4i64] [2.0, 3.0, 5.0, 0.0] [2.0, 3.0, 9.0, 4.0, 9.0, 7.0, 6.0, 5.0, 9.0]
--   [1.0, 10.0, 100.0, 1000.0] }
-- output { [21.0, 10.0, 4000.0, 6000.0] [10000.0, 14.0, 0.0, 5000.0, 0.0, 6.0, 0.0, 4000.0, 0.0] }
-- input { [2i64, 0i64, -1i64, 2i64, 5i64, 0i64, 3i64, 2i64, 4i64] [2.0, 3.0, 5.0, 7.0] [2.0, 3.0, 9.0, 0.0, 9.0, 7.0, 6.0, 5.0, 9.0]
--   [1.0, 10.0, 100.0, 1000.0] }
-- output { [21.0, 10.0, 0.0, 6000.0] [0.0, 14.0, 0.0, 5000.0, 0.0, 6.0, 7000.0, 0.0, 0.0] }
-- input { [2i64, 0i64, -1i64, 2i64, 5i64, 0i64, 3i64, 2i64, 4i64] [2.0, 3.0, 5.0, 7.0] [0.0, 3.0, 9.0, 0.0, 9.0, 7.0, 6.0, 5.0, 9.0]
--   [1.0, 10.0, 100.0, 1000.0] }
-- output { [21.0, 10.0, 0.0, 6000.0] [0.0, 14.0, 0.0, 0.0, 0.0, 6.0, 7000.0, 0.0, 0.0] }
entry product [w] [n] (is: [n]i64) (dst: [w]f64) (vs: [n]f64) (seed: [w]f64): ([w]f64, [n]f64) = vjp (f times 1.0 is) (dst, vs) seed

-- Of n elements 0, 1, 2 and -1 with zeros, ties and indices from -1 to w: the general rule's adjoints differ from the special one's
-- nowhere.
-- ==
-- entry: differences
-- input { 100i64 [1.0, 10.0, 100.0, 1000.0] } output { 0i64 0i64 0i64 }
-- input { 1i64 [1.0, 10.0, 100.0, 1000.0] }   output { 0i64 0i64 0i64 }
-- input { 64i64 [3.0] }                       output { 0i64 0i64 0i64 }
entry differences [w] (n: i64) (seed: [w]f64): (i64, i64, i64) =
  let is = map (\i -> (i * 7 + i / 5) % (w + 2) - 1) (iota n)
  let vs = map (\i -> if i % 23 == 5 then 0.0 else ([1.0, 2.0, -1.0])[i % 3]) (iota n)
  let dst = map (\i -> f64.i64 (i % 3)) (iota w)
  let differences op other ne =
    let (d, v) = vjp (f op ne is) (dst, vs) seed
    let (e, u) = vjp (f other ne is) (dst, vs) seed
    let count [k] (xs: [k]f64) (ys: [k]f64): i64 = i64.sum (map2 (\x y -> i64.bool (x != y)) xs ys)
    in count d e + count v u
  in ( differences (+) plus 0.0
     , differences (*) times 1.0
     , differences f64.max (\x y -> if x >= y then x else y) f64.lowest)
