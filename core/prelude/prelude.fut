-- What is left.

-- | From `i32` to `f32`.
def r32 (x: i32) : f32 = f32.i32 x

-- | From `f32` to `i32`, without the fraction.
def t32 (x: f32) : i32 = i32.f32 x

-- | From `i32` to `f64`.
def r64 (x: i32) : f64 = f64.i32 x

-- | From `f64` to `i32`, without the fraction.
def t64 (x: f64) : i32 = i32.f64 x

-- | Is it false?
def not (x: bool) : bool = !x

-- | Its argument, which no optimisation sees through.
def opaque 't (x: t) : t = intrinsics.opaque x

-- | Its argument; its value is shown when the program is traced.
def trace 't (x: t) : t = #[trace(trace)] id x

-- | Its argument; a debugger stops here.
def break 't (x: t) : t = #[break] id x
