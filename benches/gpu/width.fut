-- Programs of a width: how much of what each does is done by many invocations, and how much by few (conformance/tests/width.rs). `n` is about how many elements each works on.

def noise (i: i64): f64 = f64.i64 ((i * 7919 + 13) % 1009) / 1009 - 0.5
def vector (n: i64): *[n]f64 = tabulate n noise
def matrix (n: i64) (m: i64): *[n][m]f64 = tabulate_2d n m (\i j -> noise (i * m + j))
def root (n: i64): i64 = i64.f64 (f64.sqrt (f64.i64 n))
def dot [n] (a: [n]f64) (b: [n]f64): f64 = f64.sum (map2 (*) a b)
def matvec [n] [m] (a: [n][m]f64) (x: [m]f64): [n]f64 = map (dot x) a
def matmul [n] [m] [k] (a: [n][k]f64) (b: [k][m]f64): [n][m]f64 = map (matvec (transpose b)) a
def sumexp [k] (xs: [k]f64): f64 =
  let top = f64.maximum xs
  in top + f64.log (f64.sum (map (\x -> f64.exp (x - top)) xs))

-- Vectors.

entry saxpy (n: i64): []f64 = map2 (\x y -> 2 * x + y) (vector n) (reverse (vector n))
entry inner (n: i64): f64 = dot (vector n) (rotate 3 (vector n))
entry inner_gradient (n: i64): ([]f64, []f64) = vjp (\(a, b) -> dot a b) (vector n, rotate 3 (vector n)) 1
entry sumexp_gradient (n: i64): []f64 = vjp sumexp (vector n) 1
entry sumexp_hessian_product (n: i64): []f64 = jvp (\x -> vjp sumexp x 1) (vector n) (rotate 1 (vector n))
entry cumulative (n: i64): []f64 = scan (+) 0 (vector n)
entry cumulative_gradient (n: i64): []f64 = vjp (\x -> scan (*) 1 (map (+ 1) x)) (vector n) (rotate 1 (vector n))
entry linear_recurrence (n: i64): f64 =
  let step (a, b) (c, d) = (a * c, b * c + d)
  in f64.sum (map (.1) (scan step (1, 0) (map (\x -> (0.5 + 0.1 * x, x)) (vector n))))
entry recurrence_gradient (n: i64): []f64 =
  let step (a, b) (c, d) = (a * c, b * c + d)
  in vjp (\v -> f64.sum (map (.1) (scan step (1, 0) (map (\x -> (0.5 + 0.1 * x, x)) v)))) (vector n) 1
entry largest (n: i64): (f64, i64) =
  reduce_comm (\(x, i) (y, j) -> if y > x || (y == x && j < i) then (y, j) else (x, i)) (-f64.inf, n) (zip (vector n) (iota n))

-- Places.

entry bins (n: i64): []f64 = hist (+) 0 1009 (map (\i -> i * i % 1009) (iota n)) (vector n)
entry bins_gradient (n: i64): []f64 =
  vjp (\v -> f64.sum (map (\x -> x * x) (hist (+) 0 1009 (map (\i -> i * i % 1009) (iota n)) v))) (vector n) 1
entry maxima (n: i64): []f64 = hist f64.max (-f64.inf) 31 (map (% 31) (iota n)) (vector n)
entry permuted (n: i64): []f64 = scatter (replicate n 0) (map (\i -> (i + n / 2) % n) (iota n)) (vector n)
entry permuted_gradient (n: i64): []f64 =
  vjp (\v -> scatter (replicate n 0) (map (\i -> (i + n / 2) % n) (iota n)) (map (\x -> x * x) v)) (vector n) (vector n)
entry positive (n: i64): []f64 = filter (> 0) (vector n)
entry parts (n: i64): ([]f64, []f64) = partition (> 0) (vector n)
entry gathered (n: i64): []f64 = let v = vector n in map (\i -> v[i * 17 % n]) (iota n)
entry sorted (n: i64): []u32 =
  let by_bit [n] (xs: [n]u32) (b: i32): [n]u32 =
    let bits = map (u32.get_bit b) xs
    let zeros = scan (+) 0 (map (\b -> i64.i32 (1 - b)) bits)
    let ones = scan (+) 0 (map i64.i32 bits)
    let offset = if n == 0 then 0 else zeros[n - 1]
    let places = map3 (\b z o -> if b == 0 then z - 1 else offset + o - 1) bits zeros ones
    in scatter (copy xs) places xs
  in loop xs = map (\i -> u32.i64 (i * 7919 % 1021)) (iota n) for b < 10 do by_bit xs b
entry segment_sums (n: i64): []f64 =
  let step (v, f) (w, g) = (if g then w else v + w, f || g)
  in map (.0) (scan step (0, false) (zip (vector n) (map (\i -> i % 37 == 0) (iota n))))

-- Matrices.

entry product (n: i64): [][]f64 = let k = root n in matmul (matrix k (k / 8)) (matrix (k / 8) k)
entry thin_product (n: i64): [][]f64 = matmul (matrix 8 (n / 8)) (matrix (n / 8) 8)
entry product_gradient (n: i64): ([][]f64, [][]f64) =
  let k = root n
  in vjp (\(a, b) -> matmul a b) (matrix k (k / 32), matrix (k / 32) k) (matrix k k)
entry thin_gradient (n: i64): ([][]f64, [][]f64) =
  vjp (\(a, b) -> matmul a b) (matrix 8 (n / 8), matrix (n / 8) 8) (matrix 8 8)
entry matvec_gradient (n: i64): ([][]f64, []f64) =
  let k = root n in vjp (\(a, x) -> matvec a x) (matrix k k, vector k) (vector k)
entry softmax (n: i64): [][]f64 =
  let k = root n in map (\r -> let s = sumexp r in map (\x -> f64.exp (x - s)) r) (matrix k k)
entry softmax_gradient (n: i64): [][]f64 =
  let k = root n
  in vjp (map (\r -> let s = sumexp r in map (\x -> f64.exp (x - s)) r)) (matrix k k) (transpose (matrix k k))
entry column_sums (n: i64): []f64 = let k = root n in map f64.sum (transpose (matrix k k))
entry inverses (n: i64): [][2][2]f64 =
  map (\m -> let d = m[0, 0] * m[1, 1] - m[0, 1] * m[1, 0] + 3
             in [[m[1, 1] / d, -m[0, 1] / d], [-m[1, 0] / d, m[0, 0] / d]])
      (tabulate_3d (n / 4) 2 2 (\i j k -> noise (4 * i + 2 * j + k)))

-- Models with their gradients.

entry logistic (n: i64): []f64 =
  let d = 16
  let (xs, ys) = (matrix (n / d) d, map (\i -> f64.i64 (i % 2)) (iota (n / d)))
  let loss w = f64.sum (map2 (\x y -> let p = dot w x in f64.log (1 + f64.exp p) - y * p) xs ys)
  in vjp loss (vector d) 1
entry perceptron (n: i64): ([][]f64, [][]f64) =
  let (rows, d, h) = (n / 64, 32, 32)
  let (xs, ys) = (matrix rows d, vector rows)
  let loss (a, b) =
    f64.sum (map2 (\x y -> let hidden = map f64.tanh (matvec a x)
                           let out = f64.sum (matvec b hidden)
                           in (out - y) * (out - y))
                  xs ys)
  in vjp loss (matrix h d, matrix h h) 1
entry clusters (n: i64): [][]f64 =
  let (points, k, d) = (n / 32, 8, 4)
  let xs = matrix points d
  let cost cs = f64.sum (map (\x -> f64.minimum (map (\c -> f64.sum (map2 (\a b -> (a - b) * (a - b)) x c)) cs)) xs)
  in vjp cost (matrix k d) 1
entry mixture (n: i64): ([]f64, [][]f64) =
  let (points, k, d) = (n / 32, 8, 4)
  let xs = matrix points d
  let likelihood (alphas, means) =
    f64.sum (map (\x -> sumexp (map2 (\a m -> a - 0.5 * f64.sum (map2 (\x m -> (x - m) * (x - m)) x m)) alphas means)) xs)
  in vjp likelihood (vector k, matrix k d) 1
entry options (n: i64): []f64 =
  let phi x = 0.5 * f64.erfc (-x / f64.sqrt 2)
  let price s =
    let d = (f64.log (s / 100) + 0.06) / 0.3
    in s * phi d - 95 * phi (d - 0.3)
  in map (\x -> vjp price (100 + 20 * x) 1) (vector n)
entry filters (n: i64): f64 =
  let filtered (z: f64) = (loop (x, p) = (0, 1) for i < 16 do
    let k = p / (p + 0.5)
    in (x + k * (z + f64.i64 i * 0.01 - x), (1 - k) * p + 0.1)).0
  in f64.sum (map (\z -> vjp filtered z 1) (vector (n / 4)))
entry hidden_states (n: i64): f64 =
  let (chains, states) = (n / 64, 8)
  let step = matrix states states
  let likelihood (c: i64) =
    let last = loop a = replicate states 0 for t < 8 do
      tabulate states (\j -> noise (c + t * states + j) + sumexp (map2 (+) a step[:, j]))
    in sumexp last
  in f64.sum (map likelihood (iota chains))

-- Grids, and sizes that differ from point to point.

entry heat (n: i64): []f64 =
  loop v = vector n for _i < 10 do map3 (\a b c -> 0.25 * a + 0.5 * b + 0.25 * c) (rotate (-1) v) v (rotate 1 v)
entry heat_gradient (n: i64): []f64 =
  let run v = loop v for _i < 10 do map3 (\a b c -> 0.25 * a + 0.5 * b * b + 0.25 * c) (rotate (-1) v) v (rotate 1 v)
  in vjp run (vector n) (vector n)
entry bodies (n: i64): []f64 =
  let xs = vector (root n)
  in map (\x -> f64.sum (map (\y -> let d = y - x in d / (d * d + 0.01)) xs)) xs
entry triangle (n: i64): []f64 =
  let k = root n
  let v = vector (2 * k)
  in map (\i -> f64.sum (map (\j -> v[j] * v[i]) (iota i))) (iota (2 * k))
entry triangle_gradient (n: i64): []f64 =
  let k = root n
  in vjp (\v -> map (\i -> f64.sum (map (\j -> v[j] * v[i]) (iota i))) (iota (2 * k))) (vector (2 * k)) (vector (2 * k))
entry sparse (n: i64): []f64 =
  let rows = root n
  let starts = map (\i -> i * (i + 1) / 2 % (n / 2)) (iota rows)
  let (v, x) = (vector n, vector rows)
  in map2 (\i s -> f64.sum (map (\j -> v[s + j] * x[(i + j) % rows]) (iota (1 + i % 97 * 20)))) (iota rows) starts
entry divisors (n: i64): []i64 =
  map (\i -> length (filter (\j -> (i + 1) % (j + 1) == 0) (iota (i64.min 100 (i + 1))))) (iota (n / 64))
entry escapes (n: i64): []i64 =
  map (\i -> let (a, b) = (3 * noise i - 0.5, 2 * noise (i / 1009))
             in (loop (x, y, k) = (0, 0, 0) while x * x + y * y < 4 && k < 50 do (x * x - y * y + a, 2 * x * y + b, k + 1)).2)
      (iota (n / 16))

-- Few points, each with much inside.

entry scattered_in_rounds (n: i64): []f64 =
  map (\k -> let m = n / 4
             let zs = loop zs = replicate m 0 for j < k + 1 do
               let places = map (\i -> (i * (j + 2)) % m) (iota m)
               in scatter zs places (map f64.i64 places)
             in f64.sum zs) (iota 4)
entry sides_in_rounds (n: i64): []f64 =
  map (\k -> let m = n / (k + 1)
             let zs = loop zs = replicate m 1 for j < k + 1 do
               if j % 2 == 0 then scatter zs (map (* 3) (iota (m / 3))) (map (\i -> noise (i + j)) (iota (m / 3))) else zs
             in f64.sum zs) (iota 4)
entry element_in_rounds (n: i64): []f64 =
  map (\k -> let zs = loop zs = vector (n / (k + 1)) for j < k + 1 do
               let s = f64.sum zs
               in if s > zs[j] then zs with [j] = s else zs
             in f64.sum zs) (iota 4)
entry heads (n: i64): [][][][]f64 =
  map (\i -> map (\j -> map (\l -> map (\k -> noise (i * j + k * l)) (iota (n / 64))) (iota 4)) (iota 4)) (iota 4)
entry vectors_scanned (n: i64): [][][]f64 =
  map (\k -> scan (\a b -> [a[0] + b[0], f64.max a[1] b[1]]) [0, -f64.inf] (tabulate (n / 8) (\i -> [noise (i + k), 1]))) (iota 4)
entry vectors_counted (n: i64): [][][]f64 =
  map (\k -> hist (map2 (+)) [0, 0] 10 (map (% 10) (iota (n / 8))) (tabulate (n / 8) (\i -> [noise (i + k), 1]))) (iota 4)
entry shared_in_rounds_gradient (n: i64): []f64 =
  let m = n / 8
  let f (w: [m]f64) = f64.sum (map (\b -> f64.sum (loop (x: [m]f64) = replicate m (noise b) for _i < 2 do map2 (\a b -> f64.tanh (a * b)) w x)) (iota 4))
  in vjp f (vector m) 1
entry shared_on_sides_gradient (n: i64): []f64 =
  vjp (\v -> f64.sum (map (\k -> if k % 2 == 0 then f64.sum (map (\x -> x * x) v) else 0) (iota 8))) (vector (n / 8)) 1
entry rows_turned (n: i64): [][]f64 = map (\r -> r[3:] ++ r[:3]) (matrix 8 (n / 8))
entry rows_scattered (n: i64): [][]f64 = scatter (replicate 10 (replicate (n / 8) 0)) (map (\i -> i * 3 % 10) (iota 8)) (matrix 8 (n / 8))
entry rows_chosen (n: i64): [][]f64 = map (\i -> if i % 2 == 0 then vector (n / 8) else replicate (n / 8) 1) (iota 8)
entry points_filtered (n: i64): [4]f64 =
  let points = tabulate (n / 2) (\i -> [noise i, f64.i64 (i % 17)])
  in map (\x -> let ps = filter (\p -> p[0] > f64.i64 x / 10) points in f64.sum (map (\p -> p[0] * p[1]) ps)) (iota 4)
entry means_of_points (n: i64): [4][8]f64 =
  let points = tabulate_2d (n / 8) 8 (\i j -> noise (i * 8 + j))
  in map (\x -> let ps = filter (\p -> p[0] > f64.i64 x / 10) points in map (/ f64.i64 (length ps)) (reduce (map2 (+)) (replicate 8 0) ps)) (iota 4)
