//! Loads and stores of lists of registers.

use super::decoder::{Index, Instruction, Operation as O};
use super::exceptions::{Fault, Leave};
use super::{Armv7m, PC, SP};
use crate::bus::{Bus, Width};

impl Armv7m {
    /// The base, the lowest address and the base as it is written back.
    fn range(&self, one: &Instruction) -> Result<(u32, u32), Leave> {
        let base = self.r[usize::from(one.n)];
        let bytes = 4 * one.immediate.count_ones();
        let (first, moved) = match one.operation {
            O::Ldm | O::Stm => (base, base.wrapping_add(bytes)),
            _ => (base.wrapping_sub(bytes), base.wrapping_sub(bytes)),
        };
        if first & 3 != 0 {
            return Err(Fault::Unaligned.into());
        }
        Ok((first, moved))
    }

    pub(super) fn load_list<B: Bus>(
        &mut self,
        bus: &mut B,
        one: &Instruction,
    ) -> Result<(), Leave> {
        let (mut address, moved) = self.range(one)?;
        let mut values = [0; 16];
        let mut left = one.immediate;
        while left != 0 {
            let number = left.trailing_zeros() as usize;
            left &= left - 1;
            values[number & 15] = self.load(bus, address, Width::Word)?;
            address = address.wrapping_add(4);
        }
        if one.index != Index::Offset {
            self.write_result(one.n, moved);
        }
        let mut left = one.immediate & !(1 << PC);
        while left != 0 {
            let number = left.trailing_zeros() as usize & 15;
            left &= left - 1;
            self.r[number] = values[number];
        }
        self.r[SP] &= !3;
        if one.immediate >> PC & 1 != 0 {
            return self.interwork(values[PC]);
        }
        Ok(())
    }

    pub(super) fn store_list<B: Bus>(
        &mut self,
        bus: &mut B,
        one: &Instruction,
    ) -> Result<(), Leave> {
        let (mut address, moved) = self.range(one)?;
        let mut left = one.immediate;
        while left != 0 {
            let value = self.r[left.trailing_zeros() as usize & 15];
            left &= left - 1;
            self.store(bus, address, value, Width::Word)?;
            address = address.wrapping_add(4);
        }
        if one.index != Index::Offset {
            self.write_result(one.n, moved);
        }
        Ok(())
    }
}
