-- R20: the adjoint goes to the element returned, of several equal ones to the first.
-- ==
-- entry: minimum
-- input { [3.0, 1.0, 2.0, 1.0] } output { [0.0, 1.0, 0.0, 0.0] }
entry minimum [n] (xs: [n]f64): [n]f64 = vjp f64.minimum xs 1.0

-- ==
-- entry: maximum
-- input { [3.0, 1.0, 2.0, 3.0] } output { [1.0, 0.0, 0.0, 0.0] }
-- input { [-1.0, 5.0] }          output { [0.0, 1.0] }
entry maximum [n] (xs: [n]f64): [n]f64 = vjp f64.maximum xs 1.0
