//! Random programs of the IR: well-typed, of every node, with hardly any dead code, and an input for each.
//!
//! [`program`] makes one, by a seed. Half of those of [`Profile::Everything`] are smooth: differentiable functions of their float parameters that are
//! well-conditioned at the arguments, through any node. The others have any scalar types and operators, and are defined to the bit. The map: `maker` has
//! the state and what all constructs need, `scope` what can be used where, `weights` the table of constructs; a file for each group of these.

mod arrays;
mod control;
mod derivatives;
mod draw;
mod irregular;
mod maker;
mod operators;
mod parallel;
mod rows;
mod scalars;
mod scope;
mod segments;
mod soacs;
#[cfg(test)]
mod tests;
mod weights;
mod writes;

pub use weights::{UnknownConstruct, Weights};

use super::{ENTRY, Generated};
use crate::random::rebuilt;
use futi_core::hash::HashMap;
use futi_core::ir::build::{Builder, Vars, substitute_type};
use futi_core::ir::visit::{VisitMut, walk_stm_mut};
use futi_core::ir::*;
use futi_core::value::Value;
use maker::Maker;
use scope::{Scope, Val};

/// What programs are for.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum Profile {
    /// All nodes, types and operators; half of the programs are smooth.
    Everything,
    /// Smooth, of what the transformations `vjp` and `jvp` have rules for.
    Differentiable,
    /// Of what the Vulkan backend compiles, and small: each kernel costs it a compilation.
    Vulkan,
}

impl Profile {
    /// All of them.
    pub const ALL: [Profile; 3] = [Profile::Everything, Profile::Differentiable, Profile::Vulkan];
    /// The name on command lines.
    pub fn name(self) -> &'static str {
        match self {
            Profile::Everything => "everything",
            Profile::Differentiable => "differentiable",
            Profile::Vulkan => "vulkan",
        }
    }
}

/// How many programs of a hundred fail on purpose.
const FAILING: usize = 3;
/// How many programs of a hundred have a size of zero.
const EMPTY: usize = 9;
/// How many wild programs of a hundred have float parameters, so that derivatives of anything are compared.
const WILD_FLOATS: usize = 25;

/// The program of a seed; 10 is a size for programs of a few dozen statements. The same arguments give the same program on every machine.
pub fn program(profile: Profile, weights: &Weights, size: usize, seed: u64) -> Generated {
    let mut m = Maker::new(profile, weights, size, seed);
    let mut vars = Vars::default();
    let (params, args) = parameters(&mut m, &mut vars);
    let mut scope = Scope::default();
    for p in &params.all {
        let bound = if p.binder.ty.is_float() { 1.5 } else { 8.0 };
        let item = scope.add(&vars, p.binder.var, bound);
        item.own = p.unique;
    }
    scope.items[..params.sizes].iter_mut().for_each(|i| i.used = true);
    let mut b = Builder::new(&mut vars, Prov::UNKNOWN);
    let count = match profile {
        Profile::Vulkan => 2 + m.draw.below(1 + size / 3),
        _ => 2 + m.draw.below(1 + size / 2),
    };
    let first = m.draw.below(count + 1);
    m.body(&mut b, &mut scope, 3, first);
    let fails = m.draw.chance(FAILING);
    let relying = fails.then(|| parallel::failure(&mut m, &mut b, &mut scope)).flatten();
    m.body(&mut b, &mut scope, 3, count - first);
    let mut result = results(&mut m, &mut b, &mut scope);
    // a failure may be dropped with a dead value: this one is not dead
    result.extend(relying.map(SubExp::Var));
    let stms = b.stms;
    let main = main(&mut vars, params, Body { stms, result });
    let mut program = Program { funs: [vec![main], m.funs].concat(), prov: ProvTable::default() };
    place(&mut program);
    Generated { program, args }
}

/// The parameters of the entry point.
struct Params {
    /// The sizes first.
    all: Vec<FunParam>,
    sizes: usize,
}

/// Parameters and their values.
fn parameters(m: &mut Maker, vars: &mut Vars) -> (Params, Vec<Value>) {
    let wild_floats = m.smooth || m.draw.chance(WILD_FLOATS);
    // integers have tangents by conversion
    m.differentiated = wild_floats && !m.smooth;
    let special = !m.smooth && m.draw.chance(15);
    let empty = m.draw.chance(EMPTY);
    let sizes = 1 + usize::from(m.draw.chance(30));
    let mut all = Vec::new();
    let mut args = Vec::new();
    for k in 0..sizes {
        let n = if empty && k == 0 { 0 } else { m.draw.pick(&[1, 2, 2, 3, 3, 3, 4, 4, 5, 7]) };
        let binder = vars.fresh(["n", "k"][k], Type::I64);
        m.sizes.insert(binder.var, n);
        m.dims.push(Dim::Var(binder.var));
        args.push(Value::Scalar(Scalar::I64(n)));
        all.push(FunParam { binder, unique: false });
    }
    let own = m.dims.clone();
    m.dims.extend([Dim::Const(2), Dim::Const(3)]);
    if m.draw.chance(15) {
        m.dims.push(Dim::Const(if m.draw.chance(25) { 0 } else { 1 }));
    }
    let elems: Vec<ScalarType> = m.elems.iter().copied().filter(|t| wild_floats || !t.is_float()).collect();
    let mut types: Vec<Type> = Vec::new();
    for d in &own {
        // each size is that of an array
        let elem = if m.smooth { m.float_elem() } else { m.draw.pick(&elems) };
        let mut shape = vec![*d];
        if m.draw.chance(25) {
            let other = m.dim();
            shape.insert(m.draw.below(2), other);
        }
        types.push(Type::Scalar(elem).array_of(&shape));
    }
    for _ in 0..m.draw.below(4) {
        let ty = m.ty();
        let elem = ty.elem().filter(|t| elems.contains(t)).unwrap_or(ScalarType::I64);
        types.push(Type::Scalar(elem).array_of(ty.shape()));
    }
    for ty in types {
        let shape: Vec<usize> = ty.shape().iter().map(|d| m.size(*d).unwrap_or(0) as usize).collect();
        let elem = ty.elem().unwrap_or(ScalarType::I64);
        let count = shape.iter().product::<usize>();
        let elements: Vec<Scalar> = (0..count).map(|_| argument(m, elem, special)).collect();
        args.push(rebuilt(elem, &shape, elements.into_iter()));
        let unique = ty.rank() > 0 && m.draw.chance(12);
        all.push(FunParam { binder: vars.fresh("arg", ty), unique });
    }
    (Params { all, sizes }, args)
}

/// One element of an argument: in smooth programs a float of magnitude up to 1.5, hardly ever near zero.
fn argument(m: &mut Maker, t: ScalarType, special: bool) -> Scalar {
    if !(m.smooth && t.is_float()) {
        return m.draw.any(t, special);
    }
    if m.draw.chance(1) {
        return t.zero();
    }
    let x = 0.1 + 1.4 * m.draw.unit();
    Scalar::from_f64(t, if m.draw.chance(50) { x } else { -x })
}

/// The results: what has not been used, up to a few; the rest is added to them.
fn results(m: &mut Maker, b: &mut Builder, scope: &mut Scope) -> Vec<SubExp> {
    let most = 1 + m.draw.below(4);
    let smooth = m.smooth;
    let wanted = |i: &scope::Item| !i.used && (!smooth || i.ty.is_float());
    let mut chosen: Vec<Val> = Vec::new();
    for k in (0..scope.items.len()).rev() {
        if chosen.len() < most && wanted(&scope.items[k]) {
            scope.items[k].used = true;
            chosen.push(Val { e: scope.items[k].e, bound: scope.items[k].bound });
        }
    }
    let float = |b: &Builder, v: &Val| b.vars.type_of(v.e).is_float();
    if chosen.is_empty() || smooth && !chosen.iter().any(|v| float(b, v)) {
        let elem = if smooth { m.float_elem() } else { m.elem() };
        chosen.push(m.value(b, scope, &Type::Scalar(elem)));
    }
    m.absorb(b, scope, &mut chosen);
    // now and then what is of no interest to derivatives
    if let Some(val) = m.find(scope, |i| !i.used && i.ty.elem().is_some()) {
        chosen.push(val);
    }
    chosen.into_iter().map(|v| v.e).collect()
}

/// The entry point: sizes that the results have and the parameters have not come before them.
fn main(vars: &mut Vars, params: Params, mut body: Body) -> Fun {
    let given: Vec<Var> = params.all.iter().map(|p| p.binder.var).collect();
    let types: Vec<Type> = body.result.iter().map(|e| vars.type_of(*e)).collect();
    let mut subst = HashMap::default();
    let (mut results, mut sizes) = (Vec::new(), Vec::new());
    for d in types.iter().flat_map(|t| t.shape()) {
        if let Dim::Var(v) = *d
            && !given.contains(&v)
            && !subst.contains_key(&v)
        {
            let binder = vars.fresh("m", Type::I64);
            subst.insert(v, SubExp::Var(binder.var));
            results.push(FunResult { binder, unique: false });
            sizes.push(SubExp::Var(v));
        }
    }
    let source: Vec<EntryType> = types.iter().map(|t| source_type(t, &params.all)).collect();
    for t in types {
        let ty = substitute_type(&t, &subst);
        results.push(FunResult { binder: vars.fresh("r", ty), unique: false });
    }
    body.result.splice(0..0, sizes);
    let result = if source.len() == 1 { source[0].clone() } else { EntryType::Tuple(source) };
    let outside = params.all[params.sizes..].iter().enumerate().map(|(i, p)| EntryParam {
        name: Name::from(format!("x{i}").as_str()),
        ty: source_type(&p.binder.ty, &params.all),
    });
    let entry = EntrySig { sizes: params.sizes, params: outside.collect(), result };
    Fun { name: ENTRY.into(), entry: Some(entry), params: params.all, results, body }
}

fn source_type(t: &Type, params: &[FunParam]) -> EntryType {
    let elem = EntryType::Scalar(t.elem().unwrap_or(ScalarType::I64));
    let name = |d: &Dim| match d {
        Dim::Const(n) => Name::from(n.to_string().as_str()),
        Dim::Var(v) => params.iter().find(|p| p.binder.var == *v).map_or("".into(), |p| p.binder.name.clone()),
    };
    match t.rank() {
        0 => elem,
        _ => EntryType::Array(t.shape().iter().map(name).collect(), Box::new(elem)),
    }
}

/// Gives each statement a place of its own in a file that does not exist.
fn place(program: &mut Program) {
    struct Place {
        prov: ProvTable,
        file: u32,
        at: u32,
    }
    impl VisitMut for Place {
        fn stm(&mut self, stm: &mut Stm) {
            let (file, start) = (self.file, self.at);
            self.at += 10;
            stm.prov = self.prov.intern(ProvNode::Span { file, start, end: start + 9 });
            walk_stm_mut(self, stm);
        }
    }
    let mut prov = ProvTable::default();
    let file = prov.file("generated");
    let mut place = Place { prov, file, at: 0 };
    program.funs.iter_mut().for_each(|f| place.body(&mut f.body));
    program.prov = place.prov;
}
