//! The data space: registers of the core stand in it, all else is the bus's.

use super::{Avr, BYTE};
use crate::bus::{Abort, Bus};

/// Where the data space begins on the bus, as in ELF files.
pub const DATA: u32 = 0x80_0000;
/// The I/O registers, in the data space.
pub(super) const IO: u16 = 0x20;
pub(super) const RAMPZ: u16 = 0x5B;
pub(super) const EIND: u16 = 0x5C;
pub(super) const SPL: u16 = 0x5D;
pub(super) const SPH: u16 = 0x5E;
pub(super) const SREG: u16 = 0x5F;

/// The place on the bus of a data address.
#[inline(always)]
pub(super) const fn place(address: u16) -> u32 {
    DATA + address as u32
}

/// The data address of a place on the bus.
pub(super) fn of_bus(address: u32) -> Option<u16> {
    address.checked_sub(DATA).and_then(|data| u16::try_from(data).ok())
}

/// Whether a register of the core stands at a data address.
pub(super) const fn is_of_core(address: u16) -> bool {
    address < IO || matches!(address, RAMPZ..=SREG)
}

impl Avr {
    /// Reads the data space as it is now.
    #[inline(always)]
    pub(super) fn load<B: Bus>(&mut self, bus: &mut B, address: u16) -> Result<u8, Abort> {
        if address <= SREG {
            return self.load_low(bus, address);
        }
        Ok(bus.read(place(address), BYTE)? as u8)
    }

    #[inline(always)]
    fn load_low<B: Bus>(&mut self, bus: &mut B, address: u16) -> Result<u8, Abort> {
        match self.own(address) {
            Some(value) => Ok(value),
            None => bus.read(place(address), BYTE).map(|value| value as u8),
        }
    }

    /// The register at a data address; none where the bus answers.
    #[inline(always)]
    pub(super) fn own(&self, address: u16) -> Option<u8> {
        Some(match address {
            0..IO => self.r[usize::from(address)],
            RAMPZ => self.rampz,
            EIND => self.eind,
            SPL => self.sp as u8,
            SPH => (self.sp >> 8) as u8,
            SREG => self.flags.byte(),
            _ => return None,
        })
    }

    /// Writes the data space now.
    #[inline(always)]
    pub(super) fn store<B: Bus>(
        &mut self,
        bus: &mut B,
        address: u16,
        value: u8,
    ) -> Result<(), Abort> {
        if address <= SREG {
            return self.store_low(bus, address, value);
        }
        bus.write(place(address), value.into(), BYTE)
    }

    #[inline(always)]
    fn store_low<B: Bus>(&mut self, bus: &mut B, address: u16, value: u8) -> Result<(), Abort> {
        if self.set_own(address, value) {
            return Ok(());
        }
        bus.write(place(address), value.into(), BYTE)
    }

    /// Sets the register at a data address; `false` where the bus answers.
    #[inline(always)]
    pub(super) fn set_own(&mut self, address: u16, value: u8) -> bool {
        match address {
            0..IO => self.r[usize::from(address)] = value,
            RAMPZ => self.rampz = value,
            EIND => self.eind = value,
            SPL => self.sp = self.sp & 0xFF00 | u16::from(value),
            SPH => self.sp = self.sp & 0xFF | u16::from(value) << 8,
            SREG => self.set_sreg(value),
            _ => return false,
        }
        true
    }

    /// Pushes a byte in a cycle of its own.
    #[inline(always)]
    pub(super) fn push<B: Bus>(&mut self, bus: &mut B, value: u8) -> Result<(), Abort> {
        bus.idle(1);
        self.store(bus, self.sp, value)?;
        self.sp = self.sp.wrapping_sub(1);
        Ok(())
    }

    /// Pops a byte in a cycle of its own.
    #[inline(always)]
    pub(super) fn pop<B: Bus>(&mut self, bus: &mut B) -> Result<u8, Abort> {
        let value = self.load(bus, self.sp.wrapping_add(1))?;
        self.sp = self.sp.wrapping_add(1);
        bus.idle(1);
        Ok(value)
    }

    /// Pushes an address of program memory, low byte first, in three cycles.
    pub(super) fn push_address<B: Bus>(&mut self, bus: &mut B, word: u32) -> Result<(), Abort> {
        let [low, middle, high, _] = word.to_le_bytes();
        self.push(bus, low)?;
        self.push(bus, middle)?;
        self.push(bus, high)
    }

    /// Pops an address of program memory, in three cycles.
    pub(super) fn pop_address<B: Bus>(&mut self, bus: &mut B) -> Result<u32, Abort> {
        let high = self.pop(bus)?;
        let middle = self.pop(bus)?;
        let low = self.pop(bus)?;
        Ok(u32::from_le_bytes([low, middle, high, 0]))
    }
}
