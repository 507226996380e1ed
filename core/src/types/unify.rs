//! Inference variables and unification.
//!
//! Note [Expected and actual]: a function that consumes its argument may not stand where one is expected that does not, nor one whose result may have
//! aliases where one is expected whose result has none. And where a function is expected whose result has unknown sizes, `a -> ?[n].[n]b`, any sizes
//! will do. So unification has a direction, which turns around in the arguments of functions.
//!
//! Note [Levels]: every name and every inference variable has the level of the scope that it belongs to, counted from the
//! outside. A variable may only stand for types whose names are of its own level or further out; solving it lowers the
//! levels of the variables inside. So a name cannot leave its scope unnoticed, and what is left at a definition's own level
//! when it ends can be generalised.

use super::env::Hidden;
use super::mismatch::{Mismatch, asked};
use super::ty::*;
use crate::budget::Budget;
use crate::diag::{Code, Diagnostic, SHOWN};
use crate::hash::{HashMap, HashSet};
use crate::prim::ScalarType;
use crate::source::Span;
use crate::syntax::ast::Lifted;
use std::cell::RefCell;
use std::collections::BTreeMap;
use std::sync::Arc;

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
    /// One whose values can be compared.
    Comparable,
    /// A record with (at least) these fields.
    Fields(BTreeMap<Name, Type>),
    /// A sum with (at least) these constructors.
    Constructors(BTreeMap<Name, Vec<Type>>),
}

impl Want {
    /// The types that it mentions.
    fn types(&self) -> Vec<Type> {
        match self {
            Want::Anything | Want::Comparable | Want::Scalars(_) => vec![],
            Want::Fields(fields) => fields.values().cloned().collect(),
            Want::Constructors(constructors) => constructors.values().flatten().cloned().collect(),
        }
    }
}

#[derive(Clone, Debug)]
struct TypeMeta {
    solution: Option<Type>,
    level: u32,
    want: Want,
    /// Which types may it stand for?
    lifted: Lifted,
    /// Whether the solution may be opened, and the sizes of one that is: Note [Opened solutions].
    may_open: bool,
    opens: Vec<Id>,
}

#[derive(Clone, Debug)]
struct SizeMeta {
    solution: Option<Size>,
    level: u32,
    /// Where it came up, and for what.
    span: Span,
    name: Name,
}

/// How types are made equal.
#[derive(Clone, Copy)]
struct Mode {
    /// Their sizes too?
    sizes: bool,
    /// Is the second one what is expected?
    flipped: bool,
    /// Does a type that nothing is known of get sizes of its own? They may be compared later.
    own_sizes: Option<Span>,
}

/// What is asked of a variable that two others become, and types that must be equal for it.
type Joined = Result<(Want, Vec<(Type, Type)>), Mismatch>;

fn join(a: Want, b: Want) -> Joined {
    let neither = |a, b| Err(Mismatch::Wants(Box::new((a, b))));
    match (a, b) {
        (Want::Anything, w) | (w, Want::Anything) | (Want::Comparable, w) | (w, Want::Comparable) => Ok((w, vec![])),
        (Want::Scalars(s), Want::Scalars(t)) => {
            let both = s.and(t);
            if both.types().next().is_none() {
                return neither(Want::Scalars(s), Want::Scalars(t));
            }
            Ok((Want::Scalars(both), vec![]))
        }
        (Want::Fields(mut s), Want::Fields(t)) => {
            let mut pairs = vec![];
            for (name, t) in t {
                match s.get(&name) {
                    Some(u) => pairs.push((u.clone(), t)),
                    None => drop(s.insert(name, t)),
                }
            }
            Ok((Want::Fields(s), pairs))
        }
        (Want::Constructors(mut s), Want::Constructors(t)) => {
            let mut pairs = vec![];
            for (name, ts) in t {
                match s.get(&name) {
                    // of different lengths: shown as a mismatch of what they hold
                    Some(us) => pairs.push((Type::tuple(us.clone()), Type::tuple(ts))),
                    None => drop(s.insert(name, ts)),
                }
            }
            Ok((Want::Constructors(s), pairs))
        }
        (a, b) => neither(a, b),
    }
}

/// What is known at a time: see [`Infer::known`].
pub(super) struct Known {
    types: Vec<TypeMeta>,
    sizes: Vec<SizeMeta>,
    level: u32,
    said: usize,
}

/// The state of inference for one definition, and what a whole run shares.
pub(super) struct Infer {
    types: Vec<TypeMeta>,
    sizes: Vec<SizeMeta>,
    pub level: u32,
    /// Level of each local name; names of the top level have none.
    levels: HashMap<Id, u32>,
    /// What type parameters and hidden types may be, if not all types of constant size.
    pub lifted: HashMap<Id, Lifted>,
    /// Sizes that are abbreviations: of `let k = n+1`.
    pub size_defs: HashMap<Id, Size>,
    /// Where unknown sizes come from.
    pub origins: HashMap<Id, (Span, String)>,
    /// The definitions whose types have number types that are so by default.
    pub defaulted: HashSet<Id>,
    /// The size variables of what loops carry around.
    pub of_loops: HashSet<u32>,
    pub next_id: u32,
    /// How many unknown sizes the definition has brought up.
    exts: u32,
    /// The types of modules that are no secret.
    pub visible: Hidden,
    pub diagnostics: Vec<Diagnostic>,
    /// What may still be made.
    pub budget: Budget,
    /// Sizes of what constructors hold that a coerced value has not: zero, where nothing determines them.
    pub of_absent: HashSet<u32>,
    /// Whether any solution of the definition is opened, so that it is worth looking for: Note [Opened solutions].
    pub has_opened: bool,
    /// Records and sums that are known to be final, by where they are: Note [Final types].
    finals: RefCell<HashMap<usize, Type>>,
}

// Note [Final types]
// ~~~~~~~~~~~~~~~~~~
// A type of many fields is the type of many expressions, and is shared by them. Whoever fills in what is known of it would go over it for each, and copy it. So
// of records and sums without variables of inference and hidden types it is noted that they are final: they are taken as they are, at once. They are known by
// their address; a type that is noted is kept, so that its address stays its own.

impl Infer {
    pub fn new(next_id: u32, visible: Hidden, budget: Budget) -> Infer {
        Infer {
            types: vec![],
            sizes: vec![],
            // mutant: levels are compared with each other, and with that of the top level, which is 0
            level: 1,
            levels: HashMap::default(),
            lifted: HashMap::default(),
            size_defs: HashMap::default(),
            origins: HashMap::default(),
            defaulted: HashSet::default(),
            of_loops: HashSet::default(),
            next_id,
            exts: 0,
            visible,
            diagnostics: vec![],
            budget,
            of_absent: HashSet::default(),
            has_opened: false,
            finals: RefCell::default(),
        }
    }

    /// Forgets everything about the last definition.
    pub fn reset(&mut self) {
        let diagnostics = std::mem::take(&mut self.diagnostics);
        // those of hidden types stay, of which there may be many: only the others are looked at
        let mut lifted = std::mem::take(&mut self.lifted);
        self.levels.keys().for_each(|id| _ = lifted.remove(id));
        let visible = std::mem::take(&mut self.visible);
        let defaulted = std::mem::take(&mut self.defaulted);
        *self = Infer { diagnostics, lifted, defaulted, ..Infer::new(self.next_id, visible, self.budget.clone()) };
    }

    /// From here on, what comes up is of a deeper level.
    pub fn enter(&mut self) {
        // mutant off by one: levels are compared only: what is deeper is deeper by two as by one
        self.level += 1;
    }

    pub fn error(&mut self, diagnostic: Diagnostic) {
        self.diagnostics.push(diagnostic);
    }

    /// The diagnostic with what may be meant by `name`: for as many as are shown, since that looks at all names.
    pub fn suggest<'a>(
        &self,
        d: Diagnostic,
        (before, name): (&str, &str),
        candidates: impl Iterator<Item = &'a str>,
    ) -> Diagnostic {
        let at = d.span();
        if self.is_shown() { d.suggest((before, name), Some(at), candidates) } else { d }
    }

    /// Will an error be shown that is said now? Of others it need not be found out what was meant.
    pub fn is_shown(&self) -> bool {
        self.diagnostics.len() < SHOWN
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
        // mutant off by one: numbers that are left out are nothing's
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

    pub fn fresh(&mut self, want: Want, lifted: Lifted) -> Type {
        self.types.push(TypeMeta { solution: None, level: self.level, want, lifted, may_open: false, opens: vec![] });
        Type::Meta(self.types.len() as u32 - 1)
    }

    /// A variable for a type parameter.
    pub fn fresh_instance(&mut self, lifted: Lifted) -> Type {
        self.fresh(Want::Anything, lifted);
        let m = self.types.len() - 1;
        self.types[m].may_open = lifted != Lifted::No;
        Type::Meta(m as u32)
    }

    /// What a variable stands for, if that is known, and the sizes of an opened solution.
    pub fn solution(&self, mut meta: u32) -> Option<(Type, Vec<Id>)> {
        loop {
            let m = &self.types[meta as usize];
            match m.solution.as_ref()? {
                Type::Meta(next) => meta = *next,
                solution => return Some((solution.clone(), m.opens.clone())),
            }
        }
    }

    /// Whether a type is a variable that is not known yet, and may become the result of a function whose size is unknown.
    fn may_open(&self, ty: &Type) -> bool {
        matches!(self.head(ty), Type::Meta(m) if self.types[m as usize].may_open)
    }

    pub fn fresh_type(&mut self) -> Type {
        self.fresh(Want::Anything, Lifted::Full)
    }

    pub fn fresh_scalar(&mut self, set: ScalarSet) -> Type {
        self.fresh(Want::Scalars(set), Lifted::No)
    }

    /// How many size variables there are: those that come up from now on have greater numbers.
    pub fn size_variables(&self) -> u32 {
        self.sizes.len() as u32
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
        match ty {
            Type::Abstract(id, args) => self.expand(id, args).map_or_else(|| ty.clone(), |t| self.head(&t)),
            _ => ty.clone(),
        }
    }

    /// What a type of a module stands for, if it is no secret.
    fn expand(&self, id: &Id, args: &[Arg]) -> Option<Type> {
        Some(self.visible.get(&id.num)?.at(args))
    }

    /// The size with all that is known filled in.
    pub fn size(&self, size: &Size) -> Size {
        match size {
            Size::Const(_) | Size::Var(_) => size.clone(),
            Size::Meta(m) => self.sizes[*m as usize].solution.as_ref().map_or(size.clone(), |s| self.size(s)),
            Size::Op(op, ab) => Size::op(*op, self.size(&ab.0), self.size(&ab.1)),
            Size::Exp(e) => {
                let hidden = |arg: &Arg| match arg {
                    Arg::Size(s) => Arg::Size(self.size(s)),
                    Arg::Type(t) => Arg::Type(self.zonk(t)),
                };
                let args = e.args.iter().map(|a| self.size(a)).collect();
                let hidden = e.hidden.iter().map(hidden).collect();
                Size::Exp(Arc::new(SizeExp { args, hidden, ..(**e).clone() }))
            }
        }
    }

    /// Whether all that is known is filled in already: most types are, and need not be made anew.
    fn is_zonked(&self, ty: &Type) -> bool {
        let known = |size: &Size| matches!(size, Size::Const(_) | Size::Var(_));
        match ty {
            Type::Scalar(_) | Type::Var(_) | Type::Error => true,
            Type::Meta(_) => false,
            Type::Array(n, elem) => known(n) && self.is_zonked(elem),
            Type::Record(fields) => fields.iter().all(|(_, t)| self.is_zonked(t)),
            Type::Sum(constructors) => constructors.iter().flat_map(|(_, ts)| ts).all(|t| self.is_zonked(t)),
            Type::Fun(f) => self.is_zonked(&f.arg) && self.is_zonked(&f.ret),
            Type::Abstract(id, args) => {
                let filled = |arg: &Arg| match arg {
                    Arg::Size(n) => known(n),
                    Arg::Type(t) => self.is_zonked(t),
                };
                !self.visible.contains_key(&id.num) && args.iter().all(filled)
            }
        }
    }

    /// The type with all that is known filled in.
    pub fn zonk(&self, ty: &Type) -> Type {
        if self.is_zonked(ty) {
            return ty.clone();
        }
        self.head(ty).map(&mut |s| self.size(s), &mut |t| match t {
            Type::Meta(m) => self.types[*m as usize].solution.as_ref().map(|t| self.zonk(t)),
            Type::Abstract(id, args) => self.expand(id, args).map(|t| self.zonk(&t)),
            t => self.is_final(t).then(|| t.clone()),
        })
    }

    /// Whether it is a record or a sum of which all is known: Note [Final types].
    pub fn is_final(&self, ty: &Type) -> bool {
        let at = match ty {
            Type::Record(fields) => fields.as_ptr() as usize,
            Type::Sum(constructors) => constructors.as_ptr() as usize,
            _ => return false,
        };
        if self.finals.borrow().contains_key(&at) {
            return true;
        }
        let is_known = stacker::maybe_grow(64 << 10, 1 << 20, || match ty {
            Type::Record(fields) => fields.iter().all(|(_, t)| self.is_known(t)),
            Type::Sum(constructors) => constructors.iter().flat_map(|(_, ts)| ts).all(|t| self.is_known(t)),
            _ => false,
        });
        if is_known {
            self.finals.borrow_mut().insert(at, ty.clone());
        }
        is_known
    }

    /// Whether all is known of a part of it.
    fn is_known(&self, ty: &Type) -> bool {
        match ty {
            Type::Scalar(_) | Type::Var(_) => true,
            Type::Array(Size::Const(_) | Size::Var(_), elem) => self.is_known(elem),
            ty => self.is_final(ty),
        }
    }

    /// The nodes of a type with all that is known filled in, those of its sizes among them. Counts no further than one more than `most`.
    pub fn nodes(&self, ty: &Type, most: u64) -> u64 {
        let (mut types, mut sizes) = (vec![ty.clone()], vec![]);
        let mut nodes = 0;
        while nodes <= most {
            if let Some(size) = sizes.pop() {
                match &size {
                    Size::Meta(m) => sizes.extend(self.sizes[*m as usize].solution.clone()),
                    size => size.parts(&mut |part| sizes.push(part.clone())),
                }
            } else if let Some(ty) = types.pop() {
                let ty = self.head(&ty);
                match &ty {
                    Type::Array(size, _) => sizes.push(size.clone()),
                    Type::Abstract(_, args) => sizes.extend(args.iter().filter_map(Arg::as_size).cloned()),
                    _ => {}
                }
                ty.parts(&mut |part| types.push(part.clone()));
            } else {
                break;
            }
            nodes += 1;
        }
        nodes
    }

    /// Where a size variable came up.
    pub fn size_origin(&self, meta: u32) -> (Span, &Name) {
        let m = &self.sizes[meta as usize];
        (m.span, &m.name)
    }

    pub fn solve_type(&mut self, meta: u32, ty: Type) {
        self.types[meta as usize].solution = Some(ty);
    }

    /// Whether a size variable is part of what belongs to an outer scope.
    pub fn escapes(&self, meta: u32, level: u32) -> bool {
        self.sizes[meta as usize].level <= level
    }

    pub fn solve_size(&mut self, meta: u32, size: Size) {
        self.sizes[meta as usize].solution = Some(size);
    }

    /// The unsolved variables in a type, of the current level or deeper.
    pub fn free(&self, ty: &Type) -> (Vec<u32>, Vec<u32>) {
        let (mut types, mut sizes) = (vec![], vec![]);
        let mut add_size = |s: &Size| {
            s.metas(&mut |m| {
                if !sizes.contains(&m) && self.sizes[m as usize].level >= self.level {
                    sizes.push(m);
                }
            });
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

    /// Gives these variables names: what they are called are the parameters of what has them in its type.
    pub fn parameters(&mut self, types: Vec<u32>, sizes: Vec<u32>) -> Vec<TypeParam> {
        let mut params = vec![];
        for (i, m) in types.into_iter().enumerate() {
            let lifted = self.lifted_of(m);
            let id = self.fresh_id(format!("t{i}"));
            self.lifted.insert(id.clone(), lifted);
            self.solve_type(m, Type::Var(id.clone()));
            params.push(TypeParam::Type(id, lifted));
        }
        for m in sizes {
            let name = self.size_origin(m).1.clone();
            let id = self.fresh_id(name);
            self.solve_size(m, Size::Var(id.clone()));
            params.push(TypeParam::Size(id));
        }
        params
    }

    /// Makes each variable that stands for another one stand for what that stands for in the end, as whoever goes over a finished body asks for each again: the
    /// results of many branches are a long chain. They point to older ones, for the most part, which come first.
    pub fn shorten_chains(&mut self) {
        for m in 0..self.types.len() {
            let mut end = None;
            while let Some(Type::Meta(next)) = &self.types[end.unwrap_or(m)].solution {
                end = Some(*next as usize);
            }
            if let Some(end) = end
                && self.types[m].opens.is_empty()
            {
                self.types[m].solution = Some(Type::Meta(end as u32));
            }
        }
    }

    /// Gives every variable that only has to be one of several scalar types its default.
    pub fn default_scalars(&mut self) {
        for m in &mut self.types {
            if let (None, Want::Scalars(set)) = (&m.solution, &m.want) {
                m.solution = set.default().map(Type::Scalar);
            }
        }
    }

    /// What is asked of a variable.
    pub fn want(&self, meta: u32) -> &Want {
        &self.types[meta as usize].want
    }

    /// Whether a type has a part of which nothing but the operators used says what number type it is.
    pub fn has_open_scalar(&self, ty: &Type) -> bool {
        let scalar = |m: &u32| matches!(self.want(*m), Want::Scalars(_));
        self.free(ty).0.iter().any(scalar)
    }

    pub fn lifted_of(&self, meta: u32) -> Lifted {
        self.types[meta as usize].lifted
    }

    /// What must be known of an unsolved variable and is not.
    pub fn missing(&self, meta: u32) -> Option<(Code, String)> {
        let want = self.want(meta);
        let (code, why) = match want {
            Want::Anything | Want::Scalars(_) => return None,
            Want::Comparable => (Code::NoSuchOverload, ", and a type that may be any does not support equality"),
            Want::Fields(_) | Want::Constructors(_) => (Code::TypeMismatch, ""),
        };
        Some((code, format!("The type of this is ambiguous: it must be {}{why}. Annotate it.", asked(want))))
    }

    /// Brings the variables in a type out to the current level: their scope ends.
    pub fn lower_levels(&mut self, ty: &Type) {
        let level = self.level;
        let _ = self.adjust(ty, level, u32::MAX, &mut vec![], false);
    }

    // What is tried out.

    /// Will an error be shown, and is so little known that it can be forgotten again and again?
    pub fn may_try(&self) -> bool {
        const MOST: usize = 10_000;
        self.is_shown() && self.types.len() + self.sizes.len() <= MOST
    }

    /// All that is known now.
    pub fn known(&self) -> Known {
        Known { types: self.types.clone(), sizes: self.sizes.clone(), level: self.level, said: self.diagnostics.len() }
    }

    /// Makes it all that is known.
    pub fn forget(&mut self, known: Known) {
        let Known { types, sizes, level, said } = known;
        (self.types, self.sizes, self.level) = (types, sizes, level);
        self.diagnostics.truncate(said);
    }

    // Unification.

    /// Makes two types equal: the first is what is expected. See Note [Expected and actual].
    pub fn unify(&mut self, expected: &Type, actual: &Type) -> Result<(), Mismatch> {
        self.unify_types(expected, actual, Mode { sizes: true, flipped: false, own_sizes: None })
    }

    /// Makes two types equal but for their sizes.
    pub fn unify_but_sizes(&mut self, expected: &Type, actual: &Type) -> Result<(), Mismatch> {
        self.unify_types(expected, actual, Mode { sizes: false, flipped: false, own_sizes: None })
    }

    /// The same, but a type of which nothing is known gets sizes of its own, which may be equal or not.
    pub fn unify_shapes(&mut self, expected: &Type, actual: &Type, at: Span) -> Result<(), Mismatch> {
        self.unify_types(expected, actual, Mode { sizes: false, flipped: false, own_sizes: Some(at) })
    }

    fn unify_types(&mut self, a: &Type, b: &Type, mode: Mode) -> Result<(), Mismatch> {
        stacker::maybe_grow(64 << 10, 1 << 20, || self.unify_inner(a, b, mode))
    }

    fn unify_inner(&mut self, a: &Type, b: &Type, mode: Mode) -> Result<(), Mismatch> {
        let (a, b) = (self.head(a), self.head(b));
        match (&a, &b) {
            (Type::Error, _) | (_, Type::Error) => Ok(()),
            (Type::Meta(m), Type::Meta(n)) if m == n => Ok(()),
            // The younger stands for the older, so that the variables of a long chain of operators do not form one.
            (Type::Meta(m), Type::Meta(n)) => self.bind(*m.max(n), &Type::Meta(*m.min(n))),
            (Type::Meta(m), t) | (t, Type::Meta(m)) => match mode.own_sizes {
                Some(at) => {
                    let t = self.zonk(t).map(&mut |_| self.fresh_size(at, "n"), &mut |_| None);
                    self.bind(*m, &t)
                }
                None => self.bind(*m, t),
            },
            (Type::Scalar(s), Type::Scalar(t)) if s == t => Ok(()),
            (Type::Var(s), Type::Var(t)) if s == t => Ok(()),
            (Type::Array(n, s), Type::Array(m, t)) => {
                if mode.sizes {
                    self.unify_sizes(n, m)?;
                }
                self.unify_types(s, t, mode)
            }
            (Type::Record(s), Type::Record(t)) if s.iter().map(|f| &f.0).eq(t.iter().map(|f| &f.0)) => {
                s.iter().zip(t.iter()).try_for_each(|(s, t)| self.unify_types(&s.1, &t.1, mode))
            }
            (Type::Sum(s), Type::Sum(t))
                if s.iter().map(|c| (&c.0, c.1.len())).eq(t.iter().map(|c| (&c.0, c.1.len()))) =>
            {
                let pairs = s.iter().flat_map(|c| &c.1).zip(t.iter().flat_map(|c| &c.1));
                pairs.into_iter().try_for_each(|(s, t)| self.unify_types(s, t, mode))
            }
            // mutant dropped term: a hidden type has as many arguments wherever it stands
            (Type::Abstract(s, xs), Type::Abstract(t, ys)) if s == t && xs.len() == ys.len() => {
                xs.iter().zip(ys.iter()).try_for_each(|pair| match pair {
                    (Arg::Size(n), Arg::Size(m)) if mode.sizes => self.unify_sizes(n, m),
                    (Arg::Type(s), Arg::Type(t)) => self.unify_types(s, t, mode),
                    _ => Ok(()),
                })
            }
            (Type::Fun(f), Type::Fun(g)) => {
                let (expected, actual) = if mode.flipped { (g, f) } else { (f, g) };
                // a result of unknown size says more than a parameter that stands for the same
                let result_first = !actual.exts.is_empty() && self.may_open(&expected.ret);
                if !result_first {
                    self.unify_parameters((f, g), mode, (&a, &b))?;
                }
                // The names that the types bind become new names, deeper than any variable: they cannot leave.
                // mutant off by one: levels are compared only: what is deeper is deeper by two as by one
                self.level += 1;
                let (mut s, mut t) = (Subst::default(), Subst::default());
                if let Some(name) = f.param.as_ref().or(g.param.as_ref()) {
                    let name = Size::Var(self.fresh_id(name.name.clone()));
                    f.param.iter().for_each(|x| drop(s.sizes.insert(x.clone(), name.clone())));
                    g.param.iter().for_each(|y| drop(t.sizes.insert(y.clone(), name.clone())));
                }
                // mutant: each gets sizes of its own, in whatever order
                for (fun, subst) in [(f, &mut s), (g, &mut t)] {
                    for ext in &fun.exts {
                        let size = if Arc::ptr_eq(fun, expected) {
                            self.sizes.push(SizeMeta {
                                solution: None,
                                level: self.level,
                                span: Span::default(),
                                name: ext.name.clone(),
                            });
                            Size::Meta(self.sizes.len() as u32 - 1)
                        } else {
                            Size::Var(self.fresh_id(ext.name.clone()))
                        };
                        subst.sizes.insert(ext.clone(), size);
                    }
                }
                // Each result of an opened solution has sizes of its own; where one is expected, any will do.
                let (mut f_ret, mut g_ret) = (f.ret.subst(&s), g.ret.subst(&t));
                let mut rets = [&mut f_ret, &mut g_ret];
                if !Arc::ptr_eq(f, expected) {
                    rets.reverse();
                }
                let [expected_ret, actual_ret] = rets;
                self.reopen(expected_ret, |infer, id| infer.fresh_size(Span::default(), id.name));
                self.reopen(actual_ret, |infer, id| Size::Var(infer.fresh_id(id.name)));
                self.level -= 1;
                let result = self.unify_types(&f_ret, &g_ret, mode);
                let fresh = |f: &FunType| self.marks_arrays(&f.fresh, &f.ret);
                if result.is_ok() && fresh(expected) && !fresh(actual) {
                    return Err(Mismatch::Aliased(a.clone(), b.clone()));
                }
                match result {
                    Err(Mismatch::Escape(..) | Mismatch::Sizes(..))
                        if expected.exts.is_empty() && !actual.exts.is_empty() =>
                    {
                        Err(Mismatch::Unknown(Type::Fun(actual.clone())))
                    }
                    Ok(()) if result_first => self.unify_parameters((f, g), mode, (&a, &b)),
                    result => result,
                }
            }
            _ => Err(Mismatch::Types(a, b)),
        }
    }

    /// The parameters of two functions, which are these types.
    fn unify_parameters(
        &mut self,
        (f, g): (&FunType, &FunType),
        mode: Mode,
        (a, b): (&Type, &Type),
    ) -> Result<(), Mismatch> {
        self.unify_types(&f.arg, &g.arg, Mode { flipped: !mode.flipped, ..mode })?;
        // the arguments are one type now
        let consumed = |f: &FunType| self.marks_arrays(&f.consumes, &f.arg);
        let (expected, actual) = if mode.flipped { (g, f) } else { (f, g) };
        if consumed(actual) && !consumed(expected) {
            return Err(Mismatch::Consumes(a.clone(), b.clone()));
        }
        Ok(())
    }

    /// Is a part of a type marked that may be an array? A mark has no effect on anything else (0.25.32 warns of it): a value without arrays can always be used
    /// again.
    fn marks_arrays(&self, marks: &Unique, ty: &Type) -> bool {
        if !marks.any() {
            return false;
        }
        let ty = self.head(ty);
        match &ty {
            Type::Scalar(_) | Type::Error => false,
            Type::Array(..) | Type::Fun(_) | Type::Var(_) | Type::Abstract(..) | Type::Meta(_) => true,
            Type::Record(fields) => fields.iter().any(|(name, t)| self.marks_arrays(&marks.field(name), t)),
            Type::Sum(constructors) => constructors.iter().flat_map(|(_, ts)| ts).any(|t| self.marks_arrays(marks, t)),
        }
    }

    /// Makes two sizes equal.
    pub fn unify_sizes(&mut self, a: &Size, b: &Size) -> Result<(), Mismatch> {
        let (a, b) = (self.size(a), self.size(b));
        match (&a, &b) {
            _ if a == b => Ok(()),
            // mutant: that they are not the same is known from the line before
            (Size::Meta(m), Size::Meta(n)) if m < n => self.unify_sizes(&b, &a),
            (Size::Meta(m), s) | (s, Size::Meta(m)) => {
                let level = self.sizes[*m as usize].level;
                self.adjust_size(s, level, &[], Some(*m), true).map_err(|e| match e {
                    Mismatch::Escape(id, _) => Mismatch::Escape(id, Some(*m)),
                    other => other,
                })?;
                self.solve_size(*m, s.clone());
                Ok(())
            }
            (Size::Op(o, x), Size::Op(p, y)) if o == p => {
                let (x, y) = (x.clone(), y.clone());
                // mutant: both parts must be equal, and where one is not, what the other has done is undone
                self.unify_parts(&a, &b, &[(&x.0, &y.0), (&x.1, &y.1)])
            }
            (Size::Exp(x), Size::Exp(y)) if x.key == y.key => {
                let (x, y) = (x.clone(), y.clone());
                self.unify_parts(&a, &b, &x.args.iter().zip(&y.args).collect::<Vec<_>>())
            }
            _ => Err(Mismatch::Sizes(a, b)),
        }
    }

    /// A part may only be made equal if all can be.
    fn unify_parts(&mut self, a: &Size, b: &Size, parts: &[(&Size, &Size)]) -> Result<(), Mismatch> {
        let saved = self.sizes.clone();
        let result = parts.iter().try_for_each(|(x, y)| self.unify_sizes(x, y));
        result.map_err(|_| {
            self.sizes = saved;
            Mismatch::Sizes(a.clone(), b.clone())
        })
    }

    fn bind(&mut self, meta: u32, ty: &Type) -> Result<(), Mismatch> {
        let TypeMeta { level, want, lifted, may_open, .. } = self.types[meta as usize].clone();
        let mut ty = ty;
        let opened;
        match self.adjust(ty, level, meta, &mut vec![], true) {
            Ok(()) => {}
            Err(e) => {
                let escapes = may_open && matches!(e, Mismatch::Escape(..));
                let Some((whole, opens)) = escapes.then(|| self.opened(ty, level)).flatten() else { return Err(e) };
                opened = whole;
                ty = &opened;
                self.adjust(ty, level, meta, &mut vec![], true)?;
                self.has_opened |= !opens.is_empty();
                self.types[meta as usize].opens = opens;
            }
        }
        if let Type::Meta(other) = ty {
            let o = &mut self.types[*other as usize];
            o.lifted = o.lifted.min(lifted);
            o.may_open &= may_open;
            let theirs = std::mem::replace(&mut o.want, Want::Anything);
            let (joined, pairs) = join(want, theirs)?;
            self.types[*other as usize].want = joined;
            self.types[meta as usize].solution = Some(ty.clone());
            return pairs.iter().try_for_each(|(a, b)| self.unify(a, b));
        }
        if want == Want::Comparable {
            self.types[meta as usize].solution = Some(ty.clone());
            return self.comparable(ty);
        }
        if lifted != Lifted::Full && self.contains_function(ty) {
            return Err(Mismatch::Function);
        }
        if lifted == Lifted::No
            && let Some(lifted) = self.size_lifted(ty)
        {
            return Err(Mismatch::SizeLifted(lifted));
        }
        if let Want::Scalars(set) = &want
            && !matches!(ty, Type::Scalar(t) if set.contains(*t))
        {
            return Err(Mismatch::NotIn(ty.clone(), *set));
        }
        self.types[meta as usize].solution = Some(ty.clone());
        match want {
            Want::Anything | Want::Scalars(_) | Want::Comparable => Ok(()),
            Want::Fields(fields) => fields.iter().try_for_each(|(name, t)| {
                let Type::Record(known) = ty else { return Err(Mismatch::NoField(ty.clone(), name.clone())) };
                match known.iter().find(|f| f.0 == *name) {
                    Some((_, known)) => self.unify(known, t),
                    None => Err(Mismatch::NoField(ty.clone(), name.clone())),
                }
            }),
            Want::Constructors(constructors) => constructors.iter().try_for_each(|(name, types)| {
                let missing = || Mismatch::NoConstructor(ty.clone(), name.clone());
                let Type::Sum(known) = ty else { return Err(missing()) };
                let known = known.iter().find(|c| c.0 == *name && c.1.len() == types.len()).ok_or_else(missing)?;
                known.1.iter().zip(types).try_for_each(|(known, t)| self.unify(known, t))
            }),
        }
    }

    /// The values of the type must be comparable: nothing in it may be unknown.
    fn comparable(&mut self, ty: &Type) -> Result<(), Mismatch> {
        let ty = self.head(ty);
        match &ty {
            Type::Fun(_) | Type::Var(_) | Type::Abstract(..) => return Err(Mismatch::NotComparable(ty)),
            Type::Meta(m) => {
                let want = &mut self.types[*m as usize].want;
                if *want == Want::Anything {
                    *want = Want::Comparable;
                }
            }
            _ => {}
        }
        let mut parts = vec![];
        ty.parts(&mut |t| parts.push(t.clone()));
        parts.iter().try_for_each(|t| self.comparable(t))
    }

    /// Whatever is not known yet of a type is no function.
    pub fn no_functions(&mut self, ty: &Type) {
        let ty = self.head(ty);
        if let Type::Meta(m) = ty {
            let lifted = &mut self.types[m as usize].lifted;
            *lifted = (*lifted).min(Lifted::Size);
        }
        let mut parts = vec![];
        ty.parts(&mut |t| parts.push(t.clone()));
        if !matches!(ty, Type::Fun(_)) {
            parts.iter().for_each(|t| self.no_functions(t));
        }
    }

    /// Could a value of the type be, or contain, a function?
    pub fn contains_function(&self, ty: &Type) -> bool {
        self.contains_lifted(ty, Lifted::Full)
    }

    /// Could a value of the type be, or contain, a function, or (of `Lifted::Size`) arrays of unknown sizes?
    pub fn contains_lifted(&self, ty: &Type, what: Lifted) -> bool {
        let ty = self.head(ty);
        let mut found = match &ty {
            Type::Fun(_) => true,
            Type::Abstract(id, _) if *id == Id::acc() => what == Lifted::Size,
            Type::Var(id) | Type::Abstract(id, _) => self.lifted.get(id).is_some_and(|l| *l >= what),
            _ => false,
        };
        ty.parts(&mut |t| found |= self.contains_lifted(t, what));
        found
    }

    /// A part of the type that may have unknown sizes: a type parameter, or what a module hides, that is declared so. Accumulators are none.
    fn size_lifted(&self, ty: &Type) -> Option<Type> {
        let ty = self.head(ty);
        if let Type::Var(id) | Type::Abstract(id, _) = &ty
            && self.lifted.get(id).is_some_and(|l| *l >= Lifted::Size)
        {
            return Some(ty);
        }
        let mut found = None;
        ty.parts(&mut |t| found = found.take().or_else(|| self.size_lifted(t)));
        found
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
                m.want.types().iter().try_for_each(|t| self.adjust(t, level, meta, bound, strict))
            }
            Type::Var(id) if strict && self.level_of(&id) > level => Err(Mismatch::Escape(id, None)),
            Type::Array(n, t) => {
                self.adjust_size(&n, level, bound, None, strict)?;
                self.adjust(&t, level, meta, bound, strict)
            }
            Type::Abstract(_, args) => args.iter().try_for_each(|arg| match arg {
                Arg::Size(n) => self.adjust_size(n, level, bound, None, strict),
                Arg::Type(t) => self.adjust(t, level, meta, bound, strict),
            }),
            Type::Record(fields) => fields.iter().try_for_each(|(_, t)| self.adjust(t, level, meta, bound, strict)),
            Type::Sum(constructors) => {
                let mut types = constructors.iter().flat_map(|(_, ts)| ts);
                types.try_for_each(|t| self.adjust(t, level, meta, bound, strict))
            }
            Type::Fun(f) => {
                self.adjust(&f.arg, level, meta, bound, strict)?;
                let len = bound.len();
                bound.extend(f.param.iter().chain(&f.exts).cloned());
                let result = self.adjust(&f.ret, level, meta, bound, strict);
                // mutant: names are unique: what stands beside a function type mentions none of those in it
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
            Size::Meta(m) if Some(m) == meta => Err(Mismatch::InfiniteSize(m, size.clone())),
            Size::Meta(m) => {
                let m = &mut self.sizes[m as usize];
                m.level = m.level.min(level);
                Ok(())
            }
            Size::Var(id) if strict && self.level_of(&id) > level && !bound.contains(&id) => {
                // An abbreviation may be spelt out.
                match self.size_defs.get(&id).cloned() {
                    Some(def) => self.adjust_size(&def, level, bound, meta, strict),
                    None => Err(Mismatch::Escape(id, None)),
                }
            }
            Size::Var(_) => Ok(()),
            Size::Op(_, ab) => {
                self.adjust_size(&ab.0, level, bound, meta, strict)?;
                self.adjust_size(&ab.1, level, bound, meta, strict)
            }
            Size::Exp(e) => e.args.iter().try_for_each(|a| self.adjust_size(a, level, bound, meta, strict)),
        }
    }
}
