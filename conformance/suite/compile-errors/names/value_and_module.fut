-- Values and modules have their names in one space (0.25.32: "Duplicate definition of name x").
-- ==
-- error: The name "x" is defined twice, as a value and as a module
def x = 2i32
module x = { def y = 1i32 }
entry main (y: i32) = y + x.y
