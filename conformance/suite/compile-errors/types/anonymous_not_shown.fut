-- A size that is left open is shown by an array.
-- ==
-- error: The type "t" has an anonymous size that is not used constructively: no array of it shows it
type~ t = []i32 -> i32
entry main (x: i32) = x
