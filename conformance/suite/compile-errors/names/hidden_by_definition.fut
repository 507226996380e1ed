-- A function that is given the name of another and calls that: since recursion is allowed (Futhark 0.27), it calls itself, of which the message tells. (0.25.32, which
-- has no recursion, accepts this.)
-- ==
-- error: E0301.*In its own definition "map" is the function that is defined .so it is recursive., not the "map" that it hides.*`def hidden_map = map`
module v = {
  def map 'a 'b (f: a -> b) (x: {a: []a}) = map f x.a
}
entry main (x: i32) = v.map (+ 1) {a = [x]}
