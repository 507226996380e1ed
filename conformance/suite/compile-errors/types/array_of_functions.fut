-- An abstract type that may have functions is no type of elements. 0.25.32 rejects it too.
-- ==
-- error: Cannot create array.*might contain functions
module step: { type^ step } = { type^ step = f32 -> f32 }
def steps: [2]step.step = [\x -> x, \x -> x]
entry main (n: i64) = n
