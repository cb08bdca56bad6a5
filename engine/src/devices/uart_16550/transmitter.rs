//! The transmitter: holding FIFO, shift register, and when its interrupt rises.

use super::{Uart, FRAME_END, HOLDING_EMPTY, TER_ENABLE, TXD};
use crate::device::Port;
use crate::time::Cycle;

impl Uart {
    pub(super) fn write_holding(&mut self, data: u8, port: &mut Port) {
        if !self.fifo() {
            port.unmodelled(
                "uart_16550 with its FIFOs off, which the manual forbids: one byte deep",
            );
        }
        self.holding_empty = false;
        self.set_due(HOLDING_EMPTY, None, port);
        if self.holding.len() == self.depth() {
            port.unmodelled("a byte written to a full transmit FIFO of uart_16550: it was lost");
            return;
        }
        self.holding.push_back(data);
        self.held_two |= self.holding.len() >= 2;
        self.start_frame(None, port);
    }

    /// Starts the next frame, if there is one and the shift register is free: right behind the one
    /// that ended at `previous_end`, or at the next PCLK edge.
    pub(super) fn start_frame(&mut self, previous_end: Option<Cycle>, port: &mut Port) {
        if self.shifting.is_some() || self.ter & TER_ENABLE == 0 {
            return;
        }
        let Some(data) = self.holding.pop_front() else { return };
        let remainder = previous_end.map_or(0, |_| self.remainder);
        let (end, remainder) = self.line().frame_end(previous_end.unwrap_or(port.now()), remainder);
        self.remainder = remainder;
        self.shifting = Some(self.line().word(data.into()));
        self.set_due(FRAME_END, Some(end), port);
        if self.holding.is_empty() {
            self.holding_emptied(port);
        }
    }

    pub(super) fn end_frame(&mut self, at: Cycle, port: &mut Port) {
        let Some(data) = self.shifting.take() else { return };
        if self.txd_selected {
            port.send(TXD, data.into());
        } else {
            port.unmodelled("a byte sent while PINSEL does not select TXD: it was lost");
        }
        self.start_frame(Some(at), port);
    }

    /// THRE rises: with its interrupt at once if the FIFO was in use, else after a delay that gives
    /// software the time to write more.
    fn holding_emptied(&mut self, port: &mut Port) {
        if self.held_two {
            self.holding_empty = true;
        } else {
            self.delay_holding_empty(port);
        }
        self.held_two = false;
    }

    pub(super) fn delay_holding_empty(&mut self, port: &mut Port) {
        let at = self.line().after(port.now(), self.line().frame_without_stop_rclk());
        self.set_due(HOLDING_EMPTY, Some(at), port);
    }

    pub(super) fn clear_transmit_fifo(&mut self, port: &mut Port) {
        if !self.holding.is_empty() {
            self.holding.clear();
            self.holding_emptied(port);
        }
    }
}
