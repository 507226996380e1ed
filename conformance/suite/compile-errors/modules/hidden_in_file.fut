-- What a module of another file hides stays hidden. 0.25.32 rejects it too.
-- ==
-- error: E0301.*Actual: *m\.t
import "parts/sealed"
def f (x: i32) = x
entry main (x: i32) = f (m.mk x)
