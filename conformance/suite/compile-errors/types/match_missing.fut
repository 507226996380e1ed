-- What a message about missing cases shows is a value that no case fits, whatever the cases are and in whichever order fields stand.
-- By hand; 0.25.32 rejects each of these functions.
-- ==
-- error: Unmatched cases in this match: \(\(false, _\), true\).*Unmatched cases in this match: \(#b, true\).*Unmatched cases in this match: true.*Unmatched cases in this match: false.*Unmatched cases in this match: \{a = true, b = false, c = _\}
type t = #a i32 | #b
def pair (x: ((bool, i32), bool)) : i32 = match x case ((true, _), true) -> 1 case (_, false) -> 2
def constructor (x: (t, bool)) : i32 = match x case (#a _, true) -> 1 case (_, false) -> 2
def only_false (x: bool) : i32 = match x case false -> 1
def only_true (x: bool) : i32 = match x case true -> 1 case true -> 2
def fields (x: {a: bool, b: bool, c: i32}) : i32 = match x case {c = _, b = true, a = true} -> 1 case {b = _, a = false, c = _} -> 2
entry main (x: i32) = x
