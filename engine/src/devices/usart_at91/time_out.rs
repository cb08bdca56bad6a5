//! The receiver's time-out: so long after a character without another one (US_RTOR).

use super::{Usart, TIMEOUT};
use crate::time::Cycle;

/// Bits of a count.
const COUNT_BITS: Cycle = 4;

impl Usart {
    /// STTTO: the count begins behind the next character.
    pub(super) fn start_time_out(&mut self) {
        self.latched &= !TIMEOUT;
        (self.times_out, self.awaits_first) = (None, true);
    }

    /// A character came: the count begins anew, if one runs or waits for a first character.
    pub(super) fn character_came(&mut self, now: Cycle) {
        if self.time_out > 0 && (self.awaits_first || self.times_out.is_some()) {
            let bits = COUNT_BITS * Cycle::from(self.time_out);
            self.times_out = self.line().bits(bits).map(|cycles| now + cycles);
            self.awaits_first = false;
        }
    }

    pub(super) fn check_time_out(&mut self, now: Cycle) {
        if self.times_out.is_some_and(|at| at <= now) {
            self.times_out = None;
            self.latched |= TIMEOUT;
        }
    }
}
