-- Hidden types with parameters, of values and of functions: (4 + 1) * 3 = 15 by hand (0.25.32 accepts it).
-- ==
-- input { 4 } output { 15 }
module type boxes = {
  type t 'a
  type^ f 'a
  val wrap 'a : a -> t a
  val unwrap 'a : t a -> a
  val later 'a : a -> f a
  val now 'a : f a -> a
}
module boxes : boxes = {
  type t 'a = {box: a}
  type^ f 'a = () -> a
  def wrap 'a (x: a) : t a = {box = x}
  def unwrap 'a (x: t a) : a = x.box
  def later 'a (x: a) : f a = \() -> x
  def now 'a (f: f a) : a = f ()
}
entry main (x: i32) = boxes.unwrap (boxes.wrap (x + 1)) * boxes.now (boxes.later 3)
