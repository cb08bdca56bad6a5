//! Moves of ARM instructions.

use super::super::alu::shift_by_register;
use super::super::declared::moves_to_core;
use super::super::decoder::arm::{form, rd, rm, rn, rs, STATUS, WRITE_BACK};
use super::super::decoder::arm::{Form, Format};
use super::super::decoder::Operation;
use super::super::{psr, Arm7tdmi, PC};
use super::{shifted, shifted_by_constant, Second, SWAPPED};
use crate::moves::{Lanes, Move, Operand};

impl Arm7tdmi {
    pub(super) fn moves_of_arm(&self, opcode: u32, moves: &mut Vec<Move>) {
        if !psr::passes(opcode >> 28, self.cpsr) {
            return;
        }
        let form = form(opcode);
        match form.format {
            _ if form.is_data_processing() && form.operation.compares() => {}
            _ if form.is_data_processing() => {
                let second = self.second(form, opcode);
                moves.push(self.result_of(form.operation, rd(opcode), rn(opcode), &second));
            }
            Format::Multiply => moves.push(self.clear(rn(opcode))),
            Format::MultiplyLong => {
                moves.extend([self.clear(rd(opcode)), self.clear(rn(opcode))]);
            }
            Format::OffsetImmediate => self.transfer(form, opcode, opcode & 0xFFF, moves),
            Format::OffsetShifted => {
                let offset = self.shifted_by_constant(opcode).value;
                self.transfer(form, opcode, offset, moves);
            }
            Format::HalfOffsetImmediate => {
                let offset = opcode >> 4 & 0xF0 | opcode & 15;
                self.transfer(form, opcode, offset, moves);
            }
            Format::HalfOffsetRegister => self.transfer(form, opcode, self.r[rm(opcode)], moves),
            Format::Block => {
                let loads = form.operation == Operation::Ldm;
                let user = opcode & STATUS != 0 && !(loads && opcode & 1 << PC != 0);
                let base = (opcode & WRITE_BACK != 0).then_some(rn(opcode));
                self.block_of(loads, opcode & 0xFFFF, user, base, moves);
            }
            Format::Swap => {
                let word = form.operation == Operation::Swp;
                let address = self.r[rn(opcode)];
                let bytes = if word { Lanes::rotated(address & 3) } else { Lanes::lowest(1) };
                let read = Operand { register: SWAPPED, lanes: Lanes::ALL };
                moves.push(self.load_into(SWAPPED, bytes));
                moves.push(Move::Store { from: self.register_number(rm(opcode)) });
                moves.push(self.set(rd(opcode), [Some(read), None]));
            }
            Format::FromStatus => moves.push(self.clear(rd(opcode))),
            Format::Undefined if self.register_of_device(opcode).is_some() => {
                let register = self.register_number(rd(opcode));
                moves.push(if moves_to_core(opcode) {
                    self.load_into(register, Lanes::ALL)
                } else {
                    Move::Store { from: register }
                });
            }
            Format::Branch if form.operation == Operation::Bl => moves.push(self.clear(14)),
            _ => {}
        }
    }

    fn second(&self, form: Form, opcode: u32) -> Second {
        let kind = opcode >> 5;
        match form.format {
            Format::Immediate => {
                Second { value: (opcode & 0xFF).rotate_right(opcode >> 7 & 30), from: None }
            }
            Format::ShiftedByRegister => {
                let amount = self.r[rs(opcode)] & 0xFF;
                Second {
                    value: shift_by_register(kind, self.r[rm(opcode)], amount, self.cpsr).value,
                    from: self.operand(rm(opcode), shifted(kind, amount)),
                }
            }
            _ => Second {
                value: self.shifted_by_constant(opcode).value,
                from: self.operand(rm(opcode), shifted_by_constant(kind, opcode >> 7 & 31)),
            },
        }
    }

    fn transfer(&self, form: Form, opcode: u32, offset: u32, moves: &mut Vec<Move>) {
        let to = self.indexed(opcode, offset);
        let base = to.base.map(|(base, _)| self.clear(base));
        match form.operation {
            Operation::MoveBase => moves.extend(base),
            Operation::Str | Operation::Strb | Operation::Strh => {
                moves.push(Move::Store { from: self.register_number(rd(opcode)) });
                moves.extend(base);
            }
            operation => {
                moves.extend(base);
                moves.push(self.load_of(operation, rd(opcode), to.address));
            }
        }
    }
}
