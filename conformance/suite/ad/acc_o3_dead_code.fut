-- O3 (digest 001, 5.3; 1.12.1): example 3.4.3. Of its derivative nothing is left that nothing uses: b, what is added up by index, and the
-- map back to the argument; no sum, no reduction, no adjoints of indices. Expected: the digest's golden values.
-- ==
-- input { [0.4, 0.7, 0.1, 1.0] } output { [7.2, 4.5, 9.9, 18.0] }
-- input { empty([0]f64) } output { empty([0]f64) }
-- structure { Screma 3 Map 3 WithAcc 1 UpdAcc 1 If 0 }
entry main [n] (a: [n]f64) : [n]f64 =
  vjp (\a ->
         let b = map (* 3) a
         in f64.sum (map (\x -> x * b[i64.f64 (f64.round x)]) b))
      a
      1
