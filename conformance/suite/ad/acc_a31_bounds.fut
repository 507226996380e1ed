-- A31 (digest 001, 5.2): a derivative reads and adds nothing out of bounds that the function does not. The interpreter checks each index,
-- so that such a derivative would fail; here are functions that come close: indices computed in branches that are not taken, past the end
-- by one, of arrays without elements, in iterations that there are not. Expected values by hand.

-- Reads left and right of each element, where there is one: sum of x[i - 1] x[i] x[i + 1] without those that are not there. x y + x y z + y
-- z at (2, 3, 5): 6 + 30 + 15; by x 3 + 15, by y 2 + 10 + 5, by z 6 + 3.
-- ==
-- entry: neighbours
-- input { [2.0, 3.0, 5.0] } output { 51.0 [18.0, 17.0, 9.0] }
-- input { [7.0] } output { 7.0 [1.0] }
-- input { empty([0]f64) } output { 0.0 empty([0]f64) }
entry neighbours [n] (xs: [n]f64) : (f64, [n]f64) =
  let at xs i =
    xs[i]
    * (if i > 0 then xs[i - 1] else 1)
    * (if i < n - 1 then xs[i + 1] else 1)
  in vjp2 (\xs -> f64.sum (map (at xs) (iota n))) xs 1

-- An index by each element, and 0 where it is none.
-- ==
-- entry: guarded
-- input { [0i64, 3i64, -1i64, 2i64, 9223372036854775807i64] [2.0, 3.0, 5.0] } output { 7.0 [1.0, 0.0, 1.0] }
-- input { [0i64, 3i64] empty([0]f64) } output { 0.0 empty([0]f64) }
entry guarded [n] [m] (is: [m]i64) (xs: [n]f64) : (f64, [n]f64) =
  vjp2 (\xs -> f64.sum (map (\i -> if 0 <= i && i < n then xs[i] else 0) is))
       xs
       1

-- The first element, if there is one: 2 x, otherwise the other argument.
-- ==
-- entry: first
-- input { [2.0, 3.0] 7.0 } output { 4.0 [2.0, 0.0] 0.0 }
-- input { empty([0]f64) 7.0 } output { 7.0 empty([0]f64) 1.0 }
entry first [n] (xs: [n]f64) (z: f64) : (f64, [n]f64, f64) =
  let (y, (xs', z')) =
    vjp2 (\(xs, z) -> if n > 0 then 2 * xs[0] else z) (xs, z) 1
  in (y, xs', z')

-- A list that is followed until -1: 0, 2, 1: product of 2, 5, 3; 3 is not on the way.
-- ==
-- entry: followed
-- input { 0i64 [2i64, -1i64, 1i64, 0i64] [2.0, 3.0, 5.0, 7.0] } output { 30.0 [15.0, 10.0, 6.0, 0.0] }
-- input { -1i64 [2i64, -1i64, 1i64, 0i64] [2.0, 3.0, 5.0, 7.0] } output { 1.0 [0.0, 0.0, 0.0, 0.0] }
entry followed [n] (start: i64) (next: [n]i64) (xs: [n]f64) : (f64, [n]f64) =
  vjp2 (\xs ->
          (loop (i, p) = (start, 1) while i >= 0 do (next[i], p * xs[i])).1)
       xs
       1

-- Rows of different parts of one array, the last ones empty: [2, 3], [5], nothing, nothing behind the end: 5^2 + 5^2; 2 * 5 each, 2 * 5.
-- ==
-- entry: parts
-- input { [0i64, 2i64, 3i64, 3i64] [2i64, 1i64, 0i64, 0i64] [2.0, 3.0, 5.0] } output { 50.0 [10.0, 10.0, 10.0] }
entry parts [n] [m]
            (starts: [m]i64)
            (lengths: [m]i64)
            (xs: [n]f64) : (f64, [n]f64) =
  let square x = x * x
  let part xs s l = square (loop a = 0 for i < l do a + xs[s + i])
  in vjp2 (\xs -> f64.sum (map2 (part xs) starts lengths)) xs 1

-- A function that is out of bounds stays so.
-- ==
-- entry: outside
-- input { [2.0, 3.0] 1i64 } output { 3.0 [0.0, 1.0] }
-- input { [2.0, 3.0] 2i64 } error: out of bounds
-- input { [2.0, 3.0] -1i64 } error: out of bounds
entry outside [n] (xs: [n]f64) (i: i64) : (f64, [n]f64) =
  vjp2 (\xs -> xs[i]) xs 1
