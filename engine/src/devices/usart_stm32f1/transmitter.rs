//! The transmitter: one register before the shift register, an idle frame behind TE, breaks.

use super::*;
use crate::device::Character;

impl Usart {
    /// CR1 was written: what TE, UE and SBK begin or end.
    pub(super) fn switch(&mut self, before: u32, port: &mut Port) {
        let on = |control: u32| control & (TE | UE) == TE | UE;
        if on(self.control[0]) && !on(before) && self.ends.is_none() {
            // The transmitter begins with an idle frame.
            self.begin(None, port);
        }
        if before & RE != 0 && self.control[0] & RE == 0 {
            port.cancel(LINE_IDLE);
        }
        self.start_frame(port);
    }

    /// DR is written.
    pub(super) fn write_data(&mut self, word: u32, port: &mut Port) {
        if self.seen & TC != 0 {
            (self.flags, self.seen) = (self.flags & !TC, self.seen & !TC);
        }
        if self.waiting.is_some() {
            port.unmodelled(format!(
                "a character written to {PART} before TXE: the one there is lost"
            ));
        }
        self.waiting = Some(word & 0x1FF);
        self.start_frame(port);
    }

    /// Begins the next frame, or break, if the line is free.
    fn start_frame(&mut self, port: &mut Port) {
        if self.ends.is_some() || !self.is_on(TE) {
            return;
        }
        if self.control[0] & SBK != 0 {
            self.begin(Some(BREAK), port);
        } else if let Some(word) = self.waiting.take() {
            self.begin(Some(self.value_of(word)), port);
        }
    }

    fn begin(&mut self, value: Option<u32>, port: &mut Port) {
        let ends = port.now() + self.frame_cycles();
        (self.sending, self.ends) = (value, Some(ends));
        port.schedule(FRAME_END, ends);
        if let Some(value) = value {
            if self.reaches_pin() {
                let framing = self.framing_now();
                port.begin(TXD, Character { value, framing, ends });
            } else {
                port.unmodelled(format!("a character of {PART} whose pin is no alternate output"));
            }
        }
    }

    /// The frame under way is over.
    pub(super) fn end_frame(&mut self, port: &mut Port) {
        if self.ends.take().is_none() {
            return;
        }
        if let Some(value) = self.sending.take() {
            if self.reaches_pin() {
                port.send(TXD, value);
            }
            if value == BREAK {
                self.control[0] &= !SBK;
            }
            if self.waiting.is_none() && self.control[0] & SBK == 0 {
                self.flags |= TC;
            }
        }
        self.start_frame(port);
    }
}
