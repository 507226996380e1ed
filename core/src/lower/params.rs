//! Parameters, results and calls of the IR functions that definitions become.
//!
//! Note [Computed sizes]: a parameter may have a size that is computed, as in `f [n] (xs: [2 * n]i32)`. Parameters of the IR have sizes that are parameters
//! before them, so each such size becomes one more, behind the size parameters of the definition. The function begins by checking that the array has as
//! many elements as its type says.

use super::asked::size_names;
use super::value::{Inst, Scope, Shape, Val};
use super::{Lowerer, marked};
use crate::hash::HashMap;
use crate::ir::visit::substitute;
use crate::ir::*;
use crate::types::ty::Size;
use crate::types::typed::{Def, PatKind, Unique};

/// Which dimensions of the operands of a function's parameters are operands of their own, before them: numbers of the operand and of the dimension. See
/// Note [Computed sizes].
pub type Computed = Vec<(usize, usize)>;

/// The results of an IR function: sizes that only a call brings up, then open dimensions, then the leaves of the value.
pub struct Results {
    pub binders: Vec<Binder>,
    /// The value's, over these sizes and dimensions.
    pub shape: Shape,
    unknown: Vec<Size>,
    /// Where the open dimensions are: numbers of the leaf and of the dimension.
    opens: Vec<(usize, usize)>,
}

impl Lowerer<'_> {
    /// Makes parameters for those of a definition, and binds their names: the parameters for computed sizes, then those for values. `args` are values with
    /// functions in them, if there are such: functions are no parameters.
    pub fn parameters(&mut self, fun: &Name, def: &Def, args: Option<&[Val]>, scope: &mut Scope) -> Vec<FunParam> {
        let (mut sizes, mut values, mut computed) = (Vec::new(), Vec::new(), Vec::new());
        for (i, pat) in def.params.iter().enumerate() {
            let shape = self.shape(&pat.ty, scope);
            computed.extend(shape.opens().into_iter().map(|(_, k, d)| (values.len() + k, d)));
            let (opens, shape) = self.named_opens(&shape);
            sizes.extend(opens);
            let base = if let PatKind::Name(id) = &pat.kind { id.name.clone() } else { "p".into() };
            let mut types = shape.leaves();
            let mut own: HashMap<Var, SubExp> = HashMap::default();
            for (k, ty) in types.iter().enumerate() {
                for (d, dim) in ty.shape().iter().enumerate() {
                    if let Dim::Var(v) = *dim
                        && !own.contains_key(&v)
                        && self.is_made_here(v)
                    {
                        let binder = self.vars.fresh("n", Type::I64);
                        own.insert(v, binder.var.into());
                        computed.push((values.len() + k, d));
                        sizes.push(binder);
                    }
                }
            }
            types.iter_mut().for_each(|ty| substitute(ty, &own));
            let mut binders: Vec<Binder> = types.into_iter().map(|t| self.vars.fresh(&*base, t)).collect();
            let mut operands = binders.iter().map(|b| SubExp::from(b.var));
            let value = match args {
                Some(args) => {
                    let value = args[i].with(&mut operands);
                    drop(operands);
                    self.accumulators_of(&mut binders, &args[i].leaves());
                    value
                }
                None => shape.value(&mut operands),
            };
            if !def.entry {
                self.asked.are_unsure(&binders);
            }
            let value = if own.is_empty() { value } else { self.coerce(value, &shape) };
            self.bind_pattern(pat, value.clone(), scope);
            self.ask(&size_names(def), &pat.ty, &value, scope);
            let marks = match args {
                // a function that is made for a call consumes nothing of it
                Some(_) => vec![false; binders.len()],
                None => marked(def.consumes.get(i).unwrap_or(&Unique::No), &pat.ty, self.env),
            };
            values.extend(binders.into_iter().zip(marks).map(|(binder, unique)| FunParam { binder, unique }));
        }
        self.computed.insert(fun.clone(), computed);
        sizes.into_iter().map(|binder| FunParam { binder, unique: false }).chain(values).collect()
    }

    /// Whether a statement of the function that is being made binds the variable.
    fn is_made_here(&self, v: Var) -> bool {
        self.stms.iter().any(|s| s.pat.iter().any(|b| b.var == v)) || self.asked.is_asked_here(v)
    }

    /// The results of a function whose parameters `scope` binds, and its body, which consists of what has been made so far and of the definition's.
    pub fn results_and_body(&mut self, def: &Def, scope: &Scope) -> (Vec<FunResult>, Body) {
        let parameters = std::mem::take(&mut self.stms);
        self.asked.open();
        let mut inside = scope.clone();
        let value = self.expr(&def.body, &mut inside);
        let Results { binders: results, shape, unknown, opens } = self.result_binders(def, scope);
        // of what several arrays share, the first says what it is; of what none shows, the scope does
        let own = self.sizes_of(&def.body.ty, &value, scope);
        let mut found = HashMap::default();
        for (binder, size) in results.iter().zip(&unknown) {
            let dim = match own.iter().find(|(s, _)| s == size) {
                Some((_, dim)) => *dim,
                None => self.known_dim(size, &mut inside).unwrap_or(Dim::Const(0)),
            };
            found.insert(binder.var, dim);
        }
        let leaves = value.leaves();
        for (binder, (k, d)) in results[unknown.len()..].iter().zip(&opens) {
            found.insert(binder.var, self.vars.type_of(leaves[*k]).shape()[*d]);
        }
        let unknown = unknown.len() + opens.len();
        let of = |dim: Dim| if let Dim::Var(v) = dim { found.get(&v).copied().unwrap_or(dim) } else { dim };
        let value = self.coerce(value, &shape.map(&of));
        let sizes = results[..unknown].iter().map(|b| SubExp::from(found[&b.var]));
        let result = sizes.chain(value.leaves()).collect();
        let own = std::mem::take(&mut self.stms);
        let own = self.asked.close(own);
        let stms = self.asked.close(parameters).into_iter().chain(own).collect();
        let fresh = marked(def.fresh.as_ref().unwrap_or(&Unique::No), &def.body.ty, self.env);
        // there are none for what type parameters stand for: no result of an instance is marked
        let fresh = std::iter::repeat_n(false, unknown).chain(fresh).chain(std::iter::repeat(false));
        let results = results.into_iter().zip(fresh).map(|(binder, unique)| FunResult { binder, unique }).collect();
        (results, Body { stms, result })
    }

    /// A call of the function of a definition, whose type parameters stand for `insts`, with these arguments and these further operands.
    pub fn call_made(
        &mut self,
        fun: Name,
        def: &Def,
        mut scope: Scope,
        insts: &[Inst],
        args: Vec<Val>,
        more: Vec<SubExp>,
    ) -> Val {
        let sizes = insts.iter().filter_map(|i| if let Inst::Size(d) = i { d.map(SubExp::from) } else { None });
        let mut operands: Vec<SubExp> = sizes.collect();
        let mut leaves = Vec::new();
        for (pat, arg) in def.params.iter().zip(args) {
            let shape = self.shape(&pat.ty, &mut scope);
            let arg = self.coerce(arg, &shape);
            leaves.extend(arg.leaves());
            self.bind_pattern(pat, arg, &mut scope);
        }
        let computed = self.computed.get(&fun).cloned().unwrap_or_default();
        operands.extend(computed.into_iter().map(|(k, d)| SubExp::from(self.vars.type_of(leaves[k]).shape()[d])));
        operands.extend(leaves);
        operands.extend(more);
        let Results { binders: pat, shape, unknown, opens } = self.result_binders(def, &scope);
        let results: Vec<SubExp> = pat[unknown.len() + opens.len()..].iter().map(|b| b.var.into()).collect();
        self.bind(pat, Exp::Apply { fun, args: operands }, Vec::new());
        shape.value(&mut results.into_iter())
    }

    /// The results of a definition in a scope that binds its sizes and parameters.
    pub fn result_binders(&mut self, def: &Def, scope: &Scope) -> Results {
        let mut scope = scope.clone();
        let mut unknown = Vec::new();
        for size in self.sizes_in(&def.body.ty) {
            let known = match &size {
                Size::Const(_) => true,
                Size::Var(id) => scope.values.contains_key(&id.num),
                _ => false,
            };
            if !known && !unknown.contains(&size) {
                unknown.push(size);
            }
        }
        let mut binders = Vec::new();
        for size in &unknown {
            let binder = self.vars.fresh("n", Type::I64);
            scope.sizes.insert(size.clone(), Dim::Var(binder.var));
            binders.push(binder);
        }
        let shape = self.shape(&def.body.ty, &mut scope);
        let opens = shape.opens().into_iter().map(|(_, k, d)| (k, d)).collect();
        let (own, shape) = self.named_opens(&shape);
        binders.extend(own);
        binders.extend(shape.leaves().into_iter().map(|t| self.vars.fresh("r", t)));
        Results { binders, shape, unknown, opens }
    }
}
