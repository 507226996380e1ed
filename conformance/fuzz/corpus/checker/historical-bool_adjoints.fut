-- Booleans are differentiable (futhark-compat.md §2.2): their adjoints add with "or". Comparisons have the derivative false. (No other oracle of
-- derivatives judges booleans.)
-- ==
-- entry: used_twice
-- input { true true false }   output { true }
-- input { false false true }  output { true }
-- input { true false false }  output { false }
entry used_twice (b: bool) (y': bool) (z': bool): bool = vjp (\b -> (b, b)) b (y', z')

-- ==
-- entry: comparison
-- input { 3i64 }  output { false 0i64 }
-- input { -3i64 } output { false 0i64 }
entry comparison (x: i64): (bool, i64) = (jvp (\x -> x > 1) x 1, vjp (\x -> x > 1) x true)
