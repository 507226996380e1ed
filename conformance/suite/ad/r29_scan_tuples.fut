-- R29 (digest 002, 5.2, beyond the paper): scans of tuples, with components of different types, and operators that do not commute.

-- Linear recurrences: (a, b) is y -> a y + b, and the prefixes their compositions. Of a = [2, 3, 4], b = [1, 5, 6]: products [2, 6, 24],
-- and u = [1, 1 * 3 + 5, 8 * 4 + 6]. With the adjoints [1, 10, 100] of u, those of the recurrence: 100; 10 + 4 * 100 = 410; 1 + 3 * 410 =
-- 1231; by b these, by a: 0, u0 410, u1 100. With ones for the products as well, by a 1 + 3 + 12, 2 + 8, 6 more.
-- ==
-- entry: recurrence
-- input { [2.0, 3.0, 4.0] [1.0, 5.0, 6.0] [0.0, 0.0, 0.0] [1.0, 10.0, 100.0] }
-- output { [2.0, 6.0, 24.0] [1.0, 8.0, 38.0] [0.0, 410.0, 800.0] [1231.0, 410.0, 100.0] }
-- input { [2.0, 3.0, 4.0] [1.0, 5.0, 6.0] [1.0, 1.0, 1.0] [1.0, 10.0, 100.0] }
-- output { [2.0, 6.0, 24.0] [1.0, 8.0, 38.0] [16.0, 420.0, 806.0] [1231.0, 410.0, 100.0] }
-- input { empty([0]f64) empty([0]f64) empty([0]f64) empty([0]f64) } output { empty([0]f64) empty([0]f64) empty([0]f64) empty([0]f64) }
def compose (a, b) (c, d) = (a * c, b * c + d: f64)

entry recurrence [n] (as: [n]f64) (bs: [n]f64) (a_bar: [n]f64) (b_bar: [n]f64): ([n]f64, [n]f64, [n]f64, [n]f64) =
  let ((x, y), (as', bs')) = vjp2 (\(as, bs) -> unzip (scan compose (1, 0) (zip as bs))) (as, bs) (a_bar, b_bar)
  in (x, y, as', bs')

-- The same where the factors are of single precision.
-- ==
-- entry: precisions
-- input { [2.0f32, 3.0f32, 4.0f32] [1.0, 5.0, 6.0] [1.0f32, 1.0f32, 1.0f32] [1.0, 10.0, 100.0] }
-- output { [2.0f32, 6.0f32, 24.0f32] [1.0, 8.0, 38.0] [16.0f32, 420.0f32, 806.0f32] [1231.0, 410.0, 100.0] }
entry precisions [n] (as: [n]f32) (bs: [n]f64) (a_bar: [n]f32) (b_bar: [n]f64): ([n]f32, [n]f64, [n]f32, [n]f64) =
  let op (a, b) (c, d) = (a * c, b * f64.f32 c + d)
  let ((x, y), (as', bs')) = vjp2 (\(as, bs) -> unzip (scan op (1, 0) (zip as bs))) (as, bs) (a_bar, b_bar)
  in (x, y, as', bs')

-- Where the factors are powers of two, by integers: 2^[1, 2, 0], [1, 2, 3]: [1, 1 * 4 + 2, 6 + 3]; by b 1 + 40 + 400, 10 + 100, 100.
-- ==
-- entry: integers
-- input { [1i64, 2i64, 0i64] [1.0, 2.0, 3.0] [1.0, 10.0, 100.0] } output { [1i64, 3i64, 3i64] [1.0, 6.0, 9.0] [441.0, 110.0, 100.0] }
entry integers [n] (ks: [n]i64) (bs: [n]f64) (b_bar: [n]f64): ([n]i64, [n]f64, [n]f64) =
  let op (k, b) (l, d) = (k + l, b * f64.i64 (1 << l) + d)
  let f bs = unzip (scan op (0, 0) (zip ks bs))
  let ((k, y), bs') = vjp2 f bs (map (const 0) ks, b_bar)
  in (k, y, bs')

-- A segmented scan, by booleans: products of [2, 3], [4, 5]; with [1, 10, 100, 1000]: 1 + 3 * 10, 2 * 10, 100 + 5 * 1000, 4 * 1000.
-- ==
-- entry: segments
-- input { [true, false, true, false] [2.0, 3.0, 4.0, 5.0] [1.0, 10.0, 100.0, 1000.0] }
-- output { [2.0, 6.0, 4.0, 20.0] [31.0, 20.0, 5100.0, 4000.0] }
-- input { [false, false, true, true] [2.0, 3.0, 4.0, 5.0] [1.0, 10.0, 100.0, 1000.0] }
-- output { [2.0, 6.0, 4.0, 5.0] [31.0, 20.0, 100.0, 1000.0] }
entry segments [n] (flags: [n]bool) (xs: [n]f64) (adj: [n]f64): ([n]f64, [n]f64) =
  let op (f, x) (g, y) = (f || g, if g then y else x * y)
  in vjp2 (\xs -> (unzip (scan op (false, 1) (zip flags xs))).1) xs adj

-- Products of 2x2 matrices. Expected: central differences over fractions in Python, which are exact, as each element occurs at most once in
-- a product.
-- ==
-- entry: matrices
-- input { [[1.0, 2.0, 3.0, 4.0], [0.0, 1.0, 2.0, -1.0], [2.0, 1.0, 1.0, 3.0]]
--         [[1.0, 10.0, 100.0, 1000.0], [2.0, 3.0, 5.0, 7.0], [-1.0, 1.0, 4.0, 6.0]] }
-- output { [[1.0, 2.0, 3.0, 4.0], [4.0, -1.0, 8.0, -1.0], [7.0, 1.0, 15.0, 5.0]]
--          [[6.0, 7.0, 129.0, 1009.0], [58.0, 92.0, 78.0, 126.0], [28.0, 52.0, -3.0, -7.0]] }
entry matrices [n] (ms: [n][4]f64) (adj: [n][4]f64): ([n][4]f64, [n][4]f64) =
  let times (a, b, c, d) (e, f, g, h) = (a * e + b * g, a * f + b * h, c * e + d * g, c * f + d * h)
  let f [n] (ms: [n][4]f64): [n][4]f64 =
    map (\(a, b, c, d) -> [a, b, c, d]) (scan times (1, 0, 0, 1) (map (\m -> (m[0], m[1], m[2], m[3])) ms))
  in vjp2 f ms adj

-- A free variable k in the operator: (b, l) (d, m) is (b k^m + d, l + m). With [1, 2, 3] and l = [0, 2, 1]: [1, k^2 + 2, (k^2 + 2) k + 3];
-- at k = 0.5 the sum's derivatives are 2 k + 3 k^2 + 2 = 3.75 by k, 1 + k^2 + k^3 = 1.375, 1 + k = 1.5, 1.
-- ==
-- entry: free
-- input { 0.5 [1.0, 2.0, 3.0] [0i64, 2i64, 1i64] } output { [1.0, 2.25, 4.125] 3.75 [1.375, 1.5, 1.0] }
entry free [n] (k: f64) (bs: [n]f64) (ls: [n]i64): ([n]f64, f64, [n]f64) =
  let f (k, bs) = (unzip (scan (\(b, l) (d, m) -> ((loop p = 1 for _i < m do p * k) * b + d, l + m)) (0, 0) (zip bs ls))).0
  let (y, (k', bs')) = vjp2 f (k, bs) (replicate n 1)
  in (y, k', bs')
