-- Digest 001 §2.5, item 8: a wrong sign in the derivatives of sine and cosine. They are cos x and -sin x; the second ones -sin x and -cos x.
-- sin 0.5 = 0.479425538604203, cos 0.5 = 0.8775825618903728.
-- ==
-- entry: forward reverse
-- input { 0.5 }  output { 0.8775825618903728 -0.479425538604203 }
-- input { -0.5 } output { 0.8775825618903728 0.479425538604203 }
entry forward (x: f64): (f64, f64) = jvp (\x -> (f64.sin x, f64.cos x)) x 1.0

entry reverse (x: f64): (f64, f64) = (vjp f64.sin x 1.0, vjp f64.cos x 1.0)

-- ==
-- entry: twice
-- input { 0.5 } output { -0.479425538604203 -0.8775825618903728 }
entry twice (x: f64): (f64, f64) = jvp (\x -> (vjp f64.sin x 1.0, vjp f64.cos x 1.0)) x 1.0
