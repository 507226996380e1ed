-- Digest 004, appendix B, P14: the dimensions 1, 2, 0 of an array of [2][3][4] elements, by two transpositions.
-- ==
-- input { 2i64 3i64 4i64 }
-- output { [[[0i64, 12i64], [1i64, 13i64], [2i64, 14i64], [3i64, 15i64]],
--           [[4i64, 16i64], [5i64, 17i64], [6i64, 18i64], [7i64, 19i64]],
--           [[8i64, 20i64], [9i64, 21i64], [10i64, 22i64], [11i64, 23i64]]] }
-- input { 2i64 0i64 4i64 } output { empty([0][4][2]i64) }
-- input { 2i64 3i64 0i64 } output { empty([3][0][2]i64) }
-- input { 0i64 3i64 4i64 } output { empty([3][4][0]i64) }
entry main (n: i64) (m: i64) (l: i64) : [m][l][n]i64 =
  map transpose (transpose (unflatten_3d (iota (n * m * l))))
