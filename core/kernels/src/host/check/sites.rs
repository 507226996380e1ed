//! What checks are of.

use super::super::ir::*;
use super::{CheckError, Rule};
use futi_core::ir::{SubExp, Var};

/// Checks are of operands that are told by their number, and kernels have as many sites, of as many operands.
pub(super) fn sites(program: &HostProgram, errors: &mut Vec<CheckError>) {
    let mut wrong = |rule, message| errors.push(CheckError { rule, message, place: None });
    let numbered = |site: &Site| {
        let operands = site.check.operands();
        operands.iter().enumerate().all(|(i, e)| *e == SubExp::Var(Var(i as u32)))
    };
    for (i, site) in program.checks.iter().enumerate().filter(|(_, site)| !numbered(site)) {
        wrong(Rule::Sites, format!("check {i} is {}", site.check));
    }
    for (k, host) in program.kernels.iter().enumerate() {
        let kernel = host.kernel.kernel();
        if kernel.sites.len() != host.sites.len() {
            let message = format!("{} checks for the {} sites of kernel {k}", host.sites.len(), kernel.sites.len());
            wrong(Rule::Arity, message);
        }
        for (i, (site, decl)) in host.sites.iter().zip(&kernel.sites).enumerate() {
            if !numbered(site) {
                wrong(Rule::Sites, format!("check {i} of kernel {k} is {}", site.check));
            }
            if site.check.operands().len() != decl.operands as usize {
                wrong(Rule::Arity, format!("kernel {k} tells {} operands at site {i}", decl.operands));
            }
        }
    }
}
