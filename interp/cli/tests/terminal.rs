//! The session at a terminal: a pseudo-terminal of `script` (util-linux), keys typed, and what is shown waited for.
#![cfg(target_os = "linux")]

use std::io::{Read, Write};
use std::process::{Child, ChildStdin, Command, Stdio};
use std::sync::{Arc, Mutex};
use std::time::{Duration, Instant};

struct Terminal {
    child: Child,
    keys: ChildStdin,
    shown: Arc<Mutex<String>>,
    /// Up to here all has been waited for.
    seen: usize,
    home: Arc<tempfile::TempDir>,
}

/// How long something is waited for.
const PATIENCE: Duration = Duration::from_secs(30);

const ENTER: &str = "\r";
const CTRL_C: &str = "\x03";
const CTRL_D: &str = "\x04";
const CTRL_R: &str = "\x12";
const CTRL_U: &str = "\x15";
const LEFT: &str = "\x1b[D";
const BACKSPACE: &str = "\x7f";

impl Terminal {
    fn open() -> Terminal {
        Terminal::with_home(Arc::new(tempfile::tempdir().unwrap()))
    }

    fn with_home(home: Arc<tempfile::TempDir>) -> Terminal {
        let mut command = Command::new("script");
        // `script` has been seen to end with a status that was not the command's; the shell, which Ctrl-C reaches too, goes
        // on after it
        let session = concat!("trap : INT; ", env!("CARGO_BIN_EXE_futi"), "; echo ended with $?.");
        command.args(["--quiet", "--flush", "--command", session, "/dev/null"]);
        command
            .env("SHELL", "/bin/sh")
            .env("TERM", "xterm")
            .env("HOME", home.path())
            .env_remove("XDG_STATE_HOME")
            .env_remove("NO_COLOR");
        let mut child = command.stdin(Stdio::piped()).stdout(Stdio::piped()).spawn().unwrap();
        let (keys, mut out) = (child.stdin.take().unwrap(), child.stdout.take().unwrap());
        let shown = Arc::new(Mutex::new(String::new()));
        let writes = shown.clone();
        std::thread::spawn(move || {
            let mut bytes = [0; 4096];
            while let Ok(n @ 1..) = out.read(&mut bytes) {
                writes.lock().unwrap().push_str(&String::from_utf8_lossy(&bytes[..n]));
            }
        });
        let mut terminal = Terminal { child, keys, shown, seen: 0, home };
        terminal.wait("[0]> ");
        terminal
    }

    fn type_keys(&mut self, keys: &str) {
        self.keys.write_all(keys.as_bytes()).unwrap();
        self.keys.flush().unwrap();
    }

    /// Waits until this has been shown since the last time; gives what has been shown up to there.
    fn wait(&mut self, text: &str) -> String {
        let end = Instant::now() + PATIENCE;
        loop {
            let shown = plain(&self.shown.lock().unwrap());
            if let Some(at) = shown[self.seen..].find(text) {
                let until = self.seen + at + text.len();
                let part = shown[self.seen..until].to_string();
                self.seen = until;
                return part;
            }
            assert!(Instant::now() < end, "no {text:?} in {:?}", &shown[self.seen..]);
            std::thread::sleep(Duration::from_millis(10));
        }
    }

    /// Types a line, and waits for what it brings and for the next prompt.
    fn line(&mut self, line: &str, answer: &str, prompt: usize) {
        self.type_keys(&format!("{line}{ENTER}"));
        self.wait(&format!("\n{answer}\r\n"));
        self.wait(&format!("[{prompt}]> "));
    }

    /// Ends the session; gives its folder, for another one.
    fn leave(mut self) -> Arc<tempfile::TempDir> {
        self.type_keys(&format!("{CTRL_U}{CTRL_D}"));
        self.wait("ended with 0.");
        self.home.clone()
    }
}

impl Drop for Terminal {
    /// What has not ended does not go on.
    fn drop(&mut self) {
        let _ = self.child.kill();
        let _ = self.child.wait();
    }
}

/// Without escape sequences, but for what moves the cursor or clears.
fn plain(text: &str) -> String {
    let mut out = String::new();
    let mut rest = text;
    while let Some((before, after)) = rest.split_once('\x1b') {
        out += before;
        rest = match after.strip_prefix(['[', ']']) {
            Some(sequence) => sequence.split_once(|c: char| c.is_ascii_alphabetic()).map_or("", |(_, rest)| rest),
            None => after.get(1..).unwrap_or(""),
        };
    }
    out + rest
}

#[test]
fn an_expression_over_several_lines() {
    let mut t = Terminal::open();
    t.line("1i32 + 1", "2", 1);
    t.line("it * 21", "42", 2);
    // the definition goes on until it can be read
    t.type_keys(&format!("def f x ={ENTER}  match x{ENTER}"));
    t.type_keys(&format!("  case y -> y + 1i32{ENTER}"));
    t.wait("[3]> ");
    t.line("f 41", "42", 4);
    t.line("\"(\"", "[40]", 5);
    t.leave();
}

#[test]
fn candidates_are_listed() {
    let mut t = Terminal::open();
    t.type_keys("f64.sq\t");
    t.wait("rt");
    t.type_keys(&format!("{CTRL_U}f64.atan\t\t"));
    t.wait("f64.atanh : f64 -> f64");
    t.wait("f64.atan2 : f64 -> f64 -> f64");
    t.type_keys(&format!("{CTRL_U}:re\t"));
    t.wait("load");
    t.type_keys(CTRL_U);
    t.line("let point = {left = 1i32, right = 2i32}\r1i32", "1", 2);
    t.type_keys("point.r\t");
    t.wait("ight");
    t.leave();
}

#[test]
fn a_mistake_is_kept_for_mending() {
    let mut t = Terminal::open();
    t.type_keys(&format!("1i32 + + 2{ENTER}"));
    t.wait("error E0103: Unexpected `+`.");
    // the second plus goes
    t.type_keys(&format!("{LEFT}{LEFT}{BACKSPACE}{ENTER}"));
    t.wait("\n3\r\n");
    t.type_keys(&format!("(1{ENTER}{ENTER}"));
    t.wait("The `(` is not closed.");
    t.type_keys(CTRL_C);
    t.wait("[1]> ");
    t.line("4i32", "4", 2);
    t.leave();
}

#[test]
fn history_lasts_and_can_be_searched() {
    let mut t = Terminal::open();
    t.line("20i32 + 1", "21", 1);
    t.line("20i32 + 2", "22", 2);
    let home = t.leave();
    let mut t = Terminal::with_home(home);
    t.type_keys(&format!("{CTRL_R}+ 1"));
    t.wait("reverse-i-search");
    t.type_keys(ENTER);
    t.wait("\n21\r\n");
    t.leave();
}

#[test]
fn an_interrupt_stops_a_computation_only() {
    let mut t = Terminal::open();
    t.type_keys(&format!("let i = #[trace(begun)] 1i64 in loop x = i while x > 0 do (x + 1) % 1000 + 1{ENTER}"));
    t.wait("begun: 1");
    // what takes long says so, and how it can be stopped
    t.wait("Ctrl-C stops it");
    t.type_keys(CTRL_C);
    t.wait("Interrupted.");
    t.wait("[1]> ");
    t.line("40i32 + 2", "42", 2);
    // of a line that is being edited it makes an end
    t.type_keys("this is no");
    t.wait("this is no");
    t.type_keys(CTRL_C);
    t.wait("[2]> ");
    t.line("5i32", "5", 3);
    t.leave();
}

/// Into a terminal that says where a pasted text begins and ends, and into one that does not.
#[test]
fn fifty_lines_are_pasted() {
    let mut t = Terminal::open();
    let lines: Vec<String> = (0..24).map(|k| format!("def f{k} (x: i32) =\n  x + {k}")).collect();
    let text = format!("{}\nf23 (f0 1i32)\nf1 1i32", lines.join("\n"));
    assert_eq!(text.lines().count(), 50);
    t.type_keys(&format!("\x1b[200~{text}\x1b[201~{ENTER}"));
    t.wait("\n24\r\n2\r\n");
    t.line("f7 1i32", "8", 27);
    t.leave();
    let mut t = Terminal::open();
    let lines: Vec<String> = (0..49).map(|k| format!("def f{k} (x: i32) = x + {k}\r")).collect();
    t.type_keys(&format!("{}f48 1i32\r", lines.concat()));
    t.wait("\n49\r\n");
    t.leave();
}
