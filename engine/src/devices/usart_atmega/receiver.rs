//! The receiver: a buffer of two characters, the shift register behind it, and their errors.

use std::collections::VecDeque;

/// Characters that the buffer holds.
const BUFFER: usize = 2;

/// A character received, and the flags that go with it.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Received {
    /// Bits 8:0.
    pub data: u16,
    /// FEn, DORn and UPEn, as UCSRnA has them.
    pub errors: u8,
}

/// The buffer, and the shift register with a character that waits for space in it.
#[derive(Clone, Debug, Default)]
pub struct Receiver {
    buffer: VecDeque<Received>,
    waiting: Option<Received>,
}

impl Receiver {
    /// A character is complete. With the buffer full it waits in the shift register; the next one overruns it, and
    /// has `overrun` among its errors.
    pub fn receive(&mut self, mut one: Received, overrun: u8) {
        if self.buffer.len() < BUFFER {
            return self.buffer.push_back(one);
        }
        if self.waiting.is_some() {
            one.errors |= overrun;
        }
        self.waiting = Some(one);
    }

    /// The character that UDRn shows.
    pub fn first(&self) -> Option<Received> {
        self.buffer.front().copied()
    }

    /// Takes the first character.
    pub fn take(&mut self) -> Option<Received> {
        let first = self.buffer.pop_front();
        self.buffer.extend(self.waiting.take());
        first
    }

    /// Forgets everything.
    pub fn flush(&mut self) {
        *self = Receiver::default();
    }
}
