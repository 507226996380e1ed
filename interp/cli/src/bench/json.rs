//! Results as JSON, in the form of `futhark bench --json`: programs, each with its datasets, each with the microseconds of all runs, or with what has failed.

use crate::failure::Failure;
use serde_json::{Map, Value, json};
use std::collections::BTreeMap;
use std::path::Path;

/// The results of programs, by their names.
pub type Results = BTreeMap<String, BTreeMap<String, Outcome>>;

/// What came of a dataset: the measurement, or what has failed.
pub type Outcome = Result<Measurement, String>;

/// The measurement of a dataset.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Measurement {
    /// The microseconds of each run.
    pub runtimes: Vec<f64>,
    /// The most bytes in use at once, by the memory that has them.
    pub bytes: BTreeMap<String, u64>,
    /// What was said on standard error; nothing if nobody has asked.
    pub stderr: Option<String>,
    /// What a run has cost, kernel by kernel, as [`super::profile`] reads it.
    pub profiling: Option<Value>,
    /// The same runs by another implementation.
    pub against: Option<Against>,
}

/// What another implementation took for the same.
#[derive(Clone, Debug, PartialEq)]
pub struct Against {
    /// The command that runs it.
    pub command: String,
    /// The microseconds of its runs, each beside the one of the same number.
    pub runtimes: Vec<f64>,
}

/// The text of results.
pub fn write(results: &Results) -> String {
    let datasets = |(program, datasets): (&String, &BTreeMap<String, Outcome>)| {
        let all: Map<String, Value> = datasets.iter().map(|(name, outcome)| (name.clone(), written(outcome))).collect();
        (program.clone(), json!({ "datasets": all }))
    };
    format!("{}\n", Value::Object(results.iter().map(datasets).collect()))
}

fn written(outcome: &Outcome) -> Value {
    let m = match outcome {
        Ok(measurement) => measurement,
        Err(what) => return what.as_str().into(),
    };
    let mut fields = Map::new();
    fields.insert("runtimes".into(), microseconds(&m.runtimes));
    fields.insert("bytes".into(), json!(m.bytes));
    fields.extend(m.stderr.iter().map(|text| ("stderr".to_string(), text.as_str().into())));
    fields.extend(m.profiling.iter().map(|profile| ("profiling".to_string(), profile.clone())));
    fields.extend(m.against.iter().map(|other| {
        let other = json!({ "command": other.command, "runtimes": microseconds(&other.runtimes) });
        ("against".to_string(), other)
    }));
    Value::Object(fields)
}

/// Whole numbers, as all servers give them, where they are.
fn microseconds(runtimes: &[f64]) -> Value {
    runtimes.iter().map(|x| if x.fract() == 0.0 { json!(*x as i64) } else { json!(x) }).collect()
}

/// The results in a file.
pub fn read(path: &Path) -> Result<Results, Failure> {
    let wrong = |what: String| Failure::Io(format!("{}: {what}", path.display()));
    let text = std::fs::read_to_string(path).map_err(|e| wrong(e.to_string()))?;
    results(&text).map_err(wrong)
}

/// The results in a text.
fn results(text: &str) -> Result<Results, String> {
    let no_results = |what: &str| format!("these are no results of `futi bench --json`: {what}");
    let all: Value = serde_json::from_str(text).map_err(|e| no_results(&e.to_string()))?;
    let Value::Object(programs) = all else { return Err(no_results("there is no object of programs")) };
    let mut results = Results::new();
    for (program, value) in programs {
        let Some(Value::Object(datasets)) = value.get("datasets") else {
            return Err(no_results(&format!("`{program}` has no object `datasets`")));
        };
        let mut all = BTreeMap::new();
        for (name, value) in datasets {
            let outcome = outcome(value).map_err(|e| no_results(&format!("dataset `{name}` of `{program}`: {e}")))?;
            all.insert(name.clone(), outcome);
        }
        results.insert(program, all);
    }
    Ok(results)
}

fn outcome(value: &Value) -> Result<Outcome, String> {
    let fields = match value {
        Value::String(what) => return Ok(Err(what.clone())),
        Value::Object(fields) => fields,
        _ => return Err("it is neither an object nor what has failed".into()),
    };
    let runtimes = runtimes(fields.get("runtimes"))?;
    let bytes = match fields.get("bytes") {
        None | Some(Value::Null) => BTreeMap::new(),
        Some(Value::Object(bytes)) => bytes.iter().filter_map(|(name, n)| Some((name.clone(), n.as_u64()?))).collect(),
        Some(_) => return Err("`bytes` is no object".into()),
    };
    let text = |name: &str| fields.get(name).and_then(Value::as_str).map(str::to_string);
    let profiling = fields.get("profiling").filter(|value| !value.is_null()).cloned();
    let against = fields.get("against").map(|other| {
        let command = other.get("command").and_then(Value::as_str).unwrap_or_default().to_string();
        Ok::<_, String>(Against { command, runtimes: self::runtimes(other.get("runtimes"))? })
    });
    Ok(Ok(Measurement { runtimes, bytes, stderr: text("stderr"), profiling, against: against.transpose()? }))
}

fn runtimes(value: Option<&Value>) -> Result<Vec<f64>, String> {
    let Some(Value::Array(all)) = value else { return Err("it has no array `runtimes`".into()) };
    let number = |x: &Value| x.as_f64().filter(|x| *x >= 0.0).ok_or_else(|| format!("`{x}` is no runtime"));
    all.iter().map(number).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_form_is_futharks() {
        // the text that `futhark bench --json --profile` 0.25.32 has written of a program, shortened
        let text = r##"{"sum.fut":{"datasets":{"#1 (\"100i64\")":{"bytes":{"default space":0},"profiling":{"events":[],"memory":{"default space":0}},"runtimes":[1,0,2],"stderr":"runtime: 1\n"},"#6 (\"1i64\")":"sum.fut.actual and sum.fut.expected do not match:\nValue #0: expected 7, got 0"}},"sum.fut:two":{"datasets":{"f.in":{"bytes":{"default space":0},"runtimes":[1]}}}}"##;
        let read = results(text).unwrap();
        assert_eq!(read["sum.fut"]["#1 (\"100i64\")"].as_ref().unwrap().runtimes, [1.0, 0.0, 2.0]);
        assert!(read["sum.fut"]["#6 (\"1i64\")"].as_ref().unwrap_err().contains("expected 7"));
        // in whatever order
        let value = |text: &str| serde_json::from_str::<Value>(text).unwrap();
        assert_eq!(value(&write(&read)), value(text));
    }

    #[test]
    fn what_another_implementation_took_is_kept() {
        let against = Some(Against { command: "other {}".into(), runtimes: vec![2.0, 2.5] });
        let m = Measurement { runtimes: vec![1.0, 1.5], against, ..Measurement::default() };
        let all = Results::from([("p".to_string(), BTreeMap::from([("d".to_string(), Ok(m))]))]);
        assert_eq!(results(&write(&all)), Ok(all));
    }

    #[test]
    fn what_is_no_result_is_said_in_one_line() {
        for (text, said) in [
            ("[1]", "no object of programs"),
            ("{", "line 1"),
            ("{\"p\":{}}", "`p` has no object `datasets`"),
            ("{\"p\":{\"datasets\":{\"d\":1}}}", "dataset `d` of `p`: it is neither"),
            ("{\"p\":{\"datasets\":{\"d\":{}}}}", "no array `runtimes`"),
            ("{\"p\":{\"datasets\":{\"d\":{\"runtimes\":[-1]}}}}", "`-1` is no runtime"),
        ] {
            let error = results(text).unwrap_err();
            assert!(error.contains(said) && !error.contains('\n'), "{text}: {error}");
        }
    }
}
