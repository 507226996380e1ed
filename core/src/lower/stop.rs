//! `#[break] e`: before e is evaluated, a session may look at what names mean there.
//!
//! As with `#[trace]`, each leaf of each value gets a statement: its attribute, `break N`, has the number of the place among [`Stop`]s, its argument says how many leaves
//! follow. What is not lowered for a session has no such statements.

use super::Lowerer;
use super::value::{Scope, Shape, Val};
use crate::ir::{Attr, Exp, Name, SubExp, Type};
use crate::prim::Scalar;
use crate::source::Span;
use crate::types::ty::{Id, Type as SourceType};
use crate::types::typed::{Def, Pat, PatKind};
use std::sync::Arc;

/// What there is to be seen at a `#[break]`: that place first, then those of the calls through which the code was reached.
#[derive(Clone, Debug)]
pub struct Stop {
    /// At least one.
    pub frames: Vec<Frame>,
}

/// A place, and names with their types and the numbers of their leaves. The leaves of all frames are the values that a run gives, in order.
#[derive(Clone, Debug)]
pub struct Frame {
    /// The place.
    pub place: Span,
    /// The function with a name that it is in; none outside of all.
    pub function: Option<Arc<str>>,
    /// The names.
    pub names: Vec<(Id, SourceType, usize)>,
}

/// A definition whose code is being made, what its parameters mean, and where it is called; a function of the IR has no such place.
#[derive(Clone)]
pub(super) struct Caller {
    pub def: Arc<Def>,
    pub scope: Scope,
    pub place: Option<Span>,
}

impl Lowerer<'_> {
    /// Makes what a `#[break]` at this place shows.
    pub(super) fn stop(&mut self, place: Span, locals: &[(Id, SourceType)], scope: &Scope) {
        if self.session.is_none() {
            return;
        }
        let callers = std::mem::take(&mut self.callers);
        let (mut frames, mut leaves) = (Vec::new(), Vec::new());
        let (mut at, mut names, mut seen_in) = (place, locals.to_vec(), scope);
        let mut outward = callers.iter().rev().peekable();
        loop {
            let caller = outward.next();
            // a function without a name is reached through one that it is given to, and stands in another
            let around = |c: &&Caller| {
                let body = c.def.body.span;
                body.file == at.file && body.start <= at.start && at.end <= body.end
            };
            let function = callers.iter().rev().find(around).filter(|c| !c.def.params.is_empty());
            let function = function.map(|c| c.def.id.name.clone());
            // code of the prelude is nobody's to look at
            if frames.is_empty() || !self.sources.of_prelude(at) {
                let names = self.seen(&names, seen_in, &mut leaves);
                frames.push(Frame { place: at, function, names });
            }
            let Some(call) = caller.and_then(|c| c.place) else { break };
            at = call;
            (names, seen_in) = match outward.peek() {
                Some(outer) => (parameters(&outer.def), &outer.scope),
                None => (Vec::new(), scope),
            };
        }
        self.callers = callers;

        if leaves.is_empty() {
            leaves.push(Scalar::Bool(false).into());
        }
        let name = Name::from(format!("break {}", self.stops.len()).as_str());
        self.stops.push(Stop { frames });
        for (i, leaf) in leaves.iter().enumerate() {
            self.attrs.push(Attr { name: name.clone(), arg: Some((leaves.len() - 1 - i) as i64) });
            self.emit("seen", Exp::SubExp(*leaf));
            self.attrs.pop();
        }
    }

    /// Those of the names that have values which can be shown, with the numbers of their leaves, which are added.
    fn seen(
        &mut self,
        names: &[(Id, SourceType)],
        scope: &Scope,
        leaves: &mut Vec<SubExp>,
    ) -> Vec<(Id, SourceType, usize)> {
        let mut scope = scope.clone();
        let mut seen = Vec::new();
        for (id, ty) in names {
            let Some(value @ (Val::Leaf(_) | Val::Tuple(_))) = scope.values.get(&id.num).cloned() else { continue };
            let shape = self.shape(ty, &mut scope);
            let types = shape.leaves();
            let own = value.leaves();
            // functions have no leaves, and what is being written has no value yet
            if own.len() != types.len() || types.iter().any(|t| matches!(t, Type::Acc(_))) || ty.has_function() {
                continue;
            }
            let Some(ty) = instantiated(ty, &scope) else { continue };
            seen.push((id.clone(), ty, own.len()));
            leaves.extend(own);
        }
        seen
    }
}

/// The names of parameters that a function does not consume, with their types.
pub(super) fn parameters(def: &Def) -> Vec<(Id, SourceType)> {
    fn collect(pat: &Pat, names: &mut Vec<(Id, SourceType)>) {
        match &pat.kind {
            PatKind::Name(id) => names.push((id.clone(), pat.ty.clone())),
            PatKind::Record(fields) => fields.iter().for_each(|(_, p)| collect(p, names)),
            PatKind::Constr(_, pats) => pats.iter().for_each(|p| collect(p, names)),
            PatKind::Wildcard | PatKind::Lit(_) => {}
        }
    }
    let mut names = Vec::new();
    let kept = |i: &usize| def.consumes.get(*i).is_none_or(|consumed| !consumed.any());
    (0..def.params.len()).filter(kept).for_each(|i| collect(&def.params[i], &mut names));
    names
}

/// A type without type parameters: those that stand for scalars are these. `None` where one stands for something else.
fn instantiated(ty: &SourceType, scope: &Scope) -> Option<SourceType> {
    let mut known = true;
    let ty = ty.map(&mut Clone::clone, &mut |t| {
        let SourceType::Var(id) = t else { return None };
        match scope.types.get(&id.num) {
            Some(Shape::Scalar(s)) => Some(SourceType::Scalar(*s)),
            _ => {
                known = false;
                None
            }
        }
    });
    known.then_some(ty)
}
