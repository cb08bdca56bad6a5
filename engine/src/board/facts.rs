//! Facts of a board for tools: which programs it runs, and how it fetches their code.

use super::Board;
use crate::core::ElfMachine;
use crate::error::{listed, Error, Result};
use crate::memory::Fetching;
use crate::timing::MemoryTiming;

impl Board {
    /// The ELF files that hold programs for its core; none when images are made by other means.
    pub fn elf_machine(&self) -> Option<ElfMachine> {
        self.architecture.elf_machine()
    }

    /// How code in a memory is fetched, as the memory is set now, and how far instructions overlap.
    ///
    /// # Errors
    /// A sentence when there is no memory of that name.
    pub fn fetching(&self, memory: &str) -> Result<Fetching> {
        let memories = self.system.memories();
        let found = memories.iter().find(|one| one.name == memory).ok_or_else(|| {
            let names: Vec<_> = memories.iter().map(|one| one.name.clone()).collect();
            Error(format!("{} has no memory {memory}; it has {}.", self.name(), listed(&names)))
        })?;
        let waits = found.timing.slowest_fetch();
        let overlap_cycles = self.architecture.overlap_cycles(waits);
        Ok(Fetching { overlap_cycles, ..found.fetching() })
    }
}
