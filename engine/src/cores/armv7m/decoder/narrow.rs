//! Opcodes of 16 bits (ARM DDI 0403, A5.2).

use super::{shift, signed, Index, Instruction, Operand, Operation as O, SetFlags, LR, PC, SP};

const fn plain(operation: O) -> Instruction {
    Instruction::new(operation, 2)
}

const fn flagged(operation: O) -> Instruction {
    Instruction { flags: SetFlags::OutsideIt, ..plain(operation) }
}

const fn compare(operation: O) -> Instruction {
    Instruction { flags: SetFlags::Always, ..plain(operation) }
}

const fn low(opcode: u16, bit: u16) -> u8 {
    (opcode >> bit & 7) as u8
}

/// The instruction of an opcode of 16 bits, without its reach.
pub const fn narrow(opcode: u16) -> Instruction {
    let byte = opcode as u32 & 0xFF;
    match opcode >> 11 {
        0b00000..=0b00010 => {
            let (operand, amount) = shift(opcode >> 11, (opcode >> 6 & 31) as u8);
            Instruction { d: low(opcode, 0), m: low(opcode, 3), operand, amount, ..flagged(O::Mov) }
        }
        0b00011 => add_or_subtract(opcode),
        0b00100 => Instruction { d: low(opcode, 8), immediate: byte, ..flagged(O::Mov) },
        0b00101 => Instruction { n: low(opcode, 8), immediate: byte, ..compare(O::Cmp) },
        0b00110 | 0b00111 => {
            let operation = if opcode >> 11 == 0b00110 { O::Add } else { O::Sub };
            let (d, n) = (low(opcode, 8), low(opcode, 8));
            Instruction { d, n, immediate: byte, ..flagged(operation) }
        }
        0b01000 if opcode & 0x0400 == 0 => data_processing(opcode),
        0b01000 => special(opcode),
        0b01001 => Instruction { d: low(opcode, 8), n: PC, immediate: 4 * byte, ..plain(O::Ldr) },
        0b01010 | 0b01011 => register_offset(opcode),
        0b01100..=0b10001 => immediate_offset(opcode),
        0b10010 | 0b10011 => {
            let operation = if opcode & 0x0800 == 0 { O::Str } else { O::Ldr };
            Instruction { d: low(opcode, 8), n: SP, immediate: 4 * byte, ..plain(operation) }
        }
        0b10100 => Instruction { d: low(opcode, 8), n: PC, immediate: 4 * byte, ..plain(O::Adr) },
        0b10101 => Instruction { d: low(opcode, 8), n: SP, immediate: 4 * byte, ..plain(O::Add) },
        0b10110 | 0b10111 => miscellaneous(opcode),
        0b11000 => {
            Instruction { n: low(opcode, 8), immediate: byte, index: Index::Pre, ..plain(O::Stm) }
        }
        0b11001 => {
            let n = low(opcode, 8);
            let index = if byte >> n & 1 == 0 { Index::Pre } else { Index::Offset };
            Instruction { n, immediate: byte, index, ..plain(O::Ldm) }
        }
        0b11010 | 0b11011 => match opcode >> 8 & 15 {
            14 => plain(O::Undefined),
            15 => Instruction { immediate: byte, ..plain(O::Svc) },
            condition => {
                let immediate = signed(byte << 1, 9);
                Instruction { condition: condition as u8, immediate, ..plain(O::Bcond) }
            }
        },
        _ => Instruction { immediate: signed((opcode as u32 & 0x7FF) << 1, 12), ..plain(O::B) },
    }
}

const fn add_or_subtract(opcode: u16) -> Instruction {
    let operation = if opcode & 0x0200 == 0 { O::Add } else { O::Sub };
    let (d, n) = (low(opcode, 0), low(opcode, 3));
    if opcode & 0x0400 != 0 {
        return Instruction { d, n, immediate: low(opcode, 6) as u32, ..flagged(operation) };
    }
    Instruction { d, n, m: low(opcode, 6), operand: Operand::Register, ..flagged(operation) }
}

const fn data_processing(opcode: u16) -> Instruction {
    let operation = match opcode >> 6 & 15 {
        0 => O::And,
        1 => O::Eor,
        2 => O::Lsl,
        3 => O::Lsr,
        4 => O::Asr,
        5 => O::Adc,
        6 => O::Sbc,
        7 => O::Ror,
        8 => O::Tst,
        9 => O::Rsb,
        10 => O::Cmp,
        11 => O::Cmn,
        12 => O::Orr,
        13 => O::Mul,
        14 => O::Bic,
        _ => O::Mvn,
    };
    let (d, m) = (low(opcode, 0), low(opcode, 3));
    let operand = Operand::Register;
    match operation {
        O::Tst | O::Cmp | O::Cmn => Instruction { n: d, m, operand, ..compare(operation) },
        O::Rsb => Instruction { d, n: m, ..flagged(operation) },
        O::Mvn => Instruction { d, m, operand, ..flagged(operation) },
        O::Mul => Instruction { d, n: m, m: d, operand, ..flagged(operation) },
        _ => Instruction { d, n: d, m, operand, ..flagged(operation) },
    }
}

/// Data processing with any register, BX and BLX.
const fn special(opcode: u16) -> Instruction {
    let d = (opcode >> 4 & 8 | opcode & 7) as u8;
    let m = (opcode >> 3 & 15) as u8;
    let operand = Operand::Register;
    match opcode >> 8 & 3 {
        0 => Instruction { d, n: d, m, operand, ..plain(O::Add) },
        1 => Instruction { n: d, m, operand, ..compare(O::Cmp) },
        2 => Instruction { d, m, operand, ..plain(O::Mov) },
        _ => Instruction { m, ..plain(if opcode & 0x80 == 0 { O::Bx } else { O::Blx }) },
    }
}

const fn register_offset(opcode: u16) -> Instruction {
    let operation = match opcode >> 9 & 7 {
        0 => O::Str,
        1 => O::Strh,
        2 => O::Strb,
        3 => O::Ldrsb,
        4 => O::Ldr,
        5 => O::Ldrh,
        6 => O::Ldrb,
        _ => O::Ldrsh,
    };
    let (d, n, m) = (low(opcode, 0), low(opcode, 3), low(opcode, 6));
    Instruction { d, n, m, operand: Operand::Register, ..plain(operation) }
}

const fn immediate_offset(opcode: u16) -> Instruction {
    let (operation, scale) = match opcode >> 11 {
        0b01100 => (O::Str, 4),
        0b01101 => (O::Ldr, 4),
        0b01110 => (O::Strb, 1),
        0b01111 => (O::Ldrb, 1),
        0b10000 => (O::Strh, 2),
        _ => (O::Ldrh, 2),
    };
    let immediate = scale * (opcode as u32 >> 6 & 31);
    Instruction { d: low(opcode, 0), n: low(opcode, 3), immediate, ..plain(operation) }
}

const fn miscellaneous(opcode: u16) -> Instruction {
    let (d, m) = (low(opcode, 0), low(opcode, 3));
    let operand = Operand::Register;
    let byte = opcode as u32 & 0xFF;
    match opcode >> 8 & 15 {
        0 => {
            let operation = if opcode & 0x80 == 0 { O::Add } else { O::Sub };
            let immediate = 4 * (opcode as u32 & 0x7F);
            Instruction { d: SP, n: SP, immediate, ..plain(operation) }
        }
        1 | 3 | 9 | 11 => {
            let operation = if opcode & 0x0800 == 0 { O::Cbz } else { O::Cbnz };
            let immediate = (opcode as u32 >> 3 & 0x40) | (opcode as u32 >> 2 & 0x3E);
            Instruction { n: d, immediate, ..plain(operation) }
        }
        2 => {
            let operation = match opcode >> 6 & 3 {
                0 => O::Sxth,
                1 => O::Sxtb,
                2 => O::Uxth,
                _ => O::Uxtb,
            };
            Instruction { d, m, operand, ..plain(operation) }
        }
        4 | 5 => {
            let list = byte | (opcode as u32 >> 8 & 1) << LR;
            Instruction { n: SP, immediate: list, index: Index::Pre, ..plain(O::Stmdb) }
        }
        6 if opcode & 0xFFE8 == 0xB660 => {
            let immediate = opcode as u32 & 0x13;
            Instruction { immediate, ..plain(O::Cps) }
        }
        10 => match opcode >> 6 & 3 {
            0 => Instruction { d, m, operand, ..plain(O::Rev) },
            1 => Instruction { d, m, operand, ..plain(O::Rev16) },
            3 => Instruction { d, m, operand, ..plain(O::Revsh) },
            _ => plain(O::Undefined),
        },
        12 | 13 => {
            let list = byte | (opcode as u32 >> 8 & 1) << PC;
            Instruction { n: SP, immediate: list, index: Index::Pre, ..plain(O::Ldm) }
        }
        14 => Instruction { immediate: byte, ..plain(O::Bkpt) },
        15 if opcode & 15 != 0 => Instruction { immediate: byte, ..plain(O::It) },
        15 => plain(match opcode >> 4 & 15 {
            0 => O::Nop,
            1 => O::Yield,
            2 => O::Wfe,
            3 => O::Wfi,
            4 => O::Sev,
            _ => O::Hint,
        }),
        _ => plain(O::Undefined),
    }
}
