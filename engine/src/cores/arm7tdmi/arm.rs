//! ARM state: what each form of an opcode does (ARM DDI 0029, "Instruction set summary").

use super::decoder::arm::{rd, rm, Form, Format};
use super::decoder::{Cost, Operation};
use super::transfer::Load;
use super::{psr, Arm7tdmi};
use crate::bus::Bus;
use crate::core::Stop;

const SEMIHOSTING_CALL: u32 = 0x12_3456;

impl Arm7tdmi {
    /// Executes an opcode of this form, whose condition holds and whose first fetch has been made.
    #[inline(always)]
    pub(super) fn execute_arm<B: Bus>(
        &mut self,
        bus: &mut B,
        form: Form,
        opcode: u32,
    ) -> Option<Stop> {
        let operation = form.operation;
        match form.format {
            Format::Immediate => self.data_processing_immediate(bus, operation, opcode),
            Format::Register => self.data_processing_register(bus, operation, opcode),
            Format::ShiftedByConstant => {
                self.data_processing_constant_shift(bus, operation, opcode)
            }
            Format::ShiftedByRegister => {
                self.data_processing_register_shift(bus, operation, opcode)
            }
            Format::Multiply => self.multiply(bus, operation, opcode),
            Format::MultiplyLong => self.multiply_long(bus, operation, opcode),
            Format::OffsetImmediate => self.word_or_byte(bus, operation, opcode, opcode & 0xFFF),
            Format::OffsetShifted => {
                self.word_or_byte(bus, operation, opcode, self.shifted_by_constant(opcode).value);
            }
            Format::HalfOffsetImmediate => {
                self.halfword(bus, operation, opcode, opcode >> 4 & 0xF0 | opcode & 15);
            }
            Format::HalfOffsetRegister => self.halfword(bus, operation, opcode, self.r[rm(opcode)]),
            Format::Block => self.block_transfer(bus, operation, opcode),
            Format::Swap => self.swap(bus, operation, opcode),
            Format::FromStatus => self.move_from_status(bus, opcode),
            Format::StatusRegister => self.move_to_status_register(opcode),
            Format::StatusImmediate => self.move_to_status_immediate(opcode),
            Format::Branch => self.branch_relative(bus, operation, opcode),
            Format::Exchange => self.branch_exchange(bus, self.r[rm(opcode)]),
            Format::Software => return self.software_interrupt_arm(bus, opcode),
            Format::Undefined => self.undefined_or_register(bus, opcode),
        }
        None
    }

    /// LDR, LDRB, STR, STRB. The T forms are the same: no memory here looks at nTRANS.
    #[inline(always)]
    fn word_or_byte<B: Bus>(
        &mut self,
        bus: &mut B,
        operation: Operation,
        opcode: u32,
        offset: u32,
    ) {
        let to = self.indexed(opcode, offset);
        match operation {
            Operation::Ldr | Operation::Str => self.word(bus, operation, rd(opcode), to),
            _ => self.byte(bus, operation, rd(opcode), to),
        }
    }

    fn halfword<B: Bus>(&mut self, bus: &mut B, operation: Operation, opcode: u32, offset: u32) {
        let to = self.indexed(opcode, offset);
        match operation {
            Operation::Ldrsb => self.load(bus, Load::SignedByte, rd(opcode), to),
            Operation::Ldrsh => self.load(bus, Load::SignedHalf, rd(opcode), to),
            Operation::MoveBase => {
                self.advance();
                self.idle_by(bus, Cost::plain(operation), 0);
                self.write_back(to.base);
            }
            _ => self.half(bus, operation, rd(opcode), to),
        }
    }

    /// BX: 2S + 1N. Bit 0 of the target selects the state.
    pub(super) fn branch_exchange<B: Bus>(&mut self, bus: &mut B, target: u32) {
        self.advance();
        let thumb = if target & 1 != 0 { psr::T } else { 0 };
        self.set_status((self.cpsr & !psr::T) | thumb);
        self.branch(bus, target);
    }

    /// B and BL: 2S + 1N.
    #[inline(always)]
    fn branch_relative<B: Bus>(&mut self, bus: &mut B, operation: Operation, opcode: u32) {
        let here = self.r[15];
        let target = here.wrapping_add(((opcode << 8) as i32 >> 6) as u32);
        self.advance();
        if operation == Operation::Bl {
            self.r[14] = here.wrapping_sub(4);
        }
        self.branch(bus, target);
    }

    fn software_interrupt_arm<B: Bus>(&mut self, bus: &mut B, opcode: u32) -> Option<Stop> {
        if self.host_calls && opcode & 0xFF_FFFF == SEMIHOSTING_CALL {
            self.advance();
            return Some(Stop::HostCall);
        }
        self.software_interrupt(bus);
        None
    }
}
