//! From syntax trees to what the pages say.

use super::markdown;
use super::names::{Env, Scope, Space, Target};
use super::page::{address, escape, fragment};
use super::{Entry, File, Item, Kind};
use futi_core::source::{FileId, Span};
use futi_core::syntax::ast::*;
use futi_core::syntax::token::{self, Doc, Token};
use std::collections::{HashMap, HashSet};
use std::path::{Path, PathBuf};
use std::rc::Rc;

/// A program.
pub struct Source {
    /// The path of its page, without `.html`.
    pub name: String,
    /// Where it is.
    pub path: PathBuf,
    /// Its text, formatted.
    pub text: String,
    pub ast: Ast,
    /// Its documentation comments.
    pub docs: Vec<Doc>,
    pub file: FileId,
}

/// What is said of programs; names in one lead to the others that it imports.
pub fn files(sources: &[Source]) -> Vec<File> {
    let mut all = All {
        by_path: sources.iter().enumerate().map(|(i, s)| (s.path.as_path(), i)).collect(),
        sources,
        done: sources.iter().map(|_| None).collect(),
        begun: HashSet::new(),
    };
    (0..sources.len()).for_each(|i| drop(all.scope(i)));
    all.done.into_iter().flatten().map(|(file, _)| file).collect()
}

struct All<'a> {
    sources: &'a [Source],
    by_path: HashMap<&'a Path, usize>,
    done: Vec<Option<(File, Rc<Scope>)>>,
    /// Files that import one another in a circle have no meaning, but documentation.
    begun: HashSet<usize>,
}

impl All<'_> {
    /// The names that a file declares.
    fn scope(&mut self, index: usize) -> Rc<Scope> {
        if let Some((_, scope)) = &self.done[index] {
            return scope.clone();
        }
        if !self.begun.insert(index) {
            return Rc::default();
        }
        let source = &self.sources[index];
        let headings = headings(source);
        let about = about(source);
        let mut page = Page {
            all: self,
            source,
            tokens: token::lex(source.file, &source.text).tokens,
            headings,
            env: Env::default(),
            anchors: HashSet::new(),
        };
        let statements: Vec<_> = source.ast.decls.iter().map(|d| declared(d, &about)).collect();
        let end = source.text.len() as u32;
        let (entries, exports, about) =
            page.statements(&statements, "", 0, end, about.map(|(text, _)| text).as_deref());
        let scope = Rc::new(exports);
        self.done[index] = Some((File { name: source.name.clone(), about, entries }, scope.clone()));
        scope
    }
}

/// A declaration, or what a module type asks for.
struct Statement<'a> {
    span: Span,
    /// Behind its attributes.
    start: u32,
    doc: Option<&'a str>,
    local: bool,
    what: What<'a>,
}

enum What<'a> {
    Value { name: &'a Ident, tparams: &'a [TypeParam], params: &'a [Pat], ty: Option<&'a TypeExp>, body: Option<Span> },
    Type { name: &'a Ident, tparams: &'a [TypeParam], def: Option<&'a TypeExp> },
    Module { name: &'a Ident, params: &'a [ModParam], sig: Option<&'a SigExp>, def: Option<&'a ModExp> },
    ModuleType { name: &'a Ident, def: &'a SigExp },
    Open(&'a ModExp),
    Include(&'a SigExp),
    Import(&'a Ident),
}

/// A declaration, without a comment that says something of the whole file.
fn declared<'a>(decl: &'a Decl, about: &Option<(String, u32)>) -> Statement<'a> {
    let (mut inner, mut local) = (decl, false);
    while let DeclKind::Local(next) = &inner.kind {
        (inner, local) = (next, true);
    }
    let what = match &inner.kind {
        DeclKind::Def { def, .. } => What::Value {
            name: &def.name,
            tparams: &def.tparams,
            params: &def.params,
            ty: def.ret.as_ref(),
            body: Some(def.body.span),
        },
        DeclKind::Val { name, tparams, ty } => What::Value { name, tparams, params: &[], ty: Some(ty), body: None },
        DeclKind::Type { name, params, def, .. } => What::Type { name, tparams: params, def: Some(def) },
        DeclKind::Module { name, params, sig, def } => What::Module { name, params, sig: sig.as_ref(), def: Some(def) },
        DeclKind::ModuleType { name, def } => What::ModuleType { name, def },
        DeclKind::Open(m) => What::Open(m),
        // there is none left behind the loop
        DeclKind::Local(d) => return declared(d, about),
        DeclKind::Import(path) => What::Import(path),
    };
    let of_file =
        about.as_ref().is_some_and(|(text, before)| decl.doc.as_ref() == Some(text) && decl.span.start <= *before);
    let doc = decl.doc.as_deref().filter(|_| !of_file);
    Statement { span: decl.span, start: behind(&inner.attrs, inner.span), doc, local, what }
}

fn specified(spec: &Spec) -> Statement<'_> {
    let what = match &spec.kind {
        SpecKind::Val { name, tparams, ty } => What::Value { name, tparams, params: &[], ty: Some(ty), body: None },
        SpecKind::Type { name, params, def, .. } => What::Type { name, tparams: params, def: def.as_ref() },
        SpecKind::Module(name, sig) => What::Module { name, params: &[], sig: Some(sig), def: None },
        SpecKind::Include(sig) => What::Include(sig),
    };
    let start = behind(&spec.attrs, spec.span);
    Statement { span: spec.span, start, doc: spec.doc.as_deref(), local: false, what }
}

/// Where something begins behind its attributes.
fn behind(attrs: &[Attr], span: Span) -> u32 {
    attrs.last().map_or(span.start, |a| a.span.end)
}

/// What is said of a file at its top, apart from its first declaration, and where that begins. A plain comment will do.
fn about(source: &Source) -> Option<(String, u32)> {
    let first = source.ast.decls.first().map_or(source.text.len() as u32, |d| d.span.start);
    let head = &source.text[..first as usize];
    let mut docs = source.docs.iter().take_while(|d| d.span.start < first);
    if let Some(doc) = docs.next() {
        let apart = source.text[doc.span.end as usize..].starts_with("\n\n") || first as usize == source.text.len();
        if docs.next().is_some() || apart {
            return Some((doc.text.clone(), first));
        }
    }
    let block: Vec<&str> = head.lines().take_while(|l| !l.is_empty()).collect();
    let apart = head[block.iter().map(|l| l.len() + 1).sum::<usize>().min(head.len())..].starts_with('\n');
    let tests = block.iter().any(|l| l.starts_with("-- =="));
    let other = |l: &&str| l.starts_with("-- |") || l.starts_with("-- #");
    if !apart || tests || block.first().is_none_or(other) {
        return None;
    }
    let text: Vec<&str> = block.iter().map(|l| l.trim_start_matches("--")).collect();
    Some((text.join("\n"), first))
}

/// The comments `-- # Title`: where they are, their level, the title.
fn headings(source: &Source) -> Vec<(u32, usize, String)> {
    let mut found = vec![];
    let mut end = 0;
    let tokens = token::lex(source.file, &source.text).tokens;
    let gaps = tokens.iter().map(|(_, s)| (s.start, s.end)).chain([(source.text.len() as u32, 0)]);
    for (start, next) in gaps {
        let mut at = end;
        for line in source.text[end as usize..start as usize].split_inclusive('\n') {
            let title = line.trim().strip_prefix("-- ").unwrap_or("");
            let text = title.trim_start_matches('#');
            let level = title.len() - text.len();
            let in_doc = source.docs.iter().any(|d| d.span.start <= at && at < d.span.end);
            if level > 0 && text.starts_with(' ') && !in_doc {
                found.push((at, level, text.trim().to_string()));
            }
            at += line.len() as u32;
        }
        end = next;
    }
    found
}

struct Page<'a, 'b> {
    all: &'a mut All<'b>,
    source: &'b Source,
    tokens: Vec<(Token<'b>, Span)>,
    headings: Vec<(u32, usize, String)>,
    env: Env,
    anchors: HashSet<String>,
}

/// Places in the text and where they lead.
type Links = HashMap<u32, String>;

impl<'b> Page<'_, 'b> {
    /// The statements of a module, or of the file (`prefix` is empty then), with the headings between them; the names that can be seen from outside; what `about`
    /// says, as HTML.
    fn statements(
        &mut self,
        statements: &[Statement<'b>],
        prefix: &str,
        start: u32,
        end: u32,
        about: Option<&str>,
    ) -> (Vec<Entry>, Scope, String) {
        self.env.push(Scope::default());
        let mut exports = Scope::default();
        let mut entries = vec![];
        let mut docs = vec![];
        let mut from = start;
        for statement in statements {
            self.sections(from, statement.span.start, &mut entries);
            from = statement.span.end;
            let Some(item) = self.statement(statement, prefix, &mut exports) else { continue };
            if let Some(doc) = statement.doc {
                docs.push((entries.len(), doc, own_names(&statement.what)));
            }
            entries.push(Entry::Item(item));
        }
        self.sections(from, end, &mut entries);
        // what a comment names may be declared below it
        for (i, doc, own) in docs {
            if let Some(Entry::Item(item)) = entries.get_mut(i) {
                let itself = self.place(&item.anchor);
                item.doc = markdown::to_html(doc, &|name, space| self.named(name, space, &own, &itself));
            }
        }
        let about = about.map(|a| markdown::to_html(a, &|name, space| self.named(name, space, &HashSet::new(), "")));
        self.env.pop();
        (entries, exports, about.unwrap_or_default())
    }

    fn sections(&self, from: u32, to: u32, entries: &mut Vec<Entry>) {
        for (_, level, title) in self.headings.iter().filter(|(at, ..)| from <= *at && *at < to) {
            entries.push(Entry::Section { level: *level, title: title.clone() });
        }
    }

    /// Where a name in a comment leads from here, if it is not that of a parameter, or of `itself`.
    fn named(&self, name: &str, space: Option<&str>, own: &HashSet<Name>, itself: &str) -> Option<String> {
        let name = name.trim_matches(['(', ')']);
        if space.is_none() && own.contains(name) {
            return None;
        }
        let split = name.rsplit_once('.').filter(|(m, _)| !m.is_empty());
        let (quals, base) = split.map_or((vec![], name), |(m, base)| (m.split('.').collect(), base));
        let spaces = match space {
            Some("type") => &[Space::Type][..],
            Some("term") => &[Space::Term],
            Some("mtype") => &[Space::ModuleType],
            _ => &[Space::Term, Space::Type, Space::ModuleType],
        };
        let link = spaces.iter().find_map(|s| self.env.find(*s, quals.iter().copied(), base)?.link)?;
        (link != itself).then(|| self.address(&link))
    }

    /// A place on this page, from the folder of all pages.
    fn place(&self, anchor: &str) -> String {
        format!("{}#{}", address(&self.source.name), fragment(anchor))
    }

    /// From this page to another.
    fn address(&self, link: &str) -> String {
        "../".repeat(depth(&self.source.name)) + link
    }

    /// One entry, unless it is not seen from outside; its name is in scope from here on.
    fn statement(&mut self, s: &Statement<'b>, prefix: &str, exports: &mut Scope) -> Option<Item> {
        let mut links = Links::new();
        let mut item = Item {
            kind: Kind::Open,
            name: String::new(),
            anchor: String::new(),
            signature: String::new(),
            doc: String::new(),
            entries: vec![],
        };
        let mut end = s.span.end;
        let (space, name, inside) = match &s.what {
            What::Value { name, tparams, params, ty, body } => {
                item.kind = Kind::Value;
                let bound = bound(tparams);
                params.iter().for_each(|p| self.pat_links(p, &bound, &mut links));
                ty.iter().for_each(|t| self.type_links(t, &bound, &mut links));
                if let Some(body) = body {
                    end = self.end_before(body.start, &["="]);
                }
                (Space::Term, *name, Rc::default())
            }
            What::Type { name, tparams, def } => {
                item.kind = Kind::Type;
                let bound = bound(tparams);
                def.iter().for_each(|t| self.type_links(t, &bound, &mut links));
                (Space::Type, *name, Rc::default())
            }
            What::Module { name, params, sig, def } => {
                item.kind = Kind::Module;
                let inner = format!("{prefix}{}.", name.name);
                let mut scope = Scope::default();
                for param in *params {
                    self.sig_links(&param.sig, &mut links);
                    let inside = self.sig_scope(&param.sig, None).1;
                    scope.insert(Space::Term, &param.name.name, Target { link: None, inside });
                }
                self.env.push(scope);
                sig.iter().for_each(|s| self.sig_links(s, &mut links));
                let prefix = (!s.local).then_some(inner.as_str());
                let mut shown = sig.map(|sig| self.sig_scope(sig, prefix));
                if let Some(def) = def {
                    self.mod_links(def, &mut links);
                    // what is behind a module type is not seen
                    if shown.is_none() {
                        shown = Some(self.mod_scope(def, prefix));
                    }
                }
                self.env.pop();
                let (entries, scope) = shown.unwrap_or_default();
                let braces = [sig.and_then(sig_braces), def.and_then(mod_braces)];
                if let Some(braces) = braces.into_iter().flatten().min() {
                    end = self.end_before(braces, &["=", ":", "("]);
                }
                item.entries = entries;
                (Space::Term, *name, scope)
            }
            What::ModuleType { name, def } => {
                item.kind = Kind::ModuleType;
                self.sig_links(def, &mut links);
                let inner = format!("{prefix}{}.", name.name);
                let (entries, scope) = self.sig_scope(def, (!s.local).then_some(inner.as_str()));
                if let Some(braces) = sig_braces(def) {
                    end = self.end_before(braces, &["=", "("]);
                }
                item.entries = entries;
                (Space::ModuleType, *name, scope)
            }
            What::Open(m) => {
                self.mod_links(m, &mut links);
                let (entries, scope) = self.mod_scope(m, (!s.local).then_some(prefix));
                item.entries = entries;
                self.opened(&scope, s.local, exports);
                if let Some(braces) = mod_braces(m) {
                    end = self.end_before(braces, &["("]);
                }
                item.signature = self.signature(s.start, end, None, &links);
                return (!s.local).then_some(item);
            }
            What::Include(sig) => {
                self.sig_links(sig, &mut links);
                let (entries, scope) = self.sig_scope(sig, Some(prefix));
                item.entries = entries;
                self.opened(&scope, false, exports);
                item.signature = self.signature(s.start, end, None, &links);
                return Some(item);
            }
            What::Import(path) => {
                // what is imported is not exported again
                let scope = self.imported(&path.name).map(|i| self.all.scope(i)).unwrap_or_default();
                self.opened(&scope, true, exports);
                return None;
            }
        };
        let kind = match space {
            Space::Term => "term",
            Space::Type => "type",
            Space::ModuleType => "modtype",
        };
        item.name = format!("{prefix}{}", name.name);
        let mut target = Target { link: None, inside };
        if !s.local {
            let anchor = format!("{kind}:{}", item.name);
            let count = (2..).map(|n| format!("{anchor}-{n}"));
            let free = std::iter::once(anchor.clone()).chain(count).find(|a| !self.anchors.contains(a));
            item.anchor = free.unwrap_or(anchor);
            self.anchors.insert(item.anchor.clone());
            target.link = Some(self.place(&item.anchor));
            item.signature = self.signature(s.start, end, Some((name.span, &item.anchor)), &links);
            exports.insert(space, &name.name, target.clone());
        }
        if let Some(here) = self.env.here() {
            here.insert(space, &name.name, target);
        }
        (!s.local).then_some(item)
    }

    fn opened(&mut self, scope: &Scope, local: bool, exports: &mut Scope) {
        if let Some(here) = self.env.here() {
            here.open(scope);
        }
        if !local {
            exports.open(scope);
        }
    }

    /// Where the text ends that stands before a place and before these symbols there.
    fn end_before(&self, place: u32, symbols: &[&str]) -> u32 {
        let before = self.tokens.partition_point(|(_, s)| s.start < place);
        let ends = self.tokens[..before].iter().rev().find(|(t, _)| !matches!(t, Token::Sym(s) if symbols.contains(s)));
        ends.map_or(place, |(_, s)| s.end)
    }

    /// The file that an import names, if it is one of ours.
    fn imported(&self, path: &str) -> Option<usize> {
        let path = self.source.path.parent()?.join(format!("{path}.fut"));
        self.all.by_path.get(path.canonicalize().ok()?.as_path()).copied()
    }

    /// What a module declares, its entries if it is written out (`prefix` then says how its names begin) and its names.
    fn mod_scope(&mut self, m: &'b ModExp, prefix: Option<&str>) -> (Vec<Entry>, Rc<Scope>) {
        match m {
            ModExp::Name(name) => (vec![], self.env.resolve(Space::Term, name).unwrap_or_default().inside),
            ModExp::Import(path) => (vec![], self.imported(&path.name).map(|i| self.all.scope(i)).unwrap_or_default()),
            ModExp::Struct(decls, span) => {
                let Some(prefix) = prefix else { return Default::default() };
                let statements: Vec<_> = decls.iter().map(|d| declared(d, &None)).collect();
                let (entries, scope, _) = self.statements(&statements, prefix, span.start, span.end, None);
                (entries, Rc::new(scope))
            }
            ModExp::Apply(f, _) => (vec![], self.mod_scope(f, None).1),
            ModExp::Ascribe(_, sig) => self.sig_scope(sig, prefix),
            ModExp::Lambda(_, Some(sig), _) => self.sig_scope(sig, prefix),
            ModExp::Lambda(param, None, m) => {
                let mut scope = Scope::default();
                let inside = self.sig_scope(&param.sig, None).1;
                scope.insert(Space::Term, &param.name.name, Target { link: None, inside });
                self.env.push(scope);
                let result = self.mod_scope(m, prefix);
                self.env.pop();
                result
            }
        }
    }

    /// The same of a module type.
    fn sig_scope(&mut self, sig: &'b SigExp, prefix: Option<&str>) -> (Vec<Entry>, Rc<Scope>) {
        match &sig.kind {
            SigExpKind::Name(name) => (vec![], self.env.resolve(Space::ModuleType, name).unwrap_or_default().inside),
            SigExpKind::Specs(specs) => {
                let Some(prefix) = prefix else { return Default::default() };
                let statements: Vec<_> = specs.iter().map(specified).collect();
                let (entries, scope, _) = self.statements(&statements, prefix, sig.span.start, sig.span.end, None);
                (entries, Rc::new(scope))
            }
            SigExpKind::With { sig, .. } | SigExpKind::Arrow(_, _, sig) => self.sig_scope(sig, prefix),
        }
    }

    fn link(&self, space: Space, name: &QualName, links: &mut Links) {
        // a name of a module leads there
        for (i, qual) in name.quals.iter().enumerate() {
            let before = name.quals[..i].iter().map(|q| &*q.name);
            if let Some(link) = self.env.find(Space::Term, before, &qual.name).and_then(|t| t.link) {
                links.insert(qual.span.start, link);
            }
        }
        if let Some(link) = self.env.resolve(space, name).and_then(|t| t.link) {
            links.insert(name.base.span.start, link);
        }
    }

    fn type_links(&self, ty: &TypeExp, bound: &HashSet<Name>, links: &mut Links) {
        match &ty.kind {
            TypeExpKind::Name(name, args) => {
                if !name.quals.is_empty() || !bound.contains(&name.base.name) {
                    self.link(Space::Type, name, links);
                }
                for arg in args {
                    if let TypeArg::Type(t) = arg {
                        self.type_links(t, bound, links);
                    }
                }
            }
            TypeExpKind::Array(_, t) | TypeExpKind::Unique(t) | TypeExpKind::Exists(_, t) => {
                self.type_links(t, bound, links)
            }
            TypeExpKind::Tuple(ts) => ts.iter().for_each(|t| self.type_links(t, bound, links)),
            TypeExpKind::Fun(_, a, b) => [a, b].into_iter().for_each(|t| self.type_links(t, bound, links)),
            TypeExpKind::Record(fields) => fields.iter().for_each(|(_, t)| self.type_links(t, bound, links)),
            TypeExpKind::Sum(alternatives) => {
                alternatives.iter().flat_map(|(_, ts)| ts).for_each(|t| self.type_links(t, bound, links));
            }
        }
    }

    fn pat_links(&self, pat: &Pat, bound: &HashSet<Name>, links: &mut Links) {
        match &pat.kind {
            PatKind::Name(_) | PatKind::Wildcard | PatKind::Lit(_) => {}
            PatKind::Tuple(ps) | PatKind::Constr(_, ps) => ps.iter().for_each(|p| self.pat_links(p, bound, links)),
            PatKind::Record(fields) => {
                fields.iter().filter_map(|(_, p)| p.as_ref()).for_each(|p| self.pat_links(p, bound, links));
            }
            PatKind::Typed(p, t) => {
                self.pat_links(p, bound, links);
                self.type_links(t, bound, links);
            }
            PatKind::Attr(_, p) => self.pat_links(p, bound, links),
        }
    }

    fn sig_links(&self, sig: &SigExp, links: &mut Links) {
        match &sig.kind {
            SigExpKind::Name(name) => self.link(Space::ModuleType, name, links),
            SigExpKind::Specs(_) => {}
            SigExpKind::With { sig, params, ty, .. } => {
                self.sig_links(sig, links);
                self.type_links(ty, &bound(params), links);
            }
            SigExpKind::Arrow(_, a, b) => [a, b].into_iter().for_each(|s| self.sig_links(s, links)),
        }
    }

    fn mod_links(&self, m: &ModExp, links: &mut Links) {
        match m {
            ModExp::Name(name) => self.link(Space::Term, name, links),
            ModExp::Struct(..) => {}
            ModExp::Import(path) => {
                if let Some(i) = self.imported(&path.name) {
                    links.insert(path.span.start, address(&self.all.sources[i].name));
                }
            }
            ModExp::Apply(f, x) => [f, x].into_iter().for_each(|m| self.mod_links(m, links)),
            ModExp::Ascribe(m, sig) => {
                self.mod_links(m, links);
                self.sig_links(sig, links);
            }
            ModExp::Lambda(param, sig, m) => {
                self.sig_links(&param.sig, links);
                sig.iter().for_each(|s| self.sig_links(s, links));
                self.mod_links(m, links);
            }
        }
    }

    /// A part of the program as HTML, with its links; what is declared there leads to itself.
    fn signature(&self, start: u32, end: u32, declared: Option<(Span, &str)>, links: &Links) -> String {
        let text = &self.source.text;
        let first = self.tokens.partition_point(|(_, s)| s.start < start);
        let mut out = String::new();
        let mut at = None;
        // continued lines begin where the first does
        let line = self.tokens.get(first).map_or(0, |(_, s)| s.start as usize);
        let indent = line - text[..line].rfind('\n').map_or(0, |i| i + 1);
        for (token, span) in self.tokens[first..].iter().take_while(|(_, s)| s.end <= end) {
            if let Some(at) = at {
                let blank = &text[at as usize..span.start as usize];
                let indented = format!("\n{}", " ".repeat(indent));
                out.push_str(&escape(&blank.replace(&indented, "\n")));
            }
            at = Some(span.end);
            let word = escape(&text[span.start as usize..span.end as usize]);
            match (declared, links.get(&span.start), token) {
                (Some((name, anchor)), ..) if name.start == span.start => {
                    out.push_str(&format!("<a class=\"name\" href=\"#{}\">{word}</a>", escape(&fragment(anchor))));
                }
                (_, Some(link), _) => {
                    out.push_str(&format!("<a href=\"{}\">{word}</a>", escape(&self.address(link))));
                }
                (.., Token::Keyword(_)) => out.push_str(&format!("<span class=\"keyword\">{word}</span>")),
                _ => out.push_str(&word),
            }
        }
        out
    }
}

/// How many folders a page is in.
pub fn depth(name: &str) -> usize {
    name.matches('/').count()
}

fn bound(params: &[TypeParam]) -> HashSet<Name> {
    params.iter().map(|p| p.ident().name.clone()).collect()
}

/// The names of parameters.
fn own_names(what: &What<'_>) -> HashSet<Name> {
    fn of_pat(pat: &Pat, names: &mut HashSet<Name>) {
        match &pat.kind {
            PatKind::Name(name) => {
                names.insert(name.clone());
            }
            PatKind::Wildcard | PatKind::Lit(_) => {}
            PatKind::Tuple(ps) | PatKind::Constr(_, ps) => ps.iter().for_each(|p| of_pat(p, names)),
            PatKind::Record(fields) => {
                for (name, p) in fields {
                    match p {
                        Some(p) => of_pat(p, names),
                        None => {
                            names.insert(name.name.clone());
                        }
                    }
                }
            }
            PatKind::Typed(p, t) => {
                of_pat(p, names);
                of_type(t, names);
            }
            PatKind::Attr(_, p) => of_pat(p, names),
        }
    }
    fn of_type(ty: &TypeExp, names: &mut HashSet<Name>) {
        let mut rest = ty;
        while let TypeExpKind::Fun(name, _, to) = &rest.kind {
            names.extend(name.iter().map(|n| n.name.clone()));
            rest = to;
        }
    }
    let mut names = HashSet::new();
    match what {
        What::Value { tparams, params, ty, .. } => {
            names.extend(bound(tparams));
            params.iter().for_each(|p| of_pat(p, &mut names));
            ty.iter().for_each(|t| of_type(t, &mut names));
        }
        What::Type { tparams, .. } => names.extend(bound(tparams)),
        What::Module { params, .. } => names.extend(params.iter().map(|p| p.name.name.clone())),
        What::ModuleType { .. } | What::Open(_) | What::Include(_) | What::Import(_) => {}
    }
    names
}

/// Where the braces of a module begin that its page shows as entries.
fn mod_braces(m: &ModExp) -> Option<u32> {
    match m {
        ModExp::Struct(_, span) => Some(span.start),
        ModExp::Name(_) | ModExp::Import(_) => None,
        ModExp::Apply(f, x) => mod_braces(f).or(mod_braces(x)),
        ModExp::Ascribe(m, sig) => mod_braces(m).or(sig_braces(sig)),
        ModExp::Lambda(_, sig, m) => sig.as_ref().and_then(sig_braces).or(mod_braces(m)),
    }
}

fn sig_braces(sig: &SigExp) -> Option<u32> {
    match &sig.kind {
        SigExpKind::Specs(_) => Some(sig.span.start),
        SigExpKind::Name(_) => None,
        SigExpKind::With { sig, .. } => sig_braces(sig),
        SigExpKind::Arrow(_, a, b) => sig_braces(a).or(sig_braces(b)),
    }
}
