-- The smallest integer that no f16 is nearest to: 65504, the greatest f16, and half a step more (0.25.32: Literal 65520 out of bounds for inferred type f16).
-- ==
-- error: does not fit in f16
entry main : f16 = 65520
