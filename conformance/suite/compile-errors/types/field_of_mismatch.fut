-- Where records disagree, the field is named. 0.25.32 rejects it too.
-- ==
-- error: "bool" and "f32" do not match, in the field "inner\.flag"
def flip (r: {id: i64, inner: {flag: f32}}): {id: i64, inner: {flag: bool}} = r
entry main (n: i64) = (flip {id = n, inner = {flag = 1}}).id
