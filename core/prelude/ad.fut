-- Derivatives. Everything primitive has one: a tangent or adjoint of an integer is an integer.

-- | The value of `f` at `x`, and its derivative there in the direction `x'`.
def jvp2 'a 'b (f: a -> b) (x: a) (x': a) : (b, b) = intrinsics.jvp2 f x x'

-- | The value of `f` at `x`, and the adjoint of `x` for the adjoint `y'` of the value.
def vjp2 'a 'b (f: a -> b) (x: a) (y': b) : (b, a) = intrinsics.vjp2 f x y'

-- | `jvp2` in several directions at once.
def jmp2 'a 'b [n] (f: a -> b) (x: a) (x': [n]a) : (b, [n]b) = intrinsics.jmp2 f x x'

-- | `vjp2` for several adjoints at once.
def mjp2 'a 'b [n] (f: a -> b) (x: a) (y': [n]b) : (b, [n]a) = intrinsics.mjp2 f x y'

-- | The derivative of `f` at `x` in the direction `x'`: forward mode.
def jvp 'a 'b (f: a -> b) (x: a) (x': a) : b = (jvp2 f x x').1

-- | The adjoint of `x` for the adjoint `y'` of `f x`: reverse mode. With the adjoint 1 of a number, its gradient.
def vjp 'a 'b (f: a -> b) (x: a) (y': b) : a = (vjp2 f x y').1

-- | `jvp` in several directions at once: with all unit vectors, the Jacobian by columns.
def jmp 'a 'b [n] (f: a -> b) (x: a) (x': [n]a) : [n]b = (jmp2 f x x').1

-- | `vjp` for several adjoints at once: with all unit vectors, the Jacobian by rows.
def mjp 'a 'b [n] (f: a -> b) (x: a) (y': [n]b) : [n]a = (mjp2 f x y').1

-- | `f x`, whose derivative in reverse mode is what `f'` says: from the result and its adjoint, the adjoint of `x`. What `f` uses besides `x` is constant.
def with_vjp 'a 'b (f: a -> b) (f': (res: b) -> (b_adj: b) -> a) (x: a) : b =
  intrinsics.with_vjp (\x -> let y = f x in (y, y)) (\(y, y') -> f' y y') x

-- | `with_vjp` where `f` says itself what `f'` gets besides the adjoint of the result.
def with_vjp_tape 'a 'b 'c (f: a -> (c, b)) (f': (c, b) -> a) (x: a) : b = intrinsics.with_vjp f f' x

-- | `f x`, whose derivative in forward mode is what `f'` says: from `x` and its tangent, which it is linear in, the tangent of the result. Reverse mode, unless
-- there is a rule for it, goes by that too.
def with_jvp 'a 'b (f: a -> b) (f': (x: a) -> (x': a) -> b) (x: a) : b = intrinsics.with_jvp f f' x
