-- A section may go through fields and indices in turn (reference: `(.x)`, `(.[i])`). By hand: b[1] of each record; the field b of the first one.
-- ==
-- input { [1, 2] [30, 40] } output { 2 40 1 }
entry main (x: [2]i32) (y: [2]i32) : (i32, i32, i32) =
  let records = [{a = true, b = x}, {a = false, b = y}]
  let seconds = map (.b[1]) records
  in (seconds[0], seconds[1], (.[0].b[0]) records)
