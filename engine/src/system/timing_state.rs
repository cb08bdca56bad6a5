//! The state in which accesses leave the memories, to be kept and set again.

use super::hot::NO_LINE;
use super::System;
use crate::timing::MemoryTiming;

impl System {
    /// The state of all memories now: equal states answer alike.
    pub(crate) fn timing_state(&self) -> Vec<u64> {
        let mut state = Vec::new();
        self.memories.iter().for_each(|memory| memory.timing.state_at(self.hot.now, &mut state));
        state
    }

    /// Lets all memories remember what they did when `state` was kept.
    pub(crate) fn set_timing_state(&mut self, state: &[u64]) {
        let mut numbers = state.iter().copied();
        let now = self.hot.now;
        self.memories.iter_mut().for_each(|memory| memory.timing.set_state(now, &mut numbers));
        self.hot.line = NO_LINE;
    }
}
