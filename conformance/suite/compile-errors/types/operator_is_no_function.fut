-- What is no function, or one of fewer parameters, is no operator, nor what a pipe leads to. 0.25.32 rejects each of these.
-- ==
-- error: Cannot apply "\+\+\+" as a function.*Cannot apply "-\+-" to 2 arguments: it takes 1 argument and.*Cannot apply "x" as a function.*x <\| 1i64
def (+++) : i64 = 3
def (-+-) (x: i64) = x
def no_function = 1i64 +++ 2
def of_one (x: i64) = 1i64 -+- x
def piped (x: i64) = 1i64 |> x
def left_piped (x: i64) = x <| 1i64
