//! Counts executions of a block, until it is to be translated.

/// The executions that a block has before it, and whether it has any.
#[derive(Clone, Copy, Debug, Default)]
pub(crate) struct Heat {
    /// Executions before it is asked whether it shall be translated.
    left: u32,
}

impl Heat {
    /// Of a block that none translates.
    pub const NONE: Heat = Heat { left: 0 };

    /// Of a block that has not executed: it is hot after so many executions; or never.
    pub fn new(after: Option<u32>) -> Self {
        Heat { left: after.unwrap_or_default() }
    }

    /// Counts an execution. Whether the block is hot now.
    #[inline(always)]
    pub fn rises(&mut self) -> bool {
        self.left = self.left.wrapping_sub(1);
        self.left == 0
    }

    /// It has so many translations: each waits for twice as many executions as the one before.
    pub fn wait(&mut self, after: u32, translations: u32) {
        self.left = after.saturating_mul(1 << translations);
    }

    /// How often the block has executed: at least once if it is known.
    pub fn executions(self, after: u32, is_translated: bool) -> u64 {
        if is_translated || self.left > after {
            return after.into();
        }
        u64::from((after - self.left).max(1))
    }
}
