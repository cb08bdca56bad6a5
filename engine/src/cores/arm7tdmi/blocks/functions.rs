//! The function that executes each form of an opcode: the core's own, compiled with the form as a constant.

use super::super::decoder::{arm, thumb};
use super::super::Arm7tdmi;
use super::Execute;
use crate::bus::Bus;

/// The functions of a shape for 32 opcodes, each `$step` after the one before, from `$base` on.
macro_rules! for_each {
    ($shape:ident, $base:expr, $step:expr) => {
        for_each!($shape, $base, $step,
            0 1 2 3 4 5 6 7 8 9 10 11 12 13 14 15 16 17 18 19 20 21 22 23 24 25 26 27 28 29 30 31)
    };
    ($shape:ident, $base:expr, $step:expr, $($number:literal)*) => {
        [$($shape::<B, { $base + $number * $step }>),*]
    };
}

/// Bits 24:20 of an ARM opcode: the operation, or how a transfer addresses.
const KIND: u32 = 0x1F << 20;

/// Executes an ARM opcode that has the form and the kind of `BITS`.
fn arm<B: Bus, const BITS: u32>(core: &mut Arm7tdmi, bus: &mut B, opcode: u32) {
    let opcode = opcode & !KIND | BITS & KIND;
    core.execute_arm(bus, const { arm::form_by_bits(BITS) }, opcode);
}

/// The same, where the second operand is Rm as it is.
fn register<B: Bus, const BITS: u32>(core: &mut Arm7tdmi, bus: &mut B, opcode: u32) {
    let form = const { arm::Form { format: arm::Format::Register, ..arm::form_by_bits(BITS) } };
    core.execute_arm(bus, form, opcode & !KIND | BITS & KIND);
}

/// Executes a Thumb opcode that has the form of `BITS`.
fn thumb<B: Bus, const BITS: u32>(core: &mut Arm7tdmi, bus: &mut B, opcode: u32) {
    core.execute_thumb(bus, const { thumb::form_by_bits(BITS) }, opcode);
}

/// The function for an ARM opcode of this form.
pub(super) fn of_arm<B: Bus>(form: arm::Form, opcode: u32) -> Execute<B> {
    use arm::Format;
    const NEXT: u32 = 1 << 20;
    let table: [Execute<B>; 32] = match form.format {
        Format::Register => for_each!(register, 0, NEXT),
        Format::ShiftedByConstant => for_each!(arm, 0, NEXT),
        Format::ShiftedByRegister | Format::Exchange => for_each!(arm, 0x10, NEXT),
        Format::Immediate => for_each!(arm, 0x0200_0000, NEXT),
        Format::OffsetImmediate => for_each!(arm, 0x0400_0000, NEXT),
        Format::OffsetShifted => for_each!(arm, 0x0600_0000, NEXT),
        Format::Block => for_each!(arm, 0x0800_0000, NEXT),
        Format::Branch => for_each!(arm, 0x0A00_0000, NEXT),
        Format::Multiply | Format::MultiplyLong => for_each!(arm, 0x90, NEXT),
        Format::HalfOffsetImmediate | Format::HalfOffsetRegister => match opcode >> 5 & 3 {
            1 => for_each!(arm, 0xB0, NEXT),
            2 => for_each!(arm, 0xD0, NEXT),
            _ => for_each!(arm, 0xF0, NEXT),
        },
        _ => {
            return |core, bus, opcode| {
                core.execute_arm(bus, arm::form(opcode), opcode);
            }
        }
    };
    table[(opcode >> 20 & 31) as usize]
}

/// The function for a Thumb opcode of this form.
pub(super) fn of_thumb<B: Bus>(form: thumb::Form, opcode: u32) -> Execute<B> {
    if form.format == thumb::Format::NearBranch {
        return |core, bus, opcode| {
            const FORM: thumb::Form = thumb::NEAR_BRANCH;
            core.execute_thumb(bus, FORM, opcode);
        };
    }
    const NEXT: u32 = 1 << 6;
    let group = (opcode >> 11 & 31) as usize;
    let table: [Execute<B>; 32] = match group {
        3 => for_each!(thumb, 3 << 11, NEXT),
        8 => for_each!(thumb, 8 << 11, NEXT),
        10 => for_each!(thumb, 10 << 11, NEXT),
        11 => for_each!(thumb, 11 << 11, NEXT),
        22 => for_each!(thumb, 22 << 11, NEXT),
        23 => for_each!(thumb, 23 << 11, NEXT),
        _ => return for_each!(thumb, 0, 1 << 11)[group],
    };
    table[(opcode >> 6 & 31) as usize]
}
