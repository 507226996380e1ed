-- Digest 001, end of §2.4: values at which rules of differentiation go wrong, and its examples with the numbers of their sections; what is there of no elements,
-- and the errors, by hand.
import "lib/accelerate"

def gradient [n] (f: [n]f64 -> f64) (a: [n]f64) : (f64, [n]f64) = vjp2 f a 1

-- A rule that divides would make NaN of a factor 0.
-- ==
-- entry: product_of
-- input { [2.0, 0.0, 3.0] } output { 0.0 [0.0, 6.0, 0.0] }
-- input { [2.0, 0.0, 0.0, 3.0] } output { 0.0 [0.0, 0.0, 0.0, 0.0] }
entry product_of [n] (a: [n]f64) : (f64, [n]f64) = gradient (fold (*) 1) a

-- The start is larger.
-- ==
-- entry: largest_or_3
-- input { [1.0, 2.0, 2.5] } output { 3.0 [0.0, 0.0, 0.0] }
entry largest_or_3 [n] (a: [n]f64) : (f64, [n]f64) = gradient (fold f64.max 3) a

-- ==
-- entry: shorter
-- input { [1.0, 2.0, 3.0] [4.0, 5.0] } output { 14.0 [4.0, 5.0, 0.0] [1.0, 2.0] }
entry shorter [n][m] (a: [n]f64) (b: [m]f64) : (f64, [n]f64, [m]f64) =
  let (y, (a', b')) = vjp2 (\(a, b) -> sum (zipWith (*) a b)) (a, b) 1
  in (y, a', b')

-- 3 x² + 2 x.
-- ==
-- entry: section_3_3_1
-- input { [1.25, -2.25, 0.75, 3.25, -0.75, 2.2] } output { 58.691125 [7.1875, 10.6875, 3.1875, 38.1875, 0.1875, 18.92] }
-- input { empty([0]f64) } output { 0.0 empty([0]f64) }
entry section_3_3_1 [n] (a: [n]f64) : (f64, [n]f64) =
  gradient (\a -> sum (zipWith (*) (map (\x -> x * x) a) (map (+ 1) a))) a

-- 1 and the number of elements that are rounded to this index.
-- ==
-- entry: section_3_3_2
-- input { [0.25, 2.0, 1.25, 0.0] } output { 7.25 [3.0, 2.0, 2.0, 1.0] }
-- input { [7.0] } error: out of bounds
entry section_3_3_2 [n] (a: [n]f64) : (f64, [n]f64) =
  gradient (\a -> sum (map (\x -> x + a[i64.f64 (f64.round x)]) a)) a

-- ==
-- entry: section_3_4_3
-- input { [0.4, 0.7, 0.1, 1.0] } output { 12.51 [7.2, 4.5, 9.9, 18.0] }
-- input { empty([0]f64) } output { 0.0 empty([0]f64) }
entry section_3_4_3 [n] (a: [n]f64) : (f64, [n]f64) =
  gradient (\a -> let b = map (* 3) a in sum (map (\x -> x * b[i64.f64 (f64.round x)]) b)) a

-- Its example of a conditional: -1 + 2 + 3 + 4 + 5, and twice the sum of 1 to 7. There may be less than five elements.
-- ==
-- entry: conditional
-- input { [-1.0, 2.0, 3.0, 4.0, 5.0, 6.0, 7.0] } output { 13.0 [1.0, 1.0, 1.0, 1.0, 1.0, 0.0, 0.0] }
-- input { [1.0, 2.0, 3.0, 4.0, 5.0, 6.0, 7.0] } output { 56.0 [2.0, 2.0, 2.0, 2.0, 2.0, 2.0, 2.0] }
-- input { [-1.0] } error: out of bounds
-- input { empty([0]f64) } error: out of bounds
entry conditional [n] (a: [n]f64) : (f64, [n]f64) =
  gradient (\(a: [n]f64) -> sum (if a[0] < 0 then backpermute 5 id a else map (* 2) a)) a

-- Digest 001, A33: the second derivatives of section_3_3_1 are 6 x + 2 on the diagonal. 6 * 1.25 + 2 = 9.5.
-- ==
-- entry: second_derivative
-- input { [1.25, -2.25, 0.75, 3.25, -0.75, 2.2] } output { [9.5, -11.5, 6.5, 21.5, -2.5, 15.2] }
entry second_derivative [n] (a: [n]f64) : [n]f64 =
  jvp (\a -> (gradient (\a -> sum (zipWith (*) (map (\x -> x * x) a) (map (+ 1) a))) a).1) a (replicate n 1)
