//! MUL, MLA and the long multiplies (ARM DDI 0210C, "Instruction cycle timings").
//!
//! Operands are read after the first fetch. C after the flag-setting forms is meaningless on this
//! architecture; here it stays as it was, and so does V.

use super::alu::further_cycles;
use super::decoder::arm::{rd, rm, rn, rs, SET_FLAGS};
use super::decoder::{Cost, Operation};
use super::psr::{self, negative_zero};
use super::Arm7tdmi;
use crate::bus::Bus;

impl Arm7tdmi {
    /// MUL: 1S + mI. MLA: 1S + (m+1)I.
    pub(super) fn multiply<B: Bus>(&mut self, bus: &mut B, operation: Operation, opcode: u32) {
        self.advance();
        let multiplier = self.r[rs(opcode)];
        let mut result = self.r[rm(opcode)].wrapping_mul(multiplier);
        if operation == Operation::Mla {
            result = result.wrapping_add(self.r[rd(opcode)]);
        }
        self.idle_by(bus, Cost::plain(operation), further_cycles(multiplier, true));
        if opcode & SET_FLAGS != 0 {
            self.cpsr = (self.cpsr & !(psr::N | psr::Z)) | negative_zero(result);
        }
        self.write_register(bus, rn(opcode), result);
    }

    /// UMULL, SMULL: 1S + (m+1)I. UMLAL, SMLAL: 1S + (m+2)I.
    pub(super) fn multiply_long<B: Bus>(&mut self, bus: &mut B, operation: Operation, opcode: u32) {
        self.advance();
        let signed = matches!(operation, Operation::Smull | Operation::Smlal);
        let (high, low) = (rn(opcode), rd(opcode));
        let (a, b) = (self.r[rm(opcode)], self.r[rs(opcode)]);
        let mut result = if signed {
            i64::from(a as i32).wrapping_mul(i64::from(b as i32)) as u64
        } else {
            u64::from(a) * u64::from(b)
        };
        if matches!(operation, Operation::Umlal | Operation::Smlal) {
            let sum = u64::from(self.r[high]) << 32 | u64::from(self.r[low]);
            result = result.wrapping_add(sum);
        }
        self.idle_by(bus, Cost::plain(operation), further_cycles(b, signed));
        if opcode & SET_FLAGS != 0 {
            let zero = if result == 0 { psr::Z } else { 0 };
            let negative = (result >> 32) as u32 & psr::N;
            self.cpsr = (self.cpsr & !(psr::N | psr::Z)) | negative | zero;
        }
        self.write_register(bus, low, result as u32);
        self.write_register(bus, high, (result >> 32) as u32);
    }

    /// Thumb MUL: 1S + mI. The operand that decides m is the old Rd (the assembler's MULS Rd, Rs, Rd).
    pub(super) fn multiply_thumb<B: Bus>(&mut self, bus: &mut B, rd: usize, rs: usize) {
        self.advance();
        let result = self.r[rd].wrapping_mul(self.r[rs]);
        self.idle_by(bus, Cost::plain(Operation::Mul), further_cycles(self.r[rd], true));
        self.cpsr = (self.cpsr & !(psr::N | psr::Z)) | negative_zero(result);
        self.r[rd] = result;
    }
}
