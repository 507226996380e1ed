-- An unknown size is shown by an array, and not only by what a function returns. 0.25.32 rejects it too.
-- ==
-- error: Existential size "n"
def later: i64 -> ?[n].(x: bool) -> [n]bool = \k x -> replicate k x
entry main (n: i64) = length (later n true)
