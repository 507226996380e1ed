-- Digest 001 §2.5, item 3: the transformation was over-eager in finding what belongs to a branch: it took values computed before the conditional,
-- and used after it too, into the branch. Their adjoints come from both places.

-- s = x^2; t = s x if x > 1, else s - x; s + t. At 2: 4 + 8, 2 x + 3 x^2 = 16. At 0.5: 0.25 - 0.25, 4 x - 1 = 1.
-- ==
-- entry: scalar
-- input { 2.0 } output { 12.0 16.0 }
-- input { 0.5 } output { 0.0 1.0 }
entry scalar (x: f64): (f64, f64) =
  vjp2 (\x -> let s = x * x
              let t = if x > 1.0 then s * x else s - x
              in s + t) x 1.0

-- S = sum x^2; T = sum x^3 if the sum is above 1, else S; S T.
-- [1, 2]: S = 5, T = 9, 45; T 2 x + S 3 x^2 = 9 [2, 4] + 5 [3, 12] = [33, 96].
-- [-1, 1.5]: S = T = 3.25, 10.5625; 4 S x = 13 x = [-13, 19.5].
-- ==
-- entry: array
-- input { [1.0, 2.0] }  output { 45.0 [33.0, 96.0] }
-- input { [-1.0, 1.5] } output { 10.5625 [-13.0, 19.5] }
entry array [n] (xs: [n]f64): (f64, [n]f64) =
  vjp2 (\xs -> let squares = map (\x -> x * x) xs
               let t = if f64.sum xs > 1.0 then f64.sum (map2 (*) squares xs) else f64.sum squares
               in t * f64.sum squares) xs 1.0
