//! Failures: the record that they leave, and how a group leaves together: Note [Leaving at a barrier].

use super::Printer;
use super::memory::{LOCKS, fence, qualifiers};
use crate::device::Caps;
use futi_kernels::ir::*;
use std::fmt::Write;

// Note [Failing in numbers]
// ~~~~~~~~~~~~~~~~~~~~~~~~~
// The record has the failure whose (site, point) is least, and its operands, so that it is written under a lock. All points of a launch may fail, and must not queue up for that: who sees
// that an earlier failure is noted passes by. It sees that without the lock: the point is written before the site and read behind it, and both only fall, so that the pair that is read is not
// before the one that is being written.

/// What failing kernels leave behind.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Record {
    /// The first of all sites of a program that failed, its number, the least point, and the operands: as many as fit, of which the site has the first ones.
    Failed(u32, i64, Vec<i64>),
    /// A driver has left a loop early ([`Caps::loop_limit`]): nothing that was computed is right.
    Rounds,
}

/// Bytes of a record: a lock, the site's number plus one, whether a loop was left early, the number of the launch, the point, the operands; and locks for words of 64 bits.
pub const RECORD_BYTES: usize = 1024 + 4 * LOCKS;

/// The most operands that fit.
pub(super) const MOST_OPERANDS: usize = (1024 - 24) / 8;

impl Record {
    /// What bytes of a record say; nothing if no kernel has failed.
    pub fn read(bytes: &[u8]) -> Option<Record> {
        let half = |at: usize| bytes.get(at..at + 4).map(|b| u32::from_le_bytes(b.try_into().unwrap_or_default()));
        let word = |at: usize| bytes.get(at..at + 8).map(|b| i64::from_le_bytes(b.try_into().unwrap_or_default()));
        match (half(4)?, half(8)?) {
            (0, 0) => None,
            (site, 0) => {
                Some(Record::Failed(site - 1, word(16)?, (3..3 + MOST_OPERANDS).map_while(|i| word(8 * i)).collect()))
            }
            _ => Some(Record::Rounds),
        }
    }
}

/// What `main` ends with: whether the driver has left loops early. What is counted is a little less than what the driver counts.
pub(super) fn look_at_rounds(caps: &Caps) -> String {
    let note = "atomicExchange(Record(record).rounds, 1u); atomicExchange(Record(record).launch, launch);";
    let look = |limit| format!("    if (ROUNDS > {}u) {{ {note} }}\n", limit / 100 * 99);
    caps.loop_limit.map_or(String::new(), look)
}

impl Printer<'_> {
    /// Whether there are failures and barriers.
    pub(super) fn leaves_at_barriers(&self) -> bool {
        let (mut fails, mut waits) = (false, false);
        walk(&self.kernel.body, &mut |stm| {
            fails |= matches!(stm, Stm::Fail { .. });
            waits |= matches!(stm, Stm::Barrier);
        });
        fails && waits
    }

    /// A function for each site, which remembers a failure there, and one that notes what is remembered unless an earlier one is noted: once, at the end, as each call of a function is a copy
    /// of it to a driver.
    pub(super) fn fail_functions(&self) -> String {
        let together = self.leaves_at_barriers();
        let fence = fence(self.caps, Scope::Device);
        let mut text = format!(
            "layout(buffer_reference, scalar, buffer_reference_align = 8) {} buffer Record {{ uint lock; uint site; uint rounds; uint launch; int64_t point; int64_t operands[{MOST_OPERANDS}]; uint locks[{LOCKS}]; }};\n",
            qualifiers(self.caps)
        );
        if together {
            text += "shared uint failed_in;\nuint phase = 0u;\nbool failed = false;\n";
        }
        if !self.kernel.sites.is_empty() {
            // an atomic operation where barriers do not order
            let noted = if fence.is_empty() { "atomicOr(Record(record).site, 0u)" } else { "Record(record).site" };
            let _ = write!(
                text,
                "bool is_noted(uint site, int64_t point) {{
    uint noted = {noted};
    {fence}
    return noted != 0u && (noted < site || (noted == site && Record(record).point <= point));
}}
"
            );
        }
        // mutant off by one: without sites it is written nowhere
        let most = self.kernel.sites.iter().map(|site| site.operands).max().unwrap_or(0);
        if !self.kernel.sites.is_empty() {
            let operands: String =
                (0..most).map(|k| format!(" Record(record).operands[{k}] = failed_of[{k}];")).collect();
            let _ = write!(
                text,
                "uint failed_at = 0u;
int64_t failed_point;
int64_t failed_of[{}];
void note_failure() {{
    bool done = is_noted(failed_at, failed_point);
    while (!done) {{
        TICK;
        if (atomicCompSwap(Record(record).lock, 0u, 1u) == 0u) {{
            {fence}
            if (!is_noted(failed_at, failed_point)) {{
                Record(record).point = failed_point;{operands}
                {fence}
                atomicExchange(Record(record).site, failed_at);
                atomicExchange(Record(record).launch, launch);
            }}
            {fence}
            atomicExchange(Record(record).lock, 0u);
            done = true;
        }} else {{
            done = is_noted(failed_at, failed_point);
        }}
    }}
}}
",
                most.max(1)
            );
        }
        for (i, site) in self.kernel.sites.iter().enumerate() {
            let count = site.operands as usize;
            let params: String = (0..count).map(|k| format!(", int64_t o{k}")).collect();
            let operands: String = (0..count).map(|k| format!(" failed_of[{k}] = o{k};")).collect();
            let leaves = if together { " failed = true; atomicMin(failed_in, phase);" } else { "" };
            let _ = writeln!(
                text,
                "void fail_{i}(int64_t point{params}) {{ failed_at = first_site + {}u; failed_point = point;{operands}{leaves} }}",
                i + 1
            );
        }
        text
    }

    /// The statements of a kernel whose groups leave together.
    pub(super) fn together(&mut self, stms: &[Stm]) {
        self.line("if (gl_LocalInvocationIndex == 0u) failed_in = 0xffffffffu;");
        self.line("barrier();");
        self.parts(stms);
    }

    /// Statements to which all of a group come.
    fn parts(&mut self, stms: &[Stm]) {
        let waits = |stm: &Stm| {
            let mut any = false;
            walk(std::slice::from_ref(stm), &mut |s| any |= matches!(s, Stm::Barrier));
            any
        };
        for part in stms.chunk_by(|a, b| !waits(a) && !waits(b)) {
            match part {
                [Stm::Barrier] => {
                    self.barrier();
                    self.look();
                }
                [Stm::If { cond, yes, no }] if waits(&part[0]) => {
                    self.settle();
                    let mut may_have_failed = false;
                    let cond = self.exp(cond);
                    for (head, side) in [(format!("if ({cond})"), yes), ("else".into(), no)] {
                        self.may_have_failed = false;
                        self.block(&head, |p| p.parts(side));
                        may_have_failed |= self.may_have_failed;
                    }
                    self.may_have_failed = may_have_failed;
                }
                [Stm::For { index, from, below, step, body }] if waits(&part[0]) => {
                    self.settle();
                    self.count(*index, [from, below, step], |p| p.settled(body));
                }
                [Stm::While { before, cond, body }] if waits(&part[0]) => {
                    self.settle();
                    self.repeat(before, cond, body, Self::settled);
                }
                part => self.part(part),
            }
        }
    }

    /// Statements behind which all know whether one of them has failed.
    fn settled(&mut self, stms: &[Stm]) {
        self.parts(stms);
        self.settle();
    }

    /// Statements without barriers, as a function.
    fn part(&mut self, stms: &[Stm]) {
        let name = self.name("part");
        let (out, depth) = (std::mem::take(&mut self.out), std::mem::replace(&mut self.depth, 1));
        self.stms(stms);
        let text = std::mem::replace(&mut self.out, out);
        self.depth = depth;
        let _ = write!(self.functions, "void {name}() {{\n{text}}}\n\n");
        let skips = if self.may_have_failed { "if (!failed) " } else { "" };
        self.line(format!("{skips}{name}();"));
        walk(stms, &mut |stm| self.may_have_failed |= matches!(stm, Stm::Fail { .. }));
    }

    /// Before a decision that an invocation that has failed may see otherwise: waits for all, unless none can have failed.
    fn settle(&mut self) {
        if self.may_have_failed {
            self.line("barrier();");
            self.look();
        }
    }

    /// Behind a barrier: leaves if one has failed before it. A failure behind it has a later phase, so that all decide alike.
    fn look(&mut self) {
        if self.may_have_failed {
            self.line("phase++;");
            self.line("if (failed_in < phase) return;");
            self.may_have_failed = false;
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_record_says_who_failed_first() {
        let mut bytes = vec![0; RECORD_BYTES];
        assert_eq!(Record::read(&bytes), None);
        // site 2, counted from 1; point 7; the operands 5 and -1
        let words: [(usize, i64); 4] = [(0, 3 << 32), (16, 7), (24, 5), (32, -1)];
        words.iter().for_each(|(at, word)| bytes[*at..at + 8].copy_from_slice(&word.to_le_bytes()));
        let Some(Record::Failed(2, 7, operands)) = Record::read(&bytes) else { panic!("{:?}", Record::read(&bytes)) };
        assert_eq!((operands.len(), &operands[..3]), (MOST_OPERANDS, &[5, -1, 0][..]));
        // whatever else it says, where loops were left early nothing is right
        bytes[8] = 1;
        assert_eq!(Record::read(&bytes), Some(Record::Rounds));
        assert_eq!(Record::read(&[]), None);
    }
}
