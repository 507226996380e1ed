-- Functions that call themselves, at each point of a nest: all points that call again do so at once.

def factorial (n: i64) : i64 = if n <= 0 then 1 else n * factorial (n - 1)

-- ==
-- entry: factorials
-- input { [0i64, 5i64, 3i64, 10i64] } output { [1i64, 120i64, 6i64, 3628800i64] }
-- input { empty([0]i64) } output { empty([0]i64) }
-- input { [-3i64] } output { [1i64] }
entry factorials (xs: []i64) : []i64 = map factorial xs

def fibonacci (n: i64) : i64 = if n < 2 then n else fibonacci (n - 1) + fibonacci (n - 2)

-- Two calls, in a nest of two dimensions.
-- ==
-- entry: fibonaccis
-- input { 3i64 } output { [[0i64, 1i64, 1i64], [1i64, 1i64, 2i64], [1i64, 2i64, 3i64]] }
-- input { 0i64 } output { empty([0][0]i64) }
entry fibonaccis (n: i64) : [n][n]i64 = map (\i -> map (\j -> fibonacci (i + j)) (iota n)) (iota n)

-- A call whose argument is a call: A(2, n) = 2 n + 3.
def ackermann (m: i64) (n: i64) : i64 =
  if m == 0 then n + 1 else if n == 0 then ackermann (m - 1) 1 else ackermann (m - 1) (ackermann m (n - 1))

-- ==
-- entry: ackermanns
-- input { 4i64 } output { [3i64, 5i64, 7i64, 9i64] }
entry ackermanns (n: i64) : [n]i64 = map (ackermann 2) (iota n)

-- An array of one size: [1, 2, 4] becomes [3, 8, 1], [9, 2, 3], [3, 6, 9], [7, 18, 3].
def turned (n: i64) (v: [3]f64) : [3]f64 = if n == 0 then v else turned (n - 1) [v[1] + 1, v[2] * 2, v[0]]

-- ==
-- entry: turns
-- input { [0i64, 1i64, 4i64] } output { [[1.0, 2.0, 0.0], [3.0, 2.0, 1.0], [7.0, 18.0, 3.0]] }
entry turns (ns: []i64) : [][3]f64 = map (\n -> turned n [1, 2, f64.i64 n]) ns

-- Calls in a map in the function: s(n) = n (n - 1) / 2 + n s(n - 1).
def sums (n: i64) : i64 = if n == 0 then 0 else i64.sum (map (\x -> x + sums (n - 1)) (iota n))

-- ==
-- entry: sums_of_sums
-- input { 5i64 } output { [0i64, 0i64, 1i64, 6i64, 30i64] }
entry sums_of_sums (n: i64) : [n]i64 = map sums (iota n)

-- ==
-- entry: sum_of_sums
-- input { 4i64 } output { 30i64 }
entry sum_of_sums (n: i64) : i64 = sums n

-- In a loop and a branch of the point.
-- ==
-- entry: now_and_then
-- input { [1i64, 2i64, 3i64] } output { [11i64, 2i64, 15i64] }
entry now_and_then (xs: []i64) : []i64 =
  map (\x -> if x % 2 == 0 then x else loop y = x for i < x do y + factorial (4 - i) - if i == 0 then 14 else 12 - 6 * i) xs

-- The first that fails is told of.
def downwards (n: i64) : i64 = if n == 0 then 0 else 10 / (n - 3) + downwards (n - 1)

-- -5 = 10 / (1 - 3); for 2: -10 - 5.
-- ==
-- entry: failing
-- input { [1i64, 2i64] } output { [-5i64, -15i64] }
-- input { [1i64, 4i64] } error: division by zero
entry failing (xs: []i64) : []i64 = map downwards xs

-- x^n: n x^(n - 1).
def power (n: i64) (x: f64) : f64 = if n == 0 then 1 else x * power (n - 1) x

-- ==
-- entry: derivatives
-- input { [2.0, 2.0, 3.0, 2.0] } output { [0.0, 1.0, 6.0, 12.0] }
entry derivatives [n] (xs: [n]f64) : [n]f64 = map2 (\x i -> vjp (power i) x 1) xs (iota n)
