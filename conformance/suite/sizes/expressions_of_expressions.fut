-- A size that an expression computes is one of the sizes in it: `[h (n + 1)]` is `[h k]` where k is n + 1, and of operators likewise. A name for what costs
-- next to nothing stands for it. By hand; 0.25.32 accepts all of it.
def h (x: i64) = 2 * x

def halves [k] (xs: [k % 4]i32) : [k]i32 =
  map (\i -> if i < k % 4 then xs[i] else 0) (iota k)
def shifted [k] (xs: [k >> 1]i32) : [k]i32 = map (\i -> xs[i / 2]) (iota k)
def called [k] (xs: [h k]i32) : [k]i32 = map (\i -> xs[2 * i]) (iota k)
def power [k] (xs: [2 ** k]i32) : [k]i32 = map (\i -> xs[2 ** i]) (iota k)

-- ==
-- entry: of_remainder
-- input { 5i64 [7, 8] } output { [7, 8, 0, 0, 0, 0] }
-- input { 4i64 [7, 8] } error: cannot match shape
entry of_remainder (n: i64) (xs: []i32) : []i32 =
  let ys = xs :> [(n + 1) % 4]i32
  in halves (ys : [(n + 1) % 4]i32) : [n + 1]i32

-- ==
-- entry: of_shift
-- input { 3i64 [7, 8] } output { [7, 7, 8, 8] }
entry of_shift (n: i64) (xs: []i32) : []i32 =
  shifted (xs :> [(n + 1) >> 1]i32) : [n + 1]i32

-- ==
-- entry: of_call
-- input { 1i64 [6, 7, 8, 9] } output { [6, 8] }
entry of_call (n: i64) (xs: []i32) : []i32 =
  called (xs :> [h (n + 1)]i32) : [n + 1]i32

-- ==
-- entry: of_power
-- input { 1i64 [6, 7, 8, 9] } output { [7, 8] }
entry of_power (n: i64) (xs: []i32) : []i32 =
  power (xs :> [2 ** (n + 1)]i32) : [n + 1]i32

-- Sizes that are named where they are made.
def remainder [n] (_: [n]i32) : [n % 4]i32 = let m = n % 4 in replicate m 1
def shift [n] (_: [n]i32) : [i64.i32 3 + (n << 1)]i32 =
  let m = n << 1 let k = i64.i32 3 + m in replicate k 1

-- ==
-- entry: named
-- input { [5, 6] } output { [2, 2] 7i64 }
entry named [n] (xs: [n]i32) =
  (map2 (+) (remainder xs) (replicate (n % 4) 1), length (shift xs))

-- So does a name for the call of a definition with scalars, also where no result is declared.
def triangle (n: i64) = n * (n + 1) / 2
def packed [n] (xs: [n]i32) = let m = triangle n in tabulate m (\i -> xs[i % n])

-- ==
-- entry: of_definition
-- input { [5, 6] } output { [10, 12, 10] [5, 6, 5] }
entry of_definition [n] (xs: [n]i32) : ([]i32, [triangle n]i32) =
  (map2 (+) (packed xs) (packed xs), packed xs)
