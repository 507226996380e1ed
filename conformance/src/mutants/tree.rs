//! The mutated copy of the workspace, and its build.

use super::rewrite::{Rewritten, rewrite};
use super::{Mutant, Target, hash, mutants};
use serde_json::Value as Json;
use std::collections::{BTreeMap, BTreeSet};
use std::fs;
use std::io::{BufRead, BufReader};
use std::ops::Range;
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};

/// What the crates that have mutants depend on.
const CRATE: &str = include_str!("runtime.rs");

/// What is added to the copy's files, behind the first occurrence of a text: the crate, and where GLSL with two readings becomes the reading that is on.
const EDITS: [(&str, &str, &str); 8] = [
    ("Cargo.toml", "members = [", "\"mutant\", "),
    ("core/Cargo.toml", "[dependencies]\n", DEPENDENCY),
    ("core/kernels/Cargo.toml", "[dependencies]\n", "futi-mutant = { path = \"../../mutant\" }\n"),
    ("interp/Cargo.toml", "[dependencies]\n", DEPENDENCY),
    ("vk-backend/Cargo.toml", "[dependencies]\n", DEPENDENCY),
    ("conformance/Cargo.toml", "[dependencies]\n", DEPENDENCY),
    (
        "vk-backend/src/device/kernels.rs",
        "        label: &str,\n    ) -> Result<Vec<u32>, Error> {\n",
        "        let source = &*::futi_mutant::text(source);\n",
    ),
    (
        "vk-backend/src/print/mod.rs",
        "// what it uses of the library will come before it\n",
        "    let text = ::futi_mutant::text(&text);\n",
    ),
];
const DEPENDENCY: &str = "futi-mutant = { path = \"../mutant\" }\n";
/// The manifest of that crate. What it depends on has there what it has in the whole workspace, of which the hunt builds a part: so nothing of it is compiled again.
/// (`cargo tree -f '{p} {f}'` of the workspace, with all features, and of the part tell the differences.)
const MANIFEST: &str = r#"[package]
name = "futi-mutant"
version = "0.1.0"
edition = "2024"
publish = false

[dependencies]
foldhash = "0.1"
half = "2"
libc = { version = "0.2", features = ["extra_traits"] }
memchr = "2"
num-traits = { version = "0.2", features = ["i128"] }
rustix = { version = "1", features = ["mm"] }
serde_core = "1"

[build-dependencies]
cc = { version = "1", features = ["parallel"] }
memchr = "2"
syn2 = { package = "syn", version = "2", features = ["extra-traits", "full", "visit", "visit-mut"] }
syn3 = { package = "syn", version = "3", features = ["extra-traits", "full", "visit-mut"] }
"#;

/// The packages whose tests are oracles.
const PACKAGES: [&str; 5] = ["futi-core", "futi-kernels", "futi-interp", "futi-vk", "futi-conformance"];

/// Of the core's tests those that a sample is hunted with, besides those beside the code.
const QUICK: [&str; 4] = ["passes", "ad_arrays", "ad_checks", "ad_checkpoints"];

/// The backend's, which run kernels one by one on devices that lack this or that.
const OF_KERNELS: &str = "gpu";

/// A program of the build.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Program {
    /// The package.
    pub package: String,
    /// The target's name, and whether it is tests (rather than the program itself).
    pub name: String,
    /// Whether it is the tests inside of the library.
    pub is_unit: bool,
    /// Whether it is tests.
    pub is_test: bool,
    /// Where it is.
    pub path: PathBuf,
}

/// The copy, built.
pub struct Tree {
    /// The folder of all that is made.
    pub work: PathBuf,
    /// The copy of the workspace.
    pub source: PathBuf,
    /// The mutants that compile.
    pub mutants: Vec<Mutant>,
    /// The others.
    pub left_out: Vec<Mutant>,
    /// What has been built.
    pub programs: Vec<Program>,
    /// It is another one when any source has changed.
    pub fingerprint: String,
}

/// All mutants of a workspace, whether or not they compile.
///
/// # Errors
/// Files that cannot be read or do not parse.
pub fn find(root: &Path) -> Result<Vec<Mutant>, String> {
    let mut all = Vec::new();
    for path in files(root)? {
        if let Some(target) = Target::of(&path)
            && (cfg!(feature = "vulkan") || !target.is_vulkan())
        {
            let found = mutants(target, &path, &read(&root.join(&path))?, all.len())?;
            all.extend(found);
        }
    }
    Ok(all)
}

/// Makes the copy under `work`, with those mutants of all that are wanted, and builds it, again and again without what has not compiled. What is
/// `shared` is cargo's build folder of the workspace: what that has of dependencies is not compiled again.
///
/// # Errors
/// Files that cannot be read or written; errors of the compiler that no mutant has caused.
pub fn build(
    root: &Path,
    work: &Path,
    all: Vec<Mutant>,
    wanted: &dyn Fn(&Mutant) -> bool,
    shared: Option<&Path>,
    say: &dyn Fn(String),
) -> Result<Tree, String> {
    let source = work.join("src");
    let known = work.join("uncompilable.txt");
    let texts: BTreeMap<String, String> =
        all.iter().map(|m| Ok((m.file.clone(), read(&root.join(&m.file))?))).collect::<Result<_, String>>()?;
    // what has not compiled before does not now, if its file is the same
    let key = |m: &Mutant| format!("{:016x} {}", hash(&texts[&m.file]), m.index);
    let keys: BTreeMap<u32, String> = all.iter().map(|m| (m.id, key(m))).collect();
    let all: Vec<Mutant> = all.into_iter().filter(|m| wanted(m)).collect();
    let mut bad: BTreeSet<String> =
        fs::read_to_string(&known).unwrap_or_default().lines().map(str::to_string).collect();
    let vulkan = all.iter().any(|m| m.target.is_vulkan());
    for round in 1.. {
        let (mut rewritten, mut fingerprint) = (BTreeMap::new(), String::new());
        for (file, text) in &texts {
            let here: Vec<&Mutant> = all.iter().filter(|m| m.file == *file && !bad.contains(&keys[&m.id])).collect();
            rewritten.insert(file.clone(), rewrite(text, &here));
        }
        copy(root, &source, &rewritten, &mut fingerprint)?;
        let left_out = all.iter().filter(|m| bad.contains(&keys[&m.id])).count();
        say(format!("building, round {round}: {} mutants, {left_out} left out", all.len() - left_out));
        let packages = packages(&all, shared.is_some());
        let build = |goal| cargo(goal, &source, &work.join("build"), &packages, shared, vulkan);
        // what does not compile is found in a fraction of the time that a build takes; of a sample, that is little
        let (programs, errors) = match shared {
            Some(_) => build(Goal::Sample)?,
            None => match build(Goal::Check)? {
                (_, errors) if !errors.is_empty() => (Vec::new(), errors),
                _ => build(Goal::Programs)?,
            },
        };
        if errors.is_empty() {
            let (left_out, mutants) = all.into_iter().partition(|m| bad.contains(&keys[&m.id]));
            return Ok(Tree { work: work.into(), source, mutants, left_out, programs, fingerprint });
        }
        let before = bad.len();
        let mut strange = Vec::new();
        for error in &errors {
            let culprits = culprits(error, &rewritten);
            if culprits.is_empty() {
                strange.push(error.text.clone());
            }
            bad.extend(culprits.iter().map(|id| keys[id].clone()));
        }
        if bad.len() == before {
            return Err(format!("the mutated sources do not compile:\n{}", strange.join("\n")));
        }
        let text: String = bad.iter().map(|k| format!("{k}\n")).collect();
        write(&known, &text)?;
    }
    Err("the mutated sources do not compile".into())
}

/// The mutants that an error of the compiler is put down to: the one that the first of its places is in; else those between its places, as where a
/// borrow goes on because the statement is gone that has ended it.
fn culprits(error: &CompileError, rewritten: &BTreeMap<String, Rewritten>) -> Vec<u32> {
    let owner = |(file, range): &(String, Range<usize>)| rewritten.get(file)?.owner(range.clone());
    if let Some(id) = error.places.iter().find_map(owner) {
        return vec![id];
    }
    let between = |(file, text): (&String, &Rewritten)| {
        let here = || error.places.iter().filter(|(f, _)| f == file).map(|(_, range)| range);
        let hull = here().map(|r| r.start).min()?..here().map(|r| r.end).max()?;
        Some(text.within(hull))
    };
    rewritten.iter().filter_map(between).flatten().collect()
}

/// The files of a workspace, by their paths in it, in order: no hidden ones, and not what has been built.
fn files(root: &Path) -> Result<Vec<String>, String> {
    fn walk(root: &Path, folder: &str, out: &mut Vec<String>) -> std::io::Result<()> {
        for entry in fs::read_dir(root.join(folder))? {
            let entry = entry?;
            let name = entry.file_name().to_string_lossy().to_string();
            let path = if folder.is_empty() { name.clone() } else { format!("{folder}/{name}") };
            if name.starts_with('.') || name == "target" {
                continue;
            }
            if entry.file_type()?.is_dir() {
                walk(root, &path, out)?;
            } else if entry.file_type()?.is_file() {
                out.push(path);
            }
        }
        Ok(())
    }
    let mut out = Vec::new();
    walk(root, "", &mut out).map_err(|e| format!("{}: {e}", root.display()))?;
    out.sort();
    Ok(out)
}

/// Brings the copy up to date. Files that are as they should be are not touched, so that cargo has nothing to do for them.
fn copy(
    root: &Path,
    to: &Path,
    rewritten: &BTreeMap<String, Rewritten>,
    fingerprint: &mut String,
) -> Result<(), String> {
    let paths = files(root)?;
    let mut all = String::new();
    for path in &paths {
        let mut bytes = fs::read(root.join(path)).map_err(|e| format!("{path}: {e}"))?;
        if let Some(new) = rewritten.get(path) {
            bytes = new.text.clone().into_bytes();
        }
        for (_, anchor, added) in EDITS.iter().filter(|(file, ..)| file == path) {
            let text = String::from_utf8_lossy(&bytes).to_string();
            let (before, after) = text.split_once(anchor).ok_or(format!("{path}: there is no `{anchor}`"))?;
            bytes = format!("{before}{anchor}{added}{after}").into_bytes();
        }
        // cargo adds the new crate to the lock file; what hunts is no part of what is hunted
        if path != "Cargo.lock" && !path.starts_with("conformance/src/mutants/") {
            all += &format!("{path} {:016x}\n", hash(&String::from_utf8_lossy(&bytes)));
        }
        update(&to.join(path), &bytes)?;
        // programs stay such
        let made = fs::metadata(root.join(path)).and_then(|of| fs::set_permissions(to.join(path), of.permissions()));
        made.map_err(|e| format!("{path}: {e}"))?;
    }
    update(&to.join("mutant/Cargo.toml"), MANIFEST.as_bytes())?;
    update(&to.join("mutant/src/lib.rs"), CRATE.as_bytes())?;
    let kept: BTreeSet<&String> = paths.iter().collect();
    for path in files(to)?.iter().filter(|p| !kept.contains(p) && !p.starts_with("mutant/")) {
        fs::remove_file(to.join(path)).map_err(|e| format!("{path}: {e}"))?;
    }
    *fingerprint = format!("{:016x}", hash(&all));
    Ok(())
}

/// The text of a file.
///
/// # Errors
/// It cannot be read.
pub fn read(path: &Path) -> Result<String, String> {
    fs::read_to_string(path).map_err(|e| format!("{}: {e}", path.display()))
}

/// Writes a file, with the folders that it needs.
pub fn write(path: &Path, text: &str) -> Result<(), String> {
    let folder = path.parent().map_or(Ok(()), fs::create_dir_all);
    folder.and_then(|()| fs::write(path, text)).map_err(|e| format!("{}: {e}", path.display()))
}

fn update(path: &Path, bytes: &[u8]) -> Result<(), String> {
    if fs::read(path).is_ok_and(|old| old == bytes) {
        return Ok(());
    }
    let folder = path.parent().map_or(Ok(()), fs::create_dir_all);
    folder.and_then(|()| fs::write(path, bytes)).map_err(|e| format!("{}: {e}", path.display()))
}

/// An error of the compiler.
struct CompileError {
    /// As it is printed.
    text: String,
    /// Where, the main place first.
    places: Vec<(String, Range<usize>)>,
}

/// What cargo is asked for.
#[derive(Clone, Copy, PartialEq)]
enum Goal {
    /// Errors of the compiler.
    Check,
    /// Programs and tests.
    Programs,
    /// The harness, and the tests that notice most for the time that they take to build.
    Sample,
}

/// The packages to be built: all whose tests are oracles, or those with mutants.
fn packages(mutants: &[Mutant], is_sample: bool) -> Vec<&'static str> {
    let has = |p: &str| match is_sample {
        true => p == "futi-conformance" || mutants.iter().any(|m| m.target.package() == p),
        false => p != "futi-vk" || mutants.iter().any(|m| m.target.is_vulkan()),
    };
    PACKAGES.into_iter().filter(|p| has(p)).collect()
}

/// Builds the sources, with the Vulkan backend or without it.
fn cargo(
    goal: Goal,
    source: &Path,
    target: &Path,
    packages: &[&str],
    shared: Option<&Path>,
    vulkan: bool,
) -> Result<(Vec<Program>, Vec<CompileError>), String> {
    let mut command = Command::new(std::env::var_os("CARGO").unwrap_or("cargo".into()));
    match goal {
        Goal::Check => command.args(["check", "--keep-going"]),
        Goal::Programs => command.args(["test", "--no-run", "--no-fail-fast"]),
        Goal::Sample => {
            // one of them is of the harness, too: beside that its program is built
            let tests = QUICK.iter().filter(|name| packages.contains(&"futi-core") || **name == QUICK[0]);
            command.args(["test", "--no-run", "--no-fail-fast", "--lib", "--bin=conformance"]);
            let of_kernels = packages.contains(&"futi-vk").then_some(&OF_KERNELS);
            command.args(tests.chain(of_kernels).map(|name| format!("--test={name}")))
        }
    };
    // as the tests are built, so that with them dependencies are shared
    command.args(["--profile", "quick", "--quiet", "--message-format=json"]);
    for package in packages {
        command.args(["-p", package]);
    }
    // several threads walk traces back
    command.args(["--features", "futi-conformance/threads"]);
    if vulkan {
        command.args(["--features", "futi-conformance/vulkan"]);
    }
    command.current_dir(source).env("CARGO_TARGET_DIR", target).env("CARGO_INCREMENTAL", "0");
    let log = target.with_extension("log");
    let said = fs::File::create(&log).map_err(|e| format!("{}: {e}", log.display()))?;
    if let Some(folder) = shared {
        // tests are run a few times only
        command
            .env("CARGO_BUILD_BUILD_DIR", folder)
            .env("RUSTC_WORKSPACE_WRAPPER", source.join("conformance/rustc.sh"));
    }
    // with other flags dependencies would be compiled again; a warning that is an error would be no mutant's fault
    command.env_remove("RUSTFLAGS").env_remove("FUTI_LINT").stdin(Stdio::null()).stdout(Stdio::piped()).stderr(said);
    let mut child = command.spawn().map_err(|e| format!("cargo: {e}"))?;
    let (mut programs, mut errors) = (Vec::new(), Vec::new());
    for line in child.stdout.take().into_iter().flat_map(|out| BufReader::new(out).lines()) {
        let Ok(message) = serde_json::from_str::<Json>(&line.map_err(|e| e.to_string())?) else { continue };
        match message["reason"].as_str() {
            Some("compiler-artifact") => programs.extend(program(&message)),
            Some("compiler-message") => errors.extend(error(&message["message"])),
            _ => {}
        }
    }
    let status = child.wait().map_err(|e| e.to_string())?;
    if !status.success() && errors.is_empty() {
        let said = fs::read_to_string(&log).unwrap_or_default();
        return Err(format!("cargo cannot build the mutated sources in {}:\n{}", source.display(), said.trim_end()));
    }
    Ok((programs, errors))
}

fn program(message: &Json) -> Option<Program> {
    let path = message["executable"].as_str()?;
    let package = message["package_id"].as_str()?;
    let package =
        PACKAGES.iter().find(|p| package.contains(&format!("#{p}@")) || package.contains(&format!("{p} ")))?;
    let kinds: Vec<&str> = message["target"]["kind"].as_array()?.iter().filter_map(Json::as_str).collect();
    Some(Program {
        package: package.to_string(),
        name: message["target"]["name"].as_str()?.to_string(),
        is_unit: kinds.contains(&"lib"),
        is_test: message["profile"]["test"].as_bool()?,
        path: path.into(),
    })
}

fn error(message: &Json) -> Option<CompileError> {
    if message["level"] != "error" || message["spans"].as_array()?.is_empty() {
        return None;
    }
    let mut spans: Vec<&Json> = message["spans"].as_array()?.iter().collect();
    spans.sort_by_key(|s| s["is_primary"] != true);
    for child in message["children"].as_array()? {
        spans.extend(child["spans"].as_array()?);
    }
    let mut places = Vec::new();
    for mut span in spans {
        while span.is_object() {
            let at = |key: &str| span[key].as_u64().map(|n| n as usize);
            if let (Some(file), Some(start), Some(end)) = (span["file_name"].as_str(), at("byte_start"), at("byte_end"))
            {
                places.push((file.to_string(), start..end));
            }
            span = &span["expansion"]["span"];
        }
    }
    Some(CompileError { text: message["rendered"].as_str().unwrap_or_default().to_string(), places })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn errors_are_put_down_to_the_mutant_around_them_or_between_their_places() {
        let text = "fn f(mut x: &mut Node) { while x.len() != 1 { let y = &mut x.kids; x = y; } g(x) }";
        let file = "core/src/ad/x.rs".to_string();
        let all = mutants(Target::Ad, &file, text, 0).unwrap();
        let planted = BTreeMap::from([(file.clone(), rewrite(text, &all.iter().collect::<Vec<_>>()))]);
        let place = |part: &str| {
            let start = planted[&file].text.find(part).unwrap();
            (file.clone(), start..start + part.len())
        };
        let of = |parts: [&str; 2]| {
            let error = CompileError { text: String::new(), places: parts.map(place).into() };
            let ids = culprits(&error, &planted);
            all.iter().filter(|m| ids.contains(&m.id)).map(|m| &text[m.site.range.clone()]).collect::<Vec<_>>()
        };
        assert_eq!(of(["&mut x.kids", "g(x)"]), ["x = y;"]);
        assert_eq!(of(["x = y", "g(x)"]), ["x = y;"]);
        assert_eq!(of(["!= (", "g(x)"]).len(), 1, "the first place decides where it is in a mutant");
        assert_eq!(of(["fn f", "Node"]), Vec::<&str>::new());
    }
}
