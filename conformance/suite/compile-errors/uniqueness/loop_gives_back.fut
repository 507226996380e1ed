-- A turn returns the marked parameter itself, so the loop's result is what it begins with, which is not its own. 0.25.32 says the same.
-- ==
-- error: Would consume "x", which is not consumable
def main (x: []i64) = loop (x: *[]i64) = x for _i < 10i32 do x
