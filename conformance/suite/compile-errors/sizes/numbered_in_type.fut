-- Unknown sizes are numbered from 1 in each declaration: in a type, too. 0.25.32 rejects it too.
-- ==
-- error: ^([^d]|d[^3-9])*"d1" is unknown size returned by "filter"([^d]|d[^3-9])*$
def xs = filter (> 0) [1i32, 2]
type t = [length (zip (filter (> 0) [1i32, 2]) (filter (> 1) [1i32, 2]))]i32
