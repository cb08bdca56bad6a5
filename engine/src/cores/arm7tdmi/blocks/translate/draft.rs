//! A block under way: its operations, the cycles so far, and which flags somebody reads.

use super::super::super::decoder::{Condition, Cost};
use super::super::super::psr;
use super::super::chains::op::{Behind, Op, What};
use super::super::chains::registers::kind;
use super::super::chains::{alu, Costs};
use super::super::AHEAD;
use super::Translated;
use crate::bus::Width;
use crate::system::{Fetches, System};

/// How an operation treats the flags, by their bits in a status register.
#[derive(Clone, Copy, Default)]
pub(super) struct Flags {
    /// Those that it needs.
    pub reads: u32,
    /// Those that it may change.
    pub sets: u32,
    /// Those whose old value is lost behind it.
    pub replaces: u32,
}

impl Flags {
    /// All must be right before it: a boundary may follow, or it depends on them.
    pub const NEEDS_ALL: Flags = Flags { reads: psr::FLAGS, sets: 0, replaces: 0 };
}

/// An operation, and what it becomes if nobody reads the flags that it sets.
struct Entry {
    op: Op,
    without_flags: Option<What>,
    flags: Flags,
}

/// A state to return to.
pub(super) struct Mark {
    entries: usize,
    since: u32,
    slowest: u32,
    kind: u8,
    /// Its place, and what it takes back.
    conditional: Option<(usize, u32)>,
}

/// A block under way.
pub(super) struct Draft<'a> {
    bus: &'a System,
    pub costs: Costs,
    address: u32,
    pub length: u32,
    entries: Vec<Entry>,
    /// Cycles since the bus had the last.
    since: u32,
    slowest: u32,
    instructions: u32,
    /// Kind of the fetch behind the last instruction, if its condition holds; and whether it has one.
    kind: u8,
    conditional: Option<usize>,
    /// The first half of BL added last: its place, and r14 behind it.
    linked: Option<(u32, u32)>,
    constants: Vec<u32>,
    /// The first fetch takes longer where it is not in sequence.
    nonsequential: bool,
}

impl<'a> Draft<'a> {
    pub fn new(bus: &'a System, address: u32, length: u32, costs: Costs) -> Self {
        Draft {
            bus,
            costs,
            address,
            length,
            entries: Vec::new(),
            since: 0,
            slowest: 0,
            instructions: 0,
            kind: kind::SEQUENTIAL,
            conditional: None,
            linked: None,
            constants: Vec::new(),
            nonsequential: false,
        }
    }

    /// Address of the instruction under way.
    pub fn pc(&self) -> u32 {
        self.address.wrapping_add(self.instructions * self.length)
    }

    /// r15 as that instruction reads it.
    pub fn r15(&self) -> u32 {
        self.pc().wrapping_add(2 * self.length)
    }

    /// Begins an instruction: its fetch.
    pub fn begin(&mut self) -> Mark {
        let mark = Mark {
            entries: self.entries.len(),
            since: self.since,
            slowest: self.slowest,
            kind: self.kind,
            conditional: self.conditional.map(|guard| (guard, self.entries[guard].op.imm)),
        };
        let fetched = self.pc().wrapping_add(AHEAD as u32 * self.length);
        let Fetches { again, nonsequential, line_bytes, .. } = self.costs.fetches;
        let is_new = line_bytes.is_some_and(|bytes| fetched & (bytes - 1) == 0);
        let differs = self.costs.fetches.differ();
        let is_stored = differs && self.kind == kind::NON_SEQUENTIAL;
        let is_first = differs && self.instructions == 0;
        if is_new {
            let behind = match (is_first, is_stored) {
                (true, _) => Behind::Unknown,
                (_, true) => Behind::Store,
                _ => Behind::Sequence,
            };
            let aux = self.bus.code_offset(fetched);
            let condition = self.conditional.filter(|_| is_stored);
            let condition =
                condition.map_or(Condition::of(14), |guard| self.entries[guard].op.condition);
            let flags = if is_stored { Flags::NEEDS_ALL } else { Flags::default() };
            let op = Op { imm: fetched, aux, condition, ..Op::new(What::Cross(behind)) };
            self.add_with(op, None, flags);
            self.since = 0;
        } else if is_stored {
            // The guard takes that back if it leaves the store out.
            if let Some(guard) = self.conditional {
                self.entries[guard].op.imm += nonsequential - again;
            }
            self.since += nonsequential;
        } else {
            self.nonsequential |= is_first;
            self.since += again;
        }
        self.slowest += self.costs.fetches.slowest;
        (self.kind, self.conditional) = (kind::SEQUENTIAL, None);
        mark
    }

    /// The instruction under way is none of the block.
    pub fn undo(&mut self, mark: Mark) {
        self.entries.truncate(mark.entries);
        (self.since, self.slowest, self.kind) = (mark.since, mark.slowest, mark.kind);
        self.conditional = mark.conditional.map(|(guard, imm)| {
            self.entries[guard].op.imm = imm;
            guard
        });
    }

    /// The instruction under way is complete.
    pub fn complete(&mut self) {
        self.instructions += 1;
    }

    /// Adds an operation that leaves the flags alone.
    pub fn add(&mut self, op: Op) {
        self.add_with(op, None, Flags::default());
    }

    /// Adds an operation that may leave the block, or that depends on all flags.
    pub fn add_leaving(&mut self, op: Op) {
        self.add_with(op, None, Flags::NEEDS_ALL);
    }

    /// Adds an operation that may set flags.
    pub fn add_setting(&mut self, what: What, op: Op, flags: Flags) {
        let without = what.without_flags();
        if flags.sets == 0 {
            self.add_with(op.with(without), None, flags);
        } else {
            self.add_with(op.with(what), Some(without), flags);
        }
    }

    fn add_with(&mut self, op: Op, without_flags: Option<What>, flags: Flags) {
        let op = Op { since: self.since, index: self.instructions as u8, ..op };
        self.entries.push(Entry { op, without_flags, flags });
    }

    /// Counts so many accesses to data, then internal cycles.
    pub fn count(&mut self, accesses: u32, cost: Cost) {
        let internal = u32::from(cost.internal);
        self.since += accesses * self.costs.ram + internal;
        let each = self.costs.ram.max(self.costs.fetches.slowest);
        self.slowest += accesses * each + u32::from(cost.internal_most);
        if internal > 0 {
            self.kind = kind::AFTER_IDLE;
        }
    }

    /// Counts cycles that are known ahead.
    pub fn count_cycles(&mut self, cycles: u32) {
        self.since += cycles;
        self.slowest += cycles;
    }

    /// Counts an access to the memory of the code that passes its cycles to the bus itself.
    pub fn count_slowest(&mut self) {
        self.slowest += self.costs.fetches.slowest;
    }

    /// The first half of BL: r14 = `value`.
    pub fn add_link_prefix(&mut self, value: u32) {
        self.set(14, value);
        self.linked = Some((self.instructions, value));
    }

    /// The second half of BL: behind the first its target is known.
    pub fn add_link(&mut self, distance: u32, back: u32) {
        let first = self.linked.filter(|(index, _)| index + 1 == self.instructions);
        let Some((_, first)) = first else {
            return self.add_leaving(Op { imm: distance, aux: back, ..Op::new(What::Link) });
        };
        self.set(14, back);
        let imm = first.wrapping_add(distance) & !1;
        self.add_leaving(Op { imm, ..Op::new(What::Branch { always: true }) });
    }

    /// The next fetch is that behind a store.
    pub fn stored(&mut self) {
        self.kind = kind::NON_SEQUENTIAL;
    }

    /// The last operation has passed all cycles so far to the bus.
    pub fn reset_since(&mut self) {
        self.since = 0;
    }

    /// Passes all cycles so far to the bus.
    pub fn settle(&mut self) {
        self.add(Op::new(What::Settle));
        self.since = 0;
    }

    /// A block leaves by a branch with a refill.
    pub fn count_refill(&mut self) {
        self.slowest += 2 * self.costs.fetches.slowest;
    }

    /// The operations that follow are those of an instruction with this condition.
    pub fn guard(&mut self, condition: Condition) -> usize {
        self.add_leaving(Op { condition, imm: self.since, ..Op::new(What::Guard) });
        self.conditional = Some(self.entries.len() - 1);
        self.entries.len() - 1
    }

    /// They end here.
    pub fn end_guard(&mut self, guard: usize) {
        let behind = self.entries.len() - guard - 1;
        let op = &mut self.entries[guard].op;
        op.imm = self.since - op.imm;
        op.a = behind as u8;
    }

    /// The word at an address that code reads, if it never changes and is in the memory of the code.
    pub fn constant(&mut self, address: u32) -> Option<u32> {
        if !self.costs.fetches.is_rom || address % 4 != 0 || !self.bus.is_beside(address) {
            return None;
        }
        self.constants.push(address);
        self.bus.peek(address, Width::Word)
    }

    /// The block; none without an instruction. `left` says that its last operation leaves it.
    pub fn finish(mut self, left: bool, opcodes: [u32; 2]) -> Option<Translated> {
        if self.instructions == 0 {
            return None;
        }
        if !left {
            self.end();
        }
        self.drop_flags();
        let Fetches { again, nonsequential, .. } = self.costs.fetches;
        let ops = self.entries.into_iter().map(|entry| entry.op).collect();
        Some(Translated {
            ops,
            opcodes,
            instructions: self.instructions,
            slowest: self.slowest,
            nonsequential: if self.nonsequential { nonsequential - again } else { 0 },
            constants: self.constants,
        })
    }

    /// The program goes straight on. Behind an instruction whose condition fails, it does so by a sequential fetch.
    fn end(&mut self) {
        let imm = self.pc();
        self.add_leaving(Op { imm, a: self.kind, ..Op::new(What::End) });
        if let (Some(guard), true) = (self.conditional, self.kind != kind::SEQUENTIAL) {
            self.entries[guard].op.a += 1;
            self.add_leaving(Op { imm, a: kind::SEQUENTIAL, ..Op::new(What::End) });
        }
    }

    /// Flags that are set anew before anybody reads them are not computed.
    fn drop_flags(&mut self) {
        let mut read = psr::FLAGS;
        for entry in self.entries.iter_mut().rev() {
            let flags = entry.flags;
            match entry.without_flags {
                Some(without) if flags.sets & read == 0 => {
                    entry.op = entry.op.with(without);
                    read |= flags.reads;
                }
                _ => read = read & !flags.replaces | flags.reads,
            }
        }
    }

    /// The function that sets a register, for constants that are known now.
    pub fn set(&mut self, register: usize, value: u32) {
        self.add(Op { a: register as u8, imm: value, ..Op::new(What::Set) });
    }

    /// Adds data processing. `carries` says whether the second operand's carry may differ from C.
    pub fn process(&mut self, what: Processing, op: Op) {
        let Processing { operation, source, .. } = what;
        self.add_setting(What::Process { operation, source, flags: true }, op, what.flags());
    }
}

/// Data processing: how, and what it does with the flags.
#[derive(Clone, Copy)]
pub(super) struct Processing {
    pub operation: super::super::super::decoder::Operation,
    pub source: u8,
    pub sets_flags: bool,
    /// The carry of a constant is not C.
    pub rotated: bool,
}

impl Processing {
    fn flags(self) -> Flags {
        use super::super::super::decoder::Operation;
        let arithmetic = matches!(
            self.operation,
            Operation::Sub
                | Operation::Rsb
                | Operation::Add
                | Operation::Adc
                | Operation::Sbc
                | Operation::Rsc
                | Operation::Cmp
                | Operation::Cmn
        );
        let takes_carry =
            matches!(self.operation, Operation::Adc | Operation::Sbc | Operation::Rsc);
        let source = self.source;
        // RRX shifts C in, and a shift by a register may be one by 0.
        let shifts_carry = source >= alu::source::SHIFTED_BY_ZERO;
        let mut flags = Flags::default();
        if takes_carry || source == alu::source::SHIFTED_BY_ZERO {
            flags.reads |= psr::C;
        }
        if !self.sets_flags {
            return flags;
        }
        if arithmetic {
            flags.sets = psr::FLAGS;
            flags.replaces = psr::FLAGS;
            return flags;
        }
        flags.sets = psr::N | psr::Z;
        flags.replaces = psr::N | psr::Z;
        let shifts = source >= alu::source::SHIFTED;
        if self.rotated || shifts {
            flags.sets |= psr::C;
            if shifts_carry {
                flags.reads |= psr::C;
            } else {
                flags.replaces |= psr::C;
            }
        }
        flags
    }
}
