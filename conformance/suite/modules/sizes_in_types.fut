-- Expressions in the sizes of types that are written down by themselves: of abbreviations, and of the values that a module type asks for. The type checker
-- of 0.25.32 accepts all of it; results by hand.
type half [n] = [n / 2]i32
type rest [n] = [n % 3]i32
def ones (n: i64) : rest [n] = replicate (n % 3) 1
def twice (n: i64) (xs: rest [n]) : rest [n] = map (* 2) xs

-- ==
-- entry: abbreviated
-- input { 5i64 [7, 8] } output { [2, 2] [14, 16] }
-- input { 6i64 empty([0]i32) } output { empty([0]i32) empty([0]i32) }
-- input { 5i64 [7] } error: cannot match shape
entry abbreviated (n: i64) (xs: rest [n]) = (twice n (ones n), twice n xs)

-- The number of another type is written beside.
-- ==
-- entry: beside
-- input { 1.5f32 4i64 [7] } output { 4f32 [7] }
entry beside (a: f32) (n: i64) (xs: rest [n]) = ((2 * a) + 1, xs)

module scaled (P: { val by: (n: i64) -> [n % 3]i32 -> f32 -> i32 }) = {
  def all (k: i64) xs (a: f32) = (\ys -> P.by (k + 1) ys (a + 1)) xs
  def same (k: i64) = P.by k (replicate (k % 3) 2) 0
}
module sum = { def by (n: i64) (xs: [n % 3]i32) (a: f32) = reduce (+) 0 xs + i32.f32 a + i32.i64 n }
module sum_scaled = scaled sum

-- 1 + 2 + 3 + 5, and 2 + 2 + 5.
-- ==
-- entry: of_argument
-- input { 4i64 [1, 2] 2f32 } output { 11 9 }
entry of_argument (k: i64) (xs: [(k + 1) % 3]i32) (a: f32) = (sum_scaled.all k xs a, sum_scaled.same 5)

module grown (P: { val f: (n: i64) -> [n % 3]i32 -> [n % 3]i32 }) = { def twice (k: i64) xs = P.f k (P.f k xs) }
module grown_by_one = grown { def f (n: i64) (xs: [n % 3]i32) = map (+ 1) xs }
-- ==
-- entry: of_result
-- input { 5i64 [1, 2] } output { [3, 4] }
entry of_result (k: i64) (xs: [k % 3]i32) = grown_by_one.twice k xs
