-- `while` loops that overwrite elements, whose conditions read them: inner ones, in branches, with bounds, without derivatives of their own (digest 002, 5.3: only what is
-- overwritten is kept). By dual and hyper-dual numbers in Python.
def inner [n] (xs: [n]f64): [n]f64 =
  loop a = copy xs for i < n - 1 do
    let (a, _) =
      loop (a, j) = (a, 0i64) while j < 3 && a[(i + j) % n] > 0.1 do
        let x = a[(i + j) % n] * a[(i + j + 1) % n]
        in (a with [(i + j + 1) % n] = x, j + 1)
    in a with [i] = f64.sin a[i] + a[(i + 2) % n]

-- ==
-- entry: in_for
-- input { [0.9, 0.2, 0.7, 0.4, 0.5, 0.8, 0.1] [1.0, 0.5, 0.25, 2.0, 1.5, 3.0, 0.1] }
-- output { [0.9093269096274834, 0.2294295734258242, 0.5226780556845347, 0.8503786653658495, 0.519425538604203, 1.298745251936134, 0.016000000000000004]
--          [3.297278783039967, 3.648775094807893, 0.9079150640317765, 0.31468000758459835, 3.903320228442484, 3.460591491004328, 0.6160000000000001] }
-- input { [0.05, 2.2, 0.7, 1.4, 0.05, 0.8, 3.1] [1.0, 0.5, 0.25, 2.0, 1.5, 3.0, 0.1] }
-- output { [0.05518555810799318, 2.96449640381959, 1.357447702605479, 0.16258101090970434, 1.3543390564149034, 0.4486378134440864, 0.17249835075971]
--          [0.29396331412243454, 16.852272789404996, 54.183404530950604, 18.0204006014713, 233.37250060389027, 5.288796626151144, 0.35438411182595] }
entry in_for [n] (xs: [n]f64) (seed: [n]f64) = vjp2 inner xs seed

-- ==
-- entry: in_for_second
-- input { [0.9, 0.2, 0.7, 0.4, 0.5, 0.8, 0.1] [1.0, 0.5, 0.25, 2.0, 1.5, 3.0, 0.1] [0.3, 1.0, 0.2, 0.5, 1.5, 0.7, 0.4] }
-- output { [3.5405544220984644, 3.1348431023280017, 5.107616851957642, 1.7638067917048104, 0.04788439215842147, 3.8078768271453702, 2.4490000000000003]
--          [3.5405544220984644, 3.1348431023280017, 5.107616851957642, 1.7638067917048104, 0.04788439215842147, 3.8078768271453702, 2.4490000000000003] }
entry in_for_second [n] (xs: [n]f64) (seed: [n]f64) (t: [n]f64) =
  let g xs = vjp inner xs seed
  in (vjp g xs t, jvp g xs t)

def bounded [n] (xs: [n]f64): [n]f64 =
  (#[bound(30)]
   loop (a, i) = (copy xs, 0) while i < n && a[i] > 0.01 do
     let (a, _) =
       #[bound(4)]
       loop (a, j) = (a, 0i64) while j < 3 && a[(i + j) % n] > 0.1 do
         let x = a[(i + j) % n] * a[(i + j + 1) % n]
         in (a with [(i + j + 1) % n] = x, j + 1)
     in (a with [i] = f64.sin a[i] + a[(i + 2) % n], i + 1)).0

-- ==
-- entry: with_bounds
-- input { [0.9, 0.2, 0.7, 0.4, 0.5, 0.8, 0.1] [1.0, 0.5, 0.25, 2.0, 1.5, 3.0, 0.1] }
-- output { [0.9093269096274834, 0.2294295734258242, 0.5226780556845347, 0.8503786653658495, 0.519425538604203, 1.298745251936134, 0.24542889076789562]
--          [3.3225556568957293, 3.762521027158824, 0.9151150640317764, 0.32728000758459835, 3.90331940925996, 3.4605909790152505, 0.6159979520436903] }
entry with_bounds [n] (xs: [n]f64) (seed: [n]f64) = vjp2 bounded xs seed

-- ==
-- entry: with_bounds_second
-- input { [0.9, 0.2, 0.7, 0.4, 0.5, 0.8, 0.1] [1.0, 0.5, 0.25, 2.0, 1.5, 3.0, 0.1] [0.3, 1.0, 0.2, 0.5, 1.5, 0.7, 0.4] }
-- output { [3.6721014235675007, 3.195990257967654, 5.155016851957642, 1.8346067917048103, 0.04785797393271152, 3.807859227777512, 2.448936002392035]
--          [3.6721014235675007, 3.195990257967654, 5.155016851957642, 1.8346067917048103, 0.04785797393271152, 3.807859227777512, 2.448936002392035] }
entry with_bounds_second [n] (xs: [n]f64) (seed: [n]f64) (t: [n]f64) =
  let g xs = vjp bounded xs seed
  in (vjp g xs t, jvp g xs t)

-- x0 x1^6 / 8, with 2^6 / 8 and 6 * 2^5 / 8; a bound that is too low, of the outer loop and of the inner one.
-- ==
-- entry: too_many
-- input { 30i64 [1.0, 2.0, 3.0] } output { [8.0, 24.0, 0.0] }
-- input { 1i64 [1.0, 2.0, 3.0] } error: bound
-- input { 40i64 [1.0, 2.0, 3.0] } error: bound
entry too_many (k: i64) (xs: [3]f64) : [3]f64 =
  vjp (\(xs: [3]f64) ->
         let a = concat xs (replicate 30 1)
         let (a, _) =
           #[bound(3)]
           loop (a, i) = (a, 0) while (if k < 30 then i < 4 else i < 3) do
             let (a, _) =
               #[bound(2)]
               loop (a, j) = (a, 0i64) while j < (if k > 30 then 3 else 2) && j < 3 do
                 (a with [0] = a[0] * a[1], j + 1)
             in (a, i + 1)
         in a[0] / 8)
      xs
      1

def branches [n] (xs: [n]f64): [n]f64 =
  loop a = copy xs for i < n - 1 do
    loop a for l < 2 do
      if a[i] > 0.3
      then (loop (a, j) = (a, 0i64) while j < 3 && a[(i + j) % n] > 0.2 do
              let x = a[(i + j) % n] * a[(i + j + 1 + l) % n]
              in (a with [(i + j + 1) % n] = x, j + 1)).0
      else a with [i] = f64.sin a[i] + a[(i + 2) % n]

-- ==
-- entry: in_branches
-- input { [0.9, 0.2, 0.7, 0.4, 0.5, 0.8, 0.1] [1.0, 0.5, 0.25, 2.0, 1.5, 3.0, 0.1] }
-- output { [0.5234372725668003, 0.3032254645503796, 0.5792966615912557, 0.30878708903210417, 0.20695016677576142, 0.9231697928867729, 0.8308528135980956]
--          [5.719493312216685, 0.0, 1.357573073697441, 0.3440639334327732, 3.4366741262461167, 0.18292087313502794, 4.4547635584670395] }
-- input { [0.05, 2.2, 0.7, 1.4, 0.05, 0.8, 3.1] [1.0, 0.5, 0.25, 2.0, 1.5, 3.0, 0.1] }
-- output { [4.451820711591236, 0.47818115930987576, 0.10741249261562402, 0.8141792495196891, 0.6513433996157514, 1.2972170703097885, 3.3166644809247465]
--          [136.52607038145388, 0.0, 173.28430560208233, 5.327799677508149, 79.53693228777686, 526.0881462746485, 37.084951034317506] }
entry in_branches [n] (xs: [n]f64) (seed: [n]f64) = vjp2 branches xs seed

-- A loop whose results have no derivatives (a comparison reads them) changes indices that the branch before it reads.
-- ==
-- entry: compared
-- input { 5i64 [1i64, 2i64, 1i64] [2.0, 3.0, 5.0] } output { 2432.0 [4880.0, 0.0, 1360.0] }
-- input { 5i64 [0i64, 1i64, 1i64] [0.5, 0.25, 1.0] } output { 4.078125 [0.0, 0.6875, 12.3125] }
entry compared (n: i64) (is: [3]i64) (ws: [3]f64) : (f64, [3]f64) =
  let f (ws: [3]f64) =
    (loop (ks, x) = (replicate 20 0i64, 1f64) for i < n do
       let y = if i % 3 > 0 then let k = ks[i % 20] in x * ws[k] * ws[k] else x
       let (ks, w, _) =
         loop (ks, w, j) = (ks, x, 0) while j < 3 && w < 100000 do
           let k = (ks[(i + j) % 20] + is[j]) % 3
           in (ks with [(i + j) % 20] = k, w + ws[k], j + 1)
       let z = if w > 20 then y else y + ws[ks[(i + 1) % 20]]
       in (ks, z)).1
  in vjp2 f ws 1
