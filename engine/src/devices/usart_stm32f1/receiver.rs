//! The receiver: one register, and flags that a sequence of reads clears.

use super::*;

impl Usart {
    /// A character arrives, at the end of its frame.
    pub(super) fn receive(&mut self, value: u32, port: &mut Port) {
        if self.gate.is_halted() {
            return port.unmodelled(format!("a character to {PART} without its clock: it is lost"));
        }
        if !self.is_on(RE) {
            return;
        }
        // One frame of silence behind it makes the line idle.
        port.schedule(LINE_IDLE, port.now() + self.frame_cycles());
        if self.received.is_some() {
            // RDR keeps what it has.
            self.flags |= ORE;
            return;
        }
        if value & (FRAMING_ERROR | BREAK) != 0 {
            self.flags |= FE;
        }
        if value & PARITY_ERROR != 0 && self.control[0] & PCE != 0 {
            self.flags |= PE;
        }
        self.received = Some(if value & BREAK != 0 { 0 } else { self.word_of(value) });
    }

    /// DR is read.
    pub(super) fn read_data(&mut self) -> u32 {
        self.flags &= !(self.seen & BY_READING);
        self.seen &= TC;
        if let Some(data) = self.received.take() {
            self.data = data;
        }
        self.data
    }
}
