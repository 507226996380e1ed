-- Views of what all invocations of a group have made, of which a copy has to be made where they stand: it reads what others have written, behind a barrier. Outputs: Futhark 0.25.32.
-- ==
-- entry: flattened
-- input { 2i64 40i64 }
-- output { [873i64, 871i64] }
entry flattened (n: i64) (m: i64): [n]i64 =
  let xss = tabulate_2d m 3 (\i j -> 10 * i + j)
  in map (\i -> (loop xss = copy xss for k < 4 do
                   let xs = flatten (transpose xss)
                   let s = i64.sum (map (\j -> (xs[j] + xs[j + 1] * i) % 23) (iota (2 * m)))
                   in xss with [k, 1] = s)[3, 1]) (iota n)

-- ==
-- entry: part_of_turned
-- input { 2i64 40i64 }
-- output { [584i64, 1065i64] }
entry part_of_turned (n: i64) (m: i64): [n]i64 =
  map (\i -> i64.sum (loop xs = iota m for k < 3 do
                        let ys = map (\x -> (x * x + i) % 29) xs
                        let zs = rotate (k + 1) ys
                        let ws = zs[2:10]
                        in map (\x -> ws[x % 8] + x) ys)) (iota n)

-- ==
-- entry: turned_twice
-- input { 2i64 40i64 }
-- output { [1006i64, 891i64] }
entry turned_twice (n: i64) (m: i64): [n]i64 =
  map (\i -> i64.sum (loop xs = iota m for k < 3 do
                        let ys = map (\x -> (x * x + i) % 29) xs
                        let zs = reverse (rotate (k + 1) ys)
                        in map (\x -> zs[x % m] + x) ys)) (iota n)

-- ==
-- entry: reshaped
-- input { 2i64 40i64 }
-- output { [3534i64, 2115i64] }
entry reshaped (n: i64) (m: i64): [n]i64 =
  map (\i -> i64.sum (loop xs = iota (m * 2) for k < 3 do
                        let ys = map (\x -> (x * x + i) % 29 + k) xs
                        let yss = unflatten ys
                        in map (\x -> yss[x % m, 1 - x % 2] + x) ys)) (iota n)
