//! Numbers of the wrong type: conversions, suffixes, what a type can hold.

use super::super::check::Checker;
use super::super::infer::T;
use super::super::ty::*;
use super::super::typed::{ExprKind, Literal};
use super::super::unify::Want;
use super::is_atom;
use crate::diag::{Code, Diagnostic};
use crate::prim::ScalarType;
use crate::source::Span;

/// What kind of number a type is or may be.
#[derive(Clone, Copy, Debug, PartialEq)]
enum Number {
    Is(ScalarType),
    /// Any number; or one with a fraction, or an integer.
    Any,
    Fraction,
    Integer,
}

impl Number {
    fn is_float(self) -> bool {
        matches!(self, Number::Fraction) || matches!(self, Number::Is(t) if t.is_float())
    }

    /// The type that is taken if nothing else is known.
    fn or_default(self) -> ScalarType {
        match self {
            Number::Is(t) => t,
            Number::Fraction => ScalarType::F64,
            Number::Any => ScalarType::I32,
            Number::Integer => ScalarType::I64,
        }
    }
}

/// How much a type can hold, roughly: of two operands the one that holds less is converted.
fn breadth(t: ScalarType) -> usize {
    use ScalarType::*;
    let order = [Bool, U8, I8, U16, I16, U32, I32, U64, I64, F16, F32, F64];
    order.iter().position(|s| *s == t).unwrap_or(0)
}

impl Checker {
    fn number(&self, ty: &Type) -> Option<Number> {
        match self.infer.head(ty) {
            Type::Scalar(t) => Some(Number::Is(t)),
            Type::Meta(m) => match self.infer.want(m) {
                Want::Scalars(set) if set.contains(ScalarType::Bool) => None,
                Want::Scalars(set) if set.contains(ScalarType::I32) && set.contains(ScalarType::F64) => {
                    Some(Number::Any)
                }
                Want::Scalars(set) if set.contains(ScalarType::I64) => Some(Number::Integer),
                Want::Scalars(set) if set.contains(ScalarType::F64) => Some(Number::Fraction),
                _ => None,
            },
            _ => None,
        }
    }

    /// The error with the conversion of the expression, if both types are of numbers.
    pub(in crate::types) fn converted(&mut self, d: Diagnostic, expected: &Type, e: &T, around: Span) -> Diagnostic {
        if !matches!(d.code, Code::TypeMismatch | Code::NoSuchOverload) {
            return d;
        }
        match self.conversion(expected, e, false) {
            Some(new) => {
                let plain =
                    new.strip_prefix('(').and_then(|new| new.strip_suffix(')')).filter(|_| self.is_whole(e.span));
                let new = plain.unwrap_or(&new).to_string();
                self.rewrite(d, "", around, vec![(e.span, new)])
            }
            None => d,
        }
    }

    /// Does nothing bind tighter around the place than what may stand there: is it a body, or in brackets?
    fn is_whole(&self, span: Span) -> bool {
        let Some(file) = self.sources.get(span.file) else { return false };
        let before = file.text[..span.start as usize].trim_end();
        let after = file.text[span.end as usize..].trim_start();
        let comparison = ["==", "<=", ">=", "!="].iter().any(|op| before.ends_with(op));
        let begins = before.ends_with(['=', '[', ',', '(']) && !comparison || before.ends_with("->");
        let word = before.rsplit(|c: char| !(c.is_alphanumeric() || matches!(c, '_' | '.' | '\''))).next();
        let follows = matches!(word, Some("then" | "else" | "in" | "if"));
        let ends = after.is_empty()
            || after.starts_with([']', ',', ')'])
            || after.starts_with("then")
            || file.text[span.end as usize..].trim_start_matches([' ', '\t']).starts_with('\n');
        (begins || follows) && ends
    }

    /// What is written for the expression where another type is expected. As an operand it needs no parentheses.
    pub(in crate::types) fn conversion(&mut self, expected: &Type, e: &T, is_operand: bool) -> Option<String> {
        let (expected, actual) = (self.infer.zonk(expected), self.infer.zonk(&e.ty));
        let text = self.text(e.span);
        if let (Some(to), Some(literal)) = (self.number(&expected), literal_text(e, &text))
            && let Some(new) = relabelled(literal, to)
        {
            return Some(new);
        }
        let parens = |new: String| if is_operand { new } else { format!("({new})") };
        match (&expected, &actual) {
            (Type::Array(_, to), Type::Array(_, from)) if self.number(to).is_some() => {
                let function = self.conversion_function(to, from)?;
                Some(parens(format!("map {function} {}", self.atom(e.span))))
            }
            (Type::Array(_, to), Type::Array(_, from)) => match (self.infer.head(to), self.infer.head(from)) {
                (Type::Array(_, to), Type::Array(_, from)) => {
                    let function = self.conversion_function(&to, &from)?;
                    Some(parens(format!("map (map {function}) {}", self.atom(e.span))))
                }
                _ => None,
            },
            _ => {
                let to = self.number(&expected)?;
                let from = self.number(&actual)?;
                // `f64.i32 i` where an integer is wanted is `i`
                if let (ExprKind::Apply(_, args, _), [arg]) = (&e.kind, &args_of(e)[..])
                    && args.len() == 1
                    && text.starts_with(&format!("{}.", from.or_default()))
                    && let Some(Number::Is(own)) = self.number(&arg.ty)
                    && (to == Number::Is(own) || to == Number::Integer && own.is_int() && !own.is_unsigned())
                {
                    return Some(if is_operand { self.text(arg.span) } else { self.atom(arg.span) });
                }
                if to == Number::Is(ScalarType::Bool) {
                    let operand = if is_atom(&text) || matches!(e.kind, ExprKind::Apply(..)) {
                        text
                    } else {
                        format!("({text})")
                    };
                    return Some(format!("({operand} != 0)"));
                }
                let function = self.conversion_function(&expected, &actual)?;
                Some(parens(format!("{function} {}", self.atom(e.span))))
            }
        }
    }

    /// `f64.i32` and its like.
    fn conversion_function(&self, to: &Type, from: &Type) -> Option<String> {
        let (to, from) = (self.number(to)?, self.number(from)?);
        let to_type = match (to, from) {
            // an index or a size
            (Number::Integer, _) => ScalarType::I64,
            _ => to.or_default(),
        };
        let from_type = from.or_default();
        (to_type != from_type).then(|| format!("{to_type}.{from_type}"))
    }

    /// The error of an operator whose operands are of two types, with the conversion of the one that holds less.
    pub(in crate::types) fn operands_converted(
        &mut self,
        d: Diagnostic,
        left: (&T, Span),
        right: &T,
        whole: Span,
    ) -> Diagnostic {
        let (Some(l), Some(r)) = (self.number(&left.0.ty), self.number(&right.ty)) else { return d };
        // a literal is written otherwise, be it that or the other operand that is wrong
        let plain = |c: &Checker, e: &T, span: Span, to: Number| {
            let text = c.text(span);
            literal_text(e, &text).and_then(|text| relabelled(text, to))
        };
        if let Some(new) = plain(self, right, right.span, l) {
            return self.rewrite(d, "", whole, vec![(right.span, new)]);
        }
        if let Some(new) = plain(self, left.0, left.1, r) {
            return self.rewrite(d, "", whole, vec![(left.1, new)]);
        }
        let wanted = self.declared_float();
        let broad = |n: Number| match n {
            Number::Is(t) => breadth(t),
            Number::Fraction => breadth(ScalarType::F64),
            _ => 0,
        };
        let to_left = match (l, r) {
            (l, r) if l.is_float() != r.is_float() => l.is_float(),
            (l, r) => broad(l) >= broad(r),
        };
        let (to, from, span) = if to_left { (l, r, right.span) } else { (r, l, left.1) };
        if to == Number::Any || from == Number::Any {
            return d;
        }
        let to = match (to, wanted) {
            (Number::Fraction, Some(t)) => t,
            _ => to.or_default(),
        };
        let from = from.or_default();
        if to == from || to == ScalarType::Bool {
            return d;
        }
        let function = format!("{to}.{from}");
        self.rewrite(d, "", whole, vec![(span, format!("{function} {}", self.atom(span)))])
    }

    /// Is it a type of numbers with a fraction?
    pub(in crate::types) fn is_fraction(&self, ty: &Type) -> bool {
        self.number(ty).is_some_and(Number::is_float)
    }

    /// The type of numbers with a fraction that the function at hand is declared to return.
    fn declared_float(&self) -> Option<ScalarType> {
        match self.declared.as_ref().map(|t| self.infer.head(t)) {
            Some(Type::Scalar(t)) if t.is_float() => Some(t),
            _ => None,
        }
    }
}

fn args_of(e: &T) -> Vec<T> {
    match &e.kind {
        ExprKind::Apply(_, args, _) => args.clone(),
        _ => vec![],
    }
}

/// The text of a number as it stands there, without parentheses.
fn literal_text<'a>(e: &T, text: &'a str) -> Option<&'a str> {
    let text = text.trim_start_matches('(').trim_end_matches(')').trim();
    let digits = text.strip_prefix('-').map_or(text, str::trim_start);
    let is_literal = matches!(e.kind, ExprKind::Lit(Literal::Int(_) | Literal::Float(_)));
    (is_literal && digits.starts_with(|c: char| c.is_ascii_digit())).then_some(text)
}

/// A literal as one of another type: without its suffix, and without a fraction that is none.
fn relabelled(text: &str, to: Number) -> Option<String> {
    let negative = text.starts_with('-');
    let digits = text.trim_start_matches(['-', ' ']);
    let parenthesised = |text: String| if negative { format!("(-{text})") } else { text };
    let hexadecimal = digits.starts_with("0x") || digits.starts_with("0X");
    let names = ScalarType::ALL.map(ScalarType::name);
    let suffix = names.into_iter().find(|s| digits.ends_with(s) && !(hexadecimal && s.starts_with('f')));
    let bare = suffix.map_or(digits, |s| &digits[..digits.len() - s.len()]);
    let is_plain = !hexadecimal && !digits.starts_with("0b") && !digits.starts_with("0r");
    let has_fraction = is_plain && bare.contains(['.', 'e', 'E']);
    if to == Number::Is(ScalarType::Bool) {
        return match bare {
            "0" => Some("false".to_string()),
            "1" => Some("true".to_string()),
            _ => None,
        };
    }
    if has_fraction && !to.is_float() && to != Number::Any {
        let (whole, fraction) = bare.split_once('.')?;
        let is_whole = !fraction.is_empty() && fraction.chars().all(|c| c == '0' || c == '_');
        return is_whole.then(|| parenthesised(whole.to_string()));
    }
    suffix.map(|_| parenthesised(bare.to_string()))
}

/// What a type of numbers holds, in words; and a literal that does not fit as one of a type that holds it.
pub(in crate::types) fn literal_range(t: ScalarType, value: Literal) -> (String, Option<ScalarType>) {
    use ScalarType::*;
    let holds = |types: &[ScalarType]| types.iter().copied().find(|t| value.at(*t).is_some());
    let integer = |low: i128, high: i128| (format!("{t} is {low} to {high}"), holds(&[I32, I64, U64]));
    match t {
        I8 => integer(i8::MIN.into(), i8::MAX.into()),
        I16 => integer(i16::MIN.into(), i16::MAX.into()),
        I32 => integer(i32::MIN.into(), i32::MAX.into()),
        I64 => integer(i64::MIN.into(), i64::MAX.into()),
        U8 => integer(0, u8::MAX.into()),
        U16 => integer(0, u16::MAX.into()),
        U32 => integer(0, u32::MAX.into()),
        U64 => integer(0, u64::MAX.into()),
        F16 => ("the largest f16 is 65504".to_string(), holds(&[F32, F64])),
        F32 => (format!("the largest f32 is {:e}", f32::MAX), holds(&[F64])),
        F64 => (format!("the largest f64 is {:e}", f64::MAX), None),
        Bool => ("bool is true or false".to_string(), None),
    }
}
