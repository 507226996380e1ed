-- Arguments that are sizes and that have to be computed: their size is unknown, but one (0.25.32 accepts these; by hand).
def filled (n: i64) (x: i64) : [n]i64 = replicate n x
def all [n] (x: i64) : [n]i64 = replicate n x
def (+++) (x: i64) (n: i64) : [n]i64 = replicate n x

-- ==
-- entry: of_later_results
-- input { 2i64 } output { [1i64, 1i64, 1i64, 1i64] 4i64 }
entry of_later_results (k: i64) =
  let f = filled (loop n = 1 for _i < k do n * 2)
  in (f 1, length (f 2))

-- ==
-- entry: needed_by_another
-- input { 2i64 } output { [1i64, 2i64, 3i64, 4i64] }
entry needed_by_another (k: i64) = map2 (+) (all 1) (iota (loop n = 1 for _i < k do n * 2))

-- The operand of a section is evaluated once.
def given (k: i64) : (i64 -> [k]i64) = (+++ k)
-- ==
-- entry: of_section
-- input { 2i64 } output { [7i64, 7i64] [5i64, 5i64, 5i64] }
entry of_section (k: i64) = (given k 7, let f = (+++ (k + 1)) in (f 5 : [k + 1]i64))
