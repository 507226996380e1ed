-- A case has the type of what is matched.
-- ==
-- error: The value does not have the type of its pattern\..*Expected: bool.*Actual: +i32
entry main (x: i32) : i32 = match x case true -> 1 case false -> 2
