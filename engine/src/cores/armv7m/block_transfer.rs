//! Loads and stores of lists of registers.

use super::decoder::{Index, Instruction, Operation as O};
use super::exceptions::{Fault, Leave};
use super::pipeline::Work;
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

    /// Where an instruction begins that may go on where it was interrupted.
    fn resume(&mut self, list: u32, first: u32) -> (u32, u32) {
        let done = list & ((1 << std::mem::take(&mut self.continued)) - 1);
        self.work = Work::accessing((list & !done).count_ones() as u8);
        (list & !done, first.wrapping_add(4 * done.count_ones()))
    }

    /// The instruction goes on with this register after an exception. In an IT block it begins again, and where
    /// its base is in the list.
    fn interrupted(&self, one: &Instruction, number: usize) -> Leave {
        let restarts = self.in_block || one.immediate >> one.n & 1 != 0;
        Leave::Interrupted(if restarts { 0 } else { number as u8 })
    }

    pub(super) fn load_list<B: Bus>(
        &mut self,
        bus: &mut B,
        one: &Instruction,
    ) -> Result<(), Leave> {
        let (first, moved) = self.range(one)?;
        let (mut left, mut address) = self.resume(one.immediate, first);
        let base = usize::from(one.n);
        let (mut loaded_base, mut loaded_pc) = (None, None);
        while left != 0 {
            let number = left.trailing_zeros() as usize & 15;
            if self.data.is_some() && self.is_interrupted(bus) {
                return Err(self.interrupted(one, number));
            }
            left &= left - 1;
            let value = self.load(bus, address, Width::Word)?;
            address = address.wrapping_add(4);
            // The base stays until nothing can interrupt or fault.
            match number {
                _ if number == base => loaded_base = Some(value),
                PC => loaded_pc = Some(value),
                _ => self.r[number] = value,
            }
        }
        match loaded_base {
            Some(value) => self.write_result(one.n, value),
            None if one.index != Index::Offset => self.write_result(one.n, moved),
            None => {}
        }
        loaded_pc.map_or(Ok(()), |value| self.interwork(value))
    }

    pub(super) fn store_list<B: Bus>(
        &mut self,
        bus: &mut B,
        one: &Instruction,
    ) -> Result<(), Leave> {
        let (first, moved) = self.range(one)?;
        let (mut left, mut address) = self.resume(one.immediate, first);
        while left != 0 {
            let number = left.trailing_zeros() as usize & 15;
            if self.data.is_some() && self.is_interrupted(bus) {
                // The exception's frame covers what was stored below the stack pointer: PUSH begins again.
                let pushes = usize::from(one.n) == SP && first != self.r[SP];
                let leave = self.interrupted(one, number);
                return Err(if pushes { Leave::Interrupted(0) } else { leave });
            }
            left &= left - 1;
            self.store(bus, address, self.r[number], Width::Word)?;
            address = address.wrapping_add(4);
        }
        if one.index != Index::Offset {
            self.write_result(one.n, moved);
        }
        Ok(())
    }
}
