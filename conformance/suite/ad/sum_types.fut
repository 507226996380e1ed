-- The derivative of a value of a sum type has the value's constructor. The functions by hand beside each.

type shape = #box f64 | #sphere f64 | #ring f64 f64

-- pi r^2, w^2, pi (a^2 - b^2)
def area (s: shape): f64 =
  match s
  case #sphere r -> f64.pi * r * r
  case #box w -> w * w
  case #ring a b -> f64.pi * (a * a - b * b)

def show (s: shape): (i32, f64, f64) =
  match s
  case #box w -> (0, w, 0)
  case #sphere r -> (1, r, 0)
  case #ring a b -> (2, a, b)

-- 2 pi r = 9.42477796076938 at 1.5; 2 w = 3.
-- ==
-- entry: reverse
-- input { 1.5 } output { 1i32 9.42477796076938 0.0 0i32 3.0 0.0 2i32 9.42477796076938 -6.283185307179586 }
entry reverse (r: f64) =
  let (a, b, c) = show (vjp area (#sphere r) 1)
  let (d, e, f) = show (vjp area (#box r) 1)
  let (g, h, i) = show (vjp area (#ring r 1) 1)
  in (a, b, c, d, e, f, g, h, i)

-- (r^2)' = 2 r = 3 of a sphere; from -2 a box, 1.
-- ==
-- entry: forward
-- input { 1.5 } output { 1i32 3.0 0.0 }
-- input { -2.0 } output { 0i32 1.0 0.0 }
entry forward (r: f64) = show (jvp (\r -> if r > 0 then #sphere (r * r) else #box r: shape) r 1)

-- In arrays, and with several seeds: of a box and a sphere.
-- ==
-- entry: arrays
-- input { [2.0, 3.0] } output { [0i32, 1i32] [4.0, 18.84955592153876] }
-- ==
-- entry: seeds
-- input { [2.0, 3.0] } output { [[0i32, 1i32], [0i32, 1i32]] [[4.0, 18.84955592153876], [40.0, 188.4955592153876]] }
def scene (xs: [2]f64): [2]shape = [#box xs[0], #sphere xs[1]]
def total (ss: [2]shape): f64 = f64.sum (map area ss)
entry arrays (xs: [2]f64) = vjp total (scene xs) 1 |> map show |> map (\(k, x, _) -> (k, x)) |> unzip
entry seeds (xs: [2]f64) = mjp total (scene xs) [1, 10] |> map (\ss -> map show ss |> map (\(k, x, _) -> (k, x)) |> unzip) |> unzip

-- A sum within a sum, and in a record: 3 x^2 at 2.
-- ==
-- entry: nested
-- input { 2.0 } output { 1i32 12.0 4.0 }
type inner = #none | #some f64
type outer = #left f64 | #right {k: f64, v: inner}
entry nested (x: f64): (i32, f64, f64) =
  let f (o: outer) =
    match o
    case #left y -> y
    case #right {k, v = #some y} -> y * y * y + k * k
    case #right {k, v = #none} -> k
  in match vjp f (#right {k = x, v = #some x}) 1
     case #left y -> (0, y, 0)
     case #right {k, v = #some y} -> (1, y, k)
     case #right {k, v = #none} -> (2, k, 0)

-- Gradient descent on a value of a sum type: w - w / 2, thrice.
-- ==
-- entry: descent
-- input { 8.0 } output { 1.0 }
entry descent (w: f64): f64 =
  let step (s: shape): shape =
    match (s, vjp area s 0.25)
    case (#box w, #box d) -> #box (w - d)
    case (#sphere r, #sphere d) -> #sphere (r - d)
    case (#ring a b, #ring c d) -> #ring (a - c) (b - d)
    case (s, _) -> s
  in match iterate 3 step (#box w)
     case #box w -> w
     case _ -> -1

-- A sum and a number of the type that constructors are numbered by share no place: of y^2 at 3 the derivative 6, of an inner sum's constructor.
-- ==
-- entry: beside_a_byte
-- input { 3.0 } output { 6.0 6.0 }
type byte_or_inner = #num u8 f64 | #inn inner
entry beside_a_byte (x: f64): (f64, f64) =
  let f (s: byte_or_inner) =
    match s
    case #inn (#some y) -> y * y
    case #inn #none -> 1
    case #num k y -> f64.u8 k * y
  let show (s: byte_or_inner) =
    match s
    case #inn (#some y) -> y
    case #inn #none -> -100
    case #num _ _ -> -200
  in (show (vjp f (#inn (#some x)) 1), show (jvp (\x -> #inn (#some (x * x)) : byte_or_inner) x 1))
