-- Digest 004, appendix B, P15: arrays of unknown sizes that turn out to be equal: sums and products of rows, one array after the other.
-- Products: 1 * 2 * 3, 4 * 5 * 6; 1 * 1 * 2, 0 * 5 * 7. Of empty rows 0 and 1.
-- ==
-- input { [[[1.0, 2.0, 3.0], [4.0, 5.0, 6.0]], [[1.0, 1.0, 2.0], [0.0, 5.0, 7.0]]] }
-- output { [[6.0, 15.0, 6.0, 120.0], [4.0, 12.0, 2.0, 0.0]] }
-- input { empty([1][2][0]f64) } output { [[0.0, 0.0, 1.0, 1.0]] }
-- input { empty([1][0][2]f64) } output { empty([1][0]f64) }
def concatenated (xs: []f64) (ys: []f64) : []f64 =
  let a = length xs
  let b = length ys
  let c = a + b
  in map (\i -> if i < a then xs[i] else ys[i - a]) (iota c)

def f (vss: [][]f64) : []f64 =
  let (ys, zs) = unzip (map (\vs -> (reduce (+) 0 vs, reduce (*) 1 vs)) vss)
  in concatenated ys zs

entry main [l][n][m] (vsss: [l][n][m]f64) : [][]f64 = map (\vss -> f vss :> [n + n]f64) vsss
