//! The operations, and the kinds that timing and tools distinguish.

/// An operation of ARMv7-M without its extensions. Forms that differ in their operands alone share one.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[repr(u8)]
#[allow(missing_docs)] // the manual's own names
pub enum Operation {
    Undefined,
    /// An instruction of a coprocessor; the core has none.
    Coprocessor,
    And,
    Bic,
    Orr,
    Orn,
    Eor,
    Mov,
    Mvn,
    Add,
    Adc,
    Sub,
    Sbc,
    Rsb,
    Tst,
    Teq,
    Cmp,
    Cmn,
    /// The aligned program counter and a distance.
    Adr,
    Movt,
    /// Shifts by a register; a shift by a constant is a [`Operation::Mov`].
    Lsl,
    Lsr,
    Asr,
    Ror,
    Clz,
    Rbit,
    Rev,
    Rev16,
    Revsh,
    Sxtb,
    Sxth,
    Uxtb,
    Uxth,
    Bfc,
    Bfi,
    Sbfx,
    Ubfx,
    Ssat,
    Usat,
    Mul,
    Mla,
    Mls,
    Umull,
    Smull,
    Umlal,
    Smlal,
    Udiv,
    Sdiv,
    Ldr,
    Ldrb,
    Ldrh,
    Ldrsb,
    Ldrsh,
    Str,
    Strb,
    Strh,
    Ldrd,
    Strd,
    Ldrex,
    Ldrexb,
    Ldrexh,
    Strex,
    Strexb,
    Strexh,
    Clrex,
    /// Loads of a list, at ascending addresses from the base, or up to the word below it.
    Ldm,
    Ldmdb,
    Stm,
    Stmdb,
    Tbb,
    Tbh,
    B,
    /// B with a condition of its own.
    Bcond,
    Bl,
    Bx,
    Blx,
    Cbz,
    Cbnz,
    It,
    Nop,
    Yield,
    Wfe,
    Wfi,
    Sev,
    /// Hints to memory and to debuggers: nothing happens.
    Hint,
    Cps,
    Mrs,
    Msr,
    Dmb,
    Dsb,
    Isb,
    Svc,
    Bkpt,
}

use Operation as O;

/// The kind of work that an operation is.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Class {
    /// One pass through the arithmetic unit.
    Arithmetic,
    /// MUL.
    Multiply,
    /// MLA and MLS.
    MultiplyAccumulate,
    /// A product of 64 bits.
    LongMultiply,
    /// A quotient.
    Divide,
    /// One load.
    Load,
    /// One store.
    Store,
    /// A list of loads, or two.
    Loads,
    /// A list of stores, or two.
    Stores,
    /// A table of distances to branch by.
    Table,
    /// A branch to a target in the opcode.
    Branch,
    /// A branch to a register.
    RegisterBranch,
    /// Compare and branch.
    CompareBranch,
    /// IT.
    It,
    /// NOP and hints that do nothing.
    Nop,
    /// Special registers, barriers, waiting.
    System,
    /// It enters an exception.
    Trap,
}

impl Operation {
    /// Its class.
    pub const fn class(self) -> Class {
        match self {
            O::Undefined | O::Coprocessor | O::Svc | O::Bkpt => Class::Trap,
            O::Mul => Class::Multiply,
            O::Mla | O::Mls => Class::MultiplyAccumulate,
            O::Umull | O::Smull | O::Umlal | O::Smlal => Class::LongMultiply,
            O::Udiv | O::Sdiv => Class::Divide,
            O::Ldr | O::Ldrb | O::Ldrh | O::Ldrsb | O::Ldrsh => Class::Load,
            O::Ldrex | O::Ldrexb | O::Ldrexh => Class::Load,
            O::Str | O::Strb | O::Strh | O::Strex | O::Strexb | O::Strexh => Class::Store,
            O::Ldrd | O::Ldm | O::Ldmdb => Class::Loads,
            O::Strd | O::Stm | O::Stmdb => Class::Stores,
            O::Tbb | O::Tbh => Class::Table,
            O::B | O::Bcond | O::Bl => Class::Branch,
            O::Bx | O::Blx => Class::RegisterBranch,
            O::Cbz | O::Cbnz => Class::CompareBranch,
            O::It => Class::It,
            O::Nop | O::Yield | O::Hint => Class::Nop,
            O::Wfe | O::Wfi | O::Sev | O::Cps | O::Mrs | O::Msr => Class::System,
            O::Dmb | O::Dsb | O::Isb | O::Clrex => Class::System,
            _ => Class::Arithmetic,
        }
    }

    /// Whether it has no result but flags.
    #[inline(always)]
    pub const fn compares(self) -> bool {
        matches!(self, O::Tst | O::Teq | O::Cmp | O::Cmn)
    }

    /// Bytes of one access to data; 0 of an operation that makes none.
    pub const fn data_bytes(self) -> u32 {
        match self {
            O::Ldrb | O::Ldrsb | O::Strb | O::Ldrexb | O::Strexb | O::Tbb => 1,
            O::Ldrh | O::Ldrsh | O::Strh | O::Ldrexh | O::Strexh | O::Tbh => 2,
            _ => match self.class() {
                Class::Load | Class::Store | Class::Loads | Class::Stores => 4,
                _ => 0,
            },
        }
    }
}
