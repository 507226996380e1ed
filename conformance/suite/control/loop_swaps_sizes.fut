-- The carried array changes its shape from turn to turn: two sizes change places. By hand: three transpositions are one.
-- ==
-- input { [[1, 2, 3], [4, 5, 6]] 3 } output { [[1, 4], [2, 5], [3, 6]] }
-- input { [[1, 2, 3], [4, 5, 6]] 2 } output { [[1, 2, 3], [4, 5, 6]] }
entry main (xss: [][]i32) (n: i32) : [][]i32 = loop xss = xss for _i < n do transpose xss
