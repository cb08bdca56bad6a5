//! The parts of a board that its bench moves.

use super::{Board, Reason, Stop};
use crate::system::System;

impl Board {
    /// Everything but the core.
    pub(crate) fn system(&self) -> &System {
        &self.system
    }

    /// The same, to be changed.
    pub(crate) fn system_mut(&mut self) -> &mut System {
        &mut self.system
    }

    /// A stop here.
    pub(crate) fn stopped(&self, reason: Reason, sentence: String) -> Stop {
        self.stop(reason, sentence)
    }
}
