//! External memories of the AT91x40 parts, behind one bus interface (EBI). Follows the AT91X40 data sheet (Atmel 1354),
//! EBI chapter. `docs/timing/ebi_at91.md` marks what confirms each rule.
//!
//! An access may have to wait for the last one, of whichever chip select. So all memories behind an
//! interface share what it remembers of that.

use std::any::Any;
use std::sync::atomic::{AtomicU32, AtomicU64, Ordering::Relaxed};
use std::sync::Arc;

use serde::Deserialize;

use super::{MemoryTiming, ONE_LINE};
use crate::bus::{Access, Width};
use crate::time::Cycle;

// Bits of EBI_CSR, and the one of EBI_MCR.
const WAITS_ENABLED: u32 = 1 << 5;
const EARLY_READ: u32 = 1 << 4;

/// Chip selects of an interface.
const SELECTS: usize = 8;

/// Its parameters in the board file.
#[derive(Clone, Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Parameters {
    /// Number of its chip select.
    chip_select: u32,
    /// Bits of its bus: 8 or 16.
    width: u32,
}

/// The last external access, as the interface remembers it.
///
/// One board is one thread's at a time: atomics only make it possible to share them without a lock.
#[derive(Debug, Default)]
struct Interface {
    /// The chip select, plus 1; 0 before the first access.
    select: AtomicU32,
    /// 1: it was a write.
    is_write: AtomicU32,
    /// When its data leave the bus.
    float_end: AtomicU64,
    /// Data float time of each chip select.
    float_cycles: [AtomicU32; SELECTS],
}

/// The memory of one chip select.
#[derive(Debug)]
pub struct Chip {
    /// The chip select, plus 1.
    select: u32,
    width: Width,
    float_cycles: Cycle,
    early_read: bool,
    /// Cycles of an access by its width, when nothing makes it wait.
    cycles: [Cycle; 3],
    interface: Arc<Interface>,
}

impl Chip {
    /// A memory after reset, alone behind its interface.
    ///
    /// # Errors
    /// A number or a width that there is not.
    pub fn new(parameters: Parameters) -> Result<Self, String> {
        let Parameters { chip_select, width } = parameters;
        let width = match width {
            8 => Width::Byte,
            16 => Width::Half,
            _ => return Err(format!("width = {width}: it must be 8 or 16")),
        };
        if chip_select as usize >= SELECTS {
            return Err(format!("chip_select = {chip_select}: it must be 0 to 7"));
        }
        let interface = Arc::default();
        let (float_cycles, early_read) = (0, false);
        let mut chip = Chip {
            select: chip_select + 1,
            width,
            float_cycles,
            early_read,
            cycles: [0; 3],
            interface,
        };
        chip.reset();
        Ok(chip)
    }

    /// Sets its wait states and data float time from EBI_CSR.
    fn configure(&mut self, register: u32) {
        let enabled = register & WAITS_ENABLED != 0;
        let each = 1 + if enabled { Cycle::from(register >> 2 & 7) + 1 } else { 0 };
        for width in [Width::Byte, Width::Half, Width::Word] {
            let transfers = (width.bytes() / self.width.bytes()).max(1);
            self.cycles[width as usize] = Cycle::from(transfers) * each;
        }
        let float_cycles = register >> 9 & 7;
        self.float_cycles = float_cycles.into();
        self.interface.float_cycles[self.select as usize - 1].store(float_cycles, Relaxed);
    }

    /// The cycles that an access which begins at `now` waits for the one before it.
    fn waits(&self, now: Cycle, is_write: bool) -> Cycle {
        let last = &*self.interface;
        let select = last.select.load(Relaxed);
        let (changes, after_write) = (select != self.select, last.is_write.load(Relaxed) != 0);
        if select == 0 || (!changes && after_write == is_write) {
            return 0;
        }
        let floats = if after_write { 0 } else { last.float_end.load(Relaxed).saturating_sub(now) };
        let early = Cycle::from(self.early_read && after_write && !is_write);
        (floats + early).max(changes.into())
    }
}

impl MemoryTiming for Chip {
    /// EBI_CSR of its chip select, and EBI_MCR.
    fn inputs(&self) -> &'static [&'static str] {
        &["select", "control"]
    }

    /// All memories of a board lie behind one interface.
    fn join(&mut self, shared: &mut Vec<Box<dyn Any>>) {
        match shared.iter().find_map(|one| one.downcast_ref::<Arc<Interface>>()) {
            Some(interface) => self.interface = Arc::clone(interface),
            None => shared.push(Box::new(Arc::clone(&self.interface))),
        }
    }

    fn set(&mut self, input: usize, level: u32) {
        match input {
            0 => self.configure(level),
            _ => self.early_read = level & EARLY_READ != 0,
        }
    }

    fn reset(&mut self) {
        self.interface.select.store(0, Relaxed);
        self.early_read = false;
        self.configure(0);
    }

    fn access(&mut self, now: Cycle, _offset: u32, access: Access) -> Cycle {
        let is_write = access.is_write();
        let waits = self.waits(now, is_write);
        let completes = now + waits + self.cycles[access.width() as usize];
        let last = &*self.interface;
        last.select.store(self.select, Relaxed);
        last.is_write.store(is_write.into(), Relaxed);
        last.float_end.store(completes + self.float_cycles, Relaxed);
        completes
    }

    fn is_shared(&self) -> bool {
        true
    }

    /// Where data float, each fetch counts: the bus is not free at the end of the last one.
    fn line_shift(&self) -> Option<u32> {
        (self.float_cycles == 0).then_some(ONE_LINE)
    }

    fn fetches_again(&self, access: Access) -> Cycle {
        self.cycles[access.width() as usize]
    }

    fn slowest_fetch(&self) -> Cycle {
        let floats = self.interface.float_cycles.iter().map(|cycles| cycles.load(Relaxed));
        let longest = Cycle::from(floats.max().unwrap_or(0)) + Cycle::from(self.early_read);
        self.cycles[Width::Word as usize] + longest.max(1)
    }

    fn state_at(&self, now: Cycle, state: &mut Vec<u64>) {
        let last = &*self.interface;
        let floats = last.float_end.load(Relaxed).saturating_sub(now);
        state.extend([
            last.select.load(Relaxed).into(),
            last.is_write.load(Relaxed).into(),
            floats,
        ]);
    }

    fn set_state(&mut self, now: Cycle, state: &mut dyn Iterator<Item = u64>) {
        let last = &*self.interface;
        let mut next = || state.next().unwrap_or(0);
        last.select.store(next() as u32, Relaxed);
        last.is_write.store(next() as u32, Relaxed);
        last.float_end.store(now + next(), Relaxed);
    }

    /// The memory that was accessed last shifts what all share.
    fn shift(&mut self, cycles: Cycle) {
        if self.interface.select.load(Relaxed) == self.select {
            self.interface.float_end.fetch_add(cycles, Relaxed);
        }
    }
}

#[cfg(test)]
mod tests;
