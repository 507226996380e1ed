-- Futhark #2222, #2316 and their like (references.md A1, sizes: #2316, #2273, #2258, #2222, #2219, #2209): a type that a module makes of a size is a
-- function with an environment; where it was used under another name, the interpreter looked for the size in vain, or took another's. There is
-- nothing to differentiate here.
module block = {
  def width: i64 = 2
  type row [n] = [n * width]i64
  def make (n: i64) (x: i64): row [n] = replicate (n * width) x
  def size [m] (_: [m]i64): i64 = m / width
}

type two [n] = [2](block.row [n])

def both (n: i64) (x: i64): two [n] = [block.make n x, block.make n (x + 1)]

-- The name n stands for other sizes inside.
-- ==
-- input { 1i64 7i64 } output { [[7i64, 7i64], [8i64, 8i64]] 1i64 [[7i64, 8i64], [7i64, 8i64]] }
-- input { 0i64 7i64 } output { empty([2][0]i64) 0i64 empty([0][2]i64) }
entry main (n: i64) (x: i64): ([2][]i64, i64, [][2]i64) =
  let rows = both n x
  in (rows, block.size rows[1], transpose rows)
