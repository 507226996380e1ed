//! What becomes of arguments that a call consumes: where nobody else has them nothing is copied, and what somebody keeps stays as it is. Copies are counted in what is recorded.

use crate::Test;
use crate::programs::Running;
use futi_core::backend::{Backend, CallCtx, Handle};
use futi_core::failure::RuntimeError;
use futi_core::value::text::parse_values;
use futi_vk::device::Options as DeviceOptions;
use futi_vk::hazards;
use futi_vk::recording::Command;

pub const TESTS: &[Test] = &[
    ("arguments::only_handles_are_used_in_place", in_place),
    ("arguments::nothing_is_in_place_where_that_is_off", switched_off),
    ("arguments::one_array_twice", twice),
    ("arguments::results_that_share_memory", shared),
    ("arguments::constants_stay", constants),
    ("arguments::a_failing_call_leaves_what_is_kept", failing),
];

/// An element that the host changes, those that a kernel changes, and elements that a loop of the host does. Of `[1, 2, 3]` they make what is beside them.
const CHANGES: [(&str, &str); 3] = [
    ("let (r_3: [n_0]i64) = update xs_1[0i64] = 9i64 in (r_3)", "[9i64, 2i64, 3i64]"),
    (
        "let (is_3: [n_0]i64) = iota i64 (n_0, 0i64, 1i64)
         let (r_4: [n_0]i64) = scatter n_0 (is_3) map \\(i_5: i64) -> (i64, i64) {
           let (j_6: i64) = sub.i64(2i64, i_5)
           let (x_7: i64) = mul.i64(i_5, 10i64)
           in (j_6, x_7)
         } dest [n_0] xs_1
         in (r_4)",
        "[20i64, 10i64, 0i64]",
    ),
    (
        "let (r_3: [n_0]i64) = loop (*a_4: [n_0]i64 = xs_1) for i_5: i64 < 2i64 do {
           let (x_6: i64) = index a_4[2i64]
           let (b_7: [n_0]i64) = update a_4[i_5] = x_6
           in (b_7)
         }
         in (r_3)",
        "[3i64, 3i64, 3i64]",
    ),
];

const SET: &str =
    "entry \"set\"(n_50: i64, *xs_51: [n_50]i64) -> (*r_52: [n_50]i64) sig 1 (\"xs\": [\"n\"]i64) -> ([\"n\"]i64) {
       let (ys_53: [n_50]i64) = update xs_51[0i64] = 9i64
       in (ys_53)
     }";

fn program(text: &str, tuning: &[(&str, i64)]) -> Running {
    let program = Running::tuned(text, DeviceOptions::from_env().unwrap(), tuning);
    program.vulkan.keep_recordings();
    program
}

fn change(body: &str, tuning: &[(&str, i64)]) -> Running {
    let head =
        "entry \"main\"(n_0: i64, *xs_1: [n_0]i64) -> (*r_2: [n_0]i64) sig 1 (\"xs\": [\"n\"]i64) -> ([\"n\"]i64)";
    program(&format!("{head} {{ {body} }}"), tuning)
}

fn put(program: &Running, values: &str) -> Vec<Handle> {
    parse_values(values).unwrap().iter().map(|value| program.vulkan.put(value).unwrap()).collect()
}

fn text(program: &Running, handle: &Handle) -> String {
    program.vulkan.get(handle).unwrap().to_string()
}

/// A call, and the bytes of each copy of several elements that it makes.
fn call(program: &Running, entry: &str, args: Vec<Handle>) -> (Result<Vec<Handle>, RuntimeError>, Vec<u64>) {
    program.vulkan.kept();
    program.vulkan.keep_recordings();
    let results = program.program.call(entry, args, &CallCtx::default());
    let bytes = |command: &Command| match command {
        Command::Copy { src, .. } if src.len > 8 => Some(src.len),
        _ => None,
    };
    let kept = program.vulkan.kept();
    kept.iter().for_each(|recording| assert_eq!(hazards::check(recording), []));
    (results, kept.iter().flat_map(|recording| recording.commands()).filter_map(bytes).collect())
}

fn in_place() {
    for (body, expected) in CHANGES {
        let program = change(body, &[]);
        let args = put(&program, "3i64 [1i64, 2i64, 3i64]");
        // somebody keeps it: twice the same
        for _ in 0..2 {
            let (results, copies) = call(&program, "main", args.clone());
            assert_eq!(copies, [24], "{body}");
            assert_eq!(text(&program, &results.unwrap()[0]), expected, "{body}");
            assert_eq!(text(&program, &args[1]), "[1i64, 2i64, 3i64]", "{body}");
        }
        // nobody does
        let (results, copies) = call(&program, "main", args);
        assert_eq!(copies, [0; 0], "{body}");
        assert_eq!(text(&program, &results.unwrap()[0]), expected, "{body}");
    }
}

fn switched_off() {
    for (body, expected) in CHANGES {
        let program = change(body, &[("in_place", 0)]);
        let (results, copies) = call(&program, "main", put(&program, "3i64 [1i64, 2i64, 3i64]"));
        // that of the argument, and those before the changes
        assert!(copies.len() > 1, "{body}");
        assert_eq!(text(&program, &results.unwrap()[0]), expected, "{body}");
    }
}

fn twice() {
    // the elements of `ys`, each in the place of the other
    let program = program(
        "entry \"main\"(n_0: i64, *xs_1: [n_0]i64, ys_2: [n_0]i64) -> (*r_3: [n_0]i64)
           sig 1 (\"xs\": [\"n\"]i64, \"ys\": [\"n\"]i64) -> ([\"n\"]i64) {
           let (b_4: i64) = index ys_2[1i64]
           let (r_5: [n_0]i64) = update xs_1[0i64] = b_4
           let (a_6: i64) = index ys_2[0i64]
           let (s_7: [n_0]i64) = update r_5[1i64] = a_6
           in (s_7)
         }",
        &[],
    );
    for kept in [true, false] {
        let mut args = put(&program, "2i64 [1i64, 2i64]");
        args.push(args[1].clone());
        let keeps = kept.then(|| args[1].clone());
        let (results, copies) = call(&program, "main", args);
        assert_eq!((text(&program, &results.unwrap()[0]), copies), ("[2i64, 1i64]".into(), vec![16]));
        assert!(keeps.is_none_or(|xs| text(&program, &xs) == "[1i64, 2i64]"));
    }
    // two arrays, nobody else's
    let (results, copies) = call(&program, "main", put(&program, "2i64 [1i64, 2i64] [3i64, 4i64]"));
    assert_eq!((text(&program, &results.unwrap()[0]), copies), ("[4i64, 3i64]".into(), vec![]));
}

fn shared() {
    let program = program(
        &format!(
            "{SET} entry \"both\"(n_0: i64, xs_1: [n_0]i64) -> (r_2: [n_0]i64, s_3: [n_0]i64)
               sig 1 (\"xs\": [\"n\"]i64) -> ([\"n\"]i64, [\"n\"]i64) {{ in (xs_1, xs_1) }}"
        ),
        &[],
    );
    let args = put(&program, "2i64 [1i64, 2i64]");
    let size = args[0].clone();
    let (results, copies) = call(&program, "both", args);
    let mut results = results.unwrap();
    assert_eq!(copies, [0; 0]);
    let (second, first) = (results.pop().unwrap(), results.pop().unwrap());
    // the only handle, of memory that the other one has, too
    let (set, copies) = call(&program, "set", vec![size.clone(), first]);
    assert_eq!((text(&program, &set.unwrap()[0]), copies), ("[9i64, 2i64]".into(), vec![16]));
    assert_eq!(text(&program, &second), "[1i64, 2i64]");
    let (set, copies) = call(&program, "set", vec![size, second]);
    assert_eq!((text(&program, &set.unwrap()[0]), copies), ("[9i64, 2i64]".into(), vec![]));
}

fn constants() {
    let program = program(
        &format!(
            "{SET} entry \"table\"() -> (r_0: [2]i64) sig 0 () -> ([\"2\"]i64) {{
               let (t_1: [2]i64) = array [5i64, 6i64] of i64
               in (t_1)
             }}"
        ),
        &[],
    );
    let size = put(&program, "2i64").remove(0);
    for _ in 0..2 {
        let table = call(&program, "table", vec![]).0.unwrap().remove(0);
        assert_eq!(text(&program, &table), "[5i64, 6i64]");
        let (set, _) = call(&program, "set", vec![size.clone(), table]);
        assert_eq!(text(&program, &set.unwrap()[0]), "[9i64, 6i64]");
    }
}

fn failing() {
    // the kernel fails behind the change
    let program = change(
        "let (a_3: [n_0]i64) = update xs_1[0i64] = 9i64
         let (ys_4: [n_0]i64) = screma n_0 (a_3) map \\(i_5: i64) -> (i64) {
           let (c_6: cert) = check bounds (i_5) [n_0]
           let (x_7: i64) = index a_3[i_5] certs (c_6)
           in (x_7)
         }
         let (y_8: i64) = index ys_4[0i64]
         let (b_9: [n_0]i64) = update a_3[1i64] = y_8
         in (b_9)",
        &[],
    );
    let args = put(&program, "2i64 [1i64, 2i64]");
    for args in [args.clone(), args.clone(), put(&program, "2i64 [1i64, 2i64]")] {
        let message = call(&program, "main", args).0.err().map(|error| error.message);
        assert_eq!(message.as_deref(), Some("Index [9] out of bounds for array of shape [2]."));
    }
    assert_eq!(text(&program, &args[1]), "[1i64, 2i64]");
}
