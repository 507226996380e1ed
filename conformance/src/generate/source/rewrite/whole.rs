//! Rewrites of whole programs.

use super::*;
use crate::generate::source::print::Parentheses;

/// Other names for everything that is bound.
pub fn rename(c: &mut Context, p: &SourceProgram) -> Option<SourceProgram> {
    let mut p = p.clone();
    let mut definitions = HashMap::default();
    for d in &p.decls {
        if let Decl::Def(d) = d {
            definitions.insert(d.name.clone(), c.fresh("apply_"));
        }
    }
    for d in p.defs_mut() {
        let mut names = definitions.clone();
        let mut see = |n: &Name| {
            let new = format!("{}\'", c.fresh("v_"));
            names.insert(n.clone(), new.into());
        };
        d.sizes.iter().for_each(&mut see);
        d.params.iter().flat_map(Pat::names).for_each(|(n, _)| see(&n));
        d.body.bound(&mut see);
        d.rename(&names);
    }
    for d in &mut p.decls {
        if let Decl::Def(d) = d
            && let Some(n) = definitions.get(&d.name)
        {
            d.name = n.clone();
        }
    }
    Some(p)
}

/// As many parentheses as possible, or as few.
pub fn parentheses(_: &mut Context, p: &SourceProgram) -> Option<SourceProgram> {
    let parentheses = match p.parentheses {
        Parentheses::Few => Parentheses::Many,
        Parentheses::Many => Parentheses::Few,
    };
    Some(SourceProgram { parentheses, ..p.clone() })
}

/// `def f` becomes `module m = { def f }`, with `m.f` for `f`.
pub fn into_module(c: &mut Context, p: &SourceProgram) -> Option<SourceProgram> {
    let plain: Vec<usize> = (0..p.decls.len()).filter(|i| matches!(p.decls[*i], Decl::Def(_))).collect();
    let i = *plain.get(c.roll(plain.len()))?;
    let mut p = p.clone();
    let Decl::Def(d) = &p.decls[i] else { return None };
    let (m, d) = (c.fresh("m"), d.clone());
    let names = HashMap::from_iter([(d.name.clone(), Name::from(format!("{m}.{}", d.name)))]);
    p.decls[i] = Decl::Module(m, vec![d]);
    let mut after: Vec<&mut Def> = Vec::new();
    for d in &mut p.decls[i + 1..] {
        match d {
            Decl::Def(d) | Decl::Entry(d) => after.push(d),
            Decl::Module(_, ds) => after.extend(ds),
        }
    }
    after.into_iter().for_each(|d| d.rename(&names));
    Some(p)
}

/// `module m = { def f }` becomes `def f`, with `f` for `m.f`.
pub fn out_of_module(c: &mut Context, p: &SourceProgram) -> Option<SourceProgram> {
    let modules: Vec<usize> = (0..p.decls.len()).filter(|i| matches!(p.decls[*i], Decl::Module(..))).collect();
    let i = *modules.get(c.roll(modules.len()))?;
    let mut p = p.clone();
    let Decl::Module(m, defs) = p.decls[i].clone() else { return None };
    let names = defs.iter().map(|d| (Name::from(format!("{m}.{}", d.name)), d.name.clone())).collect();
    p.decls.splice(i..=i, defs.into_iter().map(Decl::Def));
    p.defs_mut().into_iter().for_each(|d| d.rename(&names));
    Some(p)
}
