-- Digest 004, appendix B, P1: a sum that halves an array until one element is left; its size is another one in each round.
-- One element is the sum already. Of nothing there is no element 0.
-- ==
-- input { [1, 2, 3, 4, 5, 6, 7, 8] } output { 36 }
-- input { [7] } output { 7 }
-- input { [2147483647, 1] } output { -2147483648 }
-- input { empty([0]i32) } error: out of bounds
def sum (xs: []i32) : i32 =
  let ys = loop (ys: []i32) = xs while length ys > 1 do
             let n = length ys / 2
             in map2 (+) (ys[0:n] :> [n]i32) (ys[n:2*n] :> [n]i32)
  in ys[0]

entry main (xs: []i32) : i32 = sum xs
