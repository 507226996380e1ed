//! What a device does where commands will not do: copies, writes and the like that are guarded, each by a kernel. Note [What is guarded] of the host's IR.

use crate::device::{self, Device};
use crate::print;
use crate::recording::KernelId;
use crate::run::group_size;
use futi_core::hash::HashMap;
use futi_core::prim::ScalarType;
use futi_kernels::check::Checked;
use futi_kernels::ir::Kernel;
use std::sync::Arc;

/// A kernel of the backend's own.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum Own {
    /// Copies elements of a type.
    Copy(ScalarType),
    /// Fills elements of a type.
    Fill(ScalarType),
    /// Writes the guards of both sides of a choice, where no guard is in force.
    Choose,
    /// Likewise, where one is.
    ChooseWithin,
    /// Goes on with a loop that is not over, the guard of which is in force, or not.
    Step,
}

/// A kernel that is compiled.
#[derive(Debug)]
pub struct Compiled {
    /// What it is.
    pub kernel: Checked,
    /// How many invocations a group has.
    pub group_size: u32,
    /// That of the device.
    pub id: KernelId,
}

/// Those that have been compiled.
#[derive(Default)]
pub struct OwnKernels(HashMap<Own, Arc<Compiled>>);

impl OwnKernels {
    /// A kernel, compiled now unless it has been before.
    ///
    /// # Errors
    /// What the device lacks, or says.
    pub fn get(&mut self, device: &Device, own: Own) -> Result<Arc<Compiled>, print::Error> {
        if let Some(compiled) = self.0.get(&own) {
            return Ok(compiled.clone());
        }
        let kernel = own.kernel()?;
        let group_size = group_size(kernel.kernel(), device.caps());
        let id = print::announce(device, &kernel, group_size)?;
        let compiled = Arc::new(Compiled { kernel, group_size, id });
        self.0.insert(own, compiled.clone());
        Ok(compiled)
    }
}

fn internal(message: impl ToString) -> print::Error {
    print::Error::Device(device::Error::Shader {
        label: "a kernel of the backend".into(),
        messages: message.to_string(),
    })
}

impl Own {
    /// The kernel.
    ///
    /// # Errors
    /// It is not well-formed: a fault of ours.
    pub fn kernel(self) -> Result<Checked, print::Error> {
        let kernel: Kernel = self.text().parse().map_err(internal)?;
        Checked::new(kernel).map_err(|errors| internal(errors.first().map(ToString::to_string).unwrap_or_default()))
    }

    /// Its text.
    fn text(self) -> String {
        let each = |declared: String, body: &str| {
            format!(
                "{declared} local k_0: i64 {{LOCALS}}
                for k_0 from conv.i32.i64(add.i32(mul.i32(@group, @group_size), @invocation)) below length(block.to_0)
                  step conv.i32.i64(mul.i32(@groups, @group_size)) {{ {body} }}"
            )
        };
        let once = |body: &str| format!("if eq.i32(add.i32(@group, @invocation), 0i32) {{ {body} }}");
        let (name, inside) = match self {
            Own::Copy(ty) => (
                "copy",
                each(
                    format!("block to_0: write {ty} block from_1: read {ty}"),
                    "x_1 = load block.from_1[k_0] store block.to_0[k_0] = x_1",
                )
                .replace("{LOCALS}", &format!("local x_1: {ty}")),
            ),
            Own::Fill(ty) => (
                "fill",
                each(format!("param x_0: {ty} block to_0: write {ty}"), "store block.to_0[k_0] = param.x_0")
                    .replace("{LOCALS}", ""),
            ),
            Own::Choose => (
                "choose",
                format!(
                    "group 1 to 32 block yes_0: write i64 block no_1: write i64 block cond_2: read bool local on_0: bool {}",
                    once(
                        "on_0 = load block.cond_2[0i32]
                        store block.yes_0[0i32] = conv.bool.i64(on_0)
                        store block.no_1[0i32] = conv.bool.i64(not.bool(on_0))"
                    )
                ),
            ),
            Own::ChooseWithin => (
                "choose",
                format!(
                    "group 1 to 32 block yes_0: write i64 block no_1: write i64 block cond_2: read bool block guard_3: read i64
                    local on_0: bool local guard_1: i64 {}",
                    once(
                        "on_0 = load block.cond_2[0i32]
                        guard_1 = load block.guard_3[0i32]
                        store block.yes_0[0i32] = mul.i64(guard_1, conv.bool.i64(on_0))
                        store block.no_1[0i32] = mul.i64(guard_1, conv.bool.i64(not.bool(on_0)))"
                    )
                ),
            ),
            Own::Step => (
                "step",
                format!(
                    "group 1 to 32 block control_0: read write i64 block cond_1: read bool
                    local on_0: bool local begun_1: i64 {}",
                    once(
                        "on_0 = load block.cond_1[0i32]
                        begun_1 = load block.control_0[1i32]
                        store block.control_0[0i32] = conv.bool.i64(on_0)
                        store block.control_0[1i32] = add.i64(begun_1, conv.bool.i64(on_0))"
                    )
                ),
            ),
        };
        format!("futi-kernel 1 kernel {name} @0 {{ {inside} }}")
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::device::Caps;

    #[test]
    fn they_are_well_formed_for_every_type() {
        for ty in ScalarType::ALL {
            for own in [Own::Copy(ty), Own::Fill(ty), Own::Choose, Own::ChooseWithin, Own::Step] {
                let kernel = own.kernel().unwrap_or_else(|error| panic!("{own:?}: {error}"));
                print::print(&kernel, &Caps::complete(), 32).unwrap_or_else(|error| panic!("{own:?}: {error:?}"));
            }
        }
    }
}
