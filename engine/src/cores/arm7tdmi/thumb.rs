//! Thumb state: each 16-bit opcode is one ARM instruction and costs what that one costs (ARM DDI
//! 0029, "Thumb instruction set").

use super::alu::{add, shift_by_constant, shift_by_register, Shifted};
use super::block_transfer::Block;
use super::decoder::thumb::{high_rd, high_rs, list, low, Form, Format};
use super::decoder::{Cost, Operation};
use super::psr::{self, negative_zero, C, FLAGS, V};
use super::transfer::{Addressed, Load};
use super::Arm7tdmi;
use crate::bus::Bus;
use crate::core::Stop;

const SEMIHOSTING_CALL: u32 = 0xAB;
const SP: usize = 13;
const LR: usize = 14;
const PC: usize = 15;

impl Arm7tdmi {
    /// Executes an opcode of this form, whose first fetch has been made.
    #[inline(always)]
    pub(super) fn execute_thumb<B: Bus>(
        &mut self,
        bus: &mut B,
        form: Form,
        opcode: u32,
    ) -> Option<Stop> {
        let operation = form.operation;
        let (rd, rb, imm5, imm8) =
            (low(opcode, 0), low(opcode, 3), opcode >> 6 & 31, opcode & 0xFF);
        match form.format {
            Format::ShiftImmediate => self.shift_immediate(operation, opcode),
            Format::ThreeRegisters => {
                self.add_subtract(operation, opcode, self.r[low(opcode, 6)]);
            }
            Format::Immediate3 => self.add_subtract(operation, opcode, low(opcode, 6) as u32),
            Format::Immediate8 => self.operate_immediate(operation, opcode),
            Format::LowRegisters => self.operate_low(operation, opcode),
            Format::ShiftRegister => self.shift_register(bus, operation, opcode),
            Format::Multiply => self.multiply_thumb(bus, rd, rb),
            Format::HighRegisters => self.operate_high(bus, operation, opcode),
            Format::Exchange => self.branch_exchange(bus, self.r[high_rs(opcode)]),
            Format::Literal => {
                self.load(bus, Load::Word, low(opcode, 8), self.based(PC, 4 * imm8));
            }
            Format::OffsetRegister => {
                let to = self.based(rb, self.r[low(opcode, 6)]);
                self.transfer_register_offset(bus, operation, rd, to);
            }
            Format::OffsetWord => self.word(bus, operation, rd, self.based(rb, 4 * imm5)),
            Format::OffsetByte => self.byte(bus, operation, rd, self.based(rb, imm5)),
            Format::OffsetHalf => self.half(bus, operation, rd, self.based(rb, 2 * imm5)),
            Format::OffsetStack => {
                self.word(bus, operation, low(opcode, 8), self.based(SP, 4 * imm8));
            }
            Format::AddressAfter => self.add_address(opcode, PC),
            Format::AddressStack => self.add_address(opcode, SP),
            Format::AdjustStack => self.adjust_stack(operation, opcode),
            Format::Stack => self.stack(bus, form, opcode),
            Format::Block => self.multiple(bus, form, opcode),
            Format::ConditionalBranch if psr::passes(opcode >> 8 & 15, self.cpsr) => {
                self.branch_near(bus, opcode);
            }
            Format::ConditionalBranch => self.advance(),
            Format::NearBranch => self.branch_near(bus, opcode),
            Format::Branch => self.branch_short(bus, opcode),
            Format::LinkHalf if operation == Operation::BlPrefix => self.branch_link_prefix(opcode),
            Format::LinkHalf => self.branch_link_suffix(bus, opcode),
            Format::Software => return self.software_interrupt_thumb(bus, opcode),
            Format::Undefined => self.undefined(bus),
        }
        None
    }

    /// Address from a base, before the first fetch; the PC as base is word-aligned.
    #[inline(always)]
    fn based(&self, base: usize, offset: u32) -> Addressed {
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
    fn shift_immediate(&mut self, operation: Operation, opcode: u32) {
        let value = self.r[low(opcode, 3)];
        let Shifted { value, carry } =
            shift_by_constant(shift(operation), value, opcode >> 6 & 31, self.cpsr);
        self.advance();
        self.set_logical(low(opcode, 0), value, carry);
    }

    /// LSL, LSR, ASR, ROR by a register: 1S + 1I.
    #[inline(always)]
    fn shift_register<B: Bus>(&mut self, bus: &mut B, operation: Operation, opcode: u32) {
        let (rd, amount) = (low(opcode, 0), self.r[low(opcode, 3)]);
        let Shifted { value, carry } =
            shift_by_register(shift(operation), self.r[rd], amount, self.cpsr);
        self.advance();
        self.idle_by(bus, Cost::SHIFT_BY_REGISTER, 0);
        self.set_logical(rd, value, carry);
    }

    /// ADD and SUB of a register or of three bits: 1S.
    #[inline(always)]
    fn add_subtract(&mut self, operation: Operation, opcode: u32, b: u32) {
        let a = self.r[low(opcode, 3)];
        let subtracts = operation == Operation::Sub;
        let (result, flags) = if subtracts { add(a, !b, 1) } else { add(a, b, 0) };
        self.advance();
        self.r[low(opcode, 0)] = result;
        self.set_flags(result, flags);
    }

    /// MOV, CMP, ADD, SUB of eight bits: 1S.
    #[inline(always)]
    fn operate_immediate(&mut self, operation: Operation, opcode: u32) {
        let (rd, b) = (low(opcode, 8), opcode & 0xFF);
        self.advance();
        let a = self.r[rd];
        let (result, flags) = match operation {
            Operation::Mov => (b, self.cpsr & (C | V)),
            Operation::Add => add(a, b, 0),
            _ => add(a, !b, 1),
        };
        if !operation.compares() {
            self.r[rd] = result;
        }
        self.set_flags(result, flags);
    }

    /// Arithmetic and logic on two low registers: 1S.
    #[inline(always)]
    fn operate_low(&mut self, operation: Operation, opcode: u32) {
        let rd = low(opcode, 0);
        let (a, b) = (self.r[rd], self.r[low(opcode, 3)]);
        self.advance();
        let carry = self.cpsr >> 29 & 1;
        let logical = |value| (value, self.cpsr & (C | V));
        let (result, flags) = match operation {
            Operation::And | Operation::Tst => logical(a & b),
            Operation::Eor => logical(a ^ b),
            Operation::Adc => add(a, b, carry),
            Operation::Sbc => add(a, !b, carry),
            Operation::Rsb => add(0, !b, 1),
            Operation::Cmp => add(a, !b, 1),
            Operation::Cmn => add(a, b, 0),
            Operation::Orr => logical(a | b),
            Operation::Bic => logical(a & !b),
            _ => logical(!b),
        };
        if !operation.compares() {
            self.r[rd] = result;
        }
        self.set_flags(result, flags);
    }

    /// ADD, CMP, MOV with high registers: 1S, into r15 1N + 1S more.
    #[inline(always)]
    fn operate_high<B: Bus>(&mut self, bus: &mut B, operation: Operation, opcode: u32) {
        let rd = high_rd(opcode);
        let (a, b) = (self.r[rd], self.r[high_rs(opcode)]);
        self.advance();
        match operation {
            Operation::Cmp => {
                let (result, flags) = add(a, !b, 1);
                self.set_flags(result, flags);
            }
            Operation::Add => self.write_register(bus, rd, a.wrapping_add(b)),
            _ => self.write_register(bus, rd, b),
        }
    }

    #[inline(always)]
    fn transfer_register_offset<B: Bus>(
        &mut self,
        bus: &mut B,
        operation: Operation,
        rd: usize,
        to: Addressed,
    ) {
        match operation {
            Operation::Ldrsb => self.load(bus, Load::SignedByte, rd, to),
            Operation::Ldrsh => self.load(bus, Load::SignedHalf, rd, to),
            Operation::Ldr | Operation::Str => self.word(bus, operation, rd, to),
            Operation::Ldrh | Operation::Strh => self.half(bus, operation, rd, to),
            _ => self.byte(bus, operation, rd, to),
        }
    }

    /// ADD Rd, PC or SP, #: 1S.
    #[inline(always)]
    fn add_address(&mut self, opcode: u32, base: usize) {
        let result = self.based(base, 4 * (opcode & 0xFF)).address;
        self.advance();
        self.r[low(opcode, 8)] = result;
    }

    /// ADD SP, #: 1S.
    #[inline(always)]
    fn adjust_stack(&mut self, operation: Operation, opcode: u32) {
        let (sp, offset) = (self.r[SP], 4 * (opcode & 0x7F));
        self.advance();
        let down = operation == Operation::Sub;
        self.r[SP] = if down { sp.wrapping_sub(offset) } else { sp.wrapping_add(offset) };
    }

    /// PUSH and POP.
    #[inline(always)]
    fn stack<B: Bus>(&mut self, bus: &mut B, form: Form, opcode: u32) {
        let (sp, list) = (self.r[SP], list(form, opcode));
        if form.operation == Operation::Ldm {
            self.load_block(bus, &Block::new(SP, sp, list, true, false));
        } else {
            self.store_block(bus, &Block::new(SP, sp, list, false, true));
        }
    }

    /// LDMIA and STMIA.
    #[inline(always)]
    fn multiple<B: Bus>(&mut self, bus: &mut B, form: Form, opcode: u32) {
        let rb = low(opcode, 8);
        let block = Block::new(rb, self.r[rb], list(form, opcode), true, false);
        if form.operation == Operation::Ldm {
            self.load_block(bus, &block);
        } else {
            self.store_block(bus, &block);
        }
    }

    fn software_interrupt_thumb<B: Bus>(&mut self, bus: &mut B, opcode: u32) -> Option<Stop> {
        if self.host_calls && opcode & 0xFF == SEMIHOSTING_CALL {
            self.advance();
            return Some(Stop::HostCall);
        }
        self.software_interrupt(bus);
        None
    }

    /// Bcc, taken: 2S + 1N; not taken it costs 1S.
    #[inline(always)]
    fn branch_near<B: Bus>(&mut self, bus: &mut B, opcode: u32) {
        let target = self.r[PC].wrapping_add(((opcode << 24) as i32 >> 23) as u32);
        self.advance();
        self.branch(bus, target);
    }

    /// B: 2S + 1N.
    #[inline(always)]
    fn branch_short<B: Bus>(&mut self, bus: &mut B, opcode: u32) {
        let target = self.r[PC].wrapping_add(((opcode << 21) as i32 >> 20) as u32);
        self.advance();
        self.branch(bus, target);
    }

    /// First half of BL: 1S. An interrupt may come between the halves.
    #[inline(always)]
    fn branch_link_prefix(&mut self, opcode: u32) {
        self.r[LR] = self.r[PC].wrapping_add(((opcode << 21) as i32 >> 9) as u32);
        self.advance();
    }

    /// Second half of BL: 2S + 1N.
    #[inline(always)]
    fn branch_link_suffix<B: Bus>(&mut self, bus: &mut B, opcode: u32) {
        let target = self.r[LR].wrapping_add((opcode & 0x7FF) << 1);
        self.r[LR] = self.r[PC].wrapping_sub(2) | 1;
        self.advance();
        self.branch(bus, target);
    }
}

/// The number of a shift in the barrel shifter.
#[inline(always)]
const fn shift(operation: Operation) -> u32 {
    match operation {
        Operation::Lsl => 0,
        Operation::Lsr => 1,
        Operation::Asr => 2,
        _ => 3,
    }
}
