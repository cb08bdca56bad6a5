//! Thumb state (ARM DDI 0029, "Thumb instruction set").

mod effects;

use super::{Condition, Instruction, Operation};

/// Where the operands stand in an opcode.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[repr(u8)]
pub enum Format {
    /// LSL, LSR, ASR by a constant.
    ShiftImmediate,
    /// ADD, SUB of two registers into a third.
    ThreeRegisters,
    /// ADD, SUB of three bits.
    Immediate3,
    /// MOV, CMP, ADD, SUB of eight bits.
    Immediate8,
    /// Two low registers.
    LowRegisters,
    /// LSL, LSR, ASR, ROR by a register, one of the two low registers.
    ShiftRegister,
    /// MUL of two low registers.
    Multiply,
    /// ADD, CMP, MOV of any two registers.
    HighRegisters,
    /// BX of any register.
    Exchange,
    /// LDR of a word after the instruction.
    Literal,
    /// Transfer, offset a register.
    OffsetRegister,
    /// Transfer of a word, offset of five bits.
    OffsetWord,
    /// Transfer of a byte, offset of five bits.
    OffsetByte,
    /// Transfer of a halfword, offset of five bits.
    OffsetHalf,
    /// Transfer of a word, base r13.
    OffsetStack,
    /// ADD of eight bits to r15.
    AddressAfter,
    /// ADD of eight bits to r13.
    AddressStack,
    /// ADD, SUB of seven bits to r13 itself.
    AdjustStack,
    /// PUSH and POP: STM and LDM with base r13.
    Stack,
    /// LDM, STM.
    Block,
    /// B on a condition.
    ConditionalBranch,
    /// The same B without its condition, which `decode` returns separately.
    NearBranch,
    /// B.
    Branch,
    /// A half of BL.
    LinkHalf,
    /// SWI.
    Software,
    /// No instruction.
    Undefined,
}

/// Operation and operands of an opcode.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Form {
    /// Its effect.
    pub operation: Operation,
    /// Where its operands stand.
    pub format: Format,
}

/// A conditional branch whose condition is known to hold.
pub(in super::super::super) const NEAR_BRANCH: Form =
    Form { operation: Operation::B, format: Format::NearBranch };
const UNDEFINED: Form = Form { operation: Operation::Undefined, format: Format::Undefined };

/// The condition of what always executes.
const ALWAYS: u32 = 14;

const LOW_REGISTERS: [Operation; 16] = [
    Operation::And,
    Operation::Eor,
    Operation::Lsl,
    Operation::Lsr,
    Operation::Asr,
    Operation::Adc,
    Operation::Sbc,
    Operation::Ror,
    Operation::Tst,
    Operation::Rsb,
    Operation::Cmp,
    Operation::Cmn,
    Operation::Orr,
    Operation::Mul,
    Operation::Bic,
    Operation::Mvn,
];

const OFFSET_REGISTER: [Operation; 8] = [
    Operation::Str,
    Operation::Strh,
    Operation::Strb,
    Operation::Ldrsb,
    Operation::Ldr,
    Operation::Ldrh,
    Operation::Ldrb,
    Operation::Ldrsh,
];

/// Number of values of bits 15:6, which select the form.
const SELECTED: usize = 1 << 10;

const FORMS: [Form; SELECTED] = {
    let mut forms = [UNDEFINED; SELECTED];
    let mut index = 0;
    while index < SELECTED {
        forms[index] = form_by_bits((index as u32) << 6);
        index += 1;
    }
    forms
};

/// The form of an opcode, by the bits that select it.
#[inline(always)]
pub fn form(opcode: u32) -> Form {
    static TABLE: [Form; SELECTED] = FORMS;
    TABLE[(opcode >> 6) as usize & (SELECTED - 1)]
}

/// Looks at bits 15:6 alone.
pub(in super::super::super) const fn form_by_bits(opcode: u32) -> Form {
    let (operation, format) = match opcode >> 11 & 31 {
        0 => (Operation::Lsl, Format::ShiftImmediate),
        1 => (Operation::Lsr, Format::ShiftImmediate),
        2 => (Operation::Asr, Format::ShiftImmediate),
        3 if opcode & 1 << 10 == 0 => (add_or_subtract(opcode, 9), Format::ThreeRegisters),
        3 => (add_or_subtract(opcode, 9), Format::Immediate3),
        4 => (Operation::Mov, Format::Immediate8),
        5 => (Operation::Cmp, Format::Immediate8),
        6 => (Operation::Add, Format::Immediate8),
        7 => (Operation::Sub, Format::Immediate8),
        8 if opcode & 1 << 10 == 0 => low_registers(opcode),
        8 => high_registers(opcode),
        9 => (Operation::Ldr, Format::Literal),
        10 | 11 => (OFFSET_REGISTER[(opcode >> 9 & 7) as usize], Format::OffsetRegister),
        12 => (Operation::Str, Format::OffsetWord),
        13 => (Operation::Ldr, Format::OffsetWord),
        14 => (Operation::Strb, Format::OffsetByte),
        15 => (Operation::Ldrb, Format::OffsetByte),
        16 => (Operation::Strh, Format::OffsetHalf),
        17 => (Operation::Ldrh, Format::OffsetHalf),
        18 => (Operation::Str, Format::OffsetStack),
        19 => (Operation::Ldr, Format::OffsetStack),
        20 => (Operation::Add, Format::AddressAfter),
        21 => (Operation::Add, Format::AddressStack),
        22 | 23 => return stack(opcode),
        24 => (Operation::Stm, Format::Block),
        25 => (Operation::Ldm, Format::Block),
        26 | 27 => return conditional(opcode),
        28 => (Operation::B, Format::Branch),
        30 => (Operation::BlPrefix, Format::LinkHalf),
        31 => (Operation::BlSuffix, Format::LinkHalf),
        _ => return UNDEFINED,
    };
    Form { operation, format }
}

const fn add_or_subtract(opcode: u32, bit: u32) -> Operation {
    if opcode >> bit & 1 == 0 {
        Operation::Add
    } else {
        Operation::Sub
    }
}

const fn low_registers(opcode: u32) -> (Operation, Format) {
    let operation = LOW_REGISTERS[(opcode >> 6 & 15) as usize];
    let format = match operation {
        Operation::Lsl | Operation::Lsr | Operation::Asr | Operation::Ror => Format::ShiftRegister,
        Operation::Mul => Format::Multiply,
        _ => Format::LowRegisters,
    };
    (operation, format)
}

const fn high_registers(opcode: u32) -> (Operation, Format) {
    match opcode >> 8 & 3 {
        0 => (Operation::Add, Format::HighRegisters),
        1 => (Operation::Cmp, Format::HighRegisters),
        2 => (Operation::Mov, Format::HighRegisters),
        _ => (Operation::Bx, Format::Exchange),
    }
}

/// ADD to r13, PUSH and POP.
const fn stack(opcode: u32) -> Form {
    let (operation, format) = match opcode >> 8 & 15 {
        0 => (add_or_subtract(opcode, 7), Format::AdjustStack),
        4 | 5 => (Operation::Stm, Format::Stack),
        12 | 13 => (Operation::Ldm, Format::Stack),
        _ => return UNDEFINED,
    };
    Form { operation, format }
}

const fn conditional(opcode: u32) -> Form {
    match opcode >> 8 & 15 {
        14 => UNDEFINED,
        15 => Form { operation: Operation::Swi, format: Format::Software },
        _ => Form { operation: Operation::B, format: Format::ConditionalBranch },
    }
}

/// Decodes an opcode.
pub fn decode(opcode: u32) -> Instruction<Form> {
    let (form, condition) = match form(opcode) {
        Form { format: Format::ConditionalBranch, .. } => (NEAR_BRANCH, opcode >> 8 & 15),
        form => (form, ALWAYS),
    };
    Instruction {
        form,
        condition: Condition::of(condition),
        sets_flags: effects::sets_flags(form),
        cost: effects::cost(form, opcode),
        reach: effects::reach(form, opcode),
    }
}

/// The registers of a PUSH, POP, LDM or STM, one bit for each.
#[inline(always)]
pub fn list(form: Form, opcode: u32) -> u32 {
    let extra = match (form.format, form.operation) {
        (Format::Stack, Operation::Ldm) => 15,
        (Format::Stack, _) => 14,
        _ => return opcode & 0xFF,
    };
    opcode & 0xFF | (opcode >> 8 & 1) << extra
}

/// The low register named by the three bits of `opcode` from `bit` up.
#[inline(always)]
pub const fn low(opcode: u32, bit: u32) -> usize {
    (opcode >> bit & 7) as usize
}

/// Rd of operations on any two registers.
#[inline(always)]
pub const fn high_rd(opcode: u32) -> usize {
    (opcode & 7 | opcode >> 4 & 8) as usize
}

/// Rs of operations on any two registers.
#[inline(always)]
pub const fn high_rs(opcode: u32) -> usize {
    (opcode >> 3 & 15) as usize
}
