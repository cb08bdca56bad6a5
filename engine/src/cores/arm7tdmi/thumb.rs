//! Thumb state: each 16-bit opcode is one ARM instruction and costs what that one costs (ARM DDI
//! 0029, "Thumb instruction set").

use super::alu::{add, shift_by_constant, shift_by_register, Shifted};
use super::block_transfer::Block;
use super::psr::{self, negative_zero, C, FLAGS, V};
use super::transfer::{Addressed, Load};
use super::Arm7tdmi;
use crate::bus::{Bus, Width};
use crate::core::Stop;

const SEMIHOSTING_CALL: u32 = 0xAB;
pub(super) const SP: usize = 13;
const LR: usize = 14;
pub(super) const PC: usize = 15;

/// The low register named by the three bits of `opcode` from `bit` up.
#[inline(always)]
pub(super) const fn low(opcode: u32, bit: u32) -> usize {
    (opcode >> bit & 7) as usize
}

impl Arm7tdmi {
    #[inline(always)]
    pub(super) fn execute_thumb<B: Bus>(&mut self, bus: &mut B, opcode: u32) -> Option<Stop> {
        let (rd, rb, imm5, imm8) =
            (low(opcode, 0), low(opcode, 3), opcode >> 6 & 31, opcode & 0xFF);
        match opcode >> 11 & 31 {
            0..=2 => self.shift_immediate(opcode),
            3 => self.add_subtract(opcode),
            4..=7 => self.operate_immediate(opcode),
            8 if opcode & 0x400 == 0 => self.operate_low(bus, opcode),
            8 => self.operate_high(bus, opcode),
            9 => self.load(bus, Load::Word, low(opcode, 8), self.based(PC, 4 * imm8)),
            10 | 11 => self.transfer_register_offset(bus, opcode),
            12 => self.store(bus, Width::Word, rd, self.based(rb, 4 * imm5)),
            13 => self.load(bus, Load::Word, rd, self.based(rb, 4 * imm5)),
            14 => self.store(bus, Width::Byte, rd, self.based(rb, imm5)),
            15 => self.load(bus, Load::Byte, rd, self.based(rb, imm5)),
            16 => self.store(bus, Width::Half, rd, self.based(rb, 2 * imm5)),
            17 => self.load(bus, Load::Half, rd, self.based(rb, 2 * imm5)),
            18 => self.store(bus, Width::Word, low(opcode, 8), self.based(SP, 4 * imm8)),
            19 => self.load(bus, Load::Word, low(opcode, 8), self.based(SP, 4 * imm8)),
            20 => self.add_address(opcode, PC),
            21 => self.add_address(opcode, SP),
            22 | 23 => self.stack(bus, opcode),
            24 | 25 => self.multiple(bus, opcode),
            26 | 27 => return self.branch_conditional(bus, opcode),
            28 => self.branch_short(bus, opcode),
            30 => self.branch_link_prefix(opcode),
            31 => self.branch_link_suffix(bus, opcode),
            _ => self.undefined(bus),
        }
        None
    }

    /// Address from a base, before the first fetch; the PC as base is word-aligned.
    #[inline(always)]
    pub(super) fn based(&self, base: usize, offset: u32) -> Addressed {
        let from = if base == PC { self.r[PC] & !3 } else { self.r[base] };
        Addressed::at(from.wrapping_add(offset))
    }

    #[inline(always)]
    fn set_flags(&mut self, result: u32, carry_overflow: u32) {
        self.cpsr = (self.cpsr & !FLAGS) | negative_zero(result) | carry_overflow;
    }

    #[inline(always)]
    fn set_logical(&mut self, rd: usize, result: u32, carry: u32) {
        self.r[rd] = result;
        self.set_flags(result, carry | self.cpsr & V);
    }

    /// LSL, LSR, ASR by a constant: 1S.
    #[inline(always)]
    pub(super) fn shift_immediate(&mut self, opcode: u32) {
        let value = self.r[low(opcode, 3)];
        let Shifted { value, carry } =
            shift_by_constant(opcode >> 11, value, opcode >> 6 & 31, self.cpsr);
        self.advance();
        self.set_logical(low(opcode, 0), value, carry);
    }

    /// ADD and SUB of a register or of three bits: 1S.
    #[inline(always)]
    pub(super) fn add_subtract(&mut self, opcode: u32) {
        let field = low(opcode, 6);
        let b = if opcode & 1 << 10 != 0 { field as u32 } else { self.r[field] };
        let a = self.r[low(opcode, 3)];
        let (result, flags) = if opcode & 1 << 9 != 0 { add(a, !b, 1) } else { add(a, b, 0) };
        self.advance();
        self.r[low(opcode, 0)] = result;
        self.set_flags(result, flags);
    }

    /// MOV, CMP, ADD, SUB of eight bits: 1S.
    #[inline(always)]
    pub(super) fn operate_immediate(&mut self, opcode: u32) {
        let (rd, b) = (low(opcode, 8), opcode & 0xFF);
        self.advance();
        let a = self.r[rd];
        let operation = opcode >> 11 & 3;
        let (result, flags) = match operation {
            0 => (b, self.cpsr & (C | V)),
            2 => add(a, b, 0),
            _ => add(a, !b, 1),
        };
        if operation != 1 {
            self.r[rd] = result;
        }
        self.set_flags(result, flags);
    }

    /// The sixteen operations on low registers: 1S, shifts 1S + 1I, MUL 1S + mI.
    #[inline(always)]
    pub(super) fn operate_low<B: Bus>(&mut self, bus: &mut B, opcode: u32) {
        let (rd, rs) = (low(opcode, 0), low(opcode, 3));
        let (a, b) = (self.r[rd], self.r[rs]);
        let operation = opcode >> 6 & 15;
        let shift = match operation {
            2 => 0,
            3 => 1,
            4 => 2,
            7 => 3,
            13 => return self.multiply_thumb(bus, rd, rs),
            _ => return self.operate_low_arithmetic(operation, rd, a, b),
        };
        let Shifted { value, carry } = shift_by_register(shift, a, b, self.cpsr);
        self.advance();
        self.idle(bus, 1);
        self.set_logical(rd, value, carry);
    }

    #[inline(always)]
    fn operate_low_arithmetic(&mut self, operation: u32, rd: usize, a: u32, b: u32) {
        self.advance();
        let carry = self.cpsr >> 29 & 1;
        let logical = |value| (value, self.cpsr & (C | V));
        let (result, flags) = match operation {
            0 | 8 => logical(a & b),
            1 => logical(a ^ b),
            5 => add(a, b, carry),
            6 => add(a, !b, carry),
            9 => add(0, !b, 1),
            10 => add(a, !b, 1),
            11 => add(a, b, 0),
            12 => logical(a | b),
            14 => logical(a & !b),
            _ => logical(!b),
        };
        let compares = matches!(operation, 8 | 10 | 11);
        if !compares {
            self.r[rd] = result;
        }
        self.set_flags(result, flags);
    }

    /// ADD, CMP, MOV with high registers: 1S, into r15 1N + 1S more. BX: 2S + 1N.
    #[inline(always)]
    pub(super) fn operate_high<B: Bus>(&mut self, bus: &mut B, opcode: u32) {
        let rd = (opcode & 7 | opcode >> 4 & 8) as usize;
        let (a, b) = (self.r[rd], self.r[(opcode >> 3 & 15) as usize]);
        match opcode >> 8 & 3 {
            3 => self.branch_exchange(bus, b),
            1 => {
                self.advance();
                let (result, flags) = add(a, !b, 1);
                self.set_flags(result, flags);
            }
            operation => {
                self.advance();
                let result = if operation == 0 { a.wrapping_add(b) } else { b };
                self.write_register(bus, rd, result);
            }
        }
    }

    #[inline(always)]
    pub(super) fn transfer_register_offset<B: Bus>(&mut self, bus: &mut B, opcode: u32) {
        let rd = low(opcode, 0);
        let to = self.based(low(opcode, 3), self.r[low(opcode, 6)]);
        match opcode >> 9 & 7 {
            0 => self.store(bus, Width::Word, rd, to),
            1 => self.store(bus, Width::Half, rd, to),
            2 => self.store(bus, Width::Byte, rd, to),
            3 => self.load(bus, Load::SignedByte, rd, to),
            4 => self.load(bus, Load::Word, rd, to),
            5 => self.load(bus, Load::Half, rd, to),
            6 => self.load(bus, Load::Byte, rd, to),
            _ => self.load(bus, Load::SignedHalf, rd, to),
        }
    }

    /// ADD Rd, PC or SP, #: 1S.
    #[inline(always)]
    pub(super) fn add_address(&mut self, opcode: u32, base: usize) {
        let result = self.based(base, 4 * (opcode & 0xFF)).address;
        self.advance();
        self.r[low(opcode, 8)] = result;
    }

    /// ADD SP, # (1S), PUSH, POP.
    #[inline(always)]
    pub(super) fn stack<B: Bus>(&mut self, bus: &mut B, opcode: u32) {
        let (sp, list, extra) = (self.r[SP], opcode & 0xFF, opcode >> 8 & 1);
        match opcode >> 8 & 15 {
            0 => {
                let offset = 4 * (opcode & 0x7F);
                self.advance();
                let down = opcode & 0x80 != 0;
                self.r[SP] = if down { sp.wrapping_sub(offset) } else { sp.wrapping_add(offset) };
            }
            4 | 5 => self.store_block(bus, &Block::new(SP, sp, list | extra << LR, false, true)),
            12 | 13 => self.load_block(bus, &Block::new(SP, sp, list | extra << PC, true, false)),
            _ => self.undefined(bus),
        }
    }

    /// LDMIA and STMIA.
    #[inline(always)]
    pub(super) fn multiple<B: Bus>(&mut self, bus: &mut B, opcode: u32) {
        let rb = low(opcode, 8);
        let block = Block::new(rb, self.r[rb], opcode & 0xFF, true, false);
        if opcode & 1 << 11 != 0 {
            self.load_block(bus, &block);
        } else {
            self.store_block(bus, &block);
        }
    }

    /// Bcc: 2S + 1N, not taken 1S. SWI: 2S + 1N.
    #[inline(always)]
    fn branch_conditional<B: Bus>(&mut self, bus: &mut B, opcode: u32) -> Option<Stop> {
        match opcode >> 8 & 15 {
            14 => self.undefined(bus),
            15 if self.host_calls && opcode & 0xFF == SEMIHOSTING_CALL => {
                self.advance();
                return Some(Stop::HostCall);
            }
            15 => self.software_interrupt(bus),
            condition if psr::passes(condition, self.cpsr) => self.branch_near(bus, opcode),
            _ => self.advance(),
        }
        None
    }

    /// Bcc, taken.
    #[inline(always)]
    pub(super) fn branch_near<B: Bus>(&mut self, bus: &mut B, opcode: u32) {
        let target = self.r[PC].wrapping_add(((opcode << 24) as i32 >> 23) as u32);
        self.advance();
        self.branch(bus, target);
    }

    /// B: 2S + 1N.
    #[inline(always)]
    pub(super) fn branch_short<B: Bus>(&mut self, bus: &mut B, opcode: u32) {
        let target = self.r[PC].wrapping_add(((opcode << 21) as i32 >> 20) as u32);
        self.advance();
        self.branch(bus, target);
    }

    /// First half of BL: 1S. An interrupt may come between the halves.
    #[inline(always)]
    pub(super) fn branch_link_prefix(&mut self, opcode: u32) {
        self.r[LR] = self.r[PC].wrapping_add(((opcode << 21) as i32 >> 9) as u32);
        self.advance();
    }

    /// Second half of BL: 2S + 1N.
    #[inline(always)]
    pub(super) fn branch_link_suffix<B: Bus>(&mut self, bus: &mut B, opcode: u32) {
        let target = self.r[LR].wrapping_add((opcode & 0x7FF) << 1);
        self.r[LR] = self.r[PC].wrapping_sub(2) | 1;
        self.advance();
        self.branch(bus, target);
    }
}
