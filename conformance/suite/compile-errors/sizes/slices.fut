-- How long a slice is follows from its bounds if it has the stride 1, or goes backwards over all; it is unknown otherwise. 0.25.32 rejects each of these.
-- ==
-- error: Expected: \[3\]i32.*Actual: +\[3 - 1\]i32.*Expected: \[n\]i32.*Actual: +\[\].*unknown length of this slice.*Expected: \[n\]i32.*Actual: +\[\].*unknown length of this slice.*Expected: \[4\]i32.*Actual: +\[\].*unknown length of this slice
def from_one (xs: []i32) : [3]i32 = xs[1:3]
def second [n] (xs: [n]i32) : [n]i32 = xs[::2]
def backwards_by_two [n] (xs: [n]i32) : [n]i32 = xs[::-2]
def of_four (xs: []i32) : [4]i32 = xs[0:4:2]
entry main (x: i32) = x
