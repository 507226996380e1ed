-- O10 (digest 001, 5.3): where sizes are known, adjoints are added up without a condition on an index: none in the derivative of maps over
-- the same length. By hand: of 3 x + x y by x 3 + y, by y x.
-- ==
-- input { [1.25, -2.25] [0.5, 1.25] } output { [3.5, 4.25] [1.25, -2.25] }
-- input { empty([0]f64) empty([0]f64) } output { empty([0]f64) empty([0]f64) }
-- structure { If 0 Assert 0 WithAcc 0 UpdAcc 0 Index 0 }
entry main [n] (a: [n]f64) (b: [n]f64) : ([n]f64, [n]f64) =
  vjp (\(a, b) -> f64.sum (map (* 3) a) + f64.sum (map2 (*) a b)) (a, b) 1
