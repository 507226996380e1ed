-- O1 (digest 001, 5.3): the program is well-formed after each pass, differentiation included, as it is and optimised first. (The harness
-- checks and runs each stage of each program of this suite; this one has most of the digest's constructs in one.) Expected values by hand.

-- With b = 3 x: the sum of b and, of the even positions, of b's element at the index there, times 2 if the sum is positive, else in the
-- bins of the indices the largest, added up. [1, 2, 4], indices [2, 2, 0]: b = [3, 6, 12], the sum 21; 21 + b[2] + b[0] = 36, doubled 72;
-- by b: 4, 2, 4, by x three times that. [-1, -2, -4]: b = [-3, -6, -12]; bin 0: -12, bin 1: 0 for nothing, bin 2: -3: -15, by b: 1, 0, 1.
-- ==
-- input { [2i64, 2i64, 0i64] [1.0, 2.0, 4.0] } output { 72.0 [12.0, 6.0, 12.0] }
-- input { [2i64, 2i64, 0i64] [-1.0, -2.0, -4.0] } output { -15.0 [3.0, 0.0, 3.0] }
-- input { empty([0]i64) empty([0]f64) } output { 0.0 empty([0]f64) }
entry main [n] (is: [n]i64) (xs: [n]f64) : (f64, [n]f64) =
  let f xs =
    let b = map (* 3) xs
    let total = f64.sum b
    in if total > 0
       then let ys = map2 (\k i -> if k % 2 == 0 then b[i] else 0) (iota n) is
            in 2 * last ([0] ++ scan (+) 0 (map2 (+) b ys))
       else let bins =
              reduce_by_index (replicate n f64.lowest) f64.max f64.lowest is b
            in loop s = 0 for x in bins do if x == f64.lowest then s else s + x
  in vjp2 f xs 1
