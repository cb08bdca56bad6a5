//! Data processing and multiplication.

use super::super::{shift, Instruction, Operand, Operation as O, SetFlags, PC};
use super::{plain, register, UNDEFINED};

/// The operation of bits 8 to 5, with its form that only compares, or that has no Rn.
const fn operation(first: u16, d: u8) -> Option<O> {
    let n = register(first, 0);
    let compares = d == PC && first & 0x10 != 0;
    Some(match first >> 5 & 15 {
        0 if compares => O::Tst,
        0 => O::And,
        1 => O::Bic,
        2 if n == PC => O::Mov,
        2 => O::Orr,
        3 if n == PC => O::Mvn,
        3 => O::Orn,
        4 if compares => O::Teq,
        4 => O::Eor,
        8 if compares => O::Cmn,
        8 => O::Add,
        10 => O::Adc,
        11 => O::Sbc,
        13 if compares => O::Cmp,
        13 => O::Sub,
        14 => O::Rsb,
        _ => return None,
    })
}

/// The fields that all of data processing has: operation, flags, Rd and Rn.
const fn processing(first: u16, second: u16) -> Instruction {
    let d = register(second, 8);
    let Some(operation) = operation(first, d) else { return UNDEFINED };
    let flags = if first & 0x10 != 0 { SetFlags::Always } else { SetFlags::Never };
    let compares = matches!(operation, O::Tst | O::Teq | O::Cmp | O::Cmn);
    let moves = matches!(operation, O::Mov | O::Mvn);
    let d = if compares { 0 } else { d };
    let n = if moves { 0 } else { register(first, 0) };
    Instruction { d, n, flags, ..plain(operation) }
}

pub(super) const fn shifted(first: u16, second: u16) -> Instruction {
    let distance = (second >> 10 & 0x1C | second >> 6 & 3) as u8;
    let (operand, amount) = shift(second >> 4 & 3, distance);
    let m = register(second, 0);
    Instruction { operand, amount, m, ..processing(first, second) }
}

/// With a modified immediate constant.
pub(super) const fn immediate(first: u16, second: u16) -> Instruction {
    let byte = second as u32 & 0xFF;
    let form = (first as u32 & 0x0400) << 1 | (second as u32 >> 4 & 0x0700);
    let (immediate, operand) = match form >> 8 {
        0 => (byte, Operand::Constant),
        1 => (byte << 16 | byte, Operand::Constant),
        2 => (byte << 24 | byte << 8, Operand::Constant),
        3 => (byte << 24 | byte << 16 | byte << 8 | byte, Operand::Constant),
        _ => {
            let rotation = form >> 7 | byte >> 7;
            ((byte | 0x80).rotate_right(rotation), Operand::Rotated)
        }
    };
    Instruction { immediate, operand, ..processing(first, second) }
}

/// With a constant of 12 or 16 bits; saturation and bit fields.
pub(super) const fn plain_immediate(first: u16, second: u16) -> Instruction {
    let (d, n) = (register(second, 8), register(first, 0));
    let long = (first as u32 & 0x0400) << 1 | (second as u32 >> 4 & 0x0700) | second as u32 & 0xFF;
    let longest = (first as u32 & 15) << 12 | long;
    let low = (second >> 10 & 0x1C | second >> 6 & 3) as u8;
    let number = second as u32 & 31;
    match first >> 4 & 31 {
        0 if n == PC => Instruction { d, n, immediate: long, ..plain(O::Adr) },
        0 => Instruction { d, n, immediate: long, ..plain(O::Add) },
        4 => Instruction { d, immediate: longest, ..plain(O::Mov) },
        10 if n == PC => Instruction { d, n, immediate: long.wrapping_neg(), ..plain(O::Adr) },
        10 => Instruction { d, n, immediate: long, ..plain(O::Sub) },
        12 => Instruction { d, n: d, immediate: longest, ..plain(O::Movt) },
        // With a shift right by 0 these two are of an extension.
        18 | 26 if low == 0 => UNDEFINED,
        16 | 18 | 24 | 26 => {
            let signed = first & 0x80 == 0;
            let (operand, amount) = shift(first >> 4 & 2, low);
            let operation = if signed { O::Ssat } else { O::Usat };
            let immediate = number + signed as u32;
            Instruction { d, m: n, operand, amount, immediate, ..plain(operation) }
        }
        20 => Instruction { d, n, amount: low, immediate: number + 1, ..plain(O::Sbfx) },
        22 => {
            // The last bit is named; where it lies below the first, nothing is changed.
            let immediate = (number + 1).saturating_sub(low as u32);
            let operation = if n == PC { O::Bfc } else { O::Bfi };
            let n = if n == PC { 0 } else { n };
            Instruction { d, n, amount: low, immediate, ..plain(operation) }
        }
        28 => Instruction { d, n, amount: low, immediate: number + 1, ..plain(O::Ubfx) },
        _ => UNDEFINED,
    }
}

/// Shifts by a register, extensions, and reversals of bits and bytes.
pub(super) const fn registers(first: u16, second: u16) -> Instruction {
    let (d, n, m) = (register(second, 8), register(first, 0), register(second, 0));
    if second >> 12 != 15 {
        return UNDEFINED;
    }
    let operand = Operand::Register;
    let (kind, form) = (first >> 4 & 15, second >> 4 & 15);
    if kind < 8 && form == 0 {
        let operation = match kind >> 1 {
            0 => O::Lsl,
            1 => O::Lsr,
            2 => O::Asr,
            _ => O::Ror,
        };
        let flags = if kind & 1 != 0 { SetFlags::Always } else { SetFlags::Never };
        return Instruction { d, n, m, flags, operand, ..plain(operation) };
    }
    let extends = form & 8 != 0 && n == PC;
    let operation = match (kind, form) {
        (0, _) if extends => O::Sxth,
        (1, _) if extends => O::Uxth,
        (4, _) if extends => O::Sxtb,
        (5, _) if extends => O::Uxtb,
        (9, 8) => O::Rev,
        (9, 9) => O::Rev16,
        (9, 10) => O::Rbit,
        (9, 11) => O::Revsh,
        (11, 8) => O::Clz,
        _ => return UNDEFINED,
    };
    let amount = if kind < 8 { 8 * (form & 3) as u8 } else { 0 };
    Instruction { d, m, operand, amount, ..plain(operation) }
}

pub(super) const fn multiply(first: u16, second: u16) -> Instruction {
    let (d, n, m) = (register(second, 8), register(first, 0), register(second, 0));
    let a = register(second, 12);
    let operand = Operand::Register;
    match (first >> 4 & 7, second >> 4 & 15) {
        (0, 0) if a == PC => Instruction { d, n, m, operand, ..plain(O::Mul) },
        (0, 0) => Instruction { d, n, m, a, operand, ..plain(O::Mla) },
        (0, 1) => Instruction { d, n, m, a, operand, ..plain(O::Mls) },
        _ => UNDEFINED,
    }
}

/// Products of 64 bits, and quotients.
pub(super) const fn long_multiply(first: u16, second: u16) -> Instruction {
    let operation = match (first >> 4 & 7, second >> 4 & 15) {
        (0, 0) => O::Smull,
        (1, 15) => O::Sdiv,
        (2, 0) => O::Umull,
        (3, 15) => O::Udiv,
        (4, 0) => O::Smlal,
        (6, 0) => O::Umlal,
        _ => return UNDEFINED,
    };
    let (n, m, operand) = (register(first, 0), register(second, 0), Operand::Register);
    if matches!(operation, O::Sdiv | O::Udiv) {
        return Instruction { d: register(second, 8), n, m, operand, ..plain(operation) };
    }
    let (d, a) = (register(second, 12), register(second, 8));
    Instruction { d, a, n, m, operand, ..plain(operation) }
}
