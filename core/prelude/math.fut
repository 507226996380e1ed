-- Numbers and truth values. Each type has a module of its name; its conversions are named after the type that they convert from. The modules of
-- one kind differ in the name of the type and in their constants only: what the names mean is said once, in the module types.
--
-- Integers wrap. `/` goes toward minus infinity and `%` has the sign of the divisor; `//` goes toward zero and `%%` has the sign of the dividend. Shifts by
-- the width or more give 0, or the sign; `>>` keeps the sign of signed integers, `>>>` of none. From a signed integer to a wider unsigned one zeros are put
-- before the bits: `u16.i8 (-1)` is 255. From floats to integers the fraction is cut off, what is out of range becomes the nearest integer in range, what is
-- not finite 0. `round` takes ties to the even neighbour; `min` and `max` the operand that is a number.

-- | What is made from every type of number and from truth values.
module type from_prim = {
  type t

  val i8 : i8 -> t
  val i16 : i16 -> t
  val i32 : i32 -> t
  val i64 : i64 -> t
  val u8 : u8 -> t
  val u16 : u16 -> t
  val u32 : u32 -> t
  val u64 : u64 -> t
  val f16 : f16 -> t
  val f32 : f32 -> t
  val f64 : f64 -> t
  -- | 1 for true, 0 for false.
  val bool : bool -> t
}

-- | Numbers.
module type numeric = {
  include from_prim

  val + : t -> t -> t
  val - : t -> t -> t
  val * : t -> t -> t
  -- | Of integers toward minus infinity; division by zero is an error then.
  val / : t -> t -> t
  -- | What `/` leaves: of integers with the sign of the divisor, of floats with the sign of the dividend.
  val % : t -> t -> t
  -- | A power; a negative exponent of an integer is an error.
  val ** : t -> t -> t

  val to_i64 : t -> i64

  val == : t -> t -> bool
  val < : t -> t -> bool
  val > : t -> t -> bool
  val <= : t -> t -> bool
  val >= : t -> t -> bool
  val != : t -> t -> bool

  -- | `-x`; the lowest integer stays what it is, as in `abs`.
  val neg : t -> t
  -- | The larger; if one is not a number, the other.
  val max : t -> t -> t
  val min : t -> t -> t
  val abs : t -> t
  -- | -1, 0 or 1.
  val sgn : t -> t

  -- | The greatest number; of floats, infinity.
  val highest : t
  -- | The least number; of floats, minus infinity.
  val lowest : t

  -- | 0 of nothing.
  val sum [n] : [n]t -> t
  -- | 1 of nothing.
  val product [n] : [n]t -> t
  -- | `lowest` of nothing.
  val maximum [n] : [n]t -> t
  -- | `highest` of nothing.
  val minimum [n] : [n]t -> t
}

-- | Integers, which wrap.
module type integral = {
  include numeric

  -- | Division toward zero.
  val // : t -> t -> t
  -- | What `//` leaves, with the sign of the dividend.
  val %% : t -> t -> t

  val & : t -> t -> t
  val | : t -> t -> t
  val ^ : t -> t -> t
  -- | All bits the other way.
  val not : t -> t

  val << : t -> t -> t
  -- | The sign comes in from the left, of unsigned integers zero.
  val >> : t -> t -> t
  -- | Zero comes in from the left.
  val >>> : t -> t -> t

  val num_bits : i32
  -- | The bit of that number, 0 being the lowest.
  val get_bit : i32 -> t -> i32
  -- | The number with that bit set to 0 or 1.
  val set_bit : i32 -> t -> i32 -> t
  -- | How many bits are 1.
  val popc : t -> i32
  -- | The upper half of the product.
  val mul_hi : (x: t) -> (y: t) -> t
  -- | `mul_hi a b + c`
  val mad_hi : (a: t) -> (b: t) -> (c: t) -> t
  -- | How many zeros come before the highest 1.
  val clz : t -> i32
  -- | How many zeros come after the lowest 1.
  val ctz : t -> i32
}

-- | Numbers with fractions.
module type real = {
  include numeric

  val recip : t -> t
  -- | A quotient of integers.
  val from_fraction : i64 -> i64 -> t
  -- | Without the fraction.
  val to_i64 : t -> i64
  val to_f64 : t -> f64

  val sqrt : t -> t
  -- | `1 / sqrt x`
  val rsqrt : t -> t
  val cbrt : t -> t
  val exp : t -> t

  val sin : t -> t
  val cos : t -> t
  val tan : t -> t
  -- | `sin (pi * x)`, but exact at halves; so the next two.
  val sinpi : t -> t
  val cospi : t -> t
  val tanpi : t -> t
  val asin : t -> t
  val acos : t -> t
  val atan : t -> t
  -- | `asin x / pi`; so the next two.
  val asinpi : t -> t
  val acospi : t -> t
  val atanpi : t -> t
  val sinh : t -> t
  val cosh : t -> t
  val tanh : t -> t
  val asinh : t -> t
  val acosh : t -> t
  val atanh : t -> t
  -- | `atan2 y x` is the angle of the point (x, y).
  val atan2 : t -> t -> t
  -- | `atan2 y x / pi`
  val atan2pi : t -> t -> t
  -- | `sqrt (x*x + y*y)`, which does not overflow on the way.
  val hypot : t -> t -> t

  val gamma : t -> t
  -- | The logarithm of the absolute value of `gamma`.
  val lgamma : t -> t
  val erf : t -> t
  -- | `1 - erf x`
  val erfc : t -> t
  -- | `lerp x y a` goes from x to y as a goes from 0 to 1, and stays there.
  val lerp : t -> t -> t -> t

  val log : t -> t
  val log2 : t -> t
  val log10 : t -> t
  -- | `log (1 + x)`
  val log1p : t -> t

  val ceil : t -> t
  val floor : t -> t
  -- | Toward zero.
  val trunc : t -> t
  -- | To the nearest, of two to the even one.
  val round : t -> t

  -- | `a * b + c`
  val mad : (a: t) -> (b: t) -> (c: t) -> t
  -- | `a * b + c`, rounded once.
  val fma : (a: t) -> (b: t) -> (c: t) -> t

  val isinf : t -> bool
  val isnan : t -> bool

  val inf : t
  val nan : t
  val pi : t
  val e : t
}

-- | Numbers with fractions, as bits.
module type float = {
  include real

  -- | The unsigned integer that is as wide.
  type int_t

  val from_bits : int_t -> t
  val to_bits : t -> int_t
  val num_bits : i32
  val get_bit : i32 -> t -> i32
  val set_bit : i32 -> t -> i32 -> t

  -- | From 1 to the next.
  val epsilon : t
  -- | The next after x on the way to y.
  val nextafter : (x: t) -> (y: t) -> t
  -- | `ldexp x n` is `x * 2**n`.
  val ldexp : t -> i32 -> t
  -- | The magnitude of x with the sign of y.
  val copysign : (x: t) -> (y: t) -> t
}

-- | Truth values. Of numbers, 0 is false and all else true.
module bool = {
  type t = bool

  def i8 = intrinsics.conv_i8_bool
  def i16 = intrinsics.conv_i16_bool
  def i32 = intrinsics.conv_i32_bool
  def i64 = intrinsics.conv_i64_bool
  def u8 = intrinsics.conv_u8_bool
  def u16 = intrinsics.conv_u16_bool
  def u32 = intrinsics.conv_u32_bool
  def u64 = intrinsics.conv_u64_bool
  def f16 = intrinsics.conv_f16_bool
  def f32 = intrinsics.conv_f32_bool
  def f64 = intrinsics.conv_f64_bool
  def bool = intrinsics.conv_bool_bool
}

-- | Signed integers of 8 bits.
module i8 = {
  type t = i8

  def i8 = intrinsics.conv_i8_i8
  def i16 = intrinsics.conv_i16_i8
  def i32 = intrinsics.conv_i32_i8
  def i64 = intrinsics.conv_i64_i8
  def u8 = intrinsics.conv_u8_i8
  def u16 = intrinsics.conv_u16_i8
  def u32 = intrinsics.conv_u32_i8
  def u64 = intrinsics.conv_u64_i8
  def f16 = intrinsics.conv_f16_i8
  def f32 = intrinsics.conv_f32_i8
  def f64 = intrinsics.conv_f64_i8
  def bool = intrinsics.conv_bool_i8

  def (+) = intrinsics.add_i8
  def (-) = intrinsics.sub_i8
  def (*) = intrinsics.mul_i8
  def (/) = intrinsics.div_i8
  def (%) = intrinsics.mod_i8
  def (**) = intrinsics.pow_i8
  def (==) = intrinsics.eq_i8
  def (<) = intrinsics.lt_i8
  def (<=) = intrinsics.le_i8
  def (>) (x: i8) (y: i8) : bool = y < x
  def (>=) (x: i8) (y: i8) : bool = y <= x
  def (!=) (x: i8) (y: i8) : bool = !(x == y)
  def neg = intrinsics.neg_i8
  def abs = intrinsics.abs_i8
  def sgn = intrinsics.sgn_i8
  def min = intrinsics.min_i8
  def max = intrinsics.max_i8
  def to_i64 = intrinsics.conv_i8_i64

  def (//) = intrinsics.quot_i8
  def (%%) = intrinsics.rem_i8
  def (&) = intrinsics.and_i8
  def (|) = intrinsics.or_i8
  def (^) = intrinsics.xor_i8
  def (<<) = intrinsics.shl_i8
  def (>>) = intrinsics.shr_i8
  def (>>>) = intrinsics.lshr_i8
  def not = intrinsics.not_i8
  def get_bit = intrinsics.get_bit_i8
  def set_bit = intrinsics.set_bit_i8
  def popc = intrinsics.popc_i8
  def clz = intrinsics.clz_i8
  def ctz = intrinsics.ctz_i8
  -- | `rotl x y` is x with its bits turned left by y, modulo the width.
  def rotl = intrinsics.rotl_i8
  def mul_hi = intrinsics.mul_hi_i8
  def mad_hi = intrinsics.mad_hi_i8

  def num_bits : i32 = 8
  def highest : i8 = 127
  def lowest : i8 = -128

  def sum [n] (xs: [n]i8) : i8 = reduce_comm (+) 0 xs
  def product [n] (xs: [n]i8) : i8 = reduce_comm (*) 1 xs
  def maximum [n] (xs: [n]i8) : i8 = reduce_comm max lowest xs
  def minimum [n] (xs: [n]i8) : i8 = reduce_comm min highest xs
}

-- | Signed integers of 16 bits.
module i16 = {
  type t = i16

  def i8 = intrinsics.conv_i8_i16
  def i16 = intrinsics.conv_i16_i16
  def i32 = intrinsics.conv_i32_i16
  def i64 = intrinsics.conv_i64_i16
  def u8 = intrinsics.conv_u8_i16
  def u16 = intrinsics.conv_u16_i16
  def u32 = intrinsics.conv_u32_i16
  def u64 = intrinsics.conv_u64_i16
  def f16 = intrinsics.conv_f16_i16
  def f32 = intrinsics.conv_f32_i16
  def f64 = intrinsics.conv_f64_i16
  def bool = intrinsics.conv_bool_i16

  def (+) = intrinsics.add_i16
  def (-) = intrinsics.sub_i16
  def (*) = intrinsics.mul_i16
  def (/) = intrinsics.div_i16
  def (%) = intrinsics.mod_i16
  def (**) = intrinsics.pow_i16
  def (==) = intrinsics.eq_i16
  def (<) = intrinsics.lt_i16
  def (<=) = intrinsics.le_i16
  def (>) (x: i16) (y: i16) : bool = y < x
  def (>=) (x: i16) (y: i16) : bool = y <= x
  def (!=) (x: i16) (y: i16) : bool = !(x == y)
  def neg = intrinsics.neg_i16
  def abs = intrinsics.abs_i16
  def sgn = intrinsics.sgn_i16
  def min = intrinsics.min_i16
  def max = intrinsics.max_i16
  def to_i64 = intrinsics.conv_i16_i64

  def (//) = intrinsics.quot_i16
  def (%%) = intrinsics.rem_i16
  def (&) = intrinsics.and_i16
  def (|) = intrinsics.or_i16
  def (^) = intrinsics.xor_i16
  def (<<) = intrinsics.shl_i16
  def (>>) = intrinsics.shr_i16
  def (>>>) = intrinsics.lshr_i16
  def not = intrinsics.not_i16
  def get_bit = intrinsics.get_bit_i16
  def set_bit = intrinsics.set_bit_i16
  def popc = intrinsics.popc_i16
  def clz = intrinsics.clz_i16
  def ctz = intrinsics.ctz_i16
  -- | `rotl x y` is x with its bits turned left by y, modulo the width.
  def rotl = intrinsics.rotl_i16
  def mul_hi = intrinsics.mul_hi_i16
  def mad_hi = intrinsics.mad_hi_i16

  def num_bits : i32 = 16
  def highest : i16 = 32767
  def lowest : i16 = -32768

  def sum [n] (xs: [n]i16) : i16 = reduce_comm (+) 0 xs
  def product [n] (xs: [n]i16) : i16 = reduce_comm (*) 1 xs
  def maximum [n] (xs: [n]i16) : i16 = reduce_comm max lowest xs
  def minimum [n] (xs: [n]i16) : i16 = reduce_comm min highest xs
}

-- | Signed integers of 32 bits.
module i32 = {
  type t = i32

  def i8 = intrinsics.conv_i8_i32
  def i16 = intrinsics.conv_i16_i32
  def i32 = intrinsics.conv_i32_i32
  def i64 = intrinsics.conv_i64_i32
  def u8 = intrinsics.conv_u8_i32
  def u16 = intrinsics.conv_u16_i32
  def u32 = intrinsics.conv_u32_i32
  def u64 = intrinsics.conv_u64_i32
  def f16 = intrinsics.conv_f16_i32
  def f32 = intrinsics.conv_f32_i32
  def f64 = intrinsics.conv_f64_i32
  def bool = intrinsics.conv_bool_i32

  def (+) = intrinsics.add_i32
  def (-) = intrinsics.sub_i32
  def (*) = intrinsics.mul_i32
  def (/) = intrinsics.div_i32
  def (%) = intrinsics.mod_i32
  def (**) = intrinsics.pow_i32
  def (==) = intrinsics.eq_i32
  def (<) = intrinsics.lt_i32
  def (<=) = intrinsics.le_i32
  def (>) (x: i32) (y: i32) : bool = y < x
  def (>=) (x: i32) (y: i32) : bool = y <= x
  def (!=) (x: i32) (y: i32) : bool = !(x == y)
  def neg = intrinsics.neg_i32
  def abs = intrinsics.abs_i32
  def sgn = intrinsics.sgn_i32
  def min = intrinsics.min_i32
  def max = intrinsics.max_i32
  def to_i64 = intrinsics.conv_i32_i64

  def (//) = intrinsics.quot_i32
  def (%%) = intrinsics.rem_i32
  def (&) = intrinsics.and_i32
  def (|) = intrinsics.or_i32
  def (^) = intrinsics.xor_i32
  def (<<) = intrinsics.shl_i32
  def (>>) = intrinsics.shr_i32
  def (>>>) = intrinsics.lshr_i32
  def not = intrinsics.not_i32
  def get_bit = intrinsics.get_bit_i32
  def set_bit = intrinsics.set_bit_i32
  def popc = intrinsics.popc_i32
  def clz = intrinsics.clz_i32
  def ctz = intrinsics.ctz_i32
  -- | `rotl x y` is x with its bits turned left by y, modulo the width.
  def rotl = intrinsics.rotl_i32
  def mul_hi = intrinsics.mul_hi_i32
  def mad_hi = intrinsics.mad_hi_i32

  def num_bits : i32 = 32
  def highest : i32 = 2147483647
  def lowest : i32 = -2147483648

  def sum [n] (xs: [n]i32) : i32 = reduce_comm (+) 0 xs
  def product [n] (xs: [n]i32) : i32 = reduce_comm (*) 1 xs
  def maximum [n] (xs: [n]i32) : i32 = reduce_comm max lowest xs
  def minimum [n] (xs: [n]i32) : i32 = reduce_comm min highest xs
}

-- | Signed integers of 64 bits.
module i64 = {
  type t = i64

  def i8 = intrinsics.conv_i8_i64
  def i16 = intrinsics.conv_i16_i64
  def i32 = intrinsics.conv_i32_i64
  def i64 = intrinsics.conv_i64_i64
  def u8 = intrinsics.conv_u8_i64
  def u16 = intrinsics.conv_u16_i64
  def u32 = intrinsics.conv_u32_i64
  def u64 = intrinsics.conv_u64_i64
  def f16 = intrinsics.conv_f16_i64
  def f32 = intrinsics.conv_f32_i64
  def f64 = intrinsics.conv_f64_i64
  def bool = intrinsics.conv_bool_i64

  def (+) = intrinsics.add_i64
  def (-) = intrinsics.sub_i64
  def (*) = intrinsics.mul_i64
  def (/) = intrinsics.div_i64
  def (%) = intrinsics.mod_i64
  def (**) = intrinsics.pow_i64
  def (==) = intrinsics.eq_i64
  def (<) = intrinsics.lt_i64
  def (<=) = intrinsics.le_i64
  def (>) (x: i64) (y: i64) : bool = y < x
  def (>=) (x: i64) (y: i64) : bool = y <= x
  def (!=) (x: i64) (y: i64) : bool = !(x == y)
  def neg = intrinsics.neg_i64
  def abs = intrinsics.abs_i64
  def sgn = intrinsics.sgn_i64
  def min = intrinsics.min_i64
  def max = intrinsics.max_i64
  def to_i64 = intrinsics.conv_i64_i64

  def (//) = intrinsics.quot_i64
  def (%%) = intrinsics.rem_i64
  def (&) = intrinsics.and_i64
  def (|) = intrinsics.or_i64
  def (^) = intrinsics.xor_i64
  def (<<) = intrinsics.shl_i64
  def (>>) = intrinsics.shr_i64
  def (>>>) = intrinsics.lshr_i64
  def not = intrinsics.not_i64
  def get_bit = intrinsics.get_bit_i64
  def set_bit = intrinsics.set_bit_i64
  def popc = intrinsics.popc_i64
  def clz = intrinsics.clz_i64
  def ctz = intrinsics.ctz_i64
  -- | `rotl x y` is x with its bits turned left by y, modulo the width.
  def rotl = intrinsics.rotl_i64
  def mul_hi = intrinsics.mul_hi_i64
  def mad_hi = intrinsics.mad_hi_i64

  def num_bits : i32 = 64
  def highest : i64 = 9223372036854775807
  def lowest : i64 = -9223372036854775808

  def sum [n] (xs: [n]i64) : i64 = reduce_comm (+) 0 xs
  def product [n] (xs: [n]i64) : i64 = reduce_comm (*) 1 xs
  def maximum [n] (xs: [n]i64) : i64 = reduce_comm max lowest xs
  def minimum [n] (xs: [n]i64) : i64 = reduce_comm min highest xs
}

-- | Unsigned integers of 8 bits.
module u8 = {
  type t = u8

  def i8 = intrinsics.conv_i8_u8
  def i16 = intrinsics.conv_i16_u8
  def i32 = intrinsics.conv_i32_u8
  def i64 = intrinsics.conv_i64_u8
  def u8 = intrinsics.conv_u8_u8
  def u16 = intrinsics.conv_u16_u8
  def u32 = intrinsics.conv_u32_u8
  def u64 = intrinsics.conv_u64_u8
  def f16 = intrinsics.conv_f16_u8
  def f32 = intrinsics.conv_f32_u8
  def f64 = intrinsics.conv_f64_u8
  def bool = intrinsics.conv_bool_u8

  def (+) = intrinsics.add_u8
  def (-) = intrinsics.sub_u8
  def (*) = intrinsics.mul_u8
  def (/) = intrinsics.div_u8
  def (%) = intrinsics.mod_u8
  def (**) = intrinsics.pow_u8
  def (==) = intrinsics.eq_u8
  def (<) = intrinsics.lt_u8
  def (<=) = intrinsics.le_u8
  def (>) (x: u8) (y: u8) : bool = y < x
  def (>=) (x: u8) (y: u8) : bool = y <= x
  def (!=) (x: u8) (y: u8) : bool = !(x == y)
  def neg = intrinsics.neg_u8
  def abs = intrinsics.abs_u8
  def sgn = intrinsics.sgn_u8
  def min = intrinsics.min_u8
  def max = intrinsics.max_u8
  def to_i64 = intrinsics.conv_u8_i64

  def (//) = intrinsics.quot_u8
  def (%%) = intrinsics.rem_u8
  def (&) = intrinsics.and_u8
  def (|) = intrinsics.or_u8
  def (^) = intrinsics.xor_u8
  def (<<) = intrinsics.shl_u8
  def (>>) = intrinsics.shr_u8
  def (>>>) = intrinsics.lshr_u8
  def not = intrinsics.not_u8
  def get_bit = intrinsics.get_bit_u8
  def set_bit = intrinsics.set_bit_u8
  def popc = intrinsics.popc_u8
  def clz = intrinsics.clz_u8
  def ctz = intrinsics.ctz_u8
  -- | `rotl x y` is x with its bits turned left by y, modulo the width.
  def rotl = intrinsics.rotl_u8
  def mul_hi = intrinsics.mul_hi_u8
  def mad_hi = intrinsics.mad_hi_u8

  def num_bits : i32 = 8
  def highest : u8 = 255
  def lowest : u8 = 0

  def sum [n] (xs: [n]u8) : u8 = reduce_comm (+) 0 xs
  def product [n] (xs: [n]u8) : u8 = reduce_comm (*) 1 xs
  def maximum [n] (xs: [n]u8) : u8 = reduce_comm max lowest xs
  def minimum [n] (xs: [n]u8) : u8 = reduce_comm min highest xs
}

-- | Unsigned integers of 16 bits.
module u16 = {
  type t = u16

  def i8 (x: i8) : u16 = intrinsics.conv_u8_u16 (intrinsics.conv_i8_u8 x)
  def i16 = intrinsics.conv_i16_u16
  def i32 = intrinsics.conv_i32_u16
  def i64 = intrinsics.conv_i64_u16
  def u8 = intrinsics.conv_u8_u16
  def u16 = intrinsics.conv_u16_u16
  def u32 = intrinsics.conv_u32_u16
  def u64 = intrinsics.conv_u64_u16
  def f16 = intrinsics.conv_f16_u16
  def f32 = intrinsics.conv_f32_u16
  def f64 = intrinsics.conv_f64_u16
  def bool = intrinsics.conv_bool_u16

  def (+) = intrinsics.add_u16
  def (-) = intrinsics.sub_u16
  def (*) = intrinsics.mul_u16
  def (/) = intrinsics.div_u16
  def (%) = intrinsics.mod_u16
  def (**) = intrinsics.pow_u16
  def (==) = intrinsics.eq_u16
  def (<) = intrinsics.lt_u16
  def (<=) = intrinsics.le_u16
  def (>) (x: u16) (y: u16) : bool = y < x
  def (>=) (x: u16) (y: u16) : bool = y <= x
  def (!=) (x: u16) (y: u16) : bool = !(x == y)
  def neg = intrinsics.neg_u16
  def abs = intrinsics.abs_u16
  def sgn = intrinsics.sgn_u16
  def min = intrinsics.min_u16
  def max = intrinsics.max_u16
  def to_i64 = intrinsics.conv_u16_i64

  def (//) = intrinsics.quot_u16
  def (%%) = intrinsics.rem_u16
  def (&) = intrinsics.and_u16
  def (|) = intrinsics.or_u16
  def (^) = intrinsics.xor_u16
  def (<<) = intrinsics.shl_u16
  def (>>) = intrinsics.shr_u16
  def (>>>) = intrinsics.lshr_u16
  def not = intrinsics.not_u16
  def get_bit = intrinsics.get_bit_u16
  def set_bit = intrinsics.set_bit_u16
  def popc = intrinsics.popc_u16
  def clz = intrinsics.clz_u16
  def ctz = intrinsics.ctz_u16
  -- | `rotl x y` is x with its bits turned left by y, modulo the width.
  def rotl = intrinsics.rotl_u16
  def mul_hi = intrinsics.mul_hi_u16
  def mad_hi = intrinsics.mad_hi_u16

  def num_bits : i32 = 16
  def highest : u16 = 65535
  def lowest : u16 = 0

  def sum [n] (xs: [n]u16) : u16 = reduce_comm (+) 0 xs
  def product [n] (xs: [n]u16) : u16 = reduce_comm (*) 1 xs
  def maximum [n] (xs: [n]u16) : u16 = reduce_comm max lowest xs
  def minimum [n] (xs: [n]u16) : u16 = reduce_comm min highest xs
}

-- | Unsigned integers of 32 bits.
module u32 = {
  type t = u32

  def i8 (x: i8) : u32 = intrinsics.conv_u8_u32 (intrinsics.conv_i8_u8 x)
  def i16 (x: i16) : u32 = intrinsics.conv_u16_u32 (intrinsics.conv_i16_u16 x)
  def i32 = intrinsics.conv_i32_u32
  def i64 = intrinsics.conv_i64_u32
  def u8 = intrinsics.conv_u8_u32
  def u16 = intrinsics.conv_u16_u32
  def u32 = intrinsics.conv_u32_u32
  def u64 = intrinsics.conv_u64_u32
  def f16 = intrinsics.conv_f16_u32
  def f32 = intrinsics.conv_f32_u32
  def f64 = intrinsics.conv_f64_u32
  def bool = intrinsics.conv_bool_u32

  def (+) = intrinsics.add_u32
  def (-) = intrinsics.sub_u32
  def (*) = intrinsics.mul_u32
  def (/) = intrinsics.div_u32
  def (%) = intrinsics.mod_u32
  def (**) = intrinsics.pow_u32
  def (==) = intrinsics.eq_u32
  def (<) = intrinsics.lt_u32
  def (<=) = intrinsics.le_u32
  def (>) (x: u32) (y: u32) : bool = y < x
  def (>=) (x: u32) (y: u32) : bool = y <= x
  def (!=) (x: u32) (y: u32) : bool = !(x == y)
  def neg = intrinsics.neg_u32
  def abs = intrinsics.abs_u32
  def sgn = intrinsics.sgn_u32
  def min = intrinsics.min_u32
  def max = intrinsics.max_u32
  def to_i64 = intrinsics.conv_u32_i64

  def (//) = intrinsics.quot_u32
  def (%%) = intrinsics.rem_u32
  def (&) = intrinsics.and_u32
  def (|) = intrinsics.or_u32
  def (^) = intrinsics.xor_u32
  def (<<) = intrinsics.shl_u32
  def (>>) = intrinsics.shr_u32
  def (>>>) = intrinsics.lshr_u32
  def not = intrinsics.not_u32
  def get_bit = intrinsics.get_bit_u32
  def set_bit = intrinsics.set_bit_u32
  def popc = intrinsics.popc_u32
  def clz = intrinsics.clz_u32
  def ctz = intrinsics.ctz_u32
  -- | `rotl x y` is x with its bits turned left by y, modulo the width.
  def rotl = intrinsics.rotl_u32
  def mul_hi = intrinsics.mul_hi_u32
  def mad_hi = intrinsics.mad_hi_u32

  def num_bits : i32 = 32
  def highest : u32 = 4294967295
  def lowest : u32 = 0

  def sum [n] (xs: [n]u32) : u32 = reduce_comm (+) 0 xs
  def product [n] (xs: [n]u32) : u32 = reduce_comm (*) 1 xs
  def maximum [n] (xs: [n]u32) : u32 = reduce_comm max lowest xs
  def minimum [n] (xs: [n]u32) : u32 = reduce_comm min highest xs
}

-- | Unsigned integers of 64 bits.
module u64 = {
  type t = u64

  def i8 (x: i8) : u64 = intrinsics.conv_u8_u64 (intrinsics.conv_i8_u8 x)
  def i16 (x: i16) : u64 = intrinsics.conv_u16_u64 (intrinsics.conv_i16_u16 x)
  def i32 (x: i32) : u64 = intrinsics.conv_u32_u64 (intrinsics.conv_i32_u32 x)
  def i64 = intrinsics.conv_i64_u64
  def u8 = intrinsics.conv_u8_u64
  def u16 = intrinsics.conv_u16_u64
  def u32 = intrinsics.conv_u32_u64
  def u64 = intrinsics.conv_u64_u64
  def f16 = intrinsics.conv_f16_u64
  def f32 = intrinsics.conv_f32_u64
  def f64 = intrinsics.conv_f64_u64
  def bool = intrinsics.conv_bool_u64

  def (+) = intrinsics.add_u64
  def (-) = intrinsics.sub_u64
  def (*) = intrinsics.mul_u64
  def (/) = intrinsics.div_u64
  def (%) = intrinsics.mod_u64
  def (**) = intrinsics.pow_u64
  def (==) = intrinsics.eq_u64
  def (<) = intrinsics.lt_u64
  def (<=) = intrinsics.le_u64
  def (>) (x: u64) (y: u64) : bool = y < x
  def (>=) (x: u64) (y: u64) : bool = y <= x
  def (!=) (x: u64) (y: u64) : bool = !(x == y)
  def neg = intrinsics.neg_u64
  def abs = intrinsics.abs_u64
  def sgn = intrinsics.sgn_u64
  def min = intrinsics.min_u64
  def max = intrinsics.max_u64
  def to_i64 = intrinsics.conv_u64_i64

  def (//) = intrinsics.quot_u64
  def (%%) = intrinsics.rem_u64
  def (&) = intrinsics.and_u64
  def (|) = intrinsics.or_u64
  def (^) = intrinsics.xor_u64
  def (<<) = intrinsics.shl_u64
  def (>>) = intrinsics.shr_u64
  def (>>>) = intrinsics.lshr_u64
  def not = intrinsics.not_u64
  def get_bit = intrinsics.get_bit_u64
  def set_bit = intrinsics.set_bit_u64
  def popc = intrinsics.popc_u64
  def clz = intrinsics.clz_u64
  def ctz = intrinsics.ctz_u64
  -- | `rotl x y` is x with its bits turned left by y, modulo the width.
  def rotl = intrinsics.rotl_u64
  def mul_hi = intrinsics.mul_hi_u64
  def mad_hi = intrinsics.mad_hi_u64

  def num_bits : i32 = 64
  def highest : u64 = 18446744073709551615
  def lowest : u64 = 0

  def sum [n] (xs: [n]u64) : u64 = reduce_comm (+) 0 xs
  def product [n] (xs: [n]u64) : u64 = reduce_comm (*) 1 xs
  def maximum [n] (xs: [n]u64) : u64 = reduce_comm max lowest xs
  def minimum [n] (xs: [n]u64) : u64 = reduce_comm min highest xs
}

-- | Floating-point numbers of 16 bits.
module f16 = {
  type t = f16
  type int_t = u16

  def i8 = intrinsics.conv_i8_f16
  def i16 = intrinsics.conv_i16_f16
  def i32 = intrinsics.conv_i32_f16
  def i64 = intrinsics.conv_i64_f16
  def u8 = intrinsics.conv_u8_f16
  def u16 = intrinsics.conv_u16_f16
  def u32 = intrinsics.conv_u32_f16
  def u64 = intrinsics.conv_u64_f16
  def f16 = intrinsics.conv_f16_f16
  def f32 = intrinsics.conv_f32_f16
  def f64 = intrinsics.conv_f64_f16
  def bool = intrinsics.conv_bool_f16

  def (+) = intrinsics.add_f16
  def (-) = intrinsics.sub_f16
  def (*) = intrinsics.mul_f16
  def (/) = intrinsics.div_f16
  def (%) = intrinsics.mod_f16
  def (**) = intrinsics.pow_f16
  def (==) = intrinsics.eq_f16
  def (<) = intrinsics.lt_f16
  def (<=) = intrinsics.le_f16
  def (>) (x: f16) (y: f16) : bool = y < x
  def (>=) (x: f16) (y: f16) : bool = y <= x
  def (!=) (x: f16) (y: f16) : bool = !(x == y)
  def neg = intrinsics.neg_f16
  def abs = intrinsics.abs_f16
  def sgn = intrinsics.sgn_f16
  def min = intrinsics.min_f16
  def max = intrinsics.max_f16
  def to_i64 = intrinsics.conv_f16_i64
  def to_f64 = intrinsics.conv_f16_f64

  def sqrt = intrinsics.sqrt_f16
  def cbrt = intrinsics.cbrt_f16
  def exp = intrinsics.exp_f16
  def log = intrinsics.log_f16
  def log2 = intrinsics.log2_f16
  def log10 = intrinsics.log10_f16
  def log1p = intrinsics.log1p_f16
  def sin = intrinsics.sin_f16
  def cos = intrinsics.cos_f16
  def tan = intrinsics.tan_f16
  def asin = intrinsics.asin_f16
  def acos = intrinsics.acos_f16
  def atan = intrinsics.atan_f16
  def atan2 = intrinsics.atan2_f16
  def sinh = intrinsics.sinh_f16
  def cosh = intrinsics.cosh_f16
  def tanh = intrinsics.tanh_f16
  def asinh = intrinsics.asinh_f16
  def acosh = intrinsics.acosh_f16
  def atanh = intrinsics.atanh_f16
  def sinpi = intrinsics.sinpi_f16
  def cospi = intrinsics.cospi_f16
  def tanpi = intrinsics.tanpi_f16
  def asinpi = intrinsics.asinpi_f16
  def acospi = intrinsics.acospi_f16
  def atanpi = intrinsics.atanpi_f16
  def atan2pi = intrinsics.atan2pi_f16
  def hypot = intrinsics.hypot_f16
  def gamma = intrinsics.gamma_f16
  def lgamma = intrinsics.lgamma_f16
  def erf = intrinsics.erf_f16
  def erfc = intrinsics.erfc_f16
  def ceil = intrinsics.ceil_f16
  def floor = intrinsics.floor_f16
  def trunc = intrinsics.trunc_f16
  def round = intrinsics.round_f16
  def isnan = intrinsics.isnan_f16
  def isinf = intrinsics.isinf_f16
  def fma = intrinsics.fma_f16
  def recip (x: f16) : f16 = 1 / x
  def rsqrt (x: f16) : f16 = 1 / sqrt x
  def from_fraction (x: i64) (y: i64) : f16 = i64 x / i64 y
  def mad (x: f16) (y: f16) (z: f16) : f16 = x * y + z
  def lerp (x: f16) (y: f16) (a: f16) : f16 = x + (y - x) * min (max a 0) 1

  def from_bits = intrinsics.from_bits_f16
  def to_bits = intrinsics.to_bits_f16
  def get_bit = intrinsics.get_bit_f16
  def set_bit = intrinsics.set_bit_f16
  def nextafter = intrinsics.nextafter_f16
  def ldexp = intrinsics.ldexp_f16
  def copysign = intrinsics.copysign_f16

  def num_bits : i32 = 16
  def pi : f16 = 3.14159265358979323846264338327950288
  def e : f16 = 2.71828182845904523536028747135266250
  def epsilon : f16 = 9.765625e-4
  def inf : f16 = 1 / 0
  def nan : f16 = 0 / 0
  def highest : f16 = inf
  def lowest : f16 = -inf

  def sum [n] (xs: [n]f16) : f16 = reduce_comm (+) 0 xs
  def product [n] (xs: [n]f16) : f16 = reduce_comm (*) 1 xs
  def maximum [n] (xs: [n]f16) : f16 = reduce_comm max lowest xs
  def minimum [n] (xs: [n]f16) : f16 = reduce_comm min highest xs
}

-- | Floating-point numbers of 32 bits.
module f32 = {
  type t = f32
  type int_t = u32

  def i8 = intrinsics.conv_i8_f32
  def i16 = intrinsics.conv_i16_f32
  def i32 = intrinsics.conv_i32_f32
  def i64 = intrinsics.conv_i64_f32
  def u8 = intrinsics.conv_u8_f32
  def u16 = intrinsics.conv_u16_f32
  def u32 = intrinsics.conv_u32_f32
  def u64 = intrinsics.conv_u64_f32
  def f16 = intrinsics.conv_f16_f32
  def f32 = intrinsics.conv_f32_f32
  def f64 = intrinsics.conv_f64_f32
  def bool = intrinsics.conv_bool_f32

  def (+) = intrinsics.add_f32
  def (-) = intrinsics.sub_f32
  def (*) = intrinsics.mul_f32
  def (/) = intrinsics.div_f32
  def (%) = intrinsics.mod_f32
  def (**) = intrinsics.pow_f32
  def (==) = intrinsics.eq_f32
  def (<) = intrinsics.lt_f32
  def (<=) = intrinsics.le_f32
  def (>) (x: f32) (y: f32) : bool = y < x
  def (>=) (x: f32) (y: f32) : bool = y <= x
  def (!=) (x: f32) (y: f32) : bool = !(x == y)
  def neg = intrinsics.neg_f32
  def abs = intrinsics.abs_f32
  def sgn = intrinsics.sgn_f32
  def min = intrinsics.min_f32
  def max = intrinsics.max_f32
  def to_i64 = intrinsics.conv_f32_i64
  def to_f64 = intrinsics.conv_f32_f64

  def sqrt = intrinsics.sqrt_f32
  def cbrt = intrinsics.cbrt_f32
  def exp = intrinsics.exp_f32
  def log = intrinsics.log_f32
  def log2 = intrinsics.log2_f32
  def log10 = intrinsics.log10_f32
  def log1p = intrinsics.log1p_f32
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
  def sinpi = intrinsics.sinpi_f32
  def cospi = intrinsics.cospi_f32
  def tanpi = intrinsics.tanpi_f32
  def asinpi = intrinsics.asinpi_f32
  def acospi = intrinsics.acospi_f32
  def atanpi = intrinsics.atanpi_f32
  def atan2pi = intrinsics.atan2pi_f32
  def hypot = intrinsics.hypot_f32
  def gamma = intrinsics.gamma_f32
  def lgamma = intrinsics.lgamma_f32
  def erf = intrinsics.erf_f32
  def erfc = intrinsics.erfc_f32
  def ceil = intrinsics.ceil_f32
  def floor = intrinsics.floor_f32
  def trunc = intrinsics.trunc_f32
  def round = intrinsics.round_f32
  def isnan = intrinsics.isnan_f32
  def isinf = intrinsics.isinf_f32
  def fma = intrinsics.fma_f32
  def recip (x: f32) : f32 = 1 / x
  def rsqrt (x: f32) : f32 = 1 / sqrt x
  def from_fraction (x: i64) (y: i64) : f32 = i64 x / i64 y
  def mad (x: f32) (y: f32) (z: f32) : f32 = x * y + z
  def lerp (x: f32) (y: f32) (a: f32) : f32 = x + (y - x) * min (max a 0) 1

  def from_bits = intrinsics.from_bits_f32
  def to_bits = intrinsics.to_bits_f32
  def get_bit = intrinsics.get_bit_f32
  def set_bit = intrinsics.set_bit_f32
  def nextafter = intrinsics.nextafter_f32
  def ldexp = intrinsics.ldexp_f32
  def copysign = intrinsics.copysign_f32

  def num_bits : i32 = 32
  def pi : f32 = 3.14159265358979323846264338327950288
  def e : f32 = 2.71828182845904523536028747135266250
  def epsilon : f32 = 1.1920928955078125e-7
  def inf : f32 = 1 / 0
  def nan : f32 = 0 / 0
  def highest : f32 = inf
  def lowest : f32 = -inf

  def sum [n] (xs: [n]f32) : f32 = reduce_comm (+) 0 xs
  def product [n] (xs: [n]f32) : f32 = reduce_comm (*) 1 xs
  def maximum [n] (xs: [n]f32) : f32 = reduce_comm max lowest xs
  def minimum [n] (xs: [n]f32) : f32 = reduce_comm min highest xs
}

-- | Floating-point numbers of 64 bits.
module f64 = {
  type t = f64
  type int_t = u64

  def i8 = intrinsics.conv_i8_f64
  def i16 = intrinsics.conv_i16_f64
  def i32 = intrinsics.conv_i32_f64
  def i64 = intrinsics.conv_i64_f64
  def u8 = intrinsics.conv_u8_f64
  def u16 = intrinsics.conv_u16_f64
  def u32 = intrinsics.conv_u32_f64
  def u64 = intrinsics.conv_u64_f64
  def f16 = intrinsics.conv_f16_f64
  def f32 = intrinsics.conv_f32_f64
  def f64 = intrinsics.conv_f64_f64
  def bool = intrinsics.conv_bool_f64

  def (+) = intrinsics.add_f64
  def (-) = intrinsics.sub_f64
  def (*) = intrinsics.mul_f64
  def (/) = intrinsics.div_f64
  def (%) = intrinsics.mod_f64
  def (**) = intrinsics.pow_f64
  def (==) = intrinsics.eq_f64
  def (<) = intrinsics.lt_f64
  def (<=) = intrinsics.le_f64
  def (>) (x: f64) (y: f64) : bool = y < x
  def (>=) (x: f64) (y: f64) : bool = y <= x
  def (!=) (x: f64) (y: f64) : bool = !(x == y)
  def neg = intrinsics.neg_f64
  def abs = intrinsics.abs_f64
  def sgn = intrinsics.sgn_f64
  def min = intrinsics.min_f64
  def max = intrinsics.max_f64
  def to_i64 = intrinsics.conv_f64_i64
  def to_f64 = intrinsics.conv_f64_f64

  def sqrt = intrinsics.sqrt_f64
  def cbrt = intrinsics.cbrt_f64
  def exp = intrinsics.exp_f64
  def log = intrinsics.log_f64
  def log2 = intrinsics.log2_f64
  def log10 = intrinsics.log10_f64
  def log1p = intrinsics.log1p_f64
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
  def sinpi = intrinsics.sinpi_f64
  def cospi = intrinsics.cospi_f64
  def tanpi = intrinsics.tanpi_f64
  def asinpi = intrinsics.asinpi_f64
  def acospi = intrinsics.acospi_f64
  def atanpi = intrinsics.atanpi_f64
  def atan2pi = intrinsics.atan2pi_f64
  def hypot = intrinsics.hypot_f64
  def gamma = intrinsics.gamma_f64
  def lgamma = intrinsics.lgamma_f64
  def erf = intrinsics.erf_f64
  def erfc = intrinsics.erfc_f64
  def ceil = intrinsics.ceil_f64
  def floor = intrinsics.floor_f64
  def trunc = intrinsics.trunc_f64
  def round = intrinsics.round_f64
  def isnan = intrinsics.isnan_f64
  def isinf = intrinsics.isinf_f64
  def fma = intrinsics.fma_f64
  def recip (x: f64) : f64 = 1 / x
  def rsqrt (x: f64) : f64 = 1 / sqrt x
  def from_fraction (x: i64) (y: i64) : f64 = i64 x / i64 y
  def mad (x: f64) (y: f64) (z: f64) : f64 = x * y + z
  def lerp (x: f64) (y: f64) (a: f64) : f64 = x + (y - x) * min (max a 0) 1

  def from_bits = intrinsics.from_bits_f64
  def to_bits = intrinsics.to_bits_f64
  def get_bit = intrinsics.get_bit_f64
  def set_bit = intrinsics.set_bit_f64
  def nextafter = intrinsics.nextafter_f64
  def ldexp = intrinsics.ldexp_f64
  def copysign = intrinsics.copysign_f64

  def num_bits : i32 = 64
  def pi : f64 = 3.14159265358979323846264338327950288
  def e : f64 = 2.71828182845904523536028747135266250
  def epsilon : f64 = 2.220446049250313e-16
  def inf : f64 = 1 / 0
  def nan : f64 = 0 / 0
  def highest : f64 = inf
  def lowest : f64 = -inf

  def sum [n] (xs: [n]f64) : f64 = reduce_comm (+) 0 xs
  def product [n] (xs: [n]f64) : f64 = reduce_comm (*) 1 xs
  def maximum [n] (xs: [n]f64) : f64 = reduce_comm max lowest xs
  def minimum [n] (xs: [n]f64) : f64 = reduce_comm min highest xs
}
