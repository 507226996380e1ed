-- Parts of an array whose rows were computed one by one: elements, parts across several rows, and parts without elements behind the last.
-- ys is x^2 where x > 0, else x.
def squares (xs: [3]f64): [3]f64 = map (\x -> if x > 0 then x * x else x) xs

-- The first element along 10, the first two along [1, 100]. At [1, -2, 3] ys has the derivatives 2, 1 and 6: (10 + 1) 2, 100 * 1, 0.
-- ==
-- entry: across
-- input { [1.0, -2.0, 3.0] } output { [22.0, 100.0, 0.0] }
entry across (xs: [3]f64): [3]f64 =
  vjp (\xs -> let ys = squares xs in (ys[0], ys[0:2])) xs (10, [1, 100])

-- The first element along 10, and nothing.
-- ==
-- entry: behind
-- input { [1.0, -2.0, 3.0] } output { [20.0, 0.0, 0.0] }
entry behind (xs: [3]f64): [3]f64 =
  vjp (\xs -> let ys = squares xs in (ys[0], ys[3:] :> [0]f64)) xs (10, [])

-- Two of 32 elements, far apart: their squares have the derivatives 2 x, at 1 and 17.
-- ==
-- entry: few
-- input { [3.0, 100.0] } output { [6.0, 0.0, 0.0, 0.0, 0.0, 0.0, 0.0, 0.0, 0.0, 0.0, 0.0, 0.0, 0.0, 0.0, 0.0, 0.0,
--                                  3400.0, 0.0, 0.0, 0.0, 0.0, 0.0, 0.0, 0.0, 0.0, 0.0, 0.0, 0.0, 0.0, 0.0, 0.0, 0.0] }
entry few (seed: [2]f64): [32]f64 =
  let xs = map (\i -> 1 + f64.i64 i) (iota 32)
  in vjp (\xs -> map (\x -> x * x) (xs[::16] :> [2]f64)) xs seed
