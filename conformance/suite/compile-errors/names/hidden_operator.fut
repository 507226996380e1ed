-- An operator on numbers is none of them in the definition of another of its name: the message says what to write. (0.25.32, which has no recursion, accepts this.)
-- ==
-- error: E03.*In its own definition "\+" is the function that is defined .so it is recursive., not the "\+" that it hides.*`a f32\.\+ b`
type v = {x: f32, y: f32}
def (+) (a: v) (b: v): v = {x = a.x + b.x, y = a.y + b.y}
entry main (x: f32) = ({x, y = x} + {x, y = x}).x
