-- Each step of a chain doubles the type.
-- ==
-- error: the types in it would take more
def pair 'a (x: a) = (x, x)
entry main (x: i32) =
  let y = x |> pair |> pair |> pair |> pair |> pair |> pair |> pair |> pair |> pair |> pair |> pair |> pair |> pair |> pair |> pair |> pair |> pair |> pair |> pair |> pair
  in y.0.0.0.0.0.0.0.0.0.0.0.0.0.0.0.0.0.0.0.0
