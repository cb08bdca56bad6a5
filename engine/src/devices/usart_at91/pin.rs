//! The pin of the transmitter: whose it is, and what is known of it ahead.

use super::line::SHORTEST_FRAME_CYCLES;
use super::{ChannelMode, Usart, TXD};
use crate::device::{Notice, Output, Port};

impl Usart {
    /// Whether the pin of the transmitter belongs to what is received.
    pub(super) fn echoes(&self) -> bool {
        matches!(self.channel_mode(), ChannelMode::Echo | ChannelMode::RemoteLoopback)
    }

    /// Passes a character on whose frame began behind the change of mode. Of another one the pin carried
    /// only a part.
    pub(super) fn echo(&self, value: u32, port: &mut Port) {
        let frame = self.line().frame().unwrap_or(0).max(SHORTEST_FRAME_CYCLES);
        if port.now() >= self.mode_since + frame {
            port.send(TXD, value);
        }
    }

    /// A frame ends when it does whatever happens, and no other frame ends sooner behind its cause than the
    /// shortest.
    pub(super) fn notice_of(&self, output: Output) -> Notice {
        if output != TXD {
            return Notice::default();
        }
        Notice {
            shortest_cycles: SHORTEST_FRAME_CYCLES,
            leaves: self.ends.zip(self.shifting).filter(|_| self.on_pin),
            under_way: None,
            passes: self.echoes(),
            begins: true,
        }
    }
}
