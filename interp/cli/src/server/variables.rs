//! Variables.

use super::{Server, types};
use futi_core::backend::Handle;
use futi_core::ir::EntryType;
use futi_core::value::Value;

/// A value under a name.
pub struct Variable {
    /// Its type.
    pub ty: EntryType,
    /// Its leaves, where the backend keeps them; those of the unit, too.
    pub leaves: Vec<Handle>,
    /// Whether a call has consumed it: it can be freed only.
    pub consumed: bool,
}

impl Server {
    /// The variable of that name, which has not been consumed.
    pub(super) fn variable(&self, name: &str) -> Result<&Variable, String> {
        match self.variables.get(name) {
            None => Err(format!("Unknown variable: {name}")),
            Some(variable) if variable.consumed => Err(format!("Variable has been consumed: {name}")),
            Some(variable) => Ok(variable),
        }
    }

    /// That the name is free.
    pub(super) fn is_new(&self, name: &str) -> Result<(), String> {
        if self.variables.contains_key(name) { Err(format!("Variable already exists: {name}")) } else { Ok(()) }
    }

    /// The leaves of a variable on the host.
    pub(super) fn values(&self, variable: &Variable) -> Result<Vec<Value>, String> {
        variable.leaves.iter().map(|handle| self.backend.get(handle).map_err(|e| e.to_string())).collect()
    }

    /// Binds a name to a value of this type, with these leaves.
    pub(super) fn bind(&mut self, name: &str, ty: EntryType, values: &[Value]) -> Result<(), String> {
        let leaves =
            values.iter().map(|value| self.backend.put(value).map_err(|e| e.to_string())).collect::<Result<_, _>>()?;
        self.bind_handles(name, ty, leaves)
    }

    /// The same, of leaves that are on the device.
    pub(super) fn bind_handles(&mut self, name: &str, ty: EntryType, leaves: Vec<Handle>) -> Result<(), String> {
        self.is_new(name)?;
        self.variables.insert(name.to_string(), Variable { ty, leaves, consumed: false });
        Ok(())
    }

    /// The type of that name: a primitive one, or one that an entry point's type has a part of.
    pub(super) fn type_named(&self, name: &str) -> Result<EntryType, String> {
        types::primitive(name)
            .or_else(|| self.types().into_iter().find(|t| types::name(t) == name))
            .ok_or_else(|| format!("Unknown type: {name}"))
    }

    /// All types that are not primitive, each once.
    pub(super) fn types(&self) -> Vec<EntryType> {
        let mut all: Vec<EntryType> = Vec::new();
        for sig in self.loaded.program.funs.iter().filter_map(|fun| fun.entry.as_ref()) {
            for ty in types::of(sig) {
                if !matches!(ty, EntryType::Scalar(_))
                    && !all.iter().any(|known| types::name(known) == types::name(&ty))
                {
                    all.push(ty);
                }
            }
        }
        all
    }
}
