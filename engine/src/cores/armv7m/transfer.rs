//! Loads and stores of one value or of two.

use super::decoder::{Index, Instruction, Operand, Operation as O};
use super::exceptions::{Fault, Leave};
use super::{Armv7m, PC, SP};
use crate::bus::{Bus, Width};

impl Armv7m {
    /// The base, and the base with the offset added.
    #[inline(always)]
    pub(super) fn places(&self, one: &Instruction) -> (u32, u32) {
        let n = usize::from(one.n);
        let base = if n == PC { self.r[PC] & !3 } else { self.r[n] };
        let offset = if one.operand == Operand::Constant {
            one.immediate
        } else {
            self.r[usize::from(one.m)] << one.amount
        };
        (base, base.wrapping_add(offset))
    }

    #[inline(always)]
    pub(super) fn write_back(&mut self, one: &Instruction, moved: u32) {
        if one.index != Index::Offset {
            self.write_result(one.n, moved);
        }
    }

    #[inline(always)]
    pub(super) fn transfer<B: Bus>(&mut self, bus: &mut B, one: &Instruction) -> Result<(), Leave> {
        let (base, moved) = self.places(one);
        let address = if one.index == Index::Post { base } else { moved };
        if one.index == Index::Offset && one.operand == Operand::Constant && one.amount != 0 {
            self.check_unprivileged(address)?;
        }
        let d = usize::from(one.d);
        let value = match one.operation {
            O::Ldr => self.load(bus, address, Width::Word)?,
            O::Ldrb => self.load(bus, address, Width::Byte)?,
            O::Ldrh => self.load(bus, address, Width::Half)?,
            O::Ldrsb => self.load(bus, address, Width::Byte)? as i8 as u32,
            O::Ldrsh => self.load(bus, address, Width::Half)? as i16 as u32,
            stores => {
                let value = self.r[d];
                let width = match stores {
                    O::Str => Width::Word,
                    O::Strh => Width::Half,
                    _ => Width::Byte,
                };
                self.store(bus, address, value, width)?;
                self.write_back(one, moved);
                return Ok(());
            }
        };
        self.write_back(one, moved);
        self.write_loaded(d, value)
    }

    /// LDRT, STRT and their like have no privilege, so the private peripherals refuse them.
    #[cold]
    fn check_unprivileged(&self, address: u32) -> Result<(), Leave> {
        if address >> 20 == 0xE00 {
            return Err(Fault::Data(address).into());
        }
        Ok(())
    }

    /// Writes a register with what was loaded; the program counter is branched to.
    #[inline(always)]
    pub(super) fn write_loaded(&mut self, d: usize, value: u32) -> Result<(), Leave> {
        match d {
            PC => return self.interwork(value),
            SP => self.r[SP] = value & !3,
            d => self.r[d & 15] = value,
        }
        Ok(())
    }

    /// Pairs and exclusive accesses.
    #[inline(never)]
    pub(super) fn transfer_rarely<B: Bus>(
        &mut self,
        bus: &mut B,
        one: &Instruction,
    ) -> Result<(), Leave> {
        let (base, moved) = self.places(one);
        let address = if one.index == Index::Post { base } else { moved };
        let (d, a) = (usize::from(one.d), usize::from(one.a));
        match one.operation {
            O::Ldrd => {
                let first = self.load_aligned(bus, address, Width::Word)?;
                let second = self.load_aligned(bus, address.wrapping_add(4), Width::Word)?;
                self.write_back(one, moved);
                self.write_result(one.d, first);
                self.write_result(one.a, second);
            }
            O::Strd => {
                let (first, second) = (self.r[d], self.r[a]);
                self.store_aligned(bus, address, first, Width::Word)?;
                self.store_aligned(bus, address.wrapping_add(4), second, Width::Word)?;
                self.write_back(one, moved);
            }
            O::Ldrex => self.load_exclusive(bus, one, address, Width::Word)?,
            O::Ldrexh => self.load_exclusive(bus, one, address, Width::Half)?,
            O::Ldrexb => self.load_exclusive(bus, one, address, Width::Byte)?,
            O::Strex => self.store_exclusive(bus, one, address, Width::Word)?,
            O::Strexh => self.store_exclusive(bus, one, address, Width::Half)?,
            _ => self.store_exclusive(bus, one, address, Width::Byte)?,
        }
        Ok(())
    }

    fn load_exclusive<B: Bus>(
        &mut self,
        bus: &mut B,
        one: &Instruction,
        address: u32,
        width: Width,
    ) -> Result<(), Leave> {
        let value = self.load_aligned(bus, address, width)?;
        self.exclusive = true;
        self.write_result(one.d, value);
        Ok(())
    }

    /// The monitor is one for all of memory, as in a part with one core.
    fn store_exclusive<B: Bus>(
        &mut self,
        bus: &mut B,
        one: &Instruction,
        address: u32,
        width: Width,
    ) -> Result<(), Leave> {
        if address & (width.bytes() - 1) != 0 {
            return Err(Fault::Unaligned.into());
        }
        let holds = std::mem::take(&mut self.exclusive);
        if holds {
            let value = self.r[usize::from(one.d)];
            self.store_aligned(bus, address, value, width)?;
        }
        self.write_result(one.a, u32::from(!holds));
        Ok(())
    }
}
