-- `||` evaluates its second operand only if need be, which no function does.
-- ==
-- error: The operator "\|\|" may not be redefined: it evaluates its second operand only if need be
def (||) (x: bool) (y: bool) = x
entry main (x: bool) = x
