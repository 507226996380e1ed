-- What these programs launch is in places.txt, for the arguments behind `of`.

-- of [1i64, 20i64, 300i64, 4000i64]
entry turned [n] (xs: [n]i64) = (reverse xs, rotate 1 xs, xs[1:3], reverse (rotate 2 xs) ++ xs)

-- of [1i64, 20i64, 300i64, 4000i64, 7i64]
entry cut [n] (xs: [n]i64) = map2 (+) (take 2 xs) (xs[3:n] :> [2]i64)

-- of [[1i64, 2i64, 3i64], [4i64, 5i64, 6i64]]
entry reshaped [n] [m] (xs: [n][m]i64) = (flatten xs, unflatten (flatten (transpose xs) :> [2 * 3]i64))

-- of 7i64 [1i64, 2i64, 3i64, 4i64]
entry replaced [n] (k: i64) (xs: *[n]i64) = xs with [1] = k

-- of 7i64 [1i64, 2i64, 3i64, 4i64]
entry replaced_part [n] (k: i64) (xs: *[n]i64) = xs with [1:3] = map (+ k) (copy xs[0:2])

-- of 7i64 [1i64, 2i64, 3i64, 4i64]
entry replaced_and_kept [n] (k: i64) (xs: [n]i64) = (copy xs with [1] = k, map (+ 1) xs)

-- of 5i64 [1i64, 2i64, 3i64, 4i64]
-- of -5i64 [1i64, 2i64, 3i64, 4i64]
entry chosen_part [n] (k: i64) (xs: [n]i64) : [3]i64 = if k > 0 then xs[0:3] :> [3]i64 else xs[n - 3:n] :> [3]i64

-- of [1i64, 2i64, 3i64, 4i64, 5i64, 6i64]
entry repeated [n] (xs: [n]i64) = (replicate 3 (iota n), reverse (rotate 1 (replicate 3 xs)))

-- of 2i64 [1i64, 2i64, 3i64, 4i64, 5i64, 6i64]
entry views_of_views [n] (k: i64) (xs: [n]i64) = map2 (+) (rotate k (reverse xs)) (rotate 1 xs)

-- of 3i64 1i64
-- of 1i64 2i64
-- of -3i64 1i64
-- of 3i64 2i64
entry stepped (s: i64) (t: i64) =
  let o = i64.max 0 (-s)
  in intrinsics.flat_update_2d (replicate 9 0) o s t [[1i64, 2, 3], [4, 5, 6]]

-- of 0i64 3i64
entry stepped_once (s: i64) (t: i64) = intrinsics.flat_update_2d (replicate 9 0) 0 s t [[1i64, 2, 3]]
