-- A file that is not there.
-- ==
-- error: nowhere.fut cannot be read|Could not read file "nowhere.fut"
import "nowhere"
entry main (x: i32) = x
