-- Carried arrays whose size changes and is the same for several: at first, in each turn, and after it. By hand; the same in 0.25.32, which refuses `one_more`.
-- ==
-- entry: filtered
-- input { [1i64, 5i64, 2i64] [3i64, 4i64, 6i64] 1i64 } output { [1i64, 2i64] [3i64, 6i64] }
-- input { [1i64, 5i64, 2i64] [3i64, 4i64, 6i64] 0i64 } output { [1i64, 5i64, 2i64] [3i64, 4i64, 6i64] }
entry filtered [n] (xs: [n]i64) (ys: [n]i64) (k: i64) =
  loop (a, b) = (xs, ys) for _i < k do unzip (filter (\(p, q) -> p < q) (zip a b))

-- Three of them, in a record, beside one that stays.
-- ==
-- entry: record
-- input { [1i64, 2i64, 3i64] } output { [1i64] [1i64] [1i64] [4i64, 5i64, 6i64] }
entry record [n] (xs: [n]i64) =
  let r = loop r = {a = xs, b = (xs, xs), stays = xs} for i < 2i64 do
    let (a, b, c) = unzip3 (take (length r.a - 1) (zip3 r.a r.b.0 r.b.1))
    in {a, b = (b, c), stays = map2 (+) r.stays (map (+ i) (replicate n 1i64))}
  in (r.a, r.b.0, r.b.1, r.stays)

-- While, and a function of two arrays of one size.
-- ==
-- entry: while_grows
-- input { 20i64 } output { 32i64 }
def twice [n] (a: [n]i64) (b: [n]i64) = a ++ b
entry while_grows (k: i64) =
  let (a, b) = loop (a, b) = ([k], [k + 1]) while length a < k do let c = twice a b in (c, copy c)
  in length (zip a b)

-- One has one element more than the other.
-- ==
-- entry: one_more
-- input { 3i64 } output { 6i64 [0i64, 1i64, 2i64, 3i64, 4i64, 5i64] }
def edges [n] (_: [n]i64) (bounds: [n + 1]i64) = bounds
entry one_more (n: i64) =
  let (a, b) = loop (a, b) = (iota n, iota (n + 1)) for _i < 2i64 do
    let e = edges a b
    let m = length e
    in (iota m, iota (m + 1))
  in (length (edges a b) , a ++ [5])
