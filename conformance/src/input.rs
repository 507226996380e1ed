//! What a case reads: the values that stand in its test block, or where the block says that they come from.

use crate::data;
use crate::dataset;
use crate::script::{self, Scope};
use crate::spec::Input;
use futi_core::entry;
use futi_core::ir::Fun;
use futi_core::prim::ScalarType;
use futi_core::value::Value;

/// The values, one for each leaf of the entry point's parameters. Files are looked for in the scope's folder; a script may call the program's entry
/// points. Random values are those of `futhark dataset` for this seed.
///
/// # Errors
/// In one line, why there are none.
pub fn values(input: &Input, fun: &Fun, scope: &mut Scope, seed: i64) -> Result<Vec<Value>, String> {
    match input {
        Input::Values(values) => Ok(values.clone()),
        Input::File(file) => {
            let types = fun.entry.as_ref().map(entry::inputs).unwrap_or_default();
            let types: Vec<ScalarType> = types.into_iter().map(|(t, _)| t).collect();
            data::read(&scope.folder.file(file)?, &types)
        }
        Input::Random(wanted) => Ok(dataset::input(wanted, seed)),
        Input::Script(text) => scripted(text, fun, scope),
        Input::ScriptFile(file) => {
            let path = scope.folder.file(file)?;
            let text = std::fs::read_to_string(&path).map_err(|e| format!("{}: {e}", path.display()))?;
            scripted(&text, fun, scope).map_err(|e| format!("{}: {e}", path.display()))
        }
    }
}

fn scripted(text: &str, fun: &Fun, scope: &mut Scope) -> Result<Vec<Value>, String> {
    let exp = script::parse(text).map_err(|e| e.to_string())?;
    script::arguments(&exp, fun, scope).map_err(|e| e.to_string())
}
