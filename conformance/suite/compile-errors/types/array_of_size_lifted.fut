-- A type parameter that may have unknown sizes is no type of elements. 0.25.32 rejects it too.
-- ==
-- error: size-lifted.*array element
def pair '~a (f: i64 -> a) = [f 0, f 1]
entry main (n: i64) = n
