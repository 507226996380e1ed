-- Points that groups run, what is parallel in each divided among the invocations of its group: where they have to wait for each other, and what each does by itself. Outputs: Futhark 0.25.32.

-- An array longer than those of groups that each invocation has for itself, changed where it is.
-- ==
-- entry: long_of_each
-- input { 2i64 40i64 5000i64 }
-- output { [348i64, 279i64] }
entry long_of_each (n: i64) (m: i64) (k: i64): [n]i64 =
  map (\i -> i64.sum (loop xs = iota m for r < 4 do
                        let a = loop a = replicate k (i + xs[r]) for j < 3 do a with [j] = 10 * j + a[j]
                        in map (\x -> (x + a[x % k]) % 17) (scan (+) 0 xs))) (iota n)

-- An array of each invocation that is turned round before it changes: the turned one is as it was.
-- ==
-- entry: turned_before
-- input { 2i64 40i64 }
-- output { [11761i64, 14854i64] }
entry turned_before (n: i64) (m: i64): [n]i64 =
  map (\i -> i64.sum (loop xs = iota m for r < 3 do
                        let a = loop a = replicate 5 (i + xs[r]) for j < 4 do a with [j] = 10 * j + a[j + 1]
                        let t = copy (reverse a)
                        let s = copy (rotate 2 a)
                        let b = loop a for j < 4 do a with [j + 1] = a[j] + 7
                        in map (\x -> (x + 100 * t[x % 5] + s[x % 4]) % 171 + b[x % 5]) (scan (+) 0 xs))) (iota n)

-- What all have made together, one behind the other in a longer array that each has for itself.
-- ==
-- entry: longer
-- input { 2i64 40i64 }
-- output { [488i64, 557i64] }
entry longer (n: i64) (m: i64): [n]i64 =
  map (\i -> i64.sum (loop xs = map (+ i) (iota m) for r < 3 do
                        let ys = map (\x -> x * x % 17 + r) xs
                        let zs = concat ys [r, i]
                        in map (\x -> zs[x % (m + 2)] + x) ys)) (iota n)

-- A loop that changes one array that all have made together and one that each has for itself.
-- ==
-- entry: both_changed
-- input { 2i64 40i64 }
-- output { [485i64, 248i64] }
entry both_changed (n: i64) (m: i64): [n]i64 =
  map (\i -> i64.sum (loop xs = iota m for r < 3 do
                        let xs = map (\x -> (x + i) * x % 19) xs
                        let ys = loop y = replicate 5 (i + r) for j < 4 do y with [j] = y[j + 1] + j
                        let (xs, ys) = loop (xs, ys) for j < 3 do
                          let x = xs[j + 4]
                          in (xs with [j] = xs[j] + ys[j + 1], ys with [j] = x)
                        in map (\x -> x + ys[x % 5]) xs)) (iota n)

-- Each sums up rows of a matrix that all have copied, an element each.
-- ==
-- entry: rows_of_copies
-- input { 2i64 40i64 }
-- output { [389i64, 343i64] }
entry rows_of_copies (n: i64) (m: i64): [n]i64 =
  let xss = tabulate_2d m 3 (\i j -> 10 * i + j)
  in map (\i -> (loop xss = copy xss for k < 4 do
                   let s = i64.sum (map (\row -> (row[0] + row[1] * row[2] + i) % 23) xss)
                   in xss with [k, 1] = s)[3, 1]) (iota n)

-- Copies of three dimensions.
-- ==
-- entry: blocks_of_copies
-- input { 2i64 40i64 }
-- output { [424i64, 506i64] }
entry blocks_of_copies (n: i64) (m: i64): [n]i64 =
  let xsss = tabulate_3d m 2 3 (\i j k -> 100 * i + 10 * j + k)
  in map (\i -> (loop xsss = copy xsss for k < 4 do
                   let s = i64.sum (map (\rows -> (rows[0, 0] + rows[1, 2] * rows[0, 2] + rows[1, 0] * i + rows[1, 1]) % 23) xsss)
                   in xsss with [k, 1, 1] = s)[3, 1, 1]) (iota n)

-- Rounds in rounds: the next one begins where others still read what the one before has made.
-- ==
-- entry: one_after_the_other
-- input { 2i64 40i64 }
-- output { [1180i64, 1180i64] }
entry one_after_the_other (n: i64) (m: i64): [n]i64 =
  map (\i -> i64.sum (loop xs = iota m for r < 3 do
                        let ys = loop ys = map (+ i) xs for k < 3 do map (\y -> (y * k + r) % 100) ys
                        in map (\j -> ys[m - 1 - j] + j) (iota m))) (iota n)

-- Numbers that change places in rounds.
-- ==
-- entry: numbers_swapped
-- input { 2i64 40i64 }
-- output { [10480i64, 22361i64] }
entry numbers_swapped (n: i64) (m: i64): [n]i64 =
  map (\i -> let (a, b, xs) = loop (a, b, xs) = (i, 10, iota m) for k < 3 do (b, a, map (\x -> x * a + b + k) xs)
             in i64.sum xs + 1000 * a + b) (iota n)

-- An operator that reads what is combined at another place, too.
-- ==
-- entry: read_by_operators
-- input { 2i64 }
-- output { [1042i64, 1043i64] }
entry read_by_operators (n: i64): [n]i64 =
  map (\i -> loop s = i for _k < 3 do
               let xs = map (\x -> (x + s) % 50 + 11) (iota 40)
               in reduce_comm (\a b -> i64.min (a + b) (xs[3] + 1000)) 0 xs) (iota n)
