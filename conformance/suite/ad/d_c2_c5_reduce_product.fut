-- C2 to C5, C10 (digest 000, table 5.C, its literal vectors): products without a zero, with one, with two, of nothing, of one; by the rule
-- for products and by the general one.

-- ==
-- entry: special general
-- input { [2.0, 3.0, 4.0] 3.0 }
-- output { [36.0, 24.0, 18.0] }
-- input { [2.0, 0.0, 4.0] 3.0 }
-- output { [0.0, 24.0, 0.0] }
-- input { [0.0] 3.0 }
-- output { [3.0] }
-- input { [0.0, 0.0, 3.0] 3.0 }
-- output { [0.0, 0.0, 0.0] }
-- input { [0.0, 0.0] 3.0 }
-- output { [0.0, 0.0] }
-- input { empty([0]f64) 3.0 }
-- output { empty([0]f64) }
-- input { [5.0] 3.0 }
-- output { [3.0] }
entry special [n] (xs: [n]f64) (seed: f64): [n]f64 = vjp (reduce (*) 1.0) xs seed

entry general [n] (xs: [n]f64) (seed: f64): [n]f64 = vjp (reduce (\x y -> -(-x * y)) 1.0) xs seed
