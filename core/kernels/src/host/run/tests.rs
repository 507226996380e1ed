use super::*;
use std::cell::Cell;
use std::rc::Rc;

/// A machine whose memory is only counted: how much there is, and how much there was at most.
#[derive(Default)]
struct Counting {
    live: Rc<Cell<u64>>,
    most: u64,
    copies: u64,
    /// Groups and points of launches.
    launches: Vec<(u32, u64)>,
    cancelled: bool,
    /// Changes nothing where it is.
    copies_all: bool,
}

struct Counted(Rc<Cell<u64>>);

impl Drop for Counted {
    fn drop(&mut self) {
        self.0.set(self.0.get() - 1);
    }
}

impl Machine for Counting {
    type Memory = Rc<Counted>;

    fn alloc(&mut self, _: ScalarType, _: u64) -> Result<Rc<Counted>> {
        self.live.set(self.live.get() + 1);
        self.most = self.most.max(self.live.get());
        Ok(Rc::new(Counted(self.live.clone())))
    }
    fn constant(&mut self, _: ConstantId) -> Result<Rc<Counted>> {
        self.alloc(ScalarType::I32, 0)
    }
    fn copy(&mut self, _: Part<'_, Rc<Counted>>, _: Part<'_, Rc<Counted>>) -> Result<()> {
        self.copies += 1;
        Ok(())
    }
    fn write(&mut self, _: &Buffer<Rc<Counted>>, _: u64, _: Scalar) -> Result<()> {
        Ok(())
    }
    fn read(&mut self, all: &[(&Buffer<Rc<Counted>>, u64)]) -> Result<Vec<Scalar>> {
        Ok(all.iter().map(|(of, _)| of.elem.zero()).collect())
    }
    fn launch(&mut self, launch: Launched<'_, Rc<Counted>>) -> Result<()> {
        self.launches.push((launch.groups, launch.points));
        Ok(())
    }
    fn finish(&mut self, _: &[Part<'_, Rc<Counted>>]) -> Result<()> {
        Ok(())
    }
    fn tuning(&self, _: Tuning) -> i64 {
        0
    }
    fn few(&mut self, _: ThresholdId, _: i64) -> bool {
        true
    }
    fn group_size(&self, _: KernelId) -> u32 {
        1
    }
    fn groups(&self, _: KernelId, wanted: i64, _: i64) -> i64 {
        wanted
    }
    fn cancelled(&self) -> bool {
        self.cancelled
    }
    fn owns(&self, memory: &Rc<Counted>) -> bool {
        !self.copies_all && Rc::strong_count(memory) == 1
    }
    fn same(a: &Rc<Counted>, b: &Rc<Counted>) -> bool {
        Rc::ptr_eq(a, b)
    }
    fn clones(memory: &Rc<Counted>) -> usize {
        Rc::strong_count(memory)
    }
    fn renew(&mut self, _: &Buffer<Rc<Counted>>, _: bool) -> Result<()> {
        Ok(())
    }
    fn guard(&mut self, _: Option<&Buffer<Rc<Counted>>>) {}
    fn choose(&mut self, _: [&Buffer<Rc<Counted>>; 2], _: &Buffer<Rc<Counted>>) -> Result<()> {
        Ok(())
    }
    fn step(&mut self, _: &Buffer<Rc<Counted>>, _: &Buffer<Rc<Counted>>) -> Result<()> {
        Ok(())
    }
}

fn program(tables: &str, body: &str) -> CheckedHost {
    let text = format!("futi-host 1 kernel k @0 {{ }} fun main_0 entry \"main\" {{ {tables} {body} }}");
    CheckedHost::new(text.parse().expect("a program")).expect("a right one")
}

/// How much memory there was at most, and how much the results have.
fn memory(tables: &str, body: &str) -> (u64, u64) {
    let mut machine = Counting::default();
    let results = call(&mut machine, &program(tables, body), "main", vec![]).expect("results");
    let kept = machine.live.get();
    drop(results);
    assert_eq!((machine.live.get(), machine.copies), (0, 0));
    (machine.most, kept)
}

#[test]
fn memory_is_freed_with_the_last_variable_that_names_it() {
    let tables = "scalar i_0: i32 mem a_0: i32 mem b_1: i32 mem c_2: i32 mem d_3: i32 mem e_4: i32 mem f_5: i32";
    let cases = [
        ("mem.a_0 = alloc mem.b_1 = alloc return (mem.b_1 at 0i64)", (2, 1)),
        ("mem.a_0 = alloc free mem.a_0 mem.b_1 = alloc return ()", (1, 0)),
        // it has two names, one of which is freed
        (
            "mem.a_0 = alloc if true -> (mem.b_1) { in (mem.a_0) } else { in (mem.a_0) } free mem.a_0
             mem.c_2 = alloc return ()",
            (2, 0),
        ),
        // what a block binds ends with it
        ("if true -> () { mem.a_0 = alloc in () } else { in () } mem.b_1 = alloc return ()", (1, 0)),
        // the first, that of the round before, and that of the round
        (
            "mem.a_0 = alloc loop for i_0 below 9i32 (mem.b_1 = mem.a_0) -> (mem.d_3) { mem.c_2 = alloc in (mem.c_2) }
             return (mem.d_3 at 0i64)",
            (3, 1),
        ),
        // without the first, which ends with the beginning; while it has another name it is there
        (
            "mem.a_0 = alloc loop for i_0 below 9i32 (mem.b_1 = mem.a_0) frees (mem.a_0) -> (mem.d_3) {
               mem.c_2 = alloc in (mem.c_2)
             } return (mem.d_3 at 0i64)",
            (2, 1),
        ),
        (
            "mem.a_0 = alloc loop for i_0 below 9i32 (mem.b_1 = mem.a_0) frees (mem.a_0) -> (mem.d_3) { in (mem.b_1) }
             mem.c_2 = alloc return (mem.d_3 at 0i64)",
            (2, 1),
        ),
        // the round's own is freed as soon as it is not used any more
        (
            "mem.a_0 = alloc loop for i_0 below 9i32 (mem.b_1 = mem.a_0) -> (mem.d_3) {
               free mem.b_1 mem.c_2 = alloc in (mem.c_2)
             } return ()",
            (2, 0),
        ),
        // nor is the first one there any more behind the loop and its own end
        (
            "mem.a_0 = alloc loop for i_0 below 1i32 (mem.b_1 = mem.a_0) -> (mem.d_3) { mem.c_2 = alloc in (mem.c_2) }
             free mem.a_0 free mem.d_3 mem.e_4 = alloc mem.f_5 = alloc return ()",
            (2, 0),
        ),
    ];
    for (body, wanted) in cases {
        assert_eq!(memory(tables, body), wanted, "{body}");
    }
}

#[test]
fn nothing_is_launched_without_groups() {
    let body = "launch kernel.k_0 groups 0i64 points 7i64 () () launch kernel.k_0 groups -1i64 points 7i64 () ()
        launch kernel.k_0 groups groups(kernel.k_0, -2i64, 0i64) points 7i64 () ()
        launch kernel.k_0 groups groups(kernel.k_0, 3i64, 0i64) points 7i64 () () return ()";
    let mut machine = Counting::default();
    call(&mut machine, &program("", body), "main", vec![]).unwrap();
    assert_eq!(machine.launches, [(3, 7)]);
}

#[test]
fn launches_rounds_and_calls_ask_whether_to_stop() {
    let cases = [
        ("return ()", false),
        ("i_0 = 1i32 return ()", false),
        ("launch kernel.k_0 groups 1i64 points 1i64 () () return ()", true),
        ("loop for i_0 below 0i32 () -> () { in () } return ()", false),
        ("loop for i_0 below 1i32 () -> () { in () } return ()", true),
        ("if false -> () { call fun.main_0 () -> () in () } else { in () } return ()", false),
        ("call fun.main_0 () -> () return ()", true),
    ];
    for (body, stops) in cases {
        let mut machine = Counting { cancelled: true, ..Counting::default() };
        let result = call(&mut machine, &program("scalar i_0: i32", body), "main", vec![]);
        assert_eq!(result.err().map(|e| e.kind), stops.then_some(FailureKind::Cancelled), "{body}");
    }
}

#[test]
fn what_fails_is_told_where_it_is() {
    let site = Site { check: "bounds (v_0) [v_1]".parse().unwrap(), prov: Prov(4) };
    assert_eq!(holds(&site, &[Scalar::I64(1), Scalar::I64(2)]), Ok(()));
    let failed = holds(&site, &[Scalar::I64(2), Scalar::I64(2)]).unwrap_err();
    assert_eq!((failed.kind, failed.prov), (FailureKind::Bounds, Prov(4)));
    assert_eq!(failed.message, "Index [2] out of bounds for array of shape [2].");
    let kernel = crate::check::Checked::new(crate::ir::Kernel::new("k", Prov(1))).unwrap();
    let kernel = HostKernel { kernel, sites: vec![site] };
    assert_eq!(failure(&kernel, 0, &[2, 2]), failed);
    assert!(failure(&kernel, 0, &[1, 2]).message.contains("a failure of a check that holds"));
    assert!(failure(&kernel, 1, &[]).message.contains("reports failure 1"));
}

/// How often a call copies that is given arrays of two elements: each says whether it is consumed, which memory it is, and its offset in that. The first `kept` memories are also
/// somebody else's. What comes out is the arguments.
fn copies(args: &[(bool, usize, u64)], kept: usize, copies_all: bool) -> u64 {
    let tables: String = (0..args.len()).map(|i| format!("mem a_{i}: i32 ")).collect();
    let param = |(i, (unique, ..)): (usize, &(bool, usize, u64))| {
        format!("param mem.a_{i}[2i64]{} ", if *unique { " unique" } else { "" })
    };
    let params: String = args.iter().enumerate().map(param).collect();
    let results: Vec<String> = (0..args.len()).map(|i| format!("mem.a_{i} at 0i64 [2i64]")).collect();
    let mut machine = Counting { copies_all, ..Counting::default() };
    let memories: Vec<_> = (0..args.len()).map(|_| machine.alloc(ScalarType::I32, 4).unwrap()).collect();
    let given = args.iter().map(|(_, memory, offset)| {
        let buffer = Buffer { memory: memories[*memory].clone(), elem: ScalarType::I32, len: 4 };
        Datum::Array { buffer, offset: *offset, shape: vec![2] }
    });
    let given: Vec<_> = given.collect();
    let keeps = memories[..kept].to_vec();
    let before: Vec<_> = memories.iter().map(Rc::downgrade).collect();
    drop(memories);
    let body = format!("{params} return ({})", results.join(", "));
    let results = call(&mut machine, &program(&tables, &body), "main", given).expect("results");
    let memory = |datum: &Datum<Rc<Counted>>| match datum {
        Datum::Array { buffer, .. } => buffer.memory.clone(),
        Datum::Scalar(_) => panic!("an array is a scalar"),
    };
    let all: Vec<_> = results.iter().map(memory).collect();
    for (i, (unique, own, offset)) in args.iter().enumerate() {
        // what is consumed is nobody else's, and what is not is not moved
        assert!(!unique || keeps.iter().chain(&all[..i]).chain(&all[i + 1..]).all(|other| !Rc::ptr_eq(other, &all[i])));
        assert!(*unique || *offset > 0 || before[*own].upgrade().is_some_and(|m| Rc::ptr_eq(&m, &all[i])));
    }
    machine.copies
}

#[test]
fn what_is_consumed_is_copied_where_somebody_else_has_it() {
    let (own, read) = (true, false);
    // nobody else has it; somebody has
    assert_eq!([0, 1].map(|kept| copies(&[(own, 0, 0)], kept, false)), [0, 1]);
    // it is only read
    assert_eq!([0, 1].map(|kept| copies(&[(read, 0, 0)], kept, false)), [0, 0]);
    // it does not begin with its memory
    assert_eq!([own, read].map(|unique| copies(&[(unique, 0, 1)], 0, false)), [1, 1]);
    // one memory for two arguments: one of them gets it; two memories
    for (first, second, wanted) in [(own, read, 1), (read, own, 1), (own, own, 1), (read, read, 0)] {
        assert_eq!(copies(&[(first, 0, 0), (second, 0, 0)], 0, false), wanted, "{first} {second}");
        assert_eq!(copies(&[(first, 0, 0), (second, 1, 0)], 0, false), 0, "{first} {second}");
    }
    assert_eq!(copies(&[(own, 0, 0), (own, 0, 0)], 1, false), 2);
    assert_eq!(copies(&[(own, 0, 0), (own, 1, 0)], 1, false), 1);
    // a machine may do nothing in place
    assert_eq!(copies(&[(own, 0, 0), (read, 1, 0)], 0, true), 1);
}
