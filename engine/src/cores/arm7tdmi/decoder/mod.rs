//! One decoder for each instruction set, for the stepping core, decoded blocks and translated code.
//!
//! A table gives the form of an opcode by the bits that select it (`arm::form`, `thumb::form`); the
//! stepping core needs no more. `decode` adds what follows from the rest of the opcode.

pub mod arm;
pub mod thumb;

pub use super::psr::Condition;

/// Effect of an instruction, by the assembler's names. A Thumb instruction has the operation of the ARM
/// instruction that it stands for.
#[allow(missing_docs)] // the names are the architecture's
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[repr(u8)]
pub enum Operation {
    // Data processing, in the order of the ARM opcode's bits 24:21.
    And,
    Eor,
    Sub,
    Rsb,
    Add,
    Adc,
    Sbc,
    Rsc,
    Tst,
    Teq,
    Cmp,
    Cmn,
    Orr,
    Mov,
    Bic,
    Mvn,
    // Shifts that are instructions of their own: Thumb.
    Lsl,
    Lsr,
    Asr,
    Ror,
    // Multiplication.
    Mul,
    Mla,
    Umull,
    Umlal,
    Smull,
    Smlal,
    // Transfers.
    Ldr,
    Ldrb,
    Ldrh,
    Ldrsb,
    Ldrsh,
    Str,
    Strb,
    Strh,
    /// LDRD and STRD of later architectures, unpredictable here: the base moves and no data does.
    MoveBase,
    Ldm,
    Stm,
    Swp,
    Swpb,
    // Status registers.
    Mrs,
    Msr,
    // Flow of control.
    B,
    Bl,
    Bx,
    /// First half of Thumb's BL.
    BlPrefix,
    /// Second half of Thumb's BL.
    BlSuffix,
    Swi,
    /// Undefined, or for a coprocessor that is not there.
    Undefined,
}

impl Operation {
    /// TST, TEQ, CMP and CMN: flags and no result.
    #[inline(always)]
    pub const fn compares(self) -> bool {
        matches!(self, Operation::Tst | Operation::Teq | Operation::Cmp | Operation::Cmn)
    }
}

/// A decoded instruction; `F` is the set's own form.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Instruction<F> {
    /// Its operation and where its operands stand in the opcode.
    pub form: F,
    /// When it executes.
    pub condition: Condition,
    /// Whether it sets flags by its result; writes to the whole status register aside.
    pub sets_flags: bool,
    /// Its cycles when it executes.
    pub cost: Cost,
    /// Its widest effect when it executes.
    pub reach: Reach,
}

/// The widest effect of an instruction beyond its own fetch. Each value includes those before it.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Reach {
    /// r0 to r14 and flags alone. It depends on nothing else, so the fetches of its successors may be made
    /// before it executes.
    Registers,
    /// It uses the bus, if only for internal cycles.
    Bus,
    /// It may branch.
    Branch,
    /// It may trap, change mode or use another mode's registers, or the architecture leaves open what it
    /// does.
    Mode,
}

/// Cycles of an instruction that executes, none of its accesses refused. The manual's convention
/// holds (ARM DDI 0210C, "Instruction cycle timings"). The fetch it starts with is not among them;
/// the one that it leaves to its successor is. One that does not execute costs 1S.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Cost {
    /// Sequential.
    pub sequential: u8,
    /// Non-sequential.
    pub non_sequential: u8,
    /// Internal: at least.
    pub internal: u8,
    /// Internal: at most. More than `internal` where the multiplier ends by its operand.
    pub internal_most: u8,
}

/// The multiplier takes one to four cycles, by its operand: so many more than the least.
const MULTIPLIER_SPAN: u8 = 3;

impl Cost {
    /// Data processing with a shift by a register.
    pub(super) const SHIFT_BY_REGISTER: Cost = Cost::of(1, 0, 1);

    const fn of(sequential: u8, non_sequential: u8, internal: u8) -> Self {
        Cost { sequential, non_sequential, internal, internal_most: internal }
    }

    /// With a refill of the pipeline for each of so many writes to r15.
    const fn refilling(self, times: u8) -> Self {
        let (sequential, non_sequential) = (self.sequential + times, self.non_sequential + times);
        Cost { sequential, non_sequential, ..self }
    }

    /// A multiplication whose multiplier ends in its first cycle has `internal` cycles.
    const fn multiplication(internal: u8) -> Self {
        Cost { internal_most: internal + MULTIPLIER_SPAN, ..Cost::of(1, 0, internal) }
    }

    /// LDM or STM of so many registers.
    const fn block(loads: bool, registers: u8) -> Self {
        if loads {
            Cost::of(registers, 1, 1)
        } else {
            Cost::of(registers - 1, 2, 0)
        }
    }

    /// An operation in which no shift by a register or write to r15 adds to the cost; of LDM and STM that
    /// of one register.
    pub(super) const fn plain(operation: Operation) -> Self {
        match operation {
            Operation::Ldr
            | Operation::Ldrb
            | Operation::Ldrh
            | Operation::Ldrsb
            | Operation::Ldrsh => Cost::of(1, 1, 1),
            Operation::Str | Operation::Strb | Operation::Strh => Cost::of(0, 2, 0),
            Operation::MoveBase => Cost::of(1, 0, 1),
            Operation::Ldm => Cost::block(true, 1),
            Operation::Stm => Cost::block(false, 1),
            Operation::Swp | Operation::Swpb => Cost::of(1, 2, 1),
            Operation::Mul => Cost::multiplication(1),
            Operation::Mla | Operation::Umull | Operation::Smull => Cost::multiplication(2),
            Operation::Umlal | Operation::Smlal => Cost::multiplication(3),
            Operation::B | Operation::Bl | Operation::Bx | Operation::BlSuffix | Operation::Swi => {
                Cost::of(2, 1, 0)
            }
            Operation::Undefined => Cost::of(2, 1, 1),
            _ => Cost::of(1, 0, 0),
        }
    }
}
