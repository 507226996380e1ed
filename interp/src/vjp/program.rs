//! A trace as a program: straight-line code without control flow, which gives the same results for the same arguments, and whose own trace it is
//! (assertions A1 and A2 of van Hus §3.1; digest 003 §1B.2).

use super::reverse::uses;
use super::trace::{Node, Op, Tape};
use super::{Input, NodeId, Nodes, Result};
use crate::ctx::Ctx;
use crate::eval::strided::Lmad;
use crate::eval::val::{CONSTANT, Val};
use crate::eval::{Code, Machine};
use futi_core::failure::{FailureKind, RuntimeError};
use futi_core::hash::HashMap;
use futi_core::ir::build::{Builder, Vars, map_exp, reduce_exp};
use futi_core::ir::*;
use futi_core::value::{Array, Value, count};

/// The trace of a run.
#[derive(Clone, Debug)]
pub struct Trace {
    /// The straight-line program: one function, of the traced one's name, signature and parameters, of which those that are sizes are constants: it is for arguments
    /// of these shapes.
    pub program: Program,
    /// The results of the run.
    pub results: Vec<Value>,
    /// The names of the steps, inputs and constants included, and how often each is used by steps that reach a result; a result is a use.
    pub uses: Vec<(String, u32)>,
}

/// Traces a run of a function. Arguments are its parameters, leading sizes included; `ctx.keep` says what the trace consists of. Numbers among
/// the arguments are the inputs of the trace, booleans only where booleans are kept; what does not depend on an input is a constant. A result that is an array
/// is made of its elements where arrays are not kept.
///
/// # Errors
/// As [`Code::call`]; and where a result or an argument is an accumulator.
pub fn trace(program: &Program, fun: &str, args: &[Value], ctx: &Ctx) -> Result<Trace> {
    let code = Code::new(program)?;
    let source = program.fun(fun);
    let source =
        source.ok_or_else(|| RuntimeError::new(FailureKind::Arguments, format!("There is no function '{fun}'.")))?;
    let mut machine = Machine::new(&code, ctx);
    let tag = machine.fresh_tag();
    let mut tape = Tape::new(tag, &machine.meter);
    tape.full = true;
    machine.tapes.push(tape);
    let sizes = source.entry.as_ref().map_or(0, |sig| sig.sizes);
    let mut inputs = Vec::new();
    let mut vals = Vec::new();
    for (i, v) in args.iter().cloned().map(Val::from).enumerate() {
        let kept = i >= sizes && (ctx.keep.booleans || v.elem() != Some(ScalarType::Bool));
        let (input, v) = if kept {
            let (input, v) = machine.input(tag, machine.counted(v))?;
            (Some(input), v)
        } else {
            (None, v)
        };
        inputs.push(input);
        vals.push(v);
    }
    let traced = code.callee(fun, args).and_then(|callee| machine.apply(callee, vals.into_iter()));
    let tape = machine.tapes.pop().unwrap_or_else(|| Tape::new(tag, &machine.meter));
    ctx.add(&machine.end());
    let (results, nodes): (Vec<Val>, Vec<Option<Nodes>>) = traced?.into_iter().map(|v| v.split_nodes(tag)).unzip();
    let results: Vec<Value> = results.into_iter().map(Val::into_value).collect::<Result<_>>()?;
    let (program, uses) = straight(source, sizes, args, &inputs, &tape, &results, &nodes);
    Ok(Trace { program, results, uses })
}

fn straight(
    source: &Fun,
    sizes: usize,
    args: &[Value],
    inputs: &[Option<Input>],
    tape: &Tape,
    results: &[Value],
    nodes: &[Option<Nodes>],
) -> (Program, Vec<(String, u32)>) {
    let mut vars = Vars::default();
    let params = source.params.iter().zip(args).skip(sizes);
    let binders: Vec<Binder> = params.map(|(p, v)| vars.fresh(p.binder.name.clone(), value_type(v))).collect();
    let outputs = outputs(nodes);
    let mut write = Write {
        tape,
        b: Builder::new(&mut vars, Prov::UNKNOWN),
        of: vec![None; tape.nodes.len()],
        escapes: escapes(tape, &outputs),
    };
    for (binder, input) in binders.iter().zip(&inputs[sizes..]) {
        let Some(input) = input else { continue };
        match input.nodes[..] {
            [node] if tape.nodes[node.0 as usize].shape() == input.shape => write.set(node, binder.var.into()),
            _ => {
                for (i, node) in input.nodes.iter().enumerate() {
                    let element = write.b.index(binder.var, &index_of(&input.shape, i, input.shape.len()));
                    write.set(*node, element.into());
                }
            }
        }
    }
    write.steps();
    let result = results.iter().zip(nodes).map(|(value, nodes)| write.result(value, nodes.as_ref())).collect();
    let names: Vec<String> = (0..tape.nodes.len()).map(|i| write.name(i)).collect();
    let stms = write.b.stms;
    let (mut counts, _) = uses(tape, &outputs);
    outputs.iter().for_each(|n| counts[n.0 as usize] += 1);
    let result_of = |v: &Value| value_type(v);
    let results = results.iter().map(|v| FunResult { binder: vars.fresh("r", result_of(v)), unique: false }).collect();
    let params = binders.into_iter().map(|binder| FunParam { binder, unique: false }).collect();
    let (name, entry) = (source.name.clone(), source.entry.clone().map(|sig| EntrySig { sizes: 0, ..sig }));
    let fun = Fun { name, entry, params, results, body: Body { stms, result } };
    (Program { funs: vec![fun], prov: ProvTable::default() }, names.into_iter().zip(counts).collect())
}

/// The nodes of the results.
fn outputs(nodes: &[Option<Nodes>]) -> Vec<NodeId> {
    let mut outputs = Vec::new();
    for nodes in nodes.iter().flatten() {
        match nodes {
            Nodes::One(n) => outputs.push(*n),
            Nodes::Each(ids) => outputs.extend((0..ids.len()).filter_map(|i| element(ids, i))),
        }
    }
    outputs
}

/// The node of an element.
fn element(ids: &Array, i: usize) -> Option<NodeId> {
    ids.get(i).as_i64().filter(|id| *id != CONSTANT).map(|id| NodeId(id as u32))
}

/// The nodes that are used outside of the mapped λ that they belong to.
fn escapes(tape: &Tape, outputs: &[NodeId]) -> Vec<bool> {
    let mut map_of = vec![usize::MAX; tape.nodes.len()];
    for (k, range) in tape.maps.iter().enumerate().filter(|(_, range)| is_map(tape, range)) {
        map_of[range.start as usize..range.end as usize].fill(k);
    }
    let mut escapes = vec![false; tape.nodes.len()];
    outputs.iter().for_each(|n| escapes[n.0 as usize] = true);
    for (i, node) in tape.nodes.iter().enumerate() {
        node.op.operands(|n| {
            let (of, by) = (map_of[n.0 as usize], map_of[i]);
            // An operator on arrays outside of any mapped λ is a map of its own.
            escapes[n.0 as usize] |= of != by || of == usize::MAX;
        });
    }
    escapes
}

fn dims(shape: &[usize]) -> Vec<Dim> {
    shape.iter().map(|n| Dim::Const(*n as i64)).collect()
}

fn value_type(v: &Value) -> Type {
    Type::Scalar(v.elem()).array_of(&dims(v.shape()))
}

fn node_type(node: &Node) -> Type {
    Type::Scalar(node.elem).array_of(&dims(node.shape()))
}

/// The leading k indices of a row-major offset.
fn index_of(shape: &[usize], at: usize, k: usize) -> Vec<SubExp> {
    let mut rest = at;
    let mut index: Vec<SubExp> = Vec::new();
    for n in shape.iter().rev() {
        index.push(SubExp::i64((rest % n.max(&1)) as i64));
        rest /= n.max(&1);
    }
    index.reverse();
    index.truncate(k);
    index
}

fn flat_dims(lmad: &Lmad) -> (SubExp, Vec<(Dim, SubExp)>) {
    let dim = |(n, stride): &(usize, i64)| (Dim::Const(*n as i64), SubExp::i64(*stride));
    (SubExp::i64(lmad.offset), lmad.dims.iter().map(dim).collect())
}

/// Whether the nodes of a mapped λ are operators and constants alone; nested derivatives may have added others.
fn is_map(tape: &Tape, range: &std::ops::Range<u32>) -> bool {
    let nodes = &tape.nodes[range.start as usize..range.end as usize];
    nodes.iter().all(|n| matches!(n.op, Op::Prim { .. } | Op::Lift(_)))
        // mutant dropped term: beside operators there are only constants here, and one that is an array is the operand of an operator on arrays
        && nodes.iter().any(|n| !n.shape().is_empty() && matches!(n.op, Op::Prim { .. }))
}

/// Writes a trace as statements.
struct Write<'t, 'b> {
    tape: &'t Tape,
    b: Builder<'b>,
    /// What the nodes written so far are.
    of: Vec<Option<SubExp>>,
    escapes: Vec<bool>,
}

impl Write<'_, '_> {
    fn set(&mut self, n: NodeId, e: SubExp) {
        self.of[n.0 as usize] = Some(e);
    }

    /// What a node is. Nodes are written in order, so that operands have been.
    fn get(&self, n: NodeId) -> SubExp {
        // mutant: nodes are written in order, so that each operand has been
        self.of.get(n.0 as usize).copied().flatten().unwrap_or(SubExp::i64(0))
    }

    /// A node that is an array; one that is not has become a constant array.
    fn array(&mut self, n: NodeId) -> Var {
        match self.get(n) {
            SubExp::Var(v) => v,
            lit => self.b.let_one("c", Exp::SubExp(lit)),
        }
    }

    fn name(&self, i: usize) -> String {
        match self.of[i] {
            Some(SubExp::Var(v)) => format!("{}_{}", self.b.vars.name(v), v.0),
            Some(SubExp::Lit(x)) => x.to_string(),
            None => "_".into(),
        }
    }

    fn shape(&self, n: NodeId) -> &[usize] {
        self.tape.nodes[n.0 as usize].shape()
    }

    fn steps(&mut self) {
        let mut maps = self.tape.maps.iter().filter(|r| !r.is_empty()).peekable();
        // mutant off by one `0`: the first node is an input, which is known
        for i in 0..self.tape.nodes.len() {
            match maps.next_if(|r| r.start as usize == i) {
                Some(range) if is_map(self.tape, range) => self.map(range.start as usize..range.end as usize),
                // an input is known, and so are the other nodes of a map
                _ if self.of[i].is_some() => {}
                _ => self.step(i),
            }
        }
    }

    /// Scalar operators on arrays: one map.
    fn map(&mut self, range: std::ops::Range<usize>) {
        let tape = self.tape;
        // mutant swap: what operators are mapped over has one dimension
        // mutant off by one: among the operators of a map there is one on an array
        let width = range.clone().find_map(|i| tape.nodes[i].shape().first().copied()).unwrap_or(0);
        let (mut arrays, mut params) = (Vec::new(), Vec::new());
        let mut inside: HashMap<NodeId, SubExp> = HashMap::default();
        let mut stms = Vec::new();
        // What is the same at every row is computed once, before.
        let (columns, others): (Vec<usize>, Vec<usize>) = range.partition(|i| {
            let node = &tape.nodes[*i];
            matches!(node.op, Op::Prim { .. }) && !node.shape().is_empty()
        });
        others.into_iter().for_each(|i| self.step(i));
        for i in columns.iter().copied() {
            let node = &tape.nodes[i];
            let Op::Prim { op, operands, .. } = &node.op else { continue };
            let mut args = Vec::new();
            for n in operands.iter().filter(|n| n.is_some()) {
                if !self.shape(*n).is_empty() && !inside.contains_key(n) {
                    arrays.push(self.array(*n));
                    let param = self.b.vars.fresh("x", node_type(&tape.nodes[n.0 as usize]).row());
                    inside.insert(*n, param.var.into());
                    params.push(param);
                }
                args.push(inside.get(n).copied().unwrap_or_else(|| self.get(*n)));
            }
            let out = self.b.vars.fresh("t", node.elem.into());
            inside.insert(NodeId(i as u32), out.var.into());
            self.set(NodeId(i as u32), out.var.into());
            let (certs, attrs) = (Vec::new(), Vec::new());
            stms.push(Stm { pat: vec![out], exp: Exp::Prim(*op, args), certs, attrs, prov: Prov::UNKNOWN });
        }
        let out: Vec<usize> = columns.into_iter().filter(|n| self.escapes[*n]).collect();
        let result: Vec<SubExp> = out.iter().map(|n| inside[&NodeId(*n as u32)]).collect();
        let ret = out.iter().map(|n| Type::Scalar(tape.nodes[*n].elem)).collect();
        let lambda = Lambda { params, ret, body: Body { stms, result } };
        let vars = self.b.let_many("t", map_exp(Dim::Const(width as i64), arrays, lambda));
        for (n, v) in out.into_iter().zip(vars) {
            self.of[n] = Some(v.into());
        }
    }

    fn step(&mut self, i: usize) {
        let tape = self.tape;
        let node = &tape.nodes[i];
        let shape = node.shape();
        let e: SubExp = match &node.op {
            Op::Input => return,
            Op::Lift(v) => match v.clone().into_value() {
                Ok(v) => self.literal(&v),
                Err(_) => return,
            },
            Op::Prim { .. } if !shape.is_empty() => return self.map(i..i + 1),
            Op::Prim { op, operands, .. } => {
                let args = operands.iter().filter(|n| n.is_some()).map(|n| self.get(*n)).collect();
                self.b.let_one("t", Exp::Prim(*op, args)).into()
            }
            Op::Index { array, at } => self.part(*array, *at, shape),
            Op::Update { array, at, value, shape: part } => self.update(*array, *at, *value, part),
            Op::Pack(rows) => {
                let elems = rows.iter().map(|n| self.get(*n)).collect();
                let row = Type::Scalar(node.elem).array_of(&dims(&shape[1..]));
                self.b.let_one("t", Exp::ArrayLit { elems, row }).into()
            }
            Op::Replicate(x) => {
                let outer = dims(&shape[..shape.len() - self.shape(*x).len()]);
                let value = self.get(*x);
                self.b.let_one("t", Exp::Replicate { shape: outer, value }).into()
            }
            Op::Rearrange(x, perm) => {
                let array = self.array(*x);
                self.b.let_one("t", Exp::Rearrange { perm: perm.to_vec(), array }).into()
            }
            Op::Reshape(x) => {
                let array = self.array(*x);
                self.reshape(array, shape)
            }
            Op::Reverse(x) => {
                let array = self.array(*x);
                self.b.let_one("t", Exp::Reverse { array }).into()
            }
            Op::Concat(parts) => {
                let arrays = parts.iter().map(|(n, _)| self.array(*n)).collect();
                self.b.let_one("t", Exp::Concat { arrays, size: Dim::Const(shape[0] as i64) }).into()
            }
            Op::Plus(x, y) => self.plus(*x, *y, node),
            Op::Sum(x) => self.sum(*x, node),
            Op::Rotate(x, by) => {
                let array = self.array(*x);
                self.b.let_one("t", Exp::Rotate { by: SubExp::i64(*by), array }).into()
            }
            Op::Gather { array, lmad } => {
                let array = self.flat(*array);
                let (offset, dims) = flat_dims(lmad);
                self.b.let_one("t", Exp::FlatIndex { array, offset, dims }).into()
            }
            Op::Put { array, value, lmad } => {
                let flat = self.flat(*array);
                let (array, value) = (self.b.let_one("t", Exp::Copy(flat)), self.array(*value));
                let (offset, dims) = flat_dims(lmad);
                let updated = self.b.let_one("t", Exp::FlatUpdate { array, offset, dims, value });
                if shape.len() == 1 { updated.into() } else { self.reshape(updated, shape) }
            }
            Op::Spread { part, lmad } => self.spread(*part, lmad, node),
            // Full traces have none: see `Machine::custom`.
            Op::Custom(_) | Op::Result { .. } => return,
        };
        self.set(NodeId(i as u32), e);
    }

    fn reshape(&mut self, array: Var, shape: &[usize]) -> SubExp {
        match shape {
            [] => {
                let zeros = vec![SubExp::i64(0); self.b.vars.ty(array).rank()];
                self.b.index(array, &zeros).into()
            }
            shape => self.b.let_one("t", Exp::Reshape { shape: dims(shape), array }).into(),
        }
    }

    /// The elements of an array in one dimension.
    fn flat(&mut self, n: NodeId) -> Var {
        let (array, shape) = (self.array(n), self.shape(n).to_vec());
        if shape.len() == 1 {
            return array;
        }
        let count = Dim::Const(count(&shape) as i64);
        self.b.let_one("t", Exp::Reshape { shape: vec![count], array })
    }

    /// Whether a part of this shape at this offset is a row.
    fn is_row(&self, array: NodeId, at: usize, part: &[usize]) -> bool {
        let count: usize = count(part);
        let shape = self.shape(array);
        shape.len() > part.len() && shape.ends_with(part) && count > 0 && at.is_multiple_of(count)
    }

    fn part(&mut self, array: NodeId, at: usize, shape: &[usize]) -> SubExp {
        if self.is_row(array, at, shape) {
            let index = index_of(self.shape(array), at, self.shape(array).len() - shape.len());
            let array = self.array(array);
            return self.b.index(array, &index).into();
        }
        let flat = self.flat(array);
        let count = Dim::Const(count(shape) as i64);
        let slice = vec![SliceDim::Range { start: SubExp::i64(at as i64), count, stride: SubExp::i64(1) }];
        let part = self.b.let_one("t", Exp::Slice { array: flat, slice });
        if shape.len() == 1 { part.into() } else { self.reshape(part, shape) }
    }

    /// An update of a copy: in a trace nothing is consumed.
    fn update(&mut self, array: NodeId, at: usize, value: NodeId, part: &[usize]) -> SubExp {
        let shape = self.shape(array).to_vec();
        if self.is_row(array, at, part) {
            let indices = index_of(&shape, at, shape.len() - part.len());
            let (array, value) = (self.array(array), self.get(value));
            let array = self.b.let_one("t", Exp::Copy(array));
            return self.b.let_one("t", Exp::Update { array, indices, value }).into();
        }
        let (flat, value) = (self.flat(array), self.flat(value));
        let array = self.b.let_one("t", Exp::Copy(flat));
        let count = Dim::Const(count(part) as i64);
        let slice = vec![SliceDim::Range { start: SubExp::i64(at as i64), count, stride: SubExp::i64(1) }];
        let updated = self.b.let_one("t", Exp::UpdateSlice { array, slice, value });
        if shape.len() == 1 { updated.into() } else { self.reshape(updated, &shape) }
    }

    /// A sum of arrays, element by element: one map, as its own trace is, whatever the shape. (That of scalars is an operator.)
    fn plus(&mut self, x: NodeId, y: NodeId, node: &Node) -> SubExp {
        let plus = node.elem.plus();
        let (x, y) = (self.flat(x), if x == y { None } else { Some(self.flat(y)) });
        let arrays: Vec<Var> = [x].into_iter().chain(y).collect();
        let params: Vec<(&str, Type)> = arrays.iter().map(|_| ("x", node.elem.into())).collect();
        let map = self.b.lambda(&params, |b, p| {
            let last = p[p.len() - 1].into();
            vec![b.let_one("t", Exp::Prim(plus, vec![p[0].into(), last])).into()]
        });
        let count: usize = count(node.shape());
        let sum = self.b.let_one("t", map_exp(Dim::Const(count as i64), arrays, map));
        if node.shape().len() == 1 { sum.into() } else { self.reshape(sum, node.shape()) }
    }

    /// The sum over outer dimensions.
    fn sum(&mut self, x: NodeId, node: &Node) -> SubExp {
        let row = node_type(node);
        let outer = &self.shape(x)[..self.shape(x).len() - node.shape().len()];
        let (n, dimensions) = (count(outer), outer.len());
        let mut array = self.array(x);
        if dimensions != 1 {
            let shape = [&[n], node.shape()].concat();
            array = self.b.let_one("t", Exp::Reshape { shape: dims(&shape), array });
        }
        let neutral = self.b.fill(&row, node.elem.zero());
        // mutant: the names of parameters say nothing
        let lambda = self.b.lambda(&[("x", row.clone()), ("y", row.clone())], |b, p| {
            vec![b.elementwise("t", node.elem.plus(), p[0].into(), p[1].into())]
        });
        let plus = Operator { lambda, neutral: vec![neutral], commutative: true };
        let map = self.b.lambda(&[("x", row)], |_, p| vec![p[0].into()]);
        let width = Dim::Const(n as i64);
        self.b.let_one("t", reduce_exp(width, vec![array], map, vec![plus])).into()
    }

    /// Zeros with a part added at a descriptor's positions, which may coincide: a histogram.
    fn spread(&mut self, part: NodeId, lmad: &Lmad, node: &Node) -> SubExp {
        let values = self.flat(part);
        let count: usize = count(node.shape());
        let positions = lmad.positions(count).unwrap_or_default();
        let width = Dim::Const(positions.len() as i64);
        let positions: Vec<i64> = positions.into_iter().map(|p| p as i64).collect();
        let positions = self.literal(&Array::from_vec(&[positions.len()], positions).into());
        let zeros = self.b.fill(&Type::Array(node.elem, dims(&[count])), node.elem.zero());
        let (SubExp::Var(positions), SubExp::Var(zeros)) = (positions, zeros) else { return zeros };
        let map = self.b.lambda(&[("i", Type::I64), ("x", node.elem.into())], |_, p| vec![p[0].into(), p[1].into()]);
        let plus = self.b.operator(node.elem.plus(), node.elem.zero());
        let ops = vec![HistOp { shape: dims(&[count]), dests: vec![zeros], op: plus }];
        let sum = self.b.let_one("t", Exp::from(Hist { width, arrays: vec![positions, values], map, ops }));
        if node.shape().len() == 1 { sum.into() } else { self.reshape(sum, node.shape()) }
    }

    /// A constant.
    fn literal(&mut self, v: &Value) -> SubExp {
        match v {
            Value::Scalar(x) => (*x).into(),
            Value::Array(a) => {
                // mutant neutral element: no elements are the same whatever they are
                let first = if a.is_empty() { a.elem().zero() } else { a.get(0) };
                // mutant off by one `0`: the first element is the one that the others are compared with
                if (0..a.len()).all(|i| a.get(i) == first) {
                    return self.b.fill(&value_type(v), first);
                }
                let elems = (0..a.shape()[0]).map(|i| self.literal(&a.row(i))).collect();
                self.b.let_one("c", Exp::ArrayLit { elems, row: value_type(v).row() }).into()
            }
        }
    }

    /// A result: a step, a constant, or an array of steps and constants.
    fn result(&mut self, value: &Value, nodes: Option<&Nodes>) -> SubExp {
        match (nodes, value) {
            (Some(Nodes::One(n)), _) => self.get(*n),
            (Some(Nodes::Each(ids)), Value::Array(a)) => self.elements(a, ids),
            _ => self.literal(value),
        }
    }

    fn elements(&mut self, a: &Array, ids: &Array) -> SubExp {
        let whole = Value::Array(a.clone());
        if (0..ids.len()).all(|i| element(ids, i).is_none()) {
            return self.literal(&whole);
        }
        let row = |i: usize| match (a.row(i), ids.row(i)) {
            (Value::Array(a), Value::Array(ids)) => Some((a, ids)),
            _ => None,
        };
        let elems = (0..a.shape()[0])
            .map(|i| match (row(i), element(ids, i)) {
                (Some((a, ids)), _) => self.elements(&a, &ids),
                (None, Some(n)) => self.get(n),
                (None, None) => a.get(i).into(),
            })
            .collect();
        self.b.let_one("t", Exp::ArrayLit { elems, row: value_type(&whole).row() }).into()
    }
}
