//! What a set of programs has exercised: nodes of the IR, alone and under both modes of differentiation, scalar operators, passes, and rules of the
//! transformation. Only the interpreter is asked; nothing is instrumented but copies of the programs (its note "Probes" is in `probe`).

mod probe;
mod shape;

pub use shape::{Shape, shapes};

use crate::generate::{ENTRY, Generated};
use crate::random::Rng;
use crate::stages::context;
use futi_core::ad::entry::{Mode, Selection, derivative, floats};
use futi_core::driver::pipeline::{INLINE, SIMPLIFY, Stage, stage};
use futi_core::ir::visit::{Visit, walk_exp};
use futi_core::ir::*;
use futi_core::value::{Array, Value};
use futi_interp::{Code, NodeKind};
use futi_kernels::host::options::MemoryOptions;
use probe::{Tap, probe};
use serde_json::json;
use std::collections::{BTreeMap, BTreeSet};
use std::fmt;
use tabled::builder::Builder as Table;
use tabled::settings::Style;

/// With so many programs or more, each node is to run [`ENOUGH`] times in each mode.
const MANY: u64 = 10_000;
/// Below that a node is hardly tested.
const ENOUGH: u64 = 200;

/// How a node runs.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub enum Run {
    /// By itself.
    Primal,
    /// Under forward mode, with a tangent that is not zero.
    Jvp,
    /// Under reverse mode, with an adjoint that is not zero.
    Vjp,
}

impl Run {
    /// All of them.
    pub const ALL: [Run; 3] = [Run::Primal, Run::Jvp, Run::Vjp];
    /// Its name.
    pub fn name(self) -> &'static str {
        match self {
            Run::Primal => "primal",
            Run::Jvp => "jvp",
            Run::Vjp => "vjp",
        }
    }
}

/// How many programs have exercised what.
#[derive(Clone, PartialEq, Default, Debug)]
pub struct Coverage {
    programs: u64,
    failing: u64,
    /// Indexed by the kind.
    nodes: BTreeMap<usize, [u64; 3]>,
    prims: BTreeMap<Prim, u64>,
    /// By stage and pass: how many programs it was given, and how many it changed.
    passes: BTreeMap<(Stage, &'static str), [u64; 2]>,
    /// By kind and mode: in how many programs the transformation had such a node to differentiate, and did.
    rules: BTreeMap<usize, [u64; 2]>,
    /// Of the Vulkan backend: in how many programs a kernel of that template was planned.
    templates: BTreeMap<String, u64>,
    /// In how many programs there is something of that shape.
    shapes: BTreeMap<Shape, u64>,
}

impl Coverage {
    /// Counts a program in.
    ///
    /// *Primal*: a node of the kind is executed, in a program none of whose arguments is empty. *Jvp*, *vjp*: a tangent, or adjoint, other than zero
    /// goes through a float that a node of the kind gave; so it ran, and not on nothing. Checks, `iota` and `scratch`, which give
    /// none, count where they are executed in a program whose derivative is not zero and whose arguments are not empty.
    pub fn add(&mut self, g: &Generated) {
        self.programs += 1;
        let flat = stage(g.program.clone(), Stage::Flat).ok();
        let shapes = shapes(&g.program, flat.as_ref());
        shapes.into_iter().for_each(|shape| *self.shapes.entry(shape).or_default() += 1);
        let Some(fun) = g.program.entry(ENTRY) else { return };
        let Some((executed, results)) = self.primal(g) else {
            self.failing += 1;
            return;
        };
        let filled = g.args.iter().all(|v| !v.shape().contains(&0));
        if filled {
            executed.iter().for_each(|k| self.count(*k, Run::Primal));
        }
        self.passes(&g.program);
        flat.iter().for_each(|flat| self.templates(flat));
        let Some(floats) = floats(fun) else { return };
        self.rules(&g.program, fun, &floats);
        for (run, reached) in [(Run::Jvp, tangents(g, &floats, &results)), (Run::Vjp, adjoints(g, &floats, &results))] {
            let reached = reached.unwrap_or_default();
            if !reached.is_empty() && filled {
                let discrete = DISCRETE.map(|k| k as usize);
                discrete.iter().filter(|k| executed.contains(k)).for_each(|k| self.count(*k, run));
            }
            reached.iter().for_each(|k| self.count(*k, run));
        }
    }

    fn count(&mut self, kind: usize, run: Run) {
        self.nodes.entry(kind).or_default()[run as usize] += 1;
    }

    /// The kinds executed and the results; none if the program fails.
    fn primal(&mut self, g: &Generated) -> Option<(BTreeSet<usize>, Vec<Value>)> {
        let ctx = context();
        let results = Code::new(&g.program).and_then(|code| code.call(ENTRY, g.args.clone(), &ctx));
        let counters = ctx.counters();
        for (op, _) in counters.by_prim() {
            *self.prims.entry(op).or_default() += 1;
        }
        let executed = NodeKind::ALL.iter().filter(|k| counters.node(**k) > 0).map(|k| *k as usize);
        results.ok().map(|r| (executed.collect(), r))
    }

    fn passes(&mut self, program: &Program) {
        let mut program = program.clone();
        for stage in Stage::ALL {
            for pass in stage.passes() {
                let Ok(after) = pass.alone(program.clone()) else { return };
                let counts = self.passes.entry((stage, pass.name)).or_default();
                counts[0] += 1;
                counts[1] += u64::from(after.funs != program.funs);
                program = after;
            }
        }
    }

    /// Counts the kernels of the flat program, if it can be made such.
    fn templates(&mut self, flat: &Program) {
        let Ok(host) = futi_kernels::generate::lower(flat, &MemoryOptions::default()) else { return };
        // a kernel is called template_number_of_entry
        let template =
            |name: String| Some(name.split_once(|c: char| c.is_ascii_digit())?.0.trim_end_matches('_').into());
        let templates: BTreeSet<String> =
            host.kernels.iter().filter_map(|kernel| template(kernel.kernel.kernel().name.to_string())).collect();
        templates.into_iter().for_each(|t| *self.templates.entry(t).or_default() += 1);
    }

    fn rules(&mut self, program: &Program, fun: &Fun, floats: &Selection) {
        for (i, mode) in Mode::ALL.into_iter().enumerate() {
            let d = derivative(program, fun, floats, mode);
            let before = [INLINE, SIMPLIFY].iter().try_fold(d.program, |p, pass| pass.alone(p));
            let Ok(before) = before else { continue };
            let mut found = Differentiated(BTreeSet::new());
            before.fun(d.entry.as_str()).into_iter().for_each(|f| found.body(&f.body));
            if futi_core::ad::differentiate(before).is_ok() {
                found.0.into_iter().for_each(|k| self.rules.entry(k).or_default()[i] += 1);
            }
        }
    }

    /// Counts what another has counted in.
    pub fn merge(&mut self, other: &Coverage) {
        fn sum<K: Ord + Copy, const N: usize>(a: &mut BTreeMap<K, [u64; N]>, b: &BTreeMap<K, [u64; N]>) {
            for (k, counts) in b {
                a.entry(*k).or_insert([0; N]).iter_mut().zip(counts).for_each(|(a, b)| *a += b);
            }
        }
        self.programs += other.programs;
        self.failing += other.failing;
        sum(&mut self.nodes, &other.nodes);
        sum(&mut self.passes, &other.passes);
        sum(&mut self.rules, &other.rules);
        for (op, n) in &other.prims {
            *self.prims.entry(*op).or_default() += n;
        }
        for (shape, n) in &other.shapes {
            *self.shapes.entry(*shape).or_default() += n;
        }
        for (template, n) in &other.templates {
            *self.templates.entry(template.clone()).or_default() += n;
        }
    }

    /// In how many programs a node ran so.
    pub fn node(&self, kind: NodeKind, run: Run) -> u64 {
        self.nodes.get(&(kind as usize)).map_or(0, |counts| counts[run as usize])
    }

    /// In how many programs a scalar operator was applied.
    pub fn prim(&self, op: Prim) -> u64 {
        self.prims.get(&op).copied().unwrap_or(0)
    }

    /// In how many programs there is something of that shape.
    pub fn shape(&self, shape: Shape) -> u64 {
        self.shapes.get(&shape).copied().unwrap_or(0)
    }

    /// The kinds of nodes that ran in fewer programs than n, and in how many.
    fn below(&self, n: u64) -> impl Iterator<Item = (NodeKind, Run, u64)> {
        let all = NodeKind::ALL.iter().flat_map(|k| Run::ALL.map(|run| (*k, run, self.node(*k, run))));
        all.filter(move |(_, _, count)| *count < n)
    }

    /// The numbers as JSON.
    pub fn json(&self) -> serde_json::Value {
        let node = |k: &NodeKind| {
            let rules = self.rules.get(&(*k as usize)).copied().unwrap_or_default();
            let runs = Run::ALL.map(|run| (run.name(), self.node(*k, run)));
            let counts = runs.into_iter().chain(["rule of jvp", "rule of vjp"].into_iter().zip(rules));
            (k.name(), counts.collect::<serde_json::Value>())
        };
        let pass = |((stage, pass), [given, changed]): (&(Stage, &str), &[u64; 2])| {
            let stage = stage.name();
            json!({ "stage": stage, "pass": pass, "programs": given, "changed": changed })
        };
        json!({
            "programs": self.programs, "failing": self.failing,
            "nodes": NodeKind::ALL.iter().map(node).collect::<serde_json::Value>(),
            "passes": self.passes.iter().map(pass).collect::<serde_json::Value>(),
            "templates": self.templates,
            "shapes": Shape::all().into_iter().map(|s| (s.to_string(), self.shape(s))).collect::<serde_json::Value>(),
            "operators": Prim::all().map(|op| (op.to_string(), self.prim(op))).collect::<serde_json::Value>(),
        })
    }
}

/// The kinds in which a nonzero adjoint arrives; none if the program or its derivative fails.
fn adjoints(g: &Generated, floats: &Selection, results: &[Value]) -> Option<BTreeSet<usize>> {
    let program = probe(&g.program, ENTRY, Tap::Adjoint);
    let fun = program.entry(ENTRY)?;
    let at = Selection { params: vec![fun.params.len() - 1], results: floats.results.clone(), ..Selection::default() };
    let d = derivative(&program, fun, &at, Mode::Reverse);
    let mut rng = Rng::new(1, "adjoints");
    let seeds = floats.results.iter().map(|i| rng.direction_like(results[*i].elem(), results[*i].shape()));
    let args = [&g.args[..], &[zeros()], &results[..d.sizes]].concat().into_iter().chain(seeds).collect();
    let out = Code::new(&d.program).and_then(|code| code.call(d.entry.as_str(), args, &context())).ok()?;
    Some(other_than_zero(out.last()?))
}

/// The kinds in which a nonzero tangent arrives that goes on to a result.
fn tangents(g: &Generated, floats: &Selection, results: &[Value]) -> Option<BTreeSet<usize>> {
    let program = probe(&g.program, ENTRY, Tap::Tangent);
    let fun = program.entry(ENTRY)?;
    let pushed = derivative(&program, fun, floats, Mode::Forward);
    let fun = pushed.program.entry(pushed.entry.as_str())?;
    // of the results of the derivative the second half are tangents
    let n = floats.results.len();
    let at = Selection { params: vec![g.args.len()], results: (n..2 * n).collect(), ..Selection::default() };
    let d = derivative(&pushed.program, fun, &at, Mode::Reverse);
    let mut rng = Rng::new(1, "tangents");
    let mut like = |v: &Value| rng.direction_like(v.elem(), v.shape());
    let directions: Vec<Value> = floats.params.iter().map(|i| like(&g.args[*i])).collect();
    let seeds: Vec<Value> = floats.results.iter().map(|i| like(&results[*i])).collect();
    let args = [&g.args[..], &[zeros()], &results[..pushed.sizes], &directions, &seeds].concat();
    let out = Code::new(&d.program).and_then(|code| code.call(d.entry.as_str(), args, &context())).ok()?;
    Some(other_than_zero(out.last()?))
}

fn zeros() -> Value {
    Value::Array(Array::filled(&[NodeKind::ALL.len()], Scalar::F64(0.0)))
}

fn other_than_zero(v: &Value) -> BTreeSet<usize> {
    v.elements().enumerate().filter(|(_, x)| x.to_f64() != 0.0).map(|(i, _)| i).collect()
}

/// The kinds that never give floats which a derivative goes through.
const DISCRETE: [NodeKind; 3] = [NodeKind::Check, NodeKind::Iota, NodeKind::Scratch];

/// The kinds inside of what is differentiated.
struct Differentiated(BTreeSet<usize>);

impl Visit for Differentiated {
    fn exp(&mut self, e: &Exp) {
        match e {
            Exp::Jvp(ad) | Exp::Vjp(ad) => {
                struct All<'a>(&'a mut BTreeSet<usize>);
                impl Visit for All<'_> {
                    fn exp(&mut self, e: &Exp) {
                        self.0.insert(kind(e) as usize);
                        walk_exp(self, e);
                    }
                }
                All(&mut self.0).body(&ad.lambda.body);
            }
            e => walk_exp(self, e),
        }
    }
}

/// The kind of an expression, as the interpreter counts it.
pub fn kind(e: &Exp) -> NodeKind {
    match e {
        Exp::SubExp(_) => NodeKind::SubExp,
        Exp::Opaque(_) => NodeKind::Opaque,
        Exp::Prim(..) => NodeKind::Prim,
        Exp::ArrayLit { .. } => NodeKind::ArrayLit,
        Exp::Index { .. } => NodeKind::Index,
        Exp::Slice { .. } => NodeKind::Slice,
        Exp::FlatIndex { .. } => NodeKind::FlatIndex,
        Exp::Update { .. } => NodeKind::Update,
        Exp::UpdateSlice { .. } => NodeKind::UpdateSlice,
        Exp::FlatUpdate { .. } => NodeKind::FlatUpdate,
        Exp::Iota { .. } => NodeKind::Iota,
        Exp::Replicate { .. } => NodeKind::Replicate,
        Exp::Scratch { .. } => NodeKind::Scratch,
        Exp::Rearrange { .. } => NodeKind::Rearrange,
        Exp::Manifest { .. } => NodeKind::Manifest,
        Exp::Reshape { .. } => NodeKind::Reshape,
        Exp::Coerce { .. } => NodeKind::Coerce,
        Exp::Reverse { .. } => NodeKind::Reverse,
        Exp::Rotate { .. } => NodeKind::Rotate,
        Exp::Concat { .. } => NodeKind::Concat,
        Exp::Copy(_) => NodeKind::Copy,
        Exp::Check(_) => NodeKind::Check,
        Exp::Apply { .. } => NodeKind::Apply,
        Exp::If { .. } => NodeKind::If,
        Exp::Match { .. } => NodeKind::Match,
        Exp::Loop { .. } => NodeKind::Loop,
        Exp::Screma(_) => NodeKind::Screma,
        Exp::Hist(_) => NodeKind::Hist,
        Exp::Scatter(_) => NodeKind::Scatter,
        Exp::Stream(s) => match s.form {
            StreamForm::Seq(_) => NodeKind::StreamSeq,
            StreamForm::Par(_) => NodeKind::StreamPar,
        },
        Exp::FlatMap(_) => NodeKind::FlatMap,
        Exp::WithAcc(_) => NodeKind::WithAcc,
        Exp::UpdAcc { .. } => NodeKind::UpdAcc,
        Exp::Jvp(_) => NodeKind::Jvp,
        Exp::Vjp(_) => NodeKind::Vjp,
        Exp::Custom(_) => NodeKind::Custom,
        Exp::SegOp(_) => NodeKind::SegOp,
    }
}

impl fmt::Display for Coverage {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        writeln!(f, "{} programs, {} of which fail; in how many of them each node ran:", self.programs, self.failing)?;
        let mut table = Table::default();
        table.push_record(["node", "primal", "jvp", "vjp", "rule of jvp", "rule of vjp"]);
        for k in NodeKind::ALL {
            let rules = self.rules.get(&(*k as usize)).copied().unwrap_or_default();
            let counts = Run::ALL.map(|run| self.node(*k, run)).into_iter().chain(rules);
            table.push_record([k.name().to_string()].into_iter().chain(counts.map(|n| n.to_string())));
        }
        writeln!(f, "{}", table.build().with(Style::sharp()))?;
        let seldom = self.below(ENOUGH).map(|(k, run, n)| format!("{} {} {n}", k.name(), run.name()));
        let seldom: Vec<String> = seldom.collect();
        if self.programs >= MANY && !seldom.is_empty() {
            writeln!(f, "Fewer than {ENOUGH} times: {}", seldom.join(", "))?;
        }
        writeln!(f, "\nWhat they have:")?;
        let shapes = Shape::all().into_iter().map(|shape| format!("{shape} {}", self.shape(shape)));
        writeln!(f, "{}", shapes.collect::<Vec<_>>().join(", "))?;
        writeln!(f, "\nPasses:")?;
        let mut table = Table::default();
        table.push_record(["stage", "pass", "programs", "changed"]);
        for ((stage, pass), [given, changed]) in &self.passes {
            table.push_record([stage.name(), pass, &given.to_string(), &changed.to_string()]);
        }
        writeln!(f, "{}", table.build().with(Style::sharp()))?;
        if !self.templates.is_empty() {
            writeln!(f, "\nKernel templates of the Vulkan backend:")?;
            self.templates.iter().try_for_each(|(template, n)| writeln!(f, "{template}: {n} programs"))?;
        }
        writeln!(f, "\nScalar operators, by type:")?;
        let mut table = Table::default();
        let types = ScalarType::ALL.map(|t| t.name().to_string());
        table.push_record(["operator".to_string()].into_iter().chain(types));
        for (name, row) in self.operators() {
            table.push_record([name].into_iter().chain(row));
        }
        write!(f, "{}", table.build().with(Style::sharp()))
    }
}

impl Coverage {
    /// For each operator its counts by type; nothing where it does not exist.
    fn operators(&self) -> Vec<(String, Vec<String>)> {
        let mut rows: Vec<(String, BTreeMap<ScalarType, u64>)> = Vec::new();
        for op in Prim::all() {
            let (name, t) = match op {
                Prim::Un(op, t) => (op.name().to_string(), t),
                Prim::Bin(op, t) => (op.name().to_string(), t),
                Prim::Tern(op, t) => (op.name().to_string(), t),
                Prim::Cmp(op, t) => (op.name().to_string(), t),
                Prim::Conv(from, to) => (format!("to {to}"), from),
                Prim::Select(t) => ("select".to_string(), t),
            };
            let i = rows.iter().position(|(n, _)| *n == name).unwrap_or_else(|| {
                rows.push((name, BTreeMap::new()));
                rows.len() - 1
            });
            *rows[i].1.entry(t).or_default() += self.prim(op);
        }
        let cells = |row: BTreeMap<ScalarType, u64>| {
            ScalarType::ALL.iter().map(|t| row.get(t).map_or(String::new(), u64::to_string)).collect()
        };
        rows.into_iter().map(|(name, row)| (name, cells(row))).collect()
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use futi_core::value::text::parse_values;

    fn covered(body: &str, args: &str) -> Coverage {
        let text = format!(
            "futi-ir 1\nentry \"main\"(n_0: i64, xs_1: [n_0]f64, y_2: f32) -> (r_3: f64) sig 1 (\"xs\": [\"n\"]f64, \"y\": f32) -> f64 {{\n{body}\n}}\n\
             fun \"half\"(a_90: f64) -> (r_91: f64) {{ let (h_92: f64) = mul.f64(a_90, 0.5f64) in (h_92) }}"
        );
        let program: Program = text.parse().unwrap_or_else(|e| panic!("{e}\n{text}"));
        assert_eq!(check::errors(&program), []);
        let mut coverage = Coverage::default();
        coverage.add(&Generated { program, args: parse_values(args).unwrap() });
        coverage
    }

    fn ran(c: &Coverage, kind: NodeKind) -> [u64; 3] {
        Run::ALL.map(|run| c.node(kind, run))
    }

    const SUM: &str =
        "let (s_8: f64) = screma n_0 (xs_1) map \\(x_4: f64) -> (f64) { let (q_5: f64) = mul.f64(x_4, x_4) in (q_5) }
        reduce comm \\(a_6: f64, b_7: f64) -> (f64) { let (c_9: f64) = add.f64(a_6, b_7) in (c_9) } neutral (0.0f64)";

    #[test]
    fn what_derivatives_go_through_is_counted() {
        let body = format!("{SUM} let (r_10: f64) = call \"half\"(s_8) in (r_10)");
        let c = covered(&body, "2i64 [1.0, 2.0] 3.0f32");
        assert_eq!(ran(&c, NodeKind::Screma), [1, 1, 1]);
        assert_eq!(ran(&c, NodeKind::Apply), [1, 1, 1]);
        assert_eq!(ran(&c, NodeKind::Prim), [1, 1, 1]);
        assert_eq!(ran(&c, NodeKind::Loop), [0, 0, 0]);
        assert_eq!(c.prim(Prim::Bin(BinOp::Mul, ScalarType::F64)), 1);
        let nodes = &c.json()["nodes"];
        assert_eq!(
            (&nodes[NodeKind::Screma.name()]["vjp"], &nodes[NodeKind::Loop.name()]["vjp"]),
            (&json!(1), &json!(0))
        );
        assert_eq!(c.json()["operators"]["mul.f64"], 1);
        let mut twice = c.clone();
        twice.merge(&c);
        assert_eq!(ran(&twice, NodeKind::Screma), [2, 2, 2]);
        assert!(twice.to_string().starts_with("2 programs, 0 of which fail"));
    }

    #[test]
    fn of_many_programs_it_is_said_which_nodes_are_rare() {
        let mut c = Coverage { programs: MANY - 1, ..Coverage::default() };
        c.nodes.insert(NodeKind::Loop as usize, [ENOUGH, ENOUGH - 1, 0]);
        assert!(!c.to_string().contains("Fewer than"));
        c.programs += 1;
        let text = c.to_string();
        let line = text.lines().find(|l| l.starts_with("Fewer than 200 times: ")).unwrap();
        let name = NodeKind::Loop.name();
        assert!(
            line.contains(&format!("{name} jvp 199, {name} vjp 0")) && !line.contains(&format!("{name} primal")),
            "{line}"
        );
    }

    #[test]
    fn what_they_do_not_go_through_is_not() {
        // the array is empty
        let c = covered(&format!("{SUM} in (s_8)"), "0i64 empty([0]f64) 3.0f32");
        assert_eq!(ran(&c, NodeKind::Prim), [0, 0, 0]);
        // multiplied by zero; and another path that is not
        let body = "let (o_5: f64) = conv.f32.f64(y_2) let (z_6: f64) = opaque o_5 let (t_7: f64) = mul.f64(z_6, 0.0f64) \
                    let (x_8: f64) = index xs_1[0i64] let (r_9: f64) = add.f64(t_7, x_8) in (r_9)";
        let c = covered(body, "1i64 [5.0] 3.0f32");
        assert_eq!(ran(&c, NodeKind::Opaque), [1, 0, 0]);
        assert_eq!(ran(&c, NodeKind::Index), [1, 1, 1]);
        // an adjoint, but no tangent: a constant
        let body = "let (o_5: f64) = opaque 2.0f64 let (x_8: f64) = index xs_1[0i64] let (r_9: f64) = mul.f64(o_5, x_8) in (r_9)";
        let c = covered(body, "1i64 [5.0] 3.0f32");
        assert_eq!(ran(&c, NodeKind::Opaque), [1, 0, 1]);
    }

    #[test]
    fn an_update_of_an_accumulator_out_of_range_is_not_counted() {
        let body = |at: &str| {
            format!(
                "let (d_4: [1]f64) = replicate [1] 1.0f64
                 let (w_5: [1]f64) = withacc input [1] (d_4) comm \\(a_6: f64, b_7: f64) -> (f64) {{ let (c_8: f64) = add.f64(a_6, b_7) in (c_8) }} neutral (0.0f64)
                   do \\(id_9: cert, acc_10: acc(id_9, [1] (f64))) -> (acc(id_9, [1] (f64))) {{
                     let (x_11: f64) = index xs_1[0i64]
                     let (u_12: acc(id_9, [1] (f64))) = updacc acc_10[{at}] (x_11)
                     in (u_12)
                   }}
                 let (r_13: f64) = index w_5[0i64] let (x_14: f64) = index xs_1[0i64] let (s_15: f64) = add.f64(r_13, x_14) in (s_15)"
            )
        };
        assert_eq!(ran(&covered(&body("0i64"), "1i64 [5.0] 3.0f32"), NodeKind::UpdAcc), [1, 1, 1]);
        assert_eq!(ran(&covered(&body("1i64"), "1i64 [5.0] 3.0f32"), NodeKind::UpdAcc), [1, 0, 0]);
    }
}
