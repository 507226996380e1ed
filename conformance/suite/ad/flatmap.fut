-- Beyond the digests: `flatmap`, where each element becomes an array of a length of its own. Expected values by hand: an element's adjoint
-- is the sum of what became of it.

-- x times 0, .., k - 1, one after the other, with the adjoints 1, 2, ..: for k = [2, 0, 3] 0 * 1 + 1 * 2; none; 0 * 3 + 1 * 4 + 2 * 5.
-- ==
-- entry: multiples
-- input { [2i64, 0i64, 3i64] [5.0, 6.0, 7.0] } output { [0.0, 5.0, 0.0, 7.0, 14.0] [2.0, 0.0, 14.0] }
-- input { [0i64] [5.0] } output { empty([0]f64) [0.0] }
-- input { empty([0]i64) empty([0]f64) } output { empty([0]f64) empty([0]f64) }
def multiply [n] (ks: [n]i64) (xs: [n]f64): []f64 = (flatmap' (\(k, x) -> map (\i -> x * f64.i64 i) (iota k)) (zip ks xs)).3

def weighted (ys: []f64): f64 = f64.sum (map2 (\y i -> y * f64.i64 (i + 1)) ys (indices ys))

entry multiples [n] (ks: [n]i64) (xs: [n]f64): ([]f64, [n]f64) = (multiply ks xs, vjp (\xs -> weighted (multiply ks xs)) xs 1)

-- ==
-- entry: forward
-- input { [2i64, 0i64, 3i64] [5.0, 6.0, 7.0] [1.0, 10.0, 100.0] } output { 108.0 1402.0 }
entry forward [n] (ks: [n]i64) (xs: [n]f64) (xs': [n]f64): (f64, f64) = jvp2 (\xs -> weighted (multiply ks xs)) xs xs'

-- The other result of each, and a free variable a: arrays of k times a x^2, and a x. [1, 2] of x = [2, 3], a = 5: 20, 45, 45; 10, 15. The
-- sum of all by x: 2 a x k + a = 25, 65; by a: x^2 k + x = 6, 21.
-- ==
-- entry: free
-- input { 5.0 [1i64, 2i64] [2.0, 3.0] } output { 135.0 27.0 [25.0, 65.0] }
entry free [n] (a: f64) (ks: [n]i64) (xs: [n]f64): (f64, f64, [n]f64) =
  let f (a: f64, xs: [n]f64): f64 =
    let (_, _, _, data, rest) = flatmap (\(k, x) -> (replicate k (a * x * x), a * x)) (zip ks xs)
    in f64.sum data + f64.sum rest
  let (y, (a', xs')) = vjp2 f (a, xs) 1
  in (y, a', xs')

-- As long as the element says: those above 2 become themselves and their squares. [1, 3, 4]: 3, 9, 4, 16 with the adjoints 1, 2, 3, 4: 1 +
-- 2 * 6; 3 + 4 * 8.
-- ==
-- entry: chosen
-- input { [1.0, 3.0, 4.0] } output { 97.0 [0.0, 13.0, 35.0] }
entry chosen [n] (xs: [n]f64): (f64, [n]f64) =
  vjp2 (\xs -> weighted (flatmap' (\x -> if x > 2 then [x, x * x] else []) xs).3) xs 1

-- Second derivative of the sum of k x^3: 6 k x.
-- ==
-- entry: second
-- input { [2i64, 0i64, 1i64] [1.0, 2.0, 3.0] } output { [12.0, 0.0, 18.0] [12.0, 0.0, 18.0] }
entry second [n] (ks: [n]i64) (xs: [n]f64): ([n]f64, [n]f64) =
  let f xs = f64.sum (flatmap' (\(k, x) -> replicate k (x * x * x)) (zip ks xs)).3
  let gradient xs = vjp f xs 1
  in (vjp gradient xs (replicate n 1), jvp gradient xs (replicate n 1))
