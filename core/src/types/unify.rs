//! Inference variables and unification.
//!
//! Note [Levels]: every name and every inference variable has the level of the scope that it belongs to, counted from the
//! outside. A variable may only stand for types whose names are of its own level or further out; solving it lowers the
//! levels of the variables inside. So a name cannot leave its scope unnoticed, and what is left at a definition's own level
//! when it ends can be generalised.

use super::ty::*;
use crate::diag::{Code, Diagnostic};
use crate::prim::ScalarType;
use crate::source::Span;
use std::collections::{BTreeMap, HashMap, HashSet};

/// A set of scalar types.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct ScalarSet(u16);

impl ScalarSet {
    pub fn of(types: impl Iterator<Item = ScalarType>) -> ScalarSet {
        ScalarSet(types.fold(0, |set, t| set | 1 << t as u16))
    }
    pub fn contains(self, t: ScalarType) -> bool {
        self.0 & 1 << t as u16 != 0
    }
    fn and(self, other: ScalarSet) -> ScalarSet {
        ScalarSet(self.0 & other.0)
    }
    pub fn types(self) -> impl Iterator<Item = ScalarType> {
        ScalarType::ALL.into_iter().filter(move |t| self.contains(*t))
    }
    /// What a literal or operator is taken for when nothing else decides.
    fn default(self) -> Option<ScalarType> {
        [ScalarType::I32, ScalarType::F64].into_iter().find(|t| self.contains(*t)).or(self.types().next())
    }
}

/// What is asked of the type that a variable stands for.
#[derive(Clone, Debug, PartialEq)]
pub(super) enum Want {
    Anything,
    /// One of these.
    Scalars(ScalarSet),
    /// A tuple with (at least) these components.
    Fields(BTreeMap<usize, Type>),
}

#[derive(Clone, Debug)]
struct TypeMeta {
    solution: Option<Type>,
    level: u32,
    want: Want,
    /// May it stand for a function?
    lifted: bool,
}

#[derive(Clone, Debug)]
struct SizeMeta {
    solution: Option<Size>,
    level: u32,
    /// Where it came up, and for what.
    span: Span,
    name: Name,
}

/// Why two types do not agree.
#[derive(Clone, Debug)]
pub(super) enum Mismatch {
    Types(Type, Type),
    Sizes(Size, Size),
    /// A type that would contain itself.
    Infinite(Type),
    /// A name that would leave its scope.
    Escape(Id),
    /// The type is none of these.
    NotIn(Type, ScalarSet),
    /// A function where none may stand.
    Function,
    /// A function whose result's size is only known after a call.
    Unknown(Type),
    /// A tuple lacks a component, or what should be one is none.
    NoField(Type, usize),
}

/// The state of inference for one definition, and what a whole run shares.
pub(super) struct Infer {
    types: Vec<TypeMeta>,
    sizes: Vec<SizeMeta>,
    pub level: u32,
    /// Level of each local name; names of the top level have none.
    levels: HashMap<Id, u32>,
    /// Type parameters that may be functions.
    pub lifted: HashSet<Id>,
    /// Sizes that are abbreviations: of `let k = n+1`.
    pub size_defs: HashMap<Id, Size>,
    /// Where unknown sizes come from.
    pub origins: HashMap<Id, (Span, String)>,
    pub next_id: u32,
    /// How many unknown sizes the definition has brought up.
    exts: u32,
    pub diagnostics: Vec<Diagnostic>,
}

impl Infer {
    pub fn new(next_id: u32) -> Infer {
        Infer {
            types: vec![],
            sizes: vec![],
            level: 0,
            levels: HashMap::new(),
            lifted: HashSet::new(),
            size_defs: HashMap::new(),
            origins: HashMap::new(),
            next_id,
            exts: 0,
            diagnostics: vec![],
        }
    }

    /// Forgets everything about the last definition.
    pub fn reset(&mut self) {
        *self = Infer { diagnostics: std::mem::take(&mut self.diagnostics), ..Infer::new(self.next_id) };
    }

    pub fn error(&mut self, diagnostic: Diagnostic) {
        self.diagnostics.push(diagnostic);
    }

    // Names and variables.

    /// A new name at the current level.
    pub fn fresh_id(&mut self, name: impl Into<Name>) -> Id {
        let id = self.global_id(name);
        self.levels.insert(id.clone(), self.level);
        id
    }

    /// A new name of the top level.
    pub fn global_id(&mut self, name: impl Into<Name>) -> Id {
        self.next_id += 1;
        Id { num: self.next_id - 1, name: name.into() }
    }

    /// What to call the next unknown size.
    pub fn ext_name(&mut self) -> String {
        self.exts += 1;
        format!("d{}", self.exts)
    }

    /// A new name for a size that an expression brings up.
    pub fn fresh_ext(&mut self, span: Span, origin: String) -> Id {
        let name = self.ext_name();
        let id = self.fresh_id(name);
        self.origins.insert(id.clone(), (span, origin));
        id
    }

    pub fn level_of(&self, id: &Id) -> u32 {
        self.levels.get(id).copied().unwrap_or(0)
    }

    pub fn fresh(&mut self, want: Want, lifted: bool) -> Type {
        self.types.push(TypeMeta { solution: None, level: self.level, want, lifted });
        Type::Meta(self.types.len() as u32 - 1)
    }

    pub fn fresh_type(&mut self) -> Type {
        self.fresh(Want::Anything, true)
    }

    pub fn fresh_scalar(&mut self, set: ScalarSet) -> Type {
        self.fresh(Want::Scalars(set), false)
    }

    pub fn fresh_size(&mut self, span: Span, name: impl Into<Name>) -> Size {
        self.sizes.push(SizeMeta { solution: None, level: self.level, span, name: name.into() });
        Size::Meta(self.sizes.len() as u32 - 1)
    }

    // Solutions.

    /// The type, as far as its outermost form is known.
    pub fn head(&self, ty: &Type) -> Type {
        let mut ty = ty;
        while let Type::Meta(m) = ty {
            match &self.types[*m as usize].solution {
                Some(t) => ty = t,
                None => break,
            }
        }
        ty.clone()
    }

    /// The size with all that is known filled in.
    pub fn size(&self, size: &Size) -> Size {
        match size {
            Size::Meta(m) => self.sizes[*m as usize].solution.as_ref().map_or(size.clone(), |s| self.size(s)),
            Size::Op(op, ab) => Size::op(*op, self.size(&ab.0), self.size(&ab.1)),
            _ => size.clone(),
        }
    }

    /// The type with all that is known filled in.
    pub fn zonk(&self, ty: &Type) -> Type {
        self.head(ty).map(&mut |s| self.size(s), &mut |t| match t {
            Type::Meta(m) => self.types[*m as usize].solution.as_ref().map(|t| self.zonk(t)),
            _ => None,
        })
    }

    /// Where a size variable came up.
    pub fn size_origin(&self, meta: u32) -> (Span, &Name) {
        let m = &self.sizes[meta as usize];
        (m.span, &m.name)
    }

    pub fn solve_type(&mut self, meta: u32, ty: Type) {
        self.types[meta as usize].solution = Some(ty);
    }

    pub fn solve_size(&mut self, meta: u32, size: Size) {
        self.sizes[meta as usize].solution = Some(size);
    }

    /// The unsolved variables in a type, of the current level or deeper.
    pub fn free(&self, ty: &Type) -> (Vec<u32>, Vec<u32>) {
        let (mut types, mut sizes) = (vec![], vec![]);
        let mut add_size = |s: &Size| {
            let mut stack = vec![s.clone()];
            while let Some(s) = stack.pop() {
                match s {
                    Size::Meta(m) if !sizes.contains(&m) && self.sizes[m as usize].level >= self.level => sizes.push(m),
                    Size::Op(_, ab) => stack.extend([ab.1.clone(), ab.0.clone()]),
                    _ => {}
                }
            }
            s.clone()
        };
        self.zonk(ty).map(&mut add_size, &mut |t| {
            if let Type::Meta(m) = t
                && !types.contains(m)
                && self.types[*m as usize].level >= self.level
            {
                types.push(*m);
            }
            None
        });
        (types, sizes)
    }

    /// Gives every variable that only has to be one of several scalar types its default.
    pub fn default_scalars(&mut self) {
        for m in &mut self.types {
            if let (None, Want::Scalars(set)) = (&m.solution, &m.want) {
                m.solution = set.default().map(Type::Scalar);
            }
        }
    }

    pub fn may_be_function(&self, meta: u32) -> bool {
        self.types[meta as usize].lifted
    }

    /// The components asked of an unsolved variable.
    pub fn wanted_fields(&self, meta: u32) -> bool {
        matches!(self.types[meta as usize].want, Want::Fields(_))
    }

    /// Brings the variables in a type out to the current level: their scope ends.
    pub fn lower_levels(&mut self, ty: &Type) {
        let level = self.level;
        let _ = self.adjust(ty, level, u32::MAX, &mut vec![], false);
    }

    // Unification.

    /// Makes two types equal.
    pub fn unify(&mut self, a: &Type, b: &Type) -> Result<(), Mismatch> {
        self.unify_types(a, b, true)
    }

    /// Makes two types equal but for their sizes.
    pub fn unify_but_sizes(&mut self, a: &Type, b: &Type) -> Result<(), Mismatch> {
        self.unify_types(a, b, false)
    }

    fn unify_types(&mut self, a: &Type, b: &Type, sizes: bool) -> Result<(), Mismatch> {
        stacker::maybe_grow(64 << 10, 1 << 20, || self.unify_inner(a, b, sizes))
    }

    fn unify_inner(&mut self, a: &Type, b: &Type, sizes: bool) -> Result<(), Mismatch> {
        let (a, b) = (self.head(a), self.head(b));
        match (&a, &b) {
            (Type::Error, _) | (_, Type::Error) => Ok(()),
            (Type::Meta(m), Type::Meta(n)) if m == n => Ok(()),
            // The younger stands for the older, so that the variables of a long chain of operators do not form one.
            (Type::Meta(m), Type::Meta(n)) => self.bind(*m.max(n), &Type::Meta(*m.min(n))),
            (Type::Meta(m), t) | (t, Type::Meta(m)) => self.bind(*m, t),
            (Type::Scalar(s), Type::Scalar(t)) if s == t => Ok(()),
            (Type::Var(s), Type::Var(t)) if s == t => Ok(()),
            (Type::Array(n, s), Type::Array(m, t)) => {
                if sizes {
                    self.unify_sizes(n, m)?;
                }
                self.unify_types(s, t, sizes)
            }
            (Type::Tuple(s), Type::Tuple(t)) if s.len() == t.len() => {
                s.iter().zip(t.iter()).try_for_each(|(s, t)| self.unify_types(s, t, sizes))
            }
            (Type::Fun(f), Type::Fun(g)) => {
                self.unify_types(&f.arg, &g.arg, sizes)?;
                if f.exts.len() != g.exts.len() {
                    return Err(Mismatch::Unknown(if f.exts.is_empty() { b.clone() } else { a.clone() }));
                }
                // The names that the types bind become one new name, deeper than any variable: it cannot leave.
                self.level += 1;
                let (mut s, mut t) = (Subst::default(), Subst::default());
                let pairs = f.exts.iter().map(Some).zip(g.exts.iter().map(Some));
                for (x, y) in pairs.chain([(f.param.as_ref(), g.param.as_ref())]) {
                    let Some(name) = x.or(y) else { continue };
                    let name = Size::Var(self.fresh_id(name.name.clone()));
                    x.map(|x| s.sizes.insert(x.clone(), name.clone()));
                    y.map(|y| t.sizes.insert(y.clone(), name));
                }
                self.level -= 1;
                self.unify_types(&f.ret.subst(&s), &g.ret.subst(&t), sizes)
            }
            _ => Err(Mismatch::Types(a, b)),
        }
    }

    /// Makes two sizes equal.
    pub fn unify_sizes(&mut self, a: &Size, b: &Size) -> Result<(), Mismatch> {
        let (a, b) = (self.size(a), self.size(b));
        match (&a, &b) {
            _ if a == b => Ok(()),
            (Size::Meta(m), Size::Meta(n)) if m < n => self.unify_sizes(&b, &a),
            (Size::Meta(m), s) | (s, Size::Meta(m)) => {
                let level = self.sizes[*m as usize].level;
                self.adjust_size(s, level, &[], Some(*m), true)?;
                self.solve_size(*m, s.clone());
                Ok(())
            }
            (Size::Op(o, x), Size::Op(p, y)) if o == p => {
                // A part may only be made equal if all can be.
                let saved = self.sizes.clone();
                let (x, y) = (x.clone(), y.clone());
                let result = self.unify_sizes(&x.0, &y.0).and_then(|()| self.unify_sizes(&x.1, &y.1));
                if result.is_err() {
                    self.sizes = saved;
                    return Err(Mismatch::Sizes(a, b));
                }
                Ok(())
            }
            _ => Err(Mismatch::Sizes(a, b)),
        }
    }

    fn bind(&mut self, meta: u32, ty: &Type) -> Result<(), Mismatch> {
        let TypeMeta { level, want, lifted, .. } = self.types[meta as usize].clone();
        self.adjust(ty, level, meta, &mut vec![], true)?;
        match ty {
            Type::Meta(other) => {
                let o = &mut self.types[*other as usize];
                o.lifted &= lifted;
                let theirs = std::mem::replace(&mut o.want, Want::Anything);
                let (joined, pairs) = match (want, theirs) {
                    (Want::Anything, w) | (w, Want::Anything) => (w, vec![]),
                    (Want::Scalars(s), Want::Scalars(t)) => (Want::Scalars(s.and(t)), vec![]),
                    (Want::Fields(mut s), Want::Fields(t)) => {
                        let mut pairs = vec![];
                        for (i, t) in t {
                            match s.get(&i) {
                                Some(u) => pairs.push((u.clone(), t)),
                                None => drop(s.insert(i, t)),
                            }
                        }
                        (Want::Fields(s), pairs)
                    }
                    (Want::Scalars(set), Want::Fields(_)) | (Want::Fields(_), Want::Scalars(set)) => {
                        return Err(Mismatch::NotIn(ty.clone(), set));
                    }
                };
                if let Want::Scalars(set) = joined
                    && set.types().next().is_none()
                {
                    return Err(Mismatch::NotIn(ty.clone(), set));
                }
                self.types[*other as usize].want = joined;
                self.types[meta as usize].solution = Some(ty.clone());
                pairs.iter().try_for_each(|(a, b)| self.unify(a, b))
            }
            _ => {
                if !lifted && self.contains_function(ty) {
                    return Err(Mismatch::Function);
                }
                match want {
                    Want::Anything => {}
                    Want::Scalars(set) => {
                        if !matches!(ty, Type::Scalar(t) if set.contains(*t)) {
                            return Err(Mismatch::NotIn(ty.clone(), set));
                        }
                    }
                    Want::Fields(fields) => {
                        self.types[meta as usize].solution = Some(ty.clone());
                        return fields.iter().try_for_each(|(i, t)| match ty {
                            Type::Tuple(types) if *i < types.len() => self.unify(&types[*i].clone(), t),
                            _ => Err(Mismatch::NoField(ty.clone(), *i)),
                        });
                    }
                }
                self.types[meta as usize].solution = Some(ty.clone());
                Ok(())
            }
        }
    }

    /// Could a value of the type be, or contain, a function?
    pub fn contains_function(&self, ty: &Type) -> bool {
        match self.head(ty) {
            Type::Fun(_) => true,
            Type::Array(_, t) => self.contains_function(&t),
            Type::Tuple(ts) => ts.iter().any(|t| self.contains_function(t)),
            Type::Var(id) => self.lifted.contains(&id),
            _ => false,
        }
    }

    /// Prepares `ty` as the solution of `meta` at `level`: lowers the levels of the variables inside. With `strict`, names
    /// that are out of scope there are errors. `bound` are the names that function types around bind.
    fn adjust(&mut self, ty: &Type, level: u32, meta: u32, bound: &mut Vec<Id>, strict: bool) -> Result<(), Mismatch> {
        stacker::maybe_grow(64 << 10, 1 << 20, || self.adjust_inner(ty, level, meta, bound, strict))
    }

    fn adjust_inner(
        &mut self,
        ty: &Type,
        level: u32,
        meta: u32,
        bound: &mut Vec<Id>,
        strict: bool,
    ) -> Result<(), Mismatch> {
        match self.head(ty) {
            Type::Meta(m) if m == meta => Err(Mismatch::Infinite(ty.clone())),
            Type::Meta(m) => {
                let m = &mut self.types[m as usize];
                m.level = m.level.min(level);
                match m.want.clone() {
                    Want::Fields(fields) => {
                        fields.values().try_for_each(|t| self.adjust(t, level, meta, bound, strict))
                    }
                    _ => Ok(()),
                }
            }
            Type::Var(id) if strict && self.level_of(&id) > level => Err(Mismatch::Escape(id)),
            Type::Array(n, t) => {
                self.adjust_size(&n, level, bound, None, strict)?;
                self.adjust(&t, level, meta, bound, strict)
            }
            Type::Tuple(ts) => ts.iter().try_for_each(|t| self.adjust(t, level, meta, bound, strict)),
            Type::Fun(f) => {
                self.adjust(&f.arg, level, meta, bound, strict)?;
                let len = bound.len();
                bound.extend(f.param.iter().chain(&f.exts).cloned());
                let result = self.adjust(&f.ret, level, meta, bound, strict);
                bound.truncate(len);
                result
            }
            Type::Scalar(_) | Type::Var(_) | Type::Error => Ok(()),
        }
    }

    fn adjust_size(
        &mut self,
        size: &Size,
        level: u32,
        bound: &[Id],
        meta: Option<u32>,
        strict: bool,
    ) -> Result<(), Mismatch> {
        match self.size(size) {
            Size::Const(_) => Ok(()),
            Size::Meta(m) if Some(m) == meta => Err(Mismatch::Sizes(Size::Meta(m), size.clone())),
            Size::Meta(m) => {
                let m = &mut self.sizes[m as usize];
                m.level = m.level.min(level);
                Ok(())
            }
            Size::Var(id) if strict && self.level_of(&id) > level && !bound.contains(&id) => {
                // An abbreviation may be spelt out.
                match self.size_defs.get(&id).cloned() {
                    Some(def) => self.adjust_size(&def, level, bound, meta, strict),
                    None => Err(Mismatch::Escape(id)),
                }
            }
            Size::Var(_) => Ok(()),
            Size::Op(_, ab) => {
                self.adjust_size(&ab.0, level, bound, meta, strict)?;
                self.adjust_size(&ab.1, level, bound, meta, strict)
            }
        }
    }

    // Complaints.

    /// Makes the types equal, or reports why they had to be.
    pub fn require(&mut self, expected: &Type, actual: &Type, span: Span, why: impl FnOnce() -> String) {
        if let Err(mismatch) = self.unify(expected, actual) {
            let d = self.mismatch(&mismatch, expected, actual, span, &why());
            self.error(d);
            // One complaint about a variable is enough.
            if let Type::Meta(m) = self.head(expected) {
                self.solve_type(m, Type::Error);
            }
        }
    }

    /// A type for a message: literals of no type yet are numbers.
    pub fn shown(&self, ty: &Type) -> Type {
        let named = |name: &str| Some(Type::Var(Id { num: u32::MAX, name: name.into() }));
        self.zonk(ty).map(&mut |s| s.clone(), &mut |t| match t {
            Type::Meta(m) => match self.types[*m as usize].want {
                Want::Scalars(set) if set.contains(ScalarType::Bool) => None,
                Want::Scalars(set) if set.contains(ScalarType::I32) => named("number"),
                Want::Scalars(_) => named("fraction"),
                _ => None,
            },
            _ => None,
        })
    }

    /// The diagnostic for a mismatch between two types; `why` says why they had to agree.
    pub fn mismatch(&self, m: &Mismatch, expected: &Type, actual: &Type, span: Span, why: &str) -> Diagnostic {
        let (expected, actual) = (self.shown(expected), self.shown(actual));
        let message = format!("{why}\nExpected: {expected}\nActual:   {actual}");
        let here = format!("this is of type {actual}");
        let error = |code| Diagnostic::error(code, span, message.clone()).here(here.clone());
        match m {
            Mismatch::Types(a, b) => {
                let (a, b) = (self.shown(a), self.shown(b));
                let d = error(Code::TypeMismatch);
                if (&a, &b) == (&expected, &actual) || (&b, &a) == (&expected, &actual) {
                    d
                } else {
                    d.note(format!("Types \"{a}\" and \"{b}\" do not match."))
                }
            }
            Mismatch::Sizes(a, b) => {
                let (a, b) = (self.size(a), self.size(b));
                let d = error(Code::SizeMismatch).note(format!("Sizes \"{a}\" and \"{b}\" do not match."));
                self.explain_sizes(d, [&a, &b])
            }
            Mismatch::Infinite(t) => {
                error(Code::InfiniteType).note(format!("Occurs check: the type {} would contain itself.", self.zonk(t)))
            }
            Mismatch::Escape(id) => {
                let d = error(Code::SizeEscapes).note(format!("The size \"{id}\" would leave the scope of its name."));
                self.explain_sizes(d, [&Size::Var(id.clone())])
            }
            Mismatch::NotIn(t, set) => {
                let names: Vec<&str> = set.types().map(ScalarType::name).collect();
                let t = self.shown(t);
                let note = match &names[..] {
                    [] => "No type has all the operators that are used here.".to_string(),
                    _ => format!("Cannot instantiate with type {t}: must be one of {}.", names.join(", ")),
                };
                error(Code::NoSuchOverload).note(note)
            }
            Mismatch::Function => error(Code::FunctionNotAllowed).note("A function may not stand here."),
            Mismatch::Unknown(t) => error(Code::SizeMismatch).note(format!(
                "The size of the result of {} is known only after a call, where a fixed size is needed.",
                self.zonk(t)
            )),
            Mismatch::NoField(t, i) => {
                error(Code::NoSuchField).note(format!("The type {} has no component {i}.", self.zonk(t)))
            }
        }
    }

    /// Says where the unknown sizes among these come from.
    pub fn explain_sizes<'a>(&self, mut d: Diagnostic, sizes: impl IntoIterator<Item = &'a Size>) -> Diagnostic {
        for size in sizes {
            size.names(&mut |id| {
                if let Some((span, origin)) = self.origins.get(id) {
                    d.labels.push((*span, format!("\"{id}\" is {origin}")));
                }
            });
        }
        d
    }
}
