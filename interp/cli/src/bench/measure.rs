//! How often a dataset is run: at first as often as is asked for, then, if that does not tell the mean, until it does.

use std::time::Duration;

/// When there have been enough runs.
#[derive(Clone, Copy, Debug)]
pub struct Rules {
    /// At least so many in each phase, and between looks at what they tell.
    pub runs: usize,
    /// For at least so long, likewise.
    pub least: Duration,
    /// How long to go on where these do not tell enough; not at all, if none.
    pub converge: Option<Duration>,
}

/// The runs of the phase that counts.
#[derive(Debug, PartialEq)]
pub struct Runs<T> {
    /// What came of each.
    pub all: Vec<T>,
    /// Whether they tell enough, as far as that was asked.
    pub enough: bool,
}

/// Runs until there has been enough. `clock` is the time since some moment; `enough` says whether runs tell what is to be known.
///
/// # Errors
/// That of a run.
pub fn measure<T, E>(
    rules: &Rules,
    clock: &dyn Fn() -> Duration,
    run: &mut dyn FnMut(usize) -> Result<T, E>,
    enough: &dyn Fn(&[T]) -> bool,
) -> Result<Runs<T>, E> {
    let mut all = Vec::new();
    some(rules, clock, run, &mut all)?;
    let Some(most) = rules.converge else { return Ok(Runs { all, enough: true }) };
    if enough(&all) {
        return Ok(Runs { all, enough: true });
    }
    // what came first may have been slower than the others
    all.clear();
    let end = clock() + most;
    loop {
        some(rules, clock, run, &mut all)?;
        let is_enough = enough(&all);
        if is_enough || clock() >= end {
            return Ok(Runs { all, enough: is_enough });
        }
    }
}

/// Some more runs: as many as there are at least, for as long as that takes at least.
fn some<T, E>(
    rules: &Rules,
    clock: &dyn Fn() -> Duration,
    run: &mut dyn FnMut(usize) -> Result<T, E>,
    all: &mut Vec<T>,
) -> Result<(), E> {
    let (began, before) = (clock(), all.len());
    while all.len() - before < rules.runs.max(1) || clock() - began < rules.least {
        all.push(run(all.len())?);
    }
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::cell::Cell;

    const LEAST: Duration = Duration::from_millis(500);

    /// Runs that take so many milliseconds each by a clock of their own; gives how many there were, how many counted, and whether they were enough.
    fn runs(takes: u64, converge: Option<u64>, enough: &dyn Fn(&[u64]) -> bool) -> (usize, usize, bool) {
        let rules = Rules { runs: 10, least: LEAST, converge: converge.map(Duration::from_millis) };
        let (now, count) = (Cell::new(0), Cell::new(0));
        let run = &mut |_| {
            now.set(now.get() + takes);
            count.set(count.get() + 1);
            Ok::<u64, String>(takes)
        };
        let runs = measure(&rules, &|| Duration::from_millis(now.get()), run, enough).unwrap();
        (count.get(), runs.all.len(), runs.enough)
    }

    #[test]
    fn there_are_ten_runs_and_half_a_second() {
        assert_eq!(runs(100, None, &|_| false), (10, 10, true));
        assert_eq!(runs(10, None, &|_| false), (50, 50, true));
        assert_eq!(runs(10, Some(1000), &|_| true), (50, 50, true));
    }

    #[test]
    fn runs_go_on_until_they_tell_enough() {
        // those of the first phase are not counted
        assert_eq!(runs(10, Some(10_000), &|all| all.len() >= 140), (200, 150, true));
        assert_eq!(runs(10, Some(1000), &|_| false), (150, 100, false));
    }

    #[test]
    fn what_fails_is_the_end() {
        let rules = Rules { runs: 10, least: LEAST, converge: None };
        let failed = measure(&rules, &|| Duration::ZERO, &mut |i| if i < 3 { Ok(i) } else { Err("late") }, &|_| true);
        assert_eq!(failed, Err("late"));
    }
}
