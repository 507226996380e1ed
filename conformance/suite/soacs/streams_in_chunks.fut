-- Functions of chunks that go through them by loops: on devices long arrays are cut into many chunks of one size and a last one. Expected values by hand;
-- 70001 elements are more than two for each of 32768 chunks.

-- The sum of i^2 for i < n: (n-1) n (2n-1) / 6.
-- ==
-- entry: squares
-- input { 0i64 } output { 0i64 }
-- input { 1i64 } output { 0i64 }
-- input { 7i64 } output { 91i64 }
-- input { 70001i64 } output { 114335783345000i64 }
entry squares (n: i64) : i64 =
  stream_red (+) (\c (chunk: [c]i64) -> loop s = 0 for x in chunk do s + x * x) (iota n)

-- How many runs of equal numbers there are in 0 0 0 1 1 1 2 2 2 ..: the number of threes, and a part of one. First, last and number of runs of a chunk, which
-- is combined with the next by whether they meet: that does not commute. (1 + 1 + 1; 70001 / 3 = 23333.67)
-- ==
-- entry: runs
-- input { 0i64 } output { 0i64 }
-- input { 1i64 } output { 1i64 }
-- input { 7i64 } output { 3i64 }
-- input { 70001i64 } output { 23334i64 }
entry runs (n: i64) : i64 =
  let combine (a, b, k) (c, d, l): (i64, i64, i64) =
    if k == 0 then (c, d, l) else if l == 0 then (a, b, k) else (a, d, k + l - i64.bool (b == c))
  let of_chunk c (chunk: [c]i64) =
    loop (a, b, k) = (0, 0, 0) for x in chunk do if k == 0 then (x, x, 1) else (a, x, k + i64.bool (x != b))
  in (stream_red combine of_chunk (map (/ 3) (iota n))).2

-- Each square from the one before, but the first of a chunk: (i+1)^2 = i^2 + 2i + 1. The chunk is written to.
-- ==
-- entry: in_place
-- input { 0i64 } output { empty([0]i64) }
-- input { 1i64 } output { [0i64] }
-- input { 5i64 } output { [0i64, 1i64, 4i64, 9i64, 16i64] }
def by_differences (n: i64) : [n]i64 =
  let of_chunk c (chunk: [c]i64) : [c]i64 =
    loop ys = copy chunk for i < c do
      ys with [i] = if i == 0 then chunk[0] * chunk[0] else ys[i - 1] + 2 * chunk[i - 1] + 1
  in stream_map of_chunk (iota n)
entry in_place (n: i64) : [n]i64 = by_differences n

-- Their alternating sum, 0 - 1 + 4 - 9 + .. for an odd n, is n (n-1) / 2.
-- ==
-- entry: alternating
-- input { 7i64 } output { 21i64 }
-- input { 70001i64 } output { 2450035000i64 }
entry alternating (n: i64) : i64 =
  i64.sum (map2 (\i x -> if i % 2 == 0 then x else -x) (iota n) (by_differences n))

-- How many numbers have which remainder by three, and their sums: an array for each chunk. For 0 .. 6: 0 3 6, 1 4, 2 5. For 0 .. 99: 34 numbers
-- 0 .. 99, 33 numbers 1 .. 97, 33 numbers 2 .. 98; each sum is their number times half the sum of first and last.
-- ==
-- entry: remainders
-- input { 0i64 } output { [0i64, 0i64, 0i64] [0i64, 0i64, 0i64] }
-- input { 7i64 } output { [3i64, 2i64, 2i64] [9i64, 5i64, 7i64] }
-- input { 100i64 } output { [34i64, 33i64, 33i64] [1683i64, 1617i64, 1650i64] }
entry remainders (n: i64) : ([3]i64, [3]i64) =
  let add (a, b) (c, d): ([3]i64, [3]i64) = (map2 (+) a c, map2 (+) b d)
  let of_chunk c (chunk: [c]i64) =
    loop (ks, ss) = (replicate 3 0, replicate 3 0) for x in chunk do
      (copy ks with [x % 3] = ks[x % 3] + 1, copy ss with [x % 3] = ss[x % 3] + x)
  in stream_red_comm add of_chunk (iota n)

-- Rows; a function with a value from outside; in a loop, in a branch, in a map, and in another function of chunks. 10 times the numbers, less 1, is 9, 19, 29, 39;
-- 100 and twice the sum of all, 10; sums of rows 3 and 7; the sum of all.
-- ==
-- entry: around
-- input { [[1i64, 2i64], [3i64, 4i64]] true } output { [[9i64, 19i64], [29i64, 39i64]] 120i64 [3i64, 7i64] 10i64 }
-- input { [[1i64, 2i64], [3i64, 4i64]] false } output { [[9i64, 19i64], [29i64, 39i64]] 100i64 [3i64, 7i64] 10i64 }
entry around [n] (xss: [n][2]i64) (yes: bool) : ([n][2]i64, i64, [n]i64, i64) =
  let times (k: i64) c (chunk: [c][2]i64) : [c][2]i64 =
    loop ys = replicate c [0, 0] for i < c do ys with [i] = map (\x -> x * k - 1) chunk[i]
  let sum c (chunk: [c]i64) = loop s = 0 for x in chunk do s + x
  let xs = flatten xss
  in ( stream_map (times 10) xss
     , loop s = 100 for _i < 2 do if yes then s + stream_red (+) sum xs else s
     , map (stream_red (+) sum) xss
     , stream_red (+) (\c (chunk: [c]i64) -> stream_red (+) sum chunk + (loop s = 0 for _x in chunk do s)) xs)

-- 60 / x, all of them, and one that fails.
-- ==
-- entry: quotients
-- input { [1i64, 2i64, 3i64, 4i64] } output { 125i64 }
-- input { [1i64, 0i64, 3i64] } error: division by zero
entry quotients [n] (xs: [n]i64) : i64 =
  stream_red (+) (\c (chunk: [c]i64) -> loop s = 0 for x in chunk do s + 60 / x) xs
