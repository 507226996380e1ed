-- Two entry points have two names.
-- ==
-- error: The value "f" is defined twice
entry f (x: i32) = x
entry f (x: i32) = x + 1
