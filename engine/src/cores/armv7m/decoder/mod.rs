//! The one decoder: the meaning of an opcode of 16 or 32 bits (ARM DDI 0403, chapters A5 and A7).
//!
//! An opcode that the architecture calls unpredictable has the meaning that its fields suggest.

mod narrow;
mod operation;
mod reach;
mod wide;

pub use narrow::narrow;
pub use operation::{Class, Operation};
pub use wide::wide;

/// The condition that always holds.
pub const ALWAYS: u8 = 14;
/// The number of the stack pointer.
pub(super) const SP: u8 = 13;
/// The number of the link register.
pub(super) const LR: u8 = 14;
/// The number of the program counter.
pub(super) const PC: u8 = 15;

/// Whether the flags are set.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum SetFlags {
    /// They are not.
    Never,
    /// They are.
    Always,
    /// They are, but not in an IT block.
    OutsideIt,
}

/// The second operand.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Operand {
    /// The immediate; the carry stays.
    Constant,
    /// The immediate; as it is made by a rotation, the carry becomes its bit 31.
    Rotated,
    /// Rm.
    Register,
    /// Rm, shifted by a constant.
    Shifted(Shift),
}

/// A shift by a constant, in [`Instruction::amount`].
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[allow(missing_docs)] // the manual's own names
pub enum Shift {
    Lsl,
    Lsr,
    Asr,
    Ror,
    Rrx,
}

/// How a load or a store uses its base.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Index {
    /// It stays.
    Offset,
    /// It becomes the address.
    Pre,
    /// It is the address, and the offset is added then.
    Post,
}

/// A decoded opcode. Fields that an operation does not use are 0.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Instruction {
    /// Its operation.
    pub operation: Operation,
    /// Bytes of the opcode: 2 or 4.
    pub bytes: u8,
    /// Condition of a branch that has one of its own, else [`ALWAYS`]. The conditions of an IT block are the
    /// core's state.
    pub condition: u8,
    /// Whether it sets flags.
    pub flags: SetFlags,
    /// Of a load or a store: what becomes of the base. Of a list: Pre where the base is written back.
    pub index: Index,
    /// The second operand; of loads and stores the offset.
    pub operand: Operand,
    /// Rd; of loads and stores Rt, of long products RdLo.
    pub d: u8,
    /// Rn.
    pub n: u8,
    /// Rm.
    pub m: u8,
    /// Ra; RdHi of long products, Rt2 of pairs, and of an exclusive store its status.
    pub a: u8,
    /// Distance of a shift; lowest bit of a bit field.
    pub amount: u8,
    /// Constant, offset, list of registers, number; width of a bit field; of MSR its mask, of CPS its masks.
    pub immediate: u32,
    /// Registers that it may read, a bit for each. The program counter counts where it is an operand.
    pub reads: u16,
    /// Registers that it may write, a bit for each.
    pub writes: u16,
}

impl Instruction {
    const fn new(operation: Operation, bytes: u8) -> Self {
        Instruction {
            operation,
            bytes,
            condition: ALWAYS,
            flags: SetFlags::Never,
            index: Index::Offset,
            operand: Operand::Constant,
            d: 0,
            n: 0,
            m: 0,
            a: 0,
            amount: 0,
            immediate: 0,
            reads: 0,
            writes: 0,
        }
    }

    /// Whether the opcode has 32 bits.
    #[inline(always)]
    pub const fn is_wide(&self) -> bool {
        self.bytes == 4
    }

    /// The class of its operation.
    pub const fn class(&self) -> Class {
        self.operation.class()
    }

    /// Whether it takes the program counter from its result or from memory.
    pub const fn writes_pc(&self) -> bool {
        self.writes >> PC & 1 != 0
    }
}

/// Whether a second half-word belongs to the opcode that begins with this one.
#[inline(always)]
pub const fn is_wide(first: u16) -> bool {
    first >> 11 > 0b11100
}

/// The instruction of an opcode: the first half-word in bits 15 to 0, and the second, if it has one, above it.
pub fn decode(opcode: u32) -> Instruction {
    let first = opcode as u16;
    let mut decoded =
        if is_wide(first) { wide(first, (opcode >> 16) as u16) } else { narrow(first) };
    (decoded.reads, decoded.writes) = reach::registers(&decoded);
    decoded
}

/// A shift by a constant of five bits, and its distance.
const fn shift(kind: u16, distance: u8) -> (Operand, u8) {
    match (kind, distance) {
        (0, 0) => (Operand::Register, 0),
        (0, _) => (Operand::Shifted(Shift::Lsl), distance),
        (1, 0) => (Operand::Shifted(Shift::Lsr), 32),
        (1, _) => (Operand::Shifted(Shift::Lsr), distance),
        (2, 0) => (Operand::Shifted(Shift::Asr), 32),
        (2, _) => (Operand::Shifted(Shift::Asr), distance),
        (_, 0) => (Operand::Shifted(Shift::Rrx), 1),
        _ => (Operand::Shifted(Shift::Ror), distance),
    }
}

/// The low `bits` of a value as a signed number.
const fn signed(value: u32, bits: u32) -> u32 {
    ((value << (32 - bits)) as i32 >> (32 - bits)) as u32
}
