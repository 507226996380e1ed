-- Of a function with a parameter of an unknown size nothing more is said: it is no `bool` either. 0.25.32 rejects it too.
-- ==
-- error: ^[^╯]*Existential size would appear in a parameter[^╯]*╯[^╯]*$
def after '^a '^b '^c (f: a -> b) (g: b -> c) (x: a) : c = g (f x)
def g = (after iota : bool)
