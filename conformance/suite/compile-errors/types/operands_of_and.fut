-- Both operands of `&&` must be truth values. 0.25.32 rejects it too.
-- ==
-- error: operands of "&&".*Expected: bool.*Actual: +i64.*operands of "&&".*Expected: bool.*Actual: +f32
def both (x: i64) (y: f32) = x && y
