-- What a function that calls itself is given is made by the device: 3 + 1 = 4 and 4 * 2 - 2 = 6; 3 * 6 + 1 * 7 + 2 * 8 + 5 * 9 = 86, less 4.
-- ==
-- entry: calls
-- input { [3i64, 1i64, 2i64, 5i64] } output { 82i64 }
def scaled [n] (xs: [n]i64) (k: i64): i64 = if n == 0 then 0 else xs[0] * k + scaled xs[1:] (k + 1)
entry calls [n] (xs: [n]i64): i64 =
  let k = xs[0] + xs[1]
  in scaled xs (k * xs[2] - 2) - k
