-- Powers by exponents from 0 on: 0 is the least that is allowed. 3^k and the sum 2^0 + ... + 2^15 = 65535; by hand.
-- ==
-- entry: powers
-- input { } output { [1i64, 3i64, 9i64, 27i64, 81i64, 243i64, 729i64, 2187i64, 6561i64, 19683i64, 59049i64, 177147i64, 531441i64, 1594323i64] }
entry powers: [14]i64 = map (\k -> 3 ** k) (iota 14)

-- ==
-- entry: total
-- input { 16i64 } output { 65535i64 }
-- input { 0i64 } output { 0i64 }
entry total (n: i64): i64 = i64.sum (map (\k -> 2 ** k) (iota n))

-- ==
-- entry: given
-- input { [0i64, 1i64, 2i64, 0i64, 1i64, 2i64, 0i64, 1i64, 2i64, 0i64, 1i64, 2i64, 3i64] }
-- output { [1i64, 5i64, 25i64, 1i64, 5i64, 25i64, 1i64, 5i64, 25i64, 1i64, 5i64, 25i64, 125i64] }
-- input { [0i64, 1i64, 2i64, 0i64, 1i64, 2i64, 0i64, 1i64, 2i64, 0i64, 1i64, 2i64, -1i64] } error: negative exponent
entry given [n] (ks: [n]i64): [n]i64 = map (\k -> 5 ** k) ks
