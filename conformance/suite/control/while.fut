-- Loops with a condition (language reference, "loop"). By hand; the same in 0.25.32.

-- 6, 3, 10, 5, 16, 8, 4, 2, 1.
-- ==
-- entry: collatz
-- input { 6 } output { 8 }
-- input { 1 } output { 0 }
entry collatz (n: i32) : i32 =
  (loop (x, steps) = (n, 0) while x != 1 do (if x % 2 == 0 then x / 2 else 3 * x + 1, steps + 1)).1

-- ==
-- entry: gcd
-- input { 12 18 } output { 6 }
-- input { 5 0 } output { 5 }
-- input { 0 0 } output { 0 }
entry gcd (a: i32) (b: i32) : i32 = (loop (a, b) while b != 0 do (b, a % b)).0

-- No turn at all.
-- ==
-- entry: never
-- input { [1, 2] } output { [1, 2] }
entry never (xs: []i32) : []i32 = loop ys = xs while length ys < 0 do ys ++ ys

-- The array doubles until it has ten elements.
-- ==
-- entry: grows
-- input { [1, 2, 3] } output { 12i64 24 }
-- input { [1, 2, 3, 4, 5, 6, 7, 8, 9, 10] } output { 10i64 55 }
entry grows (xs: []i32) : (i64, i32) =
  let ys = loop ys = xs while length ys < 10 do ys ++ ys
  in (length ys, i32.sum ys)

-- The condition reads an array that the loop carries.
-- ==
-- entry: sorted
-- input { [3, 1, 2] } output { [1, 2, 3] }
-- input { empty([0]i32) } output { empty([0]i32) }
-- input { [2147483647, -2147483648] } output { [-2147483648, 2147483647] }
entry sorted [n] (xs: [n]i32) : [n]i32 =
  let unsorted (ys: [n]i32) = any (\i -> ys[i] > ys[i + 1]) (iota (i64.max 0 (n - 1)))
  in loop ys = copy xs while unsorted ys do
       loop ys = ys for i < n - 1 do
         if ys[i] > ys[i + 1] then let (a, b) = (ys[i], ys[i + 1]) in (ys with [i] = b) with [i + 1] = a
         else ys

-- In each element of a map another number of turns.
-- ==
-- entry: in_map
-- input { [1, 5, 1000] } output { [1, 8, 1024] }
entry in_map (xs: []i32) : []i32 = map (\x -> loop p = 1 while p < x do p * 2) xs

-- Two loops, one in the other: the numbers below n that are prime.
-- ==
-- entry: primes
-- input { 20i64 } output { [2i64, 3i64, 5i64, 7i64, 11i64, 13i64, 17i64, 19i64] }
-- input { 0i64 } output { empty([0]i64) }
entry primes (n: i64) : []i64 =
  let is_prime p = (loop (d, found) = (2, p > 1) while found && d * d <= p do (d + 1, p % d != 0)).1
  in filter is_prime (iota n)

-- A record that is carried.
-- ==
-- entry: fibonacci
-- input { 10 } output { 55 }
-- input { 0 } output { 0 }
entry fibonacci (n: i32) : i32 =
  let r = loop r = {a = 0, b = 1, i = 0} while r.i < n do {a = r.b, b = r.a + r.b, i = r.i + 1}
  in r.a
