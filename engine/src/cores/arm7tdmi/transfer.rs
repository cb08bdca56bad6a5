//! LDR, STR and their byte, halfword and signed forms, and SWP (ARM DDI 0210C, "Instruction cycle
//! timings"; corner cases in docs/timing/arm7tdmi.md).

use super::decoder::arm::{rd, rm, rn, BEFORE, UP, WRITE_BACK};
use super::decoder::{Cost, Operation};
use super::{Arm7tdmi, FETCH};
use crate::bus::{Access, Bus, Width};

/// Width and extension of a load.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Load {
    Word,
    Byte,
    Half,
    SignedByte,
    SignedHalf,
}

impl Load {
    #[inline(always)]
    pub(super) const fn width(self) -> Width {
        match self {
            Load::Word => Width::Word,
            Load::Half | Load::SignedHalf => Width::Half,
            Load::Byte | Load::SignedByte => Width::Byte,
        }
    }

    /// The load that `address` causes: a signed halfword at an odd one is a signed byte.
    #[inline(always)]
    const fn at(self, address: u32) -> Self {
        match self {
            Load::SignedHalf if address & 1 != 0 => Load::SignedByte,
            _ => self,
        }
    }

    /// The register's value from the data on the bus. An unaligned word or halfword is rotated.
    #[inline(always)]
    pub(super) const fn extend(self, data: u32, address: u32) -> u32 {
        match self {
            Load::Word => data.rotate_right(8 * (address & 3)),
            Load::Byte => data,
            Load::Half => data.rotate_right(8 * (address & 1)),
            Load::SignedByte => data as u8 as i8 as u32,
            Load::SignedHalf => data as u16 as i16 as u32,
        }
    }
}

/// Address of a transfer and, if any, what its base register becomes.
#[derive(Clone, Copy)]
pub(super) struct Addressed {
    pub(super) address: u32,
    pub(super) base: Option<(usize, u32)>,
}

impl Addressed {
    /// An address with no write-back.
    #[inline(always)]
    pub(super) const fn at(address: u32) -> Self {
        Addressed { address, base: None }
    }
}

impl Arm7tdmi {
    /// Address and write-back of an ARM opcode, before the first fetch.
    #[inline(always)]
    pub(super) fn indexed(&self, opcode: u32, offset: u32) -> Addressed {
        let has = |bit| opcode & bit != 0;
        let base = self.r[rn(opcode)];
        let moved = if has(UP) { base.wrapping_add(offset) } else { base.wrapping_sub(offset) };
        Addressed {
            address: if has(BEFORE) { moved } else { base },
            base: (!has(BEFORE) || has(WRITE_BACK)).then_some((rn(opcode), moved)),
        }
    }

    /// Write-back. Into r15 it does nothing (unpredictable on the architecture).
    #[inline(always)]
    pub(super) fn write_back(&mut self, base: Option<(usize, u32)>) {
        if let Some((rn, value)) = base {
            if rn != 15 {
                self.r[rn] = value;
            }
        }
    }

    /// LDR or, by any other operation, STR.
    #[inline(always)]
    pub(super) fn word<B: Bus>(
        &mut self,
        bus: &mut B,
        operation: Operation,
        rd: usize,
        to: Addressed,
    ) {
        match operation {
            Operation::Ldr => self.load(bus, Load::Word, rd, to),
            _ => self.store(bus, Width::Word, rd, to),
        }
    }

    /// LDRB or, by any other operation, STRB.
    #[inline(always)]
    pub(super) fn byte<B: Bus>(
        &mut self,
        bus: &mut B,
        operation: Operation,
        rd: usize,
        to: Addressed,
    ) {
        match operation {
            Operation::Ldrb => self.load(bus, Load::Byte, rd, to),
            _ => self.store(bus, Width::Byte, rd, to),
        }
    }

    /// LDRH or, by any other operation, STRH.
    #[inline(always)]
    pub(super) fn half<B: Bus>(
        &mut self,
        bus: &mut B,
        operation: Operation,
        rd: usize,
        to: Addressed,
    ) {
        match operation {
            Operation::Ldrh => self.load(bus, Load::Half, rd, to),
            _ => self.store(bus, Width::Half, rd, to),
        }
    }

    /// 1S + 1N + 1I; into r15 1N + 1S more. The base moves even if the access is refused, and before
    /// the register is written.
    #[inline(always)]
    pub(super) fn load<B: Bus>(&mut self, bus: &mut B, kind: Load, rd: usize, to: Addressed) {
        let kind = kind.at(to.address);
        self.advance();
        let data = bus.read(to.address, Access::data(kind.width()));
        self.write_back(to.base);
        self.idle_by(bus, Cost::plain(Operation::Ldr), 0);
        match data {
            Ok(data) => self.write_register(bus, rd, kind.extend(data, to.address)),
            Err(_) => self.data_abort(bus),
        }
    }

    /// 2N: the store, and the next fetch, which is N. The value is read before write-back; r15 is
    /// stored as the instruction's address + 12.
    #[inline(always)]
    pub(super) fn store<B: Bus>(&mut self, bus: &mut B, width: Width, rd: usize, to: Addressed) {
        self.advance();
        let stored = bus.write(to.address, self.r[rd], Access::data(width));
        self.write_back(to.base);
        self.next = FETCH;
        if stored.is_err() {
            self.data_abort(bus);
        }
    }

    /// SWP: 1S + 2N + 1I, the bus held from the read to the write. If one of them is refused the
    /// other is made all the same, and the register stays.
    pub(super) fn swap<B: Bus>(&mut self, bus: &mut B, operation: Operation, opcode: u32) {
        let kind = if operation == Operation::Swpb { Load::Byte } else { Load::Word };
        let address = self.r[rn(opcode)];
        self.advance();
        let access = Access::data(kind.width()).locked();
        let read = bus.read(address, access);
        let written = bus.write(address, self.r[rm(opcode)], access);
        self.idle_by(bus, Cost::plain(operation), 0);
        match (read, written) {
            (Ok(data), Ok(())) => {
                self.write_register(bus, rd(opcode), kind.extend(data, address));
            }
            _ => self.data_abort(bus),
        }
    }
}
