-- A type declared with `type~` or `type^` is taken as declared, whatever it stands for: also of a module, and beside other types. 0.25.32 rejects each.
-- ==
-- error: "sized" is size-lifted.*The type "u" may not contain size-lifted or lifted types, but "\(i32, sized\)" is.*The type "v" .*"m\.t" is.*The type "w" .*"\(sized, any\)" is lifted.*The type "y" .*"\(\[\]i32, any\)" is lifted
type~ sized = i32
type^ any = i32
module m = { type~ t = i32 }
def f (xs: []sized) : i64 = length xs
type u = (i32, sized)
type v = m.t
type~ w = (sized, any)
type~ y = ([]i32, any)
entry main (x: i32) = x
