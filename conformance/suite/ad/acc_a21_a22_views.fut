-- A21, A22 (digest 001, 5.2; 2.4): reshaped, replicated, sliced and gathered arrays; an element that is read repeatedly. Expected: the
-- digest's golden values for its input a. Each entry point gives the value, the gradient in reverse mode, and the same from forward mode.

def both [n] (f: [n]f64 -> f64) (a: [n]f64) : (f64, [n]f64, [n]f64) =
  let unit i = map (\j -> f64.bool (i == j)) (iota n)
  let (y, gradient) = vjp2 f a 1
  in (y, gradient, map (jvp f a) (map unit (iota n)))

def squares = map (\x : f64 -> x * x + x)

-- A21, reshape_1 and reshape_2.
-- ==
-- entry: product_of_sums
-- input { [1.25, -2.25, 0.75, 3.25, -0.75, 2.2] } output { -1.175 [4.7, 4.7, 4.7, -0.25, -0.25, -0.25] [4.7, 4.7, 4.7, -0.25, -0.25, -0.25] }
entry product_of_sums (a: [6]f64) =
  both (\(a: [6]f64) -> f64.product (map f64.sum (unflatten (a :> [2 * 3]f64))))
       a

-- ==
-- entry: sum_of_products
-- input { [1.25, -2.25, 0.75, 3.25, -0.75, 2.2] } output { 4.45 [1.0, 1.0, 1.0, 1.0, 1.0, 1.0] [1.0, 1.0, 1.0, 1.0, 1.0, 1.0] }
entry sum_of_products (a: [6]f64) =
  both (\(a: [6]f64) ->
          f64.sum (map f64.product
                       (unflatten (flatten (unflatten (a :> [2 * 3]f64))
                                   :> [6 * 1]f64))))
       a

-- A21, replicate_1, 3, 4: one dimension more, two more between. The first with all digits, by Python.
-- ==
-- entry: repeated_elements
-- input { [1.25, -2.25, 0.75, 3.25, -0.75, 2.2] }
-- output { -189291275.02441406 [-235562475.5859375, 235562475.5859375, -360554809.5703125, -102782592.7734375, -504776733.3984375, -145195012.0925903]
--   [-235562475.5859375, 235562475.5859375, -360554809.5703125, -102782592.7734375, -504776733.3984375, -145195012.0925903] }
entry repeated_elements [n] (a: [n]f64) =
  both (\a ->
          f64.product (map (\x -> f64.sum (map (* 2) (replicate 5 x)))
                           (squares a)))
       a

-- ==
-- entry: inner_dimensions outer_dimensions
-- input { [1.25, -2.25, 0.75, 3.25, -0.75, 2.2] }
-- output { 1656.15 [210.0, -210.0, 150.0, 450.0, -30.0, 324.0] [210.0, -210.0, 150.0, 450.0, -30.0, 324.0] }
entry inner_dimensions [n] (a: [n]f64) =
  let f a =
    let t =
      map (\row -> replicate 5 (map (replicate 3) row))
          (map squares (map (replicate 2) a))
    in f64.sum (map (* 2) (flatten (map flatten (map (map flatten) t))))
  in both f a

entry outer_dimensions [n] (a: [n]f64) =
  let f a =
    let t = replicate 5 (map (replicate 3) (map squares (map (replicate 2) a)))
    in f64.sum (map (* 2) (flatten (map flatten (map (map flatten) t))))
  in both f a

-- A21, slice_1 and slice_2, a row out of replicated and of gathered ones.
-- ==
-- entry: slice_of_copies
-- input { [1.25, -2.25, 0.75, 3.25, -0.75, 2.2] } output { 4.45 [1.0, 1.0, 1.0, 1.0, 1.0, 1.0] [1.0, 1.0, 1.0, 1.0, 1.0, 1.0] }
-- input { empty([0]f64) } output { 0.0 empty([0]f64) empty([0]f64) }
entry slice_of_copies [n] (a: [n]f64) =
  let m = n / 4 + 3
  in both (\a -> let t = replicate m (replicate m a) in f64.sum t[2, 1]) a

-- ==
-- entry: slice_of_gathered
-- input { 7i64 3i64 [1.25, -2.25, 0.75, 3.25, -0.75, 2.2] } output { 3.7 [1.0, 1.0, 1.0, 1.0, 2.0, 1.0] [1.0, 1.0, 1.0, 1.0, 2.0, 1.0] }
entry slice_of_gathered [n] (p: i64) (q: i64) (a: [n]f64) =
  both (\a ->
          let t = tabulate_3d n n (n + 1) (\i j k -> a[(i + j + k) % n])
          in f64.sum t[p % n, q % n])
       a

-- A22, backpermute_1: each element has as many contributions as places that it is read at.
-- ==
-- entry: repeated_sources
-- input { 5i64 [1.25, -2.25, 0.75, 3.25, -0.75, 2.2] } output { 38.1 [8.0, 8.0, 8.0, 9.0, 9.0, 8.0] [8.0, 8.0, 8.0, 9.0, 9.0, 8.0] }
-- input { 0i64 [1.25, -2.25, 0.75, 3.25, -0.75, 2.2] } output { 0.0 [0.0, 0.0, 0.0, 0.0, 0.0, 0.0] [0.0, 0.0, 0.0, 0.0, 0.0, 0.0] }
entry repeated_sources [n] (m: i64) (a: [n]f64) =
  both (\a ->
          f64.sum (flatten (tabulate_2d m (2 * m) (\i j -> a[(i + j) % n]))))
       a

-- A22, backpermute_2: twice.
-- ==
-- entry: repeated_twice
-- input { 5i64 [1.25, -2.25, 0.75, 3.25, -0.75, 2.2] } output { 22.25 [5.0, 5.0, 5.0, 5.0, 5.0, 5.0] [5.0, 5.0, 5.0, 5.0, 5.0, 5.0] }
entry repeated_twice [n] (m: i64) (a: [n]f64) =
  let f a =
    let c = map f64.sum (tabulate_2d m (2 * m) (\i j -> a[(i + j) % n]))
    let d = tabulate_3d 2 3 m (\_ i j -> c[i64.min (m - 1) (i * j)])
    in f64.sum (map (/ 2) (flatten d[:,:, 2]))
  in both f a
