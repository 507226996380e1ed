-- One thing at a time, beside peers.py: passes over an array, scans, histograms, products, transpositions. Each call has its arguments on the device.
--
-- Cases tagged `large` are for a GPU, those tagged `small` for two cores, and `tiny` ones are checked in CI.

def ramp (n: i64) (period: i64) (step: f32) : [n]f32 =
  map (\i -> f32.i64 (i % period) * step) (iota n)

entry vectors (n: i64) : ([n]f32, [n]f32) =
  (ramp n 1000 0.001, ramp n 777 0.002)
entry bins (n: i64) (m: i64) : ([n]i64, [n]f32) =
  (map (\i -> (i * 7919) % m) (iota n), ramp n 777 0.002)
entry matrices (n: i64) : ([n][n]f32, [n][n]f32) =
  ( tabulate_2d n n (\i j -> f32.i64 ((i * j) % 17) * 0.1)
  , tabulate_2d n n (\i j -> f32.i64 ((i + j) % 13) * 0.1)
  )

-- ==
-- entry: saxpy sum cumsum grad_xsinx grad_scan
-- tiny script input { vectors 1000i64 } auto output
-- small script input { vectors 1048576i64 }
-- large script input { vectors 268435456i64 }
entry saxpy [n] (x: [n]f32) (y: [n]f32) : [n]f32 = map2 (\a b -> 2 * a + b) x y
entry sum [n] (x: [n]f32) (_y: [n]f32) : f32 = f32.sum x
entry cumsum [n] (x: [n]f32) (_y: [n]f32) : [n]f32 = scan (+) 0 x
entry grad_xsinx [n] (x: [n]f32) (_y: [n]f32) : [n]f32 =
  vjp (\x -> f32.sum (map (\a -> a * f32.sin a) x)) x 1
entry grad_scan [n] (x: [n]f32) (y: [n]f32) : [n]f32 = vjp (scan (+) 0) x y

-- ==
-- entry: hist256 filtered
-- tiny script input { bins 1000i64 256i64 } auto output
-- small script input { bins 1048576i64 256i64 }
-- large script input { bins 67108864i64 256i64 }
entry hist256 [n] (is: [n]i64) (vs: [n]f32) : [256]f32 =
  reduce_by_index (replicate 256 0) (+) 0 is vs
entry filtered [n] (is: [n]i64) (_vs: [n]f32) : i64 =
  length (filter (\i -> i % 3 == 0) is)

-- ==
-- entry: hist1m
-- tiny script input { bins 1000i64 1048576i64 } auto output
-- small script input { bins 1048576i64 1048576i64 }
-- large script input { bins 67108864i64 1048576i64 }
entry hist1m [n] (is: [n]i64) (vs: [n]f32) : [1048576]f32 =
  reduce_by_index (replicate 1048576 0) (+) 0 is vs

-- ==
-- entry: scattered
-- tiny script input { bins 1000i64 1048576i64 } auto output
-- small script input { bins 1048576i64 1048576i64 }
-- large script input { bins 67108864i64 1048576i64 }
entry scattered [n] (is: [n]i64) (vs: [n]f32) : [1048576]f32 =
  scatter (replicate 1048576 0) is vs

-- ==
-- entry: matmul rowsum colsum rowscan transposed
-- tiny script input { matrices 16i64 } auto output
-- small script input { matrices 256i64 }
-- large script input { matrices 4096i64 }
entry matmul [n] (a: [n][n]f32) (b: [n][n]f32) : [n][n]f32 =
  map (\row -> map (\column -> f32.sum (map2 (*) row column)) (transpose b)) a
entry rowsum [n] (a: [n][n]f32) (_b: [n][n]f32) : [n]f32 = map f32.sum a
entry colsum [n] (a: [n][n]f32) (_b: [n][n]f32) : [n]f32 =
  map f32.sum (transpose a)
entry rowscan [n] (a: [n][n]f32) (_b: [n][n]f32) : [n][n]f32 =
  map (scan (+) 0) a
entry transposed [n] (a: [n][n]f32) (_b: [n][n]f32) : [n][n]f32 =
  map (map (+ 1)) (transpose a)
