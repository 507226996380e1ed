-- Digest 004, appendix B, P12: the means of the points of each cluster, by a loop, by maps and sums, and by a loop over each of two parts whose results
-- are added. A part may be empty. ([1, 2] + [5, 6]) / 2 = [3, 4], and [3, 4] is alone.
-- ==
-- entry: main
-- input { [2, 1] [[1f32, 2f32], [3f32, 4f32], [5f32, 6f32]] [0i64, 1i64, 0i64] 0i64 }
-- output { [[3f32, 4f32], [3f32, 4f32]] [[3f32, 4f32], [3f32, 4f32]] [[3f32, 4f32], [3f32, 4f32]] }
-- input { [2, 1] [[1f32, 2f32], [3f32, 4f32], [5f32, 6f32]] [0i64, 1i64, 0i64] 1i64 }
-- output { [[3f32, 4f32], [3f32, 4f32]] [[3f32, 4f32], [3f32, 4f32]] [[3f32, 4f32], [3f32, 4f32]] }
-- input { [2, 1] [[1f32, 2f32], [3f32, 4f32], [5f32, 6f32]] [0i64, 1i64, 0i64] 2i64 }
-- output { [[3f32, 4f32], [3f32, 4f32]] [[3f32, 4f32], [3f32, 4f32]] [[3f32, 4f32], [3f32, 4f32]] }
-- input { [2, 1] [[1f32, 2f32], [3f32, 4f32], [5f32, 6f32]] [0i64, 1i64, 0i64] 3i64 }
-- output { [[3f32, 4f32], [3f32, 4f32]] [[3f32, 4f32], [3f32, 4f32]] [[3f32, 4f32], [3f32, 4f32]] }
-- input { [2] empty([0][2]f32) empty([0]i64) 0i64 } output { [[0f32, 0f32]] [[0f32, 0f32]] [[0f32, 0f32]] }
def add_centroids [d] (x: [d]f32) (y: [d]f32) : *[d]f32 = map2 (+) x y

def cluster_sums_seq [k][n][d] (counts: [k]i32) (points: [n]([d]f32, i64)) : *[k][d]f32 =
  loop acc = replicate k (replicate d 0) for (p, c) in points do
    let p' = map (/ f32.i32 counts[c]) p
    in acc with [c] = add_centroids acc[c] p'

def cluster_sums_par [k][n][d] (counts: [k]i32) (points: [n]([d]f32, i64)) : [k][d]f32 =
  let increments: [n][k][d]f32 =
    map (\(p, c) -> let a = replicate k (replicate d 0)
                    in a with [c] = map (/ f32.i32 counts[c]) p) points
  let increments': [k][d][n]f32 = map transpose (transpose increments)
  in map (map (reduce (+) 0)) increments'

def cluster_sums_stream [k][n][d] (at: i64) (counts: [k]i32) (points: [n]([d]f32, i64)) : [k][d]f32 =
  map2 add_centroids (cluster_sums_seq counts (take at points)) (cluster_sums_seq counts (drop at points))

entry main [k][n][d] (counts: [k]i32) (points: [n][d]f32) (membership: [n]i64) (at: i64)
    : ([k][d]f32, [k][d]f32, [k][d]f32) =
  let points = zip points membership
  in (cluster_sums_seq counts points, cluster_sums_par counts points, cluster_sums_stream at counts points)
