-- Who asks for the size of an array uses the array: where it cannot be made, that is an error, on every backend and after every pass. The sizes are those of the definition
-- of each function; what is refused follows from it.

-- ==
-- entry: iota_length
-- input { 5i64 } output { 5i64 }
-- input { 0i64 } output { 0i64 }
-- input { -5i64 } error: Range 0..1..<-5 is invalid
entry iota_length (n: i64) = length (iota n)

-- ==
-- entry: take_length
-- input { 2i64 [1, 2, 3] } output { 2i64 }
-- input { 7i64 [1, 2] } error: out of bounds
entry take_length (n: i64) (xs: []i32) = length (take n xs)

-- ==
-- entry: slice_length
-- input { 1i64 [1, 2, 3] } output { 2i64 }
-- input { 7i64 [1, 2] } error: out of bounds
entry slice_length (n: i64) (xs: []i32) = length xs[n:]

-- ==
-- entry: coerced_length
-- input { 2i64 [1, 2] } output { 2i64 }
-- input { 7i64 [1, 2] } error: cannot match
entry coerced_length (n: i64) (xs: []i32) = length (xs :> [n]i32)

-- ==
-- entry: concatenated_length
-- input { 2i64 } output { 4i64 }
-- input { -1i64 } error: Range
entry concatenated_length (n: i64) = length (concat (replicate n ()) (replicate n ()))

-- By a function of the user's, which is a call until it is inlined; by a name for the size; through functions that keep the size.
-- ==
-- entry: call_length pattern_length null_of_call mapped_length
-- input { 3i64 } output { 3i64 }
-- input { -3i64 } error: Range
def make (n: i64) = iota n
def size_of [n] (_: [n]i64) = n
entry call_length (n: i64) = size_of (make n)
entry pattern_length (n: i64) = let [m] (_: [m]i64) = make n in m
entry null_of_call (n: i64) = if null (make n) then 0 else n
entry mapped_length (n: i64) = length (map (+ 1) (reverse (make n)))

-- Sizes that are computed from it, and arrays of such a size.
-- ==
-- entry: computed
-- input { 2i64 } output { 5i64 [0i64, 1i64] }
-- input { -2i64 } error: Range
entry computed (n: i64) = let xs = make n in (2 * length xs + 1, indices xs)

-- In a branch, a loop, a function that is mapped.
-- ==
-- entry: branch
-- input { true -1i64 } error: Range
-- input { false -1i64 } output { 7i64 }
-- input { true 4i64 } output { 4i64 }
entry branch (b: bool) (n: i64) = if b then length (make n) else 7

-- ==
-- entry: rounds
-- input { 3i64 2i64 } output { 6i64 }
-- input { 3i64 -2i64 } error: Range
-- input { 0i64 -2i64 } output { 0i64 }
entry rounds (k: i64) (n: i64) = loop s = 0 for _i < k do s + length (make n)

-- ==
-- entry: mapped
-- input { [1i64, 2i64] } output { [1i64, 2i64] }
-- input { [1i64, -2i64] } error: Range
-- input { empty([0]i64) } output { empty([0]i64) }
entry mapped (ns: []i64) = map (\n -> length (make n)) ns
