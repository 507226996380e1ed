//! Which memory may be what nobody may change: that of a constant, or of a parameter that is not unique.

// Note [Flow of memory]
// ~~~~~~~~~~~~~~~~~~~~~
// Variables of memory are bound once, so that what one of them may name is told by where it is bound: what a branch leaves, what a loop begins with and what its rounds leave, what a
// function that is called may return of its arguments. This is a graph, of which it does not matter in which order its statements are run; what is reached from a parameter may be the
// parameter's memory. What a function returns of its parameters is found out for all functions together, as they call each other: first it is nothing, then what follows from what was
// known before, as long as that is more.

use super::super::ir::*;

/// Which memory of a function may not be changed.
pub(super) struct Fixed(Vec<Option<Source>>);

/// Where memory comes from that may not be changed.
#[derive(Clone, Copy)]
enum Source {
    Constant,
    Param,
}

impl Fixed {
    /// Why memory may not be changed, if so.
    pub(super) fn why(&self, mem: Mem) -> Option<&'static str> {
        self.0.get(mem.at()).copied().flatten().map(|source| match source {
            Source::Constant => "a constant's",
            Source::Param => "a parameter's that is not unique",
        })
    }
}

/// What a result of a function may be.
#[derive(Clone, PartialEq, Default)]
struct Origin {
    /// A constant.
    constant: bool,
    /// Parameters, by their positions.
    params: Vec<usize>,
}

/// What may not be changed in each function.
pub(super) fn fixed(program: &HostProgram) -> Vec<Fixed> {
    let mut known: Vec<Vec<Origin>> =
        program.funs.iter().map(|fun| vec![Origin::default(); fun.results.len()]).collect();
    loop {
        let next: Vec<_> = program.funs.iter().map(|fun| origins(fun, &Graph::of(fun, &known))).collect();
        if next == known {
            break;
        }
        known = next;
    }
    program.funs.iter().map(|fun| fixed_in(fun, &Graph::of(fun, &known))).collect()
}

/// From each memory, which may be the same; and which is a constant.
struct Graph {
    to: Vec<Vec<Mem>>,
    constants: Vec<Mem>,
}

impl Graph {
    fn of(fun: &Fun, known: &[Vec<Origin>]) -> Graph {
        let mut graph = Graph { to: vec![Vec::new(); fun.mems.len()], constants: Vec::new() };
        graph.stms(&fun.body, known);
        graph
    }

    fn edges<'a>(&mut self, from: impl IntoIterator<Item = &'a Mem>, to: impl IntoIterator<Item = &'a Mem>) {
        for (from, to) in from.into_iter().zip(to) {
            self.to.get_mut(from.at()).into_iter().for_each(|all| all.push(*to));
        }
    }

    fn stms(&mut self, stms: &[Stm], known: &[Vec<Origin>]) {
        for stm in stms {
            match &stm.op {
                Op::Constant(mem, _) => self.constants.push(*mem),
                Op::If { yes, no, mems, .. } => {
                    self.edges(&yes.mems, mems);
                    self.edges(&no.mems, mems);
                }
                Op::Loop { mems, body, last_mems, .. } => {
                    let params: Vec<Mem> = mems.iter().map(|(param, _)| *param).collect();
                    self.edges(mems.iter().map(|(_, init)| init), &params);
                    self.edges(&body.mems, &params);
                    self.edges(&params, last_mems);
                }
                Op::Call { fun, args, results } => {
                    let origins = known.get(fun.at()).map_or(&[][..], |origins| origins);
                    for (result, origin) in results.iter().zip(origins) {
                        let CallResult::Array(result, _) = result else { continue };
                        if origin.constant {
                            self.constants.push(*result);
                        }
                        for mem in origin.params.iter().filter_map(|p| args.get(*p)?.mem()) {
                            self.edges([&mem], [result]);
                        }
                    }
                }
                _ => {}
            }
            stm.op.blocks().into_iter().for_each(|block| self.stms(&block.stms, known));
        }
    }

    /// What is reached from memory, itself included.
    fn reached(&self, from: impl IntoIterator<Item = Mem>) -> Vec<bool> {
        let mut reached = vec![false; self.to.len()];
        let mut left: Vec<Mem> = from.into_iter().collect();
        while let Some(mem) = left.pop() {
            if let Some(is) = reached.get_mut(mem.at()).filter(|is| !**is) {
                *is = true;
                left.extend(&self.to[mem.at()]);
            }
        }
        reached
    }
}

/// What the results of a function may be.
fn origins(fun: &Fun, graph: &Graph) -> Vec<Origin> {
    let mut all = vec![Origin::default(); fun.results.len()];
    let results = || fun.results.iter().enumerate().filter_map(|(i, value)| Some((i, value.mem()?)));
    let holds = |reached: &[bool], mem: Mem| reached.get(mem.at()).copied().unwrap_or(false);
    let constants = graph.reached(graph.constants.iter().copied());
    results().for_each(|(i, mem)| all[i].constant = holds(&constants, mem));
    for (p, param) in fun.params.iter().enumerate() {
        if let Param::Array { mem, .. } = param {
            let reached = graph.reached([*mem]);
            results().filter(|(_, mem)| holds(&reached, *mem)).for_each(|(i, _)| all[i].params.push(p));
        }
    }
    all
}

fn fixed_in(fun: &Fun, graph: &Graph) -> Fixed {
    let params = fun.params.iter().filter_map(|param| match param {
        Param::Array { mem, unique: false, .. } => Some(*mem),
        _ => None,
    });
    let (params, constants) = (graph.reached(params), graph.reached(graph.constants.iter().copied()));
    let source = |(param, constant)| match (param, constant) {
        (_, true) => Some(Source::Constant),
        (true, false) => Some(Source::Param),
        (false, false) => None,
    };
    Fixed(params.into_iter().zip(constants).map(source).collect())
}
