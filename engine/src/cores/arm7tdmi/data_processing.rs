//! Data processing and the status register moves, ARM forms (ARM DDI 0029, "ARM instruction set";
//! cycles from ARM DDI 0210C, "Instruction cycle timings").

use super::alu::{result, shift_by_constant, shift_by_register, Shifted};
use super::decoder::arm::{rd, rm, rn, rs, SET_FLAGS, STATUS};
use super::decoder::{Cost, Operation};
use super::psr::{self, mode, negative_zero, C, FLAGS};
use super::Arm7tdmi;
use crate::bus::Bus;

impl Arm7tdmi {
    /// Second operand an immediate: 1S; into r15 1N + 1S more.
    #[inline(always)]
    pub(super) fn data_processing_immediate<B: Bus>(
        &mut self,
        bus: &mut B,
        operation: Operation,
        opcode: u32,
    ) {
        let value = rotated_immediate(opcode);
        let carry = if opcode & 0xF00 == 0 { self.cpsr & C } else { (value >> 31) * C };
        let first = self.r[rn(opcode)];
        self.advance();
        self.operate(bus, operation, opcode, first, Shifted { value, carry });
    }

    /// Second operand a register: 1S; into r15 1N + 1S more.
    #[inline(always)]
    pub(super) fn data_processing_register<B: Bus>(
        &mut self,
        bus: &mut B,
        operation: Operation,
        opcode: u32,
    ) {
        let second = Shifted { value: self.r[rm(opcode)], carry: self.cpsr & C };
        let first = self.r[rn(opcode)];
        self.advance();
        self.operate(bus, operation, opcode, first, second);
    }

    /// Second operand a register shifted by a constant: 1S; into r15 1N + 1S more.
    #[inline(always)]
    pub(super) fn data_processing_constant_shift<B: Bus>(
        &mut self,
        bus: &mut B,
        operation: Operation,
        opcode: u32,
    ) {
        let second = self.shifted_by_constant(opcode);
        let first = self.r[rn(opcode)];
        self.advance();
        self.operate(bus, operation, opcode, first, second);
    }

    /// Second operand a register shifted by a register: 1S + 1I; into r15 1N + 1S more. The operands
    /// are read in the second cycle, where r15 is the instruction's address + 12.
    #[inline(always)]
    pub(super) fn data_processing_register_shift<B: Bus>(
        &mut self,
        bus: &mut B,
        operation: Operation,
        opcode: u32,
    ) {
        let amount = self.r[rs(opcode)];
        self.advance();
        self.idle_by(bus, Cost::SHIFT_BY_REGISTER, 0);
        let second = shift_by_register(opcode >> 5, self.r[rm(opcode)], amount, self.cpsr);
        let first = self.r[rn(opcode)];
        self.operate(bus, operation, opcode, first, second);
    }

    /// Rm shifted by the constant in the opcode, as operand or as offset.
    #[inline(always)]
    pub(super) fn shifted_by_constant(&self, opcode: u32) -> Shifted {
        shift_by_constant(opcode >> 5, self.r[rm(opcode)], opcode >> 7 & 31, self.cpsr)
    }

    #[inline(always)]
    fn operate<B: Bus>(
        &mut self,
        bus: &mut B,
        operation: Operation,
        opcode: u32,
        a: u32,
        b: Shifted,
    ) {
        let (result, carry_overflow) = result(operation, a, b, self.cpsr);
        let sets_flags = opcode & SET_FLAGS != 0;
        if rd(opcode) == 15 {
            if sets_flags {
                self.restore_status();
            }
            if !operation.compares() {
                self.branch(bus, result);
                if sets_flags {
                    bus.left_exception();
                }
            }
            return;
        }
        if sets_flags {
            self.cpsr = (self.cpsr & !FLAGS) | negative_zero(result) | carry_overflow;
        }
        if !operation.compares() {
            self.r[rd(opcode)] = result;
        }
    }

    /// MRS: 1S. The SPSR of a mode that has none reads as the CPSR.
    pub(super) fn move_from_status<B: Bus>(&mut self, bus: &mut B, opcode: u32) {
        let value = if opcode & STATUS != 0 { self.saved_status() } else { self.cpsr };
        self.advance();
        self.write_register(bus, rd(opcode), value);
    }

    /// MSR of a register: 1S.
    pub(super) fn move_to_status_register(&mut self, opcode: u32) {
        self.move_to_status(opcode, self.r[rm(opcode)]);
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
        if opcode & STATUS != 0 {
            self.set_saved_status(value, mask);
            return;
        }
        let user = self.cpsr & psr::MODE == mode::USER;
        let mask = mask & if user { 0xFF00_0000 } else { !psr::T };
        self.set_status((self.cpsr & !mask) | (value & mask));
    }
}

/// Eight bits rotated right by twice the four bits above them.
#[inline(always)]
fn rotated_immediate(opcode: u32) -> u32 {
    (opcode & 0xFF).rotate_right(opcode >> 7 & 30)
}
