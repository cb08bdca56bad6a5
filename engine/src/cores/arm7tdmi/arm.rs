//! ARM state: which instruction an opcode is (ARM DDI 0029, "Instruction set summary").

use super::transfer::Load;
use super::Arm7tdmi;
use crate::bus::{Bus, Width};
use crate::core::Stop;

const LOAD: u32 = 1 << 20;
/// TST, TEQ, CMP and CMN without S: the room where MRS, MSR and BX live.
const MISCELLANEOUS: (u32, u32) = (0x0190_0000, 0x0100_0000);
const SEMIHOSTING_CALL: u32 = 0x12_3456;

#[inline(always)]
const fn is(opcode: u32, (mask, value): (u32, u32)) -> bool {
    opcode & mask == value
}

impl Arm7tdmi {
    #[inline(always)]
    pub(super) fn execute_arm<B: Bus>(&mut self, bus: &mut B, opcode: u32) -> Option<Stop> {
        match opcode >> 25 & 7 {
            0 if opcode & 0x90 == 0x90 => self.multiply_or_halfword(bus, opcode),
            0 if is(opcode, MISCELLANEOUS) => self.miscellaneous(bus, opcode),
            0 if opcode & 0x10 == 0 => self.data_processing_constant_shift(bus, opcode),
            0 => self.data_processing_register_shift(bus, opcode),
            1 if is(opcode, MISCELLANEOUS) && opcode & 1 << 21 == 0 => self.undefined(bus),
            1 if is(opcode, MISCELLANEOUS) => self.move_to_status_immediate(opcode),
            1 => self.data_processing_immediate(bus, opcode),
            2 => self.single_transfer(bus, opcode, opcode & 0xFFF),
            3 if opcode & 0x10 == 0 => {
                self.single_transfer(bus, opcode, self.shifted_by_constant(opcode).value);
            }
            4 => self.block_transfer(bus, opcode),
            5 => self.branch_relative(bus, opcode),
            7 if opcode & 1 << 24 != 0 => return self.software_interrupt_arm(bus, opcode),
            // The room of undefined instructions, and coprocessors that are not there.
            _ => self.undefined(bus),
        }
        None
    }

    /// LDR, LDRB, STR, STRB. The T forms are the same: no memory here looks at nTRANS.
    #[inline(always)]
    pub(super) fn single_transfer<B: Bus>(&mut self, bus: &mut B, opcode: u32, offset: u32) {
        let to = self.indexed(opcode, offset);
        let rd = (opcode >> 12 & 15) as usize;
        match (opcode & LOAD != 0, opcode & 1 << 22 != 0) {
            (true, false) => self.load(bus, Load::Word, rd, to),
            (true, true) => self.load(bus, Load::Byte, rd, to),
            (false, false) => self.store(bus, Width::Word, rd, to),
            (false, true) => self.store(bus, Width::Byte, rd, to),
        }
    }

    /// Bits 7 and 4 set in the room of data processing.
    fn multiply_or_halfword<B: Bus>(&mut self, bus: &mut B, opcode: u32) {
        match (opcode >> 5 & 3, opcode >> 20 & 0x1F) {
            (0, 0b00000..=0b00011) => self.multiply(bus, opcode),
            (0, 0b01000..=0b01111) => self.multiply_long(bus, opcode),
            (0, 0b10000 | 0b10100) => self.swap(bus, opcode),
            (0, _) => self.undefined(bus),
            _ => self.halfword_transfer(bus, opcode),
        }
    }

    pub(super) fn halfword_transfer<B: Bus>(&mut self, bus: &mut B, opcode: u32) {
        let offset = if opcode & 1 << 22 != 0 {
            opcode >> 4 & 0xF0 | opcode & 15
        } else {
            self.r[(opcode & 15) as usize]
        };
        let to = self.indexed(opcode, offset);
        let rd = (opcode >> 12 & 15) as usize;
        match (opcode & LOAD != 0, opcode >> 5 & 3) {
            (true, 1) => self.load(bus, Load::Half, rd, to),
            (true, 2) => self.load(bus, Load::SignedByte, rd, to),
            (true, _) => self.load(bus, Load::SignedHalf, rd, to),
            (false, 1) => self.store(bus, Width::Half, rd, to),
            // LDRD and STRD of later architectures: the base moves and no data does (seen on
            // silicon; unpredictable here).
            (false, _) => {
                self.advance();
                self.idle(bus, 1);
                self.write_back(to.base);
            }
        }
    }

    fn miscellaneous<B: Bus>(&mut self, bus: &mut B, opcode: u32) {
        let write = opcode & 1 << 21 != 0;
        match opcode >> 4 & 15 {
            0 if write => self.move_to_status_register(opcode),
            0 => self.move_from_status(bus, opcode),
            1 if opcode >> 20 & 0xFF == 0x12 => {
                let target = self.r[(opcode & 15) as usize];
                self.branch_exchange(bus, target);
            }
            // CLZ, BKPT, BLX and the like belong to later architectures.
            _ => self.undefined(bus),
        }
    }

    /// BX: 2S + 1N. Bit 0 of the target selects the state.
    pub(super) fn branch_exchange<B: Bus>(&mut self, bus: &mut B, target: u32) {
        self.advance();
        let thumb = if target & 1 != 0 { super::psr::T } else { 0 };
        self.set_status((self.cpsr & !super::psr::T) | thumb);
        self.branch(bus, target);
    }

    /// B and BL: 2S + 1N.
    #[inline(always)]
    pub(super) fn branch_relative<B: Bus>(&mut self, bus: &mut B, opcode: u32) {
        let here = self.r[15];
        let target = here.wrapping_add(((opcode << 8) as i32 >> 6) as u32);
        self.advance();
        if opcode & 1 << 24 != 0 {
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
