-- A file defines a module once.
-- ==
-- error: The module "m" is defined twice
module m = { def x = 1i32 }
module m = { def x = 2i32 }
entry main (y: i32) = y + m.x
