//! A memory of a board: bytes, and the timing in front of them.

use crate::bus::{Access, Width};
use crate::time::Cycle;
use crate::timing::{Lines, Mam, Timing, Waits};

/// RAM or ROM. A ROM can be loaded, but not written by the guest.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Kind {
    /// Read and written.
    Ram,
    /// Read only.
    Rom,
}

/// The timing of a memory, with its state.
#[derive(Clone, Debug)]
#[expect(
    clippy::large_enum_variant,
    reason = "a board has few memories, and a box costs every access"
)]
pub enum MemoryTiming {
    /// Fixed wait states.
    Waits(Waits),
    /// Flash behind a MAM; the state is as of cycle `at`.
    Mam {
        /// Its settings.
        mam: Mam,
        /// Its buffers.
        lines: Lines,
        /// When its last access completed.
        at: Cycle,
    },
}

/// One memory.
#[derive(Clone, Debug)]
pub struct Memory {
    /// Its name in the board file.
    pub name: String,
    /// First address.
    pub base: u32,
    /// RAM or ROM.
    pub kind: Kind,
    /// Index of the path that leads there: of what carries one access at a time.
    pub path: usize,
    /// What an access costs.
    pub timing: MemoryTiming,
    /// Ids of the unverified rules it is charged by.
    pub rules: Vec<String>,
    /// Id of the unverified rule that applies while lines are read ahead.
    pub prefetch_rule: Option<String>,
    bytes: Vec<u8>,
    /// For each granule of code: how often it was written while held, and whether it is held now.
    granules: Vec<u8>,
    /// Which granules are held.
    held: Vec<usize>,
}

/// Bytes of a granule of code, as a power of two.
const GRANULE_SHIFT: u32 = 6;
/// Code in the granule was decoded since it was written last.
const HELD: u8 = 0x80;
/// A granule written so often while it was held is not held any more.
const MOST_REWRITES: u8 = 8;

impl Memory {
    /// A memory of `size` bytes, all zero, with no unverified rule.
    pub fn new(name: &str, base: u32, size: u32, kind: Kind, timing: MemoryTiming) -> Self {
        let bytes = vec![0; size as usize];
        let granules = vec![0; granule(size.saturating_sub(1)) + 1];
        let name = name.to_owned();
        Memory {
            name,
            base,
            kind,
            path: 0,
            timing,
            rules: Vec::new(),
            prefetch_rule: None,
            bytes,
            granules,
            held: Vec::new(),
        }
    }

    /// Its bytes.
    pub fn bytes(&self) -> &[u8] {
        &self.bytes
    }

    /// Its bytes, to load or to change them without a cycle.
    pub fn bytes_mut(&mut self) -> &mut [u8] {
        &mut self.bytes
    }

    /// Size in bytes.
    pub fn size(&self) -> u32 {
        self.bytes.len() as u32
    }

    /// Cycles of an access, where they depend on nothing but its kind.
    #[inline(always)]
    pub fn fixed_cycles(&self, access: Access) -> Option<Cycle> {
        match &self.timing {
            MemoryTiming::Waits(waits) if waits.depends_on_address() => None,
            MemoryTiming::Waits(waits) => Some(waits.cycles(access).into()),
            MemoryTiming::Mam { .. } => None,
        }
    }

    /// Cycles of a fetch from the line (of [`LINE_SHIFT`](crate::timing::LINE_SHIFT)) fetched last, whose
    /// only effect is that they go by.
    #[inline(always)]
    pub fn fetches_again(&self, access: Access) -> Cycle {
        match &self.timing {
            MemoryTiming::Waits(waits) => waits.cycles(access).into(),
            MemoryTiming::Mam { mam, .. } => mam.fetches_again(access).into(),
        }
    }

    /// The same for fetches of every kind; 0 where kinds differ.
    pub fn each_fetches_again(&self) -> Cycle {
        let word = Access::code(Width::Word);
        let kinds = [word, word.sequential(), word.merged()];
        let all = kinds.into_iter().chain(kinds.map(|kind| kind.with_width(Width::Half)));
        let cycles = self.fetches_again(word);
        let alike = all.into_iter().all(|access| self.fetches_again(access) == cycles);
        Cycle::from(alike) * cycles
    }

    /// The most cycles that a fetch takes.
    pub fn slowest_fetch(&self) -> Cycle {
        match &self.timing {
            MemoryTiming::Waits(waits) => {
                let fetches = Access::all().filter(|access| access.is_code());
                fetches.map(|access| waits.cycles(access).into()).max().unwrap_or(0)
            }
            MemoryTiming::Mam { mam, .. } => mam.slowest().into(),
        }
    }

    /// Cycles of each access to data, whatever its kind; 0 where kinds differ.
    pub fn each_data_cycles(&self) -> Cycle {
        let of = |access| self.fixed_cycles(access).unwrap_or(0);
        let cycles = of(Access::data(Width::Word));
        let alike = Access::all().filter(|access| !access.is_code()).all(|a| of(a) == cycles);
        Cycle::from(alike) * cycles
    }

    /// When an access at `offset` that begins at cycle `now` completes.
    #[inline(always)]
    pub fn completes(&mut self, now: Cycle, offset: u32, access: Access) -> Cycle {
        match &mut self.timing {
            MemoryTiming::Waits(waits) => now + Cycle::from(waits.access(&mut (), offset, access)),
            MemoryTiming::Mam { mam, lines, at } => {
                mam.pass(lines, now.saturating_sub(*at));
                *at = now + Cycle::from(mam.access(lines, offset, access));
                *at
            }
        }
    }

    /// [`completes`](Self::completes) of a fetch from another line than the last.
    #[inline(always)]
    pub fn completes_line(&mut self, now: Cycle, offset: u32, access: Access) -> Cycle {
        if let MemoryTiming::Mam { mam, lines, at } = &mut self.timing {
            if let Some(remaining) = mam.run_on(lines, offset, access) {
                *at = (*at + Cycle::from(remaining)).max(now + 1);
                return *at;
            }
        }
        self.completes(now, offset, access)
    }

    /// How many lines of its array an access at `offset` that begins at cycle `now` reads, or begins to
    /// read ahead. None where every access reads the memory itself.
    pub fn lines_read(&self, now: Cycle, offset: u32, access: Access) -> u32 {
        let MemoryTiming::Mam { mam, mut lines, at } = self.timing else { return 0 };
        mam.pass(&mut lines, now.saturating_sub(at));
        mam.lines_read(&lines, offset, access)
    }

    /// The state of its timing at cycle `now`, which is not before its last access; `None` if it has
    /// none. Equal states answer alike for ever.
    pub fn timing_at(&self, now: Cycle) -> Option<Lines> {
        let MemoryTiming::Mam { mam, mut lines, at } = self.timing else { return None };
        mam.pass(&mut lines, now.saturating_sub(at));
        Some(lines)
    }

    /// Its last access was so many cycles later.
    pub fn shift(&mut self, cycles: Cycle) {
        if let MemoryTiming::Mam { at, .. } = &mut self.timing {
            *at += cycles;
        }
    }

    /// What an access reads at `offset`, which is aligned to its width and inside.
    #[inline(always)]
    pub fn read(&self, offset: u32, access: Access) -> u32 {
        if access.is_word() {
            self.get(offset, Width::Word)
        } else {
            self.get(offset, access.width())
        }
    }

    /// `count` words from `offset` on, if they are inside.
    #[inline(always)]
    pub fn words(&self, offset: u32, count: u32) -> Option<&[u8]> {
        let first = Width::Word.align(offset) as usize;
        self.bytes.get(first..first + 4 * count as usize)
    }

    /// The same, to be changed, if no code is held there. There is one at least.
    #[inline(always)]
    pub fn words_mut(&mut self, offset: u32, count: u32) -> Option<&mut [u8]> {
        let first = Width::Word.align(offset);
        let last = first + 4 * (count - 1);
        let granules = self.granules.get(granule(first)..=granule(last))?;
        let held = granules.iter().any(|granule| granule & HELD != 0);
        self.bytes.get_mut(first as usize..last as usize + 4).filter(|_| !held)
    }

    /// The value at `offset`, which is aligned to `width` and inside.
    #[inline(always)]
    pub fn get(&self, offset: u32, width: Width) -> u32 {
        let at = offset as usize;
        match width {
            Width::Byte => u32::from(self.bytes[at]),
            Width::Half => {
                let bytes = &self.bytes[at..at + 2];
                u32::from(u16::from_le_bytes([bytes[0], bytes[1]]))
            }
            Width::Word => {
                let bytes = &self.bytes[at..at + 4];
                u32::from_le_bytes([bytes[0], bytes[1], bytes[2], bytes[3]])
            }
        }
    }

    /// Sets the value at `offset`, which is aligned to `width` and inside. Whether code is held there.
    #[inline(always)]
    pub fn set(&mut self, offset: u32, width: Width, value: u32) -> bool {
        let (at, bytes) = (offset as usize, value.to_le_bytes());
        match width {
            Width::Byte => self.bytes[at] = bytes[0],
            Width::Half => self.bytes[at..at + 2].copy_from_slice(&bytes[..2]),
            Width::Word => self.bytes[at..at + 4].copy_from_slice(&bytes),
        }
        self.granules[granule(offset)] & HELD != 0
    }

    /// Holds `length` bytes of code, more than none: whoever changes them must hear of it. `false`, and
    /// nothing is held, if they are rewritten all the time.
    pub fn hold(&mut self, offset: u32, length: u32) -> bool {
        let range = granule(offset)..=granule(offset + length - 1);
        let granules = &mut self.granules;
        if granules[range.clone()].iter().any(|granule| granule & !HELD >= MOST_REWRITES) {
            return false;
        }
        for index in range {
            if granules[index] & HELD == 0 {
                granules[index] |= HELD;
                self.held.push(index);
            }
        }
        true
    }

    /// Bytes that may be held are written: whether they are.
    pub fn rewrite(&mut self, offset: u32, length: u32) -> bool {
        let granules = &mut self.granules[granule(offset)..=granule(offset + length - 1)];
        let mut any = false;
        for granule in granules.iter_mut().filter(|granule| **granule & HELD != 0) {
            *granule += 1;
            any = true;
        }
        any
    }

    /// No code is held any more.
    pub fn release(&mut self) {
        for granule in self.held.drain(..) {
            self.granules[granule] &= !HELD;
        }
    }

    /// Back to power-on: zero bytes, timing as at reset.
    pub fn reset(&mut self) {
        // Fresh pages cost the host nothing until they are used, however large the memory.
        self.bytes = vec![0; self.bytes.len()];
        self.granules = vec![0; self.granules.len()];
        self.held.clear();
        if let MemoryTiming::Mam { mam, lines, at } = &mut self.timing {
            (*mam, *lines, *at) = (mam.reset(), Lines::default(), 0);
        }
    }
}

fn granule(offset: u32) -> usize {
    (offset >> GRANULE_SHIFT) as usize
}
