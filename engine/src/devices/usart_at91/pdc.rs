//! Peripheral data controller: moves characters between the USART and memory without the core.

use super::{Usart, RECEIVE, TRANSMIT};
use crate::bus::{Abort, Access, Width};
use crate::device::{Port, Tag, Transfer};

/// One of the two channels of a USART.
#[derive(Clone, Copy, Debug, Default)]
pub struct Channel {
    /// RPR or TPR: where the next character goes or comes from.
    pub pointer: u32,
    /// RCR or TCR: the characters left; 0: off.
    pub count: u32,
    /// A transfer was asked for and is not complete.
    pub moving: bool,
    /// The characters moved since the count was written last.
    moved: u32,
}

impl Channel {
    /// A character was moved.
    fn step(&mut self, bytes: u32, tag: Tag, port: &mut Port) {
        self.moving = false;
        self.pointer = self.pointer.wrapping_add(bytes);
        self.count = self.count.saturating_sub(1);
        self.moved += 1;
        if self.count == 0 {
            self.end_block(tag, port);
        }
    }

    /// RCR or TCR is written: a buffer begins, and the one before ends.
    pub fn begin_block(&mut self, count: u32, tag: Tag, port: &mut Port) {
        self.end_block(tag, port);
        self.count = count & 0xFFFF;
    }

    fn end_block(&mut self, tag: Tag, port: &mut Port) {
        let moved = std::mem::take(&mut self.moved);
        if moved > 0 {
            port.end_block(tag, moved);
        }
    }

    fn asks(&self, ready: bool) -> bool {
        ready && self.count > 0 && !self.moving
    }
}

impl Usart {
    fn width(&self) -> Width {
        if self.line().data_bits() > 8 {
            Width::Half
        } else {
            Width::Byte
        }
    }

    /// Asks for what the channels can move now.
    pub(super) fn ask_transfers(&mut self, port: &mut Port) {
        let access = Access::data(self.width());
        if self.incoming.asks(self.received) {
            self.incoming.moving = true;
            let (address, write) = (self.incoming.pointer, Some(self.holding_received));
            port.transfer(Transfer { tag: RECEIVE, address, access, write, burst: false });
        }
        if self.outgoing.asks(self.can_hold()) {
            self.outgoing.moving = true;
            let address = self.outgoing.pointer;
            port.transfer(Transfer { tag: TRANSMIT, address, access, write: None, burst: false });
        }
    }

    /// A transfer is complete.
    pub(super) fn moved(&mut self, tag: u32, answer: Result<u32, Abort>, port: &mut Port) {
        if answer.is_err() {
            port.unmodelled("a transfer of the PDC where nothing answers: the character is lost");
        }
        let bytes = self.width().bytes();
        if tag == RECEIVE && self.incoming.moving {
            self.incoming.step(bytes, tag, port);
            self.received = false;
        } else if tag == TRANSMIT && self.outgoing.moving {
            self.outgoing.step(bytes, tag, port);
            self.hold(answer.unwrap_or(0), port);
        }
    }
}
