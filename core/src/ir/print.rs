//! IR text, written. The grammar is [`super::parse`]'s; what is written parses back to the same program.

use super::*;
use crate::hash::HashMap;
use std::fmt::{self, Write};

/// The version of the text format and of the IR; the first line of the text is `futi-ir` and this number.
pub const VERSION: u32 = 1;

/// The whole program, provenance included.
impl fmt::Display for Program {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        writeln!(f, "futi-ir {VERSION}")?;
        for fun in &self.funs {
            writeln!(f)?;
            f.write_str(&fun_text(fun))?;
        }
        let prov = self.prov.to_string();
        if prov.is_empty() { Ok(()) } else { write!(f, "\n{prov}") }
    }
}

/// The files and nodes; nothing if there are none but the unknown one.
impl fmt::Display for ProvTable {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        if !self.files().is_empty() || self.nodes().len() > 1 {
            f.write_str("files")?;
            self.files().iter().try_for_each(|name| write!(f, " {}", quoted(name.as_str())))?;
            writeln!(f)?;
        }
        for (i, node) in self.nodes().iter().enumerate().skip(1) {
            write!(f, "prov {i} = ")?;
            match node {
                ProvNode::Unknown => writeln!(f, "unknown")?,
                ProvNode::Span { file, start, end } => writeln!(f, "span {file} {start} {end}")?,
                ProvNode::Inlined { body, call } => writeln!(f, "inlined {} {}", body.0, call.0)?,
                ProvNode::Role { role, of } => writeln!(f, "{} {}", role_name(*role), of.0)?,
                ProvNode::Merged(a, b) => writeln!(f, "merged {} {}", a.0, b.0)?,
            }
        }
        Ok(())
    }
}

/// A check whose variables have no name but `v`.
impl fmt::Display for Check {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let mut p = Printer::default();
        p.check(self);
        f.write_str(&p.out)
    }
}

/// The text of one function.
pub fn fun_text(fun: &Fun) -> String {
    let mut p = Printer::default();
    p.fun(fun);
    p.out
}

/// The text of a role.
pub(super) fn role_name(role: Role) -> &'static str {
    match role {
        Role::Tangent => "tangent",
        Role::Adjoint => "adjoint",
        Role::Recomputed => "recomputed",
    }
}

/// A string literal of IR text.
pub fn quoted(s: &str) -> String {
    format!("\"{}\"", s.replace('\\', "\\\\").replace('"', "\\\"").replace('\n', "\\n"))
}

#[derive(Default)]
struct Printer {
    out: String,
    indent: usize,
    names: HashMap<Var, Name>,
}

impl Printer {
    fn put(&mut self, s: impl fmt::Display) {
        // writing to a String cannot fail
        let _ = write!(self.out, "{s}");
    }

    fn newline(&mut self) {
        // a width in a format has a limit
        self.put(format_args!("\n{}", "  ".repeat(self.indent)));
    }

    /// `open x, y close`
    fn list<T>(&mut self, open: &str, items: &[T], close: &str, mut item: impl FnMut(&mut Self, &T)) {
        self.put(open);
        for (i, x) in items.iter().enumerate() {
            if i > 0 {
                self.put(", ");
            }
            item(self, x);
        }
        self.put(close);
    }

    fn var(&mut self, v: Var) {
        let name = self.names.get(&v).cloned().unwrap_or_else(|| "v".into());
        self.put(format_args!("{name}_{}", v.0));
    }

    fn subexp(&mut self, e: &SubExp) {
        match e {
            SubExp::Lit(x) => self.put(x),
            SubExp::Var(v) => self.var(*v),
        }
    }

    fn subexps(&mut self, es: &[SubExp]) {
        self.list("(", es, ")", |p, e| p.subexp(e));
    }

    fn vars(&mut self, vs: &[Var]) {
        self.list("(", vs, ")", |p, v| p.var(*v));
    }

    fn dim(&mut self, d: &Dim) {
        match d {
            Dim::Const(n) => self.put(n),
            Dim::Var(v) => self.var(*v),
        }
    }

    fn shape(&mut self, dims: &[Dim]) {
        for d in dims {
            self.put("[");
            self.dim(d);
            self.put("]");
        }
    }

    fn ty(&mut self, t: &Type) {
        match t {
            Type::Scalar(t) => self.put(t),
            Type::Array(t, shape) => {
                self.shape(shape);
                self.put(t);
            }
            Type::Acc(AccType { id, shape, elems }) => {
                self.put("acc(");
                self.var(*id);
                self.put(", ");
                self.shape(shape);
                self.list(" (", elems, "))", |p, t| p.ty(t));
            }
            Type::Cert => self.put("cert"),
        }
    }

    fn types(&mut self, ts: &[Type]) {
        self.list("(", ts, ")", |p, t| p.ty(t));
    }

    fn binder(&mut self, b: &Binder) {
        self.names.insert(b.var, b.name.clone());
        self.var(b.var);
        self.put(": ");
        self.ty(&b.ty);
    }

    fn fun(&mut self, fun: &Fun) {
        self.put(if fun.entry.is_some() { "entry " } else { "fun " });
        self.put(quoted(fun.name.as_str()));
        self.list("(", &fun.params, ")", |p, param| {
            p.put(if param.unique { "*" } else { "" });
            p.binder(&param.binder);
        });
        self.list(" -> (", &fun.results, ")", |p, result| {
            p.put(if result.unique { "*" } else { "" });
            p.binder(&result.binder);
        });
        if let Some(sig) = &fun.entry {
            self.indent = 1;
            self.newline();
            self.put(format_args!("sig {}", sig.sizes));
            self.list(" (", &sig.params, ") -> ", |p, param| {
                p.put(format_args!("{}: ", quoted(param.name.as_str())));
                p.entry_type(&param.ty);
            });
            self.entry_type(&sig.result);
            self.indent = 0;
        }
        self.put(" ");
        self.body(&fun.body);
        self.put("\n");
    }

    fn entry_type(&mut self, t: &EntryType) {
        match t {
            EntryType::Scalar(t) => self.put(t),
            EntryType::Array(dims, elem) => {
                for d in dims {
                    self.put(format_args!("[{}]", quoted(d.as_str())));
                }
                self.entry_type(elem);
            }
            EntryType::Tuple(ts) => self.list("(", ts, ")", |p, t| p.entry_type(t)),
            EntryType::Record(fields) => self.list("{", fields, "}", |p, (name, t)| {
                p.put(format_args!("{}: ", quoted(name.as_str())));
                p.entry_type(t);
            }),
            EntryType::Opaque(name, parts) => {
                self.put(format_args!("opaque {} ", quoted(name.as_str())));
                self.list("(", parts, ")", |p, t| p.entry_type(t));
            }
            EntryType::Sum(name, leaves, variants) => {
                self.put(format_args!("sum {} ", quoted(name.as_str())));
                self.list("(", leaves, ")", |p, t| p.entry_type(t));
                self.put(" ");
                self.list("{", variants, "}", |p, variant| {
                    p.put(format_args!("{} ", quoted(variant.name.as_str())));
                    p.list("(", &variant.holds, ")", |p, t| p.entry_type(t));
                    p.put(" at ");
                    p.list("(", &variant.places, ")", |p, place| p.put(place));
                });
            }
        }
    }

    fn body(&mut self, body: &Body) {
        if body.stms.is_empty() {
            self.put("{ in ");
            self.subexps(&body.result);
            self.put(" }");
            return;
        }
        self.put("{");
        self.indent += 1;
        for stm in &body.stms {
            self.newline();
            self.stm(stm);
        }
        self.newline();
        self.put("in ");
        self.subexps(&body.result);
        self.indent -= 1;
        self.newline();
        self.put("}");
    }

    fn stm(&mut self, stm: &Stm) {
        // The pattern binds after the expression, but reads better before it; names are known from numbers alone.
        self.list("let (", &stm.pat, ") = ", |p, b| p.binder(b));
        self.exp(&stm.exp);
        if !stm.certs.is_empty() {
            self.list(" certs (", &stm.certs, ")", |p, v| p.var(*v));
        }
        if !stm.attrs.is_empty() {
            self.list(" attrs (", &stm.attrs, ")", |p, a| {
                p.put(quoted(a.name.as_str()));
                if let Some(arg) = a.arg {
                    p.put(format_args!(" {arg}"));
                }
            });
        }
        if stm.prov != Prov::UNKNOWN {
            self.put(format_args!(" @{}", stm.prov.0));
        }
    }

    fn lambda(&mut self, l: &Lambda) {
        self.list("\\(", &l.params, ") -> ", |p, b| p.binder(b));
        self.types(&l.ret);
        self.put(" ");
        self.body(&l.body);
    }

    fn operator(&mut self, op: &Operator) {
        self.put(if op.commutative { "comm " } else { "" });
        self.lambda(&op.lambda);
        self.put(" neutral ");
        self.subexps(&op.neutral);
    }

    fn exp(&mut self, e: &Exp) {
        match e {
            Exp::SubExp(e) => self.subexp(e),
            Exp::Opaque(e) => {
                self.put("opaque ");
                self.subexp(e);
            }
            Exp::Prim(op, args) => {
                self.put(op);
                self.subexps(args);
            }
            Exp::ArrayLit { elems, row } => {
                self.list("array [", elems, "] of ", |p, e| p.subexp(e));
                self.ty(row);
            }
            Exp::Index { array, indices } => {
                self.put("index ");
                self.var(*array);
                self.list("[", indices, "]", |p, e| p.subexp(e));
            }
            Exp::Update { array, indices, value } => {
                self.put("update ");
                self.var(*array);
                self.list("[", indices, "] = ", |p, e| p.subexp(e));
                self.subexp(value);
            }
            Exp::Slice { array, slice } => {
                self.put("slice ");
                self.var(*array);
                self.slice(slice);
            }
            Exp::UpdateSlice { array, slice, value } => {
                self.put("updslice ");
                self.var(*array);
                self.slice(slice);
                self.put(" = ");
                self.var(*value);
            }
            Exp::FlatIndex { array, offset, dims } => {
                self.put("flatindex ");
                self.flat(*array, offset, dims);
            }
            Exp::FlatUpdate { array, offset, dims, value } => {
                self.put("flatupd ");
                self.flat(*array, offset, dims);
                self.put(" = ");
                self.var(*value);
            }
            Exp::Iota { n, start, step, elem } => {
                self.put(format_args!("iota {elem} "));
                self.subexps(&[*n, *start, *step]);
            }
            Exp::Replicate { shape, value } => {
                self.put("replicate ");
                self.shape(shape);
                self.put(" ");
                self.subexp(value);
            }
            Exp::Scratch { elem, shape } => {
                self.put("scratch ");
                self.shape(shape);
                self.put(elem);
            }
            Exp::Rearrange { perm, array } => {
                self.list("rearrange (", perm, ") ", |p, i| p.put(i));
                self.var(*array);
            }
            Exp::Manifest { perm, array } => {
                self.list("manifest (", perm, ") ", |p, i| p.put(i));
                self.var(*array);
            }
            Exp::Reshape { shape, array } => self.reshape("reshape ", shape, *array),
            Exp::Coerce { shape, array } => self.reshape("coerce ", shape, *array),
            Exp::Reverse { array } => {
                self.put("reverse ");
                self.var(*array);
            }
            Exp::Rotate { by, array } => {
                self.put("rotate ");
                self.subexp(by);
                self.put(" ");
                self.var(*array);
            }
            Exp::Concat { arrays, size } => {
                self.put("concat ");
                self.dim(size);
                self.put(" ");
                self.vars(arrays);
            }
            Exp::Copy(array) => {
                self.put("copy ");
                self.var(*array);
            }
            Exp::Check(check) => {
                self.put("check ");
                self.check(check);
            }
            Exp::Apply { fun, args } => {
                self.put(format_args!("call {}", quoted(fun.as_str())));
                self.subexps(args);
            }
            Exp::If { cond, yes, no } => {
                self.put("if ");
                self.subexp(cond);
                self.put(" then ");
                self.body(yes);
                self.put(" else ");
                self.body(no);
            }
            Exp::Match { scrutinees, cases, default } => {
                self.put("match ");
                self.subexps(scrutinees);
                for case in cases {
                    self.list(" case (", &case.pattern, ") ", |p, k| match k {
                        Some(x) => p.put(x),
                        None => p.put("_"),
                    });
                    self.body(&case.body);
                }
                self.put(" else ");
                self.body(default);
            }
            Exp::Loop { params, form, body } => self.loop_(params, form, body),
            Exp::Screma(s) => {
                self.over("screma ", &s.width, &s.arrays);
                self.put(" map ");
                self.lambda(&s.map);
                self.operators(" scan ", &s.scans);
                self.operators(" reduce ", &s.reduces);
                if let Some(post) = &s.post {
                    self.put(" post ");
                    self.lambda(post);
                }
            }
            Exp::Hist(h) => {
                self.over("hist ", &h.width, &h.arrays);
                self.put(" map ");
                self.lambda(&h.map);
                self.hist_ops(&h.ops);
            }
            Exp::Scatter(s) => {
                self.over("scatter ", &s.width, &s.arrays);
                self.put(" map ");
                self.lambda(&s.map);
                self.dests(&s.dests);
            }
            Exp::Stream(s) => {
                match &s.form {
                    StreamForm::Seq(init) => {
                        self.over("streamseq ", &s.width, &s.arrays);
                        self.put(" from ");
                        self.subexps(init);
                    }
                    StreamForm::Par(op) => {
                        self.over("streampar ", &s.width, &s.arrays);
                        self.put(" reduce ");
                        self.operator(op);
                    }
                }
                self.put(" chunk ");
                self.lambda(&s.lambda);
            }
            Exp::FlatMap(f) => {
                self.over("flatmap ", &f.width, &f.arrays);
                self.put(" size ");
                self.binder(&f.size);
                self.put(format_args!(" irregular {} map ", f.irregular));
                self.lambda(&f.lambda);
            }
            Exp::WithAcc(w) => {
                self.put("withacc");
                for input in &w.inputs {
                    self.put(" input ");
                    self.shape(&input.shape);
                    self.put(" ");
                    self.vars(&input.arrays);
                    self.put(" ");
                    self.operator(&input.op);
                }
                self.put(" do ");
                self.lambda(&w.lambda);
            }
            Exp::UpdAcc { acc, indices, values } => {
                self.put("updacc ");
                self.var(*acc);
                self.list("[", indices, "] ", |p, e| p.subexp(e));
                self.subexps(values);
            }
            Exp::Jvp(ad) => self.ad("jvp ", ad),
            Exp::Vjp(ad) => self.ad("vjp ", ad),
            Exp::Custom(c) => {
                self.put("custom ");
                self.lambda(&c.lambda);
                self.put(format_args!(" saved {}", c.saved));
                for (mode, rule) in [(" vjp ", &c.vjp), (" jvp ", &c.jvp)] {
                    if let Some(rule) = rule {
                        self.put(mode);
                        self.lambda(rule);
                    }
                }
                self.put(" at ");
                self.subexps(&c.args);
            }
            Exp::SegOp(seg) => {
                let level = match seg.level {
                    Level::Grid => "grid",
                    Level::Group => "group",
                };
                self.put(format_args!("segop {level}"));
                self.list(" (", &seg.space, ")", |p, (b, d)| {
                    p.binder(b);
                    p.put(" < ");
                    p.dim(d);
                });
                match &seg.kind {
                    SegKind::Map => {}
                    SegKind::Scan(ops) => self.operators(" scan ", ops),
                    SegKind::Reduce(ops) => self.operators(" reduce ", ops),
                    SegKind::Write(dests) => self.dests(dests),
                }
                self.put(" -> ");
                self.types(&seg.ret);
                self.put(" ");
                self.body(&seg.body);
            }
        }
    }

    fn reshape(&mut self, what: &str, shape: &[Dim], array: Var) {
        self.put(what);
        self.shape(shape);
        self.put(" ");
        self.var(array);
    }

    fn dests(&mut self, dests: &[ScatterDest]) {
        for dest in dests {
            self.put(" dest ");
            self.shape(&dest.shape);
            self.put(" ");
            self.var(dest.array);
        }
    }

    fn operators(&mut self, what: &str, ops: &[Operator]) {
        for op in ops {
            self.put(what);
            self.operator(op);
        }
    }

    /// A node over arrays of this width.
    fn over(&mut self, what: &str, width: &Dim, arrays: &[Var]) {
        self.put(what);
        self.dim(width);
        self.put(" ");
        self.vars(arrays);
    }

    fn hist_ops(&mut self, ops: &[HistOp]) {
        for op in ops {
            self.put(" dest ");
            self.shape(&op.shape);
            self.put(" ");
            self.vars(&op.dests);
            self.put(" ");
            self.operator(&op.op);
        }
    }

    fn slice(&mut self, slice: &[SliceDim]) {
        self.list("[", slice, "]", |p, d| match d {
            SliceDim::Fix(e) => p.subexp(e),
            SliceDim::Range { start, count, stride } => {
                p.subexp(start);
                p.put(" : ");
                p.dim(count);
                p.put(" : ");
                p.subexp(stride);
            }
        });
    }

    fn flat(&mut self, array: Var, offset: &SubExp, dims: &[(Dim, SubExp)]) {
        self.var(array);
        self.put(" at ");
        self.subexp(offset);
        self.list(" [", dims, "]", |p, (n, stride)| {
            p.dim(n);
            p.put(" : ");
            p.subexp(stride);
        });
    }

    fn check(&mut self, check: &Check) {
        match check {
            Check::Assert(cond, message) => {
                self.put("assert ");
                self.subexp(cond);
                self.put(format_args!(" {}", quoted(message.as_str())));
            }
            Check::Bounds { indices, sizes } => {
                self.put("bounds ");
                self.subexps(indices);
                self.put(" ");
                self.shape(sizes);
            }
            Check::Slice { start, end, stride, size } => {
                self.put("slice ");
                self.subexps(&[*start, *end, *stride]);
                self.put(" ");
                self.shape(&[*size]);
            }
            Check::SizeEq { actual, expected } => {
                self.put("size ");
                self.shape(actual);
                self.put(" = ");
                self.shape(expected);
            }
            Check::NonZero(e) => {
                self.put("nonzero ");
                self.subexp(e);
            }
            Check::NonNegativeExponent(e) => {
                self.put("exponent ");
                self.subexp(e);
            }
            Check::NonNegativeSize(e) => {
                self.put("nonnegative ");
                self.subexp(e);
            }
            Check::Shape(dims) => {
                self.put("shape ");
                self.shape(dims);
            }
            Check::Made(array) => {
                self.put("made ");
                self.var(*array);
            }
            Check::Range { kind, .. } => {
                let kind = match kind {
                    RangeKind::Inclusive => "inclusive",
                    RangeKind::UpTo => "upto",
                    RangeKind::DownTo => "downto",
                };
                self.put(format_args!("range {kind} "));
                self.subexps(&check.operands());
            }
        }
    }

    fn loop_(&mut self, params: &[LoopParam], form: &LoopForm, body: &Body) {
        self.list("loop (", params, ") ", |p, param| {
            p.put(if param.unique { "*" } else { "" });
            p.binder(&param.binder);
            p.put(" = ");
            p.subexp(&param.init);
        });
        match form {
            LoopForm::For { index, bound } => {
                self.put("for ");
                self.binder(index);
                self.put(" < ");
                self.subexp(bound);
            }
            LoopForm::While(cond) => {
                self.put("while ");
                self.var(*cond);
            }
        }
        self.put(" do ");
        self.body(body);
    }

    fn ad(&mut self, what: &str, ad: &Ad) {
        self.put(what);
        self.shape(&ad.seed_shape);
        self.put(" ");
        self.lambda(&ad.lambda);
        self.put(" at ");
        self.subexps(&ad.args);
        self.put(" with ");
        self.subexps(&ad.seeds);
    }
}
