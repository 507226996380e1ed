//! What is said of results: lines in the form of `futhark bench`.

use super::dataset::Measured;
use super::measure::Rules;
use super::statistics::{Mean, mean, ratio_of_pairs};
use futi_embed::tuning::Tuning;

/// How is measured.
pub fn method(rules: &Rules, against: Option<&str>) -> String {
    let (runs, least) = (rules.runs, rules.least.as_secs_f64());
    let mut text = format!(
        "Mean runtime of {runs} run{} and {least} s at least, with its 95 % confidence interval (Student's)",
        if runs == 1 { "" } else { "s" }
    );
    if let Some(most) = rules.converge {
        text += &format!(";\nmore runs, for up to {} s, where that does not tell it", most.as_secs());
    }
    if let Some(command) = against {
        text += &format!(";\nin turns with {command}: how many times as fast this is");
    }
    text + ".\n"
}

/// What stands above the datasets of an entry point.
pub fn heading(key: &str, tuning: &Tuning) -> String {
    let list = tuning.iter().map(|(name, value)| format!("{name}={value}")).collect::<Vec<_>>().join(", ");
    if list.is_empty() { format!("\n{key}:\n") } else { format!("\n{key} ({list}):\n") }
}

/// What came of a dataset; names have so many characters at most.
pub fn line(name: &str, width: usize, outcome: &Result<Measured, String>) -> String {
    let named = format!("{name}:{}", " ".repeat(width - name.chars().count().min(width)));
    let Measured { measurement: m, notes } = match outcome {
        Ok(measured) => measured,
        Err(what) => return format!("{named}\n{}\n", what.trim_end()),
    };
    let mut parts = mean(&m.runtimes).map(|m| vec![time(&m)]).unwrap_or_default();
    if let Some(other) = &m.against {
        parts.extend(mean(&other.runtimes).map(|m| format!("against {}", time(&m).trim_start())));
        parts.extend(
            ratio_of_pairs(&other.runtimes, &m.runtimes)
                .map(|r| format!("{}x (95% CI: [{}, {}])", times(r.ratio), times(r.low), times(r.high))),
        );
    }
    parts.extend(m.bytes.iter().filter(|(_, n)| **n > 0).map(|(memory, n)| format!("{} on the {memory}", bytes(*n))));
    parts.extend(notes.iter().map(|note| note.lines().next().unwrap_or_default().to_string()));
    format!("{named} {}\n", parts.join("; "))
}

/// How many times as fast something is: two digits behind the point, or two that count.
fn times(ratio: f64) -> String {
    let small = if ratio > 0.0 && ratio < 1.0 { (-ratio.log10()).floor() as usize } else { 0 };
    format!("{ratio:.0$}", 2 + small.min(6))
}

/// A mean with its interval.
fn time(m: &Mean) -> String {
    let (low, high) = m.interval();
    let high = if high.is_finite() { format!("{high:>10.1}") } else { "?".into() };
    format!("{:>10.0}μs (95% CI: [{low:>10.1}, {high}])", m.mean)
}

/// Bytes, as people say them.
fn bytes(n: u64) -> String {
    match n {
        0..1024 => format!("{n} B"),
        1024..1_048_576 => format!("{:.1} KiB", n as f64 / 1024.0),
        _ => format!("{:.1} MiB", n as f64 / 1_048_576.0),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::bench::json::{Against, Measurement};

    #[test]
    fn a_line_has_what_is_known() {
        let bytes = [("device".to_string(), 3 << 20)].into();
        let runtimes = vec![2.0, 2.0, 2.0];
        let measurement = Measurement { runtimes: runtimes.clone(), bytes, ..Measurement::default() };
        let measured = Measured { measurement, notes: vec!["so\nand so".into()] };
        assert_eq!(
            line("ab", 4, &Ok(measured)),
            "ab:            2μs (95% CI: [       2.0,        2.0]); 3.0 MiB on the device; so\n"
        );
        let against = Some(Against { command: "c".into(), runtimes: vec![6.0, 6.0, 6.0] });
        let measurement = Measurement { runtimes, against, ..Measurement::default() };
        let text = line("a", 1, &Ok(Measured { measurement, notes: vec![] }));
        assert!(
            text.ends_with("; against 6μs (95% CI: [       6.0,        6.0]); 3.00x (95% CI: [3.00, 3.00])\n"),
            "{text}"
        );
        assert_eq!(line("a", 1, &Err("wrong\n".into())), "a:\nwrong\n");
    }
}
