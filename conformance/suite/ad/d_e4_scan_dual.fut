-- E4 (digest 000, table 5.E, its literal vectors): the product of dual numbers, whose Jacobian is not symmetric (E1): one that is not
-- transposed gives [(1044, 838), (810, 841), (550, 815)].

def times (a: f64, b: f64) (c: f64, d: f64): (f64, f64) = (b * c + d * a, b * d)

def f [n] (xs: [n][2]f64): [n][2]f64 =
  map (\(a, b) -> [a, b]) (scan times (0.0, 1.0) (map (\x -> (x[0], x[1])) xs))

-- ==
-- entry: reverse forward
-- input { [[1.0, 10.0], [2.0, 11.0], [3.0, 12.0]] [[1.0, 2.0], [3.0, 4.0], [5.0, 6.0]] }
-- output { [[1.0, 10.0], [31.0, 110.0], [702.0, 1320.0]] [[694.0, 1129.0], [630.0, 973.0], [550.0, 815.0]] }
entry reverse [n] (xs: [n][2]f64) (seed: [n][2]f64): ([n][2]f64, [n][2]f64) = vjp2 f xs seed

-- The same from the columns of the Jacobian.
entry forward [n] (xs: [n][2]f64) (seed: [n][2]f64): ([n][2]f64, [n][2]f64) =
  let unit i = unflatten (map (\j -> f64.bool (i == j)) (iota (n * 2)))
  in (f xs, unflatten (tabulate (n * 2) (\i -> f64.sum (map2 (*) (flatten seed) (flatten (jvp f xs (unit i)))))))

-- Of the pairs only the first components are used, then only the second; by an exact calculation in forward mode, in Python's fractions.
-- ==
-- entry: first
-- input { [1.0, 2.0, 3.0] [10.0, 11.0, 12.0] [1.0, 3.0, 5.0] }
-- output { [694.0, 630.0, 550.0] [291.0, 213.0, 155.0] }
entry first [n] (xs: [n]f64) (ys: [n]f64) (seed: [n]f64): ([n]f64, [n]f64) =
  vjp (\(xs, ys) -> (unzip (scan times (0.0, 1.0) (zip xs ys))).0) (xs, ys) seed

-- ==
-- entry: second
-- input { [1.0, 2.0, 3.0] [10.0, 11.0, 12.0] [1.0, 3.0, 5.0] }
-- output { [0.0, 0.0, 0.0] [694.0, 630.0, 550.0] }
entry second [n] (xs: [n]f64) (ys: [n]f64) (seed: [n]f64): ([n]f64, [n]f64) =
  vjp (\(xs, ys) -> (unzip (scan times (0.0, 1.0) (zip xs ys))).1) (xs, ys) seed
