-- A36 (digest 001): a recurrent network: the state is a vector, h := tanh (W h + U x) over the inputs x; of the last the sum.
-- Expected: the function written in Python with complex numbers; its derivatives are the imaginary parts, of steps of 1e-40 i.
-- ==
-- entry: network
-- input { [[0.5, -0.25], [0.75, 0.125]] [[1.0], [-0.5]] [[0.5], [1.0], [-0.75]] }
-- output { 0.4924107337097572 [[0.8920963321686087, -0.21878138383376355], [0.28256697190882557, -0.03430603072785629]]
--          [[-0.503643536313337], [-0.5238914601524867]] [[0.011910571219246421], [0.2903030172017751], [0.717274812064656]] }
entry network [d] [m] [t] (w: [d][d]f64) (u: [d][m]f64) (xs: [t][m]f64): (f64, [d][d]f64, [d][m]f64, [t][m]f64) =
  let mv [k] [l] (a: [k][l]f64) (v: [l]f64) = map (\row -> f64.sum (map2 (*) row v)) a
  let f (w: [d][d]f64, u: [d][m]f64, xs: [t][m]f64) =
    f64.sum (loop h = replicate d 0 for x in xs do map f64.tanh (map2 (+) (mv w h) (mv u x)))
  let (y, (w', u', xs')) = vjp2 f (w, u, xs) 1
  in (y, w', u', xs')
