//! Rewrites of source programs that change no result and no derivative, up to the order in which adjoints are summed.
//!
//! Interpreter, passes and backends share the front end, so no comparison between them sees its mistakes. Two programs that must mean the same do.

mod arrays;
mod bindings;
mod functions;
mod whole;

pub(super) use functions::may_open;

use super::SourceProgram;
use super::ast::*;
use super::make::Signature;
use super::places_in;
use crate::random::Rng;
use futi_core::hash::HashMap;
use std::rc::Rc;

/// A kind of rewrite.
pub struct Rule {
    /// Its name.
    pub name: &'static str,
    /// Whether it may leave an expression unevaluated that was evaluated before: a failure may be gone.
    pub lazy: bool,
    how: How,
}

enum How {
    /// Of an expression.
    At(fn(&mut Context, &Exp) -> Option<Exp>),
    /// Of the program.
    Whole(fn(&mut Context, &SourceProgram) -> Option<SourceProgram>),
}

const fn at(name: &'static str, f: fn(&mut Context, &Exp) -> Option<Exp>) -> Rule {
    Rule { name, lazy: false, how: How::At(f) }
}
const fn lazy(name: &'static str, f: fn(&mut Context, &Exp) -> Option<Exp>) -> Rule {
    Rule { name, lazy: true, how: How::At(f) }
}
const fn whole(name: &'static str, f: fn(&mut Context, &SourceProgram) -> Option<SourceProgram>) -> Rule {
    Rule { name, lazy: false, how: How::Whole(f) }
}

/// All kinds.
pub const RULES: &[Rule] = &[
    at("eta-expand", functions::eta),
    at("beta-expand", functions::beta_expand),
    at("beta-reduce", functions::beta_reduce),
    at("let to application", functions::let_to_application),
    at("abstract a local function", functions::abstract_local),
    at("abstract a definition", functions::abstract_definition),
    at("inline a definition", functions::inline),
    lazy("inline a local function", functions::inline_local),
    at("specialise a definition", functions::specialise),
    at("section to lambda", functions::section_to_lambda),
    at("lambda to section", functions::lambda_to_section),
    at("operator to function", functions::operator_to_function),
    at("application to pipe", functions::application_to_pipe),
    at("pipe to application", functions::pipe_to_application),
    at("apply one by one", functions::apply_one_by_one),
    at("parameters to tuple", functions::parameters_to_tuple),
    at("open a module", functions::open),
    at("let-abstract", bindings::abstract_let),
    lazy("inline a let", bindings::inline_let),
    at("swap lets", bindings::swap_lets),
    at("name a tuple", bindings::name_tuple),
    at("take a tuple apart", bindings::tuple_apart),
    at("nest a tuple", bindings::nest_tuple),
    at("tuple to variables", bindings::tuple_to_variables),
    at("if true", bindings::if_true),
    at("negate a condition", bindings::negate_condition),
    at("ascribe", bindings::ascribe),
    at("coerce", bindings::coerce),
    at("leave out an ascription", bindings::leave_ascription),
    at("split a map", arrays::split_map),
    at("merge maps", arrays::merge_maps),
    at("map to loop", arrays::map_to_loop),
    at("map to tabulate", arrays::map_to_tabulate),
    at("map of zipped arrays", arrays::map_of_zip),
    at("reduce to loop", arrays::reduce_to_loop),
    at("for to while", arrays::for_to_while),
    at("elements to indices", arrays::elements_to_indices),
    whole("rename", whole::rename),
    whole("parentheses", whole::parentheses),
    whole("definition into module", whole::into_module),
    whole("definitions out of module", whole::out_of_module),
];

/// What a rewrite may look at, and where it leaves new definitions.
pub struct Context<'p> {
    rng: Rng,
    next: usize,
    /// The definitions that can be called here, by the name that they have here.
    defs: Rc<HashMap<Name, &'p Def>>,
    /// Definitions to be put before the one that is being rewritten.
    new: Vec<Def>,
}

/// Functions of the prelude whose first argument, or arguments, say how large the result is: these have to stay as they are.
const SIZED: [&str; 5] = ["iota", "replicate", "tabulate", "tabulate_2d", "take"];

/// The functions of the prelude that generated programs use, without those of modules.
const PRELUDE: [&str; 40] = [
    "iota",
    "replicate",
    "tabulate",
    "tabulate_2d",
    "take",
    "map",
    "map2",
    "map3",
    "zip",
    "zip3",
    "unzip",
    "reduce",
    "reduce_comm",
    "scan",
    "transpose",
    "flatten",
    "unflatten",
    "reverse",
    "rotate",
    "head",
    "last",
    "length",
    "foldl",
    "foldr",
    "all",
    "any",
    "uncurry",
    "curry",
    "flip",
    "id",
    "iterate",
    "jvp",
    "vjp",
    "jvp2",
    "vjp2",
    "indices",
    "copy",
    "concat",
    "and",
    "or",
];

impl Context<'_> {
    fn new(p: &SourceProgram, rng: Rng) -> Context<'_> {
        let mut next = 0;
        let mut see = |n: &Name| {
            let digits: String = n.chars().rev().skip_while(|c| *c == '\'').take_while(char::is_ascii_digit).collect();
            let number: String = digits.chars().rev().collect();
            next = next.max(number.parse::<usize>().map_or(0, |n| n + 1));
        };
        for d in p.defs() {
            see(&d.name);
            d.sizes.iter().for_each(&mut see);
            d.params.iter().flat_map(Pat::names).for_each(|(n, _)| see(&n));
            d.body.bound(&mut see);
        }
        for d in &p.decls {
            if let Decl::Module(m, _) = d {
                see(m);
            }
        }
        Context { rng, next, defs: Rc::default(), new: Vec::new() }
    }

    fn fresh(&mut self, base: &str) -> Name {
        self.next += 1;
        format!("{}{}", base.trim_end_matches(|c: char| c.is_ascii_digit() || c == '\''), self.next).into()
    }

    fn roll(&mut self, n: usize) -> usize {
        (self.rng.bits() % n.max(1) as u64) as usize
    }

    fn copy(&mut self, e: &Exp) -> Exp {
        e.copy(&mut |n| self.fresh(n))
    }

    /// A pattern that is a new name.
    fn param(&mut self, t: &Ty) -> Pat {
        Pat::Name(self.fresh("x"), t.clone(), true)
    }

    /// Whether the arguments of a function say how large its result is.
    fn is_sized(&self, f: &Exp) -> bool {
        match &*f.kind {
            Kind::Var(n) => SIZED.contains(&&**n) || self.defs.get(n).is_some_and(|d| is_dependent(d)),
            Kind::App(f, _) => self.is_sized(f),
            _ => false,
        }
    }
}

/// Whether types in a definition mention its own parameters.
fn is_dependent(d: &Def) -> bool {
    let mut sizes = Vec::new();
    d.ty().size_names(&mut sizes);
    d.params.iter().flat_map(Pat::names).any(|(n, _)| sizes.contains(&n))
}

fn signature(name: &Name, d: &Def) -> Signature {
    let params = d.params.iter().map(Pat::ty).collect();
    let (sizes, types, ret) = (d.sizes.clone(), d.types.clone(), d.body.ty.clone());
    Signature { name: name.clone(), sizes, types, params, ret }
}

/// Whether a name occurs in a type inside, written or not.
fn in_types(e: &Exp, name: &Name) -> bool {
    let mentions = |t: &Ty| {
        let mut names = Vec::new();
        t.size_names(&mut names);
        names.contains(name)
    };
    e.any(&|e| mentions(&e.ty) || e.patterns().into_iter().flat_map(Pat::names).any(|(_, t)| mentions(&t)))
}

/// A value, not a function.
fn is_value(t: &Ty) -> bool {
    !t.any(&|t| matches!(t, Ty::Fun(..)))
}

/// Whether all expressions directly inside are evaluated, once, before the expression itself.
fn is_strict(e: &Exp) -> bool {
    match &*e.kind {
        Kind::Infix(op, ..) => !matches!(*op, "&&" | "||"),
        Kind::App(..) | Kind::Tuple(_) | Kind::Project(..) | Kind::Index(..) | Kind::Array(_) => true,
        Kind::Neg(_) | Kind::Not(_) => true,
        _ => false,
    }
}

/// Applies a rule somewhere; none if it applies nowhere. Where, and how, follows from the seed.
pub fn apply<'p>(rule: &Rule, p: &'p SourceProgram, seed: u64) -> Option<SourceProgram> {
    let mut context = Context::new(p, Rng::new(seed, rule.name));
    let f = match rule.how {
        How::Whole(f) => return f(&mut context, p),
        How::At(f) => f,
    };
    let mut places: Vec<(usize, Option<usize>, usize, &Exp)> = Vec::new();
    for (d, decl) in p.decls.iter().enumerate() {
        let mut add = |inner: Option<usize>, def: &'p Def| {
            let (mut here, all) = (Vec::new(), def.body.all());
            places_in(&def.body, true, &mut 0, &mut here);
            places.extend(here.into_iter().map(|i| (d, inner, i, all[i])));
        };
        match decl {
            Decl::Def(def) | Decl::Entry(def) => add(None, def),
            Decl::Module(_, defs) => defs.iter().enumerate().for_each(|(i, def)| add(Some(i), def)),
        }
    }
    let mut seen: HashMap<usize, Rc<HashMap<Name, &Def>>> = HashMap::default();
    while !places.is_empty() {
        let (d, inner, i, place) = places.swap_remove(context.roll(places.len()));
        context.defs = seen.entry(d).or_insert_with(|| visible(&p.decls[..d]).into()).clone();
        if let Some(e) = f(&mut context, place) {
            let mut q = p.clone();
            let def = match (&mut q.decls[d], inner) {
                (Decl::Def(def) | Decl::Entry(def), _) => def,
                (Decl::Module(_, defs), inner) => &mut defs[inner.unwrap_or(0)],
            };
            *def.body.nth(i)? = e;
            let new = std::mem::take(&mut context.new);
            q.decls.splice(d..d, new.into_iter().map(Decl::Def));
            return Some(q);
        }
        context.new.clear();
    }
    None
}

/// The definitions of these declarations by the names that they have behind them.
fn visible(decls: &[Decl]) -> HashMap<Name, &Def> {
    let mut defs = HashMap::default();
    for d in decls {
        match d {
            Decl::Def(d) | Decl::Entry(d) => {
                defs.insert(d.name.clone(), d);
            }
            Decl::Module(m, ds) => {
                defs.extend(ds.iter().map(|d| (Name::from(format!("{m}.{}", d.name)), d)));
            }
        }
    }
    defs
}

/// So many rewrites in a row, each of a random kind, at a random place; with the kinds, in order.
pub fn rewritten(p: &SourceProgram, steps: usize, seed: u64) -> (SourceProgram, Vec<&'static Rule>) {
    let mut rng = Rng::new(seed, "rewrites");
    let (mut p, mut done) = (p.clone(), Vec::new());
    for _ in 0..steps {
        // a rule that applies nowhere is no step
        for _ in 0..8 {
            let rule = &RULES[(rng.bits() % RULES.len() as u64) as usize];
            if let Some(q) = apply(rule, &p, rng.bits()).filter(|q| q.size() < 4000) {
                (p, _) = (q, done.push(rule));
                break;
            }
        }
    }
    (p, done)
}
