//! `#[trace] e` and `#[trace(tag)] e`: the value of e, which whoever runs the program may show.
//!
//! Each leaf of the value gets a statement with the attribute `trace`: its name has what is to be shown of the whole value, with `%` where a leaf belongs (`%%` is a
//! percent sign), its argument is the number of leaves that follow. Passes may drop such statements: only the interpreter runs the program as it is here.

use super::Lowerer;
use super::value::{Scope, Shape, Val};
use crate::ir::{Attr, Exp, Name};
use crate::source::Span;
use crate::types::ty::Type;
use crate::types::typed;

impl Lowerer<'_> {
    /// The value, to be shown as the attribute asks. `at` is the place of the whole expression.
    pub(super) fn traced(&mut self, attr: &typed::Attr, at: Span, ty: &Type, value: Val, scope: &mut Scope) -> Val {
        let label = match &attr.args[..] {
            [] => self.sources.locate(at),
            [typed::AttrArg::Attr(tag)] if tag.args.is_empty() => tag.name.to_string(),
            // no form of this attribute that means anything
            _ => return value,
        };
        let shape = self.shape(ty, scope);
        if shape.leaves().iter().any(|t| matches!(t, crate::ir::Type::Acc(_))) {
            // what is being written has no value yet
            return value;
        }
        let text = format!("trace {}: {}", label.replace('%', "%%"), template(Some(ty), &shape));
        let mut left = value.leaves().len();
        self.each_leaf(&value, |l, leaf| {
            left -= 1;
            l.attrs.push(Attr { name: Name::from(text.as_str()), arg: Some(left as i64) });
            let shown = l.emit("traced", Exp::SubExp(leaf))[0];
            l.attrs.pop();
            shown.into()
        })
    }
}

/// A value of this type with a `%` for each leaf; the source's type, if there is one, has the names of fields. An array of records is a record of arrays,
/// and a sum the number of its constructor with the places that its constructors share.
fn template(ty: Option<&Type>, shape: &Shape) -> String {
    let all = |texts: Vec<String>| texts.join(", ");
    match (shape, ty) {
        (Shape::Scalar(_), _) => "%".into(),
        (Shape::Fun, _) => "#<fun>".into(),
        (Shape::Acc, _) => "#<acc>".into(),
        (Shape::Array(_, elem), Some(Type::Array(_, ty))) => template(Some(ty), elem),
        (Shape::Array(_, elem), _) => template(None, elem),
        (Shape::Record(shapes), _) if shapes.is_empty() => "%".into(),
        (Shape::Record(shapes), Some(Type::Record(fields))) if fields.len() == shapes.len() => {
            let parts = fields.iter().zip(shapes).map(|((name, ty), shape)| (name, template(Some(ty), shape)));
            if ty.is_some_and(|ty| ty.as_tuple().is_some()) {
                format!("({})", all(parts.map(|(_, text)| text).collect()))
            } else {
                format!("{{{}}}", all(parts.map(|(name, text)| format!("{name} = {text}")).collect()))
            }
        }
        (Shape::Record(shapes), _) => format!("({})", all(shapes.iter().map(|s| template(None, s)).collect())),
        (Shape::Sum(_), _) => {
            let places = shape.leaves().len() - 1;
            format!("#%({})", all(vec!["%".into(); places]))
        }
    }
}
