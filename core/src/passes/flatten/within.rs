//! The version of a nest within workgroups: each point is a group's, whose invocations divide what is parallel in its code among them.

use super::control::{FEW, is_small, is_worth_kernels};
use super::nest::{Nest, plain};
use super::rows;
use super::split::split;
use crate::analysis::alias::consumed_by;
use crate::hash::{HashMap, HashSet};
use crate::ir::build::Builder;
use crate::ir::visit::{free_vars, substitute};
use crate::ir::*;
use std::cell::{Cell, RefCell};

// Note [Points of groups]
// ~~~~~~~~~~~~~~~~~~~~~~~
// What the code of a point does one behind the other all invocations of its group do, each for itself, and it comes to the same in all of them; but what updates accumulators, or an element
// of what is the group's, the first one does alone. SOACs of scalars, and those in loops of as many
// rounds at all points, are nests of the group: each invocation runs some of their points. The arrays that these make, and what such loops carry, are the group's; those of one dimension are in its shared memory, and
// have [`SHARED`] bytes in all, so that each has room for a number of elements, which the kernel's statement says ([`Attr::GROUP`]). Sizes are known when the host looks at them: one comparison
// says whether the arrays are no longer, and whether there is enough to be divided, and not so much that all points together had better do it:
//
// ```text
// (if the arrays fit then max(FEW - min(FEW, width), min(1, width - MANY)) * 2^32 else the greatest number) < ENOUGH
// ```
//
// It can be given any outcome but that arrays fit which do not.

/// The bytes of shared memory that every device has for a group.
const SHARED: i64 = 16 * 1024;

/// The most invocations of a group that runs a point.
pub const INVOCATIONS: i64 = 256;

/// So many elements are more than a group had better divide among its invocations.
const MANY: i64 = 16 * INVOCATIONS;

/// What has come of the attempt to make a version within workgroups.
#[derive(Default)]
pub(super) struct Within {
    /// Something is divided.
    pub(super) used: Cell<bool>,
    /// There was something that cannot be.
    pub(super) failed: Cell<bool>,
    /// The sizes of arrays of groups, with the elements that they have room for.
    arrays: RefCell<Vec<(Dim, i64)>>,
    /// What is divided.
    widths: RefCell<Vec<Dim>>,
}

impl Within {
    /// Whether it is to be run: Note [Points of groups].
    pub(super) fn suits(&self, b: &mut Builder) -> SubExp {
        let at_most = Prim::Cmp(CmpOp::Le, ScalarType::I64);
        let arrays = self.arrays.borrow();
        let fits: Vec<SubExp> =
            arrays.iter().map(|(size, room)| b.prim_op(at_most, &[(*size).into(), SubExp::i64(*room)])).collect();
        let widths: Vec<SubExp> = self.widths.borrow().iter().map(|width| SubExp::from(*width)).collect();
        // mutant off by one: what is used divides something
        let width = widths.into_iter().reduce(|x, y| b.int(BinOp::Max, x, y)).unwrap_or(SubExp::i64(0));
        let some = b.int(BinOp::Min, width, SubExp::i64(FEW));
        let fewer = b.int(BinOp::Sub, SubExp::i64(FEW), some);
        let more = b.int(BinOp::Sub, width, SubExp::i64(MANY));
        let more = b.int(BinOp::Min, more, SubExp::i64(1));
        let lacking = b.int(BinOp::Max, fewer, more);
        let number = b.int(BinOp::Mul, lacking, SubExp::i64(1 << 32));
        let and = Prim::Bin(BinOp::And, ScalarType::Bool);
        match fits.into_iter().reduce(|x, y| b.prim_op(and, &[x, y])) {
            Some(fits) => b.prim_op(Prim::Select(ScalarType::I64), &[fits, number, SubExp::i64(i64::MAX)]),
            None => number,
        }
    }
}

/// The code of a point in the making.
struct Point<'a> {
    nest: &'a Nest,
    /// What is bound in it.
    bound: HashSet<Var>,
    /// The arrays that may be the group's.
    shared: HashSet<Var>,
    /// Some of them may have been turned round: there are views of those, which stay what they are.
    turned: bool,
    /// The sizes of the group's arrays in shared memory, and the bytes of an element.
    arrays: Vec<(Dim, i64)>,
    /// What is divided.
    widths: Vec<Dim>,
    /// Of each type, how many values are exchanged at a time.
    exchanged: HashMap<ScalarType, usize>,
}

impl Nest {
    /// The code of a point for a group, and the elements that each of the group's arrays has room for; `None` if there is no way, or nothing to be divided.
    pub(super) fn for_group(&self, b: &mut Builder, body: &Body) -> Option<(Body, i64)> {
        let within = self.within.as_ref()?;
        let copies = self.prelude.iter().filter(|stm| is_copy(&stm.exp)).map(|stm| stm.pat[0].var);
        let mut point = Point {
            nest: self,
            bound: HashSet::default(),
            shared: copies.collect(),
            turned: false,
            arrays: Vec::new(),
            widths: Vec::new(),
            exchanged: HashMap::default(),
        };
        let made = point.body(b, body).filter(|_| !point.widths.is_empty());
        let Point { arrays, widths, exchanged, .. } = point;
        let exchanged: i64 = exchanged.iter().map(|(ty, n)| bytes(*ty) * *n as i64 * INVOCATIONS).sum();
        let each: i64 = arrays.iter().map(|(_, bytes)| bytes).sum();
        let room = (SHARED - exchanged).checked_div(each).unwrap_or(i64::MAX);
        let Some(body) = made.filter(|_| room >= FEW) else {
            within.failed.set(true);
            return None;
        };
        within.used.set(true);
        let arrays = arrays.into_iter().map(|(size, _)| (size, room));
        arrays.for_each(|array| insert(&mut within.arrays.borrow_mut(), array));
        widths.into_iter().for_each(|width| insert(&mut within.widths.borrow_mut(), width));
        Some((body, room))
    }
}

impl Point<'_> {
    fn body(&mut self, b: &mut Builder, body: &Body) -> Option<Body> {
        let mut made = Some(());
        let body = b.inner(|b| {
            made = body.stms.iter().try_for_each(|stm| {
                (b.prov, b.certs, b.attrs) = (stm.prov, stm.certs.clone(), stm.attrs.clone());
                let parts = if let Exp::Screma(s) = &stm.exp { split(b, s, &stm.pat) } else { None };
                match parts {
                    Some(parts) => parts.iter().try_for_each(|stm| self.stm(b, stm)),
                    None => self.stm(b, stm),
                }
            });
            body.result.clone()
        });
        made.map(|()| body)
    }

    fn stm(&mut self, b: &mut Builder, stm: &Stm) -> Option<()> {
        let exp = match &stm.exp {
            Exp::Screma(s) if !is_small(s.width, &s.map) => self.divided(b, stm)?,
            Exp::Loop { body, .. } if is_worth_kernels(body) || self.takes(&stm.exp) => self.rounds(b, stm)?,
            exp => {
                self.once(b, stm)?;
                exp.clone()
            }
        };
        self.bound.extend(stm.pat.iter().map(|p| p.var));
        b.stms.push(Stm { exp, ..stm.clone() });
        Some(())
    }

    /// Whether something is the same at all points.
    fn is_known(&self, e: impl Into<SubExp>) -> bool {
        // an index of the nest is none: the code of its points does not name what is made here
        e.into().as_var().is_none_or(|v| !self.bound.contains(&v) && !self.nest.bound.contains(&v))
    }

    /// Whether a loop changes an array of the group where it stands.
    fn takes(&self, exp: &Exp) -> bool {
        exp.consumes().iter().any(|v| self.shared.contains(v))
    }

    /// An array of the group.
    fn array(&mut self, var: Var, elem: ScalarType, shape: &[Dim]) {
        self.shared.insert(var);
        if let [size] = shape {
            self.arrays.push((*size, bytes(elem)));
        }
    }

    /// A nest of the group: of scalars, but for what is read.
    fn divided(&mut self, b: &mut Builder, stm: &Stm) -> Option<Exp> {
        let (rows, kind) = rows(&stm.exp)?;
        let kept = |ty: &Type| matches!(ty, Type::Scalar(_) | Type::Acc(_));
        (rows.map.ret.iter().all(kept) && self.is_known(rows.width)).then_some(())?;
        let operands = kind.operands();
        let mut exchanged: HashMap<ScalarType, usize> = HashMap::default();
        let types = rows.map.ret[..operands].iter().filter_map(Type::elem);
        types.for_each(|ty| *exchanged.entry(ty).or_default() += 1);
        for (ty, n) in exchanged {
            let most = self.exchanged.entry(ty).or_default();
            *most = n.max(*most);
        }
        for pat in &stm.pat {
            if let Type::Array(elem, shape) = &pat.ty {
                self.array(pat.var, *elem, shape);
            }
        }
        self.widths.push(rows.width);
        let index = b.vars.fresh("i", Type::I64);
        let at = vec![SubExp::from(index.var)];
        let mut accs: HashMap<Var, SubExp> = HashMap::default();
        let mut body = b.inner(|b| {
            for (param, array) in rows.map.params.iter().zip(rows.arrays) {
                let row = Exp::Index { array: *array, indices: at.clone() };
                if matches!(param.ty, Type::Acc(_)) {
                    accs.insert(param.var, (*array).into());
                } else if matches!(param.ty, Type::Array(..)) && self.nest.consumed.may_be_consumed(param.var) {
                    let row = b.let_one("row", row);
                    b.stms.push(plain(param.clone(), Exp::Copy(row), b.prov));
                } else {
                    b.stms.push(plain(param.clone(), row, b.prov));
                }
            }
            b.splice(rows.map.body.clone())
        });
        substitute(&mut body, &accs);
        let space = vec![(index, rows.width)];
        Some(Exp::SegOp(SegOp { level: Level::Group, space, kind, ret: rows.map.ret.clone(), body }))
    }

    /// A loop of the group's nests.
    fn rounds(&mut self, b: &mut Builder, stm: &Stm) -> Option<Exp> {
        let Exp::Loop { params, form: LoopForm::For { index, bound }, body } = &stm.exp else { return None };
        self.is_known(*bound).then_some(())?;
        (!self.turned || !self.takes(&stm.exp)).then_some(())?;
        self.bound.insert(index.var);
        self.bound.extend(params.iter().map(|p| p.binder.var));
        for (param, pat) in params.iter().zip(&stm.pat) {
            match &param.binder.ty {
                Type::Scalar(_) | Type::Acc(_) => {}
                Type::Array(elem, shape) if shape.iter().all(|dim| self.is_known(*dim)) => {
                    self.array(param.binder.var, *elem, shape);
                    self.shared.insert(pat.var);
                }
                _ => return None,
            }
        }
        let body = self.body(b, body)?;
        Some(Exp::Loop { params: params.clone(), form: LoopForm::For { index: index.clone(), bound: *bound }, body })
    }

    /// A statement that each invocation runs for itself; one alone, if it updates accumulators, or an element or a row of an array of the group.
    fn once(&mut self, b: &Builder, stm: &Stm) -> Option<()> {
        let updates = free_vars(stm).iter().any(|v| matches!(b.vars.ty(*v), Type::Acc(_)));
        let alone = stm.pat.iter().all(|p| matches!(p.ty, Type::Acc(_)));
        let of_group = |v: &Var| self.shared.contains(v);
        let consumes = consumed_by(stm).iter().any(of_group);
        let changes = consumes && (!matches!(stm.exp, Exp::Update { .. }) || self.turned);
        self.turned |= matches!(stm.exp, Exp::Rotate { .. } | Exp::Reverse { .. });
        (!is_worth_kernels(stm) && (!updates || alone) && !changes).then_some(())?;
        if is_copy(&stm.exp) || free_vars(stm).iter().any(of_group) {
            self.shared.extend(stm.pat.iter().filter(|p| matches!(p.ty, Type::Array(..))).map(|p| p.var));
        }
        Some(())
    }
}

/// Whether it is the group's together, as copies are.
fn is_copy(exp: &Exp) -> bool {
    matches!(exp, Exp::Copy(_) | Exp::Manifest { .. })
}

/// Adds what is not there yet.
fn insert<T: PartialEq>(all: &mut Vec<T>, one: T) {
    if !all.contains(&one) {
        all.push(one);
    }
}

/// The bytes of an element, where those of a word are the least.
fn bytes(ty: ScalarType) -> i64 {
    (ty.bytes() as i64).max(4)
}
