//! Limits of a guest on its host: a loop must not fill memory or disk.

/// Bounds of what a guest writes to files and opens.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Limits {
    /// By so many bytes all its files together may grow.
    pub file_bytes: u64,
    /// So many files may it make.
    pub files: u32,
}

impl Default for Limits {
    fn default() -> Self {
        Limits { file_bytes: 64 << 20, files: 1000 }
    }
}

/// Handles open at a time: a host's process has about a thousand for everything.
pub(super) const MOST_OPEN: usize = 256;

/// Remainders of the limits.
#[derive(Debug)]
pub(super) struct Left {
    limits: Limits,
    grown_bytes: u64,
    made: u32,
}

impl Left {
    pub fn new(limits: Limits) -> Self {
        Left { limits, grown_bytes: 0, made: 0 }
    }

    /// Counts one more file; a sentence if there are as many as there may be.
    pub fn make(&mut self) -> Result<(), String> {
        if self.made >= self.limits.files {
            return Err(format!(
                "semihosting: the guest has made {} files, the most it may: it can make no other",
                self.limits.files
            ));
        }
        self.made += 1;
        Ok(())
    }

    /// Counts a file that grows from one length to another; a sentence if that is too much.
    pub fn grow(&mut self, from: u64, to: u64) -> Result<(), String> {
        let grown_bytes = self.grown_bytes.saturating_add(to.saturating_sub(from));
        if grown_bytes > self.limits.file_bytes {
            return Err(format!(
                "semihosting: the guest's files have grown by {} bytes and may by {}: writes fail",
                self.grown_bytes, self.limits.file_bytes
            ));
        }
        self.grown_bytes = grown_bytes;
        Ok(())
    }

    /// Gives back bytes that a file has lost, or never got.
    pub fn shrink(&mut self, bytes: u64) {
        self.grown_bytes = self.grown_bytes.saturating_sub(bytes);
    }
}
