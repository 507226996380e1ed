//! What formatting looks like, and what it must never do.

mod generate;

use futi_core::diag;
use futi_core::source::FileId;
use futi_core::syntax::format::format;
use futi_core::syntax::{parse, token};
use generate::Program;
use std::path::{Path, PathBuf};

fn formatted(text: &str) -> String {
    format(FileId(0), text).unwrap_or_else(|d| panic!("{}\n{text}", diag::one_line(&d[0], &Default::default())))
}

/// The tree in full, but for the places: what the derived `Debug` prints, without its spans.
fn tree(text: &str) -> String {
    let (ast, diagnostics) = parse(FileId(0), text);
    assert_eq!(diagnostics, [], "{text}");
    without_spans(&format!("{ast:?}"))
}

fn without_spans(debug: &str) -> String {
    let mut parts = debug.split("Span { file: FileId(0), start: ");
    let mut out = parts.next().unwrap_or_default().to_string();
    for part in parts {
        let (offsets, rest) = part.split_once(" }").unwrap();
        let (start, end) = offsets.split_once(", end: ").unwrap();
        assert!(start.parse::<u32>().is_ok() && end.parse::<u32>().is_ok(), "{offsets}");
        out.push_str("Span");
        out.push_str(rest);
    }
    out
}

/// The tokens of a text, and what stands before each and behind the last.
fn split(text: &str) -> (Vec<&str>, Vec<&str>) {
    let (mut tokens, mut gaps, mut end) = (vec![], vec![], 0);
    for (_, span) in token::lex(FileId(0), text).tokens {
        let (start, next) = (span.start as usize, span.end as usize);
        gaps.push(&text[end..start]);
        tokens.push(&text[start..next]);
        end = next;
    }
    gaps.push(&text[end..]);
    (tokens, gaps)
}

/// The comments of a text, in their order.
fn comments(text: &str) -> Vec<String> {
    let lines = split(text).1.into_iter().flat_map(str::lines).map(str::trim);
    lines.filter(|line| !line.is_empty()).map(str::to_string).collect()
}

/// The tokens, without those that may go.
fn tokens(text: &str) -> Vec<String> {
    let texts = split(text).0;
    let goes = |i: usize| match (texts[i], texts.get(i + 1)) {
        (",", Some(next)) => [")", "]", "}"].contains(next),
        ("in", Some(next)) => *next == "let",
        _ => false,
    };
    (0..texts.len()).filter(|&i| !goes(i)).map(|i| texts[i].to_string()).collect()
}

/// All that must hold of a program without errors; gives it formatted.
fn check(text: &str) -> String {
    let once = formatted(text);
    // what is as it was needs no comparison
    if once != text {
        assert_eq!(tree(text), tree(&once), "the tree has changed\n{text}\n=>\n{once}");
        assert_eq!(comments(text), comments(&once), "comments have changed\n{text}\n=>\n{once}");
        assert_eq!(tokens(text), tokens(&once), "tokens have changed\n{text}\n=>\n{once}");
        let twice = formatted(&once);
        assert!(once == twice, "not idempotent\n{text}\n=>\n{once}\n=>\n{twice}");
    }
    assert!(!once.lines().any(|l| l.ends_with(' ')), "a blank ends a line\n{once}");
    assert!(!once.contains("\n\n\n"), "two blank lines\n{once}");
    assert!(once.is_empty() || (once.ends_with('\n') && !once.ends_with("\n\n")), "the end of the text\n{once:?}");
    once
}

/// The programs of the repository.
fn programs(folder: &Path, found: &mut Vec<PathBuf>) {
    for entry in std::fs::read_dir(folder).unwrap() {
        let path = entry.unwrap().path();
        if path.is_dir() {
            programs(&path, found);
        } else if path.extension().is_some_and(|e| e == "fut") {
            found.push(path);
        }
    }
}

#[test]
fn the_programs_of_the_repository_keep_their_meaning() {
    let root = Path::new(env!("CARGO_MANIFEST_DIR"));
    let mut files = vec![];
    for folder in ["prelude", "../examples", "../conformance/suite"] {
        programs(&root.join(folder), &mut files);
    }
    assert!(files.len() > 100, "{}", files.len());
    for file in files {
        let text = std::fs::read_to_string(&file).unwrap();
        if parse(FileId(0), &text).1.is_empty() {
            check(&text);
        } else {
            // only what must be rejected has errors of the syntax
            assert!(file.components().any(|c| c.as_os_str() == "compile-errors"), "{}", file.display());
            assert!(format(FileId(0), &text).is_err());
        }
    }
}

#[test]
fn generated_programs_keep_their_meaning() {
    fn property(program: Program) -> bool {
        check(&program.0);
        true
    }
    // an error shows the program and what became of it
    quickcheck::QuickCheck::new().tests(2000).max_tests(2000).quickcheck(property as fn(Program) -> bool);
}

#[test]
fn the_comparison_sees_every_difference() {
    assert_ne!(tree("def f = 1"), tree("def f = 2"));
    assert_ne!(tree("def f = 1"), tree("def f = (1)"));
    assert_ne!(tree("def f = \"a\""), tree("def f = \"b\""));
    assert_ne!(tree("-- | a\ndef f = 1"), tree("-- | b\ndef f = 1"));
    assert_ne!(tree("type t [n] = [n]i32"), tree("type t [n] = []i32"));
    assert_ne!(tree("def f = x.y"), tree("def f = x.z"));
    assert_eq!(tree("def f = x.y"), tree("\n\ndef f   =\n  x.y"));
}

#[test]
fn what_cannot_be_read_is_left_alone() {
    let errors = format(FileId(0), "def f = (1 +\n\ndef g = 2").unwrap_err();
    assert_eq!(errors.len(), 1);
    assert!(format(FileId(0), "def f = §").is_err());
}

/// Programs as they should be.
fn stays(text: &str) {
    let text = unindented(text);
    let out = check(&text);
    assert!(out == text, "{text}\n=>\n{out}");
}

/// Without the indentation that all lines share.
fn unindented(text: &str) -> String {
    let text = text.trim_matches('\n').trim_end();
    let indent = text.lines().filter(|l| !l.is_empty()).map(|l| l.len() - l.trim_start().len()).min().unwrap_or(0);
    text.lines().map(|l| l.get(indent..).unwrap_or("").to_string() + "\n").collect()
}

/// One program and its layout.
fn becomes(text: &str, expected: &str) {
    let out = check(&unindented(text));
    let expected = unindented(expected);
    assert!(out == expected, "{out}\n, expected\n{expected}");
    stays(&expected);
}

// Where this formatter and `futhark fmt` 0.25.32 agree, the layout is what that printed for the same program; where they do not, a comment says why.

#[test]
fn blanks_within_lines() {
    becomes(
        "def f   (x:i32)(y: i32):i32=x+y*(-  z)\ndef g=[1,2 ,3]
def h={a=1,b ,c= 3}\ndef i= xs[ 1 : 2 , 3 ]+ x .y.0\ndef j = ( 0 .. 2 ... n+1 )\ndef k = (+ 1) ( 1 +)(.x)(`f`  y)
type^ t 'a  [n]= i32->  (i : i64)->[n] [m] *{a:a}\ndef l =f64.(x+y)\ndef m 't[n](x: vec[n]t) = xs with[1] .x=2",
        "
        def f (x: i32) (y: i32) : i32 = x + y * (-z)
        def g = [1, 2, 3]
        def h = {a = 1, b, c = 3}
        def i = xs[1:2, 3] + x.y.0
        def j = (0..2...n + 1)
        def k = (+ 1) (1 +) (.x) (`f` y)
        type^ t 'a [n] = i32 -> (i: i64) -> [n][m]*{a: a}
        def l = f64.(x + y)
        def m 't [n] (x: vec [n] t) = xs with [1].x = 2
        ",
    );
}

#[test]
fn tokens_that_would_merge_stay_apart() {
    stays(
        "
        def f = - -x
        def g = ! !x
        def h = !(!x)
        def i = -(-x)
        def j (x: * *[]i32) = 1 .0
        def k = 0x1 .f
        def l ' a' (x: a') = \"a\"
        def m = a - -b
        def n = a +. -b
        ",
    );
}

#[test]
fn numbers_and_texts_stay_as_written() {
    stays(
        r#"
        def f = [0xff, 1_000, 0b10, 1e-3, 0x1.8p3, 'a', '\n', "t\"\x41", 1.50f32, 2i64]
        "#,
    );
}

#[test]
fn blank_lines_between_declarations_are_kept_but_one() {
    becomes(
        "

        -- header



        -- | doc
        def f = 1
        def g = 2 -- two


        def h = 3

        -- last


        ",
        "
        -- header

        -- | doc
        def f = 1
        def g = 2 -- two

        def h = 3

        -- last
        ",
    );
}

#[test]
fn definitions() {
    becomes(
        "
        def f xs =
          xs
        def g [n] [m]
           (xs: [n]i32) (ys: [m]i32) : i32 = 2
        def h (x: i32,
          y: i32) = x
        #[inline] def i = 3
        ",
        "
        def f xs =
          xs
        def g [n] [m]
              (xs: [n]i32)
              (ys: [m]i32) : i32 =
          2
        def h ( x: i32
              , y: i32
              ) =
          x
        #[inline]
        def i = 3
        ",
    );
}

#[test]
fn branches() {
    // a branch may stay on one line, where `futhark fmt` breaks all of them
    becomes(
        "
        def f = if a
           then 1 else 2
        def g = if a then b
           else if c then d else e
        ",
        "
        def f =
          if a
          then 1
          else 2
        def g =
          if a then b
          else if c then d
          else e
        ",
    );
}

#[test]
fn lets() {
    becomes(
        "
        def f = let a = 1 let b = 2 in c
        def g = let a = 1 in
           let b = if x
              then y else z

           let f x = x in c
        def h = foo (let a = 1
           in a) b
        ",
        "
        def f = let a = 1 let b = 2 in c
        def g =
          let a = 1
          let b =
            if x
            then y
            else z

          let f x = x
          in c
        def h =
          foo (let a = 1
               in a)
              b
        ",
    );
}

#[test]
fn loops_and_matches() {
    becomes(
        "
        def f = loop x = 1 for i < 10 do
          x + i
        def g = loop (x, y) = (1, 2)
          for z in zs do (x + i, y)
        def h = loop acc while acc < 10 do acc + 1
        def j = loop (x, y) = (1,
          2) for i < 10 do (x + i, y)
        def i x = match x case #foo y -> y
          case #bar -> match y
             case (1, _) -> {a = 1,
               b}
        ",
        "
        def f =
          loop x = 1 for i < 10 do
            x + i
        def g =
          loop (x, y) = (1, 2)
          for z in zs do
            (x + i, y)
        def h = loop acc while acc < 10 do acc + 1
        def j =
          loop (x, y) =
                 ( 1
                 , 2
                 )
          for i < 10 do
            (x + i, y)
        def i x =
          match x
          case #foo y -> y
          case #bar ->
            match y
            case (1, _) ->
              { a = 1
              , b
              }
        ",
    );
}

#[test]
fn applications_and_lambdas() {
    becomes(
        "
        def f xs = map (\\x ->
              let y = x + 1 in y) xs
        def g xs = reduce (+) 0 (map (\\x ->
              x) xs)
        def h = foo bar baz
          (quux + 1) (\\x -> x)
        def i = foo bar baz (\\x ->
           x + 1)
        ",
        "
        def f xs =
          map (\\x ->
                 let y = x + 1 in y)
              xs
        def g xs =
          reduce (+) 0 (map (\\x ->
                               x)
                            xs)
        def h =
          foo bar
              baz
              (quux + 1)
              (\\x -> x)
        def i =
          foo bar baz (\\x ->
                         x + 1)
        ",
    );
}

#[test]
fn operators_stand_at_the_beginning_of_lines() {
    becomes(
        "
        def f xs = xs |> map (+1)
           |> filter (>2)
        def g = aaaaaaaaaaaaaaaaaaaaaaaaaaaaa * bbbbbbbbbbbbbbbbbbbbbbbbbbbbbbb + ccccccccccccccccccccc - d
        def h = (a +
          b) `f` c
        type t = i32 ->
           i32 -> i64
        ",
        "
        def f xs =
          xs
          |> map (+ 1)
          |> filter (> 2)
        def g =
          aaaaaaaaaaaaaaaaaaaaaaaaaaaaa * bbbbbbbbbbbbbbbbbbbbbbbbbbbbbbb
          + ccccccccccccccccccccc
          - d
        def h =
          (a
           + b)
          `f` c
        type t =
          i32
          -> i32
          -> i64
        ",
    );
}

#[test]
fn lists() {
    // literals fill their lines: `futhark fmt` gives each a line
    becomes(
        "
        type t = {a: i32,
          b: f32}
        type s = #foo i32 |
          #bar {x: i32}
        def f = [a,
          b,]
        def g = {a = {b = 1,
          c = 2}, d = (1,
           x)}
        def h = [1000, 1001, 1002, 1003, 1004, 1005, 1006, 1007, 1008, 1009, 1010, 1011, -1012, 1013]
        def i = [1,
          2]
        ",
        "
        type t =
          { a: i32
          , b: f32
          }
        type s =
            #foo i32
          | #bar {x: i32}
        def f =
          [ a
          , b
          ]
        def g =
          { a =
              { b = 1
              , c = 2
              }
          , d =
              ( 1
              , x
              )
          }
        def h =
          [1000, 1001, 1002, 1003, 1004, 1005, 1006, 1007, 1008, 1009, 1010, 1011,
           -1012, 1013]
        def i = [1, 2]
        ",
    );
}

#[test]
fn updates() {
    becomes(
        "
        def f xs = xs with [1] = 2 with x.y =
          3
        def g xs = let xs[1] = 2
          let xs.x[2] = 3 in xs
        ",
        "
        def f xs =
          xs with [1] = 2
             with x.y =
               3
        def g xs =
          let xs[1] = 2
          let xs.x[2] = 3
          in xs
        ",
    );
}

#[test]
fn modules() {
    becomes(
        "
        module M = { def x = 1 def y = 2 }
        module M2 = F {
          def x = 1 -- one
          -- last
        }
        module type MT = { type t
         -- | doc of f
         val f : t -> t


         val (+) [n] 'a : [n]a -> t include S with t = i32 }
        module F (P: MT) (Q: MT) : MT with t = i32 = { open P local def x = 1
          }
        module G = \\(p : s) -> F p
        import   \"foo\"
        ",
        "
        module M = {def x = 1 def y = 2}
        module M2 = F {
          def x = 1 -- one
          -- last
        }
        module type MT = {
          type t
          -- | doc of f
          val f : t -> t

          val (+) [n] 'a : [n]a -> t
          include S with t = i32
        }
        module F (P: MT) (Q: MT) : MT with t = i32 = {
          open P
          local def x = 1
        }
        module G = \\(p: s) -> F p
        import \"foo\"
        ",
    );
}

#[test]
fn comments_stay_with_what_they_describe() {
    // `futhark fmt` moves most of these
    becomes(
        "
        def f (x: i32, -- the first
               -- about y
               y: i32) -- after
           = -- body
           x + -- plus
           -- own line
           y
        def g = [ 1, -- one
          2, -- two
          3 -- three
          -- end
          ]
        def h = let x = 1 -- x
          -- before y
          let y = 2

          -- before in
          in foo (a -- hm
            ) b -- end
        ",
        "
        def f ( x: i32 -- the first
                -- about y
              , y: i32
              ) -- after
          = -- body
          x -- plus
          -- own line
          + y
        def g =
          [ 1 -- one
          , 2 -- two
          , 3 -- three
            -- end
          ]
        def h =
          let x = 1 -- x
          -- before y
          let y = 2

          -- before in
          in foo (a -- hm
            )
                 b -- end
        ",
    );
}

#[test]
fn what_is_too_wide_is_broken() {
    becomes(
        "
        def log_likelihood [n] [d] [k] [t] (alphas: [k]f64, means: [k][d]f64, icf: [k][t]f64) (xs: [n][d]f64) : f64 = f64.sum (map (\\x -> log_sum_exp (scores base means qs x)) xs)
        def prepare [d] [k] (alphas: [k]f64, _means: [k][d]f64, icf: [k][t]f64) : ([k]f64, [k][d][d]f64) = x
        ",
        "
        def log_likelihood [n] [d] [k] [t]
                           (alphas: [k]f64, means: [k][d]f64, icf: [k][t]f64)
                           (xs: [n][d]f64) : f64 =
          f64.sum (map (\\x -> log_sum_exp (scores base means qs x)) xs)
        def prepare [d] [k]
                    (alphas: [k]f64, _means: [k][d]f64, icf: [k][t]f64)
                    : ([k]f64, [k][d][d]f64) =
          x
        ",
    );
}

/// Text of something nested `depth` deep.
fn nest(depth: usize, open: &str, inside: &str, close: &str) -> String {
    open.repeat(depth) + inside + &close.repeat(depth)
}

#[test]
fn nothing_is_too_deep() {
    let depth = futi_core::syntax::MAX_NESTING - 20;
    for (open, inside, close) in [
        ("(", "x", ")"),
        ("[\n", "x, y", "]"),
        ("f (", "x", " + 1)"),
        ("let x = (", "1", ") in x"),
        ("{a = ", "1", "}"),
        ("-", "x", ""),
    ] {
        let open = if open == "-" { "- " } else { open };
        let text = format!("def f = {}", nest(depth, open, inside, close));
        let (_, diagnostics) = parse(FileId(0), &text);
        if diagnostics.is_empty() {
            let once = formatted(&text);
            assert!(once == formatted(&once));
            continue;
        }
        let text = format!("def f = {}", nest(depth / 2, open, inside, close));
        let once = formatted(&text);
        assert!(once == formatted(&once));
    }
    let long = format!("def f = {}1\ntype t = {}i32\n", "1 + ".repeat(20_000), "i32 -> ".repeat(200));
    assert_eq!(formatted(&long).lines().count(), 1 + 20_001 + 1 + 201);
}

#[test]
fn time_is_linear() {
    let text = |n: usize| {
        "def f (xs: []i32) =\n  let y = map (\\x -> x + [1, 2, 3][0]) xs\n  in y |> reduce (+) 0\n\n".repeat(n)
    };
    // of this thread, where the system tells: other programs run, too
    let clock = std::time::Instant::now();
    let now = || {
        let ran = std::fs::read_to_string("/proc/thread-self/schedstat");
        let nanoseconds = ran.ok().and_then(|text| text.split(' ').next()?.parse().ok());
        nanoseconds.map_or_else(|| clock.elapsed(), std::time::Duration::from_nanos)
    };
    let time = |text: &str| {
        let start = now();
        formatted(text);
        now() - start
    };
    time(&text(10));
    let (a, b) = (time(&text(100)), time(&text(3200)));
    assert!(b < 80 * a, "{a:?} for 100 definitions, {b:?} for 3200");
}
