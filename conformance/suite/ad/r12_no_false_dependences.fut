-- R12 (digest 002, 6.2): a loop nest that writes each element once and reads only what it has written: xs[i, j] = ass[i, j] xs[i - 1, j],
-- the paper's example with a product for its sum, so that the derivative needs the values. Its annotation of a loop with only true
-- dependences changes no value. Columns are prefix products: [2, 3, 4] with the adjoint 1 each [16, 10, 6]; [1, 5, 2]: [1 + 5 + 10, 1 + 2,
-- 5].
-- ==
-- entry: plain annotated
-- input { [[2.0, 1.0], [3.0, 5.0], [4.0, 2.0]] } output { [[2.0, 1.0], [6.0, 5.0], [24.0, 10.0]] [[16.0, 16.0], [10.0, 3.0], [6.0, 5.0]] }
entry plain [n] [m] (ass: [n][m]f64): ([n][m]f64, [n][m]f64) =
  vjp2 (\ass -> loop xs = copy ass for i in 1..<n do loop xs for j < m do xs with [i, j] = ass[i, j] * xs[i - 1, j])
       ass (replicate n (replicate m 1))

entry annotated [n] [m] (ass: [n][m]f64): ([n][m]f64, [n][m]f64) =
  vjp2 (\ass -> #[true_dep] loop xs = copy ass for i in 1..<n do #[true_dep] loop xs for j < m do xs with [i, j] = ass[i, j] * xs[i - 1, j])
       ass (replicate n (replicate m 1))

-- The array is used before the nest as well: the sum of squares adds 2 x. [[2], [3]]: 4 + 9 + 2 + 6 = 21; 4 + 1 + 3, 6 + 2.
-- ==
-- entry: used_before
-- input { [[2.0], [3.0]] } output { 21.0 [[8.0], [8.0]] }
entry used_before [n] [m] (xs: [n][m]f64): (f64, [n][m]f64) =
  vjp2 (\xs -> let s = f64.sum (map (\x -> x * x) (flatten xs))
               let ys = loop ys = copy xs for i in 1..<n do loop ys for j < m do ys with [i, j] = ys[i, j] * ys[i - 1, j]
               in s + f64.sum (flatten ys)) xs 1

-- What is written depends on all elements, those too that will be lost: y0 = x . c, y1 = (y0, x1) . c. With c = [2, 3] and x = [1, 1]: y0 = 5, y1 = 2 * 5 + 3 = 13;
-- by x: y1 is 4 x0 + 9 x1, and so 2 + 10 * 4, 3 + 10 * 9.
-- ==
-- entry: reads_all
-- input { [1.0, 1.0] [2.0, 3.0] } output { [5.0, 13.0] [42.0, 93.0] }
entry reads_all [n] (xs: [n]f64) (cs: [n]f64): ([n]f64, [n]f64) =
  vjp2 (\xs -> loop xs = copy xs for i < n do xs with [i] = f64.sum (map2 (*) xs cs)) xs (map (10 **) (map f64.i64 (iota n)))

-- What is updated is not what goes to the next trip: only the last trip counts, and there z = x1^2, of which both elements are a multiple. Of (x0, x1) at (2, 3) with
-- adjoints 1: (x0 + x1) x1^2 is 45; x1^2 = 9, and 2 x0 x1 + 3 x1^2 = 12 + 27.
-- ==
-- entry: last_is_other
-- input { [2.0, 3.0] } output { [18.0, 27.0] [9.0, 39.0] }
entry last_is_other [n] (xs: [n]f64): ([n]f64, [n]f64) =
  vjp2 (\xs -> loop ys = copy xs for i < n do let zs = ys with [i] = xs[i] * xs[i] in map (\x -> x * zs[i]) xs) xs (replicate n 1)

-- In one branch an element is read that a later trip writes, or that one before has written: y0 = x0, y1 = x1, then y2 = y1^2 and y3 = y0^2 (n = 4), where before
-- y2 = x2 and y3 = x3. With adjoints 1 at [2, 3, 5, 7]: x0 + x1 + x1^2 + x0^2 = 2 + 3 + 9 + 4; 1 + 2 x0, 1 + 2 x1, 0, 0.
-- ==
-- entry: branch_reads branch_reads_other
-- input { [2.0, 3.0, 5.0, 7.0] } output { [2.0, 3.0, 9.0, 4.0] [5.0, 7.0, 0.0, 0.0] }
entry branch_reads [n] (xs: [n]f64): ([n]f64, [n]f64) =
  vjp2 (\xs -> loop ys = copy xs for i < n do
                 let v = if i < 2 then xs[i] else ys[n - 1 - i] * ys[n - 1 - i]
                 in ys with [i] = v) xs (replicate n 1)

entry branch_reads_other [n] (xs: [n]f64): ([n]f64, [n]f64) =
  vjp2 (\xs -> loop ys = copy xs for i < n do
                 let v = if i >= 2 then ys[n - 1 - i] * ys[n - 1 - i] else xs[i]
                 in ys with [i] = v) xs (replicate n 1)
