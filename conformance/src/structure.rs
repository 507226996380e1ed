//! Counts of IR nodes, as `structure` asks for them.
//!
//! The names of nodes are those of [`Exp`]'s variants; beside them `Map`, `Reduce` and `Scan` are a `Screma` that only maps, has
//! reduces, has scans, `SegMap`, `SegRed`, `SegScan` and `SegWrite` a `SegOp` of that kind, `Assert` a check, `Stream` a stream of either kind, and
//! `BinOp`, `UnOp`, `CmpOp`, `ConvOp` scalar operators. `Outer/Inner` counts the inner nodes that stand right inside of an outer, `/Inner` those that
//! stand in no other.

use crate::spec::Structure;
use crate::stages::EntryProgram;
use futi_core::driver::pipeline::Stage;
use futi_core::ir::visit::{Visit, walk_fun, walk_stm};
use futi_core::ir::*;
use futi_core::source::SourceMap;
use std::collections::BTreeSet;

/// What the IR has of what a `structure` asks for.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Found {
    /// All of it.
    Same,
    /// Another number of something.
    Other(String),
    /// Nothing that is known differs, but it asks for a stage or a kind of node that only other compilers have.
    Unknown(String),
}

/// Compares the program at a stage with what is asked for.
pub fn judge(program: &Program, sources: &SourceMap, asked: &Structure) -> Found {
    let Some(stage) = stage(asked.stage.as_deref()) else {
        return Found::Unknown(format!("there is no stage `{}` here", asked.stage.as_deref().unwrap_or_default()));
    };
    let whole = EntryProgram::whole(program);
    let stages = whole.stages(sources);
    let Some(staged) = stages.at(stage) else {
        return Found::Other(format!("the stage {} is not reached: {:?}", stage.name(), stages.stopped));
    };
    let mut unknown = None;
    for (path, expected) in &asked.counts {
        if let Some(name) = path.iter().find(|n| !n.is_empty() && !is_name(n)) {
            unknown.get_or_insert(format!("`{name}` is no kind of node here"));
            continue;
        }
        let got = count(&staged.program, path);
        if got != *expected {
            return Found::Other(format!("{got} of {} after {}, expected {expected}", path.join("/"), stage.name()));
        }
    }
    unknown.map_or(Found::Same, Found::Unknown)
}

/// The stage of that name; without one, after fusion. Futhark's names for its pipelines are understood where there is something like it.
pub fn stage(name: Option<&str>) -> Option<Stage> {
    match name {
        None => Some(Stage::Fused),
        Some("internalised") => Some(Stage::Lowered),
        Some("gpu") => Some(Stage::Flat),
        Some(name) => Stage::from_name(name),
    }
}

/// How often the last kind of the path occurs right inside of the others; if the path begins with nothing, these inside of no other.
pub fn count(program: &Program, path: &[String]) -> usize {
    let anchored = path.first().is_some_and(String::is_empty);
    let mut counter = Counter { path: &path[usize::from(anchored)..], anchored, around: Vec::new(), found: 0 };
    program.funs.iter().for_each(|f| walk_fun(&mut counter, f));
    counter.found
}

/// The constructs of a program: the kinds of its nodes, and its scalar operators.
pub fn constructs(program: &Program) -> BTreeSet<String> {
    struct Collect(BTreeSet<String>);
    impl Visit for Collect {
        fn stm(&mut self, stm: &Stm) {
            match &stm.exp {
                Exp::Prim(op, _) => self.0.extend([operator(*op)]),
                exp => self.0.extend(names(exp).into_iter().map(str::to_string)),
            }
            walk_stm(self, stm);
        }
    }
    let mut collect = Collect(BTreeSet::new());
    program.funs.iter().for_each(|f| walk_fun(&mut collect, f));
    collect.0
}

/// The name of a scalar operator, which is about the same at all types.
fn operator(op: Prim) -> String {
    let name = op.to_string();
    name.split_once('.').map_or(name.clone(), |(name, _)| name.to_string())
}

/// The names that an expression goes by.
fn names(e: &Exp) -> Vec<&'static str> {
    match e {
        Exp::SubExp(_) => vec!["SubExp"],
        Exp::Prim(op, _) => {
            let kind = match op {
                Prim::Un(..) => Some("UnOp"),
                Prim::Bin(..) => Some("BinOp"),
                Prim::Cmp(..) => Some("CmpOp"),
                Prim::Conv(..) => Some("ConvOp"),
                Prim::Select(_) | Prim::Tern(..) => None,
            };
            std::iter::once("Prim").chain(kind).collect()
        }
        Exp::ArrayLit { .. } => vec!["ArrayLit"],
        Exp::Index { .. } => vec!["Index"],
        Exp::Update { .. } => vec!["Update"],
        Exp::Iota { .. } => vec!["Iota"],
        Exp::Replicate { .. } => vec!["Replicate"],
        Exp::Scratch { .. } => vec!["Scratch"],
        Exp::Rearrange { .. } => vec!["Rearrange"],
        Exp::Reshape { .. } => vec!["Reshape"],
        Exp::Coerce { .. } => vec!["Coerce"],
        Exp::Reverse { .. } => vec!["Reverse"],
        Exp::Concat { .. } => vec!["Concat"],
        Exp::Rotate { .. } => vec!["Rotate"],
        Exp::Manifest { .. } => vec!["Manifest"],
        Exp::Slice { .. } => vec!["Slice"],
        Exp::UpdateSlice { .. } => vec!["UpdateSlice"],
        Exp::FlatIndex { .. } => vec!["FlatIndex"],
        Exp::FlatUpdate { .. } => vec!["FlatUpdate"],
        Exp::Opaque(_) => vec!["Opaque"],
        Exp::Copy(_) => vec!["Copy"],
        Exp::Check(_) => vec!["Check", "Assert"],
        Exp::Apply { .. } => vec!["Apply"],
        Exp::If { .. } => vec!["If"],
        Exp::Loop { .. } => vec!["Loop"],
        Exp::Screma(s) => {
            let mut names = vec!["Screma"];
            names.extend((!s.scans.is_empty()).then_some("Scan"));
            names.extend((!s.reduces.is_empty()).then_some("Reduce"));
            names.extend((s.scans.is_empty() && s.reduces.is_empty()).then_some("Map"));
            names
        }
        Exp::Match { .. } => vec!["Match"],
        Exp::Hist(_) => vec!["Hist"],
        Exp::Scatter(_) => vec!["Scatter"],
        Exp::Stream(s) => vec!["Stream", if matches!(s.form, StreamForm::Seq(_)) { "StreamSeq" } else { "StreamPar" }],
        Exp::FlatMap(_) => vec!["FlatMap"],
        Exp::Custom(_) => vec!["Custom"],
        Exp::WithAcc(_) => vec!["WithAcc"],
        Exp::UpdAcc { .. } => vec!["UpdAcc"],
        Exp::Jvp(_) => vec!["Jvp"],
        Exp::Vjp(_) => vec!["Vjp"],
        Exp::SegOp(s) => {
            let kind = match s.kind {
                SegKind::Map => "SegMap",
                SegKind::Scan(_) => "SegScan",
                SegKind::Reduce(_) => "SegRed",
                SegKind::Write(_) => "SegWrite",
            };
            vec!["SegOp", kind]
        }
    }
}

/// Whether a node can go by that name.
pub fn is_name(name: &str) -> bool {
    const ALL: [&str; 51] = [
        "BinOp",
        "UnOp",
        "CmpOp",
        "ConvOp",
        "Assert",
        "Stream",
        "Rotate",
        "Manifest",
        "Slice",
        "UpdateSlice",
        "FlatIndex",
        "FlatUpdate",
        "Opaque",
        "Match",
        "Hist",
        "Scatter",
        "StreamSeq",
        "StreamPar",
        "FlatMap",
        "Custom",
        "SegScan",
        "SegWrite",
        "SubExp",
        "Prim",
        "ArrayLit",
        "Index",
        "Update",
        "Iota",
        "Replicate",
        "Scratch",
        "Rearrange",
        "Reshape",
        "Coerce",
        "Reverse",
        "Concat",
        "Copy",
        "Check",
        "Apply",
        "If",
        "Loop",
        "Screma",
        "Scan",
        "Reduce",
        "Map",
        "WithAcc",
        "UpdAcc",
        "Jvp",
        "Vjp",
        "SegOp",
        "SegMap",
        "SegRed",
    ];
    ALL.contains(&name)
}

struct Counter<'a> {
    path: &'a [String],
    /// Whether nothing may stand around the path.
    anchored: bool,
    /// The names of the nodes around, outermost first.
    around: Vec<Vec<&'static str>>,
    found: usize,
}

impl Visit for Counter<'_> {
    fn stm(&mut self, stm: &Stm) {
        self.around.push(names(&stm.exp));
        let outer = self.around.len().checked_sub(self.path.len());
        if let Some(outer) = outer.filter(|outer| *outer == 0 || !self.anchored) {
            let here = &self.around[outer..];
            self.found += usize::from(here.iter().zip(self.path).all(|(names, want)| names.contains(&want.as_str())));
        }
        walk_stm(self, stm);
        self.around.pop();
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn nodes_are_counted_by_path() {
        let program: Program = include_str!("../../core/src/ir/check/every_node.ir").parse().unwrap();
        let n = |path: &str| count(&program, &path.split('/').map(str::to_string).collect::<Vec<_>>());
        assert_eq!((n("Jvp"), n("Loop"), n("SegOp"), n("SegRed"), n("SegMap")), (1, 2, 5, 1, 2));
        assert_eq!((n("Loop/Replicate"), n("Replicate/Loop")), (1, 0));
        assert_eq!((n("/Loop/Replicate"), n("/Replicate"), n("/UpdAcc")), (1, n("Replicate") - 1, 0));
        assert_eq!(n("Prim"), n("BinOp") + n("UnOp") + n("CmpOp") + n("ConvOp") + 1);
        assert_eq!((n("WithAcc/Map/UpdAcc"), n("WithAcc/SegMap/UpdAcc"), n("UpdAcc")), (1, 1, 2));
        assert_eq!(stage(Some("gpu")), Some(Stage::Flat));
        assert_eq!(stage(Some("mc-mem")), None);
    }
}
