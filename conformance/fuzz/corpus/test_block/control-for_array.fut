-- Diffusion on a ring keeps the sum. One step of [1, 0, 0, 0] is [1/2, 1/4, 0, 1/4]; ten of [1, 2, 3, 4] leave 2^-10 of its slow mode
-- -(cos + sin)(pi i/2), and nothing of the fast one.
-- ==
-- input { [1.0, 0.0, 0.0, 0.0] 1i64 }
-- output { [0.5, 0.25, 0.0, 0.25] 1.0 }
-- input { [1.0, 2.0, 3.0, 4.0] 10i64 }
-- output { [2.4990234375, 2.4990234375, 2.5009765625, 2.5009765625] 10.0 }
entry main [n] (xs: [n]f64) (steps: i64): ([n]f64, f64) =
  let step (xs: [n]f64) = map (\i -> 0.5 * xs[i] + 0.25 * xs[(i + 1) % n] + 0.25 * xs[(i - 1) % n]) (iota n)
  let ys = loop ys = xs for _i < steps do step ys
  in (ys, f64.sum ys)
