//! Classes of errors: what is wrong with a program, whatever the words are in which a compiler says so.
//!
//! Test blocks ask for the words of Futhark's compiler. Where ours says the same in other words, the two are of one class if both have a word of it.

/// A class: words of which Futhark's texts have one, and words or codes of which ours have one. In small letters; the first classes are the most particular.
type Class = (&'static [&'static str], &'static [&'static str]);

const CLASSES: [Class; 18] = [
    (&["consum", "alias", "unique", "in-place"], &["consum", "alias", "unique"]),
    (&["causality"], &["[e0402]"]),
    (&["unmatched", "refutable"], &["not matched", "unmatched", "refut", "does not cover"]),
    (&["duplicate", "dup", "also bound", "previously", "multiple times"], &["[e0204]", "twice"]),
    (&["unexpected", "infix"], &["[e01"]),
    (&["out of bounds"], &["[e0308]"]),
    (&["ambiguous"], &["[e0403]", "ambiguous"]),
    (&["scope-violation", "existential", "anonymous", "constructive", "unknown length", "unknown size"], &["[e04"]),
    (&["size", "dimension", "[n]", "\\[n\\]", "\\[m\\]"], &["[e04"]),
    (&["unknown", "not defined", "does not define", "not found"], &["[e0201]", "[e0202]", "[e0203]"]),
    (&["default", "equality", "overload"], &["[e0303]"]),
    (&["field", "record"], &["[e0306]", "field", "record"]),
    (&["constructor", "sum type"], &["constructor", "sum type"]),
    (&["entry"], &["[e0501]"]),
    (&["functional", "function type", "be of function", "lifted", "higher-order"], &["[e0307]"]),
    (&["module", "abstract", "refine"], &["module", "abstract", "refine"]),
    (&["occurs"], &["[e0302]"]),
    (
        &["match", "expected type", "cannot apply", "unify", "bool", "i32", "f32", "f64", "type", "arity"],
        &["[e03", "[e04"],
    ),
];

/// Whether what the diagnostics say is of the class that a test block asks for. One that asks for no class that is known is of none.
pub fn same(asked: &str, said: &str) -> bool {
    let (asked, said) = (asked.to_lowercase(), said.to_lowercase());
    let class = CLASSES.iter().find(|(theirs, _)| theirs.iter().any(|word| asked.contains(word)));
    class.is_some_and(|(_, ours)| ours.iter().any(|word| said.contains(word)))
}

/// What rendered diagnostics say, without the source that they show: their messages, and their notes.
pub fn messages(rendered: &str) -> String {
    let is_message =
        |line: &&str| line.starts_with("[E") || line.trim_start().starts_with("│ Note") || line.contains("Note:");
    rendered.lines().filter(is_message).collect::<Vec<_>>().join("\n")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_most_particular_class_decides() {
        assert!(same(".*consumed", "[E0601] Error: The array \"a\" is used after it was consumed."));
        assert!(!same(".*consumed", "[E0301] Error: Types do not match."));
        assert!(same("Sizes.*do not match", "[E0401] Error: Cannot apply \"f\"."));
        assert!(same("\"n\".*scope-violation", "[E0404] Error: Cannot apply \"zip\"."));
        assert!(!same("Causality check", "[E0401] Error: Cannot apply \"f\"."));
        assert!(same("Cannot apply", "[E0304] Error: A value of type i32 is applied."));
        assert!(!same("cannot match", "[E0103] Error: Unexpected `[`."));
        assert!(!same("quux", "[E0201] Error: Unknown name \"quux\"."));
    }

    #[test]
    fn source_is_no_message() {
        let rendered = "[E0201] Error: Unknown name \"y\".\n   ╭─[ consumed.fut:1:3 ]\n 1 │ let consumed = y\n   │ Note: is it x?\n";
        assert_eq!(messages(rendered), "[E0201] Error: Unknown name \"y\".\n   │ Note: is it x?");
    }
}
