-- Loops inside of nests that replace parts of arrays, with rounds that differ from point to point. What is expected is what the reference compiler (0.25.32) gives.

-- An element a round, until the sum says; all are read in each.
-- ==
-- entry: elements
-- input { 40i64 [0i64, 1i64, 2i64, 3i64, 10i64] } output { [193i64, 819i64, 2452i64, 2455i64, 7843i64] }
-- input { 40i64 empty([0]i64) } output { empty([0]i64) }
-- input { 1i64 [5i64, 3i64] } output { [0i64, 0i64] }
entry elements [n] (m: i64) (starts: [n]i64): [n]i64 =
  map (\s -> let (xs, _, _) = loop (xs, k, sum) = (replicate m s, 0, 0) while sum % 7 != 3 && k < 20 do
               let xs = xs with [k % m] = sum + k
               in (xs, k + 1, i64.sum (map (% 10) xs))
             in i64.sum (map2 (*) xs (indices xs))) starts

-- Of sizes of their own.
-- ==
-- entry: elements_of_own
-- input { [40i64, 1i64, 50i64, 3i64, 45i64] } output { [54740i64, 0i64, 84120i64, 5i64, 65470i64] }
-- input { empty([0]i64) } output { empty([0]i64) }
entry elements_of_own [n] (sizes: [n]i64): [n]i64 =
  map (\m -> let (xs, _, _) = loop (xs, k, sum) = (iota m, 0, 0) while sum % 7 != 3 && k < 20 do
               let xs = xs with [k % m] = sum + k
               in (xs, k + 1, i64.sum (map (% 10) xs))
             in i64.sum (map2 (*) xs (indices xs))) sizes

-- Rows of a matrix, as many as the point says; some points have no round.
-- ==
-- entry: rows
-- input { 35i64 [0i64, 1i64, 2i64, 3i64, 0i64] } output { [54740i64, 61285i64, 74375i64, 94010i64, 54740i64] }
-- input { 35i64 empty([0]i64) } output { empty([0]i64) }
entry rows [n] (m: i64) (rounds: [n]i64): [n]i64 =
  map (\r -> let xss = loop xss = replicate 4 (iota m) for k < r do
               let row = map2 (+) xss[k] (reverse xss[k + 1])
               in xss with [k + 1] = row
             in i64.sum (map (\xs -> i64.sum (map2 (*) xs (indices xs))) xss)) rounds

-- Writes at places that are no two the same, and two arrays that change places.
-- ==
-- entry: writes
-- input { 40i64 [0i64, 1i64, 2i64, 3i64, 17i64] } output { [4240i64, 4240i64, 4080i64, 3760i64, 2820i64] }
-- input { 40i64 empty([0]i64) } output { empty([0]i64) }
entry writes [n] (m: i64) (starts: [n]i64): [n]i64 =
  map (\s -> let (xs, ys, _) = loop (xs, ys, k) = (replicate m s, iota m, s) while k < 5 do
               let xs = scatter xs (map (\j -> (j * 3 + k) % m) (iota m)) (map (+ k) ys)
               in (ys, xs, k + 1 + xs[0] % 2)
             in i64.sum (map2 (\x y -> x * 3 + y) xs ys)) starts

-- What came from outside of the loop is read by it and after it.
-- ==
-- entry: copied
-- input { [[1i64, 2i64, 3i64], [4i64, 5i64, 6i64], [0i64, 0i64, 7i64]] } output { [[10i64, 3i64, 4i64], [22i64, 6i64, 7i64], [10i64, 19i64, 44i64]] [45i64, 195i64, 381i64] }
-- input { empty([0][3]i64) } output { empty([0][3]i64) empty([0]i64) }
entry copied [n][m] (xss: [n][m]i64): ([n][m]i64, [n]i64) =
  unzip (map (\xs -> let ys = map (+ 1) xs
                     let (zs, _) = loop (zs, k) = (copy ys, 0) while k < m && zs[k] % 3 != 0 do (zs with [k] = i64.sum zs + xs[k], k + 1)
                     in (zs, i64.sum (map2 (*) ys zs))) xss)

-- What a loop begins with is read behind it.
-- ==
-- entry: begun
-- input { 5i64 } output { [3024i64, 2096i64, 6072i64, 4168i64, 7120i64] }
entry begun (n: i64): [n]i64 =
  map (\i -> let a = map (+ i) [3, 1, 4, 1]
             let b = loop b = a for k < 3 do map (* (k + 2)) (rotate 1 b)
             in a[i % 4] * 1000 + b[i % 4]) (iota n)
