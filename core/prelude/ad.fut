-- Derivatives.

-- | The value of `f` at `x`, and its derivative there in the direction `x'`.
def jvp2 'a 'b (f: a -> b) (x: a) (x': a) : (b, b) = intrinsics.jvp2 f x x'

-- | The value of `f` at `x`, and the adjoint of `x` for the adjoint `y'` of the value.
def vjp2 'a 'b (f: a -> b) (x: a) (y': b) : (b, a) = intrinsics.vjp2 f x y'

-- | The derivative of `f` at `x` in the direction `x'`: forward mode.
def jvp 'a 'b (f: a -> b) (x: a) (x': a) : b = (jvp2 f x x').1

-- | The adjoint of `x` for the adjoint `y'` of `f x`: reverse mode. With the adjoint 1 of a number, its gradient.
def vjp 'a 'b (f: a -> b) (x: a) (y': b) : a = (vjp2 f x y').1
