-- Models with their derivatives, beside peers.py: the same formulas, the same sizes. Cases tagged `large` are for a GPU, those tagged `small` for two cores, and `tiny` ones are checked in CI.

def noise (i: i64) : f32 = f32.i64 ((i * 7919 + 13) % 1009) / 1009 - 0.5
def vector (n: i64) (offset: i64) : [n]f32 =
  tabulate n (\i -> noise (i + offset))
def matrix (n: i64) (m: i64) (offset: i64) : [n][m]f32 =
  tabulate_2d n m (\i j -> noise (i * m + j + offset))
def scaled [n] [m] (k: f32) (a: [n][m]f32) : [n][m]f32 = map (map (* k)) a

def sumexp [k] (xs: [k]f32) : f32 =
  let top = f32.maximum xs
  in top + f32.log (f32.sum (map (\x -> f32.exp (x - top)) xs))

-- A Gaussian mixture of 25 components in 64 dimensions; the triangles of the covariances' factors are in squares.

def mixture [n] [k] [d]
            (alphas: [k]f32)
            (means: [k][d]f32)
            (q: [k][d]f32)
            (l: [k][d][d]f32)
            (xs: [n][d]f32) : f32 =
  let diagonals = map (map f32.exp) q
  let traces = map f32.sum q
  let density x =
    sumexp (map5 (\a mu diagonal factor trace ->
                    let v = map2 (-) x mu
                    let below i row =
                      f32.sum (map3 (\j lij vj -> if j < i then lij * vj else 0)
                                    (iota d)
                                    row
                                    v)
                    let y =
                      map3 (\i qi row -> qi * v[i] + below i row)
                           (iota d)
                           diagonal
                           factor
                    in a + trace - 0.5 * f32.sum (map (\y -> y * y) y))
                 alphas
                 means
                 diagonals
                 l
                 traces)
  in f32.sum (map density xs) - f32.i64 n * sumexp alphas

entry points (n: i64)
             : ( [25]f32
               , [25][64]f32
               , [25][64]f32
               , [25][64][64]f32
               , [n][64]f32
               ) =
  ( vector 25 0
  , matrix 25 64 0
  , scaled 0.1 (matrix 25 64 5)
  , map (scaled 0.1)
        (tabulate_3d 25 64 64 (\i j h -> noise ((i * 64 + j) * 64 + h)))
  , matrix n 64 77
  )

-- ==
-- entry: gmm gmm_grad
-- tiny script input { points 2i64 } auto output
-- small script input { points 100i64 }
-- large script input { points 10000i64 }
entry gmm [n]
          (a: [25]f32)
          (m: [25][64]f32)
          (q: [25][64]f32)
          (l: [25][64][64]f32)
          (xs: [n][64]f32) : f32 =
  mixture a m q l xs
entry gmm_grad [n]
               (a: [25]f32)
               (m: [25][64]f32)
               (q: [25][64]f32)
               (l: [25][64][64]f32)
               (xs: [n][64]f32)
               : ([25]f32, [25][64]f32, [25][64]f32, [25][64][64]f32) =
  vjp (\(a, m, q, l) -> mixture a m q l xs) (a, m, q, l) 1

-- A perceptron, 512 -> 1024 -> 10.

def dense [n] [m] [p] (xs: [n][m]f32) (w: [p][m]f32) (b: [p]f32) : [n][p]f32 =
  map (\x -> map2 (\row c -> c + f32.sum (map2 (*) row x)) w b) xs

def loss [n]
         (w1: [1024][512]f32)
         (b1: [1024]f32)
         (w2: [10][1024]f32)
         (b2: [10]f32)
         (xs: [n][512]f32)
         (ys: [n]i64) : f32 =
  let hidden = map (map (f32.max 0)) (dense xs w1 b1)
  let scores = dense hidden w2 b2
  in f32.sum (map2 (\row y -> sumexp row - row[y]) scores ys) / f32.i64 n

entry batch (n: i64)
            : ( [1024][512]f32
              , [1024]f32
              , [10][1024]f32
              , [10]f32
              , [n][512]f32
              , [n]i64
              ) =
  ( scaled 0.05 (matrix 1024 512 0)
  , replicate 1024 0
  , scaled 0.05 (matrix 10 1024 0)
  , replicate 10 0
  , matrix n 512 3
  , tabulate n (% 10)
  )

-- ==
-- entry: mlp mlp_grad
-- tiny script input { batch 2i64 } auto output
-- small script input { batch 32i64 }
-- large script input { batch 16384i64 }
entry mlp [n]
          (w1: [1024][512]f32)
          (b1: [1024]f32)
          (w2: [10][1024]f32)
          (b2: [10]f32)
          (xs: [n][512]f32)
          (ys: [n]i64) : f32 =
  loss w1 b1 w2 b2 xs ys
entry mlp_grad [n]
               (w1: [1024][512]f32)
               (b1: [1024]f32)
               (w2: [10][1024]f32)
               (b2: [10]f32)
               (xs: [n][512]f32)
               (ys: [n]i64)
               : ([1024][512]f32, [1024]f32, [10][1024]f32, [10]f32) =
  vjp (\(w1, b1, w2, b2) -> loss w1 b1 w2 b2 xs ys) (w1, b1, w2, b2) 1

-- The cost of k-means with 16 centres in 8 dimensions; its gradient, and the diagonal of its Hessian.

def cost [n] [k] [d] (xs: [n][d]f32) (cs: [k][d]f32) : f32 =
  f32.sum (map (\x ->
                  f32.minimum (map (\c ->
                                      f32.sum (map2 (\a b -> (a - b) * (a - b))
                                                    x
                                                    c))
                                   cs))
               xs)

entry clusters (n: i64) : ([n][8]f32, [16][8]f32) =
  (matrix n 8 0, matrix 16 8 7)

-- ==
-- entry: kmeans kmeans_hess
-- tiny script input { clusters 20i64 } auto output
-- small script input { clusters 10000i64 }
-- large script input { clusters 1000000i64 }
entry kmeans [n] (xs: [n][8]f32) (cs: [16][8]f32) : f32 = cost xs cs
entry kmeans_hess [n]
                  (xs: [n][8]f32)
                  (cs: [16][8]f32) : ([16][8]f32, [16][8]f32) =
  jvp2 (\cs -> vjp (cost xs) cs 1) cs (replicate 16 (replicate 8 1))

-- The heat equation, 64 steps on a torus, and its adjoint with respect to the initial state.

def step [n] (u: [n][n]f32) : [n][n]f32 =
  tabulate_2d n n (\i j ->
                     let at i j = u[(i + n) % n, (j + n) % n]
                     in u[i, j]
                        + 0.1
                          * (at (i - 1) j
                             + at (i + 1) j
                             + at i (j - 1)
                             + at i (j + 1)
                             - 4 * u[i, j]))

def heated [n] (u: [n][n]f32) : f32 =
  let v = loop u for _i < 64 do step u
  in f32.sum (map (\row -> f32.sum (map (\x -> x * x) row)) v)

entry plate (n: i64) : [n][n]f32 = matrix n n 0

-- ==
-- entry: heat heat_grad
-- tiny script input { plate 8i64 } auto output
-- small script input { plate 64i64 }
-- large script input { plate 4096i64 }
entry heat [n] (u: [n][n]f32) : f32 = heated u
entry heat_grad [n] (u: [n][n]f32) : [n][n]f32 = vjp heated u 1
