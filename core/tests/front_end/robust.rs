//! However long, deep, wrong or cut off a program is, there is an answer.

use super::errors;
use futi_core::diag::Code;
use futi_core::ir::Program;
use futi_core::source::FileId;
use futi_core::syntax::{parse, parse_expr_or_decls};

/// Runs on a thread with the stack of a main thread's smallest relative: what overflows there, overflows for users.
fn with_small_stack(f: impl FnOnce() + Send + 'static) {
    std::thread::Builder::new().stack_size(2 << 20).spawn(f).unwrap().join().unwrap();
}

#[test]
fn long_chains_are_flat() {
    with_small_stack(|| {
        for (op, n) in [(" + 1", 100_000), (" <| x", 10_000), (" `f` x", 10_000), (" |> f", 10_000)] {
            let text = format!("def x = 1{}", op.repeat(n));
            let (ast, diagnostics) = parse(FileId(0), &text);
            assert_eq!((ast.decls.len(), diagnostics), (1, vec![]), "{op}");
        }
        for (head, unit, tail) in [
            ("", "let x = 1 ", "in x"),
            ("", "let x = 1 in ", "x"),
            ("", "if a then b else ", "c"),
            ("f", " x", ""),
            ("[", "x, ", "x]"),
        ] {
            let text = format!("def x = {head}{}{tail}", unit.repeat(10_000));
            let (ast, diagnostics) = parse(FileId(0), &text);
            assert_eq!((ast.decls.len(), diagnostics), (1, vec![]), "{unit}");
        }
    });
}

#[test]
fn deep_nesting_is_refused() {
    with_small_stack(|| {
        for (head, unit, tail) in [
            ("", "(", ")"),
            ("", "[", "]"),
            ("", "- ", ""),
            ("", "\\x -> ", ""),
            ("x", ".y", ""),
            ("x", "[0]", ""),
            ("x : ", "[]", ""),
            ("x : ", "(", ")"),
            ("x : ", "i32 -> ", ""),
            ("", "loop x = 1 for i < 2 do ", ""),
            ("let ", "(", ")"),
            ("", "let x = ", ""),
            ("", "f <| \\x -> ", ""),
            ("", "#[a] ", ""),
            ("", "(1, ", ")"),
            ("", "(+ ", ")"),
        ] {
            let middle = if head == "x : " { "i32" } else { "x" };
            let middle = if matches!(unit, ".y" | "[0]") { "" } else { middle };
            let text = format!("def x = {head}{}{middle}{}", unit.repeat(10_000), tail.repeat(10_000));
            assert_eq!(parse(FileId(0), &text).1.first().map(|d| d.code), Some(Code::NestingTooDeep), "{unit}");
        }
        let text = format!("def x = {}1{}", "(".repeat(500), ")".repeat(500));
        assert_eq!(parse(FileId(0), &text).1, []);
    });
}

#[test]
fn truncations_and_deletions_do_not_panic() {
    let text = "-- | D.\n#[a(1)] entry f [n] 'a (xs: [n]f64, m: i64) : ([]f64, i64) =\n  let g (x: f64) = -x ** 2.0e1f64 |> f64.exp\n  \
                let (a, _) = xs[0].1[1:2] in loop s = (+1) 'c' for i < n do if s < 0x1 then (s, 1..2...3) else map (`f` 2) [\"s\"]\n\
                module m = { open q.r type t 'a = ?[k].[k]a } € ..>";
    for end in (0..=text.len()).filter(|&i| text.is_char_boundary(i)) {
        parse(FileId(0), &text[..end]);
        parse_expr_or_decls(FileId(0), &text[..end]);
        let without: String = text.char_indices().filter(|&(i, _)| i != end).map(|(_, c)| c).collect();
        parse(FileId(0), &without);
    }
}

/// A mistake inside many brackets is found in linear time: Note [Predictive grammar].
#[test]
fn deep_mistakes_are_cheap() {
    for open in ["(", "[", "f (", "(1, ", "(+ ", "\\x -> (", "let x = (", "x[("] {
        let text = format!("def x = {}1 2 ]]] +", open.repeat(200));
        assert_eq!(parse(FileId(0), &text).1.len(), 1);
    }
}

#[test]
fn long_runs_of_modules_are_nested_too_deeply() {
    let run = |before: &str, part: &str| format!("{before}{}", part.repeat(100_000));
    for text in [run("module m = f", " x"), run("module m = f", " : s"), run("module type s = t", " with u = i32")] {
        assert!(!parse(FileId(0), &text).1.is_empty());
    }
    // and all that is allowed is read, and can be dropped
    assert_eq!(parse(FileId(0), &format!("module m = f{}", " x".repeat(500))).1, []);
}

/// However many mistakes there are, and however they are nested.
#[test]
fn many_mistakes() {
    let texts = [
        "def f x = if x = 1 then 2\n",
        "(",
        "let ",
        "if ",
        "for ",
        "\\x = ",
        "def (",
        "[1, 2\n",
        "x ? ",
        "{",
        "' ' ",
        "1. ",
        ".5 ",
    ];
    for text in texts {
        for n in [1, 2, 50, 3000, 30_000] {
            let text = text.repeat(n);
            assert!(!parse(FileId(0), &text).1.is_empty(), "{n} times {text:.20}");
        }
    }
}

/// The depth that the parser allows is no danger to the checker, nor are long runs.
#[test]
fn deep_and_long_programs() {
    with_small_stack(|| {
        for (head, unit, middle, tail, n) in [
            ("", "1 + ", "1", "", 20_000),
            ("", "f64.sqrt <| ", "1", "", 5_000),
            ("", "true && ", "true", "", 5_000),
            ("", "let x = 1i32 ", "in x", "", 5_000),
            ("", "(", "1", ")", 500),
            ("", "[", "1", "]", 500),
            ("", "\\(x: i32) -> ", "x", "", 300),
            ("", "if true then 1 else ", "2", "", 200),
            ("", "- ", "1", "", 500),
            ("let f (x: i32) = x in ", "f (", "1", ")", 400),
            ("", "loop x = 1i32 for i < 2i32 do ", "x", "", 300),
        ] {
            let text = format!("def it = {head}{}{middle}{}", unit.repeat(n), tail.repeat(n));
            assert_eq!(errors(&text), [], "{unit}");
        }
    });
}

/// Whatever is left of a program, checking it ends, and says something unless it is still a program.
#[test]
fn checking_what_is_cut_off_ends() {
    let text = "module m = { type t = f64 def c: t = 2 }\ntype v 'a [n] = [n](a, m.t)\n\
                def f [n] 'a (g: a -> m.t) (xs: v a [n]) : ?[k].[k]m.t =\n  let h (y: a) = g y |> (* m.c)\n  \
                let (ys, _) = unzip xs in if n > 2 && !(n == 5) then loop zs = map h ys for i < 3 do zs ++ [1.5] \
                else map f64.i64 (0..2...n)\nentry main (n: i64) = f f64.i64 (zip (iota n) (replicate n 1)) :> [n]f64";
    assert_eq!(errors(text), []);
    for end in (0..text.len()).filter(|&i| text.is_char_boundary(i)) {
        errors(&text[..end]);
        errors(&format!("{}{}", &text[..end], &text[end + 1..]));
    }
}

#[test]
fn deep_nesting_in_text_of_the_ir_is_refused() {
    let error = |s: &str| s.parse::<Program>().map_err(|e| e.to_string()).unwrap_err();
    let bodies = format!("futi-ir 1 fun \"f\"() -> () {}", "{ let () = if true then ".repeat(100_000));
    assert!(error(&bodies).contains("bodies nested less than 512 deep"));
    let accs = format!("futi-ir 1 fun \"f\"(x_0: {}", "acc(c_0, [1] (".repeat(100_000));
    assert!(error(&accs).contains("types nested less than 512 deep"));
    let tuples = format!("futi-ir 1 entry \"f\"() -> () sig 0 () -> {}", "(".repeat(100_000));
    assert!(error(&tuples).contains("types nested less than 512 deep"));
}
