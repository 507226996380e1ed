-- L22 (digest 001): a map in a map over the same array: x + the sum of (y + x) for all y: (n + 1) x + s, in all (2 n + 1) s, the derivative
-- 2 n + 1 each.
-- ==
-- input { [1.0, 2.0, 3.0] } output { [10.0, 14.0, 18.0] [7.0, 7.0, 7.0] }
-- input { empty([0]f64) } output { empty([0]f64) empty([0]f64) }
entry main [n] (a: [n]f64): ([n]f64, [n]f64) = vjp2 (\a -> map (\x -> x + f64.sum (map (+ x) a)) a) a (replicate n 1)

-- With products: the sum of x y over all pairs is s^2, the derivative 2 s.
-- ==
-- entry: products
-- input { [1.0, 2.0, 3.0] } output { 36.0 [12.0, 12.0, 12.0] }
entry products [n] (a: [n]f64): (f64, [n]f64) = vjp2 (\a -> f64.sum (map (\x -> f64.sum (map (* x) a)) a)) a 1

-- L25: an array is what it was after a histogram of it, which it is multiplied by: bins [a + c, b] at [0, 1, 0]: (a + c) a + b b + (a + c)
-- c = (a + c)^2 + b^2.
-- ==
-- entry: reused
-- input { [1.0, 2.0, 3.0] } output { 20.0 [8.0, 4.0, 8.0] }
entry reused (xs: [3]f64): (f64, [3]f64) =
  let is = [0, 1, 0]
  in vjp2 (\xs -> let h = hist (+) 0 2 is xs in f64.sum (map2 (\i x -> h[i] * x) is xs)) xs 1
