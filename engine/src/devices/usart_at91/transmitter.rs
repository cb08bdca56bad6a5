//! The transmitter: holding and shift register, time guard, breaks.

use super::{ChannelMode, Usart, BREAK, NINTH, TXD};
use crate::device::{Character, Port};
use crate::time::Cycle;

/// Bits of idle line behind a break.
const IDLE_BITS: Cycle = 12;

impl Usart {
    /// TXRDY: THR takes a character.
    pub(super) fn can_hold(&self) -> bool {
        self.transmits && self.holding.is_none() && !self.breaks
    }

    /// TXEMPTY: nothing is sent, and nothing waits to be.
    pub(super) fn is_transmitter_empty(&self) -> bool {
        self.transmits && self.holding.is_none() && self.ends.is_none() && !self.breaks
    }

    pub(super) fn write_holding(&mut self, value: u32, port: &mut Port) {
        if self.holding.is_some() {
            port.unmodelled(
                "a character written to THR of usart_at91 before TXRDY: the one there is lost",
            );
        }
        self.hold(value, port);
    }

    /// A character for THR.
    pub(super) fn hold(&mut self, value: u32, port: &mut Port) {
        let word = self.line().word(value);
        let ninth = word & 1 << 8 != 0 || (self.line().is_multidrop() && self.addresses);
        self.addresses = false;
        self.holding = Some(word & 0xFF | if ninth { NINTH } else { 0 });
        self.start_frame(port);
    }

    /// Begins the next frame, or break, if the line is free and the clock runs.
    pub(super) fn start_frame(&mut self, port: &mut Port) {
        if self.ends.is_some() || !self.transmits || self.halted {
            return;
        }
        let Some(frame) = self.line().frame() else { return };
        let next = if self.breaks { Some(BREAK) } else { self.holding.take() };
        if let Some(value) = next.filter(|_| self.shifting.is_none() || !self.breaks) {
            self.shifting = Some(value);
            self.on_pin = self.channel_mode() == ChannelMode::Normal;
            let ends = port.now() + frame;
            self.ends = Some(ends);
            if let Some(framing) = self.line().framing().filter(|_| self.on_pin) {
                port.begin(TXD, Character { value, framing, ends });
            }
        }
    }

    /// The frame under way is over, or the idle time behind it.
    pub(super) fn end_frame(&mut self, port: &mut Port) {
        let Some(at) = self.ends.take() else { return };
        let value = self.shifting.take();
        if let Some(value) = value {
            if self.on_pin {
                port.send(TXD, value);
            } else if self.channel_mode() == ChannelMode::LocalLoopback {
                self.receive(value, port);
            }
            if value & BREAK != 0 {
                if self.breaks {
                    self.shifting = Some(BREAK); // the line stays low until STPBRK
                } else {
                    self.idle_behind_break(at);
                }
                return;
            }
            let guard = self.line().bits(self.time_guard.into()).filter(|cycles| *cycles > 0);
            if let Some(guard) = guard {
                self.ends = Some(at + guard);
                return;
            }
        }
        self.start_frame(port);
    }

    /// STPBRK: an idle line of some bits, then the next character.
    pub(super) fn stop_break(&mut self, port: &Port) {
        if !std::mem::take(&mut self.breaks) || self.shifting != Some(BREAK) {
            return;
        }
        if self.ends.is_none() {
            self.shifting = None;
            self.idle_behind_break(port.now());
        }
    }

    fn idle_behind_break(&mut self, from: Cycle) {
        self.ends = self.line().bits(IDLE_BITS).map(|idle| from + idle);
    }

    pub(super) fn reset_transmitter(&mut self, port: &mut Port) {
        (self.transmits, self.breaks, self.holding) = (false, false, None);
        if self.shifting.is_some() && self.ends.is_some() {
            port.unmodelled("the transmitter of usart_at91 reset in a frame: the frame goes on");
        } else {
            (self.shifting, self.ends) = (None, None);
        }
    }
}
