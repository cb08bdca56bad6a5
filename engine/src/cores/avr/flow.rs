//! Skips, branches, jumps, calls and returns.

use super::decoder::{operation, Instruction, Operation as O};
use super::exceptions::Leave;
use super::transfer::Z;
use super::Avr;
use crate::bus::Bus;

impl Avr {
    /// Skips, branches, jumps, calls and returns.
    #[inline(always)]
    pub(super) fn go<B: Bus>(
        &mut self,
        bus: &mut B,
        instruction: Instruction,
    ) -> Result<(), Leave> {
        let operation = instruction.operation;
        let (d, bit) = (instruction.d(), instruction.constant());
        match operation {
            O::Cpse => self.skip(bus, self.r[d] == self.r[instruction.r()])?,
            O::Sbrc => self.skip(bus, self.r[d] & bit == 0)?,
            O::Sbrs => self.skip(bus, self.r[d] & bit != 0)?,
            O::Sbic | O::Sbis => {
                let value = self.load(bus, instruction.io())?;
                self.skip(bus, (value & bit != 0) == matches!(operation, O::Sbis))?;
            }
            O::Brbs | O::Brbc => {
                let taken = self.flags.has(instruction.flag()) == matches!(operation, O::Brbs);
                bus.idle(1 + u32::from(taken));
                self.advance(if taken { instruction.distance().wrapping_add(1) } else { 1 });
            }
            O::Rjmp => {
                bus.idle(operation.cycles());
                self.advance(instruction.distance().wrapping_add(1));
            }
            O::Jmp => {
                let target = instruction.target(self.fetch(bus, 1)?);
                bus.idle(operation.cycles());
                self.jump(target);
            }
            O::Ijmp | O::Eijmp => {
                bus.idle(operation.cycles());
                self.jump(self.indirect(matches!(operation, O::Eijmp)));
            }
            O::Rcall => {
                let target = self.pc.wrapping_add(instruction.distance().wrapping_add(1));
                self.call(bus, operation, target)?;
            }
            O::Call => {
                let target = instruction.target(self.fetch(bus, 1)?);
                self.call(bus, operation, target)?;
            }
            O::Icall | O::Eicall => {
                let target = self.indirect(matches!(operation, O::Eicall));
                self.call(bus, operation, target)?;
            }
            _ => {
                let target = self.pop_address(bus)?;
                bus.idle(operation.cycles() - 3);
                self.jump(target);
            }
        }
        Ok(())
    }

    #[inline(always)]
    pub(super) fn jump(&mut self, word: u32) {
        self.pc = word & self.pc_mask;
    }

    /// The target in Z, with EIND above it if it is extended.
    #[inline(always)]
    fn indirect(&self, extended: bool) -> u32 {
        let above = if extended { u32::from(self.eind) << 16 } else { 0 };
        above | u32::from(self.r.pair(Z))
    }

    /// Goes on behind the following instruction if it `skips`: one cycle, and one for each word skipped.
    #[inline(always)]
    fn skip<B: Bus>(&mut self, bus: &mut B, skips: bool) -> Result<(), Leave> {
        let words = match skips {
            true if operation(self.fetch(bus, 1)?).is_long() => 3,
            true => 2,
            false => 1,
        };
        bus.idle(words);
        self.advance(words);
        Ok(())
    }

    #[inline(always)]
    fn call<B: Bus>(&mut self, bus: &mut B, operation: O, target: u32) -> Result<(), Leave> {
        bus.idle(operation.cycles() - 3);
        let following = self.pc.wrapping_add(1 + u32::from(operation.is_long())) & self.pc_mask;
        self.push_address(bus, following)?;
        self.jump(target);
        Ok(())
    }
}
