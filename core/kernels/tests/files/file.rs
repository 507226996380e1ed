//! What a file says beside its kernel.

use futi_core::prim::{Scalar, ScalarType};
use futi_core::value::text::parse_scalar;
use futi_kernels::exec::{Binding, Bytes, Launch};

/// A file.
#[derive(Default)]
pub struct File {
    pub cases: Vec<Case>,
    /// The rule that its kernel breaks.
    pub wrong: Option<String>,
    /// What can be taken away: which kind, and the number of it.
    pub redundant: Vec<(String, usize)>,
}

/// A launch.
#[derive(Clone, Default)]
pub struct Case {
    pub groups: u32,
    pub group_size: u32,
    pub subgroup_size: u32,
    pub params: Vec<Scalar>,
    /// Allocations: the elements of each.
    pub allocations: Vec<(ScalarType, Vec<Option<Scalar>>)>,
    /// Blocks: allocation, first element, count.
    pub blocks: Vec<(usize, usize, usize)>,
    pub expect: Vec<(usize, ScalarType, Vec<Option<Scalar>>)>,
    pub trap: Option<String>,
    pub failed: Option<(u32, i64, Vec<i64>)>,
}

/// More than any right case takes.
const BUDGET: u64 = 100_000;

impl Case {
    /// The launch of a case, and its memory.
    pub fn launch(&self, seed: u64) -> (Launch, Vec<Bytes>) {
        let memory = self.allocations.iter().map(|(ty, cells)| {
            let mut bytes = Bytes::new(cells.len() * ty.bytes());
            let written = cells.iter().enumerate().filter_map(|(i, x)| Some((i, (*x)?)));
            written.for_each(|(i, x)| bytes.set(i * ty.bytes(), ty.bytes(), x.bits()));
            bytes
        });
        let blocks = self.blocks.iter().map(|(allocation, first, len)| {
            let start = first * self.allocations[*allocation].0.bytes();
            Binding { allocation: *allocation, start, len: *len }
        });
        let launch = Launch {
            groups: self.groups,
            group_size: self.group_size,
            subgroup_size: self.subgroup_size,
            params: self.params.clone(),
            blocks: blocks.collect(),
            seed,
            budget: BUDGET,
        };
        (launch, memory.collect())
    }
}

impl File {
    pub fn read(text: &str) -> Result<File, String> {
        let mut file = File::default();
        for (i, line) in text.lines().enumerate() {
            if let Some(rest) = line.strip_prefix("-- ") {
                file.line(rest).map_err(|why| format!("line {}: {why}", i + 1))?;
            }
        }
        Ok(file)
    }

    fn line(&mut self, line: &str) -> Result<(), String> {
        let (word, rest) = line.split_once(' ').unwrap_or((line, ""));
        match word {
            "launch" => {
                let [groups, group_size, subgroup_size] = numbers(rest)?[..] else {
                    return Err("launch GROUPS SIZE SUBGROUP".into());
                };
                self.cases.push(Case {
                    groups: groups as u32,
                    group_size: group_size as u32,
                    subgroup_size: subgroup_size as u32,
                    ..Case::default()
                });
                return Ok(());
            }
            "wrong" => {
                self.wrong = Some(rest.into());
                return Ok(());
            }
            "redundant" => {
                let (what, why) = rest.split_once(": ").ok_or("redundant KIND NUMBER: WHY")?;
                let (kind, number) = what.split_once(' ').ok_or("redundant KIND NUMBER: WHY")?;
                if why.len() < 10 {
                    return Err("why?".into());
                }
                self.redundant.push((kind.into(), number.parse().map_err(|_| "a number")?));
                return Ok(());
            }
            "params" | "block" | "part" | "expect" | "trap" | "failed" => {}
            _ => return Ok(()),
        }
        let case = self.cases.last_mut().ok_or("no launch before")?;
        match word {
            "params" => {
                case.params =
                    rest.split_whitespace().map(|x| parse_scalar(x).ok_or(format!("{x}?"))).collect::<Result<_, _>>()?
            }
            "block" => {
                let (ty, rest) = rest.split_once(' ').ok_or("block TYPE VALUES")?;
                let ty = ScalarType::from_name(ty).ok_or("no such type")?;
                let elements = match rest.strip_suffix(" unwritten") {
                    Some(n) => vec![None; n.parse().map_err(|_| "a number")?],
                    None => elements(ty, rest)?,
                };
                case.blocks.push((case.allocations.len(), 0, elements.len()));
                case.allocations.push((ty, elements));
            }
            "part" => {
                let [allocation, first, len] = numbers(rest)?[..] else {
                    return Err("part ALLOCATION FIRST COUNT".into());
                };
                case.blocks.push((allocation as usize, first as usize, len as usize));
            }
            "expect" => {
                let (at, rest) = rest.split_once(' ').ok_or("expect ALLOCATION VALUES")?;
                let at: usize = at.parse().map_err(|_| "a number")?;
                let ty = case.allocations.get(at).ok_or("no such allocation")?.0;
                case.expect.push((at, ty, elements(ty, rest)?));
            }
            "trap" => case.trap = Some(rest.into()),
            _ => {
                let (head, operands) = rest.split_once('[').ok_or("failed SITE at POINT [OPERANDS]")?;
                let (site, point) = head.split_once(" at ").ok_or("failed SITE at POINT [OPERANDS]")?;
                let operands = numbers(operands.trim_end_matches(']'))?;
                case.failed = Some((
                    site.parse().map_err(|_| "a number")?,
                    point.trim().parse().map_err(|_| "a number")?,
                    operands,
                ));
            }
        }
        Ok(())
    }
}

fn numbers(text: &str) -> Result<Vec<i64>, String> {
    text.split([' ', ','])
        .filter(|x| !x.is_empty())
        .map(|x| x.parse().map_err(|_| format!("{x} is no number")))
        .collect()
}

fn elements(ty: ScalarType, text: &str) -> Result<Vec<Option<Scalar>>, String> {
    let inner = text.strip_prefix('[').and_then(|text| text.strip_suffix(']')).ok_or("[VALUES]")?;
    let element = |x: &str| match x {
        "_" => Ok(None),
        x => {
            let typed = if x.starts_with(|c: char| c.is_ascii_digit() || c == '-') && !x.ends_with(['n', 'f']) {
                format!("{x}{ty}")
            } else {
                x.into()
            };
            let value = parse_scalar(&typed).filter(|value| value.scalar_type() == ty);
            value.map(Some).ok_or(format!("{x} is no {ty}"))
        }
    };
    inner.split(',').map(str::trim).filter(|x| !x.is_empty()).map(element).collect()
}

/// Elements as a file has them.
pub fn cells(all: &[Option<Scalar>]) -> String {
    let cells: Vec<_> = all.iter().map(|x| x.map_or("_".into(), |x| x.to_string())).collect();
    format!("[{}]", cells.join(", "))
}
