-- In whatever kind of expression it stands, a size must be computed before it is needed. 0.25.32 rejects each of these definitions.
-- ==
-- error: (E0402. Error: Causality.*){48}
def section (xs: []i64) = map ((length <| filter (> 0) xs) +) [1]
def section_operator (xs: []i64) = map ((\a b -> a + b + (length <| filter (> 0) xs)) 1) [1]
def first_operand (xs: []i64) = (length <| filter (> 0) xs) + 1
def second_operand (xs: []i64) = 1 + (length <| filter (> 0) xs)
def and_operand (xs: []i64) = true && (length <| filter (> 0) xs) == 1
def or_operand (xs: []i64) = true || (length <| filter (> 0) xs) == 1
def piped (xs: []i64) = (length <| filter (> 0) xs) |> i32.i64
def pipe (xs: []i64) = 1 |> (\n -> n + (length <| filter (> 0) xs))
def left_pipe (xs: []i64) = (\n -> n + (length <| filter (> 0) xs)) <| 1
def left_piped (xs: []i64) = i32.i64 <| (length <| filter (> 0) xs)
def updated_field (xs: []i64) = {a = length <| filter (> 0) xs} with a = 1
def value_of_field (xs: []i64) = {a = 1} with a = (length <| filter (> 0) xs)
def updated_row (xs: []i64) = [length <| filter (> 0) xs] with [0] = 1
def updated_index (xs: []i64) = [1, 2] with [length <| filter (> 0) xs] = 1
def updated_slice (xs: []i64) = [1, 2] with [0:length <| filter (> 0) xs] = [1]
def value_of_row (xs: []i64) = [1] with [0] = (length <| filter (> 0) xs)
def asserted (xs: []i64) = assert ((length <| filter (> 0) xs) == 1) 2
def after_assertion (xs: []i64) = assert true (length <| filter (> 0) xs)
def matched (xs: []i64) = match (length <| filter (> 0) xs) case n -> n
def case_of_match (xs: []i64) (n: i64) = match n case 0 -> 0 case _ -> (length <| filter (> 0) xs)
def field (xs: []i64) = {a = length <| filter (> 0) xs}.a
def coerced (xs: []i64) = [length <| filter (> 0) xs] :> [1]i64
def attribute (xs: []i64) = #[opaque] (length <| filter (> 0) xs)
def indexed (xs: []i64) = [length <| filter (> 0) xs][0]
def index (xs: []i64) = xs[length <| filter (> 0) xs]
def slice_start (xs: []i64) = xs[(length <| filter (> 0) xs):]
def slice_end (xs: []i64) = xs[:(length <| filter (> 0) xs)]
def slice_step (xs: []i64) = xs[::(length <| filter (> 0) xs)]
def condition (xs: []i64) = if (length <| filter (> 0) xs) == 1 then 1 else 2
def branch (xs: []i64) = if true then (length <| filter (> 0) xs) else 2
def other_branch (xs: []i64) = if true then 1 else (length <| filter (> 0) xs)
def bound (xs: []i64) = let n = (length <| filter (> 0) xs) in n
def local_function (xs: []i64) = let f n = n + (length <| filter (> 0) xs) in f 1i64
def body (xs: []i64) = let n = 1 in n + (length <| filter (> 0) xs)
def initial (xs: []i64) = loop n = (length <| filter (> 0) xs) for _i < 3i32 do n
def turns (xs: []i64) = loop n = 0 for i < (length <| filter (> 0) xs) do n + i
def elements (xs: []i64) = loop n = 0 for x in [length <| filter (> 0) xs] do n + x
def while_condition (xs: []i64) = loop n = 0 while n < (length <| filter (> 0) xs) do n + 1
def turn (xs: []i64) = loop n = 0 for _i < 3i32 do n + (length <| filter (> 0) xs)
def range_start (xs: []i64) = (length <| filter (> 0) xs)..<3
def range_second (xs: []i64) = 0..(length <| filter (> 0) xs)..<3
def range_end (xs: []i64) = 0..<(length <| filter (> 0) xs)
def tuple (xs: []i64) = (1i32, length <| filter (> 0) xs)
def constructor (xs: []i64) : #some i64 | #none = #some (length <| filter (> 0) xs)
def element (xs: []i64) = [1, length <| filter (> 0) xs]
def argument (xs: []i64) = i32.i64 (length <| filter (> 0) xs)
def function (xs: []i64) = (let n = (length <| filter (> 0) xs) in \a -> a + n) 1
def lambda (xs: []i64) = \a -> a + (length <| filter (> 0) xs)
