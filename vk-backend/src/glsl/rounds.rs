//! The rounds of loops, counted where a driver limits them ([`Caps::loop_limit`](crate::device::Caps)).

// Note [Rounds that nobody asked for]
// ~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~
// llvmpipe runs a subgroup through all code, with those invocations switched off that are elsewhere: the side of a branch that none of them takes, what follows the
// `return` that all have taken, and the round of a loop in which its condition ends it. There each loop counts one round, and each loop in it one more. So who begins a
// round of a loop counts all loops in its body, in branches and in the functions that it calls, once, as rounds that may be nobody's; then a loop counts its rounds.
// One invocation of a subgroup counts for all of them.

use std::collections::BTreeMap;

/// A pair of braces that is being read.
#[derive(Default)]
struct Block {
    /// How many rounds its loops take if no invocation enters it.
    idle: u32,
    /// Where its rounds are counted, if it is the body of a loop.
    tick: Option<usize>,
}

/// The text with `TICK(n);` for the `TICK;` with which the body of each loop begins, and one at the beginning of `main`. The functions stand before those that call them.
pub(super) fn counted(text: &str) -> String {
    let mut functions: BTreeMap<&str, u32> = BTreeMap::new();
    let mut ticks: Vec<(usize, usize, u32)> = Vec::new();
    let mut blocks: Vec<Block> = Vec::new();
    let mut function: Option<&str> = None;
    let is_word = |c: char| c.is_ascii_alphanumeric() || c == '_';
    let mut at = 0;
    while let Some(c) = text[at..].chars().next() {
        let word = &text[at..at + text[at..].find(|c| !is_word(c)).unwrap_or(text.len() - at)];
        if !word.is_empty() {
            let after = &text[at + word.len()..];
            match blocks.last_mut() {
                Some(block) if word == "TICK" => block.tick = Some(at),
                Some(block) if after.starts_with('(') => block.idle += functions.get(word).copied().unwrap_or(0),
                None if after.starts_with('(') && function.is_none() => function = Some(word),
                _ => {}
            }
            at += word.len();
            continue;
        }
        match c {
            '{' => {
                let is_main = blocks.is_empty() && function == Some("main");
                blocks.push(Block { idle: 0, tick: is_main.then_some(at + 1) });
            }
            '}' => {
                let Block { idle, tick } = blocks.pop().unwrap_or_default();
                match (blocks.last_mut(), tick) {
                    (Some(outer), Some(tick)) => {
                        ticks.push((tick, tick + "TICK;".len(), 1 + idle));
                        outer.idle += 1 + idle;
                    }
                    (Some(outer), None) => outer.idle += idle,
                    (None, tick) => {
                        ticks.extend(tick.filter(|_| idle > 0).map(|tick| (tick, tick, idle)));
                        let known = functions.entry(function.take().unwrap_or("")).or_default();
                        // of functions of one name
                        *known = idle.max(*known);
                    }
                }
            }
            ';' if blocks.is_empty() => function = None,
            _ => {}
        }
        at += c.len_utf8();
    }
    ticks.sort_unstable();
    let (mut out, mut done) = (String::with_capacity(text.len()), 0);
    for (start, end, n) in ticks {
        out.push_str(&text[done..start]);
        out.push_str(&format!("TICK({n});"));
        done = end;
    }
    out + &text[done..]
}

#[cfg(test)]
mod tests {
    use super::counted;

    #[test]
    fn a_round_counts_the_loops_in_it() {
        // by hand, by the note: f has one loop; the inner loop of main calls f: 1 + 1; the outer has that and a loop in a branch: 1 + 2 + 1
        let text = "layout(local_size_x = 1) in;\nint f(int x) { for (;;) { TICK; x++; } return x; }\nvoid main() {\n  if (c) return;\n  \
                    while (a) { TICK; if (b) { do { TICK; } while (d); } for (;;) { TICK; f(1); } }\n  f(2);\n}\n";
        let expected = "layout(local_size_x = 1) in;\nint f(int x) { for (;;) { TICK(1); x++; } return x; }\nvoid main() {TICK(5);\n  if (c) return;\n  \
                        while (a) { TICK(4); if (b) { do { TICK(1); } while (d); } for (;;) { TICK(2); f(1); } }\n  f(2);\n}\n";
        assert_eq!(counted(text), expected);
        assert_eq!(counted("void main() { x = 1; }"), "void main() { x = 1; }");
    }
}
