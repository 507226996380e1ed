-- Histograms and scatters of each point of a nest, of widths and sizes of its own or not; places that are none. Outputs of Futhark 0.25.32.

let digits (xs: []i64): i64 =
  let both (a, b) (c, d) = (a * c, b * c + d)
  in (reduce both (1, 0) (map (\x -> (31, x)) xs)).1

-- ==
-- entry: counts
-- input { [10i64, 7i64, 3i64, 0i64, 100i64] }
-- output {
-- [[18i64, 10i64, 13i64, 17i64, 10i64, 12i64, 16i64, 10i64, 11i64, 15i64],
-- [11i64, 13i64, 7i64, 7i64, 7i64, 8i64, 10i64, 12i64, 7i64, 7i64],
-- [3i64, 4i64, 3i64, 3i64, 5i64, 3i64, 3i64, 3i64, 3i64, 3i64],
-- [0i64, 0i64, 0i64, 0i64, 0i64, 0i64, 0i64, 0i64, 0i64, 0i64],
-- [512i64, 436i64, 457i64, 480i64, 504i64, 528i64, 450i64, 472i64, 496i64, 520i64]]
-- }
entry counts (ns: []i64): [][10]i64 =
  map (\n -> reduce_by_index (replicate 10 n) (+) 0 (map (\i -> i * n % 13 - 2) (iota n)) (iota n)) ns
-- ==
-- entry: counts_of_rows
-- input { 4i64 70i64 }
-- output {
-- [[0i64, 0i64, 0i64, 0i64, 0i64, 0i64, 0i64, 0i64, 0i64, 0i64],
-- [208i64, 214i64, 220i64, 156i64, 161i64, 166i64, 171i64, 176i64, 181i64, 186i64],
-- [203i64, 172i64, 209i64, 177i64, 215i64, 182i64, 221i64, 187i64, 157i64, 192i64],
-- [158i64, 204i64, 183i64, 163i64, 210i64, 188i64, 168i64, 216i64, 193i64, 173i64]]
-- }
-- input { 0i64 70i64 }
-- output { empty([0][10]i64) }
-- input { 3i64 0i64 }
-- output {
-- [[0i64, 0i64, 0i64, 0i64, 0i64, 0i64, 0i64, 0i64, 0i64, 0i64],
-- [1i64, 1i64, 1i64, 1i64, 1i64, 1i64, 1i64, 1i64, 1i64, 1i64],
-- [2i64, 2i64, 2i64, 2i64, 2i64, 2i64, 2i64, 2i64, 2i64, 2i64]]
-- }
entry counts_of_rows (n: i64) (m: i64): [][10]i64 =
  map (\i -> reduce_by_index (replicate 10 i) (+) 0 (map (\j -> j * i % 13 - 2) (iota m)) (iota m)) (iota n)
-- ==
-- entry: own_sizes
-- input { [10i64, 7i64, 3i64, 0i64, 100i64] }
-- output { [3880550i64, 5799i64, 2i64, 0i64, 2166848850091635265i64] }
entry own_sizes (ns: []i64): []i64 =
  map (\n -> digits (reduce_by_index (replicate (n / 2) 1) i64.max (-5) (map (\i -> i * 7 % (n + 3) - 2) (iota n)) (iota n))) ns
-- ==
-- entry: pairs
-- input { [10i64, 7i64, 3i64, 0i64, 100i64] }
-- output {
-- [[2i64, 6i64, 10i64, 3i64, 5i64],
-- [2i64, 4i64, 8i64, 1i64, 5i64],
-- [0i64, 4i64, 8i64, -1i64, -1i64],
-- [-1i64, -1i64, -1i64, -1i64, -1i64],
-- [10i64, 10i64, 10i64, 10i64, 10i64]]
-- [[6i64, 7i64, 8i64, 9i64, 4i64],
-- [6i64, 1i64, 2i64, 3i64, 4i64],
-- [0i64, 1i64, 2i64, -1i64, -1i64],
-- [-1i64, -1i64, -1i64, -1i64, -1i64],
-- [30i64, 19i64, 8i64, 63i64, 52i64]]
-- }
entry pairs (ns: []i64): ([][5]i64, [][5]i64) =
  unzip (map (\n -> let larger (x, i) (y, j) = if x > y || x == y && i < j then (x, i) else (y, j): (i64, i64)
                    let bins = replicate 5 (-1, -1)
                    in unzip (reduce_by_index bins larger (-1, -1) (map (% 6) (iota n)) (zip (map (\i -> i * 37 % 11) (iota n)) (iota n)))) ns)
-- ==
-- entry: two_deep
-- input { [10i64, 7i64, 3i64, 0i64, 40i64] }
-- output {
-- [[9i64, 347i64, 12747i64],
-- [1026i64, 65448i64, 3014790i64],
-- [31806i64, 1849929i64, 85891297i64],
-- [0i64, 0i64, 0i64],
-- [111i64, 3768i64, 121754i64]]
-- }
entry two_deep (ns: []i64): [][3]i64 =
  map (\n -> map (\k -> digits (reduce_by_index (replicate (n % 5 + k) 0) (+) 0 (map (\i -> i * k % 7) (iota n)) (map (+ k) (iota n)))) [1, 2, 3]) ns
-- ==
-- entry: of_grids
-- input { [10i64, 7i64, 3i64, 0i64, 100i64] }
-- output { [5017681987649760443i64, 0i64, 887503681i64, 0i64, -237418167209911806i64] }
entry of_grids (ns: []i64): []i64 =
  map (\n -> let grid = reduce_by_index_2d (replicate 4 (replicate (n % 6) 0)) (+) 0 (map (\i -> (i % 5, i * n % 7 - 1)) (iota n)) (iota n)
             in digits (flatten grid)) ns
-- ==
-- entry: in_rounds
-- input { [10i64, 7i64, 3i64, 0i64, 100i64] }
-- output {
-- [[73i64, 42i64, 88i64, 91i64, 94i64, 97i64, 100i64, 103i64, 106i64, 109i64],
-- [14i64, 30i64, 64i64, 67i64, 70i64, 73i64, 76i64, 65i64, 45i64, 7i64],
-- [6i64, 14i64, 32i64, 29i64, 21i64, 3i64, 3i64, 3i64, 3i64, 3i64],
-- [0i64, 0i64, 0i64, 0i64, 0i64, 0i64, 0i64, 0i64, 0i64, 0i64],
-- [145379i64, 146612i64, 159599i64, 145063i64, 145090i64, 145117i64, 145144i64, 145171i64, 145198i64, 145225i64]]
-- }
entry in_rounds [k] (ns: [k]i64): [][10]i64 =
  map (\n -> loop h = replicate 10 n for i < 3 do reduce_by_index h (+) 0 (map (\j -> (j + i) % 11) (iota n)) (map (+ h[i]) (iota n))) ns
-- ==
-- entry: last_one
-- input { [10i64, 7i64, 3i64, 0i64, 100i64] }
-- output {
-- [[10i64, 10i64, 2i64, 10i64, 10i64, 3i64, 10i64, 10i64, 4i64, 10i64],
-- [7i64, 7i64, 2i64, 7i64, 7i64, 3i64, 7i64, 7i64, 4i64, 7i64],
-- [3i64, 3i64, 2i64, 3i64, 3i64, 3i64, 3i64, 3i64, 3i64, 3i64],
-- [0i64, 0i64, 0i64, 0i64, 0i64, 0i64, 0i64, 0i64, 0i64, 0i64],
-- [100i64, 100i64, 2i64, 100i64, 100i64, 3i64, 100i64, 100i64, 4i64, 100i64]]
-- }
entry last_one (ns: []i64): [][10]i64 =
  map (\n -> scatter (replicate 10 n) (map (\i -> i * 3 - 4) (iota n)) (iota n)) ns
-- ==
-- entry: kept_ones
-- input { [10i64, 7i64, 3i64, 0i64, 100i64] }
-- output { [948612006i64, 987109i64, 33i64, 0i64, -2082097426645564817i64] }
entry kept_ones (ns: []i64): []i64 =
  map (\n -> let xs = filter (\x -> x * x % 7 < 3) (iota n)
             let (ys, zs) = partition (> 20) xs
             in digits (ys ++ map (+ 1) zs)) ns
-- ==
-- entry: kept_of_rows
-- input { 4i64 70i64 }
-- output { [1612332848631309731i64, 6374886676515i64, 2849248519482762659i64, 6374886676515i64] }
-- input { 0i64 70i64 }
-- output { empty([0]i64) }
-- input { 3i64 0i64 }
-- output { [0i64, 0i64, 0i64] }
entry kept_of_rows (n: i64) (m: i64): []i64 =
  map (\i -> digits (filter (\j -> (i + 2) * j * j % 7 < 3) (iota m))) (iota n)
-- ==
-- entry: scattered_rows
-- input { [10i64, 7i64, 3i64, 0i64, 100i64] }
-- output { [0i64, 5868655293003199862i64, 90400i64, 0i64, 0i64] }
entry scattered_rows (ns: []i64): []i64 =
  map (\n -> digits (flatten (scatter (replicate (n % 9) [n, 1]) (map (\i -> i * 5 % 8) (iota (n % 7))) (map (\i -> [i, i * i]) (iota (n % 7)))))) ns
-- ==
-- entry: scattered_fixed_rows
-- input { [10i64, 7i64, 3i64, 0i64, 100i64] }
-- output { [7563410244034382700i64, 6975297078489218474i64, 360655225249890582i64, -4368144012634896631i64, 416359333008337835i64] }
entry scattered_fixed_rows (ns: []i64): []i64 =
  map (\n -> digits (flatten (scatter (replicate 9 [n, 1]) (map (\i -> i * 5 % 8) (iota (n % 7))) (map (\i -> [i, i * i]) (iota (n % 7)))))) ns
-- ==
-- entry: in_branches
-- input { [10i64, 7i64, 3i64, 0i64, 100i64] }
-- output { [986115i64, 1972230i64, 1969185i64, 0i64, 986115i64] }
entry in_branches (ns: []i64): []i64 =
  map (\n -> let h = if n % 2 == 0 then reduce_by_index (replicate 6 0) (+) 0 (iota n) (iota n) else scatter (replicate 6 n) (iota n) (map (* 2) (iota n))
             in digits h) ns
-- ==
-- entry: gradients
-- input { [10i64, 7i64, 3i64, 0i64, 100i64] [0.5, 1.5, -2.0, 3.0, 0.25] }
-- output {
-- [[5.0f64, 24.25f64, 2.25f64, 2.75f64, 34.5f64],
-- [5.0f64, 22.0f64, 0.5f64, 0.75f64, 11.0f64],
-- [0.0f64, 3.0f64, 0.5f64, 0.0f64, -4.0f64],
-- [0.0f64, 0.0f64, 0.0f64, 0.0f64, 0.0f64],
-- [950.0f64, 3167.5f64, 247.5f64, 252.5f64, 2595.0f64]]
-- }
entry gradients [k] (ns: [k]i64) (xs: [5]f64): [k][5]f64 =
  map (\n -> vjp (\xs -> f64.sum (map (\i -> xs[i * i % 5] * xs[i % 5] * f64.i64 i) (iota n))) xs 1) ns
-- ==
-- entry: consuming
-- input { [10i64, 7i64, 3i64, 0i64, 40i64] }
-- output {
-- [[12i64, 12i64, 12i64, 12i64, 12i64, 12i64, 12i64, 12i64, 12i64, 12i64],
-- [12i64, 12i64, 12i64, 12i64, 12i64, 12i64, 12i64, 0i64, 0i64, 0i64],
-- [12i64, 12i64, 12i64, 0i64, 0i64, 0i64, 0i64, 0i64, 0i64, 0i64],
-- [0i64, 0i64, 0i64, 0i64, 0i64, 0i64, 0i64, 0i64, 0i64, 0i64],
-- [48i64, 48i64, 48i64, 48i64, 48i64, 48i64, 48i64, 36i64, 36i64, 36i64]]
-- }
entry consuming (ns: []i64): [][10]i64 =
  map (\n -> let changed i = (loop xs = map (* i) (iota n) for k < 3 do map (+ k) (xs with [i / 2] = k * 5))[i / 2]
             in reduce_by_index (replicate 10 0) (+) 0 (map (% 11) (iota n)) (map changed (iota n))) ns

-- Operators that know the point are applied at each point by itself; beside one that does not, too.
-- ==
-- entry: own_operators
-- input { [10i64, 7i64, 3i64, 0i64, 100i64] }
-- output {
-- [[1i64, 11i64, 21i64, 15i64, 3i64, 8i64],
-- [0i64, 5i64, 10i64, 1i64, 6i64, 11i64],
-- [0i64, 5i64, 0i64, 0i64, 0i64, 0i64],
-- [0i64, 0i64, 0i64, 0i64, 0i64, 0i64],
-- [893i64, 754i64, 543i64, 613i64, 683i64, 753i64]]
-- [[1i64, 11i64, 4i64, 15i64, 3i64, 8i64],
-- [0i64, 5i64, 10i64, 1i64, 6i64, 11i64],
-- [0i64, 5i64, 0i64, 0i64, 0i64, 0i64],
-- [0i64, 0i64, 0i64, 0i64, 0i64, 0i64],
-- [37i64, 5i64, 8i64, 78i64, 41i64, 4i64]]
-- }
entry own_operators (ns: []i64): ([][6]i64, [][6]i64) =
  unzip (map (\n -> let is = map (% 7) (iota n)
                    let xs = map (\i -> i * 5 % (n + 7)) (iota n)
                    in (reduce_by_index (replicate 6 0) (+) 0 is xs, reduce_by_index (replicate 6 0) (\a b -> (a + b) % (n + 7)) 0 is xs)) ns)
