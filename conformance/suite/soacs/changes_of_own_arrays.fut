-- Nests in which each point changes arrays of its own: of sizes and numbers of rounds of its own, in branches, with elements that are arrays. Outputs of Futhark 0.25.32.

-- The numbers as digits to the base 31: order matters.
let digits (xs: []i64): i64 =
  let both (a, b) (c, d) = (a * c, b * c + d)
  in (reduce both (1, 0) (map (\x -> (31, x)) xs)).1

-- ==
-- entry: one_element
-- input { [5i64, 1i64, 40i64, 0i64, 13i64] }
-- output { [1797635936360i64, 283882i64, 6923923745900652918i64, 3110i64, 6462157289464277616i64] }
-- input { empty([0]i64) }
-- output { empty([0]i64) }
entry one_element (ns: []i64): []i64 =
  map (\n -> let xs = map (* 3) (iota (n + 2))
             let ys = replicate (n + 2) (i64.sum xs)
             let ys[1] = 7
             let ys[n] = digits ys
             in digits ys + digits xs) ns

-- ==
-- entry: a_slice
-- input { [5i64, 1i64, 40i64, 0i64, 13i64] }
-- output { [2732208742915i64, 3i64, -7203056819538556848i64, 0i64, 2162618182225552451i64] }
-- input { empty([0]i64) }
-- output { empty([0]i64) }
entry a_slice (ns: []i64): []i64 =
  map (\n -> let xs = copy (map (* 3) (iota (2 * n)))
             let s = i64.sum xs
             let xs[n:] = map (+ s) (iota n) :> [2 * n - n]i64
             in digits xs) ns

-- ==
-- entry: of_own_size_in_rows
-- input { [5i64, 1i64, 40i64, 0i64, 13i64] }
-- output { [[6i64, 6i64, 0i64, 5i64, 10i64, 15i64, 20i64, 6i64, 6i64, 6i64, 6i64, 6i64, 6i64, 6i64, 6i64, 6i64, 6i64, 6i64, 6i64, 6i64, 6i64, 6i64, 6i64, 6i64, 6i64, 6i64, 6i64, 6i64, 6i64, 6i64, 6i64, 6i64, 6i64, 6i64, 6i64, 6i64, 6i64, 6i64, 6i64, 6i64, 6i64, 6i64, 6i64, 6i64, 6i64, 6i64, 6i64, 6i64, 6i64, 6i64], [2i64, 2i64, 0i64, 2i64, 2i64, 2i64, 2i64, 2i64, 2i64, 2i64, 2i64, 2i64, 2i64, 2i64, 2i64, 2i64, 2i64, 2i64, 2i64, 2i64, 2i64, 2i64, 2i64, 2i64, 2i64, 2i64, 2i64, 2i64, 2i64, 2i64, 2i64, 2i64, 2i64, 2i64, 2i64, 2i64, 2i64, 2i64, 2i64, 2i64, 2i64, 2i64, 2i64, 2i64, 2i64, 2i64, 2i64, 2i64, 2i64, 2i64], [41i64, 41i64, 0i64, 40i64, 80i64, 120i64, 160i64, 200i64, 240i64, 280i64, 320i64, 360i64, 400i64, 440i64, 480i64, 520i64, 560i64, 600i64, 640i64, 680i64, 720i64, 760i64, 800i64, 840i64, 880i64, 920i64, 960i64, 1000i64, 1040i64, 1080i64, 1120i64, 1160i64, 1200i64, 1240i64, 1280i64, 1320i64, 1360i64, 1400i64, 1440i64, 1480i64, 1520i64, 1560i64, 41i64, 41i64, 41i64, 41i64, 41i64, 41i64, 41i64, 41i64], [1i64, 1i64, 1i64, 1i64, 1i64, 1i64, 1i64, 1i64, 1i64, 1i64, 1i64, 1i64, 1i64, 1i64, 1i64, 1i64, 1i64, 1i64, 1i64, 1i64, 1i64, 1i64, 1i64, 1i64, 1i64, 1i64, 1i64, 1i64, 1i64, 1i64, 1i64, 1i64, 1i64, 1i64, 1i64, 1i64, 1i64, 1i64, 1i64, 1i64, 1i64, 1i64, 1i64, 1i64, 1i64, 1i64, 1i64, 1i64, 1i64, 1i64], [14i64, 14i64, 0i64, 13i64, 26i64, 39i64, 52i64, 65i64, 78i64, 91i64, 104i64, 117i64, 130i64, 143i64, 156i64, 14i64, 14i64, 14i64, 14i64, 14i64, 14i64, 14i64, 14i64, 14i64, 14i64, 14i64, 14i64, 14i64, 14i64, 14i64, 14i64, 14i64, 14i64, 14i64, 14i64, 14i64, 14i64, 14i64, 14i64, 14i64, 14i64, 14i64, 14i64, 14i64, 14i64, 14i64, 14i64, 14i64, 14i64, 14i64]] }
-- input { empty([0]i64) }
-- output { empty([0][50]i64) }
entry of_own_size_in_rows (ns: []i64): [][]i64 =
  map (\n -> let row = replicate 50 (n + 1)
             let row[2:n + 2] = map (\i -> i * n) (iota n) :> [n + 2 - 2]i64
             in row) ns

-- ==
-- entry: scattered_in_rounds
-- input { [5i64, 1i64, 40i64, 0i64, 13i64] }
-- output { [986150i64, 32i64, -5962362540426265248i64, 1i64, 1144943408960273108i64] }
-- input { empty([0]i64) }
-- output { empty([0]i64) }
entry scattered_in_rounds (ns: []i64): []i64 =
  map (\n -> let zs = loop zs = replicate (n + 1) 1 for j < n % 6 do
                let s = i64.sum zs
                in scatter zs (map (\i -> i * 2 + j) (iota (n / 2))) (map (\i -> i * s + j) (iota (n / 2)))
             in digits zs) ns

-- ==
-- entry: counted_in_rounds
-- input { [5i64, 1i64, 40i64, 0i64, 13i64] }
-- output { [6325463615771672081i64, 5786972255628104320i64, -6709010479384003057i64, 5786972255628104320i64, 5786972255628104320i64] }
-- input { empty([0]i64) }
-- output { empty([0]i64) }
entry counted_in_rounds (ns: []i64): []i64 =
  map (\n -> let (hs, all) = loop (hs, all) = (replicate 7 0, replicate 40 1) for j < n % 6 do
                let hs = reduce_by_index hs (+) 0 (map (\i -> (i + j) % 7) (iota n)) (map (* j) (iota n))
                in (hs, reduce_by_index all i64.max 0 (map (\i -> i * i % 40) (iota n)) (replicate n (i64.sum hs)))
             in digits hs + digits all) ns

-- ==
-- entry: a_side_scatters
-- input { [5i64, 1i64, 40i64, 0i64, 13i64] }
-- output { [83542757343i64, 1026i64, 7452110054971744691i64, 33i64, 7121567398567734041i64] }
-- input { empty([0]i64) }
-- output { empty([0]i64) }
entry a_side_scatters (ns: []i64): []i64 =
  map (\n -> let zs = loop zs = iota (n + 3) for j < n % 7 do
                if zs[j % 3] % 2 == 0 then scatter zs (map (* 2) (iota (n / 2))) (map (+ j) (iota (n / 2))) else zs
             in digits zs) ns

-- ==
-- entry: sides_differ
-- input { [5i64, 1i64, 40i64, 0i64, 13i64] }
-- output { [175929981925i64, 1026i64, 4926453620335549257i64, 33i64, -714729616886250831i64] }
-- input { empty([0]i64) }
-- output { empty([0]i64) }
entry sides_differ (ns: []i64): []i64 =
  map (\n -> let zs = loop zs = iota (n + 3) for j < n % 7 do
                if j == 0 then scatter zs (map (* 2) (iota (n / 2))) (map (+ n) (iota (n / 2)))
                else if j == 1 then map (+ 1) zs
                else if zs[0] % 3 == 0 then zs with [0] = 5
                else let zs = scatter zs (iota (n / 2)) (replicate (n / 2) j) in zs with [1] = i64.sum zs
             in digits zs) ns

-- ==
-- entry: rows_of_one_size
-- input { [5i64, 1i64, 40i64, 0i64, 13i64] }
-- output { [[10i64, 11i64, 10i64, 15i64, 12i64, 25i64, 30i64, 35i64, 40i64, 13i64, 50i64, 55i64, 60i64, 65i64, 70i64, 75i64, 14i64, 85i64, 90i64, 95i64, 100i64, 105i64, 110i64, 115i64, 120i64, 15i64, 130i64, 135i64, 140i64, 145i64, 150i64, 155i64, 160i64, 165i64, 170i64, 175i64, 16i64, 185i64, 190i64, 195i64, 200i64, 205i64, 210i64, 215i64, 220i64, 225i64, 230i64, 235i64, 240i64, 17i64], [0i64, 1i64, 2i64, 3i64, 2i64, 5i64, 6i64, 7i64, 8i64, 3i64, 10i64, 11i64, 12i64, 13i64, 14i64, 15i64, 4i64, 17i64, 18i64, 19i64, 20i64, 21i64, 22i64, 23i64, 24i64, 5i64, 26i64, 27i64, 28i64, 29i64, 30i64, 31i64, 32i64, 33i64, 34i64, 35i64, 6i64, 37i64, 38i64, 39i64, 40i64, 41i64, 42i64, 43i64, 44i64, 45i64, 46i64, 47i64, 48i64, 7i64], [-117i64, -116i64, 80i64, 120i64, -115i64, 200i64, 240i64, 280i64, 320i64, -114i64, 400i64, 440i64, 480i64, 520i64, 560i64, 600i64, -113i64, 680i64, 720i64, 760i64, 800i64, 840i64, 880i64, 920i64, 960i64, -112i64, 1040i64, 1080i64, 1120i64, 1160i64, 1200i64, 1240i64, 1280i64, 1320i64, 1360i64, 1400i64, -111i64, 1480i64, 1520i64, 1560i64, 1600i64, 1640i64, 1680i64, 1720i64, 1760i64, 1800i64, 1840i64, 1880i64, 1920i64, -110i64], [0i64, 0i64, 0i64, 0i64, 0i64, 0i64, 0i64, 0i64, 0i64, 0i64, 0i64, 0i64, 0i64, 0i64, 0i64, 0i64, 0i64, 0i64, 0i64, 0i64, 0i64, 0i64, 0i64, 0i64, 0i64, 0i64, 0i64, 0i64, 0i64, 0i64, 0i64, 0i64, 0i64, 0i64, 0i64, 0i64, 0i64, 0i64, 0i64, 0i64, 0i64, 0i64, 0i64, 0i64, 0i64, 0i64, 0i64, 0i64, 0i64, 0i64], [0i64, 1i64, 26i64, 39i64, 2i64, 65i64, 78i64, 91i64, 104i64, 3i64, 130i64, 143i64, 156i64, 169i64, 182i64, 195i64, 4i64, 221i64, 234i64, 247i64, 260i64, 273i64, 286i64, 299i64, 312i64, 5i64, 338i64, 351i64, 364i64, 377i64, 390i64, 403i64, 416i64, 429i64, 442i64, 455i64, 6i64, 481i64, 494i64, 507i64, 520i64, 533i64, 546i64, 559i64, 572i64, 585i64, 598i64, 611i64, 624i64, 7i64]] [5205037302i64, 1114i64, 1336981109i64, 0i64, 14134i64] }
-- input { empty([0]i64) }
-- output { empty([0][50]i64) empty([0]i64) }
entry rows_of_one_size (ns: []i64): ([][50]i64, []i64) =
  unzip (map (\n -> loop (zs, t) = (map (* n) (iota 50), 0) for j < n % 6 do
                let x = zs[j]
                let zs = if x % 2 == 0 then scatter zs (map (\i -> i * i) (iota 8)) (map (\i -> i + j - x) (iota 8)) else zs
                in (zs, t * 31 + x + zs[j + 1] + i64.sum zs)) ns)

-- ==
-- entry: an_element_or_none
-- input { [5i64, 1i64, 40i64, 0i64, 13i64] }
-- output { [152508879i64, 33i64, -188004429355138280i64, 0i64, -2474696272207043102i64] }
-- input { empty([0]i64) }
-- output { empty([0]i64) }
entry an_element_or_none (ns: []i64): []i64 =
  map (\n -> let zs = loop zs = map (\i -> i * n % 11) (iota (n + 2)) for j < n % 6 do
                let s = i64.sum zs
                let zs = if s % 2 == 0 then zs with [j % 2] = s + zs[j % 2] else zs
                in if s % 3 == 0 then zs else zs with [1] = s
             in digits zs) ns

-- ==
-- entry: one_each
-- input { [5i64, 1i64, 40i64, 0i64, 13i64] }
-- output { [[5i64, 5i64, 10i64, 4i64, 9i64, 3i64, 8i64, 2i64, 7i64, 1i64, 6i64, 0i64, 5i64, 10i64, 4i64, 9i64, 3i64, 8i64, 2i64, 7i64, 1i64, 6i64, 0i64, -5i64, 10i64, 4i64, 9i64, 3i64, 8i64, 2i64, 7i64, 1i64, 6i64, 0i64, 5i64, 10i64, 4i64, 9i64, 3i64, 8i64, 2i64, 7i64, 1i64, 6i64, 0i64, 5i64, 10i64, 4i64, 9i64, 3i64, 8i64, 2i64, 7i64, 1i64, 6i64, 0i64, 5i64, 10i64, 4i64, 9i64], [0i64, 1i64, 2i64, 3i64, 4i64, -5i64, 6i64, 7i64, 8i64, 9i64, 10i64, 0i64, 1i64, 2i64, 3i64, 4i64, 5i64, 6i64, 7i64, 8i64, 9i64, 10i64, 0i64, 1i64, 2i64, 3i64, 4i64, 5i64, 6i64, 7i64, 8i64, 9i64, 10i64, 0i64, 1i64, 2i64, 3i64, 4i64, 5i64, 6i64, 7i64, 8i64, 9i64, 10i64, 0i64, 1i64, 2i64, 3i64, 4i64, 5i64, 6i64, 7i64, 8i64, 9i64, 10i64, 0i64, 1i64, 2i64, 3i64, 4i64], [40i64, 7i64, 3i64, 10i64, 6i64, 2i64, 9i64, 5i64, 1i64, 8i64, 4i64, 0i64, 7i64, 3i64, 10i64, 6i64, 2i64, 9i64, 5i64, 1i64, 8i64, -4i64, 0i64, 7i64, 3i64, 10i64, 6i64, 2i64, 9i64, 5i64, 1i64, 8i64, 4i64, 0i64, 7i64, 3i64, 10i64, 6i64, 2i64, 9i64, 5i64, 1i64, 8i64, 4i64, 0i64, 7i64, 3i64, 10i64, 6i64, 2i64, 9i64, 5i64, 1i64, 8i64, 4i64, 0i64, 7i64, 3i64, 10i64, 6i64], [0i64, 0i64, 0i64, 0i64, 0i64, 0i64, 0i64, 0i64, 0i64, 0i64, 0i64, 0i64, 0i64, 0i64, 0i64, 0i64, 0i64, 0i64, 0i64, 0i64, 0i64, 0i64, 0i64, 0i64, 0i64, 0i64, 0i64, 0i64, 0i64, 0i64, 0i64, 0i64, 0i64, 0i64, 0i64, 0i64, 0i64, 0i64, 0i64, 0i64, 0i64, 0i64, 0i64, 0i64, 0i64, 0i64, 0i64, 0i64, 0i64, 0i64, 0i64, 0i64, 0i64, 0i64, 0i64, 0i64, 0i64, 0i64, 0i64, 0i64], [13i64, 2i64, 4i64, 6i64, 8i64, 10i64, 1i64, 3i64, 5i64, 7i64, 9i64, 0i64, 2i64, 4i64, 6i64, -8i64, 10i64, 1i64, 3i64, 5i64, 7i64, 9i64, 0i64, 2i64, 4i64, 6i64, 8i64, 10i64, 1i64, 3i64, 5i64, 7i64, 9i64, 0i64, 2i64, 4i64, 6i64, 8i64, 10i64, 1i64, 3i64, 5i64, 7i64, 9i64, 0i64, 2i64, 4i64, 6i64, 8i64, 10i64, 1i64, 3i64, 5i64, 7i64, 9i64, 0i64, 2i64, 4i64, 6i64, 8i64]] }
-- input { empty([0]i64) }
-- output { empty([0][60]i64) }
entry one_each (ns: []i64): [][]i64 =
  map (\n -> let row = map (\i -> i * n % 11) (iota 60)
             let at = i64.sum row % 70
             let row = if at < 60 then copy row with [at] = -row[at] else row
             in if n > 3 then row with [0] = n else row) ns

-- ==
-- entry: places_changed
-- input { [5i64, 1i64, 40i64, 0i64, 13i64] }
-- output { [4379273988i64, -4804i64, 119529815506820816i64, -31i64, -2296092176611524414i64] }
-- input { empty([0]i64) }
-- output { empty([0]i64) }
entry places_changed (ns: []i64): []i64 =
  map (\n -> let (zs, ys) = loop (zs, ys) = (iota (n + 2), replicate (n + 2) 1) for j < n % 6 do
                let zs = zs with [j % 2] = 3
                in if i64.sum ys % 2 == 0 then (copy ys, copy zs) else (zs, ys with [0] = 8)
             in digits zs - digits ys) ns

-- ==
-- entry: counted_in_a_side
-- input { [5i64, 1i64, 40i64, 0i64, 13i64] }
-- output { [2865876406i64, 0i64, -3291640603570963708i64, 0i64, -6397563336961670388i64] }
-- input { empty([0]i64) }
-- output { empty([0]i64) }
entry counted_in_a_side (ns: []i64): []i64 =
  map (\n -> let hs = loop hs = replicate (n + 1) 0 for j < n % 6 do
                if j % 3 != 1 then reduce_by_index hs (+) 0 (map (% 5) (iota n)) (iota n)
                else let i = i64.sum hs in assert (i >= 0) (hs with [i % (n + 1)] = 100)
             in digits hs) ns

-- ==
-- entry: as_many_rounds
-- input { [5i64, 1i64, 40i64, 0i64, 13i64] }
-- output { [83542757343i64, 1026i64, -627357515050074041i64, 33i64, -6877967109295414235i64] }
-- input { empty([0]i64) }
-- output { empty([0]i64) }
entry as_many_rounds (ns: []i64): []i64 =
  map (\n -> digits (loop zs = iota (n + 3) for j < 5 do
                if (j + n) % 2 == 0 then scatter zs (map (* 2) (iota (n / 2))) (map (+ j) (iota (n / 2))) else zs)) ns

-- ==
-- entry: under_two_names
-- input { [5i64, 1i64, 40i64, 0i64, 13i64, 9i64, 11i64] }
-- output { [15256791558954i64, 3109i64, 2797844599072674283i64, 1i64, 8718651430275152683i64, 464678151492632466i64, -6010583193652411252i64] }
-- input { empty([0]i64) }
-- output { empty([0]i64) }
entry under_two_names (ns: []i64): []i64 =
  map (\n -> let (zs, s) = loop (zs, s) = (iota (n + 2), 0) for j < n % 6 do
                let (zs, all) = if j % 2 == 0 then let zs = zs with [j % 2] = s + 3 in (zs, zs)
                                else (zs, replicate (n + 2) j)
                let s = s * 7 + all[1] + i64.sum all
                in (zs with [1] = s, s)
             in digits zs + s) ns

-- ==
-- entry: under_another_name
-- input { [5i64, 1i64, 40i64, 0i64, 13i64, 9i64, 11i64] }
-- output { [26587294410942i64, 3109i64, -8101435195121655703i64, 1i64, 8718651430275152683i64, 640183452697071504i64, -2956814914045858056i64] }
-- input { empty([0]i64) }
-- output { empty([0]i64) }
entry under_another_name (ns: []i64): []i64 =
  map (\n -> let (zs, s) = loop (zs, s) = (iota (n + 2), 0) for j < n % 6 do
                let (zs, all) = if j % 2 == 0 then let zs = zs with [j % 2] = s + 3 in (zs, zs)
                                else (replicate (n + 2) j, zs)
                let s = s * 7 + all[1] + i64.sum all
                in (zs with [1] = s, s)
             in digits zs + s) ns

-- ==
-- entry: changed_and_copied
-- input { [5i64, 1i64, 40i64, 0i64, 13i64, 9i64, 11i64, 20i64] }
-- output { [62562i64, 3i64, 1101361389528630046i64, 0i64, 54261208461229923i64, 58750866882i64, 56463133088615i64, -2458128782980785713i64] }
-- input { empty([0]i64) }
-- output { empty([0]i64) }
entry changed_and_copied (ns: []i64): []i64 =
  map (\n -> digits (loop (zs: *[n]i64) = iota n for j < 3 do
                let zs = if n > j then zs with [j] = 3 else zs
                in scatter zs (iota (n / 2)) (map (* j) (iota (n / 2))))) ns

-- ==
-- entry: changed_and_counted
-- input { [5i64, 1i64, 40i64, 0i64, 13i64, 9i64, 11i64, 20i64] }
-- output { [2952289i64, 3i64, -7271926316193481294i64, 0i64, 2521508088260845597i64, 2730308721598i64, 2623837331500139i64, -8927189101247723047i64] }
-- input { empty([0]i64) }
-- output { empty([0]i64) }
entry changed_and_counted (ns: []i64): []i64 =
  map (\n -> digits (loop (zs: *[n]i64) = iota n for j < 3 do
                let zs = if n > j then zs with [j] = 3 else zs
                in reduce_by_index zs (+) 0 (iota (n / 2)) (map (* j) (iota (n / 2))))) ns

let half_of_size [m] (_: [m]i64): i64 = i64.sum (iota m) / 2

-- ==
-- entry: sizes_asked_for
-- input { [5i64, 1i64, 40i64, 0i64, 13i64, 9i64, 11i64, 20i64] }
-- output { [12467380i64, 1i64, -592854580248349774i64, 0i64, 2468885236741665417i64, 8812172952044i64, 11223648984562795i64, -4984424298731516326i64] }
-- input { empty([0]i64) }
-- output { empty([0]i64) }
entry sizes_asked_for (ns: []i64): []i64 =
  map (\n -> digits (loop (zs: *[n]i64) = iota n for j < n % 6 do
                let zs = if j % 2 == 0 then map (+ 1) zs else zs with [j % n] = n
                in if half_of_size zs % 2 == 1 then map (+ 2) zs else zs with [j % n] = n)) ns

-- ==
-- entry: sizes_asked_for_in_while
-- input { [5i64, 1i64, 40i64, 0i64, 13i64, 9i64, 11i64, 20i64] }
-- output { [4771525i64, 1i64, 4894044023990469140i64, 0i64, 841048816911995911i64, 2673339574023i64, 4262977790396810i64, 4718964843513062953i64] }
-- input { empty([0]i64) }
-- output { empty([0]i64) }
entry sizes_asked_for_in_while (ns: []i64): []i64 =
  map (\n -> digits (loop (zs: *[n]i64, j) = (iota n, 0) while j < n % 6 do
                let s = half_of_size zs
                in (if s % 3 == 0 then map (+ 1) zs else zs with [j % n] = s, j + 1)).0) ns

-- ==
-- entry: lost_on_a_side
-- input { [5i64, 1i64, 40i64, 0i64, 13i64, 9i64, 11i64, 20i64] }
-- output { [4771525i64, 4i64, 4701144948802865664i64, 0i64, 3255672839659339012i64, 3525282954756i64, 5081667866666855i64, 51336409227342464i64] }
-- input { empty([0]i64) }
-- output { empty([0]i64) }
entry lost_on_a_side (ns: []i64): []i64 =
  map (\n -> digits (loop (zs: *[n]i64) = replicate n (n % 5) for j < n % 6 do
                if n % 5 > 3 then zs
                else if n % 5 < 2 then map (+ 1) (if n > 3 then zs with [3] = j else replicate n 3)
                else replicate n 4)) ns

-- ==
-- entry: lost_in_sides
-- input { [5i64, 1i64, 40i64, 0i64, 13i64, 9i64, 11i64, 20i64] }
-- output { [4803335i64, 2i64, -683314658718400494i64, 0i64, 840969498045513898i64, 3554603054410i64, 7650692172075121i64, -8056224041519863160i64] }
-- input { empty([0]i64) }
-- output { empty([0]i64) }
entry lost_in_sides (ns: []i64): []i64 =
  map (\n -> digits (loop (zs: *[n]i64) = iota n for j < n % 6 do
                if (j + n) % 2 == 0 then zs
                else let ys = if n > 3 then map (+ 1) (if n > 5 then zs with [3] = j else iota n) else replicate n 2
                     in map (+ j) ys)) ns

-- ==
-- entry: room_for_sides
-- input { [5i64, 1i64, 40i64, 0i64, 13i64, 9i64, 11i64, 20i64] }
-- output { [12342337i64, 1i64, 5552607928457000950i64, 0i64, -5478313684204252296i64, 6112324629185i64, 11800823185068833i64, -1239206687803028555i64] }
-- input { empty([0]i64) }
-- output { empty([0]i64) }
entry room_for_sides (ns: []i64): []i64 =
  map (\n -> let k = n % 7 + 1
             let (xs, ys) = loop (xs: *[n]i64, ys: *[n]i64) = (iota n, map (* 3) (iota n)) for j < n do
                let (xs, ys) = if ys[0] % 2 == 0 then
                    let m = j % k
                    let xs = xs with [:m] = map (+ ys[m]) (iota m)
                    in (copy ys, map (+ 1) xs)
                  else (xs, ys)
                in (ys, xs)
             in digits xs - digits ys) ns

-- ==
-- entry: room_for_rounds
-- input { [5i64, 1i64, 40i64, 0i64, 13i64, 9i64, 11i64, 20i64] }
-- output { [6685861162i64, 0i64, 2536248994937528317i64, 0i64, 7666628983413478015i64, 5232697723735115121i64, -4409065545749404074i64, -1467263460120473476i64] }
-- input { empty([0]i64) }
-- output { empty([0]i64) }
entry room_for_rounds (ns: []i64): []i64 =
  map (\n -> (loop (m, s) = (1, 0) for i < n do
                let zs = replicate m (s + i)
                let zs = zs with [0] = i % 7
                let x = zs[i % m] % 50
                let next = (loop (a, b) = (1, 0) while b < x do (a + b % 3, b + 1)).0
                in (next, s + digits zs)).1) ns

-- ==
-- entry: room_for_counts
-- input { [5i64, 1i64, 40i64, 0i64, 13i64, 9i64, 11i64, 20i64] }
-- output { [26i64, 0i64, 40904450391i64, 0i64, 2424i64, 294i64, 1204i64, 156017i64] }
-- input { empty([0]i64) }
-- output { empty([0]i64) }
entry room_for_counts (ns: []i64): []i64 =
  map (\n -> (loop (m, s) = (1, 0) for i < n do
                let zs = replicate m (s + i)
                let zs = zs with [0] = i % 7
                let x = zs[i % m] % 50
                let next = loop a = 1 for b < x do (a + b % 3 + (a * 3) % 2) % 40 + 1
                in (next, s + zs[m / 2])).1) ns
