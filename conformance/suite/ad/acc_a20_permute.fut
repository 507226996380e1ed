-- A20 (digest 001, 5.2): permutations that combine what meets, as histograms with (+), (*), max, and scatters. (Each rule of a histogram:
-- rows D of digest 000.) Expected values by hand: the value, and the adjoints of the default and of the elements, in reverse mode and from
-- forward mode. Positions out of range are skipped.

def unit (n: i64) (i: i64) : [n]f64 = map (\j -> f64.bool (i == j)) (iota n)

def dot [n] (xs: [n]f64) (ys: [n]f64) : f64 = f64.sum (map2 (*) xs ys)

def both [w] [n]
         (f: ([w]f64, [n]f64) -> [w]f64)
         (d: [w]f64)
         (x: [n]f64)
         (s: [w]f64) : ([w]f64, [w]f64, [n]f64, [w]f64, [n]f64) =
  let (y, (d', x')) = vjp2 f (d, x) s
  in ( y
     , d'
     , x'
     , map (\i -> dot s (jvp f (d, x) (unit w i, replicate n 0))) (iota w)
     , map (\i -> dot s (jvp f (d, x) (replicate w 0, unit n i))) (iota n)
     )

-- To 2 are added 3 and 5; nothing to 7.
-- ==
-- entry: plus
-- input { [0i64, 2i64, 0i64, -1i64] [2.0, 7.0] [3.0, 4.0, 5.0, 6.0] [1.0, 10.0] }
-- output { [10.0, 7.0] [1.0, 10.0] [1.0, 0.0, 1.0, 0.0] [1.0, 10.0] [1.0, 0.0, 1.0, 0.0] }
entry plus [w] [n] (is: [n]i64) (d: [w]f64) (x: [n]f64) (s: [w]f64) =
  both (\(d, x) -> reduce_by_index (copy d) (+) 0 is x) d x s

-- 2 * 3 * 5: the products of the others. With one zero, its adjoint alone.
-- ==
-- entry: times
-- input { [0i64, 2i64, 0i64, -1i64] [2.0, 7.0] [3.0, 4.0, 5.0, 6.0] [1.0, 10.0] }
-- output { [30.0, 7.0] [15.0, 10.0] [10.0, 0.0, 6.0, 0.0] [15.0, 10.0] [10.0, 0.0, 6.0, 0.0] }
-- input { [0i64, 1i64, 0i64, 1i64] [2.0, 7.0] [0.0, 4.0, 5.0, 6.0] [1.0, 10.0] }
-- output { [0.0, 168.0] [0.0, 240.0] [10.0, 420.0, 0.0, 280.0] [0.0, 240.0] [10.0, 420.0, 0.0, 280.0] }
entry times [w] [n] (is: [n]i64) (d: [w]f64) (x: [n]f64) (s: [w]f64) =
  both (\(d, x) -> reduce_by_index (copy d) (*) 1 is x) d x s

-- The larger of 2, 3, 5 is the third element, of 7 alone the default.
-- ==
-- entry: largest
-- input { [0i64, 2i64, 0i64, -1i64] [2.0, 7.0] [3.0, 4.0, 5.0, 6.0] [1.0, 10.0] }
-- output { [5.0, 7.0] [0.0, 10.0] [0.0, 0.0, 1.0, 0.0] [0.0, 10.0] [0.0, 0.0, 1.0, 0.0] }
entry largest [w] [n] (is: [n]i64) (d: [w]f64) (x: [n]f64) (s: [w]f64) =
  both (\(d, x) -> reduce_by_index (copy d) f64.max f64.lowest is x) d x s

-- Without combination: what is overwritten has the adjoint 0.
-- ==
-- entry: overwritten
-- input { [1i64, 3i64, -1i64, 0i64] [2.0, 7.0, 8.0] [3.0, 4.0, 5.0, 6.0] [1.0, 10.0, 100.0] }
-- output { [6.0, 3.0, 8.0] [0.0, 0.0, 100.0] [10.0, 0.0, 0.0, 1.0] [0.0, 0.0, 100.0] [10.0, 0.0, 0.0, 1.0] }
-- input { empty([0]i64) [2.0, 7.0, 8.0] empty([0]f64) [1.0, 10.0, 100.0] }
-- output { [2.0, 7.0, 8.0] [1.0, 10.0, 100.0] empty([0]f64) [1.0, 10.0, 100.0] empty([0]f64) }
entry overwritten [w] [n] (is: [n]i64) (d: [w]f64) (x: [n]f64) (s: [w]f64) =
  both (\(d, x) -> scatter (copy d) is x) d x s
