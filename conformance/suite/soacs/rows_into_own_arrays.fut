-- Rows that are scattered into arrays of a size of its own at each point lie there element after element.

-- The numbers as digits to the base 31: order matters.
let digits [n][d] (xss: [n][d]i64): i64 =
  loop h = 0 for x in flatten xss do h * 31 + x

-- ==
-- entry: filtered
-- input { [5i64, 1i64, 40i64, 0i64, 13i64, 9i64, 19i64] }
-- output { [167198622980i64, 0i64, 1940160435903425408i64, 0i64, -628951315057391708i64, 6210840140463026832i64, -6113560970102588802i64] }
-- input { empty([0]i64) }
-- output { empty([0]i64) }
entry filtered (ns: []i64): []i64 =
  let points = tabulate 40 (\i -> [i, i * 7 % 40])
  in map (\n -> digits (filter (\p -> p[1] < n) points)) ns

-- ==
-- entry: filtered_of_own
-- input { [5i64, 1i64, 40i64, 0i64, 13i64, 9i64, 19i64] 3i64 }
-- output { [-5428739113690719728i64, 33i64, -1069476646343000207i64, 0i64, -2981938424256301303i64, 0i64, -5153854901153023675i64] }
-- input { empty([0]i64) 3i64 }
-- output { empty([0]i64) }
entry filtered_of_own (ns: []i64) (d: i64): []i64 =
  map (\n -> digits (filter (\p -> p[0] % 3 != n % 3) (tabulate_2d (n * 2) d (\i j -> i * n + j)))) ns

-- ==
-- entry: parted
-- input { [5i64, 1i64, 40i64, 0i64, 13i64, 9i64, 19i64] }
-- output { [6179386041469797562i64, -3870695463808514898i64, -6872601523834789830i64, -6252298524464841866i64, 337670285599340458i64, 1178213150424032654i64, 8536133100671248708i64] }
-- input { empty([0]i64) }
-- output { empty([0]i64) }
entry parted (ns: []i64): []i64 =
  let points = tabulate 20 (\i -> [i, i * 7 % 20, 19 - i])
  in map (\n -> let (as, bs) = partition (\p -> p[1] < n) points in digits as * 7 + digits bs) ns

-- ==
-- entry: made
-- input { [5i64, 1i64, 40i64, 0i64, 13i64, 9i64, 19i64] }
-- output { [127995127815330084i64, 30784i64, 2785257728261407764i64, 1i64, -6278493811504285392i64, -5357342934025210096i64, 9172690094064477706i64] }
-- input { empty([0]i64) }
-- output { empty([0]i64) }
entry made (ns: []i64): []i64 =
  map (\n -> digits (scatter (replicate (n + 1) [n, 1]) (map (\i -> i * 3 - 4) (iota n)) (map (\i -> [i, i * n]) (iota n)))) ns

-- ==
-- entry: in_rounds
-- input { [5i64, 1i64, 40i64, 0i64, 13i64, 9i64, 19i64] }
-- output { [-5543227273421557148i64, 880576350971i64, -7037767652531164192i64, 923552i64, -5291647709253358825i64, 1117626945i64, 101535105312575i64] }
-- input { empty([0]i64) }
-- output { empty([0]i64) }
entry in_rounds (ns: []i64): []i64 =
  map (\n -> let m = n % 9 + 2
             in digits (loop zs = replicate m [n, 1, 0] for j < n % 5 do
                let s = i64.sum (flatten zs)
                let zs = scatter zs (map (\i -> i * 2 - 1) (iota (j + 2))) (map (\i -> [s, i * n, j]) (iota (j + 2)))
                in if s % 2 == 0 then zs else scatter zs [0, 0 - 1, 9] [[s, j, 1], [0, 0, 0], [n, n, s]])) ns

-- ==
-- entry: in_planes
-- input { [5i64, 1i64, 40i64, 0i64, 13i64, 9i64, 19i64] }
-- output { [1989859799512411739i64, -792308202896326i64, -8197836187411093238i64, -858844708i64, -8691004316159039586i64, -850532731i64, -776955632256418i64] }
-- input { empty([0]i64) }
-- output { empty([0]i64) }
entry in_planes (ns: []i64): []i64 =
  map (\n -> let m = n % 9 + 2
             let zs = tabulate_3d m 2 2 (\i j k -> i + j * n - k)
             let zs = scatter_2d zs (map (\i -> (i - 1, i % 3)) (iota (m + 3))) (map (\i -> [i, n]) (iota (m + 3)))
             in digits (flatten zs)) ns
