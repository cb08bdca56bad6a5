//! The transmitter: its buffer, the shift register, and when frames begin.

use super::{Usart, FRAME_END, LOAD, NINTH, TXB8, TXD, TXEN};
use crate::device::{Character, Port};

impl Usart {
    /// The CPU writes UDRn.
    pub(super) fn write_data(&mut self, value: u8, port: &mut Port) {
        if self.control & TXEN == 0 || self.buffer.is_some() {
            let why = if self.buffer.is_some() { "while UDREn is 0" } else { "without TXENn" };
            return port.unmodelled(format!("a character written to UDRn {why}: it is lost"));
        }
        self.buffer = Some(u16::from(self.control & TXB8) << 8 | u16::from(value));
        if self.shifting.is_none() {
            let ticks = (port.now() - self.counted_from) / self.tick_cycles() + 1;
            port.schedule(LOAD, self.counted_from + ticks * self.tick_cycles());
        }
    }

    /// The shift register takes the character of the buffer, and its frame begins.
    pub(super) fn load(&mut self, port: &mut Port) {
        if self.shifting.is_some() || self.halted {
            return;
        }
        let Some(data) = self.buffer.take() else { return };
        let framing = self.framing_now();
        let kept = (1 << framing.data_bits.min(8)) - 1;
        let ninth = framing.data_bits == 9 && data & 1 << 8 != 0;
        let value = u32::from(data) & kept | if ninth { NINTH } else { 0 };
        let ends = port.now() + self.frame_cycles();
        (self.shifting, self.ends) = (Some(value), Some(ends));
        port.begin(TXD, Character { value, framing, ends });
        port.schedule(FRAME_END, ends);
    }

    /// The frame in the shift register is over.
    pub(super) fn end_frame(&mut self, port: &mut Port) {
        self.ends = None;
        if let Some(value) = self.shifting.take() {
            port.send(TXD, value);
        }
        self.complete |= self.buffer.is_none();
        self.load(port);
    }
}
