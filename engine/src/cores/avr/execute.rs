//! Executes one instruction.

use super::decoder::{instruction, Instruction, Operation as O, Reach};
use super::exceptions::{output, Leave, PROGRAM_WRITE, UNDEFINED};
use super::flags::flag;
use super::{Avr, FETCH};
use crate::bus::Bus;

impl Avr {
    /// Executes the instruction at the program counter.
    #[inline(always)]
    pub(super) fn execute_next<B: Bus>(&mut self, bus: &mut B) -> Result<(), Leave> {
        let opcode = self.fetch(bus, 0)?;
        self.execute(bus, instruction(opcode))
    }

    /// The opcode so many words ahead.
    #[inline(always)]
    pub(super) fn fetch<B: Bus>(&mut self, bus: &mut B, ahead: u32) -> Result<u16, Leave> {
        let address = 2 * (self.pc.wrapping_add(ahead) & self.pc_mask);
        Ok(bus.fetch(address, FETCH)? as u16)
    }

    /// Executes the instruction.
    #[inline(always)]
    pub(super) fn execute<B: Bus>(
        &mut self,
        bus: &mut B,
        instruction: Instruction,
    ) -> Result<(), Leave> {
        self.shadow = false;
        let operation = instruction.operation;
        match operation.reach() {
            Reach::Registers => {
                self.compute(instruction);
                bus.idle(operation.cycles());
                self.advance(1);
            }
            Reach::Memory => {
                self.transfer(bus, instruction)?;
                self.advance(1 + u32::from(operation.is_long()));
            }
            Reach::Flow => self.go(bus, instruction)?,
            Reach::Control => return self.control(bus, operation),
        }
        self.retired += 1;
        Ok(())
    }

    /// Instructions that change whether interrupts are taken, or that concern the world outside.
    #[inline(never)]
    fn control<B: Bus>(&mut self, bus: &mut B, operation: O) -> Result<(), Leave> {
        match operation {
            O::Sei => {
                bus.idle(1);
                self.flags.set(flag::I, true);
                self.shadow = true;
            }
            O::Cli => {
                bus.idle(1);
                self.flags.set(flag::I, false);
            }
            O::Reti => {
                let target = self.pop_address(bus)?;
                bus.idle(operation.cycles() - 3);
                self.jump(target);
                self.flags.set(flag::I, true);
                self.shadow = true;
                self.retired += 1;
                bus.left_exception();
                return Ok(());
            }
            O::Sleep | O::Wdr => {
                let sleeps = matches!(operation, O::Sleep);
                bus.idle(1);
                let output = if sleeps { output::SLEEP } else { output::WATCHDOG_RESTART };
                let deaf = sleeps && !self.flags.has(flag::I);
                [1 + u32::from(deaf), 0].into_iter().for_each(|level| bus.signal(output, level));
            }
            O::Break => bus.idle(1),
            O::Spm => return Err(Leave::Fault(PROGRAM_WRITE)),
            _ => return Err(Leave::Fault(UNDEFINED)),
        }
        self.advance(1);
        self.retired += 1;
        if matches!(operation, O::Break) && self.host_calls {
            return Err(Leave::Host);
        }
        Ok(())
    }
}
