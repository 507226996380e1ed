//! The session goes on, whatever it is given; what it shows has an end.

use std::io::{BufRead, BufReader, Write};
use std::process::{Child, Command, Stdio};

fn start() -> Child {
    let mut command = Command::new(env!("CARGO_BIN_EXE_futi"));
    command.arg("repl").stdin(Stdio::piped()).stdout(Stdio::piped()).stderr(Stdio::piped()).spawn().unwrap()
}

/// What a session says on standard output to these inputs, and how many errors on standard error.
fn with_errors(input: &[u8]) -> (String, usize) {
    let mut child = start();
    child.stdin.take().unwrap().write_all(input).unwrap();
    let out = child.wait_with_output().unwrap();
    (String::from_utf8(out.stdout).unwrap(), String::from_utf8_lossy(&out.stderr).matches("not text").count())
}

/// What a session says on standard output to inputs without mistakes.
fn said(input: &[u8]) -> String {
    let mut child = start();
    child.stdin.take().unwrap().write_all(input).unwrap();
    let out = child.wait_with_output().unwrap();
    assert_eq!(out.status.code(), Some(0), "{}", String::from_utf8_lossy(&out.stderr));
    String::from_utf8(out.stdout).unwrap()
}

#[test]
fn bytes_that_are_no_text_do_not_end_it() {
    assert_eq!(with_errors(b"1i32 + 1\n\xff\xfe\n20i32 + 2\n"), ("2\n22\n".into(), 1));
    assert_eq!(with_errors(b"\"\xff\"\n(1i32,\n\xff)\n3i32\n"), ("3\n".into(), 2));
    assert_eq!(with_errors(b"def x = 4i32\n\xff\nx\n"), ("4\n".into(), 1));
}

#[test]
fn of_large_arrays_the_ends_are_shown() {
    assert_eq!(said(b"iota 1000\n").len(), "[]\n".len() + 2890 + 2 * 999);
    assert_eq!(said(b"iota 1001\n"), "[0, 1, 2, ..., 998, 999, 1000]\n");
    assert_eq!(said(b"iota 1000000\n"), "[0, 1, 2, ..., 999997, 999998, 999999]\n");
    let rows = "[0, 1, 2, ..., 498, 499, 500]";
    assert_eq!(said(b"replicate 4 (iota 501)\n"), format!("[{rows}, {rows}, {rows}, {rows}]\n"));
    assert_eq!(said(b"replicate 7 (replicate 200 (1i32, true))\n").matches("(1, true)").count(), 36);
    // rows without elements are shown, too
    let rows = ["[]"; 3].join(", ");
    assert_eq!(said(b"replicate 1000000000000 (replicate 0 1i32)\n"), format!("[{rows}, ..., {rows}]\n"));
    assert_eq!(said(b"replicate 4 (replicate 0 1i32)\n"), "[[], [], [], []]\n");
    // what is small stands in full beside what is large
    assert_eq!(said(b"(iota 7, iota 2000)\n"), "([0, 1, 2, 3, 4, 5, 6], [0, 1, 2, ..., 1997, 1998, 1999])\n");
    let full = said(b":set full\niota 1001\n:set short\niota 1001\n");
    assert!(full.contains(", 500, 501, ") && full.ends_with("[0, 1, 2, ..., 998, 999, 1000]\n"), "{full}");
    assert_eq!(said(b":set\n:set full\n:set time\n:set\n"), "short notime auto\nfull time auto\n");
}

#[cfg(unix)]
#[test]
fn an_interrupt_stops_what_is_computed() {
    let mut child = start();
    let mut stdin = child.stdin.take().unwrap();
    let mut lines = BufReader::new(child.stderr.take().unwrap()).lines();
    stdin.write_all(b"let i = #[trace(begun)] 1i64 in loop x = i while x > 0 do (x + 1) % 1000 + 1\n").unwrap();
    // it is being computed once the first value is shown
    assert_eq!(lines.next().unwrap().unwrap(), "begun: 1");
    let kill = Command::new("kill").args(["-INT", &child.id().to_string()]).status().unwrap();
    assert!(kill.success());
    stdin.write_all(b"40i64 + 2\n").unwrap();
    drop(stdin);
    let out = child.wait_with_output().unwrap();
    assert_eq!(out.status.code(), Some(0));
    assert_eq!(String::from_utf8(out.stdout).unwrap(), "Interrupted.\n42\n");
}

/// By hand from the inputs. What has been consumed, functions, and what is of a type that is not known are not shown.
#[test]
fn a_computation_that_stops_shows_names() {
    let names = |input: &str| {
        let text = said(input.as_bytes());
        let name = |line: &str| line.strip_prefix("  ").map(str::to_string);
        (text.lines().filter_map(name).collect::<Vec<_>>(), text.lines().last().unwrap_or_default().to_string())
    };
    let consumed = "let a = [7i64, 7] let b = a with [0] = 3 let f = (+ 1) in #[break] f b[0]\n:quit\n";
    assert_eq!(names(consumed), (vec!["b : [2]i64 = [3, 7]".into()], "4".into()));
    // a call of each kind is a frame: a type parameter is what it stands for, and what a function consumes is gone
    let frames = "def g 'a [n] (k: a -> i64) (x: a) (c: *[n]i64) = let d = c with [0] = k x in #[break] d[0] + d[1]
def h (x: i64) (y: i64) = g (+ y) x [1, x]
h 3 4
:frame 1
:frame 0
:quit
";
    let first = ["n : i64 = 2", "x : i64 = 3", "d : [n]i64 = [7, 3]"];
    let all = [&first[..], &["x : i64 = 3", "y : i64 = 4"], &first].concat();
    assert_eq!(names(frames), (all.iter().map(ToString::to_string).collect(), "10".into()));
    // of dual numbers the primal values
    let dual = "jvp (\\x -> let y = x * x in #[break] y * x) 3f64 1\nx + y\n:quit\n";
    assert_eq!(names(dual), (vec!["x : f64 = 3.0".into(), "y : f64 = 9.0".into()], "27.0".into()));
    // a computation within the computation may stop, too
    let nested = "def f (x: i64) = #[break] x + 1\nf 1\nf (x * 5)\nx * 7\n:quit\n:quit\n";
    assert_eq!(names(nested).0, ["x : i64 = 1", "x : i64 = 5"]);
    assert_eq!(said(nested.as_bytes()).matches("\n35\nGoing on.\n6\nGoing on.\n2\n").count(), 1);
    // at the end of all inputs it goes on
    assert!(said(b"#[break] 1i32 + 2\n").ends_with("Going on.\n3\n"));
}

#[test]
fn a_check_says_where_the_kinks_are() {
    let said = said(b"def g (x: f64) = f64.abs x + f64.max x 0\n:check g 0.0\n:check (\\x -> f64.abs x) 1.0\n");
    let kinks: Vec<&str> = said.lines().filter_map(|line| line.strip_prefix("kink ")).map(str::trim).collect();
    assert_eq!(kinks, ["abs.f64 at [0]:1:18-26", "max.f64 at [0]:1:30-40"]);
}

#[test]
fn computations_stop_where_they_are_asked_to_only() {
    let stops = |input: &str| said(input.as_bytes()).matches("Stopped at").count();
    let twice = "def f (x: i64) = #[break] x + 1\nf 1\n";
    assert_eq!(stops(&format!("{twice}:quit\nf 2\n:quit\n")), 2);
    assert_eq!(stops(&format!("{twice}:unbreak\nf 2\n")), 1);
    // 0 / 0, and a row of numbers at once; a NaN of a NaN is nothing new
    let zeros = "let x = 0f64\n:nanbreak\n";
    assert_eq!(stops(&format!("{zeros}x / x\n:quit\n")), 1);
    assert_eq!(stops(&format!("{zeros}map (\\y -> (y - 1) / y + 1) [1, x / x]\n:unbreak\n")), 1);
    assert_eq!(stops(&format!("{zeros}:nanbreak\nx / x\n")), 0);
    assert_eq!(with_errors(b":frame\n"), (String::new(), 0));
}

#[cfg(all(unix, feature = "vulkan"))]
#[test]
fn an_interrupt_stops_what_vulkan_computes() {
    let mut command = Command::new(env!("CARGO_BIN_EXE_futi"));
    command.args(["repl", "--backend", "vulkan"]).stdin(Stdio::piped()).stdout(Stdio::piped());
    let mut child = command.spawn().unwrap();
    let (mut stdin, mut lines) = (child.stdin.take().unwrap(), BufReader::new(child.stdout.take().unwrap()).lines());
    stdin.write_all(b"f64.sum (map f64.i64 (iota 5))\n").unwrap();
    assert_eq!(lines.next().unwrap().unwrap(), "10.0");
    stdin.write_all(b"loop xs = [1i64, 2] while xs[0] > 0 do map (\\x -> (x + 1) % 1000 + 1) xs\n").unwrap();
    // it may be compiled only, or may run: both are stopped
    std::thread::sleep(std::time::Duration::from_secs(1));
    let kill = Command::new("kill").args(["-INT", &child.id().to_string()]).status().unwrap();
    assert!(kill.success());
    stdin.write_all(b"40i64 + 2\n").unwrap();
    drop(stdin);
    let rest: Vec<String> = lines.map(Result::unwrap).collect();
    assert_eq!(rest, ["Interrupted.", "42"]);
    assert!(child.wait().unwrap().success());
}
