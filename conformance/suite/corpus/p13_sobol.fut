-- Digest 004, appendix B, P13: Sobol numbers, each from its index, and by chunks, in which each follows from the one before by one exclusive or. The integers
-- are 8, 12, 4, 6, 14, 10, 2, 3; their sum is 59 = 3.6875 * 16.
-- ==
-- entry: numbers
-- input { [8, 4, 2, 1] 8i64 } output { [8, 12, 4, 6, 14, 10, 2, 3] }

-- ==
-- entry: par
-- input { [8, 4, 2, 1] 8i64 } output { 3.6875f32 }
-- input { [8, 4, 2, 1] 0i64 } output { 0f32 }

-- ==
-- entry: stream
-- input { [8, 4, 2, 1] 8i64 1i64 } output { 3.6875f32 }
-- input { [8, 4, 2, 1] 8i64 2i64 } output { 3.6875f32 }
-- input { [8, 4, 2, 1] 8i64 7i64 } output { 3.6875f32 }
-- input { [8, 4, 2, 1] 8i64 64i64 } output { 3.6875f32 }
-- input { [8, 4, 2, 1] 8i64 1000i64 } output { 3.6875f32 }
def gray_code (x: i32) : i32 = (x >> 1) ^ x
def test_bit (x: i32) (ind: i32) : bool = (x & (1 << ind)) == (1 << ind)

def sobol_ind [n] (dir_v: [n]i32) (x: i32) : i32 =
  let reldv_vals = map2 (\dv i -> if test_bit (gray_code x) (i32.i64 i) then dv else 0) dir_v (iota n)
  in reduce (^) 0 reldv_vals

def normalised (n: i64) (x: i32) : f32 = f32.i32 x / (2 ** f32.i64 n)

def index_of_least_significant_0 (x: i32) : i32 =
  loop i = 0 while i < 32 && ((x >> i) & 1) != 0 do i + 1
def rec_m [n] (dir_v: [n]i32) (i: i32) : i32 = dir_v[index_of_least_significant_0 i]

def sobol_chunk [n] (dir_v: [n]i32) (x: i64) (chunk: i64) : [chunk]f32 =
  let sob_beg = sobol_ind dir_v (i32.i64 x + 1)
  let contrbs = map (\i -> if i == 0 then sob_beg else rec_m dir_v (i32.i64 (i + x))) (iota chunk)
  in map (normalised n) (scan (^) 0 contrbs)

entry numbers [n] (dir_v: [n]i32) (k: i64) : []i32 = map (\i -> sobol_ind dir_v (i32.i64 i + 1)) (iota k)
entry par [n] (dir_v: [n]i32) (k: i64) : f32 = reduce (+) 0 (map (normalised n) (numbers dir_v k))
entry stream [n] (dir_v: [n]i32) (k: i64) (size: i64) : f32 =
  let (sum, _) = loop (sum, x) = (0, 0) while x < k do
                   let chunk = i64.min size (k - x)
                   in (sum + reduce (+) 0 (sobol_chunk dir_v x chunk), x + chunk)
  in sum
