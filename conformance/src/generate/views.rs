//! Source programs about memory: they make views of arrays (parts, turned round, transposed, repeated) and new arrays of these, update and consume them in straight code, loops and branches, and go
//! on using what is left. That they consume nothing twice, and are in bounds, is so by construction: the maker knows all sizes and what shares memory with what.

mod make;
#[cfg(test)]
mod tests;

use futi_core::value::Value;

/// A program with one entry point, and an input.
#[derive(Clone, PartialEq, Debug)]
pub struct ViewProgram {
    /// The head of the entry point.
    head: String,
    /// What is bound.
    stms: Vec<Stm>,
    /// What is returned.
    results: Vec<String>,
    /// The arguments.
    pub inputs: Vec<Value>,
}

/// `let … = …`
#[derive(Clone, PartialEq, Debug)]
struct Stm {
    /// The names that it binds.
    names: Vec<String>,
    /// What it binds them to, over one line or more.
    exp: String,
}

impl Stm {
    /// It, as a line of source, with those behind the first by so many blanks further to the right.
    fn text(&self, indent: usize) -> String {
        let names = self.names.join(", ");
        let pattern = if self.names.len() == 1 { names } else { format!("({names})") };
        let between = format!("\n{}", " ".repeat(indent));
        format!("let {pattern} = {}", self.exp.replace('\n', &between))
    }
}

impl ViewProgram {
    /// The program of a seed.
    pub fn new(seed: u64) -> ViewProgram {
        make::program(seed)
    }

    /// Its text.
    pub fn text(&self) -> String {
        let stms: String = self.stms.iter().map(|stm| format!("  {}\n", stm.text(2))).collect();
        let results = self.results.join(", ");
        let result = if self.results.len() == 1 { results } else { format!("({results})") };
        format!("{}\n{stms}  in {result}\n", self.head)
    }

    /// Programs with a result less, or without something that nobody uses: valid, too.
    pub fn smaller(&self) -> impl Iterator<Item = ViewProgram> + '_ {
        let fewer = (0..self.results.len()).filter(|_| self.results.len() > 1).map(|k| {
            let mut fewer = self.clone();
            fewer.results.remove(k);
            fewer
        });
        let shorter = (0..self.stms.len()).rev().filter(|k| self.is_unused(*k)).map(|k| {
            let mut shorter = self.clone();
            shorter.stms.remove(k);
            shorter
        });
        fewer.chain(shorter)
    }

    /// Whether nobody uses what a statement binds.
    fn is_unused(&self, k: usize) -> bool {
        let mut texts = self.stms[k + 1..].iter().map(|stm| &stm.exp).chain(&self.results);
        self.stms.len() > 1 && !texts.any(|text| self.stms[k].names.iter().any(|name| mentions(text, name)))
    }
}

/// Whether a name occurs in a text.
fn mentions(text: &str, name: &str) -> bool {
    text.split(|c: char| !c.is_ascii_alphanumeric() && c != '_').any(|word| word == name)
}
