//! Statements of sequential code: scalars, checks, branches, loops.

use super::array::{Array, Source};
use super::emit::{Emitted, Emitter, Value};
use super::{Cost, Known, MAX_OPERANDS, Site};
use crate::glsl::{folds_zero, literal, operator, type_name};
use futi_core::ir::*;

impl Emitter<'_> {
    /// Writes the statements; the values of the results.
    pub(super) fn body(&mut self, body: &Body) -> Emitted<Vec<Value>> {
        // What becomes a result without being copied had best be made in the result's place.
        for stm in body.stms.iter().rev() {
            let origins: Vec<Option<Var>> = match &stm.exp {
                Exp::SubExp(e) => vec![e.as_var()],
                Exp::Update { array, .. } => vec![Some(*array)],
                Exp::Loop { params, .. } => params.iter().map(|p| p.init.as_var().filter(|_| p.unique)).collect(),
                _ => continue,
            };
            for (pat, origin) in stm.pat.iter().zip(origins) {
                if let (Some(origin), Some(place)) = (origin, self.places.get(&pat.var).cloned()) {
                    self.places.insert(origin, place);
                }
            }
        }
        body.stms.iter().try_for_each(|stm| self.stm(stm))?;
        body.result.iter().map(|e| self.operand(*e)).collect()
    }

    fn stm(&mut self, stm: &Stm) -> Emitted<()> {
        self.prov = stm.prov;
        match (&stm.exp, &stm.pat[..]) {
            (Exp::SubExp(e), [pat]) => {
                let value = self.operand(*e)?;
                let known = self.known(*e);
                self.learn(pat.var, known);
                self.bind_to(pat, value);
            }
            (Exp::Prim(prim, args), [pat]) => {
                let mut names = self.scalars(args)?;
                names.iter_mut().zip(args).take(folds_zero(*prim)).for_each(|(name, e)| hide_zero(name, *e));
                let names: Vec<&str> = names.iter().map(String::as_str).collect();
                let value = operator(*prim, &names);
                let known: Option<Vec<Known>> = args.iter().map(|e| self.known(*e)).collect();
                self.learn(pat.var, known.map(|args| Known::Op(*prim, args)));
                let ty = prim.signature().map_or(ScalarType::Bool, |(_, result)| result);
                let name = self.declare(ty, "x", &value);
                self.bind(pat.var, Value::Scalar(name));
                self.count();
            }
            (Exp::Index { array, indices }, [pat]) => {
                let array = self.array(*array)?;
                let indices = self.scalars(indices)?;
                let value = self.index(&array, &indices);
                self.bind_to(pat, value);
                self.count();
            }
            (Exp::Update { array, indices, value }, [pat]) => {
                let array = self.array(*array)?;
                let array = if array.is_constant() { self.materialise(&array, Some(pat.var))? } else { array };
                let indices = self.scalars(indices)?;
                let value = self.operand(*value)?;
                self.write(&array, &indices, &value)?;
                self.bind_to(pat, Value::Array(array));
                self.count();
            }
            (Exp::ArrayLit { elems, row }, [pat]) => {
                let Type::Array(elem, shape) = row.array_of(&[Dim::Const(elems.len() as i64)]) else {
                    return Err(self.unsupported("an array literal", "a shape"));
                };
                let array = self.allocate(elem, &shape, Some(pat.var))?;
                for (i, e) in elems.iter().enumerate() {
                    let value = self.operand(*e)?;
                    self.write(&array, &[format!("int64_t({i})")], &value)?;
                }
                self.bind_to(pat, Value::Array(array));
            }
            (Exp::Check(check), _) => self.check(check)?,
            (Exp::If { cond, yes, no }, pats) => self.branch(*cond, yes, no, pats)?,
            (Exp::Loop { params, form, body }, pats) => self.iterate(params, form, body, pats)?,
            (Exp::Screma(screma), pats) => {
                let results = self.screma(screma, pats)?;
                pats.iter().zip(results).for_each(|(pat, value)| self.bind_to(pat, value));
            }
            (Exp::SegOp(seg), pats) => {
                let results = self.nest_as_loops(seg, pats)?;
                pats.iter().zip(results).for_each(|(pat, value)| self.bind_to(pat, value));
            }
            (Exp::WithAcc(with), pats) => {
                let results = self.with_acc(with)?;
                pats.iter().zip(results).for_each(|(pat, value)| self.bind_to(pat, value));
            }
            (Exp::UpdAcc { acc, indices, values }, _) => {
                self.update_acc(*acc, indices, values)?;
                self.count();
            }
            (Exp::Apply { fun, .. }, _) => {
                return Err(self.unsupported(format!("a call of {fun} in a kernel"), "inlining"));
            }
            (Exp::Jvp(_) | Exp::Vjp(_), _) => {
                return Err(self.unsupported("a derivative in a kernel", "its transformation"));
            }
            (exp, [pat]) => {
                let value = self.array_exp(exp, &pat.ty, pat.var)?;
                self.bind_to(pat, value);
            }
            _ => return Err(self.unsupported("a statement of several results", "code for it")),
        }
        Ok(())
    }

    /// A check: where it fails, the failure is noted and the function left.
    fn check(&mut self, check: &Check) -> Emitted<()> {
        let site = Site { check: check.clone(), prov: self.prov };
        let operands = site.operands();
        // mutant: 127 is odd, and checks of more than three operands have an even number: an index or a size, and what it is held against
        if operands.len() > MAX_OPERANDS {
            return Err(self.unsupported("a check of so many operands", "room to report them"));
        }
        let names = self.scalars(&operands)?;
        let zero = |e: &SubExp| match e {
            SubExp::Lit(x) => x.scalar_type(),
            SubExp::Var(v) => self.context.vars.ty(*v).elem().unwrap_or(ScalarType::I64),
        };
        let not_negative = |e: &SubExp, name: &str| format!("{name} >= {}", literal(zero(e).zero()));
        let fine = match check {
            Check::Assert(..) => names[0].clone(),
            Check::Bounds { indices, .. } => {
                let pairs = (0..indices.len()).map(|k| {
                    let (i, n) = (&names[k], &names[k + indices.len()]);
                    format!("{i} >= int64_t(0) && {i} < {n}")
                });
                pairs.collect::<Vec<_>>().join(" && ")
            }
            Check::Slice { .. } => return Err(self.unsupported("a slice", "a kernel for it")),
            Check::SizeEq { actual, .. } => {
                let same = (0..actual.len()).map(|k| format!("{} == {}", names[k], names[k + actual.len()]));
                let same: Vec<String> = same.collect();
                if same.is_empty() { "true".into() } else { same.join(" && ") }
            }
            Check::Shape(_) => countable(&names),
            Check::Made(_) => return Ok(()),
            Check::NonZero(e) => format!("{} != {}", names[0], literal(zero(e).zero())),
            Check::NonNegativeExponent(e) | Check::NonNegativeSize(e) => not_negative(e, &names[0]),
            Check::Range { kind, second, .. } => {
                let (a, c) = (&names[0], &names[names.len() - 1]);
                let step = second.map(|_| &names[1]);
                let (up, down) = (leads(*kind, a, c, step, false), leads(*kind, a, c, step, true));
                match kind {
                    RangeKind::UpTo => up,
                    RangeKind::DownTo => down,
                    RangeKind::Inclusive if second.is_none() => up,
                    RangeKind::Inclusive => format!("({up}) || ({down})"),
                }
            }
        };
        self.sites.push(site);
        let number = self.sites.len();
        self.block(&format!("if (!({fine}))"), |e| {
            e.block(&format!("if (atomicCompSwap(RefU32(failure).v, 0u, {number}u) == 0u)"), |e| {
                for (k, name) in names.iter().enumerate() {
                    e.line(format!("RefI64(failure + {}UL).v = int64_t({name});", 8 * (k + 1)));
                }
                Ok(())
            })?;
            e.line("return;");
            Ok(())
        })
    }

    /// A branch. Its arrays stay where they are: what a result is bound to is a pointer that each branch sets.
    fn branch(&mut self, cond: SubExp, yes: &Body, no: &Body, pats: &[Binder]) -> Emitted<()> {
        let cond = self.scalar(cond)?;
        let mut side = |body: &Body| {
            self.costs.push(Vec::new());
            let result = self.aside(|e| {
                let values = e.body(body)?;
                // Memory for what is in none, so that it can be pointed to.
                let values: Emitted<Vec<Value>> = values
                    .into_iter()
                    .zip(pats)
                    .map(|(value, pat)| match value {
                        Value::Array(array) => {
                            let array = Array { shape: pat.ty.shape().to_vec(), ..array };
                            match array.source {
                                Source::Memory(_) => Ok(Value::Array(array)),
                                Source::Iota { .. } | Source::Fill(_) => {
                                    let shape = inner_shape(body, pat, pats);
                                    let array = Array { shape, ..array };
                                    Ok(Value::Array(e.materialise(&array, None)?))
                                }
                            }
                        }
                        other => Ok(other),
                    })
                    .collect();
                let known: Vec<Option<Known>> = body.result.iter().map(|r| e.known(*r)).collect();
                Ok((values?, known))
            });
            let cost = Cost::Sum(0, self.costs.pop().unwrap_or_default());
            result.map(|(text, (values, known))| (text, values, known, cost))
        };
        let (yes_text, yes_values, yes_known, yes_cost) = side(yes)?;
        let (no_text, no_values, no_known, no_cost) = side(no)?;
        if let Some(costs) = self.costs.last_mut() {
            costs.push(Cost::Max(Box::new(yes_cost), Box::new(no_cost)));
        }
        for (k, pat) in pats.iter().enumerate() {
            self.learn(pat.var, if yes_known[k] == no_known[k] { yes_known[k].clone() } else { None });
        }
        let mut results = Vec::new();
        for (k, pat) in pats.iter().enumerate() {
            let value = match (&yes_values[k], &no_values[k]) {
                (Value::Scalar(_), _) => {
                    let ty = pat.ty.elem().unwrap_or(ScalarType::Bool);
                    let name = self.fresh("x");
                    self.line(format!("{} {name};", type_name(ty)));
                    Value::Scalar(name)
                }
                (Value::Array(a), Value::Array(b)) if a.source == b.source => Value::Array(a.clone()),
                (Value::Array(a), Value::Array(b)) => {
                    let constant = a.is_constant() && b.is_constant();
                    Value::Array(self.pointer(a.elem, &a.shape, constant))
                }
                _ => Value::Unit,
            };
            results.push(value);
        }
        let mut write = |head: &str, text: String, values: &[Value]| {
            self.block(head, |e| {
                e.out.push_str(&text);
                for (result, value) in results.iter().zip(values) {
                    match (result, value) {
                        (Value::Scalar(name), Value::Scalar(value)) => e.line(format!("{name} = {value};")),
                        (Value::Array(result), Value::Array(array)) if result.source != array.source => {
                            e.point_to(result, array)?;
                        }
                        _ => {}
                    }
                }
                Ok(())
            })
        };
        write(&format!("if ({cond})"), yes_text, &yes_values)?;
        write("else", no_text, &no_values)?;
        pats.iter().zip(results).for_each(|(pat, value)| self.bind_to(pat, value));
        Ok(())
    }

    /// A loop. An array that changes has memory of its own, into which each round's result is copied unless it is there already.
    fn iterate(&mut self, params: &[LoopParam], form: &LoopForm, body: &Body, pats: &[Binder]) -> Emitted<()> {
        let mut own = Vec::new();
        for (param, pat) in params.iter().zip(pats) {
            let init = self.operand(param.init)?;
            let binder = &param.binder;
            // A size that changes is known to nobody.
            let position = own.len();
            let stays = body.result[position] == SubExp::Var(binder.var);
            let known = if stays { self.known(param.init) } else { None };
            self.learn(binder.var, known.clone());
            self.learn(pat.var, known);
            let value = match init {
                Value::Scalar(init) if stays => Value::Scalar(init),
                Value::Scalar(init) => {
                    let ty = binder.ty.elem().unwrap_or(ScalarType::Bool);
                    Value::Scalar(self.declare(ty, "x", &init))
                }
                Value::Array(init) if stays => Value::Array(init),
                Value::Array(init) if param.unique && !init.is_constant() => Value::Array(init),
                Value::Array(init) => {
                    let shape = binder.ty.shape().to_vec();
                    Value::Array(self.materialise(&Array { shape, ..init }, Some(pat.var))?)
                }
                Value::Unit => Value::Unit,
            };
            self.bind_to(binder, value.clone());
            own.push(value);
        }
        let head = match form {
            LoopForm::For { index, bound } => {
                let ty = index.ty.elem().unwrap_or(ScalarType::I64);
                let (name, limit) = (self.fresh("k"), self.scalar(*bound)?);
                self.bind(index.var, Value::Scalar(name.clone()));
                let zero = literal(ty.zero());
                format!("for ({} {name} = {zero}; {name} < {limit}; {name}++)", type_name(ty))
            }
            LoopForm::While(cond) => {
                let cond = self.scalar((*cond).into())?;
                format!("while ({cond})")
            }
        };
        self.costs.push(Vec::new());
        self.looped(&head, |e| {
            let results = e.body(body)?;
            e.next_round(params, &own, results)
        })?;
        let rounds = match form {
            LoopForm::For { bound, .. } => self.known(*bound),
            LoopForm::While(_) => None,
        };
        self.close_cost(rounds);
        pats.iter().zip(own).for_each(|(pat, value)| self.bind_to(pat, value));
        Ok(())
    }

    /// Gives loop parameters their next values, all at once.
    fn next_round(&mut self, params: &[LoopParam], own: &[Value], results: Vec<Value>) -> Emitted<()> {
        let mut scalars = Vec::new();
        let mut arrays = Vec::new();
        for ((own, result), param) in own.iter().zip(results).zip(params) {
            match (own, result) {
                (Value::Scalar(name), Value::Scalar(value)) if *name != value => {
                    scalars.push((name, value, param.binder.ty.elem().unwrap_or(ScalarType::Bool)));
                }
                (Value::Array(own), Value::Array(result)) if own.source != result.source => arrays.push((own, result)),
                _ => {}
            }
        }
        // What is another parameter, or may be a view of one, is saved before that one changes.
        let mut next = Vec::new();
        for (name, value, ty) in scalars {
            let is_own = own.iter().any(|o| *o == Value::Scalar(value.clone()));
            next.push((name, if is_own { self.declare(ty, "y", &value) } else { value }));
        }
        let mut moved = Vec::new();
        for (to, result) in arrays {
            let result = Array { shape: to.shape.clone(), ..result };
            let touches = own.iter().any(|o| matches!(o, Value::Array(o) if result.may_touch(o)));
            moved.push((to, if touches { self.materialise(&result, None)? } else { result }));
        }
        for (own, result) in moved {
            self.copy(own, &result)?;
        }
        for (name, value) in next {
            self.line(format!("{name} = {value};"));
        }
        Ok(())
    }
}

/// The shape of a branch's own result: sizes that are results of the branch too stand as what the branch has for them.
fn inner_shape(body: &Body, pat: &Binder, pats: &[Binder]) -> Vec<Dim> {
    let inner = |dim: &Dim| match dim {
        Dim::Var(v) => {
            let position = pats.iter().position(|p| p.var == *v);
            position.and_then(|k| Dim::from_subexp(body.result[k])).unwrap_or(*dim)
        }
        Dim::Const(_) => *dim,
    };
    pat.ty.shape().iter().map(inner).collect()
}

/// Code for whether there are arrays of these sizes: none is negative, and their product does not wrap.
fn countable(sizes: &[String]) -> String {
    let each = |f: &dyn Fn(&String) -> String, by: &str| sizes.iter().map(f).collect::<Vec<_>>().join(by);
    let none_negative = each(&|n| format!("{n} >= int64_t(0)"), " && ");
    let empty = each(&|n| format!("{n} == int64_t(0)"), " || ");
    let fits = |k: usize| format!("{} <= 0x7fffffffffffffffL / ({})", sizes[k], sizes[..k].join(" * "));
    match sizes.len() {
        0 => "true".into(),
        1 => none_negative,
        n => format!("{none_negative} && ({empty} || {})", (1..n).map(fits).collect::<Vec<_>>().join(" && ")),
    }
}

/// Puts a zero that drivers do not see in the place of one that is written.
fn hide_zero(name: &mut String, e: SubExp) {
    if let SubExp::Lit(x @ (Scalar::F32(_) | Scalar::F64(_))) = e
        && x.bits() == 0
    {
        *name = format!("{}(uint(failure >> 63))", type_name(x.scalar_type()));
    }
}

/// The code of a range that leads upwards or downwards (`futi_core::failure::range_fits`).
fn leads(kind: RangeKind, start: &str, end: &str, second: Option<&String>, down: bool) -> String {
    let ordered = |a: &str, b: &str| if down { (b.to_string(), a.to_string()) } else { (a.to_string(), b.to_string()) };
    let between = |(a, b): &(String, String)| format!("(int64_t({b}) - int64_t({a}))");
    let ends = ordered(start, end);
    let (from, to) = &ends;
    // a difference is negative where it is more than an i64
    let mut all = vec![format!("{to} >= {from}"), format!("{} >= 0", between(&ends))];
    let steps = second.map(|second| ordered(start, second));
    if let Some(steps @ (from, to)) = &steps {
        all.extend([format!("{to} > {from}"), format!("{} > 0", between(steps))]);
    }
    if kind == RangeKind::Inclusive {
        // of single steps there is one element more than the distance
        let most = literal(Scalar::I64(i64::MAX));
        let larger = steps.map_or(String::new(), |steps| format!(" || {} > 1", between(&steps)));
        all.push(format!("({} < {most}{larger})", between(&ends)));
    }
    all.join(" && ")
}
