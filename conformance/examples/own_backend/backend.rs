//! The backend: the interpreter, with three bugs.

use futi_core::backend::{Backend, Executable, Handle, IrLevel, Options, Unsupported};
use futi_core::failure::RuntimeError;
use futi_core::ir::check::{Checked, check};
use futi_core::ir::visit::{VisitMut, walk_exp_mut, walk_fun_mut};
use futi_core::ir::{BinOp, Exp, Prim, Program};
use futi_core::value::Value;
use futi_interp::Interpreter;

/// The backend.
#[derive(Default)]
pub struct Mine(Interpreter);

impl Backend for Mine {
    fn name(&self) -> &str {
        "mine"
    }

    fn level(&self) -> IrLevel {
        IrLevel::Core
    }

    fn compile(&self, program: &Checked<Program>, options: &Options) -> Result<Box<dyn Executable>, Vec<Unsupported>> {
        let mut wrong = Program::clone(program);
        wrong.funs.iter_mut().for_each(|f| walk_fun_mut(&mut Bugs, f));
        let wrong = check(wrong).map_err(|_| Vec::new())?;
        self.0.compile(&wrong, options)
    }

    fn put(&self, value: &Value) -> Result<Handle, RuntimeError> {
        self.0.put(value)
    }

    fn get(&self, handle: &Handle) -> Result<Value, RuntimeError> {
        self.0.get(handle)
    }
}

/// The three bugs: a reversal that only copies, a concatenation in the wrong order, a minimum that is a maximum.
struct Bugs;

impl VisitMut for Bugs {
    fn exp(&mut self, e: &mut Exp) {
        walk_exp_mut(self, e);
        match e {
            Exp::Reverse { array } => *e = Exp::Copy(*array),
            Exp::Concat { arrays, .. } => arrays.reverse(),
            Exp::Prim(op @ Prim::Bin(BinOp::Min, _), _) => {
                if let Prim::Bin(_, t) = *op {
                    *op = Prim::Bin(BinOp::Max, t);
                }
            }
            _ => {}
        }
    }
}
