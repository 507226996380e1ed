-- Operators that turn a matrix round, or leave it as it is, by a flag: what is combined is of two values, of which one is neutral. One element behind the other at each point of a map, where
-- the matrix that is turned is the one that is written to. Outputs: Futhark 0.25.32.

def turned [n] (f: bool) (m: [n][n]i64): [n][n]i64 = if f then transpose m else m

-- ==
-- entry: folded
-- input { [[false, true, false], [true, true, false], [true, true, true], [false, false, false]] }
-- output { [[[1i64, 3i64], [2i64, 4i64]], [[1i64, 2i64], [3i64, 4i64]], [[1i64, 3i64], [2i64, 4i64]], [[1i64, 2i64], [3i64, 4i64]]] [true, false, true, false] }
entry folded [n] (fss: [n][3]bool): ([n][2][2]i64, [n]bool) =
  let m = [[1, 2], [3, 4]]
  in unzip (map (\fs -> reduce (\(a, f) (_, g) -> (turned g a, f != g)) (m, false) (map (\f -> (turned f m, f)) fs)) fss)

-- ==
-- entry: counted
-- input { [[false, true, false], [true, true, false], [true, true, true], [false, false, false]] }
-- output {
-- [[[[1i64, 2i64], [3i64, 4i64]], [[1i64, 3i64], [2i64, 4i64]]], [[[1i64, 3i64], [2i64, 4i64]], [[1i64, 3i64], [2i64, 4i64]]], [[[1i64, 2i64], [3i64, 4i64]], [[1i64, 3i64], [2i64, 4i64]]], [[[1i64, 2i64], [3i64, 4i64]], [[1i64, 2i64], [3i64, 4i64]]]]
-- [[false, true], [true, true], [false, true], [false, false]]
-- }
entry counted [n] (fss: [n][3]bool): ([n][2][2][2]i64, [n][2]bool) =
  let m = [[1, 2], [3, 4]]
  let op (a: [2][2]i64, f: bool) (_: [2][2]i64, g: bool) = (turned g a, f != g)
  in unzip (map (\fs -> unzip (reduce_by_index [(m, false), (m, false)] op (m, false) [0, 1, 0] (map (\f -> (turned f m, f)) fs))) fss)
