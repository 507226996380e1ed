-- A definition named main is an entry point. 0.25.32 rejects it too.
-- ==
-- error: E0501
def main 'a (x: a) = x
