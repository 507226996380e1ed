//! Generated source programs and their rewrites: `source_metamorphic [FIRST [COUNT [VARIANTS]]]`. Prints each difference, and the counts.

use futi_conformance::column::metamorphic;
use futi_conformance::generate::source;
use futi_conformance::report::Outcome;

fn main() {
    let run = || {
        let args: Vec<u64> = std::env::args().skip(1).filter_map(|a| a.parse().ok()).collect();
        let number = |i: usize, default| args.get(i).copied().unwrap_or(default);
        let (first, count, variants) = (number(0, 0), number(1, 100), number(2, 3));
        let mut failed = 0;
        for seed in first..first + count {
            let p = source::program(4 + (seed as usize % 12), seed);
            if let Outcome::Fail(f) = metamorphic::judge(&p, variants as usize, seed) {
                failed += 1;
                println!("seed {seed}: {}\n", f.what);
            }
        }
        println!("{} passed, {failed} failed", count - failed);
    };
    std::thread::Builder::new().stack_size(512 << 20).spawn(run).unwrap().join().unwrap();
}
