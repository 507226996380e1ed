//! Expressions as sizes, and ranges, whose sizes are made of such.

use super::check::Checker;
use super::env::Scope;
use super::infer::{T, typed_expr};
use super::ty::*;
use super::typed::{self, Access, ExprKind, Index, Literal, Operator, StepKind};
use crate::prim::BinOp;
use crate::source::Span;
use crate::syntax::ast;
use std::fmt::Write;
use std::sync::Arc;

impl Checker {
    /// An expression as a size, if it can be one: it must bind no names. Of a long one, and of a deep one, the size is unknown.
    pub(super) fn size_of(&mut self, e: &T) -> Option<Size> {
        self.part_of_size(e, &mut 256)
    }

    /// The same of a part, where there may be so many more.
    fn part_of_size(&mut self, e: &T, left: &mut u32) -> Option<Size> {
        if self.infer.head(&e.ty) != Type::I64 {
            return None;
        }
        *left = left.checked_sub(1)?;
        self.arithmetic_size(e, left).or_else(|| self.size_expression(e, left))
    }

    /// A name, a number, or arithmetic on sizes.
    fn arithmetic_size(&mut self, e: &T, left: &mut u32) -> Option<Size> {
        match &e.kind {
            ExprKind::Lit(Literal::Int(n)) => i64::try_from(*n).ok().map(Size::Const),
            ExprKind::Var(id, args) if args.is_empty() => Some(Size::Var(id.clone())),
            // what a parameter stands for is not what it is the default of
            ExprKind::Attr(attr, _) if &*attr.name == "param" => None,
            ExprKind::Attr(_, e) | ExprKind::Break(_, e) | ExprKind::Assert(_, e) => self.part_of_size(e, left),
            ExprKind::Chain(first, steps) => self.arithmetic(first, steps, left),
            _ => None,
        }
    }

    /// An argument as what a size may mention: a size, or the name of a value of another type.
    pub(super) fn argument_size(&mut self, e: &T) -> Option<Size> {
        match &e.kind {
            ExprKind::Var(id, args) if args.is_empty() => Some(Size::Var(id.clone())),
            _ => self.size_of(e),
        }
    }

    /// `+ - * /` of sizes.
    fn arithmetic(&mut self, first: &T, steps: &[typed::Step], left: &mut u32) -> Option<Size> {
        let op = |step: &typed::Step| match &step.kind {
            StepKind::Apply(T { kind: ExprKind::Op(Operator::Bin(op), _), .. }, Some(_), _) => match op {
                BinOp::Add => Some(SizeOp::Add),
                BinOp::Sub => Some(SizeOp::Sub),
                BinOp::Mul => Some(SizeOp::Mul),
                BinOp::Div => Some(SizeOp::Div),
                _ => None,
            },
            _ => None,
        };
        let ops = steps.iter().map(op).collect::<Option<Vec<SizeOp>>>()?;
        let first = self.part_of_size(first, left)?;
        steps.iter().zip(ops).try_fold(first, |acc, (step, op)| {
            let StepKind::Apply(_, Some(y), _) = &step.kind else { return None };
            Some(Size::op(op, acc, self.part_of_size(y, left)?))
        })
    }

    /// Any other expression that binds no names.
    fn size_expression(&mut self, e: &T, left: &mut u32) -> Option<Size> {
        let (key, text) = (String::new(), String::new());
        let (params, args, sides) = (vec![], vec![], vec![]);
        let mut reader =
            // mutant negation `false` -> `true`: what is computed later comes to the same
            Reader { checker: self, params, args, sides, key, text, is_scalar: true, sometimes: false, left };
        let mut expr = e.clone();
        reader.kind(&mut expr)?;
        let Reader { params, args, sides, key, text, is_scalar, .. } = reader;
        // the names in types are known when the definition is finished
        let code = Arc::new(SizeCode { expr, params, sides, hidden: vec![], is_final: false, is_scalar });
        Some(Size::Exp(Arc::new(SizeExp { code, args, hidden: vec![], key: key.into(), text: text.into() })))
    }

    pub(super) fn range(
        &mut self,
        scope: &Scope,
        first: &ast::Expr,
        second: Option<&ast::Expr>,
        kind: ast::RangeKind,
        end: &ast::Expr,
        span: Span,
    ) -> T {
        let first = self.expr(scope, first);
        let second = second.map(|e| self.expr(scope, e));
        let end = self.expr(scope, end);
        let elem = self.infer.fresh_scalar(Checker::ints());
        for e in [Some(&first), second.as_ref(), Some(&end)].into_iter().flatten() {
            self.require(&elem, e, || "The parts of a range must be integers of one type.".to_string());
        }
        let number = |e: &T| if let ExprKind::Lit(Literal::Int(n)) = e.kind { Some(n) } else { None };
        // `0..1..<n` is `0..<n`
        let is_next = |e: &&T| matches!((number(&first), number(e)), (Some(a), Some(b)) if b == a + 1);
        let step = second.as_ref().filter(|e| !is_next(e));
        let known = match (self.size_of(&first), step, kind, self.size_of(&end)) {
            (Some(Size::Const(0)), None, ast::RangeKind::UpTo, Some(end)) => Some(end),
            (Some(Size::Const(1)), None, ast::RangeKind::Inclusive, Some(end)) => Some(end),
            (Some(first), None, ast::RangeKind::UpTo, Some(end)) => Some(Size::op(SizeOp::Sub, end, first)),
            (Some(first), None, ast::RangeKind::Inclusive, Some(end)) => {
                Some(Size::op(SizeOp::Add, Size::op(SizeOp::Sub, end, first), Size::Const(1)))
            }
            _ => None,
        };
        let ext = match known {
            Some(_) => None,
            None => Some(self.infer.fresh_ext(span, "unknown length of this range".to_string())),
        };
        // mutant: it is known, or an unknown size has been made
        let size = known.or(ext.clone().map(Size::Var)).unwrap_or(Size::Const(0));
        let range = typed::Range { first, second, kind, end, ext };
        typed_expr(ExprKind::Range(Box::new(range)), Type::array(size, elem), span)
    }
}

/// Reads an expression that may be a size: what it is, up to the names and sizes in it. So `2 ** k` and `3 ** (i + 1)` are one expression, of 2 and `k`, and of 3
/// and `i + 1`.
struct Reader<'a> {
    checker: &'a mut Checker,
    /// The parameters, and the argument for each. Each place has its own: `k ** k` may be what `n ** m` is.
    params: Vec<Id>,
    args: Vec<Size>,
    /// See [`SizeCode::sides`].
    sides: Vec<Id>,
    key: String,
    text: String,
    /// See [`SizeCode::is_scalar`].
    is_scalar: bool,
    /// Whether it is in what is not always computed.
    sometimes: bool,
    /// How many parts there may still be.
    left: &'a mut u32,
}

impl Reader<'_> {
    fn both(&mut self, text: &str) {
        self.key.push_str(text);
        self.text.push_str(text);
    }

    /// A parameter; as its text gets parentheses if it is more than a word and `tight`.
    fn param(&mut self, size: Size, tight: bool, name: impl Into<Name>) -> ExprKind {
        let position = self.args.len();
        let _ = write!(self.key, "{{{position}}}");
        let _ = write!(self.text, "{{{position}{}}}", if tight { "" } else { " " });
        let id = self.checker.infer.global_id(name);
        self.params.push(id.clone());
        if self.sometimes {
            self.sides.push(id.clone());
        }
        self.args.push(size);
        ExprKind::Var(id, vec![])
    }

    /// A part. `None` if it cannot be one of a size. What is more than a word gets parentheses if `tight`.
    fn expr(&mut self, e: &mut T, tight: bool) -> Option<()> {
        let word = matches!(
            e.kind,
            ExprKind::Lit(_)
                | ExprKind::Var(..)
                | ExprKind::Project(..)
                | ExprKind::Index(..)
                | ExprKind::Record(_)
                | ExprKind::Array(_)
        );
        if let Some(size) = self.checker.part_of_size(e, self.left) {
            let is_word = word && matches!(size, Size::Exp(_));
            e.kind = self.param(size, tight && !is_word, "size");
            return Some(());
        }
        *self.left = self.left.checked_sub(1)?;
        let wrapped = tight && !word;
        // the key needs them all
        self.key.push('(');
        self.text.push_str(if wrapped { "(" } else { "" });
        self.kind(e)?;
        self.key.push(')');
        self.text.push_str(if wrapped { ")" } else { "" });
        Some(())
    }

    /// The same of a part that is not always computed.
    fn perhaps(&mut self, e: &mut T, tight: bool) -> Option<()> {
        let outer = std::mem::replace(&mut self.sometimes, true);
        let part = self.expr(e, tight);
        // mutant removal: what is computed later comes to the same
        self.sometimes = outer;
        part
    }

    /// Does an expression compute with scalars only? So does the call of a definition with scalars.
    fn is_scalar_part(&self, e: &T) -> bool {
        match &e.kind {
            ExprKind::Lit(_)
            | ExprKind::Var(..)
            | ExprKind::Op(..)
            | ExprKind::Chain(..)
            | ExprKind::Attr(..)
            | ExprKind::Break(..) => true,
            ExprKind::If(..) | ExprKind::Project(..) => matches!(self.checker.infer.head(&e.ty), Type::Scalar(_)),
            ExprKind::Apply(f, args, _) => {
                let is_definition = matches!(&f.kind, ExprKind::Var(id, _) if self.checker.env.def(id).is_some());
                is_definition && args.iter().all(|arg| matches!(self.checker.infer.head(&arg.ty), Type::Scalar(_)))
            }
            _ => false,
        }
    }

    fn indices(&mut self, indices: &mut [Index]) -> Option<()> {
        self.both("[");
        for (i, index) in indices.iter_mut().enumerate() {
            self.both(if i == 0 { "" } else { ", " });
            match index {
                Index::At(e) => self.expr(e, false)?,
                Index::Slice(parts, _) => {
                    for (i, part) in parts.iter_mut().enumerate() {
                        // the second colon is there if a stride is
                        self.both(if i == 1 || (i == 2 && part.is_some()) { ":" } else { "" });
                        if let Some(e) = part {
                            self.expr(e, true)?;
                        }
                    }
                }
            }
        }
        self.both("]");
        Some(())
    }

    fn kind(&mut self, e: &mut T) -> Option<()> {
        self.is_scalar &= self.is_scalar_part(e);
        match &mut e.kind {
            ExprKind::Lit(literal) => {
                self.both(&match literal {
                    Literal::Int(n) => n.to_string(),
                    Literal::Float(x) => format!("{x:?}"),
                    Literal::Bool(b) => b.to_string(),
                });
                // `128 + 128 == 0` is true of `u8` only; a literal of no type yet is of the same one as others
                if let Type::Scalar(t) = self.checker.infer.head(&e.ty) {
                    self.key.push_str(t.name());
                }
            }
            ExprKind::Var(id, _) if self.checker.infer.level_of(id) == 0 => {
                let _ = write!(self.key, "g{}", id.num);
                self.text.push_str(&id.name);
            }
            ExprKind::Var(id, args) => {
                // a local function that is polymorphic in sizes
                if args.iter().any(|arg| matches!(arg, Arg::Size(_))) {
                    return None;
                }
                let types = std::mem::take(args);
                e.kind = match self.param(Size::Var(id.clone()), true, id.name.clone()) {
                    ExprKind::Var(param, _) => ExprKind::Var(param, types),
                    other => other,
                };
            }
            ExprKind::Intrinsic(i, _) => self.both(&format!("{i:?}")),
            ExprKind::Prim(p) => self.both(&p.to_string()),
            ExprKind::Op(op, _) => self.both(op.symbol()),
            ExprKind::Project(e, name) => {
                self.expr(e, true)?;
                self.both(&format!(".{name}"));
            }
            ExprKind::Record(fields) => {
                let is_tuple = e.ty.as_tuple().is_some();
                self.both(if is_tuple { "(" } else { "{" });
                for (i, (name, e)) in fields.iter_mut().enumerate() {
                    self.both(if i == 0 { "" } else { ", " });
                    if !is_tuple {
                        self.both(&format!("{name} = "));
                    }
                    self.expr(e, false)?;
                }
                self.both(if is_tuple { ")" } else { "}" });
            }
            ExprKind::Index(e, indices) => {
                self.expr(e, true)?;
                self.indices(indices)?;
            }
            ExprKind::Update(e, path, value) => {
                self.expr(e, true)?;
                self.both(" with ");
                for access in path {
                    match access {
                        Access::Field(name) => self.both(&format!(".{name}")),
                        Access::Index(indices) => self.indices(indices)?,
                    }
                }
                self.both(" = ");
                self.expr(value, true)?;
            }
            ExprKind::Array(elements) => {
                self.both("[");
                for (i, e) in elements.iter_mut().enumerate() {
                    self.both(if i == 0 { "" } else { ", " });
                    self.expr(e, false)?;
                }
                self.both("]");
            }
            ExprKind::Constr(name, values) => {
                self.both(&format!("#{name}"));
                for e in values {
                    self.both(" ");
                    self.expr(e, true)?;
                }
            }
            ExprKind::Range(range) => {
                self.expr(&mut range.first, true)?;
                if let Some(second) = &mut range.second {
                    self.both("..");
                    self.expr(second, true)?;
                }
                self.both(match range.kind {
                    ast::RangeKind::Inclusive => "...",
                    ast::RangeKind::UpTo => "..<",
                    ast::RangeKind::DownTo => "..>",
                });
                self.expr(&mut range.end, true)?;
            }
            ExprKind::Apply(f, args, _) => {
                self.expr(f, true)?;
                for arg in args {
                    self.both(" ");
                    self.expr(arg, true)?;
                }
            }
            ExprKind::Chain(first, steps) => {
                self.expr(first, true)?;
                for step in steps {
                    match &mut step.kind {
                        StepKind::Apply(f, x, _) => {
                            self.both(if x.is_some() { " " } else { " |> " });
                            // between its operands, an operator stands by itself
                            let operator = matches!(f.kind, ExprKind::Op(..) | ExprKind::Prim(_));
                            self.expr(f, !operator)?;
                            if let Some(x) = x {
                                self.both(" ");
                                self.expr(x, true)?;
                            }
                        }
                        StepKind::And(x) => {
                            self.both(" && ");
                            self.perhaps(x, true)?;
                        }
                        StepKind::Or(x) => {
                            self.both(" || ");
                            self.perhaps(x, true)?;
                        }
                    }
                }
            }
            ExprKind::If(branches, other, exts) if exts.is_empty() => {
                for (i, (c, e)) in branches.iter_mut().enumerate() {
                    self.both("if ");
                    if i == 0 {
                        self.expr(c, false)?
                    } else {
                        self.perhaps(c, false)?
                    }
                    self.both(" then ");
                    self.perhaps(e, false)?;
                    self.both(" else ");
                }
                self.perhaps(other, false)?;
            }
            ExprKind::Attr(attr, _) if &*attr.name == "param" => return None,
            ExprKind::Attr(_, e) | ExprKind::Break(_, e) => self.kind(e)?,
            _ => return None,
        }
        Some(())
    }
}
