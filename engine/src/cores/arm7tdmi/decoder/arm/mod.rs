//! ARM state (ARM DDI 0029, "ARM instruction set").

mod effects;
mod fields;

pub use fields::{rd, rm, rn, rs, BEFORE, SET_FLAGS, STATUS, UP, WRITE_BACK};

use super::{Condition, Instruction, Operation};

/// Where the operands stand in an opcode.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[repr(u8)]
pub enum Format {
    /// Data processing, second operand an immediate.
    Immediate,
    /// Data processing, second operand Rm as it is. The table has these as shifted by zero.
    Register,
    /// Data processing, second operand Rm shifted by a constant.
    ShiftedByConstant,
    /// Data processing, second operand Rm shifted by Rs.
    ShiftedByRegister,
    /// MUL, MLA.
    Multiply,
    /// Multiplication to 64 bits.
    MultiplyLong,
    /// Transfer of a word or byte, offset of 12 bits.
    OffsetImmediate,
    /// Transfer of a word or byte, offset Rm shifted by a constant.
    OffsetShifted,
    /// Transfer of a halfword or signed byte, offset of 8 bits.
    HalfOffsetImmediate,
    /// Transfer of a halfword or signed byte, offset Rm.
    HalfOffsetRegister,
    /// LDM, STM.
    Block,
    /// SWP, SWPB.
    Swap,
    /// MRS.
    FromStatus,
    /// MSR of Rm.
    StatusRegister,
    /// MSR of an immediate.
    StatusImmediate,
    /// B, BL.
    Branch,
    /// BX.
    Exchange,
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

const UNDEFINED: Form = Form { operation: Operation::Undefined, format: Format::Undefined };

const LOAD: u32 = 1 << 20;
/// Amount and kind of a shift by a constant; zero for none.
const SHIFT: u32 = 0xFF0;

const DATA_PROCESSING: [Operation; 16] = [
    Operation::And,
    Operation::Eor,
    Operation::Sub,
    Operation::Rsb,
    Operation::Add,
    Operation::Adc,
    Operation::Sbc,
    Operation::Rsc,
    Operation::Tst,
    Operation::Teq,
    Operation::Cmp,
    Operation::Cmn,
    Operation::Orr,
    Operation::Mov,
    Operation::Bic,
    Operation::Mvn,
];

/// Number of values of bits 27:20 and 7:4, which select the form.
const SELECTED: usize = 1 << 12;

const FORMS: [Form; SELECTED] = {
    let mut forms = [UNDEFINED; SELECTED];
    let mut index = 0;
    while index < SELECTED {
        forms[index] = form_by_bits((index as u32 & 0xFF0) << 16 | (index as u32 & 15) << 4);
        index += 1;
    }
    forms
};

/// The form of an opcode, by the bits that select it.
#[inline(always)]
pub fn form(opcode: u32) -> Form {
    static TABLE: [Form; SELECTED] = FORMS;
    TABLE[(opcode >> 16 & 0xFF0 | opcode >> 4 & 15) as usize]
}

/// Looks at bits 27:20 and 7:4 alone.
pub(in super::super::super) const fn form_by_bits(opcode: u32) -> Form {
    let (operation, format) = match opcode >> 25 & 7 {
        0 if opcode & 0x90 == 0x90 => return multiply_or_halfword(opcode),
        // TST, TEQ, CMP and CMN without S.
        0 | 1 if opcode & 0x0190_0000 == 0x0100_0000 => return miscellaneous(opcode),
        0 if opcode & 0x10 == 0 => return data_processing(opcode, Format::ShiftedByConstant),
        0 => return data_processing(opcode, Format::ShiftedByRegister),
        1 => return data_processing(opcode, Format::Immediate),
        2 => (word_or_byte(opcode), Format::OffsetImmediate),
        3 if opcode & 0x10 == 0 => (word_or_byte(opcode), Format::OffsetShifted),
        4 if opcode & LOAD != 0 => (Operation::Ldm, Format::Block),
        4 => (Operation::Stm, Format::Block),
        5 if opcode & 1 << 24 != 0 => (Operation::Bl, Format::Branch),
        5 => (Operation::B, Format::Branch),
        7 if opcode & 1 << 24 != 0 => (Operation::Swi, Format::Software),
        // Reserved for undefined instructions, and coprocessors that are not there.
        _ => return UNDEFINED,
    };
    Form { operation, format }
}

const fn data_processing(opcode: u32, format: Format) -> Form {
    Form { operation: DATA_PROCESSING[(opcode >> 21 & 15) as usize], format }
}

const fn word_or_byte(opcode: u32) -> Operation {
    match (opcode & LOAD != 0, opcode & 1 << 22 != 0) {
        (true, false) => Operation::Ldr,
        (true, true) => Operation::Ldrb,
        (false, false) => Operation::Str,
        (false, true) => Operation::Strb,
    }
}

/// Bits 7 and 4 set where data processing would be.
const fn multiply_or_halfword(opcode: u32) -> Form {
    let (operation, format) = match (opcode >> 5 & 3, opcode >> 20 & 0x1F) {
        (0, 0b00000 | 0b00001) => (Operation::Mul, Format::Multiply),
        (0, 0b00010 | 0b00011) => (Operation::Mla, Format::Multiply),
        (0, 0b01000 | 0b01001) => (Operation::Umull, Format::MultiplyLong),
        (0, 0b01010 | 0b01011) => (Operation::Umlal, Format::MultiplyLong),
        (0, 0b01100 | 0b01101) => (Operation::Smull, Format::MultiplyLong),
        (0, 0b01110 | 0b01111) => (Operation::Smlal, Format::MultiplyLong),
        (0, 0b10000) => (Operation::Swp, Format::Swap),
        (0, 0b10100) => (Operation::Swpb, Format::Swap),
        (0, _) => return UNDEFINED,
        (kind, _) => return halfword(opcode, kind),
    };
    Form { operation, format }
}

const fn halfword(opcode: u32, kind: u32) -> Form {
    let operation = match (opcode & LOAD != 0, kind) {
        (true, 1) => Operation::Ldrh,
        (true, 2) => Operation::Ldrsb,
        (true, _) => Operation::Ldrsh,
        (false, 1) => Operation::Strh,
        (false, _) => Operation::MoveBase,
    };
    let immediate = opcode & 1 << 22 != 0;
    let format = if immediate { Format::HalfOffsetImmediate } else { Format::HalfOffsetRegister };
    Form { operation, format }
}

const fn miscellaneous(opcode: u32) -> Form {
    let (immediate, write) = (opcode & 1 << 25 != 0, opcode & 1 << 21 != 0);
    let (operation, format) = match opcode >> 4 & 15 {
        _ if immediate && write => (Operation::Msr, Format::StatusImmediate),
        _ if immediate => return UNDEFINED,
        0 if write => (Operation::Msr, Format::StatusRegister),
        0 => (Operation::Mrs, Format::FromStatus),
        1 if opcode >> 20 & 0xFF == 0x12 => (Operation::Bx, Format::Exchange),
        // CLZ, BKPT, BLX and the like belong to later architectures.
        _ => return UNDEFINED,
    };
    Form { operation, format }
}

/// Decodes an opcode.
pub fn decode(opcode: u32) -> Instruction<Form> {
    let mut form = form(opcode);
    if form.format == Format::ShiftedByConstant && opcode & SHIFT == 0 {
        form.format = Format::Register;
    }
    Instruction {
        form,
        condition: Condition::of(opcode >> 28),
        sets_flags: effects::sets_flags(form, opcode),
        cost: effects::cost(form, opcode),
        reach: effects::reach(form, opcode),
    }
}

impl Form {
    /// AND to MVN.
    pub const fn is_data_processing(self) -> bool {
        matches!(
            self.format,
            Format::Immediate
                | Format::Register
                | Format::ShiftedByConstant
                | Format::ShiftedByRegister
        )
    }

    /// Whether Rd takes a result: data processing but comparisons, loads, SWP and MRS.
    pub(super) const fn writes_rd(self) -> bool {
        match self.operation {
            Operation::Ldr | Operation::Ldrb => true,
            Operation::Ldrh | Operation::Ldrsb | Operation::Ldrsh => true,
            Operation::Swp | Operation::Swpb | Operation::Mrs => true,
            operation => self.is_data_processing() && !operation.compares(),
        }
    }
}
