-- A call of itself gives what the function gives, declared or not (language reference, "Recursive functions"; 0.25.32 knows no recursion).
-- ==
-- error: The recursive calls must have the type of the definition.*Expected: .*f64.*Actual: .*i32
def f (n: i32) = if i32.f64 (f (n - 1)) > n then 0i32 else n
entry main (x: i32) = f x
