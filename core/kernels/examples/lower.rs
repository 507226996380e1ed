use futi_core::compile;
use futi_core::passes::pipeline::{Stage, stage};
use std::collections::BTreeMap;
fn main() {
    let mut why: BTreeMap<String, usize> = BTreeMap::new();
    let (mut ok, mut bad) = (0, 0);
    let print = std::env::var("PRINT").is_ok();
    for path in std::env::args().skip(1) {
        let compiled = compile(&path, &|p: &str| std::fs::read_to_string(p).map_err(|e| futi_core::source::SourceError::new(e.to_string())));
        let Some(program) = compiled.program else { continue };
        let Ok(flat) = stage(program, Stage::Flat) else { continue };
        match futi_kernels::generate::lower(&flat) {
            Ok(host) => {
                ok += 1;
                if print {
                    println!("{:#?}", host.funs);
                    host.kernels.iter().for_each(|k| println!("{}", k.kernel.kernel()));
                }
            }
            Err(all) => {
                bad += 1;
                for u in all {
                    let key = format!("{} ({})", u.construct, u.missing);
                    if u.missing.contains("well-formed") || u.construct.contains("no scalar") { println!("{path}: {key}"); }
                    *why.entry(key).or_default() += 1;
                }
            }
        }
    }
    println!("{ok} lowered, {bad} refused");
    why.into_iter().for_each(|(k, n)| println!("{n:5} {k}"));
}
