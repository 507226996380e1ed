-- Two slices from two places are two sizes and of another stride, and so are ranges with their ends and without. 0.25.32 rejects each of these.
-- ==
-- error: Sizes "total xs\[2:\]" and "total xs\[1:\]" do not.*Sizes "total xs\[::2\]" and "total xs\[:2\]" do not.*Sizes "total \(1\.\.\.k\)" and "total \(1\.\.<k\)" do not
def total (xs: []i64) = reduce (+) 0 xs
def first (xs: []i64) (as: [total xs[1:]]i32) : [total xs[2:]]i32 = as
def second (xs: []i64) (as: [total xs[:2]]i32) : [total xs[::2]]i32 = as
def third (k: i64) (as: [total (1..<k)]i32) : [total (1...k)]i32 = as
