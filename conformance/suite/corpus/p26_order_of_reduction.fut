-- Digest 004, appendix B, P26: a reduction whose operator does not commute keeps the order, here that of the letters a, …, p, written one after the other.
-- Eight threads that read every eighth letter, instead of two in a row, would give "aibjckdlemfngohp"; those of the transposed letters give the order again.
-- ==
-- entry: in_order transposed
-- input { [97u8, 98u8, 99u8, 100u8, 101u8, 102u8, 103u8, 104u8, 105u8, 106u8, 107u8, 108u8, 109u8, 110u8, 111u8, 112u8] }
-- output { [97u8, 98u8, 99u8, 100u8, 101u8, 102u8, 103u8, 104u8, 105u8, 106u8, 107u8, 108u8, 109u8, 110u8, 111u8, 112u8] }

-- ==
-- entry: strided
-- input { [97u8, 98u8, 99u8, 100u8, 101u8, 102u8, 103u8, 104u8, 105u8, 106u8, 107u8, 108u8, 109u8, 110u8, 111u8, 112u8] }
-- output { [97u8, 105u8, 98u8, 106u8, 99u8, 107u8, 100u8, 108u8, 101u8, 109u8, 102u8, 110u8, 103u8, 111u8, 104u8, 112u8] }

-- ==
-- entry: matrices
-- input { 16 } output { [[1597u64, 987u64], [987u64, 610u64]] }
-- input { 0 } output { [[1u64, 0u64], [0u64, 1u64]] }

-- ==
-- entry: triangular
-- input { [[[1, 1], [0, 1]], [[1, 0], [1, 1]]] } output { [[2, 1], [1, 1]] }
-- input { [[[1, 0], [1, 1]], [[1, 1], [0, 1]]] } output { [[1, 1], [1, 2]] }
type text [n] = ([n]u8, i64)

def append [n] ((a, k): text [n]) ((b, l): text [n]) : text [n] =
  (tabulate n (\i -> if i < k then a[i] else if i < k + l then b[i - k] else 0), k + l)
def empty (n: i64) : text [n] = (replicate n 0, 0)
def letter (n: i64) (c: u8) : text [n] = (tabulate n (\i -> if i == 0 then c else 0), 1)

entry in_order [n] (cs: [n]u8) : [n]u8 = (reduce append (empty n) (map (letter n) cs)).0

-- The texts of eight threads, which go through their letters from the first one to the last one.
def threads [n] (at: i64 -> i64 -> i64) (cs: [n]u8) : [n]u8 =
  let partial thread = loop text = empty n for i < n / 8 do append text (letter n cs[at thread i])
  in (reduce append (empty n) (map partial (iota 8))).0

entry strided (cs: []u8) : []u8 = threads (\thread i -> thread + i * 8) cs
entry transposed (cs: [16]u8) : [16]u8 =
  threads (\thread i -> thread + i * 8) (flatten (transpose (unflatten (cs :> [8 * 2]u8))) :> [16]u8)

def product 't (add: t -> t -> t) (mul: t -> t -> t) (a: [2][2]t) (b: [2][2]t) : [2][2]t =
  [ [add (mul a[0, 0] b[0, 0]) (mul a[0, 1] b[1, 0]), add (mul a[0, 0] b[0, 1]) (mul a[0, 1] b[1, 1])]
  , [add (mul a[1, 0] b[0, 0]) (mul a[1, 1] b[1, 0]), add (mul a[1, 0] b[0, 1]) (mul a[1, 1] b[1, 1])] ]

-- The powers of this matrix are Fibonacci numbers: F(17) = 1597, F(16) = 987, F(15) = 610.
entry matrices (n: i32) : [2][2]u64 =
  reduce (product (+) (*)) [[1, 0], [0, 1]] (replicate (i64.i32 n) [[1, 1], [1, 0]])
entry triangular [n] (ms: [n][2][2]i32) : [2][2]i32 = reduce (product (+) (*)) [[1, 0], [0, 1]] ms
