//! What a launch costs at most, as its kernel says.

use super::Launch;
use crate::ir::{Builtin, Cost, Exp};
use futi_core::prim::Scalar;

/// Bytes read, bytes written, operators applied: none if the launch has not what the cost speaks of.
pub fn cost(cost: &Cost, launch: &Launch) -> Option<[i64; 3]> {
    let [reads, writes, operations] = cost.parts().map(|e| value(e, launch).and_then(Scalar::as_i64));
    Some([reads?, writes?, operations?])
}

/// The value of what the host knows.
fn value(e: &Exp, launch: &Launch) -> Option<Scalar> {
    match e {
        Exp::Lit(x) => Some(*x),
        Exp::Param(p) => launch.params.get(p.at()).copied(),
        Exp::Length(b) => launch.blocks.get(b.at()).map(|b| Scalar::I64(b.len as i64)),
        Exp::Builtin(Builtin::Groups) => Some(Scalar::I32(launch.groups as i32)),
        Exp::Builtin(Builtin::GroupSize) => Some(Scalar::I32(launch.group_size as i32)),
        Exp::Builtin(_) | Exp::Local(_) => None,
        Exp::Prim(op, args) => {
            let args = args.iter().map(|e| value(e, launch)).collect::<Option<Vec<_>>>()?;
            let (types, _) = op.signature()?;
            args.iter().map(|x| x.scalar_type()).eq(types).then(|| op.eval(&args))
        }
    }
}
