//! How long an instruction takes: the one place that knows the pipeline.
//!
//! The core describes each instruction that it has executed, and the pipeline states its cycles. Accesses to
//! data are made after [`Pipeline::lead`] cycles, and those of a list a cycle apart.

use super::decoder::{Class, Instruction, Operation as O, LR};

/// The accesses to data of one instruction.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Data {
    /// The first address, as the instruction has it.
    pub address: u32,
    /// Bytes of each.
    pub bytes: u32,
    /// How many the instruction asks for; the second begins where the first ends.
    pub count: u32,
    /// Whether they are writes.
    pub write: bool,
}

/// An instruction that has executed.
#[derive(Clone, Copy, Debug)]
pub struct Executed<'a> {
    /// The instruction.
    pub instruction: &'a Instruction,
    /// Where it lies.
    pub address: u32,
    /// Its condition failed.
    pub skipped: bool,
    /// It stands in an IT block.
    pub in_block: bool,
    /// Where it branched to.
    pub target: Option<u32>,
    /// The bytes of the instruction at the target: 2 or 4; 0 without a branch.
    pub target_bytes: u32,
    /// Its accesses to data.
    pub data: Option<Data>,
    /// Rn and Rm of a product or a quotient.
    pub operands: [u32; 2],
}

/// The cycles of an instruction, and how the counters of the debug unit split them.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Cost {
    /// All of them. 0: the instruction was folded into the one before.
    pub cycles: u32,
    /// Those that count as further cycles of an instruction (CPICNT).
    pub further: u32,
    /// Those that count as further cycles of a load or a store (LSUCNT).
    pub load_store: u32,
}

/// State of the pipeline between instructions.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Pipeline {
    /// The last instruction was of 16 bits, and no load, store or branch.
    folds: bool,
}

impl Pipeline {
    /// The pipeline is empty, as after a reset or an exception.
    pub fn flush(&mut self) {
        *self = Pipeline::default();
    }

    /// Cycles before the first access to data.
    #[inline(always)]
    pub fn lead(&mut self, _instruction: &Instruction) -> u32 {
        1
    }

    /// Moves on by an instruction.
    #[inline(always)]
    pub fn pass(&mut self, executed: &Executed) -> Cost {
        let cycles = self.cycles(executed);
        let class = executed.instruction.class();
        self.folds = !executed.instruction.is_wide()
            && executed.target.is_none()
            && !matches!(
                class,
                Class::Load
                    | Class::Store
                    | Class::Loads
                    | Class::Stores
                    | Class::Table
                    | Class::Branch
                    | Class::CompareBranch
            );
        let transfers = executed.data.is_some();
        let more = cycles.saturating_sub(1);
        Cost {
            cycles,
            further: if transfers { 0 } else { more },
            load_store: if transfers { more } else { 0 },
        }
    }

    #[inline(always)]
    fn cycles(&self, executed: &Executed) -> u32 {
        let one = executed.instruction;
        if executed.skipped {
            return 1;
        }
        let count = executed.data.map_or(0, |data| data.count);
        match one.class() {
            Class::Arithmetic if executed.target.is_some() => 3,
            Class::Arithmetic | Class::Multiply | Class::Nop => 1,
            Class::It => u32::from(!self.folds),
            Class::MultiplyAccumulate => 2,
            Class::LongMultiply => long_multiply(one.operation, executed.operands),
            Class::Divide => divide(one.operation, executed.operands),
            Class::Load => 2 + 3 * u32::from(executed.target.is_some()),
            Class::Store => 1 + u32::from(executed.data.is_some_and(|_| one.m != 0)),
            Class::Loads => 1 + count + 3 * u32::from(executed.target.is_some()),
            Class::Stores => 1 + count,
            Class::Table => 6,
            Class::Branch | Class::CompareBranch if executed.target.is_none() => 1,
            Class::Branch => 2,
            Class::RegisterBranch => 2 + u32::from(one.m != LR),
            Class::CompareBranch => 3,
            Class::System | Class::Trap => 1,
        }
    }
}

/// SDIV and UDIV, as recorded on silicon.
fn divide(operation: O, [n, m]: [u32; 2]) -> u32 {
    if n == 0 || m == 0 {
        return 2;
    }
    let bits = |value: u32| u32::BITS - value.leading_zeros();
    let (dividend, divisor) = if operation == O::Udiv {
        (bits(n), bits(m))
    } else {
        let negative = (m as i32) < 0;
        let lowest = n == 1 << 31 && negative;
        let divisor = if negative { !m } else { m };
        (bits((n as i32).unsigned_abs()) - u32::from(lowest), bits(divisor))
    };
    if dividend < divisor {
        3
    } else {
        5 + (dividend - divisor) / 4
    }
}

/// Products of 64 bits without a sign, as recorded on silicon; those with a sign take as long here.
fn long_multiply(operation: O, [n, m]: [u32; 2]) -> u32 {
    let (low, high) = (|value: u32| value & 0xFFFF != 0, |value: u32| value >> 16 != 0);
    let crosses = u32::from(low(n) && high(m)) + u32::from(high(n) && low(m));
    let both = u32::from(high(n) && high(m));
    let accumulates = matches!(operation, O::Umlal | O::Smlal);
    match (accumulates, crosses + both) {
        (false, _) => 3 + crosses,
        (true, 0) => 3,
        (true, _) => 4 + crosses + both,
    }
}
