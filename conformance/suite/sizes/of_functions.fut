-- Sizes that only the results of functions have, and sizes in sums (0.25.32 accepts these; by hand).
-- ==
-- entry: later
-- input { 3i64 } output { 6i64 [0i64, 1i64, 2i64, 3i64, 4i64] 4i64 }

-- ==
-- entry: chosen
-- input { [3i64, -1i64, 2i64] } output { [3i64, -1i64, 2i64, 3i64, 2i64] }
-- input { empty([0]i64) } output { empty([0]i64) }

-- ==
-- entry: perhaps
-- input { true 3i64 } output { [0i64, 1i64, 2i64] }
-- input { false 3i64 } output { [7i64] }
def parts (n: i64) =
  let (m, _) = (n + 1, true)
  in (iota ((m + 1) + 1), \(_: i32) -> iota (m + 1), \(_: i32) -> iota m)

entry later (n: i64) = let (xs, f, g) = parts n in (length xs, f 1, length (g 2))

type~ some = #many []i64 | #one i64

def positive xs: some = #many (filter (> 0) xs)

entry chosen (xs: []i64): []i64 =
  match positive xs
  case #many ys -> xs ++ ys
  case #one y -> xs ++ [y]

type opt 't = #some t | #none

def found b (n: i64) = if b then #some (iota n) else (#none : opt ([1]i64)) :> opt ([]i64)

entry perhaps b n =
  let v = found b n
  in match v
     case #some xs -> xs
     case #none -> [7]
