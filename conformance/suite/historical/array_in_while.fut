-- Futhark #2513 (futhark-compat.md §7): a loop that goes on while small arrays still change did not compile for a GPU: some of the code that is done
-- once was moved there, and could not allocate. x := (x + 1) / 2 while anything moves by more than 0.2: from 0 by 0.5, 0.25, 0.125, so 0.875 in 3
-- steps; from 0.75 by 0.125, 0.875 in 1. The derivative is 1/2 a step.
def f [n] (xs: [n]f64): ([n]f64, i64) =
  let (xs, _, k) =
    loop (xs, moved, k) = (xs, 1.0, 0) while moved > 0.2 && k < 10 do
      let next = map (\x -> (x + 1.0) / 2.0) xs
      in (next, f64.maximum (map2 (\x y -> f64.abs (x - y)) xs next), k + 1)
  in (xs, k)

-- ==
-- input { [0.0] }  output { [0.875] 3i64 [0.125] }
-- input { [0.75] } output { [0.875] 1i64 [0.5] }
-- input { [0.75, 0.0] } output { [0.96875, 0.875] 3i64 [0.125, 0.125] }
-- input { empty([0]f64) } output { empty([0]f64) 1i64 empty([0]f64) }
entry main [n] (xs: [n]f64): ([n]f64, i64, [n]f64) =
  let ((ys, k), xs') = vjp2 f xs (replicate n 1.0, 0)
  in (ys, k, xs')
