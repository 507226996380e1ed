//! Failures: the record that they leave, and how a group leaves together: Note [Leaving at a barrier].

use super::Printer;
use futi_kernels::ir::*;
use std::fmt::Write;

/// What failing kernels leave behind.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Record {
    /// The first of all sites of a program that failed, its number, the least point, and the operands.
    Failed(u32, i64, Vec<i64>),
    /// A driver has left a loop early.
    Rounds,
}

/// Bytes of a record: a lock, the site's number plus one, the point, the operands.
pub const RECORD_BYTES: usize = 1024;

/// The most operands that fit.
const MOST_OPERANDS: usize = (RECORD_BYTES - 16) / 8;

/// What stands for a site where loops were left early: less than any other.
const ROUNDS: u32 = u32::MAX;

impl Record {
    /// What bytes of a record say; nothing if no kernel has failed.
    pub fn read(bytes: &[u8]) -> Option<Record> {
        let word = |at: usize| bytes.get(at..at + 8).map(|b| i64::from_le_bytes(b.try_into().unwrap_or_default()));
        let site = u32::from_le_bytes(bytes.get(4..8)?.try_into().ok()?);
        match site {
            0 => None,
            ROUNDS => Some(Record::Rounds),
            site => Some(Record::Failed(site - 1, word(8)?, (2..2 + MOST_OPERANDS).map_while(|i| word(8 * i)).collect())),
        }
    }
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

    /// A function for each site, which notes a failure there unless an earlier one is noted.
    pub(super) fn fail_functions(&self) -> String {
        let together = self.leaves_at_barriers();
        let mut text = format!(
            "layout(buffer_reference, scalar, buffer_reference_align = 8) coherent buffer Record {{ uint lock; uint site; int64_t point; int64_t operands[{MOST_OPERANDS}]; }};\n"
        );
        if self.caps.loop_limit.is_some() {
            let _ = writeln!(text, "void fail_rounds() {{ atomicCompSwap(Record(record).site, 0u, {ROUNDS}u); }}");
        }
        if together {
            text += "shared uint failed_in;\nuint phase = 0u;\nbool failed = false;\n";
        }
        for (i, site) in self.kernel.sites.iter().enumerate() {
            let count = site.operands as usize;
            let params: String = (0..count).map(|k| format!(", int64_t o{k}")).collect();
            let noted: String = (0..count.min(MOST_OPERANDS)).map(|k| format!(" Record(record).operands[{k}] = o{k};")).collect();
            let leaves = if together { "    failed = true;\n    atomicMin(failed_in, phase);\n" } else { "" };
            let _ = write!(
                text,
                "void fail_{i}(int64_t point{params}) {{
    uint site = first_site + {}u;
    bool done = false;
    while (!done) {{
        TICK;
        if (atomicCompSwap(Record(record).lock, 0u, 1u) == 0u) {{
            memoryBarrierBuffer();
            uint was = Record(record).site;
            if (was == 0u || site < was || (site == was && point < Record(record).point)) {{ Record(record).site = site; Record(record).point = point;{noted} }}
            memoryBarrierBuffer();
            atomicExchange(Record(record).lock, 0u);
            done = true;
        }}
    }}
{leaves}}}
",
                i + 1
            );
        }
        text
    }

    /// What `body` begins with where a group leaves together.
    fn begins(&mut self) {
        self.line("if (gl_LocalInvocationIndex == 0u) failed_in = 0xffffffffu;");
        self.line("barrier();");
    }

    /// The statements of a kernel whose groups leave together.
    pub(super) fn together(&mut self, stms: &[Stm]) {
        self.begins();
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
