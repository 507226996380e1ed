//! Which arrays can go by a tape, and what is done to them.

use super::*;
use crate::ir::build::Vars;
use crate::passes::alias::Consumable;

/// What is known of an array that can go by a tape.
#[derive(Clone, Default)]
pub struct Lineage {
    /// Its names, from update to update, through loops and branches.
    pub names: HashSet<Var>,
    /// Rows of it that statements read.
    pub rows: HashSet<Var>,
    /// What an update overwrites, once there is one.
    pub unit: Option<Unit>,
}

/// Arrays of no more elements than this are kept trip by trip.
const SMALL: i64 = 16;

/// How many elements an array has, if that is known.
fn size(ty: &Type) -> Option<i64> {
    let constant = |d: &Dim| if let Dim::Const(n) = d { Some(*n) } else { None };
    ty.shape().iter().map(constant).try_fold(1i64, |size, n| size.checked_mul(n?))
}

/// The arrays among a loop's parameters that can go by tapes.
pub fn lineages(params: &[LoopParam], body: &Body, is_other: impl Fn(usize) -> bool) -> Vec<(usize, Lineage)> {
    let found = |k: usize| {
        let ty = &params[k].binder.ty;
        if ty.rank() == 0 || ty.elem().is_none() || size(ty).is_some_and(|n| n <= SMALL) || is_other(k) {
            return None;
        }
        let mut lineage = Lineage::default();
        lineage.loop_body(ty, params, k, body)?;
        lineage.unit?;
        Some((k, lineage))
    };
    (0..params.len()).filter_map(found).collect()
}

/// Whether an expression that leaves an array with updates is itself an update of it.
pub fn is_update(exp: &Exp) -> bool {
    matches!(exp, Exp::Update { .. } | Exp::UpdateSlice { .. } | Exp::Scatter(_))
}

impl Lineage {
    /// The array that a loop's body leaves, which is its parameter's next value, and no other's.
    fn loop_body(&mut self, ty: &Type, params: &[LoopParam], k: usize, body: &Body) -> Option<()> {
        let p = &params[k].binder;
        if p.ty != *ty || !varying(params).is_empty() {
            return None;
        }
        let end = SubExp::Var(self.body(ty, body, p.var)?);
        let is_next = |(other, e): (usize, &SubExp)| (*e == end) == (other == k);
        body.result.iter().enumerate().all(is_next).then_some(())
    }

    /// The name of the array behind a body, if it has this one before.
    fn body(&mut self, ty: &Type, body: &Body, array: Var) -> Option<Var> {
        self.names.insert(array);
        body.stms.iter().try_fold(array, |array, stm| self.stm(ty, stm, array))
    }

    fn stm(&mut self, ty: &Type, stm: &Stm, array: Var) -> Option<Var> {
        let mut names = free_vars(stm);
        names.retain(|v| self.names.contains(v));
        if names.is_empty() {
            return Some(array);
        }
        // where it has another name from here on, what uses that before it is not looked for
        if names != [array] {
            return None;
        }
        let before = self.clone();
        match self.update(ty, stm, array)? {
            Some(result) => {
                let after = stm.pat[result].var;
                self.names.insert(after);
                Some(after)
            }
            None => {
                *self = before;
                self.read(stm, &consumable_in(stm), array)
            }
        }
    }

    /// Which result of a statement is the array with updates; no result where it updates nothing.
    fn update(&mut self, ty: &Type, stm: &Stm, array: Var) -> Option<Option<usize>> {
        match &stm.exp {
            Exp::Update { array: of, indices, value } if *of == array && *value != array.into() => {
                self.overwrites(Unit::Row(indices.len()));
                Some(Some(0))
            }
            Exp::UpdateSlice { array: of, value, .. } if *of == array && *value != array => {
                self.overwrites(Unit::Slice);
                Some(Some(0))
            }
            Exp::Scatter(s) if s.dests.iter().any(|d| d.array == array) => {
                self.overwrites(Unit::Places);
                let of_elements = s.dests.iter().all(|d| d.array != array || d.shape.len() == ty.rank());
                // elements with their indices: more than the array
                let wide = match (s.width, size(ty)) {
                    (Dim::Const(width), Some(size)) => width.saturating_mul(1 + ty.rank() as i64) >= size,
                    _ => false,
                };
                let fine = of_elements && !wide && !s.arrays.contains(&array);
                fine.then(|| s.dests.iter().position(|d| d.array == array))
            }
            Exp::SubExp(_) => Some(Some(0)),
            Exp::If { yes, no, .. } => {
                let ends = [yes, no].map(|side| self.body(ty, side, array).map(SubExp::Var));
                let [Some(in_yes), Some(in_no)] = ends else { return None };
                if in_yes == in_no {
                    return Some(None);
                }
                let mut results = yes.result.iter().zip(&no.result).enumerate();
                let mut found = results.clone().filter(|(_, (yes, no))| **yes == in_yes && **no == in_no);
                let (k, _) = found.next()?;
                let alone = results.all(|(other, (yes, no))| other == k || (*yes != in_yes && *no != in_no));
                alone.then_some(Some(k))
            }
            Exp::Loop { params, form, body } => {
                let mut inits = (0..params.len()).filter(|k| params[*k].init == array.into());
                let Some(k) = inits.next() else { return Some(None) };
                let fine = inits.next().is_none() && matches!(form, LoopForm::For { .. });
                if !fine {
                    return None;
                }
                self.loop_body(ty, params, k, body)?;
                Some(Some(k))
            }
            _ => Some(None),
        }
    }

    fn overwrites(&mut self, unit: Unit) {
        self.unit = Some(self.unit.map_or(unit, |u| u.or(unit)));
    }

    /// What reads the array must have no result that is a part of it, but for rows.
    fn read(&mut self, stm: &Stm, groups: &Consumable, array: Var) -> Option<Var> {
        let may_share = stm.pat.iter().any(|p| p.ty.rank() > 0 && groups.group(p.var) == groups.group(array));
        match &stm.exp {
            Exp::Index { .. } | Exp::Slice { .. } if may_share => self.rows.extend(stm.pat.iter().map(|p| p.var)),
            Exp::Index { .. } | Exp::Screma(_) | Exp::Copy(_) | Exp::If { .. } | Exp::Loop { .. } if !may_share => {}
            Exp::Update { .. } | Exp::UpdateSlice { .. } | Exp::Scatter(_) | Exp::Hist(_) if !may_share => {}
            _ => return None,
        }
        (!groups.may_be_consumed(array)).then_some(array)
    }

    /// The array that a statement leaves with updates.
    pub fn updated(&self, stm: &Stm) -> Option<Var> {
        stm.pat.iter().map(|p| p.var).find(|v| self.names.contains(v))
    }

    pub fn is_updated(&self, stm: &Stm) -> bool {
        self.updated(stm).is_some()
    }

    /// Whether updates overwrite more than an element or row each.
    pub fn has_parts(&self) -> bool {
        matches!(self.unit, Some(Unit::Slice | Unit::Places))
    }

    /// The array that an update finds, and what it overwrites of it.
    pub fn part(&self, vars: &Vars, exp: &Exp) -> Option<(Var, Part)> {
        let slice = |array: Var, dims: &[SliceDim]| Some((array, Part::of_slice(dims, vars.ty(array).shape())));
        match exp {
            Exp::Update { array, indices, .. } => {
                let fixed: Vec<SliceDim> = indices.iter().map(|i| SliceDim::Fix(*i)).collect();
                slice(*array, &fixed)
            }
            Exp::UpdateSlice { array, slice: dims, .. } => slice(*array, dims),
            Exp::Scatter(s) => {
                let k = s.dests.iter().position(|d| self.names.contains(&d.array))?;
                let first: usize = s.dests[..k].iter().map(|d| d.shape.len()).sum();
                let indices = s.arrays[first..first + s.dests[k].shape.len()].to_vec();
                Some((s.dests[k].array, Part::Places { width: s.width, indices }))
            }
            _ => None,
        }
    }

    /// How many updates a body makes, of branches as many as `of_branches` says. Not known where there are loops.
    fn updates(&self, body: &Body, of_branches: &dyn Fn(i64, i64) -> Option<i64>) -> Option<i64> {
        let of = |stm: &Stm| match &stm.exp {
            _ if !self.is_updated(stm) => Some(0),
            Exp::If { yes, no, .. } => of_branches(self.updates(yes, of_branches)?, self.updates(no, of_branches)?),
            Exp::SubExp(_) => Some(0),
            exp => is_update(exp).then_some(1),
        };
        body.stms.iter().map(of).sum()
    }

    /// How many updates a body makes; if that depends on branches, at the most.
    pub fn most(&self, body: &Body) -> Option<i64> {
        self.updates(body, &|yes, no| Some(yes.max(no)))
    }

    /// How many updates a body makes, if that is always the same number.
    pub fn always(&self, body: &Body) -> Option<i64> {
        self.updates(body, &|yes, no| (yes == no).then_some(yes))
    }

    /// The parts that a body overwrites, of all branches. Those of loops are left out.
    pub fn parts(&self, vars: &Vars, body: &Body) -> Vec<Part> {
        let of = |stm: &Stm| match &stm.exp {
            _ if !self.is_updated(stm) => Vec::new(),
            Exp::If { yes, no, .. } => [yes, no].into_iter().flat_map(|body| self.parts(vars, body)).collect(),
            exp => self.part(vars, exp).map(|(_, part)| part).into_iter().collect(),
        };
        body.stms.iter().flat_map(of).collect()
    }
}
