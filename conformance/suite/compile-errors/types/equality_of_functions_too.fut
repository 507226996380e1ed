-- What has been compared is no function. 0.25.32 rejects it too.
-- ==
-- error: does not support equality
def twice g = if g != g then 0 else g 1 + g 2
entry main (n: i64) = n + twice (\x -> x)
