//! Cost and reach of an ARM instruction (ARM DDI 0210C, "Instruction cycle timings").

use super::super::{Cost, Operation, Reach};
use super::{rd, rn, Form, Format, SET_FLAGS, STATUS};

pub(super) const fn sets_flags(form: Form, opcode: u32) -> bool {
    let has_bit =
        form.is_data_processing() || matches!(form.format, Format::Multiply | Format::MultiplyLong);
    has_bit && opcode & SET_FLAGS != 0
}

pub(super) fn cost(form: Form, opcode: u32) -> Cost {
    let into_pc = u8::from(rd(opcode) == 15);
    match form.format {
        Format::ShiftedByRegister if form.operation.compares() => Cost::SHIFT_BY_REGISTER,
        Format::ShiftedByRegister => Cost::SHIFT_BY_REGISTER.refilling(into_pc),
        Format::Block => {
            // An empty list transfers r15.
            let list = if opcode & 0xFFFF == 0 { 1 << 15 } else { opcode & 0xFFFF };
            let loads = form.operation == Operation::Ldm;
            let into_pc = u8::from(loads && list & 1 << 15 != 0);
            Cost::block(loads, list.count_ones() as u8).refilling(into_pc)
        }
        Format::Multiply => Cost::plain(form.operation).refilling(u8::from(rn(opcode) == 15)),
        Format::MultiplyLong => {
            let times = into_pc + u8::from(rn(opcode) == 15);
            Cost::plain(form.operation).refilling(times)
        }
        _ if form.writes_rd() => Cost::plain(form.operation).refilling(into_pc),
        _ => Cost::plain(form.operation),
    }
}

pub(super) fn reach(form: Form, opcode: u32) -> Reach {
    let into_pc = rd(opcode) == 15;
    let branches = |does| if does { Reach::Branch } else { Reach::Bus };
    match form.format {
        Format::Software | Format::Undefined | Format::StatusRegister | Format::StatusImmediate => {
            Reach::Mode
        }
        Format::FromStatus | Format::Swap if into_pc => Reach::Mode,
        Format::FromStatus => Reach::Registers,
        Format::Swap => Reach::Bus,
        // A comparison into r15, or a return from an exception.
        _ if form.is_data_processing() && into_pc && sets_flags(form, opcode) => Reach::Mode,
        _ if form.is_data_processing() && into_pc => Reach::Branch,
        Format::ShiftedByRegister => Reach::Bus,
        _ if form.is_data_processing() => Reach::Registers,
        Format::Multiply if rn(opcode) == 15 => Reach::Mode,
        Format::MultiplyLong if rn(opcode) == 15 || into_pc => Reach::Mode,
        Format::Multiply | Format::MultiplyLong => Reach::Bus,
        Format::HalfOffsetImmediate | Format::HalfOffsetRegister => {
            let open = into_pc || form.operation == Operation::MoveBase;
            if open {
                Reach::Mode
            } else {
                Reach::Bus
            }
        }
        Format::Block if opcode & STATUS != 0 || opcode & 0xFFFF == 0 => Reach::Mode,
        Format::Block => branches(form.operation == Operation::Ldm && opcode & 1 << 15 != 0),
        Format::Branch | Format::Exchange => Reach::Branch,
        _ => branches(form.writes_rd() && into_pc),
    }
}
