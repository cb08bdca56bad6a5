//! Line status, and the interrupt that goes before all others.

use super::*;

impl Uart {
    pub(super) fn lsr(&self) -> u32 {
        let empty = self.holding.is_empty();
        let holding = if empty { LSR_HOLDING_EMPTY } else { 0 };
        let transmitter = if empty && self.shifting.is_none() { LSR_TRANSMITTER_EMPTY } else { 0 };
        self.received.status() | holding | transmitter
    }

    pub(super) fn read_lsr(&mut self) -> u32 {
        let lsr = self.lsr();
        self.received.clear_errors();
        lsr
    }

    pub(super) fn interrupt(&self) -> u32 {
        let enabled = |bit| self.ier & bit != 0;
        if enabled(IER_LINE) && self.received.errors() != 0 {
            IIR_LINE
        } else if enabled(IER_RECEIVE) && self.received.len() >= self.trigger() {
            IIR_RECEIVE
        } else if enabled(IER_RECEIVE) && self.timed_out {
            IIR_TIME_OUT
        } else if enabled(IER_TRANSMIT) && self.holding_empty {
            IIR_TRANSMIT
        } else {
            IIR_NONE
        }
    }

    pub(super) fn read_iir(&mut self) -> u32 {
        let interrupt = self.interrupt();
        if interrupt == IIR_TRANSMIT {
            self.holding_empty = false;
        }
        interrupt | if self.fifo() { 0xC0 } else { 0 }
    }

    pub(super) fn drive_interrupt(&mut self, port: &mut Port) {
        let interrupting = self.interrupt() != IIR_NONE;
        if interrupting != self.interrupting {
            self.interrupting = interrupting;
            port.drive(INTERRUPT, interrupting.into());
        }
    }
}
