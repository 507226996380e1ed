//! FutharkScript: the expressions that make the input of a test (`script input`), in which the program's entry points can be called.
//!
//! ```text
//! exp   ::= "let" pat "=" exp ("in" exp | exp, which is a "let")
//!         | fun part*                                  -- an application: of an entry point, or of a procedure `$name`
//!         | part
//! part  ::= atom ("." field)* | name "[" exp, … "]"
//! atom  ::= fun | constant | "text" | "(" exp, … ")" | "[" exp, … "]" | "{" name "=" exp, … "}" | "empty" "(" "[" n "]"… type ")"
//! pat   ::= name | "(" name, … ")"                     fun ::= name | "$" name
//! ```
//!
//! A constant without a type takes the one that it is needed at. A function of several parameters may be applied to one tuple of as many components.

mod eval;
mod parse;

pub use eval::{Scope, arguments};
pub use parse::parse;

use futi_core::entry::type_name;
use futi_core::failure::RuntimeError;
use futi_core::ir::EntryType;
use futi_core::value::Value;
use futi_core::value::text::parse_scalar;
use std::fmt;

/// How entry points are run: with the arguments and results of the IR function.
pub type Call<'a> = &'a mut dyn FnMut(&str, Vec<Value>) -> Result<Vec<Value>, RuntimeError>;

/// An expression.
#[derive(Clone, Debug, PartialEq)]
pub enum Exp {
    /// A number or truth value as written.
    Constant(String),
    /// Text: its bytes.
    Text(String),
    /// An array that is read as it stands: `empty([0]i32)`.
    Empty(Value),
    /// A name: of a variable, or of an entry point.
    Name(String),
    /// A name of a procedure, without its `$`.
    Procedure(String),
    /// A function and its arguments.
    Apply(Box<Exp>, Vec<Exp>),
    /// `e.x`, `e.0`
    Field(Box<Exp>, String),
    /// `x[e, …]`
    Index(Box<Exp>, Vec<Exp>),
    /// Components; none for the unit.
    Tuple(Vec<Exp>),
    /// Elements.
    Array(Vec<Exp>),
    /// Fields, as written.
    Record(Vec<(String, Exp)>),
    /// Bindings, each in scope of those that follow.
    Let(Vec<(Pat, Exp)>, Box<Exp>),
}

/// What a `let` binds.
#[derive(Clone, Debug, PartialEq)]
pub enum Pat {
    /// The value.
    Name(String),
    /// The components of a tuple.
    Tuple(Vec<String>),
}

/// The value of an expression.
#[derive(Clone, Debug, PartialEq)]
pub enum Val {
    /// A constant as written, whose type is not known yet.
    Constant(String),
    /// A scalar or an array of scalars.
    Value(Value),
    /// Elements, of a type that is not known yet.
    Array(Vec<Val>),
    /// Components.
    Tuple(Vec<Val>),
    /// Fields.
    Record(Vec<(String, Val)>),
    /// Something that an entry point has made and only entry points can use: an array of tuples. Its parts, one for each leaf of the type.
    Opaque(EntryType, Vec<Value>),
}

impl fmt::Display for Val {
    /// As Futhark's text format has it; tuples in parentheses, fields by their names. What only entry points can use is its type.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let list = |vals: &[Val]| vals.iter().map(Val::to_string).collect::<Vec<_>>().join(", ");
        match self {
            Val::Constant(text) => match parse_scalar(text) {
                Some(x) => write!(f, "{x}"),
                None => f.write_str(text),
            },
            Val::Value(value) => write!(f, "{value}"),
            Val::Array(vals) => write!(f, "[{}]", list(vals)),
            Val::Tuple(vals) => write!(f, "({})", list(vals)),
            Val::Record(fields) => {
                let fields: Vec<String> = fields.iter().map(|(name, val)| format!("{name} = {val}")).collect();
                write!(f, "{{{}}}", fields.join(", "))
            }
            Val::Opaque(ty, _) => write!(f, "#<{}>", type_name(ty)),
        }
    }
}

/// What keeps an expression from having a value, in one line.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct ScriptError(pub String);

impl fmt::Display for ScriptError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.0)
    }
}
impl std::error::Error for ScriptError {}

fn fail<T>(message: impl Into<String>) -> Result<T, ScriptError> {
    Err(ScriptError(message.into()))
}
