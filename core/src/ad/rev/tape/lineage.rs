//! Which arrays can go by a tape, and what is done to them.

use super::*;
use crate::analysis::alias::Consumable;
use crate::ir::build::Vars;

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

/// The arrays among these parameters of a loop that can go by tapes.
pub fn lineages(params: &[LoopParam], exp: &Exp, is_other: impl Fn(usize) -> bool) -> Vec<(usize, Lineage)> {
    let Exp::Loop { params: all, body, .. } = exp else { return Vec::new() };
    let found = |k: usize| {
        let Binder { var, ty, .. } = &params[k].binder;
        if ty.known_size().is_some_and(|n| n <= SMALL) || is_other(k) {
            return None;
        }
        let mut lineage = Lineage::default();
        lineage.loop_body(ty, all, all.iter().position(|p| p.binder.var == *var)?, body)?;
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
        if !varying(params).is_empty() {
            return None;
        }
        let end = SubExp::Var(self.body(ty, body, params[k].binder.var)?);
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
            Exp::Update { array: of, indices, .. } if *of == array => {
                self.overwrites(Unit::Row(indices.len()));
                Some(Some(0))
            }
            Exp::UpdateSlice { array: of, .. } if *of == array => {
                self.overwrites(Unit::Slice);
                Some(Some(0))
            }
            Exp::Scatter(s) if s.dests.iter().any(|d| d.array == array) => {
                self.overwrites(Unit::Places);
                let of_elements = s.dests.iter().all(|d| d.array != array || d.shape.len() == ty.rank());
                // elements with their indices: more than the array
                let wide = match (s.width, ty.known_size()) {
                    (Dim::Const(width), Some(size)) => width.saturating_mul(1 + ty.rank() as i64) >= size,
                    _ => false,
                };
                (of_elements && !wide).then(|| s.dests.iter().position(|d| d.array == array))
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
            Exp::Loop { params, body, .. } => {
                let mut inits = (0..params.len()).filter(|k| params[*k].init == array.into());
                let Some(k) = inits.next() else { return Some(None) };
                if inits.next().is_some() {
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
        let may_share = stm.pat.iter().any(|p| groups.group(p.var) == groups.group(array));
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
            // mutant: room is made for all of them
            Exp::If { yes, no, .. } => [self.parts(vars, yes), self.parts(vars, no)].into_iter().flatten().collect(),
            exp => self.part(vars, exp).map(|(_, part)| part).into_iter().collect(),
        };
        body.stms.iter().flat_map(of).collect()
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::ir::check;

    /// The lineage of a loop's first parameter, whose trip does this and hands this on. Its parameters are `a_5`, `b_6` of the first type, and `c_7: f64`.
    fn lineage(ty: &str, trip: &str, next: &str) -> Option<Lineage> {
        found(ty, trip, next).map(|(lineage, _)| lineage)
    }

    /// The lineage, and how many updates a trip makes, at the most and always.
    fn found(ty: &str, trip: &str, next: &str) -> Option<(Lineage, [Option<i64>; 2])> {
        let text = format!(
            "futi-ir 1
            fun \"main\"(n_0: i64, *xs_1: {ty}, *ys_2: {ty}, i_3: i64, t_4: bool, zs_40: [3]f64, is_41: [9]i64, is_42: [10]i64, vs_43: [9]f64, vs_44: [10]f64, rs_45: [9][4]f64)
              -> (r_90: {ty}, r_91: {ty}, r_92: f64) {{
              let (r_93: {ty}, r_94: {ty}, r_95: f64) = loop (*a_5: {ty} = xs_1, *b_6: {ty} = ys_2, c_7: f64 = 1.0f64) for k_8: i64 < n_0 do {{
                {trip} in ({next}) }}
              in (r_93, r_94, r_95) }}"
        );
        let program: Program = text.parse().unwrap_or_else(|e| panic!("{e}\n{text}"));
        assert_eq!(check::errors(&program), Vec::new(), "{program}");
        let exp = &program.funs[0].body.stms[0].exp;
        let Exp::Loop { params, body, .. } = exp else { panic!("no loop") };
        let (_, lineage) = lineages(params, exp, |k| k != 0).pop()?;
        let counts = [lineage.most(body), lineage.always(body)];
        Some((lineage, counts))
    }

    fn unit(ty: &str, trip: &str, next: &str) -> Option<Unit> {
        lineage(ty, trip, next).and_then(|lineage| lineage.unit)
    }

    #[test]
    fn arrays_of_more_than_sixteen_elements_go_by_tapes() {
        let of = |ty: &str| unit(ty, &format!("let (u_9: {ty}) = update a_5[i_3] = 2.0f64"), "u_9, b_6, c_7");
        assert_eq!((of("[16]f64"), of("[17]f64"), of("[n_0]f64")), (None, Some(Unit::Row(1)), Some(Unit::Row(1))));
        let of = |ty: &str| unit(ty, &format!("let (u_9: {ty}) = update a_5[i_3, 0i64] = 2.0f64"), "u_9, b_6, c_7");
        assert_eq!((of("[4][4]f64"), of("[3][6]f64")), (None, Some(Unit::Row(2))));
        // what nothing updates, or a scalar
        assert_eq!(unit("[n_0]f64", "", "a_5, b_6, c_7"), None);
    }

    /// A scatter of so many elements into `a_5`.
    fn scatter(ty: &str, n: usize) -> String {
        format!(
            "let (u_9: {ty}) = scatter {n} (is_{}, vs_{}) map \\(j_10: i64, v_11: f64) -> (i64, f64) {{ in (j_10, v_11) }} dest [20] a_5",
            n + 32,
            n + 34
        )
    }

    #[test]
    fn scatters_of_elements_go_by_tapes_where_these_are_fewer_than_the_array() {
        let of = |n: usize| unit("[20]f64", &scatter("[20]f64", n), "u_9, b_6, c_7");
        // nine elements with an index each are eighteen numbers, ten are as many as the array has
        assert_eq!((of(9), of(10)), (Some(Unit::Places), None));
        // of two arrays, one or both
        let both = |first: &str, second: &str| {
            format!(
                "let (u_9: [20]f64, w_12: [20]f64) = scatter 9 (is_41, vs_43) map \\(j_10: i64, v_11: f64) -> (i64, i64, f64, f64) {{
                   in (j_10, j_10, v_11, v_11) }} dest [20] {first} dest [20] {second}"
            )
        };
        assert_eq!(unit("[20]f64", &both("a_5", "b_6"), "u_9, w_12, c_7"), Some(Unit::Places));
        assert_eq!(unit("[20]f64", &both("b_6", "a_5"), "w_12, u_9, c_7"), Some(Unit::Places));
        // rows
        let rows = |second: &str, dest: &str| {
            format!(
                "let (u_9: [20][4]f64, w_12: {second}) = scatter 9 (is_41, rs_45) map \\(j_10: i64, r_11: [4]f64) -> (i64, i64, [4]f64, [4]f64) {{
                   in (j_10, j_10, r_11, r_11) }} dest [20] a_5 dest [20] {dest}"
            )
        };
        assert_eq!(unit("[20][4]f64", &rows("[20][4]f64", "b_6"), "u_9, w_12, c_7"), None);
        let alone = "let (u_9: [20][4]f64) = scatter 9 (is_41, rs_45) map \\(j_10: i64, r_11: [4]f64) -> (i64, [4]f64) { in (j_10, r_11) } dest [20] a_5";
        assert_eq!(unit("[20][4]f64", alone, "u_9, b_6, c_7"), None);
    }

    #[test]
    fn branches_leave_the_array_once() {
        let of = |trip: &str, next: &str| unit("[n_0]f64", trip, next);
        let branch = |pat: &str, yes: &str, no: &str| {
            format!(
                "let ({pat}) = if t_4 then {{ let (u_9: [n_0]f64) = update a_5[i_3] = 2.0f64 in ({yes}) }} else {{ in ({no}) }}"
            )
        };
        let one = "s_13: [n_0]f64";
        let two = "s_13: [n_0]f64, s_14: [n_0]f64";
        assert_eq!(of(&branch(one, "u_9", "a_5"), "s_13, b_6, c_7"), Some(Unit::Row(1)));
        assert_eq!(of(&branch(two, "b_6, u_9", "b_6, a_5"), "s_14, s_13, c_7"), Some(Unit::Row(1)));
        // in one branch the result is another array
        let new =
            |yes: &str, no: &str| format!("let (f_25: [n_0]f64) = replicate [n_0] 1.0f64 {}", branch(one, yes, no));
        assert_eq!(of(&new("f_25", "a_5"), "s_13, b_6, c_7"), None);
        assert_eq!(of(&new("u_9", "f_25"), "s_13, b_6, c_7"), None);
        // it is two results, of both branches or of one
        assert_eq!(of(&branch(two, "u_9, u_9", "a_5, a_5"), "s_13, b_6, c_7"), None);
        assert_eq!(of(&branch(two, "u_9, b_6", "a_5, a_5"), "s_13, b_6, c_7"), None);
        assert_eq!(of(&branch(two, "u_9, u_9", "a_5, b_6"), "s_13, b_6, c_7"), None);
    }

    #[test]
    fn loops_inside_get_the_array_once() {
        let of = |trip: &str, next: &str| unit("[n_0]f64", trip, next);
        let inner = |params: &str, form: &str, pat: &str, next: &str| {
            format!(
                "let ({pat}) = loop ({params}) {form} do {{ let (u_9: [n_0]f64) = update d_15[i_3] = 2.0f64 in ({next}) }}"
            )
        };
        let (one, each) = ("*d_15: [n_0]f64 = a_5", "for l_16: i64 < 3i64");
        assert_eq!(of(&inner(one, each, "s_13: [n_0]f64", "u_9"), "s_13, b_6, c_7"), Some(Unit::Row(1)));
        let on = "*d_15: [n_0]f64 = a_5, on_17: bool = t_4";
        let pat = "s_13: [n_0]f64, s_18: bool";
        assert_eq!(of(&inner(on, each, pat, "u_9, on_17"), "s_13, b_6, c_7"), Some(Unit::Row(1)));
        assert_eq!(of(&inner(on, "while on_17", pat, "u_9, on_17"), "s_13, b_6, c_7"), Some(Unit::Row(1)));
        // nothing is known of what the trips make of it
        let other =
            inner("*d_15: [n_0]f64 = a_5, *e_19: [n_0]f64 = b_6", each, "s_13: [n_0]f64, s_14: [n_0]f64", "e_19, u_9");
        assert_eq!(of(&other, "s_13, s_14, c_7"), None);
    }

    #[test]
    fn updates_are_counted() {
        let of = |trip: &str, end: &str| found("[n_0]f64", trip, &format!("{end}, b_6, c_7")).map(|(_, counts)| counts);
        let first = "let (d_28: [n_0]f64) = a_5 let (u_9: [n_0]f64) = update d_28[i_3] = 2.0f64";
        assert_eq!(of(first, "u_9"), Some([Some(1), Some(1)]));
        let branch = |more: &str, end: &str| {
            format!(
                "{first} let (s_13: [n_0]f64) = if t_4 then {{ let (v_29: [n_0]f64) = update u_9[0i64] = 1.0f64 in (v_29) }} else {{ {more} in ({end}) }}"
            )
        };
        assert_eq!(of(&branch("", "u_9"), "s_13"), Some([Some(2), None]));
        let other = "let (v_30: [n_0]f64) = update u_9[1i64] = 3.0f64";
        assert_eq!(of(&branch(other, "v_30"), "s_13"), Some([Some(2), Some(2)]));
        let inner = "let (s_13: [n_0]f64) = loop (*e_31: [n_0]f64 = a_5) for l_32: i64 < 3i64 do {
            let (u_9: [n_0]f64) = update e_31[l_32] = 2.0f64 in (u_9) }";
        assert_eq!(of(inner, "s_13"), Some([None, None]));
    }

    #[test]
    fn what_reads_the_array_leaves_no_part_of_it_but_rows() {
        let ty = "[n_0][4]f64";
        let update = "let (u_9: [n_0][4]f64) = update a_5[i_3, 0i64] = 2.0f64";
        let of = |read: &str| lineage(ty, &format!("{read} {update}"), "u_9, b_6, c_7");
        let rows = |read: &str| of(read).map(|l| l.rows.len());
        assert_eq!(rows("let (s_20: f64) = index a_5[0i64, 0i64]"), Some(0));
        assert_eq!(rows("let (s_20: [4]f64) = index a_5[0i64]"), Some(1));
        assert_eq!(rows("let (s_20: [1][4]f64) = slice a_5[0i64:1:1i64]"), Some(1));
        assert_eq!(rows("let (s_20: [4][n_0]f64) = rearrange (1, 0) a_5"), None);
        // what is copied into another array
        let other = "let (w_26: [n_0][4]f64) = updslice b_6[0i64:n_0:1i64, 0i64:4:1i64] = a_5";
        let found = lineage(ty, &format!("{other} {update}"), "u_9, w_26, c_7");
        assert_eq!(found.map(|l| (l.rows.len(), l.unit)), Some((0, Some(Unit::Row(2)))));
        // a row that is read in a branch is not there any more when the array is updated
        let branch = |pat: &str, yes: &str, no: &str| {
            format!(
                "let ({pat}) = if t_4 then {{ let (s_20: [4]f64) = index a_5[0i64] let (s_21: f64) = index s_20[1i64] in ({yes}) }} else {{ in ({no}) }}"
            )
        };
        assert_eq!(rows(&branch("s_22: f64", "s_21", "c_7")), Some(0));
        // but one that the branch leaves, beside a scalar
        assert_eq!(
            rows(
                &branch("s_22: f64, s_23: [4]f64", "s_21, s_20", "c_7, s_24")
                    .replace("in (c_7", "let (s_24: [4]f64) = index b_6[0i64] in (c_7")
            ),
            None
        );
    }
}
