//! `futi profile`: pages and traces of what `futi bench --profile --json` has written.

use super::json::{self, Measurement};
use crate::failure::Failure;
use crate::say;
use futi_core::backend::Limits;
use serde_json::{Value, json};
use std::collections::BTreeSet;
use std::fmt::Write;
use std::path::{Path, PathBuf};
use tabled::builder::Builder;
use tabled::settings::Style;

/// Write pages about the kernels of what `futi bench --profile --json FILE` has run: of FILE.json to the folder FILE.prof, for each dataset a table as text, and a
/// trace for Perfetto or chrome://tracing.
#[derive(clap::Args)]
pub struct Args {
    /// Files of `futi bench --profile --json`.
    #[arg(required = true, value_name = "FILE.json")]
    files: Vec<PathBuf>,
}

/// Runs the subcommand.
pub fn profile(args: Args) -> Result<(), Failure> {
    for file in &args.files {
        let folder = file.with_extension("prof");
        let mut taken = BTreeSet::new();
        let mut pages = 0;
        for (program, datasets) in &json::read(file)? {
            for (dataset, outcome) in datasets {
                let Ok(m) = outcome else { continue };
                let Some(profile) = &m.profiling else { continue };
                let folder = folder.join(file_name(program));
                let mut base = folder.join(file_name(dataset));
                // names that differ in what files cannot be called by only
                while !taken.insert(base.clone()) {
                    base.as_mut_os_string().push("_");
                }
                pages_of(&base, &format!("{program}, {dataset}"), m, profile)?;
                pages += 1;
            }
        }
        if pages == 0 {
            return Err(Failure::Io(format!("{} has no profile: `futi bench --profile` takes one", file.display())));
        }
        say::out(format_args!("{}: {pages} dataset{}\n", folder.display(), if pages == 1 { "" } else { "s" }))?;
    }
    Ok(())
}

/// What a kernel has cost.
#[derive(Clone, Debug, Default, PartialEq)]
struct Kernel {
    name: String,
    place: String,
    launches: u64,
    invocations: u64,
    operations: u64,
    bytes: u64,
    microseconds: f64,
}

/// The kernels of a profile, in the order of first use. Events of one kernel, which other implementations list one by one, are added up.
fn kernels(profile: &Value) -> Vec<Kernel> {
    let mut all: Vec<Kernel> = Vec::new();
    for event in profile.get("events").and_then(Value::as_array).into_iter().flatten() {
        let text = |name: &str| event.get(name).and_then(Value::as_str).unwrap_or_default();
        let detail = |name: &str| event.get("details").and_then(|d| d.get(name)).and_then(Value::as_u64);
        let (name, place) = (text("name"), text("provenance"));
        let at = all.iter().position(|k| k.name == name && k.place == place).unwrap_or_else(|| {
            all.push(Kernel { name: name.into(), place: place.into(), ..Kernel::default() });
            all.len() - 1
        });
        let kernel = &mut all[at];
        kernel.launches += detail("launches").unwrap_or(1);
        kernel.invocations += detail("invocations").unwrap_or(0);
        kernel.operations += detail("operations").unwrap_or(0);
        kernel.bytes += detail("bytes").unwrap_or(0);
        kernel.microseconds += event.get("duration").and_then(Value::as_f64).unwrap_or(0.0);
    }
    all
}

/// The columns of shares.
const SHARES: [&str; 2] = ["memory", "arithmetic"];

impl Kernel {
    /// What there is to know besides name, place and time.
    fn details(&self) -> Value {
        json!({ "launches": self.launches, "invocations": self.invocations, "operations": self.operations, "bytes": self.bytes })
    }

    /// Which parts of the device's limits it has reached, as far as both are known.
    fn shares(&self, limits: Option<Limits>) -> Vec<(&'static str, f64)> {
        let (Some(limits), true) = (limits, self.microseconds > 0.0) else { return Vec::new() };
        let reached = [(self.bytes, limits.bytes), (self.operations, limits.operations)];
        let shares = SHARES.into_iter().zip(reached).filter(|(_, (what, limit))| *what > 0 && *limit > 0.0);
        shares.map(|(name, (what, limit))| (name, what as f64 / (self.microseconds * 1e-6) / limit)).collect()
    }
}

/// The limits of the device, as a profile has them.
fn limits(profile: &Value) -> Option<Limits> {
    let of = |name: &str| profile.get("limits")?.get(name)?.as_f64();
    Some(Limits { bytes: of("bytes")?, operations: of("operations")? })
}

/// Puts the limits of the device into a profile.
pub fn set_limits(profile: &mut Value, limits: Limits) {
    profile["limits"] = json!({ "bytes": limits.bytes, "operations": limits.operations });
}

/// What has been added to a profile since an earlier one.
pub fn difference(after: &Value, before: &Value) -> Value {
    let earlier = kernels(before);
    let event = |mut k: Kernel| {
        if let Some(e) = earlier.iter().find(|e| e.name == k.name && e.place == k.place) {
            k.launches = k.launches.saturating_sub(e.launches);
            k.invocations = k.invocations.saturating_sub(e.invocations);
            k.operations = k.operations.saturating_sub(e.operations);
            k.bytes = k.bytes.saturating_sub(e.bytes);
            k.microseconds = (k.microseconds - e.microseconds).max(0.0);
        }
        (k.launches > 0 || k.operations > 0).then(|| {
            json!({
                "name": k.name,
                "duration": k.microseconds,
                "provenance": k.place,
                "details": k.details(),
            })
        })
    };
    let events: Vec<Value> = kernels(after).into_iter().filter_map(event).collect();
    let memory = after.get("memory").cloned().unwrap_or(json!({}));
    json!({ "events": events, "memory": memory })
}

/// Writes the page and the trace of a dataset, and what it has said.
fn pages_of(base: &Path, title: &str, m: &Measurement, profile: &Value) -> Result<(), Failure> {
    let (kernels, limits) = (&kernels(profile)[..], limits(profile));
    let wrong = |path: &Path, e: std::io::Error| Failure::Io(format!("{}: {e}", path.display()));
    if let Some(folder) = base.parent() {
        std::fs::create_dir_all(folder).map_err(|e| wrong(folder, e))?;
    }
    let files = [("txt", page(title, m, kernels, limits)), ("trace.json", trace(title, kernels, limits))];
    let log = m.stderr.iter().filter(|text| !text.is_empty()).map(|text| ("log", text.clone()));
    for (extension, text) in files.into_iter().chain(log) {
        let mut path = base.to_path_buf();
        path.as_mut_os_string().push(format!(".{extension}"));
        std::fs::write(&path, text).map_err(|e| wrong(&path, e))?;
    }
    Ok(())
}

/// The page: what has cost most stands first.
fn page(title: &str, m: &Measurement, kernels: &[Kernel], limits: Option<Limits>) -> String {
    let mut text = format!("{title}\n\n");
    for (memory, bytes) in &m.bytes {
        let _ = writeln!(text, "at most {bytes} bytes of memory ({memory})");
    }
    if kernels.is_empty() {
        text.push_str("The backend tells nothing about kernels.\n");
        return text;
    }
    let total: f64 = kernels.iter().map(|k| k.microseconds).sum();
    let mut kernels: Vec<&Kernel> = kernels.iter().collect();
    kernels.sort_by(|a, b| b.microseconds.total_cmp(&a.microseconds).then(b.operations.cmp(&a.operations)));
    let mut table = Builder::new();
    // of what the device reaches, where that has been measured
    let shares: Vec<&str> = limits.iter().flat_map(|_| SHARES).collect();
    let columns = ["kernel", "from", "launches", "invocations", "operations", "bytes", "µs", "%"];
    table.push_record(columns.into_iter().chain(shares.iter().copied()));
    for k in kernels {
        let share = if total > 0.0 { format!("{:.1}", 100.0 * k.microseconds / total) } else { "-".into() };
        let record = [
            k.name.clone(),
            k.place.clone(),
            k.launches.to_string(),
            k.invocations.to_string(),
            k.operations.to_string(),
            k.bytes.to_string(),
            format!("{:.1}", k.microseconds),
            share,
        ];
        let reached = k.shares(limits);
        let reached = shares.iter().map(|name| {
            let share = reached.iter().find(|(of, _)| of == name);
            share.map_or("-".to_string(), |(_, share)| format!("{:.1}", 100.0 * share))
        });
        table.push_record(record.into_iter().chain(reached));
    }
    let _ = writeln!(text, "{total:.1} µs in kernels, in one run\n");
    if let Some(Limits { bytes, operations }) = limits {
        let _ = writeln!(
            text,
            "The device copies {:.1} GB/s, read and written, and computes {:.1} Gflop/s in multiply-adds of f32. Shares, in %, are of these; what a kernel moves is taken to be the arrays\n\
             that it reads and writes, each once, and what it computes the operations in the code of a point.\n",
            bytes / 1e9,
            operations / 1e9
        );
    }
    let _ = writeln!(text, "{}", table.build().with(Style::sharp()));
    text
}

/// The trace: a row a kernel. When each was launched is not known; they stand one behind the other, in the order of their first launch.
fn trace(title: &str, kernels: &[Kernel], limits: Option<Limits>) -> String {
    let row =
        |what: &str, tid: usize, args: Value| json!({ "name": what, "ph": "M", "pid": 1, "tid": tid, "args": args });
    let mut events = vec![row("process_name", 0, json!({ "name": title }))];
    let mut start = 0.0;
    for (i, k) in kernels.iter().enumerate() {
        let mut args = k.details();
        args["from"] = k.place.as_str().into();
        for (name, share) in k.shares(limits) {
            args[name] = share.into();
        }
        events.push(row("thread_name", i + 1, json!({ "name": k.name })));
        events.push(row("thread_sort_index", i + 1, json!({ "sort_index": i })));
        events.push(json!({
            "name": k.name,
            "ph": "X",
            "pid": 1,
            "tid": i + 1,
            "ts": start,
            "dur": k.microseconds,
            "args": args,
        }));
        start += k.microseconds;
    }
    format!("{}\n", json!({ "traceEvents": events, "displayTimeUnit": "ns" }))
}

/// A file's name may have so many bytes, what stands behind it included.
const LONGEST: usize = 200;

/// The name of a program or a dataset as a file can be called.
fn file_name(name: &str) -> String {
    let mut safe: String =
        name.chars().map(|c| if c.is_control() || "/\\:\"<>|*?".contains(c) { '_' } else { c }).collect();
    while safe.len() > LONGEST {
        safe.pop();
    }
    // a folder's own names, and the name of nothing
    if safe.starts_with('.') || safe.is_empty() { format!("_{safe}") } else { safe }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn event(name: &str, launches: u64, duration: f64) -> Value {
        let details = json!({ "launches": launches, "invocations": 10 * launches, "operations": 100 * launches, "bytes": 3000 * launches });
        json!({ "name": name, "duration": duration, "provenance": "p.fut:1:2-3", "details": details })
    }

    #[test]
    fn a_run_has_cost_what_has_been_added() {
        let before = json!({ "events": [event("a", 1, 5.0), event("b", 2, 7.0)], "memory": {} });
        let after = json!({ "events": [event("a", 3, 9.0), event("b", 2, 7.0), event("c", 1, 1.0)], "memory": { "device": 8 } });
        let found = difference(&after, &before);
        assert_eq!(found, json!({ "events": [event("a", 2, 4.0), event("c", 1, 1.0)], "memory": { "device": 8 } }));
    }

    #[test]
    fn events_of_others_are_launches() {
        let plain = |duration: f64| json!({ "name": "k", "duration": duration, "provenance": "", "details": {} });
        let kernels = kernels(&json!({ "events": [plain(1.5), plain(2.0)] }));
        assert_eq!((kernels.len(), kernels[0].launches, kernels[0].microseconds), (1, 2, 3.5));
        assert!(super::kernels(&json!([])).is_empty());
    }

    #[test]
    fn the_page_begins_with_what_costs_most() {
        let kernels = kernels(&json!({ "events": [event("small", 1, 1.0), event("large", 4, 3.0)] }));
        let text = page("p.fut, d", &Measurement::default(), &kernels, None);
        let at = |what: &str| text.find(what).unwrap_or_else(|| panic!("{what}: {text}"));
        assert!(at("4.0 µs in kernels") < at("large") && at("75.0") < at("small"), "{text}");
        assert!(page("p", &Measurement::default(), &[], None).contains("tells nothing"));
    }

    #[test]
    fn shares_are_of_what_the_device_reaches() {
        // 3,000 bytes in a microsecond are 3 GB/s, of 4; 100 operations 0.1 Gflop/s, of 0.4
        let mut profile = json!({ "events": [event("a", 1, 1.0), event("untimed", 1, 0.0)] });
        set_limits(&mut profile, Limits { bytes: 4e9, operations: 4e8 });
        let (kernels, limits) = (kernels(&profile), limits(&profile));
        let text = page("p", &Measurement::default(), &kernels, limits);
        let row = |name: &str| -> Vec<&str> {
            let line = text.lines().find(|line| line.contains(name)).unwrap_or_else(|| panic!("{text}"));
            line.split('│').map(str::trim).collect()
        };
        assert_eq!(row("│ a ")[6..], ["3000", "1.0", "100.0", "75.0", "25.0", ""], "{text}");
        assert_eq!(row("untimed")[9..], ["-", "-", ""], "{text}");
        let trace: Value = serde_json::from_str(&trace("p", &kernels, limits)).unwrap();
        let args =
            trace["traceEvents"].as_array().unwrap().iter().find(|e| e["ph"] == "X").map(|e| &e["args"]).unwrap();
        assert_eq!((&args["memory"], &args["arithmetic"], &args["bytes"]), (&json!(0.75), &json!(0.25), &json!(3000)));
    }

    #[test]
    fn the_trace_has_a_row_a_kernel() {
        let kernels = kernels(&json!({ "events": [event("a", 1, 1.0), event("b", 4, 3.0)] }));
        let trace: Value = serde_json::from_str(&trace("p", &kernels, None)).unwrap();
        let spans: Vec<_> = trace["traceEvents"].as_array().unwrap().iter().filter(|e| e["ph"] == "X").collect();
        assert_eq!(spans.len(), 2);
        assert_eq!((&spans[1]["ts"], &spans[1]["dur"], &spans[1]["tid"]), (&json!(1.0), &json!(3.0), &json!(2)));
    }

    #[test]
    fn names_stay_in_their_folder() {
        assert_eq!(file_name("a/b.fut:f"), "a_b.fut_f");
        assert_eq!(file_name(".."), "_..");
        assert_eq!(file_name("#0 (\"1i32\")"), "#0 (_1i32_)");
        assert!(file_name(&"é".repeat(300)).len() <= LONGEST);
        assert_eq!(file_name(""), "_");
    }
}
