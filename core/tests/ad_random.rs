//! Random programs: their first and second derivatives, the interpreter's own against the transformed ones, at every stage.

mod common;
use common::random::{arguments, program, seeds};
use common::*;
use futi_core::passes::pipeline::Stage;

fn check_seed(seed: u64, second: bool) {
    let program = program(seed);
    well_formed(&program, &format!("seed {seed}"));
    let args = arguments();
    let primal = fill_args(&program, &args);
    agree(&program, &primal, &format!("primal of seed {seed}"));
    for d in [D::Vjp, D::Jvp, D::Vjp2, D::Jvp2] {
        let once = derivative(&program, d);
        let seeds = fill_args(&once, &args);
        agree(&once, &seeds, &format!("{d:?} of seed {seed}"));
        if second && matches!(d, D::Vjp | D::Jvp) {
            for e in [D::Vjp, D::Jvp] {
                let twice = derivative(&once, e);
                if at(&twice, Stage::Ad).to_string().len() < 300_000 {
                    agree(&twice, &fill_args(&twice, &seeds), &format!("{e:?} of {d:?} of seed {seed}"));
                }
            }
        }
    }
}

#[test]
fn t21_first_derivatives_of_random_programs_traced_and_transformed() {
    seeds(1..40).for_each(|seed| check_seed(seed, false));
}

#[test]
fn second_derivatives_of_random_programs() {
    seeds(100..110).for_each(|seed| check_seed(seed, true));
}
