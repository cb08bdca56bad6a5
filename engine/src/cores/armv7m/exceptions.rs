//! Exceptions: entry, return, and what follows when none can be taken (ARM DDI 0403, B1.5).

mod entry;
mod faults;
mod leave;

use super::nvic::{LOWEST, OF_HARD_FAULT};
use super::psr::{it_bits, it_of, T};
use super::Armv7m;
use crate::bus::{Bus, Status};

pub(super) use faults::{without_vector, Fault, LOCKED_UP};

/// The inputs of the core, by number.
pub mod input {
    /// Interrupts from outside that there may be: inputs 0 and on.
    pub const INTERRUPTS: usize = 61;
    /// One bit for each of them.
    pub(in super::super) const ALL_INTERRUPTS: u64 = (1 << INTERRUPTS) - 1;
    /// The interrupt that no mask holds off.
    pub const NMI: usize = 61;
    /// The tick of the system timer.
    pub const SYSTICK: usize = 62;
    /// An event from outside, which ends WFE.
    pub const EVENT: usize = 63;
    /// Their names.
    pub(in super::super) static NAMES: [&str; 64] = [
        "irq0", "irq1", "irq2", "irq3", "irq4", "irq5", "irq6", "irq7", "irq8", "irq9", "irq10",
        "irq11", "irq12", "irq13", "irq14", "irq15", "irq16", "irq17", "irq18", "irq19", "irq20",
        "irq21", "irq22", "irq23", "irq24", "irq25", "irq26", "irq27", "irq28", "irq29", "irq30",
        "irq31", "irq32", "irq33", "irq34", "irq35", "irq36", "irq37", "irq38", "irq39", "irq40",
        "irq41", "irq42", "irq43", "irq44", "irq45", "irq46", "irq47", "irq48", "irq49", "irq50",
        "irq51", "irq52", "irq53", "irq54", "irq55", "irq56", "irq57", "irq58", "irq59", "irq60",
        "nmi", "systick", "event",
    ];
}

/// The core's outputs.
pub(super) mod output {
    use crate::core::REQUESTED;

    /// WFI, WFE, or a return with SLEEPONEXIT asks to sleep: 1, or 2 for deep sleep, and 0 at once.
    pub const SLEEP: usize = 0;
    /// The program asks for a reset of the part: 1, and 0 at once.
    pub const RESET: usize = 1;
    /// Their names, and that of what wakes the part.
    pub static NAMES: [&str; 3] = ["sleep_asked", "reset_asked", REQUESTED];
}

/// Numbers of exceptions.
pub(super) mod number {
    pub const NMI: usize = 2;
    pub const HARD_FAULT: usize = 3;
    pub const MEMORY: usize = 4;
    pub const BUS: usize = 5;
    pub const USAGE: usize = 6;
    pub const CALL: usize = 11;
    pub const DEBUG: usize = 12;
    pub const PEND_SV: usize = 14;
    pub const SYSTICK: usize = 15;
}

/// Why an instruction does not end as others do.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Leave {
    /// It cannot be executed.
    Fault(Fault),
    /// It has branched to a value that ends an exception.
    Return(u32),
    /// SVC.
    Call,
    /// It has called the host.
    Host,
    /// An exception interrupts it. It executes again from here on: this register of its list, or 0 from the beginning.
    Interrupted(u8),
}

impl From<Fault> for Leave {
    fn from(fault: Fault) -> Self {
        Leave::Fault(fault)
    }
}

/// The result of a look at what waits.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Looked {
    /// The board wants the core to stop.
    Stop,
    /// An exception was entered.
    Entered,
    /// Nothing is to be taken.
    Nothing,
}

/// Modes, as a board hears of them.
const THREAD: u8 = 0;
const HANDLER: u8 = 1;

impl Armv7m {
    /// Whether an exception is being handled.
    #[inline(always)]
    pub(super) fn is_handling(&self) -> bool {
        self.ipsr != 0
    }

    #[inline(always)]
    pub(super) fn is_privileged(&self) -> bool {
        !self.unprivileged || self.is_handling()
    }

    #[inline(always)]
    pub(super) fn status(&self) -> Status {
        Status { masked: self.masked, mode: self.mode() }
    }

    pub(super) fn mode(&self) -> u8 {
        if self.is_handling() {
            HANDLER
        } else {
            THREAD
        }
    }

    /// The priority at which the program executes, with its masks or without PRIMASK.
    fn priority_with(&self, primask: bool) -> i16 {
        let base = if self.basepri == 0 { LOWEST } else { self.nvic.grouped(self.basepri) };
        let masks = match (self.faultmask, primask) {
            (true, _) => OF_HARD_FAULT,
            (_, true) => 0,
            _ => base,
        };
        self.nvic.active_priority().min(masks).min(base)
    }

    /// The priority at which the program executes.
    pub(super) fn execution_priority(&self) -> i16 {
        self.execution
    }

    /// Something changed that decides what may be taken: the next boundary looks.
    pub(super) fn masks_changed(&mut self) {
        self.execution = self.priority_with(self.primask);
        self.masked = self.nvic.masked(self.execution);
        self.attention = true;
    }

    /// Whether something waits that would end a sleep.
    pub(super) fn would_wake(&self) -> bool {
        self.nvic.first(self.priority_with(false)).is_some()
    }

    /// Inputs that would end a sleep.
    pub(super) fn wakers(&self) -> u64 {
        let masked = self.nvic.masked(self.priority_with(false));
        let any = if self.scb.sends_event_on_pending() { self.nvic.existing() } else { 0 };
        let event = u64::from(self.sleeps_for_event) << input::EVENT;
        !masked & !(1 << input::EVENT) | super::nvic::to_inputs(any) | event
    }

    /// Looks at the inputs, and takes the exception that goes first if there is one.
    #[inline(never)]
    pub(super) fn look<B: Bus>(&mut self, bus: &mut B) -> Looked {
        let pending = bus.pending();
        if pending.stop {
            return Looked::Stop;
        }
        if let Some(since) = self.asleep_since.take() {
            self.sleeps_for_event = false;
            self.dwt.count_sleep(bus.now() - since);
        }
        self.sample(bus, pending.inputs);
        if let Some(number) = self.nvic.first(self.execution) {
            self.interrupt(bus, number);
            return Looked::Entered;
        }
        self.attention = self.nvic.lines != 0;
        Looked::Nothing
    }

    /// Whether an exception is to interrupt the instruction that executes.
    #[inline(always)]
    pub(super) fn is_interrupted<B: Bus>(&mut self, bus: &mut B) -> bool {
        bus.now() >= bus.next_check() && self.is_interrupted_now(bus)
    }

    #[cold]
    fn is_interrupted_now<B: Bus>(&mut self, bus: &mut B) -> bool {
        let inputs = bus.pending().inputs;
        self.sample(bus, inputs);
        self.attention = true;
        self.scb.interrupts_instructions() && self.nvic.first(self.execution).is_some()
    }

    /// Looks at the inputs. Those that count moments are acknowledged at once.
    fn sample<B: Bus>(&mut self, bus: &mut B, inputs: u64) {
        let news = self.nvic.sample(inputs & !(1 << input::EVENT));
        for moment in [input::SYSTICK, input::EVENT] {
            if inputs >> moment & 1 != 0 {
                bus.acknowledge(moment);
                self.nvic.lines &= !(1 << moment);
            }
        }
        self.event |= inputs >> input::EVENT & 1 != 0 || news && self.scb.sends_event_on_pending();
    }

    /// XPSR, without the bit that a frame on a stack has.
    pub(super) fn xpsr(&self) -> u32 {
        let thumb = if self.thumb { T } else { 0 };
        self.apsr() | it_bits(self.it) | self.continuation_bits() | thumb | u32::from(self.ipsr)
    }

    /// Sets flags and execution state from XPSR.
    pub(super) fn set_xpsr(&mut self, value: u32) {
        self.set_apsr(value);
        self.it = it_of(value);
        self.thumb = value & T != 0;
        self.ipsr = (value & 0x1FF) as u16;
    }
}
