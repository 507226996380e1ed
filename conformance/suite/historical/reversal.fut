-- Futhark #2522 (references.md A1): the derivative of an array read backwards. The sum of (i + 1) times the square of element i from behind:
-- 1 * 9 + 2 * 4 + 3 * 1 = 20; the gradient by place j is 2 xs[j] (n - j): [2 * 3, 4 * 2, 6 * 1].
-- ==
-- entry: built_in by_index
-- input { [1.0, 2.0, 3.0] } output { 20.0 [6.0, 8.0, 6.0] }
-- input { empty([0]f64) }   output { 0.0 empty([0]f64) }
def weigh [n] (xs: [n]f64): f64 = f64.sum (map2 (\i x -> f64.i64 (i + 1) * x * x) (iota n) xs)

entry built_in [n] (xs: [n]f64): (f64, [n]f64) = vjp2 (\xs -> weigh (reverse xs)) xs 1.0

entry by_index [n] (xs: [n]f64): (f64, [n]f64) = vjp2 (\xs -> weigh (map (\i -> xs[n - 1 - i]) (iota n))) xs 1.0

-- The tangent is read backwards too, and twice backwards is forwards.
-- ==
-- entry: forward
-- input { [1.0, 2.0, 3.0] [4.0, 5.0, 6.0] } output { [6.0, 5.0, 4.0] [4.0, 5.0, 6.0] }
entry forward [n] (xs: [n]f64) (xs': [n]f64): ([n]f64, [n]f64) =
  (jvp reverse xs xs', jvp (\xs -> reverse (reverse xs)) xs xs')
