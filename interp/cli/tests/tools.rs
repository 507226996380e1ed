//! `futi imports`, `tokens`, `hash`, `completions` and `man` as a person meets them.

mod files;

use files::folder;
use std::path::Path;
use std::process::{Command, Stdio};

/// Runs `futi` in a folder, without input; gives exit status, standard output, standard error.
fn futi(folder: impl AsRef<Path>, args: &[&str]) -> (i32, String, String) {
    let mut command = Command::new(env!("CARGO_BIN_EXE_futi"));
    let out = command.args(args).current_dir(folder).stdin(Stdio::null()).output().unwrap();
    let text = |bytes| String::from_utf8(bytes).unwrap();
    (out.status.code().unwrap_or(-1), text(out.stdout), text(out.stderr))
}

#[test]
fn imports_are_listed_once() {
    let folder = folder(&[
        ("main.fut", "import \"lib/a\"\nmodule b = import \"b\"\nimport \"lib/sort\"\ndef x = 1 + true\n"),
        ("lib/a.fut", "import \"../b\"\nimport \"/prelude/lib/ad\"\n"),
        ("b.fut", "def y = nothing\n"),
        ("missing.fut", "import \"b\"\nimport \"nowhere\"\n"),
        ("broken.fut", "import \"b\"\ndef = 1\n"),
        ("circle.fut", "import \"circle\"\n"),
    ]);
    // type errors and unknown names are no matter
    assert_eq!(futi(&folder, &["imports", "main.fut"]), (0, "b.fut\nlib/a.fut\nmain.fut\n".into(), "".into()));
    let (_, out, _) =
        futi(folder.path().parent().unwrap(), &["imports", folder.path().join("b.fut").to_str().unwrap()]);
    assert_eq!(out, format!("{}\n", folder.path().join("b.fut").display()));
    for (file, said) in [
        ("missing.fut", "missing.fut:2:8"),
        ("broken.fut", "broken.fut:2:5"),
        ("circle.fut", "circle.fut imports itself"),
        ("nowhere.fut", "nowhere.fut cannot be read"),
        ("lib", "lib cannot be read: it is a folder"),
    ] {
        for command in ["imports", "hash"] {
            let (code, out, err) = futi(&folder, &[command, file]);
            assert!(code == 2 && out.is_empty() && err.contains(said), "{file}: {err}");
        }
    }
}

#[test]
fn tokens_have_their_places() {
    let folder = folder(&[("a.fut", "-- é\ndef f = \"é\" ++ x[1]\n\n  f64.+ 0x1_0i32"), ("b.fut", "def € = 1\n")]);
    let expected =
        "2:1 def\n2:5 f\n2:7 =\n2:9 \"é\"\n2:13 ++\n2:16 x\n2:17 [\n2:18 1\n2:19 ]\n4:3 f64.+\n4:9 0x1_0i32\n";
    assert_eq!(futi(&folder, &["tokens", "a.fut"]), (0, expected.into(), "".into()));
    // what is no token is said, when all have been listed
    let (code, out, err) = futi(&folder, &["tokens", "b.fut"]);
    assert!(code == 2 && out.starts_with("1:1 def\n1:5 €\n") && out.ends_with("1:9 1\n"), "{out}");
    assert!(err.contains("b.fut:1:5") && err.contains("E0101"), "{err}");
    assert_eq!(futi(&folder, &["tokens", "nowhere.fut"]).0, 2);
}

#[test]
fn hashes_are_of_what_a_program_means() {
    let hash = |main: &str, imported: &str| {
        let folder = folder(&[("main.fut", main), ("lib/a.fut", imported)]);
        let (code, out, err) = futi(&folder, &["hash", "main.fut"]);
        assert_eq!((code, err.as_str()), (0, ""));
        assert!(out.len() == 65 && out.trim_end().bytes().all(|b| b.is_ascii_hexdigit()), "{out}");
        // by another path it is the same program
        let path = folder.path().join("main.fut");
        assert_eq!(futi(Path::new("/"), &["hash", path.to_str().unwrap()]).1, out);
        out
    };
    let first = hash("import \"lib/a\"\ndef f x = x[one]\n", "def one = 1i64\n");
    let layout = hash("-- |\nimport  \"lib/a\"\r\ndef f x =\n\tx[ one ] -- why", "\n\n def one=1i64");
    assert_eq!(first, layout);
    for (main, imported) in [
        ("import \"lib/a\"\ndef f x = x [one]\n", "def one = 1i64\n"),
        ("import \"lib/a\"\ndef f y = y[one]\n", "def one = 1i64\n"),
        ("import \"lib/a\"\ndef f x = x[one]\n", "def one = 2i64\n"),
        ("def one = 1i64\nimport \"lib/a\"\ndef f x = x[one]\n", ""),
    ] {
        assert_ne!(hash(main, imported), first, "{main}");
    }
    // which of two imports is a library of ours
    let library = |file: &str| {
        let folder = folder(&[("main.fut", "import \"lib/ad\"\nimport \"lib/sort\"\n"), (file, "def x = 1i32\n")]);
        futi(&folder, &["hash", "main.fut"]).1
    };
    assert_ne!(library("lib/ad.fut"), library("lib/sort.fut"));
}

/// They are the same in later versions. The number is SHA-256 by Python's `hashlib` of what `hash.rs` says: "futi-hash 1\n"; F 4 and the four tokens of `b.fut`;
/// F 14 and the tokens of `main.fut`, of which `[`, `.` and `0` have kinds; I 0; L /prelude/lib/ad.fut. Before each part, its length in eight bytes.
#[test]
fn hashes_stay() {
    let main = "import \"b\"\nimport \"lib/ad\"\ndef f x = x[y].0\n";
    let folder = folder(&[("b.fut", "def y = 1\n"), ("main.fut", main)]);
    let hash = "8b2b2380709f4f8a2ce13772c733ae0dd8c48292eb6bd9dbbfc2936fb1850d1e\n";
    assert_eq!(futi(&folder, &["hash", "main.fut"]), (0, hash.into(), "".into()));
}

#[test]
fn completions_are_scripts() {
    let folder = folder(&[]);
    for (shell, check) in [("bash", true), ("zsh", false), ("fish", false)] {
        let (code, script, err) = futi(&folder, &["completions", shell]);
        assert_eq!((code, err.as_str()), (0, ""), "{shell}");
        for word in ["datacmp", "pkg", "sync", "Werror"] {
            assert!(script.contains(word), "{shell} knows nothing of {word}");
        }
        let path = folder.path().join(shell);
        std::fs::write(&path, script).unwrap();
        // the other shells need not be here
        match Command::new(shell).arg("-n").arg(&path).output() {
            Ok(out) => assert!(out.status.success(), "{shell}: {}", String::from_utf8_lossy(&out.stderr)),
            Err(e) => assert!(!check, "{shell}: {e}"),
        }
    }
    assert_eq!(futi(&folder, &["completions", "tcsh"]).0, 2);
}

/// What bash completes.
#[test]
fn bash_completes_subcommands_and_options() {
    let folder = folder(&[]);
    std::fs::write(folder.path().join("script"), futi(&folder, &["completions", "bash"]).1).unwrap();
    let completed = |line: &str, word: &str, before: &str| {
        let words = line.split(' ').count();
        let ask = format!(
            "source ./script; COMP_WORDS=({line} '{word}') COMP_CWORD={words}; _futi futi '{word}' {before}; echo ${{COMPREPLY[@]}}"
        );
        String::from_utf8(Command::new("bash").args(["-c", &ask]).current_dir(&folder).output().unwrap().stdout)
            .unwrap()
    };
    assert_eq!(completed("futi", "da", "futi"), "dataset datacmp\n");
    assert_eq!(completed("futi check", "--We", "check"), "--Werror\n");
    assert_eq!(completed("futi pkg", "s", "pkg"), "sync\n");
}

#[test]
fn each_subcommand_has_a_page() {
    let folder = folder(&[]);
    assert_eq!(futi(&folder, &["man", "out/pages"]), (0, "".into(), "".into()));
    let page = |name: &str| std::fs::read_to_string(folder.path().join("out/pages").join(name)).unwrap();
    for name in
        ["futi.1", "futi-run.1", "futi-check.1", "futi-completions.1", "futi-man.1", "futi-pkg.1", "futi-pkg-add.1"]
    {
        assert!(page(name).contains(".TH"), "{name}");
    }
    assert!(page("futi-check.1").contains("Werror"));
    // whoever cannot be written to is named
    std::fs::write(folder.path().join("file"), "").unwrap();
    let (code, _, err) = futi(&folder, &["man", "file"]);
    assert!(code == 1 && err.starts_with("futi: file: ") && err.lines().count() == 1, "{err}");
}
