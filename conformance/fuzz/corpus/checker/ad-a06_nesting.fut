-- A6: second derivatives in all four ways. d2/dx2 x^3 = 6 x.
def cube (x: f64): f64 = x * x * x

-- ==
-- entry: jvp_jvp jvp_vjp vjp_jvp vjp_vjp
-- input { 2.0 }   output { 12.0 }
-- input { -0.5 }  output { -3.0 }
entry jvp_jvp (x: f64): f64 = jvp (\x -> jvp cube x 1.0) x 1.0

entry jvp_vjp (x: f64): f64 = jvp (\x -> vjp cube x 1.0) x 1.0

entry vjp_jvp (x: f64): f64 = vjp (\x -> jvp cube x 1.0) x 1.0

entry vjp_vjp (x: f64): f64 = vjp (\x -> vjp cube x 1.0) x 1.0

-- Third: 6.
-- ==
-- entry: third
-- input { 2.0 } output { 6.0 }
entry third (x: f64): f64 = vjp (\x -> jvp (\x -> vjp cube x 1.0) x 1.0) x 1.0
