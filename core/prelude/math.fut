-- Numbers and truth values. Each type has a module of its name; conversions are named after the type they convert from.

-- | Truth values.
module bool = {
  type t = bool

  def i32 (x: i32) : bool = intrinsics.conv_i32_bool x
  def i64 (x: i64) : bool = intrinsics.conv_i64_bool x
  def f32 (x: f32) : bool = intrinsics.conv_f32_bool x
  def f64 (x: f64) : bool = intrinsics.conv_f64_bool x
  def bool (x: bool) : bool = x
  def (==) = intrinsics.eq_bool
  def (!=) (x: bool) (y: bool) : bool = !(intrinsics.eq_bool x y)
}

-- | Signed integers of 32 bits; arithmetic wraps.
module i32 = {
  type t = i32

  def i32 (x: i32) : i32 = x
  def i64 (x: i64) : i32 = intrinsics.conv_i64_i32 x
  def f32 (x: f32) : i32 = intrinsics.conv_f32_i32 x
  def f64 (x: f64) : i32 = intrinsics.conv_f64_i32 x
  def bool (x: bool) : i32 = intrinsics.conv_bool_i32 x
  def to_i32 (x: i32) : i32 = intrinsics.conv_i32_i32 x
  def to_i64 (x: i32) : i64 = intrinsics.conv_i32_i64 x

  def (+) = intrinsics.add_i32
  def (-) = intrinsics.sub_i32
  def (*) = intrinsics.mul_i32
  -- | Division toward minus infinity.
  def (/) = intrinsics.div_i32
  -- | The remainder of `/`.
  def (%) = intrinsics.mod_i32
  -- | Division toward zero.
  def (//) = intrinsics.quot_i32
  -- | The remainder of `//`.
  def (%%) = intrinsics.rem_i32
  def (**) = intrinsics.pow_i32
  def (&) = intrinsics.and_i32
  def (|) = intrinsics.or_i32
  def (^) = intrinsics.xor_i32
  def (<<) = intrinsics.shl_i32
  def (>>) = intrinsics.shr_i32
  def (>>>) = intrinsics.lshr_i32
  def (==) = intrinsics.eq_i32
  def (!=) (x: i32) (y: i32) : bool = !(intrinsics.eq_i32 x y)
  def (<) = intrinsics.lt_i32
  def (<=) = intrinsics.le_i32
  def (>) (x: i32) (y: i32) : bool = intrinsics.lt_i32 y x
  def (>=) (x: i32) (y: i32) : bool = intrinsics.le_i32 y x

  def neg = intrinsics.neg_i32
  def not = intrinsics.not_i32
  def abs = intrinsics.abs_i32
  def sgn = intrinsics.sgn_i32
  def min = intrinsics.min_i32
  def max = intrinsics.max_i32

  def num_bits : i32 = 32
  def highest : i32 = 2147483647
  def lowest : i32 = -2147483648

  def sum [n] (xs: [n]i32) : i32 = reduce_comm intrinsics.add_i32 0 xs
  def product [n] (xs: [n]i32) : i32 = reduce_comm intrinsics.mul_i32 1 xs
  def maximum [n] (xs: [n]i32) : i32 = reduce_comm intrinsics.max_i32 lowest xs
  def minimum [n] (xs: [n]i32) : i32 = reduce_comm intrinsics.min_i32 highest xs
}

-- | Signed integers of 64 bits; arithmetic wraps.
module i64 = {
  type t = i64

  def i64 (x: i64) : i64 = x
  def i32 (x: i32) : i64 = intrinsics.conv_i32_i64 x
  def f32 (x: f32) : i64 = intrinsics.conv_f32_i64 x
  def f64 (x: f64) : i64 = intrinsics.conv_f64_i64 x
  def bool (x: bool) : i64 = intrinsics.conv_bool_i64 x
  def to_i32 (x: i64) : i32 = intrinsics.conv_i64_i32 x
  def to_i64 (x: i64) : i64 = intrinsics.conv_i64_i64 x

  def (+) = intrinsics.add_i64
  def (-) = intrinsics.sub_i64
  def (*) = intrinsics.mul_i64
  -- | Division toward minus infinity.
  def (/) = intrinsics.div_i64
  -- | The remainder of `/`.
  def (%) = intrinsics.mod_i64
  -- | Division toward zero.
  def (//) = intrinsics.quot_i64
  -- | The remainder of `//`.
  def (%%) = intrinsics.rem_i64
  def (**) = intrinsics.pow_i64
  def (&) = intrinsics.and_i64
  def (|) = intrinsics.or_i64
  def (^) = intrinsics.xor_i64
  def (<<) = intrinsics.shl_i64
  def (>>) = intrinsics.shr_i64
  def (>>>) = intrinsics.lshr_i64
  def (==) = intrinsics.eq_i64
  def (!=) (x: i64) (y: i64) : bool = !(intrinsics.eq_i64 x y)
  def (<) = intrinsics.lt_i64
  def (<=) = intrinsics.le_i64
  def (>) (x: i64) (y: i64) : bool = intrinsics.lt_i64 y x
  def (>=) (x: i64) (y: i64) : bool = intrinsics.le_i64 y x

  def neg = intrinsics.neg_i64
  def not = intrinsics.not_i64
  def abs = intrinsics.abs_i64
  def sgn = intrinsics.sgn_i64
  def min = intrinsics.min_i64
  def max = intrinsics.max_i64

  def num_bits : i32 = 64
  def highest : i64 = 9223372036854775807
  def lowest : i64 = -9223372036854775808

  def sum [n] (xs: [n]i64) : i64 = reduce_comm intrinsics.add_i64 0 xs
  def product [n] (xs: [n]i64) : i64 = reduce_comm intrinsics.mul_i64 1 xs
  def maximum [n] (xs: [n]i64) : i64 = reduce_comm intrinsics.max_i64 lowest xs
  def minimum [n] (xs: [n]i64) : i64 = reduce_comm intrinsics.min_i64 highest xs
}

-- | Floating-point numbers of 32 bits.
module f32 = {
  type t = f32

  def i32 (x: i32) : f32 = intrinsics.conv_i32_f32 x
  def i64 (x: i64) : f32 = intrinsics.conv_i64_f32 x
  def f32 (x: f32) : f32 = intrinsics.conv_f32_f32 x
  def f64 (x: f64) : f32 = intrinsics.conv_f64_f32 x
  def bool (x: bool) : f32 = intrinsics.conv_bool_f32 x
  def from_fraction (x: i64) (y: i64) : f32 = intrinsics.conv_i64_f32 x / intrinsics.conv_i64_f32 y
  def to_i64 (x: f32) : i64 = intrinsics.conv_f32_i64 x
  def to_f64 (x: f32) : f64 = intrinsics.conv_f32_f64 x

  def (+) = intrinsics.add_f32
  def (-) = intrinsics.sub_f32
  def (*) = intrinsics.mul_f32
  def (/) = intrinsics.div_f32
  def (%) = intrinsics.mod_f32
  def (**) = intrinsics.pow_f32
  def (==) = intrinsics.eq_f32
  def (!=) (x: f32) (y: f32) : bool = !(intrinsics.eq_f32 x y)
  def (<) = intrinsics.lt_f32
  def (<=) = intrinsics.le_f32
  def (>) (x: f32) (y: f32) : bool = intrinsics.lt_f32 y x
  def (>=) (x: f32) (y: f32) : bool = intrinsics.le_f32 y x

  def neg = intrinsics.neg_f32
  def recip (x: f32) : f32 = intrinsics.div_f32 1 x
  def abs = intrinsics.abs_f32
  def sgn = intrinsics.sgn_f32
  def min = intrinsics.min_f32
  def max = intrinsics.max_f32

  def sqrt = intrinsics.sqrt_f32
  def rsqrt (x: f32) : f32 = intrinsics.div_f32 1 (intrinsics.sqrt_f32 x)
  def cbrt = intrinsics.cbrt_f32
  def exp = intrinsics.exp_f32
  def log = intrinsics.log_f32
  def log1p = intrinsics.log1p_f32
  def log2 = intrinsics.log2_f32
  def log10 = intrinsics.log10_f32
  def sin = intrinsics.sin_f32
  def cos = intrinsics.cos_f32
  def tan = intrinsics.tan_f32
  def asin = intrinsics.asin_f32
  def acos = intrinsics.acos_f32
  def atan = intrinsics.atan_f32
  def atan2 = intrinsics.atan2_f32
  def sinh = intrinsics.sinh_f32
  def cosh = intrinsics.cosh_f32
  def tanh = intrinsics.tanh_f32
  def asinh = intrinsics.asinh_f32
  def acosh = intrinsics.acosh_f32
  def atanh = intrinsics.atanh_f32
  def hypot = intrinsics.hypot_f32
  def erf = intrinsics.erf_f32
  def erfc = intrinsics.erfc_f32

  def ceil = intrinsics.ceil_f32
  def floor = intrinsics.floor_f32
  def round = intrinsics.round_f32
  def trunc = intrinsics.trunc_f32
  def isnan = intrinsics.isnan_f32
  def isinf = intrinsics.isinf_f32

  -- | From `x` to `y` as the last argument goes from 0 to 1.
  def lerp (x: f32) (y: f32) (t: f32) : f32 = x + (y - x) * t
  -- | `x * y + z`
  def mad (x: f32) (y: f32) (z: f32) : f32 = x * y + z

  def num_bits : i32 = 32
  def pi : f32 = 3.14159265358979323846264338327950288
  def e : f32 = 2.71828182845904523536028747135266250
  def inf : f32 = intrinsics.div_f32 1 0
  def nan : f32 = intrinsics.div_f32 0 0
  def highest : f32 = inf
  def lowest : f32 = intrinsics.neg_f32 inf

  def sum [n] (xs: [n]f32) : f32 = reduce_comm intrinsics.add_f32 0 xs
  def product [n] (xs: [n]f32) : f32 = reduce_comm intrinsics.mul_f32 1 xs
  def maximum [n] (xs: [n]f32) : f32 = reduce_comm intrinsics.max_f32 lowest xs
  def minimum [n] (xs: [n]f32) : f32 = reduce_comm intrinsics.min_f32 highest xs
}

-- | Floating-point numbers of 64 bits.
module f64 = {
  type t = f64

  def i32 (x: i32) : f64 = intrinsics.conv_i32_f64 x
  def i64 (x: i64) : f64 = intrinsics.conv_i64_f64 x
  def f32 (x: f32) : f64 = intrinsics.conv_f32_f64 x
  def f64 (x: f64) : f64 = intrinsics.conv_f64_f64 x
  def bool (x: bool) : f64 = intrinsics.conv_bool_f64 x
  def from_fraction (x: i64) (y: i64) : f64 = intrinsics.conv_i64_f64 x / intrinsics.conv_i64_f64 y
  def to_i64 (x: f64) : i64 = intrinsics.conv_f64_i64 x
  def to_f64 (x: f64) : f64 = intrinsics.conv_f64_f64 x

  def (+) = intrinsics.add_f64
  def (-) = intrinsics.sub_f64
  def (*) = intrinsics.mul_f64
  def (/) = intrinsics.div_f64
  def (%) = intrinsics.mod_f64
  def (**) = intrinsics.pow_f64
  def (==) = intrinsics.eq_f64
  def (!=) (x: f64) (y: f64) : bool = !(intrinsics.eq_f64 x y)
  def (<) = intrinsics.lt_f64
  def (<=) = intrinsics.le_f64
  def (>) (x: f64) (y: f64) : bool = intrinsics.lt_f64 y x
  def (>=) (x: f64) (y: f64) : bool = intrinsics.le_f64 y x

  def neg = intrinsics.neg_f64
  def recip (x: f64) : f64 = intrinsics.div_f64 1 x
  def abs = intrinsics.abs_f64
  def sgn = intrinsics.sgn_f64
  def min = intrinsics.min_f64
  def max = intrinsics.max_f64

  def sqrt = intrinsics.sqrt_f64
  def rsqrt (x: f64) : f64 = intrinsics.div_f64 1 (intrinsics.sqrt_f64 x)
  def cbrt = intrinsics.cbrt_f64
  def exp = intrinsics.exp_f64
  def log = intrinsics.log_f64
  def log1p = intrinsics.log1p_f64
  def log2 = intrinsics.log2_f64
  def log10 = intrinsics.log10_f64
  def sin = intrinsics.sin_f64
  def cos = intrinsics.cos_f64
  def tan = intrinsics.tan_f64
  def asin = intrinsics.asin_f64
  def acos = intrinsics.acos_f64
  def atan = intrinsics.atan_f64
  def atan2 = intrinsics.atan2_f64
  def sinh = intrinsics.sinh_f64
  def cosh = intrinsics.cosh_f64
  def tanh = intrinsics.tanh_f64
  def asinh = intrinsics.asinh_f64
  def acosh = intrinsics.acosh_f64
  def atanh = intrinsics.atanh_f64
  def hypot = intrinsics.hypot_f64
  def erf = intrinsics.erf_f64
  def erfc = intrinsics.erfc_f64

  def ceil = intrinsics.ceil_f64
  def floor = intrinsics.floor_f64
  def round = intrinsics.round_f64
  def trunc = intrinsics.trunc_f64
  def isnan = intrinsics.isnan_f64
  def isinf = intrinsics.isinf_f64

  -- | From `x` to `y` as the last argument goes from 0 to 1.
  def lerp (x: f64) (y: f64) (t: f64) : f64 = x + (y - x) * t
  -- | `x * y + z`
  def mad (x: f64) (y: f64) (z: f64) : f64 = x * y + z

  def num_bits : i32 = 64
  def pi : f64 = 3.14159265358979323846264338327950288
  def e : f64 = 2.71828182845904523536028747135266250
  def inf : f64 = intrinsics.div_f64 1 0
  def nan : f64 = intrinsics.div_f64 0 0
  def highest : f64 = inf
  def lowest : f64 = intrinsics.neg_f64 inf

  def sum [n] (xs: [n]f64) : f64 = reduce_comm intrinsics.add_f64 0 xs
  def product [n] (xs: [n]f64) : f64 = reduce_comm intrinsics.mul_f64 1 xs
  def maximum [n] (xs: [n]f64) : f64 = reduce_comm intrinsics.max_f64 lowest xs
  def minimum [n] (xs: [n]f64) : f64 = reduce_comm intrinsics.min_f64 highest xs
}
