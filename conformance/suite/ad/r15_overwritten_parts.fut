-- Loops that overwrite parts of arrays: slices of any size and stride, what a scatter writes, elements and rows and blocks of a table (digest 002, 5.3: only what is overwritten
-- is kept). Values and derivatives by a program of hyper-dual numbers, a + b e1 + c e2 + d e1 e2, of these functions in plain sequential code. (Futhark 0.25.32
-- agrees on `written`, `written_second` and `blocked`; its derivatives of `slices` are others, and not symmetric.)

-- Slices, of sizes that vary with the trip, forwards and backwards.
def slices [n] (xs: [n]f64): [n]f64 =
  loop ys = copy xs for i < n - 2 do
    let k = 1 + i % 3
    let z = ys[i]
    let ys = if i + k < n then ys with [i:i + k] = (map (\y -> f64.sin y * z) ys[i + 1:i + 1 + k] :> [i + k - i]f64) else ys
    in ys with [i + 2:i:-1] = reverse (map (* 0.5) ys[i + 2:i:-1])

-- ==
-- entry: sliced
-- input { [0.9, 0.2, 0.7, 0.4, 0.5, 0.8, 0.1] [1.0, 0.5, 0.25, 2.0, 1.5, 3.0, 0.1] }
-- output { [0.1788023977155551, 0.034941695826389854, 0.013619094681872848, 0.0034378709647981953, 0.009587592503406482, 0.05, 0.01996668332936563]
--          [0.19866933079506122, 0.9691227845189447, 0.029814784512571708, 0.0868646335946553, 0.03889622984996992, 0.027150392312386536, 1.5199000833055605] }
entry sliced [n] (xs: [n]f64) (seed: [n]f64) = vjp2 slices xs seed

-- ==
-- entry: sliced_second
-- input { [0.9, 0.2, 0.7, 0.4, 0.5, 0.8, 0.1] [1.0, 0.5, 0.25, 2.0, 1.5, 3.0, 0.1] [0.3, 1.0, 0.2, 0.5, 1.5, 0.7, 0.4] }
-- output { [0.9800665778412416, 0.13572496779046928, 0.13615615940638912, 0.313611066277716, 0.06387092386216388, 0.11196308471300359, 0.016613905559190827]
--          [0.9800665778412416, 0.13572496779046928, 0.13615615940638912, 0.313611066277716, 0.06387092386216388, 0.11196308471300359, 0.016613905559190827] }
entry sliced_second [n] (xs: [n]f64) (seed: [n]f64) (t: [n]f64) =
  let g xs = vjp slices xs seed
  in (vjp g xs t, jvp g xs t)

-- What a scatter writes, some of it out of range, and an element.
def scattered [n] (xs: [n]f64): [n]f64 =
  loop ys = copy xs for i < n do
    let (y, z) = (ys[i], ys[(i + 2) % n])
    let ys = scatter ys [(i + 3) % n, (i + 5) % n, i - n, n + i] [y * z, f64.cos z, y + z, 7]
    in ys with [i] = ys[i] * y

-- ==
-- entry: written
-- input { [0.9, 0.2, 0.7, 0.4, 0.5, 0.8, 0.1] [1.0, 0.5, 0.25, 2.0, 1.5, 3.0, 0.1] }
-- output { [0.007001316, 0.0006175160711999999, 3.431289801229919e-05, 0.9999754908872508, 0.999999809336957, 0.00777924, 0.003087580356]
--          [0.07767169502642639, 0.31029193503809427, 0.17820409758705827, 0.0, 0.0, 0.0, 0.0] }
entry written [n] (xs: [n]f64) (seed: [n]f64) = vjp2 scattered xs seed

-- ==
-- entry: written_second
-- input { [0.9, 0.2, 0.7, 0.4, 0.5, 0.8, 0.1] [1.0, 0.5, 0.25, 2.0, 1.5, 3.0, 0.1] [0.3, 1.0, 0.2, 0.5, 1.5, 0.7, 0.4] }
-- output { [0.9060047698741691, 2.158741840908071, 2.081010972293503, 0.0, 0.0, 0.0, 0.0]
--          [0.9060047698741691, 2.158741840908071, 2.081010972293503, 0.0, 0.0, 0.0, 0.0] }
entry written_second [n] (xs: [n]f64) (seed: [n]f64) (t: [n]f64) =
  let g xs = vjp scattered xs seed
  in (vjp g xs t, jvp g xs t)

-- Elements, rows, columns and blocks of a table.
def blocks [n] (a: [n][n]f64): [n][n]f64 =
  loop a = copy a for i < n - 1 do
    let a = if a[i, 0] > 0.5 then a with [i] = map (\x -> x * x) a[i + 1] else a with [i, i + 1] = a[i + 1, i] * 2
    let a = loop a for j < i do a with [j:j + 2, i] = map (* a[i, j]) a[j:j + 2, i]
    in a with [i:i + 2, 0:2] = map (map f64.sin) (a[i:i + 2, 1:3] :> [i + 2 - i][2]f64)

-- ==
-- entry: blocked
-- input { [[0.9, 0.2, 0.7, 0.4], [0.5, 0.8, 0.1, 0.3], [0.6, 1.2, 0.45, 0.35], [0.55, 0.65, 0.75, 0.85]] [[1.0, 0.5, 0.25, 2.0], [1.5, 3.0, 0.1, 0.7], [0.2, 0.4, 0.6, 0.8], [0.9, 1.1, 1.3, 1.7]] }
-- output { [[0.5971954413623921, 0.0035999400003, 0.003025000000000001, 0.09], [0.49549099174224287, 0.20111887384607305, 0.025880765625000007, 0.12249999999999998], [0.41004189878176384, 0.2354254022633761, 0.23765625, 0.7224999999999999], [0.6051864057360395, 0.6816387600233341, 0.75, 0.85]]
--          [[0.0, 0.0, 0.0, 0.0], [0.0, 1.2833532126148681, 0.05112320001499995, 1.2], [2.2574449949382713, 1.1257225474688857, 2.6563330367779354, 0.48999999999999994], [0.012161187500000004, 1.6846046032118007, 2.7314824847418677, 3.06]] }
entry blocked [n] (a: [n][n]f64) (seed: [n][n]f64) = vjp2 blocks a seed

-- Every other element of two rows, and what a scatter writes, some of it out of range: places are kept of both. (By dual numbers.)
def mixed (a: [5][5]f64): [5][5]f64 =
  loop a = copy a for i < 4 do
    let (x, y) = (a[i, i + 1], a[i + 1, 0])
    let a = a with [i:i + 2, 1:5:2] = map (map (* x)) a[i:i + 2, 0:4:2]
    in scatter_2d a [(i, (i + 2) % 5), (4 - i, i), (5, 0)] [x * y, f64.sin y, 3]

-- ==
-- entry: mixture
-- input { [[0.6, 1.1, 0.8, 1.2, 1.3], [0.2, 0.1, 1.7, 0.6, 0.5], [2.0, 1.0, 1.7, 1.0, 1.3], [0.4, 1.3, 1.7, 1.1, 1.5], [1.4, 0.2, 1.5, 1.2, 0.7]] [[-0.9, 1.6, 0.4, 1.2, 1.6], [1.1, 1.8, 0.2, 1.4, 0.3], [1.8, 1.6, -0.7, -0.6, -0.3], [1.9, 0.3, 0.9, -0.1, 0.5], [0.2, 0.1, 0.8, 0.8, 1.7]] }
-- output { [[0.6, 0.66, 0.22000000000000003, 0.8800000000000001, 1.3], [0.2, 0.34, 1.7, 0.1973650108760763, 0.5], [2.0, 5.779999999999999, 0.3894183423086505, 4.912999999999999, 1.156], [0.2980039961925918, 0.6000000000000001, 1.7, 2.55, 1.5], [0.19866933079506122, 0.2980039961925918, 1.5, 2.25, 0.7]]
--          [[0.8600000000000002, 2.0, 1.32, 0.0, 1.6], [9.081317285129428, 0.0, 4.062, 0.0, 0.3], [6.4239999999999995, 0.0, 1.768000000000001, 0.0, 0.0], [-1.0617426958020195, 0.0, 0.75, 0.0, 2.0473386615901226], [0.0, 0.0, 2.0, 0.0, 1.7]] }
entry mixture (a: [5][5]f64) (seed: [5][5]f64) = vjp2 mixed a seed

-- Places that a loop inside changes: it has no derivative, but what it has overwritten is put back. (By dual numbers.)
-- ==
-- entry: places
-- input { [0.9, 0.2, 0.7, 0.4, 0.5] } output { 1.473719675011914 [1.8647623454052495, 1.7068918333772507, 0.2243404514665226, 0.6136010473465435, 0.0] }
entry places [n] (xs: [n]f64): (f64, [n]f64) =
  let f (xs: [n]f64) =
    (loop (y, is) = (1, iota n) for k < n do
       let y = y * f64.sin xs[is[(k + 1) % n]] + xs[is[k]]
       let is = loop is for j < 2 do is with [(j + 2 * k) % n] = (is[(j + k) % n] + is[j] + k) % n
       in (y, is)).0
  in vjp2 f xs 1

-- A trip fails before it comes to its slice, which fails, too: what is counted for the tape must not say so first.
-- ==
-- entry: failing
-- input { 2i64 -1i64 [1.0, 2.0, 3.0, 4.0] } error: Range 0..1..<-1 is invalid
-- input { 2i64 1i64 [1.0, 2.0, 3.0, 4.0] } error: cannot match
-- input { 9i64 9i64 [1.0, 2.0, 3.0, 4.0] } error: cannot match
entry failing [n] (h: i64) (c: i64) (xs: [n]f64) : (f64, [n]f64) =
  let f xs =
    let a =
      loop a = copy xs for i < 2 do
        let v = map (\k -> a[0] * a[0] * f64.i64 k) (iota (c + i))
        in a with [i:h * i] = v
    in f64.sum a
  in vjp2 f xs 1

-- Slices beyond the end, of more elements than there are: no room is made for them.
-- ==
-- entry: beyond
-- input { 3i64 [1.0, 2.0, 3.0, 4.0] } output { 16.0 [0.0, 0.0, 0.0, 8.0] }
-- input { 5i64 [1.0, 2.0, 3.0, 4.0] } error: out of bounds
entry beyond [n] (k: i64) (xs: [n]f64) : (f64, [n]f64) =
  let f (xs: [n]f64) =
    let a = loop a = copy xs for i < 1 do let x = a[3] * a[3] in a with [i:k + i] = replicate (k + i - i) x
    in a[0]
  in vjp2 f xs 1

-- An inner loop whose results have no derivative (a comparison reads them) changes indices that the branch before it reads, so that they are put back. By dual numbers in Python.
-- ==
-- entry: compared
-- input { 5i64 [1i64, 2i64, 1i64] [2.0, 3.0, 5.0] } output { 2432.0 [4880.0, 0.0, 1360.0] }
-- input { 5i64 [0i64, 1i64, 1i64] [0.5, 0.25, 1.0] } output { 4.078125 [0.0, 0.6875, 12.3125] }
entry compared (n: i64) (is: [3]i64) (ws: [3]f64) : (f64, [3]f64) =
  let f (ws: [3]f64) =
    (loop (ks, x) = (replicate 20 0i64, 1f64) for i < n do
       let y = if i % 3 > 0 then let k = ks[i % 20] in x * ws[k] * ws[k] else x
       let (ks, w) =
         loop (ks, w) = (ks, x) for j < 3 do
           let k = (ks[(i + j) % 20] + is[j]) % 3
           in (ks with [(i + j) % 20] = k, w + ws[k])
       let z = if w > 20 then y else y + ws[ks[(i + 1) % 20]]
       in (ks, z)).1
  in vjp2 f ws 1
