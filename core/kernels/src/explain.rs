//! What has become of what is parallel in a program, construct by construct: [`explain`]. It is read off the flat program and what was made of it, by the places that both have in common.

use crate::generate::lower;
use crate::host::HostProgram;
use crate::host::ir::{Block, Exp as HostExp, Form, Fun as HostFun, Op, Stm as HostStm, ThresholdId, Tuning};
use crate::host::options::MemoryOptions;
use futi_core::backend::Unsupported;
use futi_core::hash::HashMap;
use futi_core::ir::visit::{Visit, VisitMut, walk_exp, walk_exp_mut, walk_fun, walk_fun_mut, walk_operator};
use futi_core::ir::{
    Attr, Binder, Body, Dim, Exp, Fun, LoopForm, Name, Operator, Program, Prov, Screma, SegKind, SegOp, Stm, SubExp,
    Type, Var,
};
use futi_core::passes::flatten::{MAX_SPACE, threshold, threshold_number};

/// What has become of a construct.
#[derive(Clone, PartialEq, Debug)]
pub struct Row {
    /// Where it stands.
    pub prov: Prov,
    /// What it is: `map`, `reduce`, `scan`, `scatter`, `loop`; several, where they became the same kernels.
    pub what: String,
    /// What has become of it.
    pub how: How,
    /// Its sizes, the outermost first, where its points are a kernel's.
    pub sizes: Vec<String>,
    /// The kernels that it is launched as.
    pub kernels: Vec<String>,
    /// The tuning parameter that chooses between versions.
    pub threshold: Option<String>,
    /// Why, or what is to be known of it; nothing, if there is nothing to say.
    pub why: String,
}

/// What becomes of a construct.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum How {
    /// Kernels, with as many invocations as there are points.
    Parallel,
    /// Code of one invocation.
    Sequential,
    /// Two versions, of which one is chosen when the program runs.
    Versions,
    /// One of two versions, as the other cannot be compiled.
    OneVersion,
    /// A loop of the host's, of kernels.
    HostLoop,
    /// A loop of which the device says whether it goes on.
    DeviceLoop,
    /// A loop that reverse mode goes through, which is known before.
    Reversed,
}

impl How {
    /// What it is called.
    pub fn name(self) -> &'static str {
        match self {
            How::Parallel => "parallel",
            How::Sequential => "sequential",
            How::Versions => "two versions",
            How::OneVersion => "one version",
            How::HostLoop => "loop of the host",
            How::DeviceLoop => "loop of the device",
            How::Reversed => "reversed",
        }
    }
}

/// A row for each construct of a flat program that is parallel, or might be, in the order of the program.
///
/// # Errors
/// What no kernel can be made of.
pub fn explain(program: &Program) -> Result<Vec<Row>, Vec<Unsupported>> {
    let host = lower(program, &MemoryOptions::default())?;
    let mut rows = Vec::new();
    for (fun, made) in program.funs.iter().zip(&host.funs) {
        let mut names = Names(HashMap::default());
        names.fun(fun);
        let around = Around::Nothing;
        let mut explain = Explain { program, fun, host: &host, made, names, numbers: HashMap::default(), around, rows };
        explain.host_body(&fun.body);
        rows = explain.rows;
    }
    Ok(rows)
}

/// What variables are called.
struct Names(HashMap<Var, Name>);

impl Names {
    fn fun(&mut self, fun: &Fun) {
        fun.params.iter().for_each(|p| self.bind(&p.binder));
        walk_fun(self, fun);
    }

    fn dim(&self, dim: Dim) -> String {
        match dim {
            Dim::Const(n) => n.to_string(),
            Dim::Var(v) => self.0.get(&v).map_or_else(|| "?".to_string(), Name::to_string),
        }
    }
}

impl Visit for Names {
    fn bind(&mut self, b: &Binder) {
        self.0.insert(b.var, b.name.clone());
    }
}

/// What is around a statement of a point, which keeps it from kernels of its own.
#[derive(Clone, PartialEq)]
enum Around {
    Nothing,
    /// Nothing but the nest, which has the version for many points.
    Enough(String),
    /// A nest of all the dimensions that there may be.
    Dimensions,
    Branch,
    Rounds,
    Operator,
    Sequential,
}

impl Around {
    fn why(&self) -> String {
        match self {
            Around::Nothing => "its nest is not taken apart".into(),
            Around::Enough(name) => {
                format!("from {name} points on these alone keep a device busy; below that it is parallel")
            }
            Around::Dimensions => format!("its nest has {MAX_SPACE} dimensions, as many as a kernel may have"),
            Around::Branch => "the branch around it is each point's own".into(),
            Around::Rounds => "it is in rounds of a loop of each point".into(),
            Around::Operator => "it is in an operator, which is applied to two values at a time".into(),
            Around::Sequential => "what it stands in is sequential".into(),
        }
    }
}

struct Explain<'a> {
    program: &'a Program,
    fun: &'a Fun,
    host: &'a HostProgram,
    made: &'a HostFun,
    names: Names,
    /// The numbers of thresholds, by the variables of their comparisons.
    numbers: HashMap<Var, i64>,
    /// What is around the statements of a point.
    around: Around,
    rows: Vec<Row>,
}

impl Explain<'_> {
    fn host_body(&mut self, body: &Body) {
        body.stms.iter().for_each(|stm| self.host_stm(stm));
    }

    fn host_stm(&mut self, stm: &Stm) {
        if let Some(number) = threshold_number(stm) {
            self.numbers.extend(stm.pat.iter().map(|pat| (pat.var, number)));
        }
        match &stm.exp {
            Exp::SegOp(seg) => self.nest(stm, seg, None),
            Exp::If { cond, yes, no } => match cond.as_var().and_then(|var| self.numbers.get(&var).copied()) {
                Some(number) => self.versions(stm, number, yes, no),
                None => {
                    self.host_body(yes);
                    self.host_body(no);
                }
            },
            Exp::Match { cases, default, .. } => {
                cases.iter().for_each(|case| self.host_body(&case.body));
                self.host_body(default);
            }
            Exp::Loop { form, body, .. } => {
                if is_parallel(body) {
                    self.rounds(stm, form);
                }
                self.host_body(body);
            }
            Exp::WithAcc(with) => self.host_body(&with.lambda.body),
            _ => {
                self.around = Around::Nothing;
                self.stm(stm);
            }
        }
    }

    fn push(&mut self, prov: Prov, what: impl Into<String>, how: How, why: impl Into<String>) -> &mut Row {
        let (sizes, kernels) = (Vec::new(), Vec::new());
        let row = Row { prov, what: what.into(), how, sizes, kernels, threshold: None, why: why.into() };
        let at = self.rows.len();
        self.rows.push(row);
        &mut self.rows[at]
    }

    /// A nest, which is kernels, and what is sequential in its points. `version` names the threshold from which on it is run, if there is one.
    fn nest(&mut self, stm: &Stm, seg: &SegOp, version: Option<&str>) {
        let sizes: Vec<String> = seg.space.iter().map(|(_, dim)| self.names.dim(*dim)).collect();
        let kernels = self.kernels(&self.made.body, stm.prov);
        let why = match &seg.kind {
            SegKind::Write(_) if kernels.iter().any(|name| name.starts_with("claim")) => {
                "two points may write to one place, of which the last counts: a kernel more finds it"
            }
            SegKind::Write(_) => "no two points write to one place",
            SegKind::Reduce(ops) | SegKind::Scan(ops) if ops.iter().any(is_of_arrays) => "its operator is of arrays",
            _ => "",
        };
        // a nest that was taken apart is several, of one place
        match self.rows.iter_mut().rev().find(|row| row.prov == stm.prov && row.how == How::Parallel) {
            Some(row) if row.kernels == kernels && version.is_none() => {
                if !row.what.split(", ").any(|what| what == name_of(seg)) {
                    row.what = format!("{}, {}", row.what, name_of(seg));
                }
                if row.sizes.len() < sizes.len() {
                    row.sizes = sizes;
                }
                if row.why.is_empty() {
                    row.why = why.into();
                }
            }
            _ if version.is_none() => {
                let row = self.push(stm.prov, name_of(seg), How::Parallel, why);
                (row.sizes, row.kernels) = (sizes, kernels);
            }
            _ => {}
        }
        self.around = match version {
            Some(name) => Around::Enough(name.to_string()),
            None if seg.space.len() >= MAX_SPACE => Around::Dimensions,
            None => Around::Nothing,
        };
        self.body(&seg.body);
        self.around = Around::Operator;
        seg.operators().iter().for_each(|op| self.operator(op));
    }

    /// A nest that may be run in two ways.
    fn versions(&mut self, stm: &Stm, number: i64, few: &Body, many: &Body) {
        let name = threshold(self.fun.name.as_str(), number);
        let nest = many.stms.iter().rev().find_map(|stm| if let Exp::SegOp(seg) = &stm.exp { Some(seg) } else { None });
        let what = nest.map_or("nest", name_of);
        match chosen(self.host, &self.made.body, &name) {
            Some((below, above)) => {
                let [below, above] = [below, above].map(|block| self.kernels_in(&block.stms));
                let why = format!(
                    "below {name} points {}, with what is inside in parallel; from there on {}, with sequential code at each point",
                    count(&below),
                    count(&above)
                );
                let sizes = nest.iter().flat_map(|seg| &seg.space).map(|(_, dim)| self.names.dim(*dim)).collect();
                let row = self.push(stm.prov, what, How::Versions, why);
                (row.sizes, row.kernels, row.threshold) = (sizes, [below, above].concat(), Some(name.clone()));
                self.within_groups(stm, what, few);
                for stm in &many.stms {
                    match &stm.exp {
                        Exp::SegOp(seg) => self.nest(stm, seg, Some(&name)),
                        _ => self.host_stm(stm),
                    }
                }
            }
            None => {
                let (refused, left) = match refused(self.program, stm) {
                    Some((true, what)) => (Some(("few", what)), many),
                    Some((false, what)) => (Some(("many", what)), few),
                    None => (None, many),
                };
                let why = refused.map_or_else(String::new, |(side, what)| {
                    format!("that for {side} points cannot be compiled: {} ({})", what.construct, what.missing)
                });
                self.push(stm.prov, what, How::OneVersion, why);
                self.host_body(left);
            }
        }
    }

    /// Of the version for few points, whether there is one for workgroups.
    fn within_groups(&mut self, stm: &Stm, what: &str, few: &Body) {
        let Some(number) = few.stms.iter().find_map(threshold_number) else { return };
        let name = threshold(self.fun.name.as_str(), number);
        let Some((groups, all)) = chosen(self.host, &self.made.body, &name) else { return };
        let [groups, all] = [groups, all].map(|block| self.kernels_in(&block.stms));
        let why = format!(
            "of few points: {}, of which a group runs each point, if its arrays fit and {name} has it so; else {}",
            count(&groups),
            count(&all)
        );
        let row = self.push(stm.prov, what, How::Versions, why);
        (row.kernels, row.threshold) = ([groups, all].concat(), Some(name));
    }

    /// A loop of the host's, unless one invocation runs it.
    fn rounds(&mut self, stm: &Stm, form: &LoopForm) {
        let what = if matches!(form, LoopForm::While(_)) { "while loop" } else { "for loop" };
        let ops = ops(&self.made.body, &|op| op.prov == stm.prov);
        let is_whole = ops.iter().any(|op| matches!(op, Op::If { cond, .. } if asks(cond, Tuning::WholeLoops)));
        let is_device = ops.iter().any(|op| matches!(op, Op::Loop { form: Form::Device(_), .. }));
        let is_host = ops.iter().any(|op| matches!(op, Op::Loop { .. }));
        if is_whole {
            let name = Tuning::WholeLoops.name();
            let why = format!(
                "with up to {name} points and elements in a round one invocation runs it, else its rounds are kernels, one round behind the other"
            );
            self.push(stm.prov, what, How::Versions, why).threshold = Some(name.into());
        } else if is_device {
            self.push(
                stm.prov,
                what,
                How::DeviceLoop,
                "the host does not wait for what decides whether there is another round",
            );
        } else if is_host {
            self.push(stm.prov, what, How::HostLoop, "its rounds are kernels, one round behind the other");
        } else {
            let kernels = self.kernels(&self.made.body, stm.prov);
            self.push(stm.prov, what, How::Sequential, "one invocation runs it, with all that is in it").kernels =
                kernels;
        }
    }

    /// The names of the kernels that are launched for a place, each once.
    fn kernels(&self, stms: &[HostStm], prov: Prov) -> Vec<String> {
        self.named(ops(stms, &|stm| stm.prov == prov))
    }

    /// The names of all kernels that are launched.
    fn kernels_in(&self, stms: &[HostStm]) -> Vec<String> {
        self.named(ops(stms, &|_| true))
    }

    fn named(&self, ops: Vec<&Op>) -> Vec<String> {
        let mut names: Vec<String> = Vec::new();
        for op in ops {
            if let Op::Launch(launch) = op
                && let Some(kernel) = self.host.kernels.get(launch.kernel.at())
                && !names.iter().any(|name| *name == kernel.kernel.kernel().name.to_string())
            {
                names.push(kernel.kernel.kernel().name.to_string());
            }
        }
        names
    }

    /// Goes on inside of something.
    fn within(&mut self, around: Around, go: impl FnOnce(&mut Self)) {
        let outer = std::mem::replace(&mut self.around, around);
        go(self);
        self.around = outer;
    }
}

/// The statements of a point.
impl Visit for Explain<'_> {
    fn stm(&mut self, stm: &Stm) {
        let what = match &stm.exp {
            Exp::Screma(s) => of_screma(s),
            Exp::Scatter(_) => "scatter",
            Exp::Hist(_) => "histogram",
            Exp::Loop { body, .. } if is_parallel(body) => {
                self.push(
                    stm.prov,
                    "loop",
                    How::Sequential,
                    "its rounds depend on each other, and it is each point's own",
                );
                return self.within(Around::Rounds, |this| walk_exp(this, &stm.exp));
            }
            Exp::If { .. } | Exp::Match { .. } => {
                let around = if matches!(self.around, Around::Enough(_) | Around::Nothing) {
                    Around::Branch
                } else {
                    self.around.clone()
                };
                return self.within(around, |this| walk_exp(this, &stm.exp));
            }
            _ => return walk_exp(self, &stm.exp),
        };
        let why = self.around.why();
        self.push(stm.prov, what, How::Sequential, why);
        self.within(Around::Sequential, |this| walk_exp(this, &stm.exp));
    }

    fn operator(&mut self, op: &Operator) {
        self.within(Around::Operator, |this| walk_operator(this, op));
    }
}

/// What a nest is called.
fn name_of(seg: &SegOp) -> &'static str {
    match &seg.kind {
        SegKind::Map => "map",
        SegKind::Reduce(_) => "reduce",
        SegKind::Scan(_) => "scan",
        SegKind::Write(_) => "scatter",
    }
}

fn of_screma(s: &Screma) -> &'static str {
    match (&s.scans[..], &s.reduces[..]) {
        ([], []) => "map",
        ([], _) => "reduce",
        (_, []) => "scan",
        _ => "scan and reduce",
    }
}

fn is_of_arrays(op: &Operator) -> bool {
    op.lambda.ret.iter().any(|ty| matches!(ty, Type::Array(..)))
}

/// Whether there is something parallel in a body.
fn is_parallel(body: &Body) -> bool {
    struct Any(bool);
    impl Visit for Any {
        fn exp(&mut self, e: &Exp) {
            self.0 |= matches!(e, Exp::SegOp(_) | Exp::Screma(_) | Exp::Scatter(_) | Exp::Hist(_));
            walk_exp(self, e);
        }
    }
    let mut any = Any(false);
    any.body(body);
    any.0
}

/// `a kernel`, by its name, or how many.
fn count(kernels: &[String]) -> String {
    match kernels {
        [one] => format!("kernel {one}"),
        all => format!("{} kernels", all.len()),
    }
}

/// What is done by statements that are looked for, blocks included.
fn ops<'a>(stms: &'a [HostStm], is: &dyn Fn(&HostStm) -> bool) -> Vec<&'a Op> {
    let mut all = Vec::new();
    for stm in stms {
        all.extend(is(stm).then_some(&stm.op));
        for block in stm.op.blocks() {
            all.extend(ops(&block.stms, is));
        }
    }
    all
}

fn asks(e: &HostExp, tuning: Tuning) -> bool {
    let mut found = false;
    e.walk(&mut |e| found |= *e == HostExp::Tuning(tuning));
    found
}

/// What is done below a threshold, and from there on, if that is asked.
fn chosen<'a>(host: &HostProgram, stms: &'a [HostStm], name: &str) -> Option<(&'a Block, &'a Block)> {
    let id = ThresholdId(host.thresholds.iter().position(|known| known == name)? as u32);
    ops(stms, &|_| true).into_iter().find_map(|op| match op {
        Op::If { cond: HostExp::Few { threshold, .. }, yes, no, .. } if *threshold == id => Some((yes, no)),
        _ => None,
    })
}

/// Which side of a branch cannot be compiled, whether the first, and why not.
fn refused(program: &Program, branch: &Stm) -> Option<(bool, Unsupported)> {
    struct Sides<'a>(&'a Stm, bool);
    impl VisitMut for Sides<'_> {
        fn stm(&mut self, stm: &mut Stm) {
            if stm.pat == self.0.pat
                && let Exp::If { yes, no, cond } = &mut stm.exp
            {
                stm.attrs.retain(|attr| attr.name.as_str() != Attr::EQUIVALENT);
                *cond = SubExp::Lit(futi_core::prim::Scalar::Bool(self.1));
                if self.1 { no.clone_from(yes) } else { yes.clone_from(no) }
            }
            walk_exp_mut(self, &mut stm.exp);
        }
    }
    [true, false].into_iter().find_map(|first| {
        let mut program = program.clone();
        program.funs.iter_mut().for_each(|fun| walk_fun_mut(&mut Sides(branch, first), fun));
        let errors = lower(&program, &MemoryOptions::default()).err()?;
        errors.into_iter().next().map(|what| (first, what))
    })
}
