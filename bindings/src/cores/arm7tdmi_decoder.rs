//! The ARM7TDMI's decoders as text, so that a test can hold them against a disassembler.

use cyclescope_engine::cores::arm7tdmi::decoder::{arm, thumb, Condition, Operation};
use pyo3::prelude::*;

const CONDITIONS: [&str; 16] = [
    "eq", "ne", "hs", "lo", "mi", "pl", "vs", "vc", "hi", "ls", "ge", "lt", "gt", "le", "al", "nv",
];

/// The decoding of each little-endian opcode of `code`: `operation condition flags registers`. `flags` is `s` or
/// `-`; registers are numbers in the assembler's order, a list of them in ascending order. Bytes that make
/// no whole opcode at the end are left out.
#[pyfunction]
#[pyo3(signature = (code, *, thumb))]
pub fn decode_arm7tdmi(code: &[u8], thumb: bool) -> Vec<String> {
    if thumb {
        let opcodes = code.chunks_exact(2).map(|pair| u16::from_le_bytes([pair[0], pair[1]]));
        return opcodes.map(|opcode| thumb_text(opcode.into())).collect();
    }
    let opcodes =
        code.chunks_exact(4).map(|word| u32::from_le_bytes([word[0], word[1], word[2], word[3]]));
    opcodes.map(arm_text).collect()
}

fn text(operation: Operation, condition: Condition, flags: bool, registers: &[usize]) -> String {
    let operation = format!("{operation:?}").to_lowercase();
    let flags = if flags { "s" } else { "-" };
    let mut line = format!("{operation} {} {flags}", CONDITIONS[condition.number()]);
    for register in registers {
        line.push_str(&format!(" {register}"));
    }
    line
}

fn of_list(base: usize, list: u32) -> Vec<usize> {
    let listed = (0..16).filter(|register| list >> register & 1 != 0);
    std::iter::once(base).chain(listed).collect()
}

fn arm_text(opcode: u32) -> String {
    use arm::{rd, rm, rn, rs, Format};
    let instruction = arm::decode(opcode);
    let form = instruction.form;
    let (d, n, m, s) = (rd(opcode), rn(opcode), rm(opcode), rs(opcode));
    let registers = match form.format {
        Format::Immediate => vec![],
        Format::Register | Format::ShiftedByConstant => vec![m],
        Format::ShiftedByRegister => vec![m, s],
        Format::Multiply if form.operation == Operation::Mla => vec![n, m, s, d],
        Format::Multiply => vec![n, m, s],
        Format::MultiplyLong => vec![d, n, m, s],
        Format::OffsetImmediate | Format::HalfOffsetImmediate => vec![d, n],
        Format::OffsetShifted | Format::HalfOffsetRegister => vec![d, n, m],
        Format::Block => of_list(n, opcode & 0xFFFF),
        Format::Swap => vec![d, m, n],
        Format::FromStatus => vec![d],
        Format::StatusRegister | Format::Exchange => vec![m],
        Format::StatusImmediate | Format::Branch | Format::Software | Format::Undefined => vec![],
    };
    let first = match form.operation {
        _ if !form.is_data_processing() => vec![],
        Operation::Mov | Operation::Mvn => vec![d],
        operation if operation.compares() => vec![n],
        _ => vec![d, n],
    };
    let registers = [first, registers].concat();
    text(form.operation, instruction.condition, instruction.sets_flags, &registers)
}

fn thumb_text(opcode: u32) -> String {
    use thumb::{high_rd, high_rs, list, low, Format};
    let instruction = thumb::decode(opcode);
    let form = instruction.form;
    let (d, s, n) = (low(opcode, 0), low(opcode, 3), low(opcode, 6));
    let registers = match form.format {
        Format::ShiftImmediate | Format::Immediate3 => vec![d, s],
        Format::ThreeRegisters | Format::OffsetRegister => vec![d, s, n],
        Format::Immediate8 => vec![low(opcode, 8)],
        Format::LowRegisters | Format::ShiftRegister | Format::Multiply => vec![d, s],
        Format::HighRegisters => vec![high_rd(opcode), high_rs(opcode)],
        Format::Exchange => vec![high_rs(opcode)],
        Format::Literal | Format::AddressAfter => vec![low(opcode, 8), 15],
        Format::OffsetWord | Format::OffsetByte | Format::OffsetHalf => vec![d, s],
        Format::OffsetStack | Format::AddressStack => vec![low(opcode, 8), 13],
        Format::AdjustStack => vec![13],
        Format::Stack => of_list(13, list(form, opcode)),
        Format::Block => of_list(low(opcode, 8), list(form, opcode)),
        _ => vec![],
    };
    text(form.operation, instruction.condition, instruction.sets_flags, &registers)
}
