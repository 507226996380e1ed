-- O5 (digest 002, 4.4; Fig. 2): of a nest with a branch the adjoints alone are left: a map with a branch with a map in each, 3 and 2 a
-- times the seed: two products, and one that is added to itself.
-- ==
-- input { [false, true] [[1.0, 2.0], [3.0, 4.0]] [[1.0, 10.0], [100.0, 1000.0]] } output { [[2.0, 40.0], [300.0, 3000.0]] }
-- input { empty([0]bool) empty([0][2]f64) empty([0][2]f64) } output { empty([0][2]f64) }
-- structure { Screma 3 Map 3 If 1 Map/If 1 If/Map 2 BinOp 3 }
entry main [n] [m]
           (cs: [n]bool)
           (ass: [n][m]f64)
           (seed: [n][m]f64) : [n][m]f64 =
  vjp (\ass ->
         map2 (\c as -> if c then map (3 *) as else map (\a -> a * a) as)
              cs
              ass)
      ass
      seed
