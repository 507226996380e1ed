-- Several directions at once through slices, views and updates of slices: f xs = the squares of xs[1:3] in front, then 3 xs[0], then xs[3] as it is. At
-- [1, 2, 3, 4] the Jacobian's rows are [0, 4, 0, 0], [0, 0, 6, 0], [3, 0, 0, 0], [0, 0, 0, 1].
-- ==
-- entry: forward
-- input { [1.0, 2.0, 3.0, 4.0] [[1.0, 0.0, 0.0, 0.0], [0.0, 1.0, 10.0, 100.0], [1.0, 1.0, 1.0, 1.0]] }
-- output { [[0.0, 0.0, 3.0, 0.0], [4.0, 60.0, 0.0, 100.0], [4.0, 6.0, 3.0, 1.0]] }
-- input { [1.0, 2.0, 3.0, 4.0] empty([0][4]f64) } output { empty([0][4]f64) }
def f (xs: [4]f64): [4]f64 =
  let ys = copy xs with [0:2] = map (\x -> x * x) xs[1:3]
  in ys with [2] = 3 * xs[0]

entry forward [k] (xs: [4]f64) (seeds: [k][4]f64): [k][4]f64 = jmp f xs seeds

-- ==
-- entry: reverse
-- input { [1.0, 2.0, 3.0, 4.0] [[1.0, 0.0, 0.0, 0.0], [0.0, 1.0, 10.0, 100.0], [1.0, 1.0, 1.0, 1.0]] }
-- output { [[0.0, 4.0, 0.0, 0.0], [30.0, 0.0, 6.0, 100.0], [3.0, 4.0, 6.0, 1.0]] }
-- input { [1.0, 2.0, 3.0, 4.0] empty([0][4]f64) } output { empty([0][4]f64) }
entry reverse [k] (xs: [4]f64) (seeds: [k][4]f64): [k][4]f64 = mjp f xs seeds
