//! Special registers, hints with an effect, barriers, and traps (ARM DDI 0403, B5.2).

use super::decoder::{Instruction, Operation as O};
use super::exceptions::{output, Fault, Leave};
use super::psr::{FLAGS, Q};
use super::{Armv7m, SP};
use crate::bus::Bus;

/// CONTROL: thread mode has no privilege.
const UNPRIVILEGED: u32 = 1;
/// CONTROL: thread mode has the process stack.
const PROCESS_STACK: u32 = 2;

/// The immediate of BKPT that calls the host.
const HOST_CALL: u32 = 0xAB;

impl Armv7m {
    #[inline(never)]
    pub(super) fn control<B: Bus>(&mut self, bus: &mut B, one: &Instruction) -> Result<(), Leave> {
        match one.operation {
            O::Mrs => {
                let value = self.special(one.immediate);
                self.write_result(one.d, value);
            }
            O::Msr => {
                let value = self.r[usize::from(one.n)];
                self.set_special(one.immediate, value, one.amount);
            }
            O::Cps if self.is_privileged() => {
                let on = one.immediate & 0x10 != 0;
                if one.immediate & 2 != 0 {
                    self.primask = on;
                }
                if one.immediate & 1 != 0 {
                    self.set_faultmask(on);
                }
                self.masks_changed();
            }
            O::Clrex => self.exclusive = false,
            O::Sev => self.event = true,
            O::Wfi => self.wait_for_interrupt(bus),
            O::Wfe => self.wait_for_event(bus),
            O::Svc => return Err(Leave::Call),
            O::Bkpt if one.immediate == HOST_CALL && self.host_calls => return Err(Leave::Host),
            O::Bkpt => return Err(Fault::Breakpoint.into()),
            _ => {}
        }
        Ok(())
    }

    /// FAULTMASK cannot be set at the priority of HardFault and above.
    fn set_faultmask(&mut self, on: bool) {
        if !on || self.execution_priority() > -1 {
            self.faultmask = on;
        }
    }

    /// The flags as the application's status register has them.
    pub(super) fn apsr(&self) -> u32 {
        self.flags | if self.saturated { Q } else { 0 }
    }

    pub(super) fn set_apsr(&mut self, value: u32) {
        (self.flags, self.saturated) = (value & FLAGS, value & Q != 0);
    }

    /// MRS.
    fn special(&self, number: u32) -> u32 {
        match number {
            0..=7 => {
                let ipsr = if number & 1 != 0 { u32::from(self.ipsr) } else { 0 };
                // EPSR reads as 0.
                let apsr = if number & 4 == 0 { self.apsr() } else { 0 };
                ipsr | apsr
            }
            _ if !self.is_privileged() && number != 20 => 0,
            8 => self.main_stack(),
            9 => self.process_stack(),
            16 => self.primask.into(),
            17 | 18 => self.basepri.into(),
            19 => self.faultmask.into(),
            20 => self.control_register(),
            _ => 0,
        }
    }

    /// MSR; bit 1 of `mask` selects the flags.
    fn set_special(&mut self, number: u32, value: u32, mask: u8) {
        if number < 8 {
            if number & 4 == 0 && mask & 2 != 0 {
                self.set_apsr(value);
            }
            return;
        }
        if !self.is_privileged() {
            return;
        }
        let level = value as u8 & self.nvic.priority_mask();
        match number {
            8 => self.set_main_stack(value & !3),
            9 => self.set_process_stack(value & !3),
            16 => self.primask = value & 1 != 0,
            17 => self.basepri = level,
            18 if level != 0 && (level < self.basepri || self.basepri == 0) => self.basepri = level,
            19 => self.set_faultmask(value & 1 != 0),
            20 => self.set_control_register(value),
            _ => {}
        }
        self.masks_changed();
    }

    /// CONTROL.
    pub(super) fn control_register(&self) -> u32 {
        let unprivileged = if self.unprivileged { UNPRIVILEGED } else { 0 };
        unprivileged | if self.on_process_stack { PROCESS_STACK } else { 0 }
    }

    /// Handlers keep the main stack.
    pub(super) fn set_control_register(&mut self, value: u32) {
        self.unprivileged = value & UNPRIVILEGED != 0;
        if !self.is_handling() {
            self.use_stack(value & PROCESS_STACK != 0);
        }
    }

    /// Selects the stack pointer that r13 is.
    pub(super) fn use_stack(&mut self, process: bool) {
        if self.on_process_stack != process {
            std::mem::swap(&mut self.r[SP], &mut self.other_stack);
            self.on_process_stack = process;
        }
    }

    pub(super) fn main_stack(&self) -> u32 {
        if self.on_process_stack {
            self.other_stack
        } else {
            self.r[SP]
        }
    }

    pub(super) fn process_stack(&self) -> u32 {
        if self.on_process_stack {
            self.r[SP]
        } else {
            self.other_stack
        }
    }

    pub(super) fn set_main_stack(&mut self, value: u32) {
        if self.on_process_stack {
            self.other_stack = value;
        } else {
            self.r[SP] = value;
        }
    }

    pub(super) fn set_process_stack(&mut self, value: u32) {
        if self.on_process_stack {
            self.r[SP] = value;
        } else {
            self.other_stack = value;
        }
    }

    /// WFI: the part around the core decides how it sleeps, and until when.
    fn wait_for_interrupt<B: Bus>(&mut self, bus: &mut B) {
        if !self.would_wake() {
            self.ask_to_sleep(bus);
        }
    }

    /// WFE.
    fn wait_for_event<B: Bus>(&mut self, bus: &mut B) {
        if !std::mem::take(&mut self.event) && !self.would_wake() {
            self.sleeps_for_event = true;
            self.ask_to_sleep(bus);
        }
    }

    pub(super) fn ask_to_sleep<B: Bus>(&mut self, bus: &mut B) {
        bus.wakes_by(self.wakers());
        (self.asleep_since, self.attention) = (Some(bus.now()), true);
        let level = 1 + u32::from(self.scb.sleeps_deeply());
        [level, 0].into_iter().for_each(|level| bus.signal(output::SLEEP, level));
    }
}
