-- k-means clustering by Newton's method. With squared distances the Hessian of the cost is diagonal, so one `jvp` of the gradient in the direction
-- of all ones gives the whole of it (digest 002, §2.3; with plain distances it would not be diagonal).
--
--   futi run examples/kmeans.fut < examples/data/kmeans.in

def squared_distance [d] (xs: [d]f64) (ys: [d]f64) : f64 =
  f64.sum (map2 (\x y -> (x - y) * (x - y)) xs ys)

-- | The sum over the points of the squared distance to the nearest centre.
def cost [n] [k] [d] (points: [n][d]f64) (centres: [k][d]f64) : f64 =
  f64.sum (map (\p -> f64.minimum (map (squared_distance p) centres)) points)

def gradient [n] [k] [d] (points: [n][d]f64) (centres: [k][d]f64) : [k][d]f64 =
  vjp (cost points) centres 1.0

-- | Gradient, and the diagonal of the Hessian.
def derivatives [n] [k] [d]
                (points: [n][d]f64)
                (centres: [k][d]f64) : ([k][d]f64, [k][d]f64) =
  jvp2 (gradient points) centres (replicate k (replicate d 1.0))

def newton [n] [k] [d] (points: [n][d]f64) (centres: [k][d]f64) : [k][d]f64 =
  let (g, h) = derivatives points centres
  -- a centre to which no point is nearest stays where it is
  in map3 (map3 (\c g h -> if h == 0.0 then c else c - g / h)) centres g h

-- Four points in two pairs: the centres go to the middles of the pairs in one step, and the cost is 4 (1/2)^2 = 1.
-- ==
-- input { [[0.0, 0.0], [0.0, 1.0], [5.0, 5.0], [5.0, 6.0]] [[1.0, 1.0], [4.0, 4.0]] 3i64 }
-- output { 1.0 [[0.0, 0.5], [5.0, 5.5]] }
entry main [n] [k] [d]
           (points: [n][d]f64)
           (start: [k][d]f64)
           (steps: i64) : (f64, [k][d]f64) =
  let centres = loop c = start for _i < steps do newton points c
  in (cost points centres, centres)

-- Each point pulls its centre with -2 (p - c), and adds 2 to its curvature: at the first pair -2 ((0-1) + (0-1)) = 4 and -2 ((0-1) + (1-1)) = 2.
-- ==
-- entry: derivative
-- input { [[0.0, 0.0], [0.0, 1.0], [5.0, 5.0], [5.0, 6.0]] [[1.0, 1.0], [4.0, 4.0]] }
-- output { [[4.0, 2.0], [-4.0, -6.0]] [[4.0, 4.0], [4.0, 4.0]] }
entry derivative [n] [k] [d]
                 (points: [n][d]f64)
                 (centres: [k][d]f64) : ([k][d]f64, [k][d]f64) =
  derivatives points centres
