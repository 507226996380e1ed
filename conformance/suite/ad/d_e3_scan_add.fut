-- E3 (digest 000, table 5.E, its literal vectors): the adjoint of a sum's element is the sum of those from there on.

-- ==
-- entry: special general
-- input { [5.0, 6.0, 7.0, 8.0] [1.0, 10.0, 100.0, 1000.0] }
-- output { [5.0, 11.0, 18.0, 26.0] [1111.0, 1110.0, 1100.0, 1000.0] }
entry special [n] (xs: [n]f64) (seed: [n]f64): ([n]f64, [n]f64) = vjp2 (scan (+) 0.0) xs seed

entry general [n] (xs: [n]f64) (seed: [n]f64): ([n]f64, [n]f64) = vjp2 (scan (\x y -> -(-x - y)) 0.0) xs seed

-- All move by 1.
-- ==
-- entry: forward
-- input { [5.0, 6.0, 7.0, 8.0] }
-- output { [1.0, 2.0, 3.0, 4.0] }
entry forward [n] (xs: [n]f64): [n]f64 = jvp (scan (+) 0.0) xs (replicate n 1.0)

-- Exclusive, and from the right: [0, 5, 11, 18] moves by 1110, 1100, 1000, 0; sums from an element on by 1, 11, 111, 1111.
-- ==
-- entry: exclusive
-- input { [5.0, 6.0, 7.0, 8.0] [1.0, 10.0, 100.0, 1000.0] }
-- output { [0.0, 5.0, 11.0, 18.0] [1110.0, 1100.0, 1000.0, 0.0] }
entry exclusive [n] (xs: [n]f64) (seed: [n]f64): ([n]f64, [n]f64) = vjp2 (exscan (+) 0.0) xs seed

-- ==
-- entry: right
-- input { [5.0, 6.0, 7.0, 8.0] [1.0, 10.0, 100.0, 1000.0] }
-- output { [26.0, 21.0, 15.0, 8.0] [1.0, 11.0, 111.0, 1111.0] }
entry right [n] (xs: [n]f64) (seed: [n]f64): ([n]f64, [n]f64) = vjp2 (reverse >-> scan (+) 0.0 >-> reverse) xs seed
