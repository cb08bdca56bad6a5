//! Loads, stores, and reads of program memory.

use super::data::place;
use super::decoder::{Instruction, Operation as O};
use super::exceptions::Leave;
use super::{Avr, BYTE};
use crate::bus::Bus;

/// The registers that the pointers X, Y and Z begin with.
const X: usize = 26;
const Y: usize = 28;
pub(super) const Z: usize = 30;

impl Avr {
    /// Loads, stores, and reads of program memory.
    #[inline(always)]
    pub(super) fn transfer<B: Bus>(
        &mut self,
        bus: &mut B,
        instruction: Instruction,
    ) -> Result<(), Leave> {
        let d = instruction.d();
        let displacement = instruction.address();
        match instruction.operation {
            O::Lds => {
                let address = self.fetch(bus, 1)?;
                self.load_register(bus, d, address)?;
            }
            O::Sts => {
                let address = self.fetch(bus, 1)?;
                self.store_register(bus, d, address)?;
            }
            O::LdX => self.load_register(bus, d, self.r.pair(X))?,
            O::LddY => self.load_register(bus, d, self.r.pair(Y).wrapping_add(displacement))?,
            O::LddZ => self.load_register(bus, d, self.r.pair(Z).wrapping_add(displacement))?,
            O::LdXInc => self.load_and_increment(bus, d, X)?,
            O::LdYInc => self.load_and_increment(bus, d, Y)?,
            O::LdZInc => self.load_and_increment(bus, d, Z)?,
            O::LdXDec => self.decrement_and_load(bus, d, X)?,
            O::LdYDec => self.decrement_and_load(bus, d, Y)?,
            O::LdZDec => self.decrement_and_load(bus, d, Z)?,
            O::StX => self.store_register(bus, d, self.r.pair(X))?,
            O::StdY => self.store_register(bus, d, self.r.pair(Y).wrapping_add(displacement))?,
            O::StdZ => self.store_register(bus, d, self.r.pair(Z).wrapping_add(displacement))?,
            O::StXInc => self.store_and_increment(bus, d, X)?,
            O::StYInc => self.store_and_increment(bus, d, Y)?,
            O::StZInc => self.store_and_increment(bus, d, Z)?,
            O::StXDec => self.decrement_and_store(bus, d, X)?,
            O::StYDec => self.decrement_and_store(bus, d, Y)?,
            O::StZDec => self.decrement_and_store(bus, d, Z)?,
            O::Push => {
                bus.idle(1);
                self.push(bus, self.r[d])?;
            }
            O::Pop => {
                bus.idle(1);
                self.r[d] = self.pop(bus)?;
            }
            O::In => {
                self.r[d] = self.load(bus, instruction.address())?;
                bus.idle(1);
            }
            O::Out => {
                bus.idle(1);
                self.store(bus, instruction.address(), self.r[d])?;
            }
            O::Sbi | O::Cbi => {
                let (address, mask) = (instruction.io(), instruction.constant());
                let value = if matches!(instruction.operation, O::Sbi) { mask } else { 0 };
                bus.idle(2);
                bus.write_bits(place(address), mask.into(), value.into(), BYTE)?;
            }
            operation => self.load_program(bus, operation, d)?,
        }
        Ok(())
    }

    /// LD, LDD and LDS: the data are read in the second cycle.
    #[inline(always)]
    fn load_register<B: Bus>(&mut self, bus: &mut B, d: usize, address: u16) -> Result<(), Leave> {
        bus.idle(1);
        self.r[d] = self.load(bus, address)?;
        bus.idle(1);
        Ok(())
    }

    #[inline(always)]
    fn load_and_increment<B: Bus>(
        &mut self,
        bus: &mut B,
        d: usize,
        low: usize,
    ) -> Result<(), Leave> {
        bus.idle(1);
        let address = self.r.pair(low);
        let value = self.load(bus, address)?;
        self.r.set_pair(low, address.wrapping_add(1));
        self.r[d] = value;
        bus.idle(1);
        Ok(())
    }

    #[inline(always)]
    fn decrement_and_load<B: Bus>(
        &mut self,
        bus: &mut B,
        d: usize,
        low: usize,
    ) -> Result<(), Leave> {
        bus.idle(1);
        let address = self.r.pair(low).wrapping_sub(1);
        let value = self.load(bus, address)?;
        self.r.set_pair(low, address);
        self.r[d] = value;
        bus.idle(1);
        Ok(())
    }

    /// ST, STD and STS: the data are written at the end of the second cycle.
    #[inline(always)]
    fn store_register<B: Bus>(&mut self, bus: &mut B, d: usize, address: u16) -> Result<(), Leave> {
        bus.idle(2);
        Ok(self.store(bus, address, self.r[d])?)
    }

    #[inline(always)]
    fn store_and_increment<B: Bus>(
        &mut self,
        bus: &mut B,
        d: usize,
        low: usize,
    ) -> Result<(), Leave> {
        let address = self.r.pair(low);
        self.store_register(bus, d, address)?;
        self.r.set_pair(low, address.wrapping_add(1));
        Ok(())
    }

    #[inline(always)]
    fn decrement_and_store<B: Bus>(
        &mut self,
        bus: &mut B,
        d: usize,
        low: usize,
    ) -> Result<(), Leave> {
        let address = self.r.pair(low).wrapping_sub(1);
        self.store_register(bus, d, address)?;
        self.r.set_pair(low, address);
        Ok(())
    }

    /// LPM and ELPM: a byte of program memory at Z, with RAMPZ above it for ELPM.
    #[inline(always)]
    fn load_program<B: Bus>(&mut self, bus: &mut B, operation: O, d: usize) -> Result<(), Leave> {
        let extended = matches!(operation, O::ElpmR0 | O::Elpm | O::ElpmInc);
        let z = u32::from(self.r.pair(Z));
        let address = if extended { u32::from(self.rampz) << 16 | z } else { z };
        bus.idle(2);
        let value = bus.read(address & (2 * self.pc_mask + 1), BYTE)? as u8;
        self.r[d] = value;
        if matches!(operation, O::LpmInc | O::ElpmInc) {
            let next = address.wrapping_add(1);
            self.r.set_pair(Z, next as u16);
            if extended {
                self.rampz = (next >> 16) as u8;
            }
        }
        bus.idle(1);
        Ok(())
    }
}
