-- The two arrays that a function returns are to have one unknown size. 0.25.32 rejects it too.
-- ==
-- error: E0401[^╯]*Sizes "[a-z_]*d1" and "[a-z_]*d2" do not match
def k (h: i64 -> ?[k].([k]i64, [k]i64)) = (h 3).0
def f (n: i64) = (filter (> 1) (iota n), filter (> 0) (iota n))
entry main = k f
