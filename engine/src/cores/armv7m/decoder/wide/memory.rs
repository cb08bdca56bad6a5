//! Loads and stores.

use super::super::{shift, Index, Instruction, Operand, Operation as O, PC};
use super::{plain, register, UNDEFINED};

/// LDM, STM, and with them PUSH and POP of any registers.
pub(super) const fn list(first: u16, second: u16) -> Instruction {
    let loads = first & 0x10 != 0;
    let operation = match (first >> 7 & 3, loads) {
        (1, true) => O::Ldm,
        (1, false) => O::Stm,
        (2, true) => O::Ldmdb,
        (2, false) => O::Stmdb,
        _ => return UNDEFINED,
    };
    let index = if first & 0x20 != 0 { Index::Pre } else { Index::Offset };
    let immediate = second as u32 & if loads { 0xDFFF } else { 0x5FFF };
    Instruction { n: register(first, 0), index, immediate, ..plain(operation) }
}

/// LDRD and STRD, exclusive accesses, and branches by a table.
pub(super) const fn pair_or_exclusive(first: u16, second: u16) -> Instruction {
    let (n, d, a) = (register(first, 0), register(second, 12), register(second, 8));
    let (pre, adds) = (first & 0x100 != 0, first & 0x80 != 0);
    let (back, loads) = (first & 0x20 != 0, first & 0x10 != 0);
    let offset = 4 * (second as u32 & 0xFF);
    if pre || back {
        let immediate = if adds { offset } else { offset.wrapping_neg() };
        let index = index(pre, back);
        let operation = if loads { O::Ldrd } else { O::Strd };
        return Instruction { d, a, n, immediate, index, ..plain(operation) };
    }
    let m = register(second, 0);
    match (adds, loads, second >> 4 & 15) {
        (false, false, _) => Instruction { d, a, n, immediate: offset, ..plain(O::Strex) },
        (false, true, _) => Instruction { d, n, immediate: offset, ..plain(O::Ldrex) },
        (true, false, 4) => Instruction { d, a: m, n, ..plain(O::Strexb) },
        (true, false, 5) => Instruction { d, a: m, n, ..plain(O::Strexh) },
        (true, true, 0) => Instruction { n, m, operand: Operand::Register, ..plain(O::Tbb) },
        (true, true, 1) => Instruction { n, m, operand: Operand::Register, ..plain(O::Tbh) },
        (true, true, 4) => Instruction { d, n, ..plain(O::Ldrexb) },
        (true, true, 5) => Instruction { d, n, ..plain(O::Ldrexh) },
        _ => UNDEFINED,
    }
}

const fn index(pre: bool, back: bool) -> Index {
    match (pre, back) {
        (false, _) => Index::Post,
        (true, true) => Index::Pre,
        (true, false) => Index::Offset,
    }
}

/// One load or store.
pub(super) const fn single(first: u16, second: u16) -> Instruction {
    let (n, d) = (register(first, 0), register(second, 12));
    let loads = first & 0x10 != 0;
    let signed = first & 0x100 != 0;
    let operation = match (first >> 5 & 3, loads, signed) {
        (0, false, false) => O::Strb,
        (1, false, false) => O::Strh,
        (2, false, false) => O::Str,
        (0, true, false) => O::Ldrb,
        (1, true, false) => O::Ldrh,
        (2, true, false) => O::Ldr,
        (0, true, true) => O::Ldrsb,
        (1, true, true) => O::Ldrsh,
        _ => return UNDEFINED,
    };
    if n == PC && !loads {
        return UNDEFINED;
    }
    // A load of a byte or a half-word into the program counter is a hint to memory.
    let hints = d == PC && loads && !matches!(operation, O::Ldr);
    let bare = plain(if hints { O::Hint } else { operation });
    let long = second as u32 & 0xFFF;
    if n == PC {
        let immediate = if first & 0x80 != 0 { long } else { long.wrapping_neg() };
        return Instruction { d, n, immediate, ..bare };
    }
    if first & 0x80 != 0 {
        return Instruction { d, n, immediate: long, ..bare };
    }
    let short = second as u32 & 0xFF;
    if second & 0x800 == 0 {
        if second & 0x7C0 != 0 {
            return UNDEFINED;
        }
        let (operand, amount) = shift(0, (second >> 4 & 3) as u8);
        return Instruction { d, n, m: register(second, 0), operand, amount, ..bare };
    }
    let (pre, adds, back) = (second & 0x400 != 0, second & 0x200 != 0, second & 0x100 != 0);
    if !pre && !back {
        return UNDEFINED;
    }
    // LDRT and its like: there is no protection unit that would see the difference.
    let index = index(pre, back);
    let immediate = if adds { short } else { short.wrapping_neg() };
    let unprivileged = pre && adds && !back;
    Instruction { d, n, immediate, index, amount: unprivileged as u8, ..bare }
}
