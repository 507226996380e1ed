-- Derivatives under the names that JAX has for them. What takes a function of `a` takes one of any tuple of arrays: its gradient has the shape of its argument.
-- For numbers of type f32, the names that end in `_f32`.

-- The unit vectors.
local def units (n: i64) : *[n][n]f64 = tabulate_2d n n (\i j -> f64.bool (i == j))
local def units_f32 (n: i64) : *[n][n]f32 = tabulate_2d n n (\i j -> f32.bool (i == j))

-- | The gradient.
def grad 'a (f: a -> f64) (x: a) : a = vjp f x 1
def grad_f32 'a (f: a -> f32) (x: a) : a = vjp f x 1

-- | The value, and the gradient.
def value_and_grad 'a (f: a -> f64) (x: a) : (f64, a) = vjp2 f x 1
def value_and_grad_f32 'a (f: a -> f32) (x: a) : (f32, a) = vjp2 f x 1

-- | The derivative of a function of one number.
def derivative 'b (f: f64 -> b) (x: f64) : b = jvp f x 1
def derivative_f32 'b (f: f32 -> b) (x: f32) : b = jvp f x 1

-- | The Jacobian by forward mode: row i is the gradient of component i. For functions with more results than arguments.
def jacfwd [n][m] (f: [n]f64 -> [m]f64) (x: [n]f64) : [m][n]f64 = transpose (jmp f x (units n))
def jacfwd_f32 [n][m] (f: [n]f32 -> [m]f32) (x: [n]f32) : [m][n]f32 = transpose (jmp f x (units_f32 n))

-- | The Jacobian by forward mode, of any result: element j is its derivative with respect to argument j.
def partials [n] 'b (f: [n]f64 -> b) (x: [n]f64) : [n]b = jmp f x (units n)
def partials_f32 [n] 'b (f: [n]f32 -> b) (x: [n]f32) : [n]b = jmp f x (units_f32 n)

-- | The Jacobian by reverse mode, of any argument: element i is the gradient of component i. For functions with more arguments than results.
def jacrev [m] 'a (f: a -> [m]f64) (x: a) : [m]a = mjp f x (units m)
def jacrev_f32 [m] 'a (f: a -> [m]f32) (x: a) : [m]a = mjp f x (units_f32 m)

-- | The matrix of second derivatives: forward mode over reverse mode.
def hessian [n] (f: [n]f64 -> f64) (x: [n]f64) : [n][n]f64 = partials (grad f) x
def hessian_f32 [n] (f: [n]f32 -> f32) (x: [n]f32) : [n][n]f32 = partials_f32 (grad_f32 f) x

-- | The matrix of second derivatives, times a vector, without the matrix.
def hvp 'a (f: a -> f64) (x: a) (v: a) : a = jvp (grad f) x v
def hvp_f32 'a (f: a -> f32) (x: a) (v: a) : a = jvp (grad_f32 f) x v

-- | Zeros, as many as `x` has numbers.
def zeros_like 'a (x: a) : a = vjp (\_ -> 0f64) x 1

-- | Its argument, which has no derivative here.
def stop_gradient 'a (x: a) : a = with_jvp (\x -> x) (\x _ -> zeros_like x) x
