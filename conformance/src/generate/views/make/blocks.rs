//! Branches and loops, and what comes out of them.

use super::exps::parenthesized;
use super::*;

/// What a block leaves: a text for each result, and what that may share memory with.
type Left = Vec<(String, Roots)>;

impl Maker {
    /// A branch that gives one of two arrays, or two of four.
    pub(super) fn branch(&mut self, depth: usize) {
        let models: Vec<Var> = (0..1 + self.roll(2)).filter_map(|_| self.var(|_| true)).collect();
        if models.is_empty() {
            return;
        }
        let condition = self.condition();
        let shapes: Vec<Vec<Dim>> = models.iter().map(|model| model.shape.clone()).collect();
        let (live, kept) = (self.live.clone(), self.kept.clone());
        let (yes, first) =
            self.block(depth, |maker| shapes.iter().map(|shape| maker.result(shape, &Roots::new())).collect());
        let left = std::mem::replace(&mut self.live, live.clone());
        let gone: Roots =
            live.iter().filter(|var| left.iter().all(|l| l.name != var.name)).flat_map(|v| v.roots.clone()).collect();
        // what either gives must be there, whatever the other consumes
        self.kept.extend(first.iter().flat_map(|(_, roots)| roots));
        let (no, second) = self.block(depth, |maker| shapes.iter().map(|shape| maker.result(shape, &gone)).collect());
        self.kept = kept;
        self.live.retain(|var| left.iter().any(|l| l.name == var.name));
        let names: Vec<String> = shapes.iter().map(|_| self.name("x")).collect();
        let exp = format!("if {condition}\nthen {yes}\nelse {no}");
        self.stms.push(Stm { names: names.clone(), exp });
        for (((name, shape), (_, a)), (_, b)) in names.into_iter().zip(shapes).zip(first).zip(second) {
            self.live.push(Var { name, shape, roots: &a | &b });
        }
    }

    /// A loop: over arrays that it consumes, or one that it does not.
    pub(super) fn repeat(&mut self, depth: usize) {
        let consumes = self.roll(3) > 0;
        let Some(first) = (if consumes { self.own(|_| true) } else { self.var(|_| true) }) else { return };
        let mut inits = vec![first];
        if consumes && self.once_in(2) {
            let roots = inits[0].roots.clone();
            // of one shape half the time: then both may change places
            let same = self.own(|var| var.is_apart(&roots) && var.shape == inits[0].shape);
            inits.extend(same.or_else(|| self.own(|var| var.is_apart(&roots))));
        }
        let outer = self.roots_of(&inits);
        if consumes {
            self.consume(&outer);
        }
        let owned = std::mem::take(&mut self.owned);
        let (live, scalars, counters) = (self.live.clone(), self.scalars.clone(), self.counters.clone());
        let rounds = self.roll(4);
        let form = self.form(rounds);
        let mut params = Vec::new();
        for init in &inits {
            let roots = self.fresh();
            if !consumes {
                self.owned = Roots::new();
            }
            let name = self.name("x");
            self.live.push(Var { name: name.clone(), shape: init.shape.clone(), roots: roots.clone() });
            params.push(name);
        }
        let star = if consumes { "*" } else { "" };
        let mut heads: Vec<String> =
            params.iter().zip(&inits).map(|(name, init)| format!("{name}: {star}{}", self.ty(&init.shape))).collect();
        let mut values: Vec<String> = inits.iter().map(|init| init.name.clone()).collect();
        let mut also = String::new();
        if let Form::While(counter) = &form {
            heads.push(format!("{counter}: i64"));
            values.push(rounds.to_string());
            also = format!("{counter} - 1");
        }
        let (body, results) = self.block(depth, |maker| {
            let mut taken = Roots::new();
            let mut results = Vec::new();
            for init in &inits {
                let (text, roots) =
                    if consumes { maker.own_result(&init.shape, &taken) } else { maker.result(&init.shape, &taken) };
                if consumes {
                    taken.extend(&roots);
                }
                results.push((text, roots));
            }
            if !also.is_empty() {
                results.push((also.clone(), Roots::new()));
            }
            results
        });
        (self.live, self.scalars, self.counters) = (live, scalars, counters);
        self.owned = owned;
        let exp = format!("loop ({}) = ({})\n{} do {body}", heads.join(", "), values.join(", "), form.text());
        let mut names: Vec<String> = inits.iter().map(|_| self.name("x")).collect();
        for (k, (name, init)) in names.iter().zip(&inits).enumerate() {
            let roots = if consumes {
                self.fresh()
            } else {
                // what a loop gives that is not its own is nobody's to consume
                self.roots += 1;
                let kept: Roots = results[k]
                    .1
                    .iter()
                    .filter(|root| self.live.iter().any(|v| v.roots.contains(root)))
                    .copied()
                    .collect();
                &(&init.roots | &kept) | &[self.roots].into()
            };
            self.live.push(Var { name: name.clone(), shape: init.shape.clone(), roots });
        }
        if let Form::While(_) = form {
            names.push(self.name("k"));
        }
        self.stms.push(Stm { names, exp });
    }

    fn roots_of(&self, vars: &[Var]) -> Roots {
        vars.iter().flat_map(|var| var.roots.clone()).collect()
    }

    /// How a loop of so many rounds goes on.
    fn form(&mut self, rounds: i64) -> Form {
        let array = self.var(|var| var.shape.len() == 1);
        match (self.roll(5), array) {
            (0, _) => Form::While(self.name("k")),
            (1, Some(array)) => {
                let element = self.name("e");
                self.scalars.push(element.clone());
                Form::In(element, array.name)
            }
            _ => {
                let counter = self.name("i");
                self.counters.push((counter.clone(), rounds));
                let known: Vec<String> =
                    self.known.iter().filter(|(_, is)| *is == rounds).map(|(name, _)| name.clone()).collect();
                Form::For(counter, self.pick(&known).unwrap_or(rounds.to_string()))
            }
        }
    }

    /// A block: statements, and what they leave. What it binds is gone behind it.
    fn block(&mut self, depth: usize, results: impl FnOnce(&mut Maker) -> Left) -> (String, Left) {
        let outer = std::mem::take(&mut self.stms);
        let before: Vec<String> = self.live.iter().map(|var| var.name.clone()).collect();
        let count = self.roll(3) as usize;
        self.statements(count, depth);
        let left = results(self);
        let stms = std::mem::replace(&mut self.stms, outer);
        self.live.retain(|var| before.contains(&var.name));
        let texts: Vec<&str> = left.iter().map(|(text, _)| text.as_str()).collect();
        let result = if texts.len() == 1 { texts[0].to_string() } else { format!("({})", texts.join(", ")) };
        let lines: String = stms.iter().map(|stm| format!("\n  {}", stm.text(4))).collect();
        let text = if stms.is_empty() { result } else { format!("{lines}\n  in {result}") };
        (text, left)
    }

    /// An array of a shape that shares no memory with what is gone.
    fn result(&mut self, shape: &[Dim], gone: &Roots) -> (String, Roots) {
        let sizes: Vec<i64> = shape.iter().map(|dim| dim.size).collect();
        match self.var(|var| var.sizes() == sizes && var.is_apart(gone)) {
            Some(var) => self.taken(&var, shape),
            None => self.filled(shape),
        }
    }

    /// An array of a shape that may be consumed, and shares no memory with what is taken.
    fn own_result(&mut self, shape: &[Dim], taken: &Roots) -> (String, Roots) {
        let sizes: Vec<i64> = shape.iter().map(|dim| dim.size).collect();
        match self.own(|var| var.sizes() == sizes && var.is_apart(taken)) {
            Some(var) => self.taken(&var, shape),
            None => self.filled(shape),
        }
    }

    fn taken(&mut self, var: &Var, shape: &[Dim]) -> (String, Roots) {
        let seen = self.same_shape(var);
        (self.of_shape(&seen.text, &seen.shape, shape), seen.roots)
    }

    fn filled(&mut self, shape: &[Dim]) -> (String, Roots) {
        let value = self.scalar(1);
        let inner = |text: String, dim: &Dim| format!("replicate {} {}", dim.text, parenthesized(&text));
        (shape.iter().rev().fold(value, inner), self.fresh())
    }
}

/// How a loop goes on.
enum Form {
    For(String, String),
    In(String, String),
    While(String),
}

impl Form {
    fn text(&self) -> String {
        match self {
            Form::For(counter, rounds) => format!("for {counter} < {rounds}"),
            Form::In(element, array) => format!("for {element} in {array}"),
            Form::While(counter) => format!("while {counter} > 0"),
        }
    }
}
