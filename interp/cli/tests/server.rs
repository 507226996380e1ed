//! `futi server`: each command of the protocol, and lines that are none.

use futi_core::value::text::parse_values;
use futi_core::value::{Value, binary};
use std::io::{BufRead, BufReader, Write};
use std::process::{Child, ChildStdin, ChildStdout, Command, Stdio};
use tempfile::TempDir;

/// A server, and the folder in which it works.
struct Server {
    child: Child,
    commands: ChildStdin,
    answers: BufReader<ChildStdout>,
    folder: TempDir,
}

const PROGRAM: &str = "
type point = {x: f64, y: f64}
#[some_attribute] #[other(1)] entry main [n] (xs: [n]f64) (k: f64) : ([n]f64, i64) = (map (* k) xs, n)
entry consume [n] (xs: *[n]i64) : *[n]i64 = xs with [0] = 7
entry points [n] (ps: [n]point) : point = {x = f64.sum (map (.x) ps), y = f64.sum (map (.y) ps)}
entry swap (p: point) : point = {x = p.y, y = p.x}
entry rows [n][m] (a: [n][m]i32) : [m][n]i32 = transpose a
entry fails (x: i32) : i32 = 1 / x
entry tuned (x: i64) : i64 = #[param(n)] x
entry pair (p: (i32, bool)) : [](i32, bool) = [p, p]
type shape = #circle f64 | #none | #points point ([2]f64)
entry area (s: shape) : f64 = match s case #circle r -> r * r case #none -> 0 case #points p xs -> p.x * p.y + f64.sum xs
entry circle (r: f64) : shape = #circle r
entry maybes (n: i64) : [n](#some i64 | #none) = tabulate n (\\i -> if i % 2 == 0 then #some i else #none)
entry total [n] (xs: [n](#some i64 | #none)) : i64 = i64.sum (map (\\x -> match x case #some i -> i case #none -> 1000) xs)
";

impl Server {
    fn start(backend: &str) -> Server {
        let folder = tempfile::tempdir().unwrap();
        std::fs::write(folder.path().join("p.fut"), PROGRAM).unwrap();
        let mut command = Command::new(env!("CARGO_BIN_EXE_futi"));
        command
            .current_dir(&folder)
            .args(["server", "p.fut", "--backend", backend])
            .stdin(Stdio::piped())
            .stdout(Stdio::piped());
        let mut child = command.spawn().unwrap();
        let commands = child.stdin.take().unwrap();
        let answers = BufReader::new(child.stdout.take().unwrap());
        let mut server = Server { child, commands, answers, folder };
        assert_eq!(server.answer(), Ok(vec![]));
        server
    }

    /// The lines of the next answer, or what is wrong.
    fn answer(&mut self) -> Result<Vec<String>, String> {
        let (mut lines, mut failed) = (Vec::new(), false);
        loop {
            let mut line = String::new();
            assert!(self.answers.read_line(&mut line).unwrap() > 0, "the server has ended behind {lines:?}");
            match line.trim_end() {
                "%%% OK" if failed => return Err(lines.join("\n")),
                "%%% OK" => return Ok(lines),
                "%%% FAILURE" => {
                    failed = true;
                    lines.clear();
                }
                line => lines.push(line.to_string()),
            }
        }
    }

    fn send(&mut self, line: &str) -> Result<Vec<String>, String> {
        self.commands.write_all(format!("{line}\n").as_bytes()).unwrap();
        self.answer()
    }

    /// The lines that answer a command that does not fail, with blanks between them.
    fn ok(&mut self, line: &str) -> String {
        self.send(line).unwrap_or_else(|e| panic!("{line}: {e}")).join(" ")
    }

    /// What is wrong with a command.
    fn wrong(&mut self, line: &str) -> String {
        self.send(line).expect_err(line)
    }

    /// Binds a variable to values in Futhark's text format.
    fn restore(&mut self, variable: &str, ty: &str, text: &str) {
        let file = self.folder.path().join("values");
        std::fs::write(&file, binary::write_values(&parse_values(text).unwrap())).unwrap();
        assert_eq!(self.ok(&format!("restore values {variable} \"{ty}\"")), "");
    }

    /// The values of variables, in Futhark's text format.
    fn store(&mut self, variables: &str) -> String {
        assert_eq!(self.ok(&format!("store \"stored values\" {variables}")), "");
        let bytes = std::fs::read(self.folder.path().join("stored values")).unwrap();
        binary::read_values(&bytes).unwrap().iter().map(Value::to_string).collect::<Vec<_>>().join(" ")
    }

    /// Closes its input: it ends.
    fn end(self) {
        let Server { mut child, commands, .. } = self;
        drop(commands);
        assert!(child.wait().unwrap().success());
    }
}

/// The backends that there are here.
fn backends() -> &'static [&'static str] {
    if cfg!(feature = "vulkan") { &["interp", "vulkan"] } else { &["interp"] }
}

#[test]
fn every_command() {
    for backend in backends() {
        let mut s = Server::start(backend);
        assert_eq!(s.ok("entry_points"), "main consume points swap rows fails tuned pair area circle maybes total");
        let types = s.send("types").unwrap();
        for ty in [
            "[]f64",
            "[][]i32",
            "{x: f64, y: f64}",
            "[]{x: f64, y: f64}",
            "(i32, bool)",
            "[](i32, bool)",
            "([]f64, i64)",
        ] {
            assert!(types.contains(&ty.to_string()), "{ty} in {types:?}");
        }
        assert_eq!(s.ok("inputs main"), "[]f64 f64");
        assert_eq!(s.ok("inputs consume"), "*[]i64");
        assert_eq!(s.ok("output consume"), "*[]i64");
        assert_eq!(s.ok("output points"), "*{x: f64, y: f64}");
        assert!(["([]f64, i64)", "*([]f64, i64)"].contains(&s.ok("output main").as_str()));
        assert_eq!(s.ok("outputs main").replace('*', ""), "[]f64 i64");
        assert_eq!(s.ok("attributes main"), "some_attribute other(1)");
        assert_eq!(s.ok("attributes rows"), "");
        for (ty, kind) in [
            ("f64", "primitive"),
            ("[]f64", "array"),
            ("\"{x: f64, y: f64}\"", "record"),
            ("\"(i32, bool)\"", "record"),
        ] {
            assert_eq!(s.ok(&format!("kind {ty}")), kind);
        }

        // the result as one value, and part by part
        s.restore("xs", "[]f64", "[1.0, 2.5]");
        s.restore("k", "f64", "2.0");
        assert_eq!(s.ok("type xs"), "[]f64");
        assert!(s.ok("call main out xs k").starts_with("runtime: "));
        assert_eq!(s.store("out"), "[2.0f64, 5.0f64] 2i64");
        assert_eq!(s.ok("type out"), "([]f64, i64)");
        s.ok("call main ys n xs k");
        assert_eq!(s.store("ys n"), "[2.0f64, 5.0f64] 2i64");
        s.ok("call main again m ys k");
        assert_eq!(s.store("again"), "[4.0f64, 10.0f64]");
        s.ok("project ys2 out 0");
        assert_eq!(s.store("ys2"), "[2.0f64, 5.0f64]");
        assert_eq!(s.ok("shape xs"), "2");

        // what is consumed can be freed only
        s.restore("is", "[]i64", "[1i64, 2i64]");
        s.ok("call consume js is");
        assert_eq!(s.store("js"), "[7i64, 2i64]");
        assert_eq!(s.wrong("store x is"), "Variable has been consumed: is");
        s.ok("free is js");
        assert_eq!(s.wrong("type is"), "Unknown variable: is");
        s.ok("rename k factor");
        assert_eq!(s.store("factor"), "2.0f64");

        // records and arrays of them
        s.restore("x", "f64", "3.0");
        s.restore("y", "f64", "4.0");
        assert_eq!(s.ok("fields \"{x: f64, y: f64}\""), "x f64 y f64");
        assert_eq!(s.ok("fields \"(i32, bool)\""), "0 i32 1 bool");
        // PyPI's futhark-server puts no type into quotation marks
        assert_eq!((s.ok("fields (i32, bool)"), s.ok("kind [](i32, bool)")), ("0 i32 1 bool".into(), "array".into()));
        s.ok("new p \"{x: f64, y: f64}\" x y");
        s.ok("call swap q p");
        assert_eq!(s.store("q"), "4.0f64 3.0f64");
        s.ok("zip ps \"[]{x: f64, y: f64}\" xs ys");
        s.ok("call points sum ps");
        assert_eq!(s.store("sum"), "3.5f64 7.0f64");
        s.ok("index second ps 1");
        assert_eq!(s.store("second"), "2.5f64 5.0f64");
        s.ok("unzip ps us vs");
        assert_eq!(s.store("us vs"), "[1.0f64, 2.5f64] [2.0f64, 5.0f64]");
        s.ok("new_array three \"[]{x: f64, y: f64}\" 3 p q p");
        assert_eq!(s.store("three"), "[3.0f64, 4.0f64, 3.0f64] [4.0f64, 3.0f64, 4.0f64]");
        s.ok("set three q 0");
        assert_eq!(s.store("three"), "[4.0f64, 4.0f64, 3.0f64] [3.0f64, 3.0f64, 4.0f64]");

        // arrays
        s.restore("a", "[][]i32", "[[1, 2, 3], [4, 5, 6]]");
        assert_eq!(
            (s.ok("rank [][]i32"), s.ok("elemtype [][]i32"), s.ok("shape a")),
            ("2".into(), "i32".into(), "2 3".into())
        );
        s.ok("index e a 1 2");
        assert_eq!(s.store("e"), "6i32");
        s.ok("set a e 0 0");
        assert_eq!(s.store("a"), "[[6i32, 2i32, 3i32], [4i32, 5i32, 6i32]]");
        s.ok("new_array b [][]i32 1 2 e e");
        assert_eq!(s.store("b"), "[[6i32, 6i32]]");
        s.ok("new_array none [][]i32 0 2");
        assert_eq!(s.store("none"), "empty([0][2]i32)");

        // parameters, reports, caches
        s.restore("z", "i64", "5i64");
        s.ok("call tuned t z");
        s.ok("set_tuning_param n 9");
        s.ok("call tuned t2 z");
        assert_eq!(s.store("t t2"), "5i64 9i64");
        assert!(s.ok("tuning_params main").starts_with("n n"));
        assert_eq!(s.ok("tuning_param_class n"), "n");
        for line in ["pause_profiling", "unpause_profiling", "clear"] {
            assert_eq!(s.ok(line), "");
        }
        assert!(s.ok("report").starts_with("{\"events\":["));
        s.end();
    }
}

/// Values of sum types, by the interpreter: the GPU has no code for the bytes that tell constructors apart.
#[test]
fn sums() {
    let mut s = Server::start("interp");
    s.restore("xs", "[]f64", "[1.0, 2.5]");
    s.restore("x", "f64", "3.0");
    s.restore("y", "f64", "4.0");
    s.ok("new p \"{x: f64, y: f64}\" x y");
    let shape = s.ok("inputs area");
    assert_eq!(s.ok(&format!("kind \"{shape}\"")), "sum");
    assert_eq!(s.ok(&format!("variants \"{shape}\"")), "circle - f64 none points - {x: f64, y: f64} - []f64");
    s.ok(&format!("construct s1 \"{shape}\" circle y"));
    s.ok(&format!("construct s2 \"{shape}\" none"));
    s.ok(&format!("construct s3 \"{shape}\" points p xs"));
    for (v, variant, area) in [("s1", "circle", "16.0f64"), ("s2", "none", "0.0f64"), ("s3", "points", "15.5f64")] {
        assert_eq!(s.ok(&format!("variant {v}")), variant);
        s.ok(&format!("call area of_{v} {v}"));
        assert_eq!(s.store(&format!("of_{v}")), area);
    }
    s.ok("destruct s3 its_point its_values");
    assert_eq!(s.store("its_point its_values"), "3.0f64 4.0f64 [1.0f64, 2.5f64]");
    s.ok("destruct s2");
    s.ok("call circle s4 y");
    s.ok("destruct s4 radius");
    assert_eq!(s.store("radius"), "4.0f64");
    // what has been stored comes back
    s.ok("store shapes s3");
    s.ok(&format!("restore shapes s5 \"{shape}\""));
    assert_eq!(s.ok("variant s5"), "points");
    s.restore("n", "i64", "4i64");
    s.ok("call maybes ms n");
    assert_eq!(s.ok("type ms"), "[](#none | #some i64)");
    let maybe = "#none | #some i64".to_string();
    s.ok("index m ms 2");
    assert_eq!((s.ok("variant m"), s.ok("type m")), ("some".into(), maybe.clone()));
    s.ok("destruct m two");
    s.ok(&format!("new_array ns \"[]({maybe})\" 2 m m"));
    s.ok("call total sum_of_ms ms");
    s.ok("call total sum_of_ns ns");
    assert_eq!(s.store("two sum_of_ms sum_of_ns"), "2i64 2002i64 4i64");
    s.end();
}

#[test]
fn what_fails_says_why_and_the_server_goes_on() {
    let mut s = Server::start("interp");
    s.restore("zero", "i32", "0i32");
    s.restore("xs", "[]f64", "[1.0]");
    s.restore("a", "[][]i32", "[[1, 2]]");
    std::fs::write(s.folder.path().join("cut"), b"b\x02\x01 f64\x02").unwrap();
    std::fs::write(s.folder.path().join("two"), "1.0 2.0").unwrap();
    let shape = format!("\"{}\"", s.ok("inputs area"));
    s.restore("r", "f64", "1.0");
    s.ok("call circle sum r");
    std::fs::write(s.folder.path().join("number"), "7u8 1.0 1.0 [1.0, 2.0]").unwrap();
    for (line, what) in [
        ("quux", "Unknown command: quux"),
        ("call main", "main takes an output and 2 inputs"),
        ("call quux out xs", "Unknown entry point: quux"),
        ("call fails out nope", "Unknown variable: nope"),
        ("call fails out xs", "Wrong input type.  Expected i32, got []f64."),
        ("call fails zero zero", "Variable already exists: zero"),
        ("call fails out zero", "division by zero"),
        ("inputs quux", "Unknown entry point: quux"),
        ("kind quux", "Unknown type: quux"),
        ("restore nowhere v f64", "Failed to restore variable v.\nPossibly malformed data in nowhere"),
        ("restore cut v []f64", "Failed to restore variable v.\nPossibly malformed data in cut"),
        ("restore two v f64", "Expected EOF after reading 1 values from two"),
        ("restore two v f64 w f64 u f64", "Failed to restore variable u."),
        ("restore two v []f64 w f64", "Failed to restore variable v."),
        ("restore two v f64 v f64", "Variable already exists: v"),
        ("store nowhere/x xs", "No such file"),
        ("free xs nope", "Unknown variable: nope"),
        ("rename a zero", "Variable already exists: zero"),
        ("index v a 1 0", "Index 1 is out of bounds for dimension 0 of size 1."),
        ("index v a 0", "a has 2 dimensions; there are 1 indices."),
        ("index v zero", "Not an array: zero"),
        ("set a xs 0 0", "Wrong type.  Expected i32, got []f64."),
        ("shape zero", "Not an array: zero"),
        ("rank i32", "Not an array type: i32"),
        ("fields i32", "Not a record type: i32"),
        ("new v \"{x: f64, y: f64}\" xs", "has 2 fields"),
        ("project v zero x", "Not a record: zero"),
        ("unzip a v w", "Not an array of records: a"),
        ("variants f64", "Not a sum type: f64"),
        ("variant zero", "Not a sum: zero"),
        ("destruct zero", "Not a sum: zero"),
        ("destruct sum", "sum is a circle of 1 values; there are 0 names."),
        ("construct v f64 circle zero", "Not a sum type: f64"),
        ("construct v SHAPE square zero", "has no variant square."),
        ("construct v SHAPE circle", "circle holds 1 values; there are 0 variables."),
        ("construct v SHAPE circle zero", "Wrong type.  Expected f64, got i32."),
        ("restore number v SHAPE", "there is a number that no variant has"),
        ("set_tuning_param n x", "Not an integer: x"),
        ("tuning_param_class quux", "Unknown tuning parameter: quux"),
        ("kind \"f64", "A quotation mark is not closed."),
    ] {
        let said = s.wrong(&line.replace("SHAPE", &shape));
        assert!(said.contains(what), "{line}: {said}");
    }
    assert_eq!(s.store("zero xs"), "0i32 [1.0f64]");
    s.end();
}

/// Lines of the protocol's words in any order, with variables, types and files that may be there: each is answered.
#[test]
fn random_lines_are_answered() {
    let mut s = Server::start("interp");
    s.restore("xs", "[]f64", "[1.0, 2.0]");
    s.restore("one", "f64", "1.0");
    s.restore("is", "[]i64", "[1i64]");
    let words = [
        "types",
        "entry_points",
        "call",
        "restore",
        "store",
        "free",
        "rename",
        "inputs",
        "output",
        "outputs",
        "attributes",
        "clear",
        "kind",
        "type",
        "report",
        "tuning_params",
        "rank",
        "elemtype",
        "new_array",
        "set",
        "shape",
        "index",
        "zip",
        "unzip",
        "fields",
        "new",
        "project",
        "variants",
        "variant",
        "construct",
        "destruct",
        "main",
        "consume",
        "points",
        "swap",
        "rows",
        "fails",
        "pair",
        "area",
        "circle",
        "xs",
        "one",
        "is",
        "v",
        "w",
        "f64",
        "[]f64",
        "[]i64",
        "\"{x: f64, y: f64}\"",
        "\"[]{x: f64, y: f64}\"",
        "values",
        "0",
        "1",
        "-1",
        "99999999999999999999",
        "\"",
        "%%%",
        "x",
        "\u{fc}",
    ];
    // a linear congruential generator (Knuth's MMIX)
    let mut state = 7u64;
    let mut draw = |n: usize| {
        state = state.wrapping_mul(6364136223846793005).wrapping_add(1442695040888963407);
        (state >> 33) as usize % n
    };
    let mut answered = [0, 0];
    for _ in 0..10_000 {
        // half of them begin with a command
        let mut line: Vec<&str> = if draw(2) == 0 { vec![words[draw(31)]] } else { vec![] };
        (0..draw(6)).for_each(|_| line.push(words[draw(words.len())]));
        answered[usize::from(s.send(&line.join(" ")).is_ok())] += 1;
    }
    assert!(answered.iter().all(|n| *n > 500), "{answered:?}");
    s.end();
}

/// Bytes that are no text are a command that fails, and an empty line is none.
#[test]
fn lines_that_are_no_text() {
    let mut s = Server::start("interp");
    s.commands.write_all(b"kind \xff\n").unwrap();
    assert_eq!(s.answer(), Err("The command is not text in UTF-8.".into()));
    assert_eq!(s.send(""), Ok(vec![]));
    s.end();
}
