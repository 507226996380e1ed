//! Memory, transfers, recordings, timing, caches and validation.

use crate::Test;
use crate::support::{Random, download, launch, open, open_with, run, source, upload};
use futi_vk::device::{Cap, Device, Error, Options, Validation};
use futi_vk::recording::{Command, Range, Recording};

pub const TESTS: &[Test] = &[
    ("running::transfers", || transfers(&open())),
    ("running::transfers_through_staging", || {
        transfers(&open_with(|options| _ = options.disable.insert(Cap::UnifiedMemory)))
    }),
    ("running::copies_and_fills", copies_and_fills),
    ("running::a_chain_of_dependent_kernels", chain),
    ("running::memory_is_reused_and_runs_out", memory),
    ("running::profiles", profiles),
    ("running::kernels_are_cached", cached),
    ("running::a_bad_kernel_is_an_error", bad_kernel),
    ("running::kernels_compiled_together", announced),
    ("running::an_unknown_device_is_an_error", unknown_device),
    ("running::validation_is_silent_and_awake", validation),
];

fn transfers(device: &Device) {
    let mut random = Random(3);
    // Beyond one staging buffer, and not a multiple of anything.
    let bytes: Vec<u8> = (0..(16 << 20) + 12_345).map(|_| random.next() as u8).collect();
    let memory = device.alloc(bytes.len() as u64).unwrap();
    device.upload(memory.range(), &bytes).unwrap();
    let mut back = vec![0; bytes.len()];
    device.download(memory.range(), &mut back).unwrap();
    assert!(back == bytes);
    let mut part = vec![0; 1001];
    device.download(memory.range().slice(5_000_003, 1001), &mut part).unwrap();
    assert_eq!(part, bytes[5_000_003..][..1001]);
}

fn copies_and_fills() {
    let device = open();
    let memory = upload(&device, &(0..16).collect::<Vec<u64>>());
    let words = |first: u64, n: u64| memory.range().slice(8 * first, 8 * n);
    run(
        &device,
        vec![
            Command::Copy { src: words(0, 4), dst: words(8, 4) },
            Command::Fill { dst: words(2, 1), word: 7 },
            Command::Copy { src: words(2, 1), dst: words(15, 1) },
        ],
    );
    let seven = 7 << 32 | 7;
    assert_eq!(download(&device, &memory), [0, 1, seven, 3, 4, 5, 6, 7, 0, 1, 2, 3, 12, 13, 14, seven]);
}

/// Each kernel doubles and adds one, in turn from one buffer to the other: wrong as soon as one starts early.
fn chain() {
    let device = open();
    let n = 100_000;
    let (a, b) = (upload(&device, &vec![0; n]), upload(&device, &vec![0; n]));
    // Reads a far-away element, so that no invocation depends on its own predecessor alone.
    let body = "RefU64(args.a[1] + 8 * i).v = 2UL * RefU64(args.a[0] + 8 * (args.n - 1UL - i)).v + 1UL;";
    let source = source(&device, 2, "", body);
    let step = |from: Range, to: Range| launch(&device, &source, n as u64, &[from], &[to]);
    let commands = (0..20).map(|k| if k % 2 == 0 { step(a.range(), b.range()) } else { step(b.range(), a.range()) });
    run(&device, commands.collect());
    assert!(download(&device, &a).iter().all(|x| *x == (1 << 20) - 1));
}

fn memory() {
    let device = open();
    let first = device.alloc(1000).unwrap();
    let start = first.range().start;
    drop(first);
    assert_eq!(device.alloc(10).unwrap().range(), Range::new(start, 10));
    let kept: Vec<_> = (0..100).map(|k| device.alloc(k).unwrap()).collect();
    for (i, a) in kept.iter().enumerate() {
        assert!(kept.iter().take(i).all(|b| a.range().start != b.range().start && !a.range().overlaps(b.range())));
    }
    let (in_use, peak) = device.memory_usage();
    assert_eq!((in_use, peak), (100 * 256, 100 * 256));
    // More than there is, and more than there are addresses.
    for len in [1 << 50, u64::MAX] {
        assert!(matches!(device.alloc(len), Err(Error::OutOfMemory { requested, .. }) if requested == len));
    }
    assert!(device.alloc(100).is_ok());
    drop(kept);
    assert_eq!(device.memory_usage().0, 0);
}

fn profiles() {
    let device = open();
    let memory = upload(&device, &[0; 64]);
    let long = source(
        &device,
        1,
        "",
        "uint64_t x = i; for (int k = 0; k < 20000; k++) x = x * x + 1UL; RefU64(args.a[0] + 8 * i).v = x;",
    );
    let short = source(&device, 1, "", "RefU64(args.a[0] + 8 * i).v += 1UL;");
    let mut recording = Recording::new();
    for source in [&short, &long, &short] {
        recording.push(launch(&device, source, 64, &[], &[memory.range()]));
    }
    // The first run compiles.
    device.run(&recording, &[], true).unwrap();
    // The least of several, as any of them may have been interrupted.
    let mut least = [f64::INFINITY; 3];
    for _ in 0..10 {
        let timings = device.run(&recording, &[], true).unwrap().timings;
        // Barriers stand between them.
        assert_eq!(timings.iter().map(|timing| timing.command).collect::<Vec<_>>(), [0, 2, 4]);
        least.iter_mut().zip(&timings).for_each(|(least, timing)| *least = timing.nanoseconds.min(*least));
    }
    assert!(least[1] > least[0].max(least[2]), "{least:?}");
    assert_eq!(device.run(&recording, &[], false).unwrap().timings, []);
    let without = open_with(|options| _ = options.disable.insert(Cap::Timestamps));
    assert_eq!(without.run(&Recording::new(), &[], true).unwrap().timings, []);
}

fn cached() {
    let own = tempfile::tempdir().unwrap();
    // One that is not there yet.
    let folder = own.path().join("cache");
    let count = || std::fs::read_dir(folder.join("kernels")).map_or(0, |entries| entries.count());
    for expected in [0, 2] {
        assert_eq!(count(), expected);
        let device = open_with(|options| options.cache = Some(folder.clone()));
        let memory = upload(&device, &[5]);
        let source = source(&device, 1, "", "RefU64(args.a[0]).v *= 3UL;");
        assert_eq!(device.compile(&source, "k").unwrap(), device.compile(&source, "k").unwrap());
        run(&device, vec![launch(&device, &source, 1, &[], &[memory.range()])]);
        assert_eq!(download(&device, &memory), [15]);
    }
    assert_eq!(count(), 2);
}

fn bad_kernel() {
    let device = open();
    let result = device.compile(&source(&device, 1, "", "this is no GLSL;"), "bad");
    assert!(matches!(result, Err(Error::Shader { label, messages }) if label == "bad" && messages.contains("error")));
}

/// Kernels that are announced are compiled together before the first of them runs; of those that cannot be, the first is told.
fn announced() {
    let device = open();
    let memory = upload(&device, &[5]);
    let sources = [2, 3, 7].map(|k| source(&device, 1, "", &format!("RefU64(args.a[0]).v *= {k}UL;")));
    let ids = sources.each_ref().map(|source| device.announce(source, "k"));
    assert_eq!(device.announce(&sources[1], "again"), ids[1]);
    run(&device, sources.iter().map(|source| launch(&device, source, 1, &[], &[memory.range()])).collect());
    assert_eq!(download(&device, &memory), [210]);
    for label in ["first", "second"] {
        device.announce(&source(&device, 1, "", &format!("this is no GLSL, and {label};")), label);
    }
    let result = device.run(&Recording::new(), &[], false);
    assert!(matches!(result, Err(Error::Shader { label, .. }) if label == "first"));
}

fn unknown_device() {
    let options = Options { device: Some("no such device".into()), ..Options::default() };
    assert!(matches!(Device::open(&options), Err(Error::NoDevice { seen, .. }) if !seen.is_empty()));
}

/// Nothing is said of a correct run, and a deliberate violation in the same process is.
fn validation() {
    let device = open_with(|options| options.validation = Validation::Synchronization);
    let memory = upload(&device, &[0; 100]);
    let source = source(&device, 1, "", "RefU64(args.a[0] + 8 * i).v += 1UL;");
    let step = || launch(&device, &source, 100, &[], &[memory.range()]);
    let fill = Command::Fill { dst: memory.range(), word: 1 };
    run(&device, vec![fill.clone(), step(), step()]);
    device.run(&Recording::verbatim(vec![step()]), &[], true).unwrap();
    assert_eq!(download(&device, &memory)[7], (1 << 32) + 4);
    assert_eq!(device.messages(), [""; 0]);
    device.run(&Recording::verbatim(vec![fill.clone(), fill]), &[], false).unwrap();
    assert!(
        device
            .messages()
            .iter()
            .any(|message| message.contains("WRITE-AFTER-WRITE") || message.contains("WRITE_AFTER_WRITE"))
    );
}
