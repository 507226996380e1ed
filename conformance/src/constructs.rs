//! The constructs of the language that a program uses, found in its syntax tree.

use futi_core::syntax::ast::*;
use std::collections::BTreeSet;

/// Functions of the prelude that are constructs of their own: what is parallel, what changes arrays, what differentiates.
const FUNCTIONS: [&str; 55] = [
    "map",
    "map1",
    "map2",
    "map3",
    "map4",
    "map5",
    "reduce",
    "reduce_comm",
    "scan",
    "exscan",
    "hist",
    "reduce_by_index",
    "reduce_by_index_2d",
    "reduce_by_index_3d",
    "spread",
    "scatter",
    "scatter_2d",
    "scatter_3d",
    "filter",
    "partition",
    "partition2",
    "flatmap",
    "all",
    "any",
    "foldl",
    "foldr",
    "iota",
    "replicate",
    "rep",
    "indices",
    "copy",
    "manifest",
    "rotate",
    "transpose",
    "flatten",
    "unflatten",
    "reverse",
    "concat",
    "zip",
    "unzip",
    "tabulate",
    "tabulate_2d",
    "tabulate_3d",
    "sized",
    "iterate",
    "iterate_while",
    "opaque",
    "jvp",
    "vjp",
    "jvp2",
    "vjp2",
    "jmp",
    "mjp",
    "with_vjp",
    "with_vjp_tape",
];

/// The scalar types.
const SCALARS: [&str; 12] = ["i8", "i16", "i32", "i64", "u8", "u16", "u32", "u64", "f16", "f32", "f64", "bool"];

/// What a program's declarations use, each as it is called in the table of constructs.
pub fn find(ast: &Ast) -> BTreeSet<String> {
    let mut found = Found::default();
    ast.decls.iter().for_each(|d| found.decl(d));
    found.0
}

#[derive(Default)]
struct Found(BTreeSet<String>);

impl Found {
    fn add(&mut self, construct: &str) {
        if !self.0.contains(construct) {
            self.0.insert(construct.to_string());
        }
    }

    fn when(&mut self, is: bool, construct: &str) {
        if is {
            self.add(construct);
        }
    }

    fn attr(&mut self, attr: &Attr) {
        self.add(&format!("attribute #[{}]", attr.name));
    }

    fn decl(&mut self, decl: &Decl) {
        decl.attrs.iter().for_each(|a| self.attr(a));
        match &decl.kind {
            DeclKind::Def { entry, def } => {
                self.when(*entry, "entry point");
                self.def(def);
            }
            DeclKind::Val { tparams, ty, .. } => {
                self.add("val");
                self.tparams(tparams);
                self.ty(ty);
            }
            DeclKind::Type { lifted, params, def, .. } => {
                self.add("type abbreviation");
                self.when(*lifted != Lifted::No, "lifted type");
                self.when(!params.is_empty(), "type with parameters");
                self.tparams(params);
                self.ty(def);
            }
            DeclKind::Module { params, sig, def, .. } => {
                self.add("module");
                self.when(!params.is_empty(), "module with parameters");
                params.iter().for_each(|p| self.sig(&p.sig));
                sig.iter().for_each(|s| self.sig(s));
                self.module(def);
            }
            DeclKind::ModuleType { def, .. } => {
                self.add("module type");
                self.sig(def);
            }
            DeclKind::Open(module) => {
                self.add("open");
                self.module(module);
            }
            DeclKind::Local(decl) => {
                self.add("local declaration");
                self.decl(decl);
            }
            DeclKind::Import(_) => self.add("import"),
        }
    }

    fn module(&mut self, module: &ModExp) {
        match module {
            ModExp::Name(_) => {}
            ModExp::Struct(decls, _) => decls.iter().for_each(|d| self.decl(d)),
            ModExp::Import(_) => self.add("import"),
            ModExp::Apply(f, m) => {
                self.add("module application");
                self.module(f);
                self.module(m);
            }
            ModExp::Ascribe(m, sig) => {
                self.add("module ascription");
                self.module(m);
                self.sig(sig);
            }
            ModExp::Lambda(param, sig, body) => {
                self.add("module lambda");
                self.sig(&param.sig);
                sig.iter().for_each(|s| self.sig(s));
                self.module(body);
            }
        }
    }

    fn sig(&mut self, sig: &SigExp) {
        match &sig.kind {
            SigExpKind::Name(_) => {}
            SigExpKind::Specs(specs) => specs.iter().for_each(|s| self.spec(s)),
            SigExpKind::With { sig, params, ty, .. } => {
                self.add("module type with");
                self.sig(sig);
                self.tparams(params);
                self.ty(ty);
            }
            SigExpKind::Arrow(_, from, to) => {
                self.add("module type of functions");
                self.sig(from);
                self.sig(to);
            }
        }
    }

    fn spec(&mut self, spec: &Spec) {
        spec.attrs.iter().for_each(|a| self.attr(a));
        match &spec.kind {
            SpecKind::Val { tparams, ty, .. } => {
                self.tparams(tparams);
                self.ty(ty);
            }
            SpecKind::Type { lifted, params, def, .. } => {
                self.when(def.is_none(), "abstract type");
                self.when(*lifted != Lifted::No, "lifted type");
                self.tparams(params);
                def.iter().for_each(|t| self.ty(t));
            }
            SpecKind::Module(_, sig) => self.sig(sig),
            SpecKind::Include(sig) => {
                self.add("include");
                self.sig(sig);
            }
        }
    }

    fn def(&mut self, def: &FunDef) {
        let operator = !def.name.name.starts_with(|c: char| c.is_alphabetic() || c == '_');
        self.when(operator, "operator defined");
        self.tparams(&def.tparams);
        def.params.iter().for_each(|p| self.pat(p));
        def.ret.iter().for_each(|t| self.ty(t));
        self.exp(&def.body);
    }

    fn tparams(&mut self, params: &[TypeParam]) {
        for param in params {
            match param {
                TypeParam::Size(_) => self.add("size parameter"),
                TypeParam::Type { lifted, .. } => {
                    self.add("type parameter");
                    self.when(*lifted != Lifted::No, "lifted type");
                }
            }
        }
    }

    fn size(&mut self, size: &Option<Box<Expr>>) {
        match size {
            None => self.add("unknown size"),
            Some(e) if matches!(e.kind, ExprKind::Var(_) | ExprKind::Int(..)) => {}
            Some(e) => {
                self.add("size expression");
                self.exp(e);
            }
        }
    }

    fn ty(&mut self, ty: &TypeExp) {
        match &ty.kind {
            TypeExpKind::Name(name, args) => {
                let scalar = SCALARS.iter().find(|s| **s == &*name.base.name && name.quals.is_empty());
                if let Some(scalar) = scalar {
                    self.add(&format!("type {scalar}"));
                }
                for arg in args {
                    match arg {
                        TypeArg::Size(size, _) => self.size(size),
                        TypeArg::Type(ty) => self.ty(ty),
                    }
                }
            }
            TypeExpKind::Array(size, elem) => {
                self.add("array type");
                self.size(size);
                self.ty(elem);
            }
            TypeExpKind::Tuple(ts) => {
                self.add("tuple type");
                ts.iter().for_each(|t| self.ty(t));
            }
            TypeExpKind::Fun(name, from, to) => {
                self.add("function type");
                self.when(name.is_some(), "named parameter of a function type");
                self.ty(from);
                self.ty(to);
            }
            TypeExpKind::Unique(ty) => {
                self.add("unique type");
                self.ty(ty);
            }
            TypeExpKind::Record(fields) => {
                self.add("record type");
                fields.iter().for_each(|(_, t)| self.ty(t));
            }
            TypeExpKind::Sum(constrs) => {
                self.add("sum type");
                constrs.iter().flat_map(|(_, ts)| ts).for_each(|t| self.ty(t));
            }
            TypeExpKind::Exists(_, ty) => {
                self.add("existential size");
                self.ty(ty);
            }
        }
    }

    fn pat(&mut self, pat: &Pat) {
        match &pat.kind {
            PatKind::Name(_) | PatKind::Wildcard => {}
            PatKind::Tuple(ps) => {
                self.add("tuple pattern");
                ps.iter().for_each(|p| self.pat(p));
            }
            PatKind::Record(fields) => {
                self.add("record pattern");
                fields.iter().filter_map(|(_, p)| p.as_ref()).for_each(|p| self.pat(p));
            }
            PatKind::Lit(_) => self.add("literal pattern"),
            PatKind::Constr(_, ps) => {
                self.add("constructor pattern");
                ps.iter().for_each(|p| self.pat(p));
            }
            PatKind::Typed(p, ty) => {
                self.pat(p);
                self.ty(ty);
            }
            PatKind::Attr(attr, p) => {
                self.attr(attr);
                self.pat(p);
            }
        }
    }

    fn name(&mut self, name: &str) {
        if FUNCTIONS.contains(&name) {
            self.add(&format!("function {name}"));
        }
    }

    fn operator(&mut self, op: &QualName) {
        let symbols = &*op.base.name;
        let named = symbols.starts_with(|c: char| c.is_alphabetic() || c == '_');
        self.when(named, "name as an operator");
        self.when(matches!(symbols, "|>" | "<|"), "pipe");
        self.when(matches!(symbols, ">->" | "<-<"), "composition");
    }

    fn indices(&mut self, indices: &[Index]) {
        for index in indices {
            match index {
                Index::At(e) => self.exp(e),
                Index::Slice(parts, _) => {
                    self.add("slice");
                    parts.iter().flatten().for_each(|e| self.exp(e));
                }
            }
        }
    }

    fn accesses(&mut self, accesses: &[Access]) {
        for access in accesses {
            match access {
                Access::Field(_) => self.add("record update"),
                Access::Index(indices) => {
                    self.add("array update");
                    self.indices(indices);
                }
            }
        }
    }

    fn all<'a>(&mut self, exps: impl IntoIterator<Item = &'a Expr>) {
        exps.into_iter().for_each(|e| self.exp(e));
    }

    fn exp(&mut self, exp: &Expr) {
        match &exp.kind {
            ExprKind::Int(..) | ExprKind::Float(..) | ExprKind::Bool(_) => {}
            ExprKind::Var(name) => self.name(name),
            ExprKind::Paren(e) => self.exp(e),
            ExprKind::Tuple(es) => {
                self.add("tuple");
                self.all(es);
            }
            ExprKind::Array(es) => {
                self.add("array literal");
                self.all(es);
            }
            ExprKind::Str(_) => self.add("text"),
            ExprKind::Record(fields) => {
                self.add("record");
                self.all(fields.iter().filter_map(|(_, e)| e.as_ref()));
            }
            ExprKind::Constr(_, es) => {
                self.add("constructor");
                self.all(es);
            }
            ExprKind::Match(e, cases) => {
                self.add("match");
                self.exp(e);
                for (pat, e) in cases {
                    self.pat(pat);
                    self.exp(e);
                }
            }
            ExprKind::Update(e, accesses, v) => {
                self.add("with");
                self.all([&**e, v]);
                self.accesses(accesses);
            }
            ExprKind::Assert(c, e) => {
                self.add("assert");
                self.all([&**c, e]);
            }
            ExprKind::Hole => self.add("hole"),
            ExprKind::Project(e, _) => {
                // of what is no name it is a field for certain; a name may be that of a module
                self.when(!matches!(e.kind, ExprKind::Var(_)), "field");
                self.exp(e);
            }
            ExprKind::Index(e, indices) => {
                self.add("index");
                self.exp(e);
                self.indices(indices);
            }
            ExprKind::OpenIn(m, e) => {
                self.add("local open");
                self.all([&**m, e]);
            }
            ExprKind::Apply(f, args) => {
                self.exp(f);
                self.all(args);
            }
            ExprKind::Chain(first, rest) => {
                self.exp(first);
                for (op, e) in rest {
                    self.operator(op);
                    self.exp(e);
                }
            }
            ExprKind::Negate(e) | ExprKind::Not(e) => self.exp(e),
            ExprKind::Op(_) => self.add("operator as a function"),
            ExprKind::SectionLeft(e, _) | ExprKind::SectionRight(_, e) => {
                self.add("operator section");
                self.exp(e);
            }
            ExprKind::SectionPath(path) => {
                let index = path.iter().any(|step| matches!(step, Access::Index(_)));
                self.add(if index { "index section" } else { "field section" });
                for step in path {
                    if let Access::Index(indices) = step {
                        self.indices(indices);
                    }
                }
            }
            ExprKind::Lambda(params, ret, body) => {
                self.add("lambda");
                params.iter().for_each(|p| self.pat(p));
                ret.iter().for_each(|t| self.ty(t));
                self.exp(body);
            }
            ExprKind::If(branches, otherwise) => {
                self.add("if");
                branches.iter().for_each(|(c, e)| self.all([c, e]));
                self.exp(otherwise);
            }
            ExprKind::Block(bindings, body) => {
                bindings.iter().for_each(|b| self.binding(b));
                self.exp(body);
            }
            ExprKind::Loop(l) => {
                self.pat(&l.pat);
                l.init.iter().for_each(|e| self.exp(e));
                match &l.form {
                    LoopForm::For(_, e) => {
                        self.add("loop for");
                        self.exp(e);
                    }
                    LoopForm::ForIn(pat, e) => {
                        self.add("loop for in");
                        self.pat(pat);
                        self.exp(e);
                    }
                    LoopForm::While(e) => {
                        self.add("loop while");
                        self.exp(e);
                    }
                }
                self.exp(&l.body);
            }
            ExprKind::Range { first, second, end, .. } => {
                self.add("range");
                self.exp(first);
                second.iter().for_each(|e| self.exp(e));
                self.exp(end);
            }
            ExprKind::Ascribe(e, ty) => {
                self.add("type ascription");
                self.exp(e);
                self.ty(ty);
            }
            ExprKind::Coerce(e, ty) => {
                self.add("size coercion");
                self.exp(e);
                self.ty(ty);
            }
            ExprKind::Attr(attr, e) => {
                self.attr(attr);
                self.exp(e);
            }
        }
    }

    fn binding(&mut self, binding: &Binding) {
        match binding {
            Binding::Pat(_, pat, e) => {
                self.pat(pat);
                self.exp(e);
            }
            Binding::Fun(def) => {
                self.add("local function");
                self.def(def);
            }
            Binding::Update(_, accesses, e) => {
                self.accesses(accesses);
                self.exp(e);
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use futi_core::source::FileId;

    /// What a program uses, without the names of types.
    fn of(source: &str) -> Vec<String> {
        let (ast, diagnostics) = futi_core::syntax::parse(FileId(0), source);
        assert!(diagnostics.is_empty(), "{source}: {diagnostics:?}");
        find(&ast).into_iter().filter(|c| !c.starts_with("type ")).collect()
    }

    #[test]
    fn expressions() {
        for (source, expected) in [
            ("def f x = x", &[][..]),
            (
                "def f x = match x case #a _ -> (1, 2) case 3 -> x.0 with [1] = 4",
                &["array update", "constructor pattern", "literal pattern", "match", "tuple", "with"],
            ),
            (
                "def f x = let g y = y[1:2] let x[0] = 1 in map (.a) x |> g",
                &["array update", "field section", "function map", "local function", "pipe", "slice", "index"],
            ),
            (
                "def f x = loop y = x for i < 3 do loop z = y while true do loop w = z for q in x do q",
                &["loop for", "loop for in", "loop while"],
            ),
            (
                "def f x = #[unroll] (assert true ???) :> [3]i32",
                &["array type", "assert", "attribute #[unroll]", "hole", "size coercion"],
            ),
            ("def f x = f64.(x + 1) `g` (+ 2)", &["local open", "name as an operator", "operator section"]),
            ("def f = if true then \"a\" else [1..2...3]", &["array literal", "if", "range", "text"]),
        ] {
            let mut expected: Vec<&str> = expected.to_vec();
            expected.sort();
            assert_eq!(of(source), expected, "{source}");
        }
    }

    #[test]
    fn declarations_and_types() {
        assert_eq!(
            of("module m (p: {type t}) = {def x = 1} open m"),
            ["abstract type", "module", "module with parameters", "open"]
        );
        assert_eq!(of("local import \"a\""), ["import", "local declaration"]);
        assert_eq!(
            of("def (+++) [n] 'a (x: *[n]a) (f: (k: i64) -> ?[m].[m+1]a): #a | #b {x: i8} = x"),
            [
                "array type",
                "existential size",
                "function type",
                "named parameter of a function type",
                "operator defined",
                "record type",
                "size expression",
                "size parameter",
                "sum type",
                "unique type"
            ]
        );
        assert!(find(&futi_core::syntax::parse(FileId(0), "def f (x: []f16) = x").0).contains("type f16"));
    }
}
