-- Points that update the places of their neighbours, in a loop of their own.

-- Each element is in as many windows of three as there are: [1, 2, 3, 2, 1].
-- ==
-- entry: windows
-- input { [1.0, 2.0, 3.0, 4.0, 5.0] } output { [1.0, 2.0, 3.0, 2.0, 1.0] }
entry windows [n] (xs: [n]f64) : [n]f64 =
  vjp (\xs -> map (\i -> loop s = 0 for k < 3 do s + xs[i + k]) (iota (n - 2)))
      xs
      (replicate (n - 2) 1)

-- The same along rows, in a nest inside of the point: [1, 2, 2, 1] in each row.
-- ==
-- entry: windows_of_rows
-- input { [[1.0, 2.0, 3.0, 4.0], [5.0, 6.0, 7.0, 8.0]] } output { [[1.0, 2.0, 2.0, 1.0], [1.0, 2.0, 2.0, 1.0]] }
entry windows_of_rows [n] [m] (xs: [n][m]f64) : [n][m]f64 =
  let sums xs =
    tabulate_2d n (m - 2) (\i j -> f64.sum (map (\k -> xs[i, j + k]) (iota 3)))
  in vjp sums xs (replicate n (replicate (m - 2) 1))
