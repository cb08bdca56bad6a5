//! Counts executions of a block, until it is to be translated.

/// The executions that a block has before it, and whether it has any.
#[derive(Clone, Copy, Debug, Default)]
pub(crate) struct Heat {
    /// Executions before it is asked whether it shall be translated.
    left: u32,
    /// Its executions when none is left.
    until: u32,
}

impl Heat {
    /// Of a block that none translates.
    pub const NONE: Heat = Heat { left: 0, until: 0 };

    /// Of a block that has not executed: it is hot after so many executions; or never.
    pub fn new(after: Option<u32>) -> Self {
        let after = after.unwrap_or_default();
        Heat { left: after, until: after }
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
        self.until = self.until.saturating_add(self.left);
    }

    /// How often the block has executed outside of translated code: at least once if it is known.
    pub fn executions(self) -> u64 {
        self.until.saturating_sub(self.left).max(1).into()
    }
}
