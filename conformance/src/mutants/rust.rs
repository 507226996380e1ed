//! Sites in Rust: expressions and statements of functions.
//!
//! What has no sites: the order of a commutative operator's operands; tests; constants, patterns and types; code whose text only people read (implementations of `Display` and `Debug`, what returns a
//! `fmt::Result`, and outside of the backend, whose text is GLSL, what returns a `String` or a `&str`, and the condition of an `if` between two literal
//! strings); arguments of `with_capacity`, and the sizes of stacks that `maybe_grow` has; bodies of macros other than `vec!`, except for pieces of GLSL
//! in the backend.

use super::{Form, Operator, Site, glsl, hash, uncommented};
use futi_core::hash::HashSet;
use proc_macro2::{Literal, TokenStream, TokenTree};
use std::ops::Range;
use syn::parse::Parser;
use syn::punctuated::Punctuated;
use syn::spanned::Spanned;
use syn::visit::{self, Visit};
use syn::{BinOp, Expr, ExprMethodCall, Lit, RangeLimits, ReturnType, Stmt, UnOp};

/// Paths by their last two names, and what stands for them.
const PATHS: [(&str, &str, Operator); 15] = [
    ("UnOp::Neg", "UnOp::Abs", Operator::Sign),
    ("BinOp::Add", "BinOp::Sub", Operator::Sign),
    ("BinOp::Sub", "BinOp::Add", Operator::Sign),
    ("BinOp::Mul", "BinOp::Add", Operator::DroppedTerm),
    ("BinOp::Div", "BinOp::Mul", Operator::Swap),
    ("BinOp::Min", "BinOp::Max", Operator::Swap),
    ("BinOp::Max", "BinOp::Min", Operator::Swap),
    ("BinOp::And", "BinOp::Or", Operator::Swap),
    ("BinOp::Or", "BinOp::And", Operator::Swap),
    ("CmpOp::Lt", "CmpOp::Le", Operator::Tie),
    ("CmpOp::Le", "CmpOp::Lt", Operator::Tie),
    ("CmpOp::Eq", "CmpOp::Le", Operator::Comparison),
    ("f64::INFINITY", "f64::NEG_INFINITY", Operator::Neutral),
    ("f64::NEG_INFINITY", "f64::INFINITY", Operator::Neutral),
    ("f32::INFINITY", "f32::NEG_INFINITY", Operator::Neutral),
];

/// Methods and functions by their names, and what stands for them.
const NAMES: [(&str, &str, Operator); 12] = [
    ("zero", "one", Operator::Neutral),
    ("one", "zero", Operator::Neutral),
    ("min", "max", Operator::Swap),
    ("max", "min", Operator::Swap),
    ("all", "any", Operator::Swap),
    ("any", "all", Operator::Swap),
    ("first", "last", Operator::Swap),
    ("last", "first", Operator::Swap),
    ("is_some", "is_none", Operator::Negation),
    ("is_none", "is_some", Operator::Negation),
    ("is_some_and", "is_none_or", Operator::Negation),
    ("is_none_or", "is_some_and", Operator::Negation),
];

/// What shows, in the first argument of a call, that the operands in the second may change places: the operator, or what it is called.
const COMMUTATIVE: [&str; 12] = [
    "BinOp::Add",
    "BinOp::Mul",
    "BinOp::Min",
    "BinOp::Max",
    "BinOp::And",
    "BinOp::Or",
    "CmpOp::Eq",
    ".plus()",
    ".times()",
    "plus",
    "times",
    "equal",
];

/// The sites of a file.
///
/// # Errors
/// The file does not parse.
pub fn sites(file: &str, text: &str) -> syn::Result<Vec<Site>> {
    let parsed = syn::parse_file(text)?;
    let glsl = file.starts_with("vk-backend/");
    let mut finder = Finder { text, glsl, commuting: HashSet::default(), sites: Vec::new() };
    finder.visit_file(&parsed);
    Ok(finder.sites)
}

struct Finder<'a> {
    text: &'a str,
    /// Whether strings are pieces of GLSL.
    glsl: bool,
    /// Where the operands of commutative operators begin.
    commuting: HashSet<usize>,
    sites: Vec<Site>,
}

impl Finder<'_> {
    fn range(&self, node: &impl Spanned) -> Range<usize> {
        node.span().byte_range()
    }

    fn source(&self, node: &impl Spanned) -> &str {
        &self.text[self.range(node)]
    }

    fn site(&mut self, node: &impl Spanned, operator: Operator, form: Form) {
        self.sites.push(Site { operator, range: self.range(node), form });
    }

    fn instead(&mut self, node: &impl Spanned, operator: Operator, text: String) {
        self.site(node, operator, Form::Instead(text));
    }

    /// One of several mutants of a site, always the same one.
    fn one_of(&mut self, node: &impl Spanned, mut mutants: Vec<(Operator, String)>) {
        if !mutants.is_empty() {
            let chosen = hash(&uncommented(self.source(node))) as usize % mutants.len();
            let (operator, text) = mutants.swap_remove(chosen);
            self.instead(node, operator, text);
        }
    }

    fn binary(&mut self, e: &syn::ExprBinary) {
        let (a, b) = (self.source(&*e.left).to_string(), self.source(&*e.right).to_string());
        let with = |sign: &str| format!("{a} {sign} {b}");
        use Operator::*;
        let mutants = match e.op {
            BinOp::Add(_) => vec![(Sign, with("-")), (DroppedTerm, a.clone())],
            BinOp::Sub(_) => vec![(Sign, with("+")), (DroppedTerm, a.clone())],
            BinOp::Mul(_) => vec![(DroppedTerm, with("+"))],
            BinOp::Div(_) => vec![(DroppedTerm, a.clone())],
            BinOp::Rem(_) => vec![(DroppedTerm, a.clone())],
            BinOp::And(_) => {
                vec![(DroppedTerm, a.clone()), (DroppedTerm, b.clone()), (Swap, format!("({a}) || ({b})"))]
            }
            BinOp::Or(_) => vec![(DroppedTerm, a.clone()), (DroppedTerm, b.clone()), (Swap, format!("({a}) && ({b})"))],
            BinOp::Lt(_) => vec![(Comparison, with("<="))],
            BinOp::Le(_) => vec![(Comparison, with("<"))],
            BinOp::Gt(_) => vec![(Comparison, with(">="))],
            BinOp::Ge(_) => vec![(Comparison, with(">"))],
            BinOp::Eq(_) => vec![(Comparison, with("!="))],
            BinOp::Ne(_) => vec![(Comparison, with("=="))],
            BinOp::AddAssign(_) => vec![(Sign, with("-="))],
            BinOp::SubAssign(_) => vec![(Sign, with("+="))],
            BinOp::MulAssign(_) => vec![(DroppedTerm, with("+="))],
            _ => Vec::new(),
        };
        // a `let` among conditions cannot move into parentheses
        if !has_let(&e.left) && !has_let(&e.right) {
            self.one_of(e, mutants);
        }
    }

    fn literal(&mut self, e: &syn::ExprLit) {
        match &e.lit {
            Lit::Bool(b) => self.instead(e, Operator::Negation, (!b.value).to_string()),
            Lit::Int(n) => {
                if let Some(next) = n.base10_parse::<u128>().ok().and_then(|n| n.checked_add(1)) {
                    self.instead(e, Operator::OffByOne, format!("{next}{}", n.suffix()));
                }
            }
            Lit::Float(x) => {
                let other = |y: &str| (Operator::Neutral, format!("{y}{}", x.suffix()));
                match x.base10_parse::<f64>() {
                    Ok(0.0) => self.one_of(e, vec![other("1.0")]),
                    Ok(1.0) => self.one_of(e, vec![other("0.0")]),
                    Ok(y) => self.one_of(e, vec![(Operator::OffByOne, format!("({y:?}{} + 1.0)", x.suffix()))]),
                    Err(_) => {}
                }
            }
            Lit::Str(s) => self.string(&s.token()),
            _ => {}
        }
    }

    /// Pieces of GLSL.
    fn string(&mut self, literal: &Literal) {
        let range = literal.span().byte_range();
        let text = &self.text[range.clone()];
        if self.glsl && glsl::is_glsl(text) {
            self.sites.extend(glsl::sites(text, range.start));
        }
    }

    fn strings(&mut self, tokens: TokenStream) {
        for token in tokens {
            match token {
                TokenTree::Group(g) => self.strings(g.stream()),
                TokenTree::Literal(l) if l.to_string().starts_with(['"', 'r']) => self.string(&l),
                _ => {}
            }
        }
    }

    /// `[x, y]`: operands, arguments, dimensions.
    fn pair<'e>(&mut self, node: &impl Spanned, elems: impl ExactSizeIterator<Item = &'e Expr>, open: &str) {
        let elems: Vec<&str> = elems.map(|e| self.source(e)).collect();
        // a slice of all is the whole
        let bare = |e: &str| e.trim_start_matches('&').trim_end_matches("[..]").to_string();
        if let [x, y] = elems[..]
            && bare(x) != bare(y)
            && !self.commuting.contains(&self.range(node).start)
        {
            let swapped = format!("{open}{y}, {x}]");
            self.instead(node, Operator::Swap, swapped);
        }
    }

    /// Operands of a commutative operator: `(operator, …, &[x, y])`.
    fn operands(&mut self, args: &Punctuated<Expr, syn::Token![,]>) {
        let ends =
            |text: &str, c: &str| text.ends_with(c) || [",", ")"].iter().any(|end| text.contains(&format!("{c}{end}")));
        if let (Some(operator), Some(operands)) = (args.first(), args.last())
            && COMMUTATIVE.iter().any(|c| ends(self.source(operator), c))
        {
            let operands = if let Expr::Reference(r) = operands { &*r.expr } else { operands };
            self.commuting.insert(self.range(operands).start);
        }
    }

    fn method(&mut self, e: &ExprMethodCall) {
        let name = e.method.to_string();
        if name == "rev" && e.args.is_empty() {
            let end = self.range(&*e.receiver).end;
            self.site(e, Operator::Order, Form::Unreversed(end));
        } else {
            self.renamed(e, &e.method, &name);
        }
    }

    fn renamed(&mut self, e: &impl Spanned, ident: &syn::Ident, name: &str) {
        if let Some((_, other, operator)) = NAMES.iter().find(|(n, ..)| *n == name) {
            let (all, name) = (self.range(e), self.range(ident));
            let text = format!("{}{other}{}", &self.text[all.start..name.start], &self.text[name.end..all.end]);
            self.instead(e, *operator, text);
        }
    }

    fn path(&mut self, e: &syn::ExprPath) {
        let names: Vec<String> = e.path.segments.iter().map(|s| s.ident.to_string()).collect();
        let [.., kind, name] = &names[..] else { return };
        let path = format!("{kind}::{name}");
        if let Some((_, other, operator)) = PATHS.iter().find(|(p, ..)| *p == path) {
            let source = self.source(e).replace(&path, other);
            self.instead(e, *operator, source);
        }
    }

    fn range_expr(&mut self, e: &syn::ExprRange) {
        let source = |e: &Option<Box<Expr>>| e.as_ref().map(|e| self.source(&**e).to_string());
        let start = source(&e.start).unwrap_or_default();
        let text = match (&e.limits, source(&e.end)) {
            (RangeLimits::HalfOpen(_), Some(end)) => format!("{start}..({end}) + 1"),
            (RangeLimits::Closed(_), Some(end)) => format!("{start}..=({end}) - 1"),
            (_, None) if !start.is_empty() => format!("({start}) + 1.."),
            _ => return,
        };
        self.instead(e, Operator::OffByOne, text);
    }
}

impl<'ast> Visit<'ast> for Finder<'_> {
    fn visit_attribute(&mut self, _: &'ast syn::Attribute) {}
    fn visit_pat(&mut self, _: &'ast syn::Pat) {}
    fn visit_type(&mut self, _: &'ast syn::Type) {}
    fn visit_generic_argument(&mut self, _: &'ast syn::GenericArgument) {}
    fn visit_item_const(&mut self, _: &'ast syn::ItemConst) {}
    fn visit_impl_item_const(&mut self, _: &'ast syn::ImplItemConst) {}
    fn visit_item_enum(&mut self, _: &'ast syn::ItemEnum) {}
    fn visit_item_macro(&mut self, _: &'ast syn::ItemMacro) {}

    fn visit_item_static(&mut self, item: &'ast syn::ItemStatic) {
        // a lazy one is code
        if matches!(&*item.expr, Expr::Call(_)) {
            self.visit_expr(&item.expr);
        }
    }

    fn visit_item_mod(&mut self, item: &'ast syn::ItemMod) {
        if !item.attrs.iter().any(is_test) {
            visit::visit_item_mod(self, item);
        }
    }

    fn visit_item_impl(&mut self, item: &'ast syn::ItemImpl) {
        let name = item.trait_.as_ref().and_then(|(_, path, _)| path.segments.last()).map(|s| s.ident.to_string());
        if !matches!(name.as_deref(), Some("Display" | "Debug" | "Error" | "Hash")) {
            visit::visit_item_impl(self, item);
        }
    }

    fn visit_item_fn(&mut self, item: &'ast syn::ItemFn) {
        if !item.attrs.iter().any(is_test) && self.is_code(&item.sig) {
            visit::visit_item_fn(self, item);
        }
    }

    fn visit_impl_item_fn(&mut self, item: &'ast syn::ImplItemFn) {
        if self.is_code(&item.sig) {
            visit::visit_impl_item_fn(self, item);
        }
    }

    fn visit_trait_item_fn(&mut self, item: &'ast syn::TraitItemFn) {
        if self.is_code(&item.sig) {
            visit::visit_trait_item_fn(self, item);
        }
    }

    fn visit_stmt(&mut self, stmt: &'ast Stmt) {
        if let Stmt::Expr(e, Some(_)) = stmt
            && is_effect(e)
        {
            self.site(stmt, Operator::Removal, Form::Removed);
        }
        if let Stmt::Macro(m) = stmt {
            self.visit_macro(&m.mac);
        }
        visit::visit_stmt(self, stmt);
    }

    fn visit_stmt_macro(&mut self, _: &'ast syn::StmtMacro) {}

    fn visit_macro(&mut self, m: &'ast syn::Macro) {
        if m.path.is_ident("vec") {
            // `vec![x; n]` is none
            if let Ok(elems) = Punctuated::<Expr, syn::Token![,]>::parse_terminated.parse2(m.tokens.clone()) {
                self.pair(m, elems.iter(), "vec![");
                elems.iter().for_each(|e| self.visit_expr_now(e));
            }
        } else if !["assert", "assert_eq", "debug_assert", "debug_assert_eq", "unreachable"]
            .iter()
            .any(|n| m.path.is_ident(n))
        {
            self.strings(m.tokens.clone());
        }
    }

    fn visit_expr_repeat(&mut self, e: &'ast syn::ExprRepeat) {
        // the length is a constant
        self.visit_expr(&e.expr);
    }

    fn visit_expr(&mut self, e: &'ast Expr) {
        self.visit_expr_now(e);
    }
}

impl Finder<'_> {
    fn visit_expr_now(&mut self, e: &Expr) {
        match e {
            Expr::Binary(e) => self.binary(e),
            Expr::Lit(e) => self.literal(e),
            Expr::Unary(u) if matches!(u.op, UnOp::Not(_)) => {
                let operand = self.source(&*u.expr).to_string();
                self.instead(u, Operator::Negation, operand);
            }
            Expr::Unary(u) if matches!(u.op, UnOp::Neg(_)) => {
                let operand = self.source(&*u.expr).to_string();
                self.instead(u, Operator::Sign, operand);
            }
            Expr::Array(a) => self.pair(a, a.elems.iter(), "["),
            Expr::MethodCall(m) => {
                self.operands(&m.args);
                self.method(m);
            }
            Expr::Call(c) => {
                self.operands(&c.args);
                if let Expr::Path(p) = &*c.func
                    && let Some(last) = p.path.segments.last()
                {
                    match last.ident.to_string().as_str() {
                        "with_capacity" => return,
                        "maybe_grow" => return c.args.iter().skip(2).for_each(|e| self.visit_expr(e)),
                        name => self.renamed(c, &last.ident, name),
                    }
                }
            }
            Expr::Path(p) => self.path(p),
            Expr::Range(r) => self.range_expr(r),
            Expr::If(i) if !self.glsl && is_choice_of_words(i) => return,
            _ => {}
        }
        visit::visit_expr(self, e);
    }

    /// Whether a function is code, rather than a text for people or a constant.
    fn is_code(&self, sig: &syn::Signature) -> bool {
        let returns = match &sig.output {
            ReturnType::Type(_, ty) => self.source(&**ty),
            ReturnType::Default => "",
        };
        let is_text =
            returns.ends_with("fmt::Result") || (["String", "&str", "&'static str"].contains(&returns) && !self.glsl);
        sig.constness.is_none() && !is_text
    }
}

fn is_test(a: &syn::Attribute) -> bool {
    let is = |name| a.path().is_ident(name);
    is("test") || (is("cfg") && matches!(&a.meta, syn::Meta::List(l) if l.tokens.to_string() == "test"))
}

/// Whether a statement is run for its effect alone, so that it can be left out.
fn is_effect(e: &Expr) -> bool {
    match e {
        Expr::Call(_) | Expr::MethodCall(_) | Expr::Assign(_) => true,
        Expr::Try(t) => is_effect(&t.expr),
        _ => false,
    }
}

/// Whether both branches of an `if` are literal strings.
fn is_choice_of_words(e: &syn::ExprIf) -> bool {
    let is_word = |e: &Expr| matches!(e, Expr::Lit(l) if matches!(l.lit, Lit::Str(_)));
    let is_block = |b: &syn::Block| matches!(&b.stmts[..], [Stmt::Expr(e, None)] if is_word(e));
    let is_else = |e: &Expr| matches!(e, Expr::Block(b) if is_block(&b.block));
    is_block(&e.then_branch) && e.else_branch.as_ref().is_some_and(|(_, e)| is_else(e))
}

/// Whether there is a `let` among conditions.
fn has_let(e: &Expr) -> bool {
    match e {
        Expr::Let(_) => true,
        Expr::Binary(b) => has_let(&b.left) || has_let(&b.right),
        _ => false,
    }
}

#[cfg(test)]
mod tests;
