//! Data processing and the status register moves, ARM forms (ARM DDI 0029, "ARM instruction set";
//! cycles from ARM DDI 0210C, "Instruction cycle timings").

use super::alu::{add, shift_by_constant, shift_by_register, Shifted};
use super::psr::{self, mode, negative_zero, C, FLAGS, V};
use super::Arm7tdmi;
use crate::bus::Bus;

const SET_FLAGS: u32 = 1 << 20;
const SAVED: u32 = 1 << 22;

impl Arm7tdmi {
    /// Second operand an immediate: 1S; into r15 1N + 1S more.
    #[inline(always)]
    pub(super) fn data_processing_immediate<B: Bus>(&mut self, bus: &mut B, opcode: u32) {
        let second = self.immediate(opcode);
        let first = self.r[(opcode >> 16 & 15) as usize];
        self.advance();
        self.operate(bus, opcode, first, second);
    }

    /// The immediate in the opcode, as operand.
    #[inline(always)]
    pub(super) fn immediate(&self, opcode: u32) -> Shifted {
        let value = rotated_immediate(opcode);
        let carry = if opcode & 0xF00 == 0 { self.cpsr & C } else { (value >> 31) * C };
        Shifted { value, carry }
    }

    /// Second operand a register shifted by a constant: 1S; into r15 1N + 1S more.
    #[inline(always)]
    pub(super) fn data_processing_constant_shift<B: Bus>(&mut self, bus: &mut B, opcode: u32) {
        let second = self.shifted_by_constant(opcode);
        let first = self.r[(opcode >> 16 & 15) as usize];
        self.advance();
        self.operate(bus, opcode, first, second);
    }

    /// Second operand a register shifted by a register: 1S + 1I; into r15 1N + 1S more. The operands
    /// are read in the second cycle, where r15 is the instruction's address + 12.
    #[inline(always)]
    pub(super) fn data_processing_register_shift<B: Bus>(&mut self, bus: &mut B, opcode: u32) {
        let amount = self.r[(opcode >> 8 & 15) as usize];
        self.advance();
        self.idle(bus, 1);
        let value = self.r[(opcode & 15) as usize];
        let second = shift_by_register(opcode >> 5, value, amount, self.cpsr);
        let first = self.r[(opcode >> 16 & 15) as usize];
        self.operate(bus, opcode, first, second);
    }

    /// Rm shifted by the constant in the opcode, as operand or as offset.
    #[inline(always)]
    pub(super) fn shifted_by_constant(&self, opcode: u32) -> Shifted {
        let value = self.r[(opcode & 15) as usize];
        shift_by_constant(opcode >> 5, value, opcode >> 7 & 31, self.cpsr)
    }

    #[inline(always)]
    fn operate<B: Bus>(&mut self, bus: &mut B, opcode: u32, a: u32, second: Shifted) {
        let rd = (opcode >> 12 & 15) as usize;
        if rd != 15 {
            return self.operate_into_register(opcode, a, second);
        }
        let (result, _) = self.result(opcode, a, second);
        if opcode & SET_FLAGS != 0 {
            self.restore_status();
        }
        if !compares(opcode) {
            self.branch(bus, result);
        }
    }

    /// The operation, its result in a register that is not r15.
    #[inline(always)]
    pub(super) fn operate_into_register(&mut self, opcode: u32, a: u32, second: Shifted) {
        let (result, carry_overflow) = self.result(opcode, a, second);
        if opcode & SET_FLAGS != 0 {
            self.cpsr = (self.cpsr & !FLAGS) | negative_zero(result) | carry_overflow;
        }
        if !compares(opcode) {
            self.r[(opcode >> 12 & 15) as usize] = result;
        }
    }

    /// The result, and C and V at the places of the flags.
    #[inline(always)]
    fn result(&self, opcode: u32, a: u32, second: Shifted) -> (u32, u32) {
        let b = second.value;
        let carry = self.cpsr >> 29 & 1;
        let logical = |value| (value, second.carry | self.cpsr & V);
        match opcode >> 21 & 15 {
            0 | 8 => logical(a & b),
            1 | 9 => logical(a ^ b),
            2 | 10 => add(a, !b, 1),
            3 => add(b, !a, 1),
            4 | 11 => add(a, b, 0),
            5 => add(a, b, carry),
            6 => add(a, !b, carry),
            7 => add(b, !a, carry),
            12 => logical(a | b),
            13 => logical(b),
            14 => logical(a & !b),
            _ => logical(!b),
        }
    }

    /// MRS: 1S. The SPSR of a mode that has none reads as the CPSR.
    pub(super) fn move_from_status<B: Bus>(&mut self, bus: &mut B, opcode: u32) {
        let value = if opcode & SAVED != 0 { self.saved_status() } else { self.cpsr };
        self.advance();
        self.write_register(bus, (opcode >> 12 & 15) as usize, value);
    }

    /// MSR of a register: 1S.
    pub(super) fn move_to_status_register(&mut self, opcode: u32) {
        let value = self.r[(opcode & 15) as usize];
        self.move_to_status(opcode, value);
    }

    /// MSR of an immediate: 1S.
    pub(super) fn move_to_status_immediate(&mut self, opcode: u32) {
        self.move_to_status(opcode, rotated_immediate(opcode));
    }

    /// User mode writes the flags' byte only; the T bit of the CPSR moves by BX and exceptions alone.
    /// Reserved bits keep what is written.
    fn move_to_status(&mut self, opcode: u32, value: u32) {
        self.advance();
        let fields = (0..4).filter(|field| opcode >> (16 + field) & 1 != 0);
        let mask = fields.fold(0, |mask, field| mask | 0xFF << (8 * field));
        if opcode & SAVED != 0 {
            self.set_saved_status(value, mask);
            return;
        }
        let user = self.cpsr & psr::MODE == mode::USER;
        let mask = mask & if user { 0xFF00_0000 } else { !psr::T };
        self.set_status((self.cpsr & !mask) | (value & mask));
    }
}

/// TST, TEQ, CMP and CMN: flags and no result.
#[inline(always)]
const fn compares(opcode: u32) -> bool {
    opcode >> 23 & 3 == 2
}

/// Eight bits rotated right by twice the four bits above them.
#[inline(always)]
fn rotated_immediate(opcode: u32) -> u32 {
    (opcode & 0xFF).rotate_right(opcode >> 7 & 30)
}
