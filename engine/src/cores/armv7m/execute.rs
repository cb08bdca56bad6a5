//! Executes one instruction.

use super::decoder::{is_wide, Class, Instruction, Operation as O};
use super::exceptions::{Fault, Leave};
use super::psr::{advanced, passes};
use super::timing::Executed;
use super::{Armv7m, FETCH, PC};
use crate::bus::Bus;

/// For each eighth of all addresses, whether instructions may lie there (ARM DDI 0403, B3.1).
const EXECUTABLE: u32 = 0b0001_1011;

impl Armv7m {
    /// Executes the instruction at the program counter.
    #[inline(always)]
    pub(super) fn execute_next<B: Bus>(&mut self, bus: &mut B) -> Result<(), Leave> {
        let opcode = self.fetch(bus)?;
        let one = *self.memo.instruction(opcode);
        let address = self.pc;
        self.r[PC] = address.wrapping_add(4);
        self.next = address.wrapping_add(u32::from(one.bytes));
        (self.target, self.ahead, self.data, self.spent) = (None, None, None, 0);
        self.lead = self.pipeline.lead(&one);
        let it = self.it;
        self.in_block = it != 0;
        let mut skipped = false;
        if self.in_block {
            self.it = advanced(it);
            skipped = !passes(it >> 4, self.flags);
        }
        if !skipped {
            match self.execute(bus, &one) {
                Ok(()) => {}
                Err(leave @ (Leave::Fault(_) | Leave::Interrupted(_))) => {
                    self.it = it;
                    return Err(leave);
                }
                Err(leave) => {
                    self.finish(bus, &one, address, false);
                    return Err(leave);
                }
            }
        }
        if !skipped && matches!(one.class(), Class::Divide | Class::LongMultiply) {
            return self.finish_long(bus, &one, address, it);
        }
        self.finish(bus, &one, address, skipped);
        Ok(())
    }

    /// Fetches the opcode at the program counter.
    #[inline(always)]
    fn fetch<B: Bus>(&mut self, bus: &mut B) -> Result<u32, Leave> {
        if EXECUTABLE >> (self.pc >> 29) & 1 == 0 || !self.thumb {
            return Err(self.cannot_fetch());
        }
        let first = match self.ahead {
            Some(first) => first,
            None => fetch_half(bus, self.pc)?,
        };
        if !is_wide(first) {
            return Ok(u32::from(first));
        }
        let second = fetch_half(bus, self.pc.wrapping_add(2))?;
        Ok(u32::from(first) | u32::from(second) << 16)
    }

    #[cold]
    fn cannot_fetch(&self) -> Leave {
        let fault = if self.thumb { Fault::NotExecutable } else { Fault::InvalidState };
        fault.into()
    }

    /// The first half of the instruction that is branched to comes with the branch.
    #[inline(always)]
    pub(super) fn fetch_target<B: Bus>(&mut self, bus: &mut B, target: u32) -> u32 {
        if EXECUTABLE >> (target >> 29) & 1 == 0 || !self.thumb {
            return 0;
        }
        match fetch_half(bus, target) {
            Ok(first) => {
                self.ahead = Some(first);
                if is_wide(first) {
                    4
                } else {
                    2
                }
            }
            Err(_) => 0,
        }
    }

    /// A quotient or a long product: an exception may take its place before its last cycle.
    #[inline(never)]
    fn finish_long<B: Bus>(
        &mut self,
        bus: &mut B,
        one: &Instruction,
        address: u32,
        it: u8,
    ) -> Result<(), Leave> {
        let before = self.pipeline.clone();
        let cost = self.pipeline.pass(&self.executed(one, address, false, 0));
        for _ in 1..cost.cycles {
            bus.idle(1);
            if self.is_interrupted(bus) {
                self.pipeline = before;
                [self.r[usize::from(one.d)], self.r[usize::from(one.a)]] = self.kept;
                self.it = it;
                return Err(Leave::Interrupted(0));
            }
        }
        bus.idle(cost.cycles.min(1));
        self.count_cost(&cost);
        self.pc = self.next;
        self.retired += 1;
        Ok(())
    }

    #[inline(always)]
    fn executed<'a>(
        &self,
        instruction: &'a Instruction,
        address: u32,
        skipped: bool,
        target_bytes: u32,
    ) -> Executed<'a> {
        Executed {
            instruction,
            address,
            skipped,
            in_block: self.in_block,
            target: self.target,
            target_bytes,
            data: self.data,
            operands: self.operands,
        }
    }

    /// The instruction is over: its cycles go by.
    #[inline(always)]
    pub(super) fn finish<B: Bus>(
        &mut self,
        bus: &mut B,
        one: &Instruction,
        address: u32,
        skipped: bool,
    ) {
        let target_bytes = match self.target {
            Some(target) => self.fetch_target(bus, target),
            None => 0,
        };
        let cost = self.pipeline.pass(&self.executed(one, address, skipped, target_bytes));
        let left = cost.cycles.saturating_sub(self.spent);
        if left > 0 {
            bus.idle(left);
        }
        self.count_cost(&cost);
        (self.pc, self.continued) = (self.next, 0);
        self.retired += 1;
    }

    #[inline(always)]
    fn execute<B: Bus>(&mut self, bus: &mut B, one: &Instruction) -> Result<(), Leave> {
        match one.operation {
            O::Undefined => Err(Fault::Undefined.into()),
            O::Coprocessor => Err(Fault::NoCoprocessor.into()),
            O::B | O::Bcond | O::Bl | O::Bx | O::Blx | O::Cbz | O::Cbnz | O::Tbb | O::Tbh => {
                self.go(bus, one)
            }
            O::Ldr | O::Ldrb | O::Ldrh | O::Ldrsb | O::Ldrsh | O::Str | O::Strb | O::Strh => {
                self.transfer(bus, one)
            }
            O::Ldm | O::Ldmdb => self.load_list(bus, one),
            O::Stm | O::Stmdb => self.store_list(bus, one),
            O::Nop | O::Yield | O::Hint => Ok(()),
            O::It => {
                self.it = one.immediate as u8;
                Ok(())
            }
            operation => match operation.class() {
                Class::Arithmetic
                | Class::Multiply
                | Class::MultiplyAccumulate
                | Class::LongMultiply
                | Class::Divide => self.compute(one),
                Class::Load | Class::Store | Class::Loads | Class::Stores => {
                    self.transfer_rarely(bus, one)
                }
                _ => self.control(bus, one),
            },
        }
    }
}

fn fetch_half<B: Bus>(bus: &mut B, address: u32) -> Result<u16, Leave> {
    bus.fetch(address, FETCH).map(|half| half as u16).map_err(|_| Fault::Fetch.into())
}
