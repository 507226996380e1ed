-- Loops in nests that carry arrays of which a round makes others, of other sizes; branches that give such arrays. Outputs of Futhark 0.25.32.

-- The numbers as digits to the base 31: order matters.
let digits (xs: []i64): i64 =
  let both (a, b) (c, d) = (a * c, b * c + d)
  in (reduce both (1, 0) (map (\x -> (31, x)) xs)).1

-- ==
-- entry: doubled
-- input { [1i64, 4i64, 8i64, 17i64, 0i64] }
-- output { [1i64, 4i64, 8i64, 32i64, 1i64] }
-- input { empty([0]i64) }
-- output { empty([0]i64) }
entry doubled (ns: []i64) : []i64 =
  map (\n -> let xs = loop arr = [1] while length arr < n do arr ++ arr in i64.sum xs) ns
-- ==
-- entry: filtered
-- input { [1i64, 40i64, 8i64, 17i64, 0i64] 3i64 }
-- output { [0i64, 266i64, 8i64, 42i64, 0i64] }
-- input { [1i64, 40i64, 8i64, 17i64, 0i64] 0i64 }
-- output { [0i64, 780i64, 28i64, 136i64, 0i64] }
entry filtered (ns: []i64) (k: i64) : []i64 =
  map (\n -> i64.sum (loop xs = iota n for i < k do filter (\x -> x % (i + 2) != 1) xs)) ns
-- ==
-- entry: sieves
-- input { [1i64, 40i64, 8i64, 17i64, 0i64] }
-- output { [2001i64, 238013i64, 17004i64, 58007i64, 0i64] }
entry sieves (ns: []i64) : []i64 =
  map (\n -> let (_, ps) = loop (xs, ps) = (map (+2) (iota n), []) while length xs > 0 do
                   (filter (\x -> x % xs[0] != 0) xs, ps ++ [xs[0]])
             in i64.sum ps * 1000 + length ps) ns
-- ==
-- entry: own_rounds
-- input { [1i64, 40i64, 0i64, 17i64, 3i64] }
-- output { [2884i64, 1702192732358i64, 0i64, 407505626755i64, 71912831315i64] }
entry own_rounds (ns: []i64) : []i64 =
  map (\n -> let xs = loop xs = [n] for i < n % 7 do map (* 3) (filter (< 500) xs) ++ [i, n]
             in digits xs) ns
-- ==
-- entry: matrices
-- input { [1i64, 4i64, 0i64, 7i64, 3i64] }
-- output {
-- [[3i64, 6i64, 11i64, 16i64],
-- [21i64, 6i64, 11i64, 16i64],
-- [1i64, 6i64, 11i64, 16i64],
-- [57i64, 6i64, 11i64, 16i64],
-- [13i64, 6i64, 38i64, 16i64]]
-- }
entry matrices (ns: []i64) : [][]i64 =
  map (\n -> map (\m -> let rows = loop rows = replicate n [m, n] for i < m + 1 do
                                      map (\r -> [r[1] + i, r[0]]) (filter (\r -> r[0] % 3 != 1) rows) ++ [[i, m]]
                        in i64.sum (flatten rows) + length rows) (iota 4)) ns
-- ==
-- entry: loops_in_loops
-- input { [1i64, 4i64, 0i64, 7i64, 3i64] }
-- output { [10541i64, 13739i64, 11339i64, 10529i64, 10137i64] }
entry loops_in_loops (ns: []i64) : []i64 =
  map (\n -> let xs = loop xs = iota n while length xs < 20 do
                        let ys = loop ys = xs ++ [length xs] for i < length xs % 3 do ys ++ map (+ i) ys
                        in if length ys % 2 == 0 then filter (\y -> y % 5 != 2) ys ++ [1] else ys ++ iota 3
             in i64.sum xs * 100 + length xs) ns
-- ==
-- entry: sides
-- input { [1i64, 40i64, 0i64, 17i64, 3i64] }
-- output { [63i64, 2523146450735987733i64, 0i64, -6029848238708039105i64, 63615i64] }
entry sides (ns: []i64) : []i64 =
  map (\n -> let xs = if n % 2 == 0 then filter (\x -> x % 3 == 0) (iota n) else map (* 2) (iota (n + 1)) ++ [n]
             in digits xs) ns
-- ==
-- entry: several
-- input { [1i64, 40i64, 0i64, 17i64, 3i64] }
-- output {
-- [0i64, 560i64, 0i64, 60i64, 6i64]
-- [4.5f64, 537.5f64, 4.5f64, 216.5f64, 18.5f64]
-- [2i64, 1i64, 0i64, 3i64, 4i64]
-- }
entry several (ns: []i64) : ([]i64, []f64, []i64) =
  unzip3 (map (\n -> let (xs, ys, k, _) = loop (xs, ys, k, goes) = (iota n, replicate 3 1.5, 0, n > 0) while goes do
                              let xs = filter (\x -> x % (k + 3) != 1) xs
                              in (map (+ 1) xs, ys ++ map f64.i64 xs, k + 1, k < n % 5)
                     in (i64.sum xs, f64.sum ys, k)) ns)
-- ==
-- entry: written
-- input { [1i64, 40i64, 0i64, 17i64, 3i64] }
-- output { [96131i64, -6907001148518073258i64, 0i64, 501817127659517431i64, 2867741275i64] }
entry written (ns: []i64) : []i64 =
  map (\n -> let xs = loop xs = iota (n + 1) for i < n % 6 do
                        let ys = xs ++ [i]
                        let ys = ys with [i] = 100
                        in if i % 2 == 0 then ys else ys[1:]
             in digits xs) ns
-- ==
-- entry: few_rows
-- input { [1i64, 4i64, 0i64, 7i64, 3i64] }
-- output {
-- [[[9i64, 10i64, 25i64],
-- [11i64, 12i64, 29i64]],
-- [[19i64, 22i64, 25i64],
-- [23i64, 26i64, 29i64]],
-- [[4i64, 10i64, 11i64],
-- [5i64, 12i64, 13i64]],
-- [[39i64, 46i64, 53i64],
-- [47i64, 54i64, 61i64]],
-- [[19i64, 22i64, 25i64],
-- [23i64, 26i64, 29i64]]]
-- }
entry few_rows (ns: []i64) : [][][]i64 =
  map (\n -> map (\a -> map (\c -> i64.sum (loop xs = [a] while length xs < n + c do xs ++ xs ++ [c])) [1, 2, 3]) [4, 5]) ns
-- ==
-- entry: returned
-- input { [1i64, 4i64, 0i64, 7i64, 3i64] }
-- output {
-- [[0i64, 1i64, 2i64, 3i64, 4i64],
-- [0i64, 1i64, 2i64, 3i64, 16i64],
-- [0i64, 0i64, 0i64, 0i64, 0i64],
-- [0i64, 1i64, 2i64, 3i64, 4i64],
-- [0i64, 1i64, 2i64, 9i64, 12i64]]
-- }
entry returned (ns: []i64) : [][5]i64 =
  map (\n -> let xs = loop xs = iota n while length xs < 5 do xs ++ [length xs * n] in xs[:5]) ns
-- ==
-- entry: searched
-- input { [1i64, 4i64, 0i64, 7i64, 3i64] }
-- output { [1i64, 4i64, 1i64, 7i64, 2i64] }
entry searched (ns: []i64) : []i64 =
  map (\n -> let front = [n]
             let (_, seen) = loop (front, seen) = (front, 0) while length front > 0 do
               let next = flatten (map (\x -> [x / 2, x - 3]) front)
               in (filter (> 0) next, seen + length front)
             in seen) ns


-- What a loop that grows an array replaces parts of, at each point of a size of its own: elements, slices, all of it; two that change places.
-- ==
-- entry: histories
-- input { [1i64, 40i64, 0i64, 17i64, 3i64] }
-- output { [27541243262i64, 2123284861567246552i64, 0i64, -6345502977981681661i64, 76309896275430078i64] }
entry histories (ns: []i64) : []i64 =
  map (\n -> let (xs, h, _) = loop (xs, h, k) = ([n], replicate (n + 5) 0, 0) while k < n % 5 do
                   (xs ++ [k * n], h with [k] = length xs + h[k + 1], k + 1)
             in digits (xs ++ h)) ns
-- ==
-- entry: rounds_alike
-- input { [1i64, 40i64, 0i64, 17i64, 3i64] }
-- output { [966528726993964873i64, -6227291220242676464i64, 5769869135658552i64, -5325654173765589671i64, 7751759353132070283i64] }
-- input { [1i64, -1i64, 2i64] }
-- error: 4:6. out of bounds for array of shape .5
entry rounds_alike (ns: []i64) : []i64 =
  map (\n -> let (xs, h) = loop (xs, h) = ([n], replicate (n + 6) 0) for k < 4 do
                   let tail = copy h[k:]
                   let h = h with [k] = length xs
                   let h = h with [k + 1:k + 3] = [k, 7]
                   in (xs ++ filter (> 0) tail, h)
             in digits (xs ++ h)) ns
-- ==
-- entry: changing_places
-- input { [1i64, 40i64, 0i64, 17i64, 3i64] }
-- output {
-- [26468051831200i64, 1989780632909191604i64, 984096i64, 6720479997973418648i64, -7863717718645205408i64]
-- [25436650787571137i64, -1797115538771505462i64, 29317263582i64, 6480192683664790201i64, -7863717718645205408i64]
-- }
entry changing_places (ns: []i64) : ([]i64, []i64) =
  unzip (map (\n -> let r k = loop (xs, a, b) = ([n], iota (n + 3), replicate (n + 3) 1) for i < k do
                                (xs ++ [i], b with [i % 3] = length xs, a with [1] = i)
                    let (xs, a, b) = r (n % 4)
                    let (ys, c, d) = r 3
                    in (digits (xs ++ a ++ b), digits (ys ++ c ++ d))) ns)
-- ==
-- entry: all_anew
-- input { [1i64, 40i64, 0i64, 17i64, 3i64] }
-- output { [-7279664682558876766i64, -3150672408548346285i64, -2047901596219171423i64, -498211954929249255i64, -7743000880387101995i64] }
entry all_anew (ns: []i64) : []i64 =
  map (\n -> let (xs, a, c) = loop (xs, a, c) = ([n], iota (n + 3), replicate 40 1) for i < n % 6 do
                   let a = if i % 2 == 0 then map (+ i) a else a with [i % 3] = 9
                   let c = c with [i * 5] = length xs
                   in (xs ++ filter (> i) a, map (+ 1) a, if i == 2 then map (* 2) c else c with [7] = i)
             in digits (xs ++ a ++ c)) ns
-- ==
-- entry: of_rows
-- input { [1i64, 4i64, 0i64, 7i64, 3i64] }
-- output {
-- [[-1524856820783560544i64, 5063661706092009925i64, 1075858257813631423i64],
-- [-8129750122290370499i64, 7628298045015506021i64, 8093397522587549974i64],
-- [0i64, -4526534971879199650i64, -8215787391395472219i64],
-- [5329796878069019738i64, -7277745619653334843i64, 4017066911029418349i64],
-- [41289051008899651i64, -7271846326159050984i64, 3508842848723857186i64]]
-- }
entry of_rows (ns: []i64) : [][]i64 =
  map (\n -> map (\m -> let (xs, h, g) = loop (xs, h, g) = ([n], replicate (n + 2) [m, 0], replicate 2 (replicate 40 0)) for i < n % 3 + m do
                              (xs ++ [i] ++ h[i / 4], h with [i / 4] = [i, length xs], g with [i % 2, i] = m)
                        in digits (xs ++ flatten h ++ flatten g)) (iota 3)) ns

-- Gradients: what each round has kept of arrays of sizes of their own is kept at all points. The sum of the doubled array is x (1 + x)^k after k rounds, whose derivative is
-- (1 + x)^k + k x (1 + x)^(k - 1), with k = 4, 4, 4 and 6. The rows' gradients are those of numerical differentiation (a difference of 2e-6, in Python).
-- ==
-- entry: gradients
-- input { [1.0, 1.5, 2.0, 33.0] } output { [48.0, 132.8125, 297.0, 10541018368.0] }
entry gradients (xs: []f64): []f64 =
  map (\x -> vjp (\x -> let ys = loop ys = [x] while length ys < 10 + i64.f64 x do ys ++ map (* x) ys in f64.sum ys) x 1) xs

-- ==
-- entry: gradients_of_rows
-- input { [[1.25, 1.5, 2.0], [0.5, 0.25, 3.0]] } output { [[2921.5872802734375, 100.55841064453125, 100.55841064453125], [463.125, 0.0, 85.3125]] }
entry gradients_of_rows [n] [m] (xs: [n][m]f64): [n][m]f64 =
  let grown (xs: []f64) = f64.sum (loop ys = xs for i < m do map (* (1 + ys[0])) (filter (> f64.i64 i) ys) ++ [ys[0] * ys[0]])
  in map (\xs -> vjp grown xs 1) xs
