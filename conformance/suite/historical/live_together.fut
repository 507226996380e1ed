-- Futhark #1755, #1754 (futhark-compat.md §7): compiled programs gave another result than interpreted ones; two arrays that were needed at one time
-- had been given the same memory. (a, b) := (a + b, a - b) three times, from ([1, 2], [10, 20]): ([11, 22], [-9, -18]), ([2, 4], [20, 40]), ([22,
-- 44], [-18, -36]). Then c = a + b = [4, 8] and the first a and b, which were needed all the time. There is nothing to differentiate here.
-- ==
-- input { [1i64, 2i64] [10i64, 20i64] 3i64 } output { [22i64, 44i64] [-18i64, -36i64] [4i64, 8i64] [11i64, 22i64] }
-- input { [1i64, 2i64] [10i64, 20i64] 0i64 } output { [1i64, 2i64] [10i64, 20i64] [11i64, 22i64] [11i64, 22i64] }
entry main [n] (as: [n]i64) (bs: [n]i64) (k: i64): ([n]i64, [n]i64, [n]i64, [n]i64) =
  let (as', bs') = loop (a, b) = (as, bs) for _i < k do (map2 (+) a b, map2 (-) a b)
  in (as', bs', map2 (+) as' bs', map2 (+) as bs)
