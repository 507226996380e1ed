-- R16 (digest 002, 5.3): updates in place in branches. Expected values by hand.

-- xs[1] := xs[0] xs[1], or xs[0] := 5, or nothing; then the sum of squares. At [2, 3, 4] with the squares' adjoints 2 y:
-- k = 0: [2, 6, 4], s = 56; x0: 4 + 12 * 3, x1: 12 * 2, x2: 8. k = 1: [5, 3, 4], s = 50: 0, 6, 8. Else s = 29: 4, 6, 8.
-- ==
-- entry: main
-- input { 0i64 [2.0, 3.0, 4.0] } output { 56.0 [40.0, 24.0, 8.0] }
-- input { 1i64 [2.0, 3.0, 4.0] } output { 50.0 [0.0, 6.0, 8.0] }
-- input { 2i64 [2.0, 3.0, 4.0] } output { 29.0 [4.0, 6.0, 8.0] }
entry main (k: i64) (xs: [3]f64): (f64, [3]f64) =
  let f xs =
    let ys = copy xs
    let ys = if k == 0 then let y = ys[0] * ys[1] in ys with [1] = y
             else if k == 1 then ys with [0] = 5
             else ys
    in f64.sum (map (\y -> y * y) ys)
  in vjp2 f xs 1

-- In a loop: where an element is less than its predecessor it is replaced by their product. [2, 3, 1, 4]: 2 < 3, 1 becomes 3, 4 stays: sum
-- 2 + 3 + 3 + 4; c gives b c: 1, 1 + c = 2, b = 3, 1. [5, 2, 3, 1]: 2 becomes 10, 3 becomes 30, 1 becomes 30: a + ab + abc + abcd by a: 1 +
-- 2 + 6 + 6; by b: 5 + 15 + 15; by c: 10 + 10; by d: 30.
-- ==
-- entry: in_loop
-- input { [2.0, 3.0, 1.0, 4.0] } output { 12.0 [1.0, 2.0, 3.0, 1.0] }
-- input { [5.0, 2.0, 3.0, 1.0] } output { 75.0 [15.0, 35.0, 20.0, 30.0] }
entry in_loop [n] (xs: [n]f64): (f64, [n]f64) =
  vjp2 (\xs -> f64.sum (loop xs = copy xs for i in 1..<n do if xs[i] < xs[i - 1] then xs with [i] = xs[i] * xs[i - 1] else xs)) xs 1

-- In a map, of a row of each element: row r updated at the column ks[r] if there is one, by the square of what is there.
-- ==
-- entry: in_map
-- input { [[2.0, 3.0], [4.0, 5.0], [6.0, 7.0]] [1i64, -1i64, 0i64] }
-- output { [[2.0, 9.0], [4.0, 5.0], [36.0, 7.0]] [[1.0, 6.0], [1.0, 1.0], [12.0, 1.0]] }
entry in_map [n] [m] (xs: [n][m]f64) (ks: [n]i64): ([n][m]f64, [n][m]f64) =
  vjp2 (\xs -> map2 (\row k -> let row = copy row in if k >= 0 then row with [k] = row[k] * row[k] else row) xs ks)
       xs (replicate n (replicate m 1))

-- A scatter in a branch, and in the other one an update of what is written elsewhere: [a, b, c] with [v, w] at [0, 2], or with b v at 1.
-- Adjoints [1, 10, 100].
-- ==
-- entry: scattered
-- input { true [2.0, 3.0, 4.0] [5.0, 6.0] }  output { [5.0, 3.0, 6.0] [0.0, 10.0, 0.0] [1.0, 100.0] }
-- input { false [2.0, 3.0, 4.0] [5.0, 6.0] } output { [2.0, 15.0, 4.0] [1.0, 50.0, 100.0] [30.0, 0.0] }
entry scattered (b: bool) (xs: [3]f64) (vs: [2]f64): ([3]f64, [3]f64, [2]f64) =
  let f (xs: [3]f64, vs: [2]f64): [3]f64 =
    let ys = copy xs
    in if b then scatter ys [0, 2] vs else ys with [1] = ys[1] * vs[0]
  let (y, (xs', vs')) = vjp2 f (xs, vs) [1, 10, 100]
  in (y, xs', vs')
