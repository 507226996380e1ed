-- Scalar code of functions that are mapped, as the interpreter runs it on many elements at once: what it costs is in conformance/costs.txt, too.

-- A square that nothing uses: 2 (x + 1).
-- ==
-- entry: unused
-- input { [1.0, 2.0] } output { [4.0, 6.0] }
-- input { empty([0]f64) } output { empty([0]f64) }
entry unused (xs: []f64): []f64 = map (\x -> let _y = x * x let z = x + 1 in z * 2) xs

-- A long branch beside a short one. 3: ((((3 * 2 + 1) * 2 + 1) * 2 + 1) * 2 + 1) * 2 + 1 = 127.
-- ==
-- entry: long_branch
-- input { [3.0, -2.0] } output { [127.0, -2.0] }
-- ==
-- entry: long_else
-- input { [3.0, -2.0] } output { [3.0, -33.0] }
def step (x: f64): f64 = x * 2 + 1
entry long_branch (xs: []f64): []f64 = map (\x -> if x > 0 then step (step (step (step (step x)))) else x) xs
entry long_else (xs: []f64): []f64 = map (\x -> if x > 0 then x else step (step (step (step (step x))))) xs

-- A loop without rounds in each element: what it begins with.
-- ==
-- entry: no_rounds
-- input { [1.0, 2.0] [0i64, 2i64] } output { [1.0, 8.0] }
entry no_rounds (xs: []f64) (ks: []i64): []f64 = map2 (\x k -> loop x for _i < k do 2 * x) xs ks

-- Elements of rows that are mapped over.
-- ==
-- entry: of_rows
-- input { [[1.0, 2.0], [3.0, 4.0]] } output { [21.0, 43.0] }
entry of_rows (xss: [][2]f64): []f64 = map (\row -> row[0] + 10 * row[1]) xss
