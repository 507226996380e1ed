-- What is defined at the top level is there for all functions: a lambda that uses it may be given to a function, beside other uses. By hand; 0.25.32 accepts it.
def ys : [3]f64 = [1, 2, 3]
def apply [n] (f: [n]f64 -> [n]f64) (x: [n]f64) : [n]f64 = f x

-- ==
-- entry: beside
-- input { [1.0, 2.0, 3.0] } output { 1.0 [3.0, 4.0, 5.0] }
entry beside (x: [3]f64) = (ys[0], apply (\v -> map (+ ys[1]) v) x)

-- ==
-- entry: twice
-- input { [1.0, 2.0, 3.0] } output { [2.0, 3.0, 4.0] [4.0, 5.0, 6.0] }
entry twice (x: [3]f64) =
  (apply (\v -> map (+ ys[0]) v) x, apply (\v -> map (+ ys[2]) v) x)
