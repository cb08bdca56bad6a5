//! Which registers an instruction reads and writes.

use super::{Class, Index, Instruction, Operand, Operation as O, LR, PC};

const fn bit(register: u8) -> u16 {
    1 << register
}

/// Masks of the registers read and written.
pub(super) fn registers(one: &Instruction) -> (u16, u16) {
    let Instruction { operation, d, n, m, a, operand, index, immediate, .. } = *one;
    let list = immediate as u16;
    let offset = if matches!(operand, Operand::Constant) { 0 } else { bit(m) };
    let back = if matches!(index, Index::Offset) { 0 } else { bit(n) };
    match operation {
        O::Ldrex | O::Ldrexb | O::Ldrexh => return (bit(n), bit(d)),
        O::Strex | O::Strexb | O::Strexh => return (bit(n) | bit(d), bit(a)),
        O::Ldrd => return (bit(n), bit(d) | bit(a) | back),
        O::Strd => return (bit(n) | bit(d) | bit(a), back),
        O::Bl => return (0, bit(LR) | bit(PC)),
        O::Blx => return (bit(m), bit(LR) | bit(PC)),
        O::Msr => return (bit(n), 0),
        O::Mrs => return (0, bit(d)),
        O::Movt | O::Bfc => return (bit(d), bit(d)),
        O::Bfi => return (bit(n) | bit(d), bit(d)),
        O::Adr => return (bit(PC), bit(d)),
        O::Mla | O::Mls => return (bit(n) | bit(m) | bit(a), bit(d)),
        O::Umull | O::Smull => return (bit(n) | bit(m), bit(d) | bit(a)),
        O::Umlal | O::Smlal => return (bit(n) | bit(m) | bit(d) | bit(a), bit(d) | bit(a)),
        O::Sbfx | O::Ubfx => return (bit(n), bit(d)),
        _ => {}
    }
    match one.class() {
        Class::Load => (bit(n) | offset, bit(d) | back),
        Class::Store => (bit(n) | offset | bit(d), back),
        Class::Loads => (bit(n), list | back),
        Class::Stores => (bit(n) | list, back),
        Class::Table => (bit(n) | bit(m), bit(PC)),
        Class::Branch => (0, bit(PC)),
        Class::RegisterBranch => (bit(m), bit(PC)),
        Class::CompareBranch => (bit(n), bit(PC)),
        Class::Arithmetic | Class::Multiply | Class::Divide => arithmetic(one),
        _ => (0, 0),
    }
}

fn arithmetic(one: &Instruction) -> (u16, u16) {
    let Instruction { operation, d, n, m, operand, .. } = *one;
    let second = match operand {
        Operand::Register | Operand::Shifted(_) => bit(m),
        Operand::Constant | Operand::Rotated => 0,
    };
    match operation {
        O::Tst | O::Teq | O::Cmp | O::Cmn => (bit(n) | second, 0),
        O::Mov | O::Mvn | O::Clz | O::Rbit | O::Rev | O::Rev16 | O::Revsh => (second, bit(d)),
        O::Sxtb | O::Sxth | O::Uxtb | O::Uxth | O::Ssat | O::Usat => (second, bit(d)),
        _ => (bit(n) | second, bit(d)),
    }
}
