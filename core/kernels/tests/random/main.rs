//! Kernels at random: text comes back, nothing panics, code means what statements mean, and a launch is decided by its seed.

mod generate;
mod reference;

use futi_core::prim::Scalar;
use futi_kernels::check::errors;
use futi_kernels::exec::{Binding, Bytes, Code, Launch, Outcome, Trap, run};
use futi_kernels::ir::{Array, Block, Kernel, Stm, walk};
use generate::Random;
use quickcheck::quickcheck;
use reference::{End, Machine};
use std::collections::BTreeMap;

/// A launch of a kernel, with blocks of four elements, of which some have not been written.
fn launch(kernel: &Kernel, groups: u32, group_size: u32, seed: u64) -> (Launch, Vec<Bytes>) {
    let mut random = Random(seed);
    let mut memory = Vec::new();
    let mut blocks = Vec::new();
    for (allocation, block) in kernel.blocks.iter().enumerate() {
        let width = block.elem.bytes();
        let mut bytes = Bytes::new(4 * width);
        for i in (0..4).filter(|_| !random.chance(8)).collect::<Vec<_>>() {
            bytes.set(i * width, width, generate::scalar(&mut random, block.elem).bits());
        }
        memory.push(bytes);
        blocks.push(Binding { allocation, start: 0, len: 4 });
    }
    let params = kernel.params.iter().map(|p| generate::scalar(&mut random, p.ty)).collect();
    (Launch { groups, group_size, subgroup_size: 4, params, blocks, seed, budget: 20_000 }, memory)
}

fn ran(code: &Code, launch: &Launch, mut memory: Vec<Bytes>) -> (Result<Outcome, Box<Trap>>, Vec<Bytes>) {
    (run(code, &mut memory, launch), memory)
}

quickcheck! {
    fn text_comes_back(seed: u64) -> bool {
        let kernel = generate::kernel(seed);
        kernel.to_string().parse() == Ok(kernel)
    }

    /// Where names and numbers are others, too, in which case few kernels are well-formed.
    fn mangled_text_is_refused_or_comes_back(seed: u64) -> bool {
        let mut random = Random(seed);
        let mut text = generate::kernel(seed).to_string();
        for _ in 0..1 + random.below(3) {
            let words: Vec<&str> = text.split_inclusive([' ', '\n', '(', ',']).collect();
            let (at, other) = (random.below(words.len()), random.below(words.len()));
            let mut words: Vec<String> = words.into_iter().map(str::to_string).collect();
            words[at] = if random.chance(3) { String::new() } else { words[other].clone() };
            text = words.concat();
        }
        match text.parse::<Kernel>() {
            Ok(kernel) => {
                let wrong = errors(&kernel);
                assert_eq!(Code::of(&kernel).is_err(), wrong.iter().any(|e| !e.rule.can_be_run()));
                kernel.to_string().parse() == Ok(kernel)
            }
            Err(e) => e.line >= 1 && e.line <= text.lines().count().max(1),
        }
    }

    fn a_seed_decides_a_launch(seed: u64) -> bool {
        let kernel = generate::kernel(seed);
        let code = Code::of(&kernel).expect("types agree");
        let (launch, memory) = launch(&kernel, 3, 5, seed);
        ran(&code, &launch, memory.clone()) == ran(&code, &launch, memory)
    }

    fn code_means_what_statements_mean(seed: u64) -> bool {
        let kernel = generate::kernel(seed);
        let code = Code::of(&kernel).expect("types agree");
        let (launch, before) = launch(&kernel, 1, 1, seed);
        let (result, after) = ran(&code, &launch, before.clone());
        let elements = |memory: &[Bytes]| -> BTreeMap<(Array, usize), Scalar> {
            let blocks = memory.iter().zip(&kernel.blocks).enumerate();
            blocks.flat_map(|(b, (bytes, decl))| bytes.elements(decl.elem).into_iter().enumerate().filter_map(move |(i, x)| Some(((Array::Block(Block(b as u32)), i), x?)))).collect()
        };
        let locals = vec![None; kernel.locals.len()];
        let mut machine = Machine { kernel: &kernel, launch: &launch, locals, memory: elements(&before), fuel: 50_000 };
        let end = machine.run();
        let agree = match (&end, &result) {
            // either may take longer than it is allowed to
            (End::Long, _) => true,
            (_, Err(trap)) if trap.kind.name() == "Endless" => true,
            (End::Done, Ok(outcome)) => outcome.failure.is_none(),
            (End::Failed(failure), Ok(outcome)) => outcome.failure.as_ref() == Some(failure),
            (End::Trap(name), Err(trap)) => trap.kind.name() == *name,
            _ => false,
        };
        machine.memory.retain(|(array, _), _| matches!(array, Array::Block(_)));
        let same = !matches!(end, End::Done | End::Failed(_)) || result.is_err() || elements(&after) == machine.memory;
        if !(agree && same) {
            eprintln!("{kernel}\n{end:?} {result:?}\n{:?}\n{:?}", elements(&after), machine.memory);
        }
        agree && same
    }
}

/// Of the kernels at random enough are run to their end, by many invocations, too: else the above says little. And those that are well-formed keep what that promises.
#[test]
fn kernels_at_random_do_something() {
    let (mut ends, mut well_formed) = (BTreeMap::new(), 0);
    for seed in 0..3_000 {
        let kernel = generate::kernel(seed);
        let code = Code::of(&kernel).expect("types agree");
        let fine = errors(&kernel).is_empty();
        let mut inside = 0;
        kernel.body.iter().for_each(|stm| {
            stm.bodies().into_iter().for_each(|body| walk(body, &mut |stm| inside += usize::from(*stm == Stm::Barrier)))
        });
        well_formed += usize::from(fine && inside > 0);
        for (groups, size) in [(1, 1), (3, 5)] {
            let (launch, memory) = launch(&kernel, groups, size, seed);
            let name = match ran(&code, &launch, memory).0 {
                Ok(outcome) if outcome.failure.is_some() => "Failed",
                Ok(_) => "Done",
                Err(trap) => trap.kind.name(),
            };
            assert!(!(fine && ["Divergence", "Undeclared", "Launch"].contains(&name)), "{name}\n{kernel}");
            *ends.entry((groups, name)).or_insert(0) += 1;
        }
    }
    for end in [
        (1, "Done"),
        (1, "Failed"),
        (1, "OutOfBounds"),
        (1, "Unwritten"),
        (1, "Endless"),
        (3, "Done"),
        (3, "Race"),
        (3, "Divergence"),
    ] {
        assert!(ends.get(&end).is_some_and(|n| *n >= 20), "{end:?} {ends:?}");
    }
    assert!(well_formed >= 50, "{well_formed} with barriers inside");
}
