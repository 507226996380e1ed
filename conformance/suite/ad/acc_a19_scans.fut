-- A19 (digest 001, 5.2): scans with (+), (*), and of linear recurrences. Expected values by hand: the value, the gradient in reverse mode,
-- and the same from forward mode.

def both [n] (f: [n]f64 -> f64) (a: [n]f64) : (f64, [n]f64, [n]f64) =
  let unit i = map (\j -> f64.bool (i == j)) (iota n)
  let (y, gradient) = vjp2 f a 1
  in (y, gradient, map (jvp f a) (map unit (iota n)))

-- The sum of the squares of the prefix sums 1, 2, 3: by each the sum of twice those from there on.
-- ==
-- entry: sums
-- input { [1.0, 1.0, 1.0] } output { 14.0 [12.0, 10.0, 6.0] [12.0, 10.0, 6.0] }
-- input { empty([0]f64) } output { 0.0 empty([0]f64) empty([0]f64) }
entry sums [n] (a: [n]f64) =
  both (\a -> f64.sum (map (\x -> x * x) (scan (+) 0 a))) a

-- Of the prefix products 2, 0, 0 the weights are 1, 10, 100: 2 + 0; by 2: 1, by 0: 10 * 2 + 100 * 2 * 3, by 3: 0.
-- ==
-- entry: products
-- input { [2.0, 0.0, 3.0] } output { 2.0 [1.0, 620.0, 0.0] [1.0, 620.0, 0.0] }
entry products [n] (a: [n]f64) =
  both (\a ->
          f64.sum (map2 (*)
                        (map (10 **) (map f64.i64 (iota n)))
                        (scan (*) 1 a)))
       a

-- h := p h + q from 0, with (p, q) = (2, 1), (3, 4), (5, 6): 1, 7, 41. By p: 0, 1 * 5, 7; by q: 3 * 5, 5, 1.
-- ==
-- entry: recurrence
-- input { [2.0, 3.0, 5.0] [1.0, 4.0, 6.0] [0.0, 0.0, 1.0] } output { [1.0, 7.0, 41.0] [0.0, 5.0, 7.0] [15.0, 5.0, 1.0] }
entry recurrence [n]
                 (p: [n]f64)
                 (q: [n]f64)
                 (seed: [n]f64) : ([n]f64, [n]f64, [n]f64) =
  let f (p, q) =
    (unzip (scan (\(a, b) (c, d) -> (a * c, b * c + d)) (1, 0) (zip p q))).1
  let (h, (p', q')) = vjp2 f (p, q) seed
  in (h, p', q')

-- The same, from the columns of the Jacobian.
-- ==
-- entry: recurrence_forward
-- input { [2.0, 3.0, 5.0] [1.0, 4.0, 6.0] [0.0, 0.0, 1.0] } output { [0.0, 5.0, 7.0] [15.0, 5.0, 1.0] }
entry recurrence_forward [n]
                         (p: [n]f64)
                         (q: [n]f64)
                         (seed: [n]f64) : ([n]f64, [n]f64) =
  let f (p, q) =
    (unzip (scan (\(a, b) (c, d) -> (a * c, b * c + d)) (1, 0) (zip p q))).1
  let unit i = map (\j -> f64.bool (i == j)) (iota n)
  let dot xs ys = f64.sum (map2 (*) xs ys)
  in ( map (\i -> dot seed (jvp f (p, q) (unit i, replicate n 0))) (iota n)
     , map (\i -> dot seed (jvp f (p, q) (replicate n 0, unit i))) (iota n)
     )
