-- X9 (digest 000, table 5.F): a sort by many digits: the bins' numbers have 1, 9 and 17 bits. (Each pass takes two; how many passes there
-- are is counted, see d_d17_d19_hist_sort.fut.) By hand: of products in bins that are 1 before, each value's adjoint is the product of the
-- others in its bin; of indices out of range 0.
-- ==
-- input { 65536i64 [65535i64, 0i64, 256i64, 65535i64, 65536i64, 4096i64, 256i64] [2.0, 3.0, 5.0, 7.0, 11.0, 13.0, 17.0] }
-- output { [7.0, 1.0, 17.0, 2.0, 0.0, 1.0, 5.0] }
-- input { 257i64 [255i64, 0i64, 256i64, 255i64, 257i64, 128i64, 256i64] [2.0, 3.0, 5.0, 7.0, 11.0, 13.0, 17.0] }
-- output { [7.0, 1.0, 17.0, 2.0, 0.0, 1.0, 5.0] }
-- input { 1i64 [0i64, 1i64, 0i64] [2.0, 3.0, 5.0] } output { [5.0, 0.0, 2.0] }
entry main [n] (w: i64) (is: [n]i64) (vs: [n]f64) : [n]f64 =
  vjp (\vs -> reduce_by_index (replicate w 1) (\x y -> -(-x * y)) 1 is vs)
      vs
      (replicate w 1)
