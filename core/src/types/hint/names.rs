//! Names that are not known: words and operators of other languages, names of modules, slips of the pen.

use super::super::check::Checker;
use super::super::env::{Module, Scope, Value};
use super::super::infer::{T, typed_expr};
use super::super::ty::*;
use super::super::typed::ExprKind;
use super::super::unify::{Infer, Want};
use crate::diag::{Code, Diagnostic, Edit};
use crate::prim::ScalarType;
use crate::source::Span;
use crate::syntax::ast::{self, ExprKind as E};

/// The operator that a word between two operands stands for in other languages.
pub(super) fn infix(word: &str) -> Option<&'static str> {
    Some(match word {
        "and" | "AND" | "And" | "andalso" => "&&",
        "or" | "OR" | "Or" | "orelse" => "||",
        "mod" | "MOD" | "Mod" | "modulo" => "%",
        "div" | "DIV" | "Div" | "idiv" => "/",
        "rem" | "REM" => "%%",
        "quot" => "//",
        "xor" | "XOR" => "^",
        "pow" => "**",
        "shl" | "lsl" | "shiftl" | "shiftL" => "<<",
        "shr" | "asr" | "lsr" | "shiftr" | "shiftR" => ">>",
        "band" => "&",
        "bor" => "|",
        "is" | "eq" | "equals" => "==",
        "isnt" | "ne" | "neq" => "!=",
        "lt" => "<",
        "le" | "leq" => "<=",
        "gt" => ">",
        "ge" | "geq" => ">=",
        "times" => "*",
        "plus" => "+",
        "minus" => "-",
        _ => return None,
    })
}

/// The operator that another language's operator stands for.
fn operator(op: &str) -> Option<&'static str> {
    Some(match op {
        "<>" | "/=" | "=/=" | "!==" | "=!=" | "><" => "!=",
        "===" => "==",
        "=<" => "<=",
        "&&&" => "&&",
        "|||" | "||||" => "||",
        "+." => "+",
        "-." => "-",
        "*." => "*",
        "/." => "/",
        "^^" | "**." | "***" => "**",
        "<<<" => "<<",
        "+++" => "++",
        "%/%" => "/",
        _ => return None,
    })
}

/// Values and functions that have another name here.
fn synonym(name: &str) -> Option<&'static str> {
    Some(match name {
        "len" | "size" | "count" => "length",
        "range" | "arange" => "iota",
        "fold" | "inject" => "foldl",
        "True" | "TRUE" => "true",
        "False" | "FALSE" => "false",
        "append" | "cat" => "concat",
        "select" => "filter",
        "every" => "all",
        "some" => "any",
        _ => return None,
    })
}

/// The type that another language's name of a type stands for.
pub(in crate::types) fn other_type(name: &str) -> Option<&'static str> {
    Some(match name {
        "int" | "Int32" | "int32" | "int32_t" | "s32" => "i32",
        "Int" | "Integer" | "integer" | "long" | "int64" | "int64_t" | "Int64" | "isize" | "usize" | "size_t" => "i64",
        "short" | "int16" | "int16_t" => "i16",
        "byte" | "char" | "Char" | "uint8" | "uint8_t" | "Word8" => "u8",
        "uint" | "unsigned" | "uint32" | "uint32_t" | "Word32" => "u32",
        "uint64" | "uint64_t" | "Word64" => "u64",
        "double" | "Double" | "real" | "float64" | "Float64" | "num" | "number" => "f64",
        "float" | "Float" | "float32" | "Float32" | "single" => "f32",
        "half" | "float16" | "Half" => "f16",
        "boolean" | "Bool" | "Boolean" | "logical" => "bool",
        "string" | "String" | "str" => "[]u8",
        _ => return None,
    })
}

/// The modules in which a name is looked for, the likeliest first.
const MODULES: [&str; 12] = ["f64", "f32", "i32", "i64", "f16", "u8", "u32", "u64", "i8", "i16", "u16", "bool"];

impl Checker {
    /// Does a definition of the name begin a line below the place?
    fn is_defined_below(&self, name: &str, span: Span) -> bool {
        let Some(file) = self.sources.get(span.file) else { return false };
        file.text[span.end as usize..].lines().skip(1).any(|line| {
            let mut words = line.split_whitespace();
            let begins =
                line.starts_with(|c: char| c.is_alphabetic()) && matches!(words.next(), Some("def" | "entry" | "let"));
            begins && words.next() == Some(name)
        })
    }

    /// `f64.i32` for `f64` or `float` as a function of an `i32`.
    fn called_conversion(&self, name: &str, args: &[Type]) -> Option<String> {
        let [arg] = args else { return None };
        let Type::Scalar(from) = self.infer.head(arg) else { return None };
        let to = match name {
            // Python's
            "float" => ScalarType::F64,
            _ => ScalarType::from_name(name).or_else(|| ScalarType::from_name(other_type(name)?))?,
        };
        (to != from).then(|| format!("{to}.{from}"))
    }

    /// What is said of a name that is not known. The types are those of its arguments.
    pub(in crate::types) fn unknown(
        &mut self,
        scope: &Scope,
        (before, name): (&str, &str),
        span: Span,
        args: &[Type],
    ) -> T {
        let d = Diagnostic::error(Code::UnknownName, span, format!("Unknown name \"{before}{name}\"."));
        let d = match self.infer.is_shown() {
            true => self.meant(d, scope, (before, name), args),
            false => d,
        };
        self.infer.error(d);
        typed_expr(ExprKind::Error, Type::Error, span)
    }

    fn meant(&mut self, d: Diagnostic, scope: &Scope, (before, name): (&str, &str), args: &[Type]) -> Diagnostic {
        if let Some(function) = self.called_conversion(name, args).filter(|_| before.is_empty()) {
            let at = at_end_of(&d, name);
            return d.hint(format!("numbers are converted by functions: write `{function}`.")).edit(at, function);
        }
        if scope.modules.contains_key(name) {
            return d.note(format!("\"{name}\" is a module: write \"{name}.\" and a name in it."));
        }
        let (span, at) = (d.span(), at_end_of(&d, name));
        if let Some(op) = operator(name) {
            return d.hint(format!("write `{op}`.")).edit(at, op);
        }
        if name == "=>" {
            return d.hint("a function is written `\\x -> x + 1`; of numbers, `>=` compares.");
        }
        if name == "return" && before.is_empty() {
            let text = self.sources.get(span.file).map_or("", |file| &file.text[span.end as usize..]);
            let gap = text.len() - text.trim_start().len();
            let d = d.hint("a function returns what stands behind its `=`: leave out `return`.");
            return d.edit(Span { end: span.end + gap as u32, ..span }, "");
        }
        if before.is_empty()
            && let Some(module) = module_with(scope, name, args, &self.infer)
        {
            return d.hint(format!("did you mean \"{module}.{name}\"?")).edit(at, format!("{module}.{name}"));
        }
        if before.is_empty()
            && let Some(other) =
                synonym(name).filter(|other| matches!(*other, "true" | "false") || scope.values.contains_key(*other))
        {
            return d.hint(format!("did you mean \"{other}\"?")).edit(at, other);
        }
        if before.is_empty() && self.is_defined_below(name, span) {
            return d.hint(format!("\"{name}\" is defined further down: a definition stands above its uses."));
        }
        // of `f46.exp` the first name may be meant for a module
        let d = d.suggest((before, name), Some(at), scope.values.keys().chain(scope.modules.keys()).map(|k| &**k));
        match d.has_hint() || !before.is_empty() {
            true => d,
            // a slip of the pen in a name that stands in a module
            false => match MODULES[..2].iter().find_map(|m| near_in(scope, m, name)) {
                Some(near) => d.hint(format!("did you mean \"{near}\"?")).edit(at, near),
                None => d,
            },
        }
    }

    /// Says that a type has no constructor with so many parts.
    pub(in crate::types) fn no_constructor(&mut self, name: &ast::Ident, parts: usize, ty: &Type) {
        let shown = self.infer.shown(ty);
        let message = format!("The value must have a constructor \"#{}\" with {parts} parts.", name.name);
        let d = Diagnostic::error(Code::NoSuchField, name.span, message).here(format!("the value is of type {shown}"));
        let d = d.note(format!("The type {shown} has no such constructor \"#{}\".", name.name));
        let d = d.suggest(("#", &name.name), Some(name.span), shown.labels());
        let Type::Sum(constructors) = &shown else { return self.infer.error(d) };
        let mut alike = constructors.iter().filter(|(_, types)| types.len() == parts);
        let d = match (alike.next(), alike.next()) {
            _ if d.has_hint() => d,
            (Some((other, _)), None) => d.hint(format!("did you mean \"#{other}\"?")).edit(name.span, &**other),
            _ => {
                let names = shown.labels().map(|l| format!("#{l}")).collect::<Vec<_>>().join(", ");
                d.hint(format!("its constructors are {names}."))
            }
        };
        self.infer.error(d);
    }

    /// Says that an array has no field, but that there is a function of that name: `xs.length`.
    pub(in crate::types) fn function_as_field(&mut self, e: &T, field: &ast::Ident) -> bool {
        let Type::Array(..) = self.infer.head(&e.ty) else { return false };
        let name = synonym(&field.name).unwrap_or(&field.name).to_string();
        if !matches!(self.env.scope.values.get(&*name), Some(Value::Bound(id, _)) if self.is_library(id)) {
            return false;
        }
        let shown = self.infer.shown(&e.ty);
        let message = format!("There is no field \"{}\" in a value of type {shown}.", field.name);
        let d = Diagnostic::error(Code::NoSuchField, field.span, message);
        let span = e.span.to(field.span);
        let new = format!("{name} {}", self.atom(e.span));
        let new = if self.stands_alone(span) { new } else { format!("({new})") };
        let d = self.rewrite(d, "a function stands before its argument: ", span, vec![(span, new)]);
        self.infer.error(d);
        true
    }

    /// `(xs: [n]i32)` where nothing declares `n`.
    pub(in crate::types) fn undeclared_size(&mut self, size: &ast::Expr, errors_before: usize) {
        if let E::Var(name) = &size.kind
            && let [d] = &mut self.infer.diagnostics[errors_before..]
            && d.code == Code::UnknownName
            && !d.has_hint()
        {
            let hint = format!("declare a size behind the name of the definition: `def f [{name}] ..`.");
            *d = d.clone().hint(hint);
        }
    }

    /// Says that a value has no such field.
    pub(in crate::types) fn no_field(&mut self, field: &ast::Ident, ty: &Type) {
        let shown = self.infer.shown(ty);
        let message = format!("There is no field \"{}\" in a value of type {shown}.", field.name);
        let d = Diagnostic::error(Code::NoSuchField, field.span, message);
        let d = d.suggest(("", &field.name), Some(field.span), shown.labels());
        let names = shown.labels().map(|l| format!("\"{l}\"")).collect::<Vec<_>>();
        let d = match (&shown, &names[..]) {
            (Type::Record(_), [first, ..]) if !d.has_hint() => match names.len() {
                1 => d.hint(format!("its field is {first}.")),
                _ => d.hint(format!("its fields are {}.", names.join(", "))),
            },
            _ => d,
        };
        self.infer.error(d);
    }

    /// `x mod 2`: words between operands. What is said is said of the word, and no more is said of the application.
    pub(in crate::types) fn infix_words(&mut self, scope: &Scope, f: &T, args: &[ast::Expr], span: Span) -> Option<T> {
        let word = |e: &ast::Expr| match &e.kind {
            E::Var(name) => infix(name).map(|op| (e.span, name.clone(), op)),
            _ => None,
        };
        // the last one would have no operand behind it
        let (_, inner) = args.split_last()?;
        let found: Vec<(Span, Name, &str)> = inner.iter().filter_map(word).collect();
        let (at, name, _) = found.first()?.clone();
        let own = |name: &Name| match (scope.values.get(name), self.env.scope.values.get(name)) {
            (Some(Value::Bound(a, _)), Some(Value::Bound(b, _))) => !(a == b && self.is_library(a)),
            (Some(_), _) => true,
            (None, _) => scope.modules.contains_key(name),
        };
        if found.iter().any(|(_, name, _)| own(name)) {
            return None;
        }
        // where the first operand is a function, the word may be its argument
        let may_apply = matches!(self.infer.head(&f.ty), Type::Fun(_) | Type::Error) || self.is_open(&f.ty);
        if scope.values.contains_key(&name) && (may_apply || args.first().is_none_or(|e| e.span != at)) {
            return None;
        }
        let is_truth = self.infer.head(&f.ty) == Type::BOOL;
        for e in args.iter().filter(|e| !found.iter().any(|(at, ..)| *at == e.span)) {
            self.expr(scope, e);
        }
        let (code, message) = match scope.values.contains_key(&name) {
            true => (Code::NotAFunction, format!("\"{name}\" is no operator: it cannot stand between its operands.")),
            false => (Code::UnknownName, format!("Unknown name \"{name}\".")),
        };
        let op = |op: &str| if op == "^" && is_truth { "!=".to_string() } else { op.to_string() };
        let edits: Vec<Edit> = found.iter().map(|(at, _, new)| (*at, op(new))).collect();
        let d = Diagnostic::error(code, at, message).here("this is no operator");
        let d = if self.infer.is_shown() { self.rewrite(d, "", span, edits) } else { d };
        self.said_of_words = Some(self.infer.diagnostics.len());
        self.infer.error(d);
        Some(typed_expr(ExprKind::Error, Type::Error, span))
    }

    /// `x > 0 and y > 0`, which is read as `x > (0 and y) > 0`: what has been said of a word is said of all of the chain, with all words in it. `None` if it was no
    /// operand of this chain that it was said of.
    pub(in crate::types) fn chain_of_words(&mut self, scope: &Scope, operands: &[&ast::Expr], span: Span) -> Option<T> {
        let said = self.said_of_words.take()?;
        let words = |e: &&ast::Expr| match &e.kind {
            E::Apply(_, args) => args.split_last().map_or(vec![], |(_, inner)| inner.to_vec()),
            _ => vec![],
        };
        let edit = |e: ast::Expr| match &e.kind {
            E::Var(name) if !matches!(scope.values.get(name), Some(Value::Bound(id, _)) if !self.is_library(id)) => {
                infix(name).map(|op| (e.span, op.to_string()))
            }
            _ => None,
        };
        let edits: Vec<Edit> = operands.iter().flat_map(words).filter_map(edit).collect();
        let d = self.infer.diagnostics.get(said)?.clone();
        if !edits.iter().any(|(at, _)| *at == d.span()) {
            return None;
        }
        let plain = Diagnostic { notes: vec![], edits: vec![], ..d };
        self.infer.diagnostics[said] = self.rewrite(plain, "", span, edits);
        Some(typed_expr(ExprKind::Error, Type::Error, span))
    }

    /// `x => x + 1`
    pub(in crate::types) fn fat_arrow(
        &mut self,
        scope: &Scope,
        first: &ast::Expr,
        op: &ast::QualName,
        span: Span,
    ) -> Option<T> {
        let E::Var(name) = &first.kind else { return None };
        if scope.values.contains_key(name) || scope.values.contains_key("=>") {
            return None;
        }
        let d = Diagnostic::error(Code::UnknownName, op.span(), "Unknown name \"=>\".".to_string());
        let begin = Span { end: first.span.start, ..first.span };
        let edits = vec![(begin, "\\".to_string()), (op.span(), "->".to_string())];
        let d = self.rewrite(d.here("this is no operator"), "a function begins with `\\`: ", span, edits);
        self.infer.error(d);
        Some(typed_expr(ExprKind::Error, Type::Error, span))
    }

    /// `mod x 2`: a word before its operands.
    pub(in crate::types) fn prefix_word(
        &mut self,
        scope: &Scope,
        f: &ast::Expr,
        args: &[ast::Expr],
        span: Span,
    ) -> Option<T> {
        let (E::Var(name), [a, b]) = (&f.kind, args) else { return None };
        let op = infix(name)?;
        if scope.values.contains_key(name) || scope.modules.contains_key(name) {
            return None;
        }
        [a, b].into_iter().for_each(|e| _ = self.expr(scope, e));
        let new = format!("{} {op} {}", self.text(a.span), self.text(b.span));
        let new = if self.stands_alone(span) { new } else { format!("({new})") };
        let d = Diagnostic::error(Code::UnknownName, f.span, format!("Unknown name \"{name}\"."));
        let d = if self.infer.is_shown() { self.rewrite(d, "", span, vec![(span, new)]) } else { d };
        self.infer.error(d);
        Some(typed_expr(ExprKind::Error, Type::Error, span))
    }

    /// Is nothing known of a type, not even that it is of numbers?
    fn is_open(&self, ty: &Type) -> bool {
        matches!(self.infer.head(ty), Type::Meta(m) if !matches!(self.infer.want(m), Want::Scalars(_)))
    }

    /// Is it a name of the prelude?
    pub(super) fn is_library(&self, id: &Id) -> bool {
        self.env.def(id).is_some_and(|def| self.sources.of_prelude(def.span))
    }

    /// Do parentheses or the end of the line stand around an expression?
    fn stands_alone(&self, span: Span) -> bool {
        let Some(file) = self.sources.get(span.file) else { return false };
        let (before, after) = (file.text[..span.start as usize].trim_end(), &file.text[span.end as usize..]);
        let after = after.trim_start_matches([' ', '\t']);
        before.ends_with(['=', '('])
            && !before.ends_with("==")
            && (after.is_empty() || after.starts_with(['\n', ')', '\r']))
    }
}

/// Where the name is that stands at the end of the place of an error.
fn at_end_of(d: &Diagnostic, name: &str) -> Span {
    let span = d.span();
    Span { start: span.end.saturating_sub(name.len() as u32).max(span.start), ..span }
}

/// The module that has a name for arguments of these types.
fn module_with(scope: &Scope, name: &str, args: &[Type], infer: &Infer) -> Option<&'static str> {
    fn scalar(ty: &Type, infer: &Infer) -> Option<ScalarType> {
        match infer.head(ty) {
            Type::Scalar(t) => Some(t),
            Type::Array(_, elem) => scalar(&elem, infer),
            _ => None,
        }
    }
    let has = |module: &str| match scope.modules.get(module).map(|m| &**m) {
        Some(Module::Plain(names)) => names.values.contains_key(name),
        _ => false,
    };
    let own = args.iter().find_map(|ty| scalar(ty, infer)).map(ScalarType::name).filter(|m| has(m));
    // a conversion stands in all of them
    let is_type = ScalarType::from_name(name).is_some();
    own.filter(|_| !is_type).or_else(|| MODULES.into_iter().find(|m| !is_type && has(m)))
}

/// A name near this one in a module, with the module.
fn near_in(scope: &Scope, module: &str, name: &str) -> Option<String> {
    let Some(Module::Plain(names)) = scope.modules.get(module).map(|m| &**m) else { return None };
    if name.chars().count() < 4 {
        return None;
    }
    let before = format!("{module}.");
    let d = Diagnostic::error(Code::UnknownName, Span::default(), "");
    let d = d.suggest((&before, name), Some(Span::default()), names.values.keys().map(|k| &**k));
    d.edits.into_iter().next().map(|(_, near)| before + &near)
}
