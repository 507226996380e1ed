//! Programs of every construct of the grammar, with blanks, ends of lines and comments wherever they may stand.

use quickcheck::{Arbitrary, Gen};

/// A program's text. It has no syntax errors.
#[derive(Clone, Debug)]
pub struct Program(pub String);

impl Arbitrary for Program {
    fn arbitrary(g: &mut Gen) -> Program {
        let mut writer = Writer { out: String::new(), noise: *g.choose(&[0, 2, 10]).unwrap(), g };
        writer.program();
        Program(writer.out)
    }
}

struct Writer<'a> {
    out: String,
    /// How often, of 20 times, something other than a blank stands between two tokens.
    noise: u32,
    g: &'a mut Gen,
}

impl Writer<'_> {
    fn below(&mut self, n: u32) -> u32 {
        u32::arbitrary(self.g) % n
    }

    fn pick<'b>(&mut self, of: &[&'b str]) -> &'b str {
        of[self.below(of.len() as u32) as usize]
    }

    /// What may stand between tokens.
    fn gap(&mut self) {
        let text = if self.below(20) >= self.noise {
            " "
        } else {
            self.pick(&[
                "\n",
                "   ",
                "\n\n\n",
                "\n  ",
                " -- tail\n",
                "\n    -- own\n",
                "\n\n-- one\n\n\n-- two\n",
                " --\n",
                "\t-- | doc\n-- more\n",
            ])
        };
        self.out.push_str(text);
    }

    /// A token, and a gap in front.
    fn t(&mut self, text: &str) {
        self.gap();
        self.out.push_str(text);
    }

    /// A token right behind the one before.
    fn glue(&mut self, text: &str) {
        self.out.push_str(text);
    }

    fn several(&mut self, at_least: u32, at_most: u32, separator: &str, mut f: impl FnMut(&mut Self)) {
        let n = at_least + self.below(at_most - at_least + 1);
        for i in 0..n {
            if i > 0 && !separator.is_empty() {
                self.t(separator);
            }
            f(self);
        }
        if n > 1 && separator == "," && self.below(4) == 0 {
            self.t(",");
        }
    }

    fn name(&mut self) {
        let name = self.pick(&["x", "y", "xs", "foo", "a_rather_long_name", "x'", "_unused"]);
        self.t(name);
    }

    fn program(&mut self) {
        for _ in 0..1 + self.below(4) {
            self.decl(3);
        }
        self.gap();
    }

    fn decl(&mut self, depth: u32) {
        let noise = self.pick(&["\n", "\n\n", "\n\n\n\n", "\n-- | About it.\n-- More.\n", "\n-- ==\n-- input { 1 }\n"]);
        self.glue(noise);
        if self.below(8) == 0 {
            self.t("#[foo(bar, -1)]");
        }
        if self.below(12) == 0 {
            self.t("local");
        }
        match self.below(if depth == 0 { 6 } else { 10 }) {
            0..3 => {
                let keyword = self.pick(&["def", "let", "entry"]);
                self.t(keyword);
                if self.below(8) == 0 {
                    self.t("(");
                    self.t("+++");
                    self.t(")");
                } else {
                    self.name();
                }
                self.fun_def(4);
            }
            3 => self.val(),
            4 => {
                self.type_head();
                self.t("=");
                self.ty(3);
            }
            5 => {
                let import = self.pick(&["import \"a/b\"", "open m", "open import \"c\""]);
                self.t(import);
            }
            6 | 7 => {
                self.t("module");
                self.name();
                for _ in 0..self.below(3) {
                    self.mod_param(depth - 1);
                }
                if self.below(3) == 0 {
                    self.t(":");
                    self.sig(depth - 1);
                }
                self.t("=");
                self.module(depth - 1);
            }
            _ => {
                self.t("module");
                self.t("type");
                self.name();
                self.t("=");
                self.sig(depth - 1);
            }
        }
    }

    fn fun_def(&mut self, depth: u32) {
        for _ in 0..self.below(3) {
            self.type_param();
        }
        for _ in 0..self.below(4) {
            self.pat_atom(2);
        }
        if self.below(2) == 0 {
            self.t(":");
            self.ty(2);
        }
        self.t("=");
        self.expr(depth);
    }

    fn val(&mut self) {
        self.t("val");
        self.name();
        for _ in 0..self.below(3) {
            self.type_param();
        }
        self.t(":");
        self.ty(3);
    }

    fn type_head(&mut self) {
        self.t("type");
        if self.below(3) == 0 {
            let mark = self.pick(&["^", "~"]);
            self.t(mark);
        }
        self.name();
        for _ in 0..self.below(3) {
            self.type_param();
        }
    }

    fn type_param(&mut self) {
        if self.below(2) == 0 {
            self.t("[");
            self.name();
            self.t("]");
        } else {
            let quote = self.pick(&["'", "'^", "'~"]);
            self.t(quote);
            self.name();
        }
    }

    fn mod_param(&mut self, depth: u32) {
        self.t("(");
        self.name();
        self.t(":");
        self.sig(depth);
        self.t(")");
    }

    fn module(&mut self, depth: u32) {
        match self.below(if depth == 0 { 2 } else { 7 }) {
            0 => self.t("m.n"),
            1 => self.t("import \"d\""),
            2 => {
                self.t("F");
                self.t("(");
                self.module(depth - 1);
                self.t(")");
                self.t("G");
            }
            3 => {
                self.t("\\");
                self.mod_param(depth - 1);
                if self.below(2) == 0 {
                    self.t(":");
                    self.t("S");
                }
                self.t("->");
                self.module(depth - 1);
            }
            _ => {
                self.t("{");
                for _ in 0..self.below(4) {
                    self.decl(depth - 1);
                }
                self.t("}");
                if self.below(3) == 0 {
                    self.t(":");
                    self.sig(depth - 1);
                }
            }
        }
    }

    fn sig(&mut self, depth: u32) {
        match self.below(if depth == 0 { 1 } else { 6 }) {
            0 => self.t("S"),
            1 => {
                self.t("(");
                self.name();
                self.t(":");
                self.sig(depth - 1);
                self.t(")");
                self.t("->");
                self.sig(depth - 1);
            }
            2 => {
                self.t("(");
                self.sig(depth - 1);
                self.t(")");
                self.t("->");
                self.sig(depth - 1);
            }
            _ => {
                self.t("{");
                for _ in 0..self.below(4) {
                    self.spec(depth - 1);
                }
                self.t("}");
                for _ in 0..self.below(3) {
                    self.t("with");
                    self.name();
                    if self.below(2) == 0 {
                        self.type_param();
                    }
                    self.t("=");
                    self.ty_operand(2);
                }
            }
        }
    }

    fn spec(&mut self, depth: u32) {
        if self.below(4) == 0 {
            self.glue("\n -- | About it.\n");
        }
        match self.below(4) {
            0 => self.val(),
            1 => {
                self.type_head();
                if self.below(2) == 0 {
                    self.t("=");
                    self.ty(2);
                }
            }
            2 => {
                self.t("module");
                self.name();
                self.t(":");
                self.sig(depth);
            }
            _ => {
                self.t("include");
                self.sig(depth);
            }
        }
    }

    fn ty(&mut self, depth: u32) {
        match self.below(if depth == 0 { 1 } else { 8 }) {
            0..4 => self.ty_operand(depth),
            4 | 5 => {
                self.ty_operand(depth - 1);
                self.t("->");
                self.ty(depth - 1);
            }
            6 => {
                self.t("(");
                self.name();
                self.t(":");
                self.ty(depth - 1);
                self.t(")");
                self.t("->");
                self.ty(depth - 1);
            }
            _ => {
                self.t("?");
                self.t("[");
                self.name();
                self.t("]");
                let dot = self.pick(&[".", " .", ". "]);
                self.glue(dot);
                self.ty_atom(depth - 1);
            }
        }
    }

    fn ty_operand(&mut self, depth: u32) {
        match self.below(if depth == 0 { 1 } else { 7 }) {
            0 | 1 => self.ty_atom(depth),
            2 => {
                self.t("[");
                if self.below(2) == 0 {
                    self.expr(1);
                }
                self.t("]");
                self.ty_operand(depth - 1);
            }
            3 => {
                self.t("*");
                self.ty_operand(depth - 1);
            }
            4 => {
                self.t("m.vec");
                self.t("[");
                self.name();
                self.t("]");
                self.ty_atom(depth - 1);
            }
            _ => self.several(1, 3, "|", |w| {
                w.t("#");
                w.name();
                for _ in 0..w.below(3) {
                    w.ty_atom(depth - 1);
                }
            }),
        }
    }

    fn ty_atom(&mut self, depth: u32) {
        match self.below(if depth == 0 { 2 } else { 5 }) {
            0 => self.t("f64"),
            1 => self.t("m.t"),
            2 => {
                self.t("{");
                self.several(0, 3, ",", |w| {
                    w.name();
                    w.t(":");
                    w.ty(depth - 1);
                });
                self.t("}");
            }
            _ => {
                self.t("(");
                self.several(0, 3, ",", |w| w.ty(depth - 1));
                self.t(")");
            }
        }
    }

    fn pat(&mut self, depth: u32) {
        self.untyped_pat(depth);
        if self.below(4) == 0 {
            self.t(":");
            self.ty_operand(1);
        }
    }

    fn untyped_pat(&mut self, depth: u32) {
        if depth > 0 && self.below(6) == 0 {
            self.t("#");
            self.name();
            for _ in 0..self.below(3) {
                self.pat_atom(depth - 1);
            }
        } else {
            self.pat_atom(depth);
        }
    }

    fn pat_atom(&mut self, depth: u32) {
        match self.below(if depth == 0 { 3 } else { 8 }) {
            0 => self.name(),
            1 => self.t("_"),
            2 => {
                let literal = self.pick(&["1", "-2.5", "- 1", "true"]);
                self.t(literal);
            }
            3 => {
                self.t("{");
                self.several(0, 3, ",", |w| {
                    w.name();
                    if w.below(2) == 0 {
                        w.t("=");
                        w.pat(depth - 1);
                    }
                });
                self.t("}");
            }
            4 => {
                self.t("#[attr]");
                self.pat_atom(depth - 1);
            }
            _ => {
                self.t("(");
                self.several(0, 3, ",", |w| w.pat(depth - 1));
                self.t(")");
            }
        }
    }

    fn expr(&mut self, depth: u32) {
        if depth == 0 {
            return self.postfix(0);
        }
        match self.below(24) {
            0..3 => {
                self.operand(depth - 1);
                for _ in 0..1 + self.below(4) {
                    let op = self.pick(&["+", "-", "*", "|>", "<|", "&&", "==", "`f`", "m.+", "** ", "` m.g  `", "|"]);
                    self.t(op);
                    self.operand(depth - 1);
                }
            }
            3 | 4 => {
                for _ in 0..1 + self.below(3) {
                    self.binding(depth - 1);
                    if self.below(4) == 0 {
                        self.t("in");
                        self.binding(depth - 1);
                    }
                }
                self.t("in");
                self.expr(depth - 1);
            }
            5 => {
                self.t("\\");
                for _ in 0..1 + self.below(2) {
                    self.pat_atom(1);
                }
                if self.below(3) == 0 {
                    self.t(":");
                    self.ty_operand(1);
                }
                self.t("->");
                self.expr(depth - 1);
            }
            6 | 7 => {
                for _ in 0..1 + self.below(2) {
                    self.t("if");
                    self.expr(depth - 1);
                    self.t("then");
                    self.expr(depth - 1);
                    self.t("else");
                }
                self.expr(depth - 1);
            }
            8 => {
                self.t("loop");
                self.pat(1);
                if self.below(2) == 0 {
                    self.t("=");
                    self.expr(depth - 1);
                }
                match self.below(3) {
                    0 => {
                        self.t("for");
                        self.name();
                        self.t("<");
                    }
                    1 => {
                        self.t("for");
                        self.pat(1);
                        self.t("in");
                    }
                    _ => self.t("while"),
                }
                self.expr(depth - 1);
                self.t("do");
                self.expr(depth - 1);
            }
            9 => {
                self.t("match");
                self.postfix(depth - 1);
                for _ in 0..1 + self.below(3) {
                    self.t("case");
                    // the arrow behind a type would be the type's
                    self.untyped_pat(2);
                    self.t("->");
                    self.postfix(depth - 1);
                }
            }
            10 => {
                self.postfix(depth - 1);
                for _ in 0..1 + self.below(3) {
                    self.t("with");
                    let place = self.pick(&["[1]", "x.y", "[ i,j : k ].0[2]", "0"]);
                    self.t(place);
                    self.t("=");
                    self.operand(depth - 1);
                }
            }
            11 => {
                self.operand(depth - 1);
                if self.below(2) == 0 {
                    self.t("..");
                    self.operand(depth - 1);
                }
                let kind = self.pick(&["...", "..<", "..>"]);
                self.t(kind);
                self.operand(depth - 1);
            }
            12 => {
                self.operand(depth - 1);
                let colon = self.pick(&[":", ":>"]);
                self.t(colon);
                self.ty(2);
            }
            13 => {
                self.t("#[unsafe]");
                self.expr(depth - 1);
            }
            14 => {
                self.t("assert");
                self.postfix(depth - 1);
                self.postfix(depth - 1);
            }
            _ => self.operand(depth - 1),
        }
    }

    fn binding(&mut self, depth: u32) {
        self.t("let");
        match self.below(4) {
            0 => {
                self.t("f");
                self.fun_def(depth);
            }
            1 => {
                self.t("xs[i, j].y");
                self.t("=");
                self.expr(depth);
            }
            _ => {
                self.pat(2);
                self.t("=");
                self.expr(depth);
            }
        }
    }

    /// What an operator takes.
    fn operand(&mut self, depth: u32) {
        match self.below(8) {
            0 => {
                let sign = self.pick(&["-", "!", "- -", "! !", "!-"]);
                let sign = if sign == "!-" { "! -" } else { sign };
                self.t(sign);
                self.postfix(depth);
            }
            1 => {
                self.t("#");
                self.name();
                for _ in 0..self.below(3) {
                    self.postfix(depth);
                }
            }
            2..5 => {
                self.name();
                for _ in 0..1 + self.below(4) {
                    self.postfix(depth);
                }
            }
            _ => self.postfix(depth),
        }
    }

    fn postfix(&mut self, depth: u32) {
        match self.below(if depth == 0 { 5 } else { 12 }) {
            0 | 1 => self.name(),
            2 => {
                let literal = self.pick(&[
                    "1",
                    "2.5e3f64",
                    "0x1f",
                    "'c'",
                    "\"text -- no comment\"",
                    "true",
                    "???",
                    "0xp1",
                    "1_000i32",
                ]);
                let literal = if literal == "0xp1" { "0x1.8p1" } else { literal };
                self.t(literal);
            }
            3 => {
                let long = self.pick(&[
                    "x.y.0",
                    "f64.exp",
                    "1 .x",
                    "x[1:2,:]",
                    "x[i + 1 :: 2].y",
                    "[1,2,3]",
                    "(.x.y)",
                    "(.[1,2])",
                    "(+)",
                    "(m.+)",
                    "(`f`)",
                    "(!)",
                    "()",
                ]);
                self.t(long);
            }
            4 => {
                self.t("[");
                let n = self.pick(&["1", "-2", "3.0", "true"]);
                self.several(0, 40, ",", |w| w.t(n));
                self.t("]");
            }
            5 => {
                self.t("[");
                self.several(0, 3, ",", |w| w.expr(depth - 1));
                self.t("]");
            }
            6 => {
                self.t("{");
                self.several(0, 3, ",", |w| {
                    w.name();
                    if w.below(2) == 0 {
                        w.t("=");
                        w.expr(depth - 1);
                    }
                });
                self.t("}");
            }
            7 => {
                self.t("m");
                self.glue(".(");
                self.expr(depth - 1);
                self.t(")");
            }
            8 => {
                self.t("(");
                let op = self.pick(&["+", "`f`", "<|"]);
                if self.below(2) == 0 {
                    self.t(op);
                    self.expr(depth - 1);
                } else {
                    self.postfix(depth - 1);
                    self.t(op);
                }
                self.t(")");
            }
            9 => {
                self.t("x");
                self.glue("[");
                self.postfix(depth - 1);
                self.t("]");
            }
            _ => {
                self.t("(");
                self.several(0, 3, ",", |w| w.expr(depth - 1));
                self.t(")");
            }
        }
    }
}
