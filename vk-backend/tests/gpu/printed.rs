//! The kernels of `core/kernels/tests/kernels`, printed and run on the device: what the executor makes of them comes out. And what files cannot say: many failures, long loops.

#[allow(dead_code)]
#[path = "../../../core/kernels/tests/files/file.rs"]
mod file;

use crate::Test;
use crate::support::{Launch, compile, download_scalars, open, open_with, record, run_printed};
use file::{Case, File};
use futi_core::prim::{Scalar, ScalarType};
use futi_kernels::check::Checked;
use futi_kernels::ir::{Builtin, Exp, Kernel, Stm, walk};
use futi_vk::device::{Cap, Device};
use futi_vk::print::{Record, args};
use futi_vk::recording::KernelId;
use std::collections::HashMap;
use std::path::Path;

pub const TESTS: &[Test] = &[
    ("printed::maps", || kernels(&open(), "map", 50)),
    ("printed::maps_of_a_poor_device", || kernels(&poor(), "map", 50)),
    ("printed::reductions", || kernels(&open(), "reduce", 30)),
    ("printed::reductions_of_a_poor_device", || kernels(&poor(), "reduce", 30)),
    ("printed::histograms", || kernels(&open(), "hist", 30)),
    ("printed::histograms_of_a_poor_device", || kernels(&poor(), "hist", 30)),
    ("printed::scans", || kernels(&open(), "scan", 20)),
    ("printed::scans_of_a_poor_device", || kernels(&poor(), "scan", 20)),
    ("printed::others", || kernels(&open(), "", 30)),
    ("printed::others_of_a_poor_device", || kernels(&poor(), "", 30)),
    ("printed::constants", constants),
    ("printed::arguments", arguments),
    ("printed::the_first_failure_of_many", first_of_many),
    ("printed::sites_of_a_program", sites_of_a_program),
    ("printed::locks", locks),
    ("printed::long_loops", long_loops),
];

/// A device that has nothing that it need not have for types and atomic operations.
fn poor() -> Device {
    open_with(|options| options.disable.extend(Cap::REPLACED))
}

/// What the files' names begin with, other than of those that are by themselves.
const TOPICS: [&str; 4] = ["map", "reduce", "hist", "scan"];

/// The kernels of a topic, or of none: so many launches at least.
fn kernels(device: &Device, topic: &str, least: usize) {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("../core/kernels/tests/kernels");
    let mut paths: Vec<_> = std::fs::read_dir(folder).unwrap().map(|entry| entry.unwrap().path()).collect();
    paths.sort();
    let (mut run, mut skipped, mut wrong) = (0, Vec::new(), Vec::new());
    for path in paths {
        let text = std::fs::read_to_string(&path).unwrap();
        let name = path.file_stem().unwrap().to_string_lossy().into_owned();
        let about = TOPICS.into_iter().find(|topic| name.starts_with(&format!("{topic}_"))).unwrap_or_default();
        if about != topic {
            continue;
        }
        let (kernel, file) = (text.parse::<Kernel>().unwrap(), File::read(&text).unwrap());
        // what is wrong is the executor's to find
        if file.wrong.is_some() || file.cases.iter().any(|case| case.trap.is_some()) {
            continue;
        }
        let kernel = Checked::new(kernel).unwrap();
        let mut compiled = HashMap::new();
        for (i, case) in file.cases.iter().enumerate() {
            if asks_for_subgroups(kernel.kernel()) && case.subgroup_size != device.caps().subgroup_size {
                skipped.push(format!("{name} {i}"));
                continue;
            }
            run += 1;
            let made = compiled.entry(case.group_size).or_insert_with(|| compile(device, &kernel, case.group_size));
            if let Err(why) = made.clone().and_then(|id| case_of(device, &kernel, id, case)) {
                wrong.push(format!("{name}, case {i}: {why}"));
            }
        }
    }
    println!("{run} launches; skipped, for the size of subgroups: {}", skipped.join(", "));
    assert!(wrong.is_empty(), "{} of {run}:\n{}", wrong.len(), wrong.join("\n"));
    assert!(run >= least, "{run}");
    // with FUTI_VK_VALIDATION=usage
    assert_eq!(device.messages(), [""; 0]);
}

/// Whether it matters how many invocations a subgroup has.
fn asks_for_subgroups(kernel: &Kernel) -> bool {
    let mut asks = false;
    walk(&kernel.body, &mut |stm: &Stm| {
        asks |= matches!(stm, Stm::Subgroup { .. });
        let of_subgroup =
            |e: &Exp| matches!(e, Exp::Builtin(Builtin::Subgroup | Builtin::Lane | Builtin::SubgroupSize));
        stm.exps().into_iter().for_each(|e| e.walk(&mut |e| asks |= of_subgroup(e)));
    });
    asks
}

/// What is in an element that has not been written.
const UNWRITTEN: u64 = 0x5ead_beef_5ead_beef;

/// Where a driver limits the rounds of loops, who waits for a group that does not run may come to the limit: then once more.
const TRIES: usize = 10;

fn case_of(device: &Device, kernel: &Checked, id: KernelId, case: &Case) -> Result<(), String> {
    for _ in 0..TRIES {
        let cell = |ty: ScalarType, x: Option<Scalar>| {
            x.map_or(UNWRITTEN, Scalar::bits).to_le_bytes().into_iter().take(ty.bytes())
        };
        let memories: Vec<_> = case
            .allocations
            .iter()
            .map(|(ty, cells)| {
                let mut bytes: Vec<u8> = cells.iter().flat_map(|x| cell(*ty, *x)).collect();
                bytes.resize(bytes.len().next_multiple_of(8).max(8), 0);
                let memory = device.alloc(bytes.len() as u64).unwrap();
                device.upload(memory.range(), &bytes).unwrap();
                memory
            })
            .collect();
        let block = |(a, first, len): &(usize, usize, usize)| {
            (memories[*a].range().start + (first * case.allocations[*a].0.bytes()) as u64, *len as u64)
        };
        let blocks: Vec<(u64, u64)> = case.blocks.iter().map(block).collect();
        let record = record(device);
        let launch = Launch {
            kernel: id,
            groups: case.groups,
            first_site: 0,
            params: &case.params,
            blocks: &blocks,
            record: &record,
        };
        let found = match run_printed(device, &launch) {
            Some(Record::Rounds) => continue,
            Some(Record::Failed(site, point, operands)) => {
                let count = kernel.kernel().sites[site as usize].operands as usize;
                Some((site, point, operands[..count].to_vec()))
            }
            None => None,
        };
        if found != case.failed {
            return Err(format!("it fails by {found:?}, not by {:?}", case.failed));
        }
        for (at, ty, cells) in &case.expect {
            for (i, (found, want)) in download_scalars(device, *ty, &memories[*at]).iter().zip(cells).enumerate() {
                let want = want.unwrap_or(Scalar::from_bits(*ty, UNWRITTEN));
                if *found != want {
                    return Err(format!("element {i} of {at} is {found}, not {want}"));
                }
            }
        }
        return Ok(());
    }
    Err("loops were left early".into())
}

/// A kernel from its text.
pub fn kernel(text: &str) -> Checked {
    let kernel =
        format!("futi-kernel 1 kernel k @0 {{ {text} }}").parse::<Kernel>().unwrap_or_else(|e| panic!("{e}\n{text}"));
    Checked::new(kernel).unwrap_or_else(|e| panic!("{e:?}\n{text}"))
}

/// Numbers that are hard to write, of every type.
fn numbers(ty: ScalarType) -> Vec<Scalar> {
    let ints = [
        0,
        1,
        -1,
        127,
        -128,
        255,
        32767,
        -32768,
        i32::MIN.into(),
        i32::MAX.into(),
        i64::MIN,
        i64::MAX,
        1 << 40,
        -(1 << 40),
    ];
    let floats = [
        0.0,
        -0.0,
        1.0,
        -2.5,
        0.1,
        6e-8,
        65504.0,
        1e-38,
        1e300,
        5e-324,
        f64::MAX,
        f64::INFINITY,
        -f64::INFINITY,
        f64::NAN,
    ];
    match ty {
        ty if ty.is_float() => floats
            .into_iter()
            .map(|x| Scalar::from_f64(ty, x))
            .filter(|x| !matches!(x, Scalar::F32(x) if x.is_subnormal()))
            .collect(),
        ty => ints.into_iter().map(|x| Scalar::from_i64(ty, x)).collect(),
    }
}

/// Constants come out as they were written.
fn constants() {
    let device = open();
    for ty in ScalarType::ALL {
        let all = numbers(ty);
        let stores: String = all.iter().enumerate().map(|(i, x)| format!(" store block.y_0[{i}i32] = {x}")).collect();
        let id = compile(&device, &kernel(&format!("block y_0: write {ty}{stores}")), 1).unwrap();
        let memory = device.alloc((all.len() * ty.bytes()) as u64).unwrap();
        let launch = Launch {
            kernel: id,
            groups: 1,
            first_site: 0,
            params: &[],
            blocks: &[(memory.range().start, all.len() as u64)],
            record: &record(&device),
        };
        assert_eq!(run_printed(&device, &launch), None);
        assert_eq!(download_scalars(&device, ty, &memory), all);
    }
}

/// Parameters of every type arrive, and the lengths of blocks.
fn arguments() {
    let device = open();
    for ty in ScalarType::ALL {
        let id = compile(&device, &kernel(&format!("param p_0: {ty} block y_0: write {ty} block n_1: write i64 store block.y_0[0i32] = param.p_0 store block.n_1[0i32] = length(block.y_0)")), 1).unwrap();
        for x in numbers(ty) {
            let (memory, count) = (device.alloc(ty.bytes() as u64).unwrap(), device.alloc(8).unwrap());
            let blocks = [(memory.range().start, 1 << 33), (count.range().start, 1)];
            let launch = Launch {
                kernel: id,
                groups: 1,
                first_site: 0,
                params: &[x],
                blocks: &blocks,
                record: &record(&device),
            };
            assert_eq!(run_printed(&device, &launch), None);
            assert_eq!(download_scalars(&device, ty, &memory), [x]);
            assert_eq!(download_scalars(&device, ScalarType::I64, &count), [Scalar::I64(1 << 33)]);
        }
    }
    // record, first site and launch, guard, then the parameter's bits, then address and length
    let words: Vec<u64> = args(7, 3, 2, 9, &[Scalar::I8(-1)], &[(64, 5)])
        .chunks_exact(8)
        .map(|b| u64::from_le_bytes(b.try_into().unwrap()))
        .collect();
    assert_eq!(words, [7, 2 << 32 | 3, 9, 255, 64, 5]);
}

/// A kernel of which each invocation fails at the point that its parameters say: `a i + b`, with the operand 10 times that.
const ALL_FAIL: &str = "param a_0: i64 param b_1: i64 local p_0: i64 site 0 of 1 @0
    p_0 = add.i64(mul.i64(param.a_0, conv.i32.i64(add.i32(mul.i32(@group, @group_size), @invocation))), param.b_1)
    fail 0 at p_0 (mul.i64(10i64, p_0))";

/// Locks in groups of many subgroups: each invocation comes to its turn, and sees what those before it have left.
fn locks() {
    let device = open();
    let text = include_str!("../../../core/kernels/tests/kernels/hist_lock.kernel");
    let kernel = Checked::new(text.parse().unwrap()).unwrap();
    let (groups, size) = (16, 256);
    let n = groups * size;
    let zeros = |ty: ScalarType| (ty, vec![Some(ty.zero()); 4]);
    // i goes into bin i mod 4, so that bin b has the sum of 4 k + b for k < n / 4
    let bins = (0..n).map(|i| Some(Scalar::I32(i as i32 % 4))).collect();
    let sums = (0..4).map(|b| Some(Scalar::I32((0..n as i32 / 4).map(|k| 4 * k + b).sum()))).collect();
    let i32s = ScalarType::I32;
    let case = Case {
        groups,
        group_size: size,
        allocations: vec![(i32s, bins), zeros(i32s), zeros(i32s), zeros(ScalarType::I64)],
        blocks: vec![(0, 0, n as usize), (1, 0, 4), (2, 0, 4), (3, 0, 4)],
        expect: vec![(2, i32s, sums), (1, i32s, vec![Some(Scalar::I32(0)); 4])],
        ..Case::default()
    };
    let id = compile(&device, &kernel, case.group_size).unwrap();
    case_of(&device, &kernel, id, &case).unwrap();
}

fn first_of_many() {
    let device = open();
    let id = compile(&device, &kernel(ALL_FAIL), 64).unwrap();
    // points 0 to 2^20 - 1 in order, in the opposite order, and all but one the same: the least, with its own operand
    for (a, b, groups, least) in [(1, 0, 16384, 0), (-1, 1023, 16, 0), (-1, 0, 256, -16383), (0, 5, 1024, 5)] {
        let params = [Scalar::I64(a), Scalar::I64(b)];
        let once = || {
            let record = record(&device);
            run_printed(
                &device,
                &Launch { kernel: id, groups, first_site: 0, params: &params, blocks: &[], record: &record },
            )
        };
        // who waits for the lock may come to the limit of rounds
        let found = (0..TRIES).map(|_| once()).find(|found| *found != Some(Record::Rounds)).flatten();
        let Some(Record::Failed(0, point, operands)) = found else { panic!("{found:?}, {a} {b}") };
        assert_eq!((point, operands[0]), (least, 10 * least));
    }
}

/// Of kernels that share a record, the first site counts, whichever runs first.
fn sites_of_a_program() {
    let device = open();
    let id = compile(&device, &kernel(ALL_FAIL), 8).unwrap();
    for order in [[3, 9], [9, 3]] {
        let record = record(&device);
        let mut last = None;
        for first_site in order {
            let params = [Scalar::I64(0), Scalar::I64(first_site.into())];
            last = run_printed(
                &device,
                &Launch { kernel: id, groups: 2, first_site, params: &params, blocks: &[], record: &record },
            );
        }
        let Some(Record::Failed(site, point, operands)) = last else { panic!("no failure") };
        assert_eq!((site, point, operands[0]), (3, 3, 30));
    }
}

/// A loop is run to its end, or the record says that it was not: never a wrong result without a word.
fn long_loops() {
    let device = open();
    let counting = "param n_0: i32 block y_0: write i32 local k_0: i32 local sum_1: i32 sum_1 = 0i32
        for k_0 from 0i32 below param.n_0 step 1i32 { sum_1 = add.i32(sum_1, 1i32) } store block.y_0[0i32] = sum_1";
    let nested = "param n_0: i32 block y_0: write i32 local k_0: i32 local j_1: i32 local sum_2: i32 sum_2 = 0i32 k_0 = 0i32
        loop { } while lt.i32(k_0, param.n_0) { for j_1 from 0i32 below 10i32 step 1i32 { sum_2 = add.i32(sum_2, 1i32) } k_0 = add.i32(k_0, 10i32) } store block.y_0[0i32] = sum_2";
    // behind barriers, where parts of it are functions
    let waiting = "param n_0: i32 block y_0: write i32 local k_0: i32 local sum_1: i32 site 0 of 0 @0 sum_1 = 0i32
        for k_0 from 0i32 below param.n_0 step 1i32 { if lt.i32(k_0, 0i32) { fail 0 at 0i64 () } sum_1 = add.i32(sum_1, 1i32) barrier }
        if eq.i32(@invocation, 0i32) { store block.y_0[0i32] = sum_1 }";
    for (text, size) in [(counting, 8), (counting, 200), (nested, 8), (waiting, 8), (waiting, 64)] {
        let id = compile(&device, &kernel(text), size).unwrap();
        for n in [10, 30_000, 60_000, 70_000, 1_000_000] {
            let memory = device.alloc(4).unwrap();
            let blocks = [(memory.range().start, 1)];
            let launch = Launch {
                kernel: id,
                groups: 1,
                first_site: 0,
                params: &[Scalar::I32(n)],
                blocks: &blocks,
                record: &record(&device),
            };
            let found = run_printed(&device, &launch);
            let result = download_scalars(&device, ScalarType::I32, &memory);
            // a round of the inner loop counts, and one more a round of the outer: n and n / 5 at most
            match device.caps().loop_limit {
                Some(limit) if n as u32 > limit => assert_eq!(found, Some(Record::Rounds), "{n}: {text}"),
                Some(limit) if n as u32 > limit / 2 && found == Some(Record::Rounds) => {}
                _ => assert_eq!((found, result), (None, vec![Scalar::I32(n)]), "{n}: {text}"),
            }
        }
    }
}
