-- R25 (digest 002, 5.1.2): the adjoint of a bin goes to the value that is in it, the first of equals; what was there before comes first. By
-- hand.
-- ==
-- entry: minimum
-- input { [9.0, 9.0] [0i64, 1i64, 0i64, 1i64, 5i64] [3.0, 4.0, 1.0, 5.0, 0.0] [10.0, 20.0] }
-- output { [1.0, 4.0] [0.0, 0.0] [0.0, 20.0, 10.0, 0.0, 0.0] }
-- input { [2.0, 3.0] [0i64, 1i64, 0i64, 1i64, 5i64] [3.0, 4.0, 1.0, 5.0, 0.0] [10.0, 20.0] }
-- output { [1.0, 3.0] [0.0, 20.0] [0.0, 0.0, 10.0, 0.0, 0.0] }
-- input { [2.0, 3.0] empty([0]i64) empty([0]f64) [10.0, 20.0] } output { [2.0, 3.0] [10.0, 20.0] empty([0]f64) }
entry minimum [k] [n] (h: [k]f64) (is: [n]i64) (vs: [n]f64) (adj: [k]f64): ([k]f64, [k]f64, [n]f64) =
  let (y, (h', vs')) = vjp2 (\(h, vs) -> reduce_by_index (copy h) f64.min f64.inf is vs) (h, vs) adj
  in (y, h', vs')

-- ==
-- entry: maximum
-- input { [0.0, 0.0] [0i64, 1i64, 0i64, 1i64, 5i64] [3.0, 4.0, 1.0, 5.0, 9.0] [10.0, 20.0] }
-- output { [3.0, 5.0] [0.0, 0.0] [10.0, 0.0, 0.0, 20.0, 0.0] }
-- input { [2.0, 6.0] [0i64, 1i64, 0i64, 1i64, 5i64] [3.0, 4.0, 1.0, 5.0, 9.0] [10.0, 20.0] }
-- output { [3.0, 6.0] [0.0, 20.0] [10.0, 0.0, 0.0, 0.0, 0.0] }
entry maximum [k] [n] (h: [k]f64) (is: [n]i64) (vs: [n]f64) (adj: [k]f64): ([k]f64, [k]f64, [n]f64) =
  let (y, (h', vs')) = vjp2 (\(h, vs) -> reduce_by_index (copy h) f64.max (-f64.inf) is vs) (h, vs) adj
  in (y, h', vs')

-- Equal values, none of them a parameter: at a kink there is no numerical derivative. In bin 0 the value 1 is at 1 and 3, in bin 1 there
-- was 4 before 4.
-- ==
-- entry: tied
-- input { } output { [0.0, 20.0] [0.0, 10.0, 0.0, 0.0, 0.0] [0.0, 20.0] [0.0, 10.0, 0.0, 0.0, 0.0] }
entry tied: ([2]f64, [5]f64, [2]f64, [5]f64) =
  let is = [0, 0, 1, 0, 1]
  let (a, b) = vjp (\(h, vs) -> reduce_by_index (copy h) f64.min f64.inf is vs) ([9, 4], [3, 1, 4, 1, 4]) [10, 20]
  let (c, d) = vjp (\(h, vs) -> reduce_by_index (copy h) f64.max (-f64.inf) is vs) ([-9, -4], [-3, -1, -4, -1, -4]) [10, 20]
  in (a, b, c, d)

-- The least of squares in each bin: the winner's 2 v. [1, -3] and [-2].
-- ==
-- entry: composed
-- input { [0i64, 1i64, 0i64] [1.0, -2.0, -3.0] } output { [1.0, 4.0] [2.0, -40.0, 0.0] }
entry composed [n] (is: [n]i64) (vs: [n]f64): ([2]f64, [n]f64) =
  vjp2 (\vs -> hist f64.min f64.inf 2 is (map (\v -> v * v) vs)) vs [1, 10]

-- An element is used beside, before and after: the adjoint that the histogram gives is updated in place. Bins max(3, 1) = 3 and 4, times v0 v3 = 3 * 2: the sum 7 times 6.
-- By the largest 6 each, by v0 also 7 * 2, by v3 7 * 3.
-- ==
-- entry: and_elements
-- input { [0i64, 1i64, 0i64, 0i64] [3.0, 4.0, 1.0, 2.0] } output { 42.0 [20.0, 6.0, 0.0, 21.0] }
entry and_elements [n] (is: [n]i64) (vs: [n]f64): (f64, [n]f64) =
  vjp2 (\vs -> let x = vs[0]
               let bins = reduce_by_index (replicate 2 0) f64.max (-f64.inf) is vs
               in f64.sum bins * x * vs[3]) vs 1
