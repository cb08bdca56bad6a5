//! Interrupts, and what an AVR has no exception for.

use super::flags::flag;
use super::Avr;
use crate::bus::{Abort, Bus, Exception, ExceptionKind, Pending};

/// The core's outputs.
pub(super) mod output {
    use crate::core::REQUESTED;

    /// SLEEP executes: 1, or 2 with interrupts off, and 0 at once.
    pub const SLEEP: usize = 0;
    /// WDR executes: 1, and 0 at once.
    pub const WATCHDOG_RESTART: usize = 1;
    /// Their names, and that of what wakes the part.
    pub static NAMES: [&str; 3] = ["sleep_asked", "watchdog_restart", REQUESTED];
}

/// Vectors that lead nowhere: what cannot go on ends the run there.
pub(super) const UNDEFINED: u32 = 0xFFFF_FFF0;
pub(super) const PROGRAM_WRITE: u32 = 0xFFFF_FFF2;
pub(super) const NOTHING_THERE: u32 = 0xFFFF_FFF4;

/// Bytes of program memory from one interrupt vector to the next.
const VECTOR_BYTES: u32 = 4;

/// Why an instruction does not end as others do.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Leave {
    /// It cannot be executed, for the reason of this vector.
    Fault(u32),
    /// It has called the host.
    Host,
}

impl From<Abort> for Leave {
    fn from(Abort: Abort) -> Self {
        Leave::Fault(NOTHING_THERE)
    }
}

impl Avr {
    /// Takes the pending interrupt of the lowest vector, if one may be taken: 5 cycles, in which the address of the
    /// next instruction is pushed.
    #[inline(always)]
    pub(super) fn take_interrupt<B: Bus>(&mut self, bus: &mut B, pending: Pending) -> bool {
        let takes = pending.inputs != 0 && self.flags.has(flag::I) && !self.shadow;
        if takes {
            self.enter_interrupt(bus, pending.inputs.trailing_zeros());
        }
        takes
    }

    #[inline(never)]
    fn enter_interrupt<B: Bus>(&mut self, bus: &mut B, input: u32) {
        let vector = VECTOR_BYTES * (input + 1);
        let exception = self.exception(ExceptionKind::Interrupt(input as usize), vector);
        bus.entering(&exception, 0);
        bus.acknowledge(input as usize);
        self.flags.set(flag::I, false);
        bus.idle(1);
        if self.push_address(bus, self.pc).is_err() {
            self.fault(bus, NOTHING_THERE);
            return;
        }
        bus.idle(1);
        self.pc = (vector / 2) & self.pc_mask;
        bus.excepted(&exception);
    }

    fn exception(&self, kind: ExceptionKind, vector: u32) -> Exception {
        let at = 2 * self.pc;
        Exception { kind, vector, at, return_to: at, stack: self.stack() }
    }

    /// The next instruction cannot be executed. The core stays before it, and a cycle goes by.
    #[cold]
    pub(super) fn fault<B: Bus>(&mut self, bus: &mut B, vector: u32) {
        bus.idle(1);
        bus.excepted(&self.exception(ExceptionKind::Fault, vector));
    }
}
