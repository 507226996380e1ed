-- R24 (digest 002, 5.1.2): each value's derivative is the product of the others in its bin. The digest's vectors, the second with a zero
-- and two zeros in a bin.
-- ==
-- entry: reverse
-- input { [0i64, 0i64, 1i64] [2.0, 3.0, 4.0] [1.0, 10.0] }                     output { [3.0, 2.0, 10.0] }
-- input { [0i64, 0i64, 1i64, 1i64, 1i64] [0.0, 3.0, 0.0, 0.0, 2.0] [1.0, 1.0] } output { [3.0, 0.0, 0.0, 0.0, 0.0] }
-- input { [0i64, 2i64, -1i64] [2.0, 3.0, 0.0] [1.0, 10.0] }                    output { [1.0, 0.0, 0.0] }
-- input { empty([0]i64) empty([0]f64) [1.0, 10.0] }                            output { empty([0]f64) }
entry reverse [n] (is: [n]i64) (vs: [n]f64) (adj: [2]f64): [n]f64 = vjp (hist (*) 1 2 is) vs adj

-- What is in the bins before is a factor: [5 * 2 * 3, 7 * 4]; adjoints [1, 10]. With a zero there: the bin's own derivative only.
-- ==
-- entry: destination
-- input { [5.0, 7.0] [0i64, 0i64, 1i64] [2.0, 3.0, 4.0] [1.0, 10.0] } output { [30.0, 28.0] [6.0, 40.0] [15.0, 10.0, 70.0] }
-- input { [0.0, 7.0] [0i64, 0i64, 1i64] [2.0, 3.0, 4.0] [1.0, 10.0] } output { [0.0, 28.0] [6.0, 40.0] [0.0, 0.0, 70.0] }
-- input { [5.0, 7.0] [0i64, 0i64, 1i64] [2.0, 0.0, 0.0] [1.0, 10.0] } output { [0.0, 0.0] [0.0, 0.0] [0.0, 10.0, 70.0] }
entry destination [k] [n] (h: [k]f64) (is: [n]i64) (vs: [n]f64) (adj: [k]f64): ([k]f64, [k]f64, [n]f64) =
  let (y, (h', vs')) = vjp2 (\(h, vs) -> reduce_by_index (copy h) (*) 1 is vs) (h, vs) adj
  in (y, h', vs')

-- Second derivative: of a b c in one bin the gradient (b c, a c, a b), its vjp with ones (b + c, a + c, a + b); of d in the other nothing.
-- ==
-- entry: second
-- input { [0i64, 0i64, 1i64, 0i64] [2.0, 0.0, 7.0, 5.0] } output { [5.0, 7.0, 0.0, 2.0] }
-- input { [0i64, 0i64, 1i64, 0i64] [2.0, 3.0, 7.0, 5.0] } output { [8.0, 7.0, 0.0, 5.0] }
entry second [n] (is: [n]i64) (vs: [n]f64): [n]f64 =
  vjp (\vs -> vjp (hist (*) 1 2 is) vs [1, 1]) vs (replicate n 1)
