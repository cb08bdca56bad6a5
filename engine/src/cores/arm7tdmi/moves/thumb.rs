//! Moves of Thumb instructions.

use super::super::decoder::thumb::{form, high_rd, high_rs, list, low, Form, Format};
use super::super::decoder::Operation;
use super::super::Arm7tdmi;
use super::{shifted, shifted_by_constant, Second, PC};
use crate::moves::{Lanes, Move};

const SP: usize = 13;
const LR: usize = 14;

/// The number of a shift in the barrel shifter.
fn kind(operation: Operation) -> u32 {
    match operation {
        Operation::Lsl => 0,
        Operation::Lsr => 1,
        Operation::Asr => 2,
        _ => 3,
    }
}

impl Arm7tdmi {
    pub(super) fn moves_of_thumb(&self, opcode: u32, moves: &mut Vec<Move>) {
        let form = form(opcode);
        let Form { operation, format } = form;
        let (rd, rb, imm8) = (low(opcode, 0), low(opcode, 3), opcode & 0xFF);
        let constant = |value| Second { value, from: None };
        let based = |base: usize, offset: u32| self.r[base].wrapping_add(offset);
        match format {
            Format::ShiftImmediate => {
                let lanes = shifted_by_constant(kind(operation), opcode >> 6 & 31);
                moves.push(self.set(rd, [self.operand(rb, lanes), None]));
            }
            Format::ShiftRegister => {
                let lanes = shifted(kind(operation), self.r[rb] & 0xFF);
                moves.push(self.set(rd, [self.operand(rd, lanes), None]));
            }
            Format::ThreeRegisters => {
                moves.push(self.result_of(operation, rd, rb, &self.plain(low(opcode, 6))));
            }
            Format::Immediate3 => {
                let second = constant(low(opcode, 6) as u32);
                moves.push(self.result_of(operation, rd, rb, &second));
            }
            Format::Immediate8 if !operation.compares() => {
                let rd = low(opcode, 8);
                moves.push(self.result_of(operation, rd, rd, &constant(imm8)));
            }
            // The only one whose result is that of a constant and the second register.
            Format::LowRegisters if operation == Operation::Rsb => {
                moves.push(self.set(rd, [self.operand(rb, Lanes::ALL), None]));
            }
            Format::LowRegisters if !operation.compares() => {
                moves.push(self.result_of(operation, rd, rd, &self.plain(rb)));
            }
            Format::HighRegisters if !operation.compares() => {
                let rd = high_rd(opcode);
                moves.push(self.result_of(operation, rd, rd, &self.plain(high_rs(opcode))));
            }
            Format::Multiply => moves.push(self.clear(rd)),
            Format::AddressAfter | Format::AddressStack => moves.push(self.clear(low(opcode, 8))),
            Format::Literal | Format::OffsetStack => {
                let base = if format == Format::Literal { PC } else { SP };
                let from = if base == PC { self.r[PC] & !3 } else { self.r[SP] };
                let address = from.wrapping_add(4 * imm8);
                moves.push(self.one(operation, low(opcode, 8), address));
            }
            Format::OffsetRegister => {
                moves.push(self.one(operation, rd, based(rb, self.r[low(opcode, 6)])));
            }
            Format::OffsetWord | Format::OffsetByte | Format::OffsetHalf => {
                let scale = match format {
                    Format::OffsetWord => 4,
                    Format::OffsetHalf => 2,
                    _ => 1,
                };
                moves.push(self.one(operation, rd, based(rb, scale * (opcode >> 6 & 31))));
            }
            Format::Stack | Format::Block => {
                let base = if format == Format::Stack { SP } else { low(opcode, 8) };
                let loads = operation == Operation::Ldm;
                self.block_of(loads, list(form, opcode), false, Some(base), moves);
            }
            Format::LinkHalf => moves.push(self.clear(LR)),
            _ => {}
        }
    }

    fn plain(&self, register: usize) -> Second {
        Second { value: self.r[register], from: self.operand(register, Lanes::ALL) }
    }

    fn one(&self, operation: Operation, register: usize, address: u32) -> Move {
        match operation {
            Operation::Str | Operation::Strb | Operation::Strh => {
                Move::Store { from: self.register_number(register) }
            }
            _ => self.load_of(operation, register, address),
        }
    }
}
