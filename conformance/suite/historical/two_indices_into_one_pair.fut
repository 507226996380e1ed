-- Digest 001 §2.5, item 7: of two index operations into the components of one pair, one contribution overwrote the other; only seen when fusion ran
-- before differentiation.
-- For [1, 2, 3]: as = [2, 4, 6], bs = [2, 3, 4]; sum of as[i] bs[2 - i] = 8 + 12 + 12 = 32. The gradient is 2 bs reversed + as reversed:
-- [8, 6, 4] + [6, 4, 2].
-- ==
-- input { [1.0, 2.0, 3.0] } output { 32.0 [14.0, 10.0, 6.0] }
entry main [n] (xs: [n]f64): (f64, [n]f64) =
  vjp2 (\xs -> let pair = (map (\x -> 2.0 * x) xs, map (\x -> x + 1.0) xs)
               in f64.sum (map (\i -> pair.0[i] * pair.1[n - 1 - i]) (iota n))) xs 1.0
