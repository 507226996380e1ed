//! Why two types do not agree, and what is said of it.

use super::ty::*;
use super::unify::{Infer, ScalarSet, Want};
use crate::diag::{Code, Diagnostic};
use crate::hash::HashSet;
use crate::prim::ScalarType;
use crate::source::Span;

/// The letters that stand in a message for types that may be any.
#[derive(Default)]
struct Letters {
    metas: Vec<u32>,
    /// Names that stand in the message for types already.
    taken: HashSet<Name>,
}

impl Letters {
    /// Names in a type are none of these letters.
    fn avoid(&mut self, ty: &Type) {
        if let Type::Var(id) = ty {
            self.taken.insert(id.name.clone());
        }
        ty.parts(&mut |t| self.avoid(t));
    }

    fn of(&mut self, meta: u32) -> String {
        let n = self.metas.iter().position(|m| *m == meta).unwrap_or_else(|| {
            self.metas.push(meta);
            self.metas.len() - 1
        });
        let mut free = ('a'..='z').map(String::from).filter(|letter| !self.taken.contains(&**letter));
        free.nth(n).unwrap_or_else(|| format!("t{n}"))
    }
}

/// Why two types do not agree.
#[derive(Clone, Debug)]
pub(super) enum Mismatch {
    Types(Type, Type),
    Sizes(Size, Size),
    /// A type that would contain itself.
    Infinite(Type),
    /// A name that would leave its scope; the size variable that it would be.
    Escape(Id, Option<u32>),
    /// The type is none of these.
    NotIn(Type, ScalarSet),
    /// No type is all that is asked of two types that must be one.
    Wants(Box<(Want, Want)>),
    /// A size that would be made of itself.
    InfiniteSize(u32, Size),
    /// Elements of an array, or what a type parameter that is not lifted stands for, of a type with unknown sizes.
    SizeLifted(Type),
    /// A function where none may stand.
    Function,
    /// A function whose result's size is only known after a call.
    Unknown(Type),
    /// A record lacks a field, or what should be one is none.
    NoField(Type, Name),
    /// The values of the type cannot be compared.
    NotComparable(Type),
    /// A sum lacks a constructor, or what should be one is none.
    NoConstructor(Type, Name),
    /// The function consumes its argument, where it may not.
    Consumes(Type, Type),
    /// The function's result may have aliases, where it may not.
    Aliased(Type, Type),
}

impl Infer {
    /// Makes the types equal, or reports why they had to be.
    pub fn require(&mut self, expected: &Type, actual: &Type, span: Span, why: impl FnOnce() -> String) {
        if let Err(mismatch) = self.unify(expected, actual) {
            let d = self.mismatch(&mismatch, expected, actual, span, &why());
            self.failed(d, expected);
        }
    }

    /// Says that something is not of the type expected.
    pub fn failed(&mut self, d: Diagnostic, expected: &Type) {
        self.error(d);
        // One complaint about a variable is enough.
        if let Type::Meta(m) = self.head(expected) {
            self.solve_type(m, Type::Error);
        }
    }

    /// A size for a message: those of no value yet have the names of what they came up for.
    fn shown_size(&self, size: &Size) -> Size {
        self.size(size).map(&mut |leaf| match leaf {
            Size::Meta(m) => Size::Var(Id { num: u32::MAX, name: self.size_origin(*m).1.clone() }),
            other => other.clone(),
        })
    }

    /// A type for a message: literals of no type yet are numbers, and what may be any type has a letter.
    pub fn shown(&self, ty: &Type) -> Type {
        self.shown_with(ty, &mut Letters::default())
    }

    fn shown_with(&self, ty: &Type, letters: &mut Letters) -> Type {
        let named = |name: &str| Some(Type::Var(Id { num: u32::MAX, name: name.into() }));
        let ty = self.zonk(ty);
        letters.avoid(&ty);
        ty.map(&mut |s| s.clone(), &mut |t| match t {
            Type::Meta(m) => match *self.want(*m) {
                Want::Scalars(set) if set.contains(ScalarType::Bool) => named("scalar"),
                Want::Scalars(set) if set.contains(ScalarType::F64) && set.contains(ScalarType::I32) => named("number"),
                Want::Scalars(set) if set.contains(ScalarType::I32) => named("integer"),
                Want::Scalars(_) => named("fraction"),
                _ => named(&letters.of(*m)),
            },
            _ => None,
        })
    }

    /// The size of these two that is not known, if no other size in the types is one that is not.
    fn only_unknown(&self, sizes: [&Size; 2], types: [&Type; 2]) -> Option<Id> {
        let unknown = |size: &Size| match size {
            Size::Var(id) if self.origins.contains_key(id) => Some(id.clone()),
            _ => None,
        };
        let found = sizes.into_iter().find_map(unknown)?;
        let mut only = true;
        let mut look = |size: &Size| size.names(&mut |id| only &= *id == found || !self.origins.contains_key(id));
        sizes.into_iter().for_each(&mut look);
        types.into_iter().for_each(|ty| ty.sizes(&mut look));
        only.then_some(found)
    }

    /// What is said of sizes of which this one is not known, and the only one: it needs no name.
    fn without_name(&self, d: Diagnostic, id: &Id, why: &str, types: [&Type; 2]) -> Diagnostic {
        let hidden = |size: &Size| if *size == Size::Var(id.clone()) { Size::Meta(0) } else { size.clone() };
        let [expected, actual] = types.map(|ty| ty.map(&mut |size| hidden(size), &mut |_| None));
        let name = format!("\"{id}\"");
        let label = |(span, text): (Span, String)| {
            let text = match text.strip_prefix(&format!("{name} is ")) {
                Some(origin) if origin.starts_with("unknown") => format!("an {origin}"),
                Some(origin) => format!("an unknown size: {origin}"),
                None => text,
            };
            (span, text)
        };
        let message = format!("{why}\nExpected: {expected}\nActual:   {actual}");
        let labels = d.labels.into_iter().map(label).collect();
        let notes = d.notes.into_iter().map(|note| note.replace(&name, "an unknown size")).collect();
        Diagnostic { message, labels, notes, ..d }.here(format!("this is of type {actual}"))
    }

    /// The diagnostic for a mismatch between two types; `why` says why they had to agree.
    pub fn mismatch(&self, m: &Mismatch, expected: &Type, actual: &Type, span: Span, why: &str) -> Diagnostic {
        let is_open = matches!(self.head(actual), Type::Meta(m) if matches!(self.want(m), Want::Anything));
        let mut letters = Letters::default();
        [expected, actual].into_iter().for_each(|ty| letters.avoid(&self.zonk(ty)));
        let (expected, actual) = (self.shown_with(expected, &mut letters), self.shown_with(actual, &mut letters));
        let message = format!("{why}\nExpected: {expected}\nActual:   {actual}");
        let here = format!("this is of type {actual}");
        let error = |code| Diagnostic::error(code, span, message.clone()).here(here.clone());
        match m {
            Mismatch::Types(a, b) => {
                let (a, b) = (self.shown_with(a, &mut letters), self.shown_with(b, &mut letters));
                let mut d = error(Code::TypeMismatch);
                if (&a, &b) != (&expected, &actual) && (&b, &a) != (&expected, &actual) {
                    d = d.note(format!(
                        "Types \"{a}\" and \"{b}\" do not match{}.",
                        field_of(&expected, &actual, (&a, &b))
                    ));
                }
                match unshared(&a, &b) {
                    Some(note) => d.note(note),
                    None => d,
                }
            }
            Mismatch::Sizes(a, b) => {
                let (a, b) = (self.shown_size(a), self.shown_size(b));
                let d = error(Code::SizeMismatch).note(format!("Sizes \"{a}\" and \"{b}\" do not match."));
                let d = self.explain_sizes(d, [&a, &b]);
                match self.only_unknown([&a, &b], [&expected, &actual]) {
                    Some(id) => self.without_name(d, &id, why, [&expected, &actual]),
                    None => d,
                }
            }
            Mismatch::Infinite(t) => {
                let t = self.shown_with(t, &mut letters);
                error(Code::InfiniteType).note(format!("Occurs check: the type {t} would contain itself."))
            }
            Mismatch::InfiniteSize(meta, size) => {
                let (own, size) = (self.shown_size(&Size::Meta(*meta)), self.shown_size(size));
                let d = error(Code::SizeMismatch).note(format!("Occurs check: no size \"{own}\" is \"{size}\"."));
                self.explain_sizes(d, [&size])
            }
            Mismatch::Escape(id, meta) => {
                let (code, note) = if meta.is_some_and(|m| self.of_loops.contains(&m)) {
                    let note = format!(
                        "\"{id}\" is not in scope where the loop's parameters get their sizes: it comes up inside the loop body."
                    );
                    (Code::SizeEscapes, note)
                } else if self.origins.contains_key(id) {
                    // of the outside is what was there before
                    let note = format!("Causality check: the size \"{id}\" is needed before it is computed.");
                    (Code::Causality, note)
                } else {
                    let what = if self.lifted.contains_key(id) { "type" } else { "size" };
                    (Code::SizeEscapes, format!("The {what} \"{id}\" would leave the scope of its name."))
                };
                self.explain_sizes(error(code).note(note), [&Size::Var(id.clone())])
            }
            Mismatch::NotIn(t, set) => {
                let names: Vec<&str> = set.types().map(ScalarType::name).collect();
                let t = self.shown_with(t, &mut letters);
                let note = format!("Cannot instantiate with type {t}: must be one of {}.", names.join(", "));
                error(Code::NoSuchOverload).note(note)
            }
            Mismatch::Wants(wants) => error(Code::NoSuchOverload).note(match &**wants {
                (Want::Scalars(a), Want::Scalars(b)) => {
                    let [a, b] = [a, b].map(|set| set.types().map(ScalarType::name).collect::<Vec<_>>().join(", "));
                    format!("No type is one of {a} and one of {b}.")
                }
                (a, b) => format!("No type is {} and {}.", asked(a), asked(b)),
            }),
            Mismatch::SizeLifted(t) => error(Code::FunctionNotAllowed).note(format!(
                "The type {} is size-lifted: it may have unknown sizes, so it cannot be that of an array element.",
                self.shown_with(t, &mut letters)
            )),
            Mismatch::Function
                if !is_open && matches!((&expected, &actual), (Type::Fun(_), t) if !t.has_function()) =>
            {
                error(Code::FunctionNotAllowed).note("This is no function.")
            }
            Mismatch::Function => error(Code::FunctionNotAllowed).note("A function may not stand here."),
            Mismatch::Unknown(t) => error(Code::SizeMismatch).note(format!(
                "The size of the result of {} is known only after a call, where a fixed size is needed.",
                self.shown_with(t, &mut letters)
            )),
            Mismatch::NoField(t, name) => {
                let t = self.shown_with(t, &mut letters);
                error(Code::NoSuchField).note(format!("The type {t} has no field \"{name}\".")).suggest(
                    ("", name),
                    None,
                    t.labels(),
                )
            }
            Mismatch::NotComparable(t) => {
                let why = if self.contains_function(t) { ": functions cannot be compared" } else { "" };
                error(Code::NoSuchOverload)
                    .note(format!("Type {} does not support equality{why}.", self.shown_with(t, &mut letters)))
            }
            Mismatch::NoConstructor(t, name) => {
                let t = self.shown_with(t, &mut letters);
                let note = format!("The type {t} has no such constructor \"#{name}\".");
                error(Code::NoSuchField).note(note).suggest(("#", name), None, t.labels())
            }
            Mismatch::Consumes(a, b) => error(Code::TypeMismatch).note(format!(
                "Parameters of \"{}\" and \"{}\" are incompatible regarding consuming their arguments.",
                self.shown_with(a, &mut letters),
                self.shown_with(b, &mut letters)
            )),
            Mismatch::Aliased(a, b) => error(Code::TypeMismatch).note(format!(
                "Return types of \"{}\" and \"{}\" have incompatible uniqueness.",
                self.shown_with(a, &mut letters),
                self.shown_with(b, &mut letters)
            )),
        }
    }

    /// Says where the unknown sizes among these come from.
    pub fn explain_sizes<'a>(&self, mut d: Diagnostic, sizes: impl IntoIterator<Item = &'a Size>) -> Diagnostic {
        for size in sizes {
            size.names(&mut |id| {
                if let Some((span, origin)) = self.origins.get(id) {
                    d.labels.push((*span, format!("\"{id}\" is {origin}")));
                }
            });
        }
        d
    }
}

/// What is asked of a type, in words.
pub(super) fn asked(want: &Want) -> String {
    let list = |names: Vec<String>| names.join(", ");
    match want {
        Want::Anything => "anything".to_string(),
        Want::Comparable => "a type that supports equality".to_string(),
        Want::Scalars(set) => format!("one of {}", list(set.types().map(|t| t.to_string()).collect())),
        Want::Fields(fields) => {
            format!("a record with fields {}", list(fields.keys().map(|n| n.to_string()).collect()))
        }
        Want::Constructors(cs) => {
            format!("a sum type with constructors {}", list(cs.keys().map(|n| format!("#{n}")).collect()))
        }
    }
}

/// The names that only one of two records or sums has. Tuples have none.
fn unshared(a: &Type, b: &Type) -> Option<String> {
    let (what, sign) = match (a, b) {
        (Type::Record(_), Type::Record(_)) if a.as_tuple().is_none() || b.as_tuple().is_none() => ("fields", ""),
        (Type::Sum(_), Type::Sum(_)) => ("constructors", "#"),
        _ => return None,
    };
    let only =
        |a: &Type, b: &Type| a.labels().filter(|l| !b.labels().any(|m| m == *l)).map(String::from).collect::<Vec<_>>();
    // mutant: the names are sorted
    let mut names = [only(a, b), only(b, a)].concat();
    names.sort_by(|a, b| label_order(a, b));
    let names: Vec<String> = names.iter().map(|name| format!("{sign}{name}")).collect();
    (!names.is_empty()).then(|| format!("Unshared {what}: {}.", names.join(", ")))
}

/// Where the two types stand in these types, if it is in a field of a record.
fn field_of(expected: &Type, actual: &Type, pair: (&Type, &Type)) -> String {
    fn path(e: &Type, a: &Type, pair: (&Type, &Type)) -> Option<Vec<Name>> {
        if (e, a) == pair || (a, e) == pair {
            return Some(vec![]);
        }
        let mut parts = [vec![], vec![]];
        e.parts(&mut |t| parts[0].push(t.clone()));
        a.parts(&mut |t| parts[1].push(t.clone()));
        let found = parts[0].iter().zip(&parts[1]).enumerate().find_map(|(i, (e, a))| Some((i, path(e, a, pair)?)));
        found.map(|(i, mut path)| {
            if let Type::Record(fields) = e {
                path.insert(0, fields[i].0.clone());
            }
            path
        })
    }
    match path(expected, actual, pair) {
        Some(path) if !path.is_empty() => format!(", in the field \"{}\"", path.join(".")),
        _ => String::new(),
    }
}
