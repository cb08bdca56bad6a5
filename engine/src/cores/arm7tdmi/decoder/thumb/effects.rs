//! Cost and reach of a Thumb instruction: those of the ARM instruction that it stands for.

use super::super::{Cost, Operation, Reach};
use super::{high_rd, list, Form, Format};

pub(super) const fn sets_flags(form: Form) -> bool {
    match form.format {
        Format::ShiftImmediate | Format::ThreeRegisters | Format::Immediate3 => true,
        Format::Immediate8 | Format::LowRegisters => true,
        Format::ShiftRegister | Format::Multiply => true,
        Format::HighRegisters => form.operation.compares(),
        _ => false,
    }
}

/// ADD or MOV into r15.
fn writes_pc(form: Form, opcode: u32) -> bool {
    form.format == Format::HighRegisters && !form.operation.compares() && high_rd(opcode) == 15
}

pub(super) fn cost(form: Form, opcode: u32) -> Cost {
    match form.format {
        Format::ShiftRegister => Cost::SHIFT_BY_REGISTER,
        Format::HighRegisters => {
            Cost::plain(form.operation).refilling(u8::from(writes_pc(form, opcode)))
        }
        Format::Block | Format::Stack => {
            let (loads, list) = (form.operation == Operation::Ldm, list(form, opcode));
            // An empty list transfers r15.
            let list = if list == 0 { 1 << 15 } else { list };
            let into_pc = u8::from(loads && list & 1 << 15 != 0);
            Cost::block(loads, list.count_ones() as u8).refilling(into_pc)
        }
        _ => Cost::plain(form.operation),
    }
}

pub(super) fn reach(form: Form, opcode: u32) -> Reach {
    match form.format {
        Format::Software | Format::Undefined => Reach::Mode,
        Format::Block | Format::Stack => match list(form, opcode) {
            0 => Reach::Mode,
            list if form.operation == Operation::Ldm && list & 1 << 15 != 0 => Reach::Branch,
            _ => Reach::Bus,
        },
        Format::HighRegisters if writes_pc(form, opcode) => Reach::Branch,
        Format::Exchange | Format::ConditionalBranch | Format::NearBranch | Format::Branch => {
            Reach::Branch
        }
        Format::LinkHalf if form.operation == Operation::BlSuffix => Reach::Branch,
        Format::ShiftRegister | Format::Multiply | Format::Literal | Format::OffsetRegister => {
            Reach::Bus
        }
        Format::OffsetWord | Format::OffsetByte | Format::OffsetHalf | Format::OffsetStack => {
            Reach::Bus
        }
        _ => Reach::Registers,
    }
}
