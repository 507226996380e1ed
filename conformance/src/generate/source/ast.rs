//! A small typed syntax tree of source programs: what the generator makes, the rewrites change and [`super::print`] writes down. Not the front end's own
//! tree: a bug there must not be repeated here.
//!
//! Every name is bound once in a whole program, so that an expression can be moved to wherever its variables are in scope; whoever copies an expression
//! renames what it binds ([`Exp::copy`]).

use futi_core::hash::HashMap;
use futi_core::prim::{Scalar, ScalarType};
use std::sync::Arc;

/// A name, perhaps of a module's: `x`, `f64.sin`.
pub type Name = Arc<str>;

/// A size.
#[derive(Clone, PartialEq, Eq, Hash, Debug)]
pub enum Size {
    /// A number.
    Const(i64),
    /// A size parameter, or an `i64` variable.
    Name(Name),
    /// A sum.
    Sum(Box<[Size; 2]>),
    /// A product.
    Product(Box<[Size; 2]>),
}

/// A type.
#[derive(Clone, PartialEq, Eq, Hash, Debug)]
pub enum Ty {
    /// A scalar.
    Scalar(ScalarType),
    /// A tuple of two or more.
    Tuple(Vec<Ty>),
    /// An array.
    Array(Size, Box<Ty>),
    /// A function of one or more parameters.
    Fun(Vec<Ty>, Box<Ty>),
    /// A type parameter.
    Param(Name),
}

impl Ty {
    /// The type of truth values.
    pub const BOOL: Ty = Ty::Scalar(ScalarType::Bool);
    /// The type of sizes and indices.
    pub const I64: Ty = Ty::Scalar(ScalarType::I64);

    /// An array of these.
    pub fn array(size: Size, elem: Ty) -> Ty {
        Ty::Array(size, Box::new(elem))
    }
    /// A function.
    pub fn fun(params: Vec<Ty>, ret: Ty) -> Ty {
        Ty::Fun(params, Box::new(ret))
    }
    /// The scalar type, if it is one.
    pub fn scalar(&self) -> Option<ScalarType> {
        if let Ty::Scalar(t) = self { Some(*t) } else { None }
    }
    /// Whether there are only floats inside.
    pub fn is_float(&self) -> bool {
        match self {
            Ty::Scalar(t) => t.is_float(),
            Ty::Tuple(ts) => ts.iter().all(Ty::is_float),
            Ty::Array(_, t) => t.is_float(),
            Ty::Fun(..) | Ty::Param(_) => false,
        }
    }
    /// Whether `f` holds for it or for a type inside.
    pub fn any(&self, f: &dyn Fn(&Ty) -> bool) -> bool {
        f(self)
            || match self {
                Ty::Scalar(_) | Ty::Param(_) => false,
                Ty::Tuple(ts) => ts.iter().any(|t| t.any(f)),
                Ty::Array(_, t) => t.any(f),
                Ty::Fun(ps, r) => ps.iter().any(|t| t.any(f)) || r.any(f),
            }
    }
    /// The names in its sizes.
    pub fn size_names(&self, out: &mut Vec<Name>) {
        match self {
            Ty::Scalar(_) | Ty::Param(_) => {}
            Ty::Tuple(ts) => ts.iter().for_each(|t| t.size_names(out)),
            Ty::Array(n, t) => {
                n.names(out);
                t.size_names(out);
            }
            Ty::Fun(ps, r) => {
                ps.iter().for_each(|t| t.size_names(out));
                r.size_names(out);
            }
        }
    }
    /// With other sizes and types for its names.
    pub fn subst(&self, s: &Subst) -> Ty {
        match self {
            Ty::Scalar(_) => self.clone(),
            Ty::Param(a) => s.types.get(a).cloned().unwrap_or_else(|| self.clone()),
            Ty::Tuple(ts) => Ty::Tuple(ts.iter().map(|t| t.subst(s)).collect()),
            Ty::Array(n, t) => Ty::array(n.subst(s), t.subst(s)),
            Ty::Fun(ps, r) => Ty::fun(ps.iter().map(|t| t.subst(s)).collect(), r.subst(s)),
        }
    }
}

impl Size {
    fn names(&self, out: &mut Vec<Name>) {
        match self {
            Size::Const(_) => {}
            Size::Name(n) => out.push(n.clone()),
            Size::Sum(ab) | Size::Product(ab) => ab.iter().for_each(|n| n.names(out)),
        }
    }
    fn subst(&self, s: &Subst) -> Size {
        let pair = |ab: &[Size; 2]| Box::new([ab[0].subst(s), ab[1].subst(s)]);
        match self {
            Size::Const(_) => self.clone(),
            Size::Name(n) => s.sizes.get(n).cloned().unwrap_or_else(|| self.clone()),
            Size::Sum(ab) => Size::Sum(pair(ab)),
            Size::Product(ab) => Size::Product(pair(ab)),
        }
    }
    /// As an expression.
    pub fn exp(&self) -> Exp {
        let infix = |op, ab: &[Size; 2]| Kind::Infix(op, ab[0].exp(), ab[1].exp());
        let kind = match self {
            Size::Const(n) => Kind::Size(*n),
            Size::Name(n) => Kind::Var(n.clone()),
            Size::Sum(ab) => infix("+", ab),
            Size::Product(ab) => infix("*", ab),
        };
        Exp::new(kind, Ty::I64)
    }
}

/// Sizes and types for names.
#[derive(Clone, Default, Debug)]
pub struct Subst {
    /// Sizes.
    pub sizes: HashMap<Name, Size>,
    /// Types.
    pub types: HashMap<Name, Ty>,
}

/// A pattern.
#[derive(Clone, PartialEq, Debug)]
pub enum Pat {
    /// A name, its type, and whether that is written.
    Name(Name, Ty, bool),
    /// A tuple.
    Tuple(Vec<Pat>),
}

impl Pat {
    /// The type of what it matches.
    pub fn ty(&self) -> Ty {
        match self {
            Pat::Name(_, t, _) => t.clone(),
            Pat::Tuple(ps) => Ty::Tuple(ps.iter().map(Pat::ty).collect()),
        }
    }
    /// The names and types that it binds.
    pub fn names(&self) -> Vec<(Name, Ty)> {
        match self {
            Pat::Name(n, t, _) => vec![(n.clone(), t.clone())],
            Pat::Tuple(ps) => ps.iter().flat_map(Pat::names).collect(),
        }
    }
    /// The expression that it matches.
    pub fn exp(&self) -> Exp {
        match self {
            Pat::Name(n, t, _) => Exp::var(n, t),
            Pat::Tuple(ps) => Exp::tuple(ps.iter().map(Pat::exp).collect()),
        }
    }
    fn each(&mut self, f: &mut dyn FnMut(&mut Name, &mut Ty)) {
        match self {
            Pat::Name(n, t, _) => f(n, t),
            Pat::Tuple(ps) => ps.iter_mut().for_each(|p| p.each(f)),
        }
    }
}

/// An expression with its type.
#[derive(Clone, PartialEq, Debug)]
pub struct Exp {
    /// What it is.
    pub kind: Box<Kind>,
    /// Its type.
    pub ty: Ty,
}

/// The kinds of expression.
#[derive(Clone, PartialEq, Debug)]
pub enum Kind {
    /// A literal, written with its suffix.
    Lit(Scalar),
    /// A size that is a number: without suffix, for to Futhark the size of `replicate 3i64 x` is not the one of `[x, x, x]`.
    Size(i64),
    /// A name.
    Var(Name),
    /// `(a, b)`
    Tuple(Vec<Exp>),
    /// `e.0`
    Project(Exp, usize),
    /// `a + b`
    Infix(&'static str, Exp, Exp),
    /// `-e`
    Neg(Exp),
    /// `!e`
    Not(Exp),
    /// `a[i, j]`
    Index(Exp, Vec<Exp>),
    /// `[a, b]`
    Array(Vec<Exp>),
    /// `0i64..<n`
    UpTo(Exp),
    /// `f x y`
    App(Exp, Vec<Exp>),
    /// `\x y -> e`
    Lambda(Vec<Pat>, Exp),
    /// `(+)`
    Operator(&'static str),
    /// `(a +)`
    Left(Exp, &'static str),
    /// `(+ b)`
    Right(&'static str, Exp),
    /// `(.0)`
    Field(usize),
    /// `if c then a else b`
    If(Exp, Exp, Exp),
    /// `let p = a in b`
    Let(Pat, Exp, Exp),
    /// `let f x = a in b`
    LetFun(Def, Exp),
    /// `loop p = a for … do b`
    Loop(Pat, Exp, Form, Exp),
    /// `x |> f`
    Pipe(Exp, Exp),
    /// `f <| x`
    PipeLeft(Exp, Exp),
    /// `f >-> g`
    Compose(Exp, Exp),
    /// `(e : t)`
    Ascribe(Exp),
    /// `(e :> t)`
    Coerce(Exp),
    /// `f64.(e)`
    Open(Name, Exp),
}

/// How a loop goes on.
#[derive(Clone, PartialEq, Debug)]
pub enum Form {
    /// `for i < n`
    For(Name, Exp),
    /// `for p in xs`
    In(Pat, Exp),
    /// `while c`
    While(Exp),
}

/// A definition.
#[derive(Clone, PartialEq, Debug)]
pub struct Def {
    /// Its name.
    pub name: Name,
    /// Its size parameters.
    pub sizes: Vec<Name>,
    /// Its type parameters.
    pub types: Vec<Name>,
    /// Its parameters.
    pub params: Vec<Pat>,
    /// Whether the type of the result is written.
    pub typed: bool,
    /// What it computes.
    pub body: Exp,
}

impl Def {
    /// Its type, for names as they are inside.
    pub fn ty(&self) -> Ty {
        Ty::fun(self.params.iter().map(Pat::ty).collect(), self.body.ty.clone())
    }
}

/// A declaration.
#[derive(Clone, PartialEq, Debug)]
pub enum Decl {
    /// `def`
    Def(Def),
    /// `entry`
    Entry(Def),
    /// `module m = { … }`
    Module(Name, Vec<Def>),
}

impl Exp {
    /// An expression of this kind and type.
    pub fn new(kind: Kind, ty: Ty) -> Exp {
        Exp { kind: Box::new(kind), ty }
    }
    /// A variable.
    pub fn var(name: &Name, ty: &Ty) -> Exp {
        Exp::new(Kind::Var(name.clone()), ty.clone())
    }
    /// A function of the prelude, applied.
    pub fn call(f: &str, args: Vec<Exp>, ret: Ty) -> Exp {
        let ty = Ty::fun(args.iter().map(|a| a.ty.clone()).collect(), ret.clone());
        Exp::new(Kind::App(Exp::new(Kind::Var(f.into()), ty), args), ret)
    }
    /// An operator applied.
    pub fn infix(op: &'static str, a: Exp, b: Exp, ty: Ty) -> Exp {
        Exp::new(Kind::Infix(op, a, b), ty)
    }
    /// A literal.
    pub fn lit(x: Scalar) -> Exp {
        Exp::new(Kind::Lit(x), Ty::Scalar(x.scalar_type()))
    }
    /// A tuple; of one, that one.
    pub fn tuple(mut es: Vec<Exp>) -> Exp {
        if es.len() == 1 {
            return es.remove(0);
        }
        let ty = Ty::Tuple(es.iter().map(|e| e.ty.clone()).collect());
        Exp::new(Kind::Tuple(es), ty)
    }
    /// `e.i`
    pub fn project(e: Exp, i: usize) -> Exp {
        let ty = match &e.ty {
            Ty::Tuple(ts) => ts[i].clone(),
            other => other.clone(),
        };
        Exp::new(Kind::Project(e, i), ty)
    }
    /// A function.
    pub fn lambda(params: Vec<Pat>, body: Exp) -> Exp {
        let ty = Ty::fun(params.iter().map(Pat::ty).collect(), body.ty.clone());
        Exp::new(Kind::Lambda(params, body), ty)
    }
    /// `let p = e in body`
    pub fn bind(p: Pat, e: Exp, body: Exp) -> Exp {
        let ty = body.ty.clone();
        Exp::new(Kind::Let(p, e, body), ty)
    }

    /// The expressions directly inside, in the order in which they are written.
    pub fn children(&self) -> Vec<&Exp> {
        match &*self.kind {
            Kind::Lit(_) | Kind::Size(_) | Kind::Var(_) | Kind::Operator(_) | Kind::Field(_) => vec![],
            Kind::Tuple(es) | Kind::Array(es) => es.iter().collect(),
            Kind::Index(e, es) | Kind::App(e, es) => std::iter::once(e).chain(es).collect(),
            Kind::Project(e, _) | Kind::Neg(e) | Kind::Not(e) | Kind::UpTo(e) | Kind::Lambda(_, e) => vec![e],
            Kind::Left(e, _) | Kind::Right(_, e) | Kind::Ascribe(e) | Kind::Coerce(e) | Kind::Open(_, e) => vec![e],
            Kind::Infix(_, a, b) | Kind::Pipe(a, b) | Kind::PipeLeft(a, b) | Kind::Compose(a, b) => vec![a, b],
            Kind::Let(_, a, b) => vec![a, b],
            Kind::LetFun(d, b) => vec![&d.body, b],
            Kind::If(c, a, b) => vec![c, a, b],
            Kind::Loop(_, a, Form::For(_, e) | Form::In(_, e) | Form::While(e), b) => vec![a, e, b],
        }
    }
    /// The same, mutable.
    pub fn children_mut(&mut self) -> Vec<&mut Exp> {
        match &mut *self.kind {
            Kind::Lit(_) | Kind::Size(_) | Kind::Var(_) | Kind::Operator(_) | Kind::Field(_) => vec![],
            Kind::Tuple(es) | Kind::Array(es) => es.iter_mut().collect(),
            Kind::Index(e, es) | Kind::App(e, es) => std::iter::once(e).chain(es).collect(),
            Kind::Project(e, _) | Kind::Neg(e) | Kind::Not(e) | Kind::UpTo(e) | Kind::Lambda(_, e) => vec![e],
            Kind::Left(e, _) | Kind::Right(_, e) | Kind::Ascribe(e) | Kind::Coerce(e) | Kind::Open(_, e) => vec![e],
            Kind::Infix(_, a, b) | Kind::Pipe(a, b) | Kind::PipeLeft(a, b) | Kind::Compose(a, b) => vec![a, b],
            Kind::Let(_, a, b) => vec![a, b],
            Kind::LetFun(d, b) => vec![&mut d.body, b],
            Kind::If(c, a, b) => vec![c, a, b],
            Kind::Loop(_, a, Form::For(_, e) | Form::In(_, e) | Form::While(e), b) => vec![a, e, b],
        }
    }
    /// How many expressions it is made of.
    pub fn size(&self) -> usize {
        1 + self.children().into_iter().map(Exp::size).sum::<usize>()
    }
    /// All of these, in the order in which they are written.
    pub fn all(&self) -> Vec<&Exp> {
        let mut all = vec![self];
        self.children().into_iter().for_each(|c| all.extend(c.all()));
        all
    }
    /// The `i`-th of these, counted from 0.
    pub fn nth(&mut self, i: usize) -> Option<&mut Exp> {
        if i == 0 {
            return Some(self);
        }
        let mut rest = i - 1;
        for c in self.children_mut() {
            let n = c.size();
            if rest < n {
                return c.nth(rest);
            }
            rest -= n;
        }
        None
    }
    /// Whether `f` holds for it or for an expression inside.
    pub fn any(&self, f: &dyn Fn(&Exp) -> bool) -> bool {
        f(self) || self.children().into_iter().any(|c| c.any(f))
    }

    /// The patterns that it binds itself.
    pub fn patterns(&self) -> Vec<&Pat> {
        match &*self.kind {
            Kind::Lambda(ps, _) => ps.iter().collect(),
            Kind::Let(p, ..) | Kind::Loop(p, _, Form::For(..) | Form::While(_), _) => vec![p],
            Kind::Loop(p, _, Form::In(q, _), _) => vec![p, q],
            Kind::LetFun(d, _) => d.params.iter().collect(),
            _ => vec![],
        }
    }

    /// How often a name occurs, in types that are written as well as in expressions.
    pub fn uses(&self, name: &str) -> usize {
        let own = match &*self.kind {
            Kind::Var(n) => (**n == *name) as usize,
            Kind::Ascribe(e) | Kind::Coerce(e) => in_type(&self.ty, name).max(in_type(&e.ty, name)),
            Kind::LetFun(d, _) if d.typed => in_type(&d.body.ty, name),
            _ => 0,
        };
        let patterns: usize = self.patterns().into_iter().flat_map(Pat::names).map(|(_, t)| in_type(&t, name)).sum();
        own + patterns + self.children().into_iter().map(|c| c.uses(name)).sum::<usize>()
    }

    /// The variables in it that are not bound in it, each once, with their types; sizes in types that are written are among them.
    pub fn free(&self) -> Vec<(Name, Ty)> {
        let (mut used, mut bound) = (Vec::new(), Vec::new());
        self.walk(&mut used, &mut bound);
        let mut free: Vec<(Name, Ty)> = Vec::new();
        for (n, t) in used {
            if !n.contains('.') && !bound.contains(&n) && !free.iter().any(|(m, _)| *m == n) {
                free.push((n, t));
            }
        }
        free
    }

    fn walk(&self, used: &mut Vec<(Name, Ty)>, bound: &mut Vec<Name>) {
        let sizes = |t: &Ty, used: &mut Vec<(Name, Ty)>| {
            let mut names = Vec::new();
            t.size_names(&mut names);
            used.extend(names.into_iter().map(|n| (n, Ty::I64)));
        };
        match &*self.kind {
            Kind::Var(n) => used.push((n.clone(), self.ty.clone())),
            Kind::Loop(_, _, Form::For(i, _), _) => bound.push(i.clone()),
            Kind::LetFun(d, _) => {
                bound.push(d.name.clone());
                bound.extend(d.sizes.iter().cloned());
                sizes(&d.body.ty, used);
            }
            Kind::Ascribe(_) | Kind::Coerce(_) => sizes(&self.ty, used),
            _ => {}
        }
        for p in self.patterns() {
            for (n, t) in p.names() {
                bound.push(n);
                sizes(&t, used);
            }
        }
        self.children().into_iter().for_each(|c| c.walk(used, bound));
    }

    /// Expressions for variables.
    pub fn replace(&mut self, with: &HashMap<Name, Exp>) {
        if let Kind::Var(n) = &*self.kind
            && let Some(e) = with.get(n)
        {
            *self = e.clone();
            return;
        }
        self.children_mut().into_iter().for_each(|c| c.replace(with));
    }

    /// Sizes and types for names, in every type; sizes also where they are used as values.
    pub fn subst(&mut self, s: &Subst) {
        self.ty = self.ty.subst(s);
        if let Kind::Var(n) = &*self.kind
            && let Some(size) = s.sizes.get(n)
        {
            *self = size.exp();
            return;
        }
        self.each_pattern(&mut |_, t| *t = t.subst(s));
        self.children_mut().into_iter().for_each(|c| c.subst(s));
    }

    fn each_pattern(&mut self, f: &mut dyn FnMut(&mut Name, &mut Ty)) {
        match &mut *self.kind {
            Kind::Lambda(ps, _) => ps.iter_mut().for_each(|p| p.each(f)),
            Kind::Let(p, ..) => p.each(f),
            Kind::LetFun(d, _) => d.params.iter_mut().for_each(|p| p.each(f)),
            Kind::Loop(p, _, form, _) => {
                p.each(f);
                if let Form::In(q, _) = form {
                    q.each(f);
                }
            }
            _ => {}
        }
    }

    /// A copy that binds other names.
    pub fn copy(&self, fresh: &mut dyn FnMut(&str) -> Name) -> Exp {
        let mut names = HashMap::default();
        self.bound(&mut |n| {
            names.insert(n.clone(), fresh(n));
        });
        let mut copy = self.clone();
        copy.rename(&names);
        copy
    }

    /// Shows `f` every name that it binds.
    pub(super) fn bound(&self, f: &mut dyn FnMut(&Name)) {
        self.patterns().into_iter().flat_map(Pat::names).for_each(|(n, _)| f(&n));
        match &*self.kind {
            Kind::Loop(_, _, Form::For(i, _), _) => f(i),
            Kind::LetFun(d, _) => {
                f(&d.name);
                d.sizes.iter().for_each(&mut *f);
            }
            _ => {}
        }
        self.children().into_iter().for_each(|c| c.bound(f));
    }

    /// Other names, wherever they stand.
    pub fn rename(&mut self, names: &HashMap<Name, Name>) {
        let to_size = |(a, b): (&Name, &Name)| (a.clone(), Size::Name(b.clone()));
        let sizes = Subst { sizes: names.iter().map(to_size).collect(), types: HashMap::default() };
        self.rename_with(names, &sizes);
    }

    fn rename_with(&mut self, names: &HashMap<Name, Name>, sizes: &Subst) {
        let new = |n: &mut Name| {
            if let Some(m) = names.get(n) {
                *n = m.clone();
            }
        };
        self.ty = self.ty.subst(sizes);
        self.each_pattern(&mut |n, t| {
            new(n);
            *t = t.subst(sizes);
        });
        match &mut *self.kind {
            Kind::Var(n) => new(n),
            Kind::Loop(_, _, Form::For(i, _), _) => new(i),
            Kind::LetFun(d, _) => {
                new(&mut d.name);
                d.sizes.iter_mut().for_each(new);
            }
            _ => {}
        }
        self.children_mut().into_iter().for_each(|c| c.rename_with(names, sizes));
    }
}

fn in_type(t: &Ty, name: &str) -> usize {
    let mut names = Vec::new();
    t.size_names(&mut names);
    names.iter().filter(|n| ***n == *name).count()
}

impl Def {
    /// Other names, wherever they stand.
    pub fn rename(&mut self, names: &HashMap<Name, Name>) {
        let unit = Exp::lit(Scalar::Bool(true));
        // as a local function, which has the same parts
        let mut wrapped = Exp::new(Kind::LetFun(self.clone(), unit), Ty::BOOL);
        wrapped.rename(names);
        if let Kind::LetFun(d, _) = *wrapped.kind {
            *self = d;
        }
    }
}
