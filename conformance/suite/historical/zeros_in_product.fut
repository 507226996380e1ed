-- Products with zeros (futhark-compat.md §2.2): the product divided by the element is no derivative where an element is 0. With one zero only that
-- element counts, with two none.
-- ==
-- entry: reduced
-- input { [2.0, 3.0, 4.0] } output { [12.0, 8.0, 6.0] }
-- input { [2.0, 0.0, 4.0] } output { [0.0, 8.0, 0.0] }
-- input { [0.0, 3.0, 0.0] } output { [0.0, 0.0, 0.0] }
entry reduced [n] (xs: [n]f64): [n]f64 = vjp f64.product xs 1.0

-- All prefixes, each counted once: (1 + b + b c, a + a c, a b) for [a, b, c].
-- ==
-- entry: scanned
-- input { [2.0, 3.0, 4.0] } output { [16.0, 10.0, 6.0] }
-- input { [2.0, 0.0, 4.0] } output { [1.0, 10.0, 0.0] }
-- input { [0.0, 0.0, 4.0] } output { [1.0, 0.0, 0.0] }
entry scanned [n] (xs: [n]f64): [n]f64 = vjp (scan (*) 1.0) xs (replicate n 1.0)

-- Integers as well, where nothing can be divided out (and no other oracle of derivatives applies).
-- ==
-- entry: integers
-- input { [2, 3, 4] } output { [12, 8, 6] }
-- input { [2, 0, 4] } output { [0, 8, 0] }
entry integers [n] (xs: [n]i32): [n]i32 = vjp i32.product xs 1
