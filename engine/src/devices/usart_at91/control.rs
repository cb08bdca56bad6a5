//! Writes to the registers that control the USART: US_CR, US_MR.

use super::{Usart, TIMEOUT};
use crate::device::Port;

/// CHMODE.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum ChannelMode {
    Normal,
    Echo,
    LocalLoopback,
    RemoteLoopback,
}

impl Usart {
    pub(super) fn channel_mode(&self) -> ChannelMode {
        use ChannelMode::{Echo, LocalLoopback, Normal, RemoteLoopback};
        [Normal, Echo, LocalLoopback, RemoteLoopback][self.mode as usize >> 14 & 3]
    }

    pub(super) fn write_control(&mut self, value: u32, port: &mut Port) {
        let asks = |bit: u32| value & 1 << bit != 0;
        if asks(2) {
            (self.receives, self.received) = (false, false);
        }
        if asks(3) {
            self.reset_transmitter(port);
        }
        if asks(5) {
            self.receives = false;
        } else if asks(4) {
            self.receives = true;
        }
        if asks(7) {
            self.transmits = false;
        } else if asks(6) {
            self.transmits = true;
        }
        if asks(8) {
            self.latched &= TIMEOUT;
        }
        if asks(9) {
            self.breaks = true;
        }
        if asks(10) {
            self.stop_break(port);
        }
        if asks(11) {
            self.start_time_out();
        }
        self.addresses |= asks(12);
        self.start_frame(port);
    }

    pub(super) fn write_mode(&mut self, value: u32, port: &mut Port) {
        let before = self.channel_mode();
        self.mode = value & 0x7_FFF0;
        if self.channel_mode() != before {
            self.mode_since = port.now();
        }
        if value & 1 << 8 != 0 {
            port.unmodelled("synchronous mode of usart_at91: it is asynchronous");
        }
        if value >> 4 & 3 > 1 {
            port.unmodelled("usart_at91 on the clock of SCK: it takes MCK / 8");
        }
    }
}
