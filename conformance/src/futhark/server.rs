//! The client's side of Futhark's server protocol.
//!
//! A command is a line; its answer some lines, then `%%% OK`; where it fails, `%%% FAILURE` stands before the text of the error. Up to Futhark 0.26.0 an
//! entry point that returns a tuple has several outputs, later one: which of both a server speaks is found out when it starts.

use super::{Breakage, Broken, Limits};
use crate::process::{Deadline, Process};
use futi_core::prim::ScalarType;
use futi_core::value::Value;
use futi_core::value::binary::{read_values, write_values};
use std::path::{Path, PathBuf};
use std::process::Command;
use std::time::Duration;
use tempfile::TempDir;

const OK: &str = "%%% OK";
const FAILURE: &str = "%%% FAILURE";

/// Whose fault it is, for people.
const WHO: &str = "the other implementation's executable";

/// A running executable. Ended when dropped.
pub struct Server {
    process: Process,
    limits: Limits,
    folder: TempDir,
    /// Whether an entry point has one output, of whatever type.
    one_output: bool,
    /// Whether values of all types are read and written as their leaves: a server of Futi.
    whole: bool,
    /// How many variables have been named.
    names: usize,
}

/// A run that has come to its end.
#[derive(Debug)]
pub struct Ran {
    /// The variables of its outputs.
    pub outputs: Vec<String>,
    /// How long it took, if the server says so.
    pub microseconds: Option<u64>,
}

/// What came of a command that reached the server: its lines, or the text of its failure.
pub type Answer<T> = Result<T, String>;

/// What an answer is when nothing has failed; a failure is the answer of the function around it.
macro_rules! answer {
    ($e:expr) => {
        match $e? {
            Ok(x) => x,
            Err(text) => return Ok(Err(text)),
        }
    };
}

impl Server {
    /// Starts an executable and waits until it is ready.
    ///
    /// # Errors
    /// It cannot be started, ends, takes too long, or does not speak the protocol.
    pub fn start(program: &Path, args: &[String], limits: Limits) -> Result<Server, Broken> {
        let mut server = Server::greeted(program, args, limits)?;
        let Some(entry) = server.entry_points()?.into_iter().next() else { return Ok(server) };
        match server.command(&["outputs", &entry]) {
            // an unknown command ends the server
            Err(Broken { how: Breakage::Ended(_), .. }) => {
                server = Server::greeted(program, args, limits)?;
                server.one_output = true;
                Ok(server)
            }
            Err(e) => Err(e),
            Ok(_) => Ok(server),
        }
    }

    /// Starts a server of Futi, which takes values of all types apart by itself: sums, and arrays of records, too.
    ///
    /// # Errors
    /// As [`Server::start`].
    pub fn start_own(program: &Path, args: &[String], limits: Limits) -> Result<Server, Broken> {
        let server = Server::greeted(program, args, limits)?;
        Ok(Server { one_output: true, whole: true, ..server })
    }

    fn greeted(program: &Path, args: &[String], limits: Limits) -> Result<Server, Broken> {
        let folder = tempfile::tempdir().map_err(|e| cannot_start(format!("no folder for temporary files: {e}")))?;
        let process = Process::start(Command::new(program).args(args), WHO, "")?;
        let mut server = Server { process, limits, folder, one_output: false, whole: false, names: 0 };
        match server.process.receive(&Deadline::after(limits.start))? {
            line if line == OK => Ok(server),
            line => Err(server.process.garbled(line)),
        }
    }

    /// Any command, by its words.
    ///
    /// # Errors
    /// The server is broken. That the command fails is an answer.
    pub fn command(&mut self, words: &[&str]) -> Result<Answer<Vec<String>>, Broken> {
        let quoted = |w: &&str| if w.contains(char::is_whitespace) { format!("\"{w}\"") } else { w.to_string() };
        let deadline = Deadline::after(self.limits.command);
        self.process.send(words.iter().map(quoted).collect::<Vec<_>>().join(" ") + "\n");
        let (mut lines, mut failure) = (Vec::new(), None);
        loop {
            let line = self.process.receive(&deadline)?;
            match &mut failure {
                _ if line == OK => break,
                None if line == FAILURE => failure = Some(Vec::new()),
                None => lines.push(line),
                Some(text) => text.push(line),
            }
        }
        Ok(failure.map_or(Ok(lines), |text| Err(text.join("\n"))))
    }

    /// The names of the entry points.
    ///
    /// # Errors
    /// The server is broken.
    pub fn entry_points(&mut self) -> Result<Vec<String>, Broken> {
        self.command(&["entry_points"])?.map_err(|text| self.process.garbled(text))
    }

    /// The types of an entry point's inputs, without the `*` of what is consumed.
    ///
    /// # Errors
    /// The server is broken.
    pub fn inputs(&mut self, entry: &str) -> Result<Answer<Vec<String>>, Broken> {
        Ok(self.command(&["inputs", entry])?.map(bare))
    }

    /// The types of its outputs; in protocols with one output, its type.
    ///
    /// # Errors
    /// The server is broken.
    pub fn outputs(&mut self, entry: &str) -> Result<Answer<Vec<String>>, Broken> {
        Ok(self.command(&[if self.one_output { "output" } else { "outputs" }, entry])?.map(bare))
    }

    /// Forgets the state that is kept between calls.
    ///
    /// # Errors
    /// The server is broken.
    pub fn clear(&mut self) -> Result<Answer<()>, Broken> {
        Ok(self.command(&["clear"])?.map(drop))
    }

    /// Calls an entry point: values for the leaves of its parameters, in order; gives those of its results.
    ///
    /// # Errors
    /// The server is broken. The text of the program's failure is an answer, as is that types do not fit.
    pub fn call(&mut self, entry: &str, args: &[Value]) -> Result<Answer<Vec<Value>>, Broken> {
        let file = self.folder.path().join("in");
        write(&file, &write_values(args))?;
        let mut variables = Vec::new();
        let result = self.call_with(entry, &file, args.len(), &mut variables);
        if matches!(result, Err(Broken { how: Breakage::Ended(_) | Breakage::Hung(_), .. })) {
            return result;
        }
        self.free(variables)?;
        result
    }

    fn call_with(
        &mut self,
        entry: &str,
        file: &Path,
        count: usize,
        variables: &mut Vec<String>,
    ) -> Result<Answer<Vec<Value>>, Broken> {
        let inputs = answer!(self.put(entry, file, count, variables));
        let ran = answer!(self.run(entry, &inputs, variables));
        self.take(entry, &ran.outputs, variables)
    }

    /// Makes the arguments of an entry point of a file that has so many values, those of the leaves of its parameters; gives the variables of the parameters. All
    /// variables that there are then, those of parts too, are added to `variables`.
    ///
    /// # Errors
    /// The server is broken.
    pub fn put(
        &mut self,
        entry: &str,
        file: &Path,
        count: usize,
        variables: &mut Vec<String>,
    ) -> Result<Answer<Vec<String>>, Broken> {
        let input_types = answer!(self.inputs(entry));
        // all leaves by one file, then the records made of them
        let mut trees = Vec::new();
        for ty in input_types {
            trees.push(answer!(self.tree(&ty)));
        }
        let leaves: Vec<String> = trees.iter().flat_map(Tree::leaves).collect();
        if leaves.len() != count && !self.whole {
            return Ok(Err(format!("{entry} takes {} values, not {count}", leaves.len())));
        }
        let mut names = Vec::new();
        let mut restore = vec!["restore".to_string(), file.to_string_lossy().into_owned()];
        for ty in leaves {
            let name = self.name(variables);
            restore.extend([name.clone(), ty]);
            names.push(name);
        }
        if !names.is_empty() {
            answer!(self.command(&words(&restore)));
        }
        let mut names = names.into_iter();
        let mut inputs = Vec::new();
        for tree in &trees {
            inputs.push(answer!(self.assemble(tree, &mut names, variables)));
        }
        Ok(Ok(inputs))
    }

    /// Runs an entry point on variables; its outputs are added to `variables`.
    ///
    /// # Errors
    /// The server is broken. The text of the program's failure is an answer.
    pub fn run(&mut self, entry: &str, inputs: &[String], variables: &mut Vec<String>) -> Result<Answer<Ran>, Broken> {
        let output_types = answer!(self.outputs(entry));
        let mut call = vec!["call".to_string(), entry.to_string()];
        let outputs: Vec<String> = output_types.iter().map(|_| self.name(variables)).collect();
        call.extend(outputs.iter().chain(inputs).cloned());
        let lines = answer!(self.command(&words(&call)));
        let microseconds = lines.iter().find_map(|line| line.strip_prefix("runtime: ")?.trim().parse().ok());
        Ok(Ok(Ran { outputs, microseconds }))
    }

    /// The values of the leaves of an entry point's outputs. Variables that are made for it are added to `variables`.
    ///
    /// # Errors
    /// The server is broken.
    pub fn take(
        &mut self,
        entry: &str,
        outputs: &[String],
        variables: &mut Vec<String>,
    ) -> Result<Answer<Vec<Value>>, Broken> {
        let output_types = answer!(self.outputs(entry));
        let mut results = Vec::new();
        for (v, ty) in outputs.iter().zip(&output_types) {
            let tree = answer!(self.tree(ty));
            answer!(self.take_apart(v, &tree, &mut results, variables));
        }
        if results.is_empty() {
            return Ok(Ok(Vec::new()));
        }
        let file = self.folder.path().join("out");
        let mut store = vec!["store".to_string(), file.to_string_lossy().into_owned()];
        store.extend(results);
        answer!(self.command(&words(&store)));
        let bytes = std::fs::read(&file).map_err(|e| self.process.garbled(format!("no stored values: {e}")))?;
        read_values(&bytes).map(Ok).map_err(|e| self.process.garbled(format!("stored values: {e}")))
    }

    /// Deletes variables. A consumed one can be freed as well; one that was never made cannot, which is no matter.
    ///
    /// # Errors
    /// The server is broken.
    pub fn free(&mut self, variables: Vec<String>) -> Result<(), Broken> {
        for v in variables {
            let _ = self.command(&["free", &v])?;
        }
        Ok(())
    }

    /// Whether an entry point consumes one of its arguments.
    ///
    /// # Errors
    /// The server is broken.
    pub fn consumes(&mut self, entry: &str) -> Result<Answer<bool>, Broken> {
        let types = self.command(&["inputs", entry])?;
        Ok(types.map(|types| types.iter().any(|ty| ty.starts_with('*'))))
    }

    /// How long the commands from now on may take.
    pub fn limit(&mut self, command: Duration) {
        self.limits.command = command;
    }

    /// What it has said on standard error since it was asked last, the last lines of it.
    pub fn said(&mut self) -> Vec<String> {
        self.process.take_said()
    }

    /// A name that no variable has.
    fn name(&mut self, variables: &mut Vec<String>) -> String {
        self.names += 1;
        let name = format!("v{}", self.names);
        variables.push(name.clone());
        name
    }

    /// What a type is made of.
    fn tree(&mut self, ty: &str) -> Result<Answer<Tree>, Broken> {
        let element = ty.trim_start_matches("[]");
        if self.whole || ScalarType::from_name(element).is_some() {
            return Ok(Ok(Tree::Leaf(ty.to_string())));
        }
        if element.len() < ty.len() {
            return Ok(Err(format!("values of type {ty} cannot be passed: an array of what is no scalar")));
        }
        let lines = match self.command(&["fields", ty])? {
            Ok(lines) => lines,
            Err(text) => return Ok(Err(text)),
        };
        let mut fields = Vec::new();
        for line in lines {
            let (name, field) = line.split_once(' ').unwrap_or((&line, ""));
            match self.tree(field)? {
                Ok(tree) => fields.push((name.to_string(), tree)),
                Err(text) => return Ok(Err(text)),
            }
        }
        Ok(Ok(Tree::Record(ty.to_string(), fields)))
    }

    /// The variable of a value made of the next leaves.
    fn assemble(
        &mut self,
        tree: &Tree,
        leaves: &mut impl Iterator<Item = String>,
        variables: &mut Vec<String>,
    ) -> Result<Answer<String>, Broken> {
        let Tree::Record(ty, fields) = tree else { return Ok(leaves.next().ok_or("a value is missing".into())) };
        let mut new = vec!["new".to_string(), String::new(), ty.clone()];
        for (_, field) in fields {
            match self.assemble(field, leaves, variables)? {
                Ok(v) => new.push(v),
                Err(text) => return Ok(Err(text)),
            }
        }
        new[1] = self.name(variables);
        Ok(self.command(&words(&new))?.map(|_| new.swap_remove(1)))
    }

    /// The variables of a value's leaves.
    fn take_apart(
        &mut self,
        v: &str,
        tree: &Tree,
        out: &mut Vec<String>,
        variables: &mut Vec<String>,
    ) -> Result<Answer<()>, Broken> {
        let Tree::Record(_, fields) = tree else {
            out.push(v.to_string());
            return Ok(Ok(()));
        };
        for (name, field) in fields {
            let part = self.name(variables);
            if let Err(text) = self.command(&["project", &part, v, name])? {
                return Ok(Err(text));
            }
            if let Err(text) = self.take_apart(&part, field, out, variables)? {
                return Ok(Err(text));
            }
        }
        Ok(Ok(()))
    }
}

/// A type: a scalar or an array of scalars, or a record with its fields.
enum Tree {
    Leaf(String),
    Record(String, Vec<(String, Tree)>),
}

impl Tree {
    fn leaves(&self) -> Vec<String> {
        match self {
            Tree::Leaf(ty) => vec![ty.clone()],
            Tree::Record(_, fields) => fields.iter().flat_map(|(_, t)| t.leaves()).collect(),
        }
    }
}

fn words(words: &[String]) -> Vec<&str> {
    words.iter().map(String::as_str).collect()
}

/// Types without the mark of uniqueness.
fn bare(types: Vec<String>) -> Vec<String> {
    types.into_iter().map(|t| t.trim_start_matches('*').to_string()).collect()
}

fn write(file: &PathBuf, bytes: &[u8]) -> Result<(), Broken> {
    std::fs::write(file, bytes).map_err(|e| cannot_start(format!("{}: {e}", file.display())))
}

fn cannot_start(why: String) -> Broken {
    Broken::new(WHO, Breakage::Start(why))
}
