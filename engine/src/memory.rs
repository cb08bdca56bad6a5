//! A memory of a board: bytes, and the timing in front of them.

use crate::bus::{Access, Lent, Width};
use crate::time::Cycle;
use crate::timing::{MemoryTiming, Timing, ONE_LINE};

/// RAM or ROM. A ROM can be loaded, but not written by the guest.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Kind {
    /// Read and written.
    Ram,
    /// Read only.
    Rom,
}

/// How code in a memory is fetched, as the memory is set now.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Fetching {
    /// Bytes of the lines in which it is read; none where a fetch costs by its kind alone, or there are no lines.
    pub line_bytes: Option<u32>,
    /// Cycles by which a fetch may differ with the accesses before it: one whole read, or 0.
    pub doubt_cycles: Cycle,
    /// Cycles by which the instructions beside one may change what it costs, by the core.
    pub overlap_cycles: Cycle,
}

/// One memory.
#[derive(Debug)]
pub struct Memory {
    /// Its name in the board file.
    pub name: String,
    /// First address.
    pub base: u32,
    /// RAM or ROM.
    pub kind: Kind,
    /// Index of the path that leads there: of what carries one access at a time.
    pub path: usize,
    /// The byte that it holds everywhere after a reset.
    pub fill: u8,
    /// Cost of an access.
    pub timing: Timing,
    /// Ids of the unverified rules it is charged by.
    pub rules: Vec<String>,
    bytes: Vec<u8>,
    /// For each granule of code: how often it was written while tracked, and whether it is tracked now.
    granules: Vec<u8>,
    /// Which granules are tracked.
    tracked: Vec<usize>,
    /// Their bytes at the last reset.
    before: Vec<u8>,
}

/// Bytes of a granule of code, as a power of two.
const GRANULE_SHIFT: u32 = Lent::GRANULE_SHIFT;
/// Code in the granule was decoded since it was written last.
const TRACKED: u8 = Lent::TRACKED;
/// A granule written so often while it was tracked is not tracked again.
const MOST_REWRITES: u8 = 8;

impl Memory {
    /// A memory of `size` bytes, all zero, with no unverified rule.
    pub fn new(name: &str, base: u32, size: u32, kind: Kind, timing: Timing) -> Self {
        let bytes = vec![0; size as usize];
        let granules = vec![0; granule(size.saturating_sub(1)) + 1];
        let name = name.to_owned();
        Memory {
            name,
            base,
            kind,
            path: 0,
            fill: 0,
            timing,
            rules: Vec::new(),
            bytes,
            granules,
            tracked: Vec::new(),
            before: Vec::new(),
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

    /// Cycles of each fetch from the line fetched last, whatever its kind; 0 where kinds differ.
    pub fn each_fetches_again(&self) -> Cycle {
        let cycles = self.timing.fetches_again(Access::code(Width::Word));
        let mut fetches = Access::all().filter(|access| access.is_code());
        let alike = fetches.all(|access| self.timing.fetches_again(access) == cycles);
        Cycle::from(alike) * cycles
    }

    /// Cycles of each access to data, whatever its kind; none where kinds differ.
    pub fn each_data_cycles(&self) -> Option<Cycle> {
        let of = |access| self.timing.fixed_cycles(access);
        let cycles = of(Access::data(Width::Word));
        let alike = Access::all().filter(|access| !access.is_code()).all(|a| of(a) == cycles);
        cycles.filter(|_| alike)
    }

    /// Takes its bytes away.
    pub fn lend(&mut self) -> Vec<u8> {
        std::mem::take(&mut self.bytes)
    }

    /// Puts its bytes back.
    pub fn take_back(&mut self, bytes: Vec<u8>) {
        self.bytes = bytes;
    }

    /// Takes away its bytes, and what is known of its granules.
    pub fn lend_tracked(&mut self) -> (Vec<u8>, Vec<u8>) {
        (std::mem::take(&mut self.bytes), std::mem::take(&mut self.granules))
    }

    /// Puts both back.
    pub fn take_back_tracked(&mut self, bytes: Vec<u8>, granules: Vec<u8>) {
        (self.bytes, self.granules) = (bytes, granules);
    }

    /// How code here is fetched now.
    pub fn fetching(&self) -> Fetching {
        let fetches = || Access::all().filter(|access| access.is_code());
        if fetches().all(|access| self.timing.fixed_cycles(access).is_some()) {
            return Fetching { line_bytes: None, doubt_cycles: 0, overlap_cycles: 0 };
        }
        let slowest = self.timing.slowest_fetch();
        let agains = || fetches().map(|access| self.timing.fetches_again(access));
        let differs = Cycle::from(agains().any(|again| again < slowest));
        let (line_bytes, doubt_cycles) = match self.timing.line_shift() {
            // Nothing is read but what is fetched: a fetch waits for the access before, at most.
            Some(ONE_LINE) => (None, slowest.saturating_sub(agains().max().unwrap_or(slowest))),
            shift => (shift.map(|shift| 1 << shift), differs * slowest),
        };
        Fetching { line_bytes, doubt_cycles, overlap_cycles: 0 }
    }

    /// Returns what an access reads at `offset`, which is aligned to its width and inside.
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

    /// The same, to be changed, if no writes are tracked there. There is one at least.
    #[inline(always)]
    pub fn words_mut(&mut self, offset: u32, count: u32) -> Option<&mut [u8]> {
        let first = Width::Word.align(offset);
        let last = first + 4 * (count - 1);
        let granules = self.granules.get(granule(first)..=granule(last))?;
        let tracked = granules.iter().any(|granule| granule & TRACKED != 0);
        self.bytes.get_mut(first as usize..last as usize + 4).filter(|_| !tracked)
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

    /// The two half-words from `offset` on, the first in the low half, if both are inside.
    #[inline(always)]
    pub fn pair(&self, offset: u32) -> Option<u32> {
        let bytes = self.bytes.get(offset as usize..)?.first_chunk()?;
        Some(u32::from_le_bytes(*bytes))
    }

    /// Sets the value at `offset`, which is aligned to `width` and inside. Returns whether writes are
    /// tracked there.
    #[inline(always)]
    pub fn set(&mut self, offset: u32, width: Width, value: u32) -> bool {
        let (at, bytes) = (offset as usize, value.to_le_bytes());
        match width {
            Width::Byte => self.bytes[at] = bytes[0],
            Width::Half => self.bytes[at..at + 2].copy_from_slice(&bytes[..2]),
            Width::Word => self.bytes[at..at + 4].copy_from_slice(&bytes),
        }
        self.granules[granule(offset)] & TRACKED != 0
    }

    /// Whether a write at an offset is tracked.
    pub fn tracks(&self, offset: u32) -> bool {
        self.granules[granule(offset)] & TRACKED != 0
    }

    /// Tracks writes to `length ≥ 1` bytes of code. Returns `false`, and tracks nothing, if they are
    /// rewritten too often.
    pub fn track_writes(&mut self, offset: u32, length: u32) -> bool {
        let range = granule(offset)..=granule(offset + length - 1);
        let granules = &mut self.granules;
        if granules[range.clone()].iter().any(|granule| granule & !TRACKED >= MOST_REWRITES) {
            return false;
        }
        for index in range {
            if granules[index] & TRACKED == 0 {
                granules[index] |= TRACKED;
                self.tracked.push(index);
            }
        }
        true
    }

    /// How many of `length` bytes come before the first that is rewritten too often to be tracked.
    pub fn steady_bytes(&self, offset: u32, length: u32) -> u32 {
        let first = granule(offset);
        let granules = &self.granules[first..=granule(offset + length.max(1) - 1)];
        let often = granules.iter().position(|granule| granule & !TRACKED >= MOST_REWRITES);
        often.map_or(length, |place| {
            (((first + place) << GRANULE_SHIFT) as u32).saturating_sub(offset)
        })
    }

    /// Whether any writes are tracked.
    pub fn is_tracked(&self) -> bool {
        !self.tracked.is_empty()
    }

    /// Bytes are written: returns whether writes to any of them are tracked.
    pub fn rewrite(&mut self, offset: u32, length: u32) -> bool {
        let granules = &mut self.granules[granule(offset)..=granule(offset + length - 1)];
        let mut any = false;
        for granule in granules.iter_mut().filter(|granule| **granule & TRACKED != 0) {
            *granule += 1;
            any = true;
        }
        any
    }

    /// From this moment no writes are tracked.
    pub fn untrack(&mut self) {
        for granule in self.tracked.drain(..) {
            self.granules[granule] &= !TRACKED;
        }
    }

    /// Back to power-on: each byte as `fill` says, timing as at reset. Writes stay tracked.
    pub fn reset(&mut self) {
        self.before = self.tracked_bytes().collect::<Vec<_>>().concat();
        // Fresh pages cost the host nothing until they are used, however large the memory.
        self.bytes = vec![self.fill; self.bytes.len()];
        self.granules = vec![0; self.granules.len()];
        for &granule in &self.tracked {
            self.granules[granule] = TRACKED;
        }
        self.timing.reset();
    }

    /// Whether the code is what it was at the last reset.
    pub fn code_is_back(&self) -> bool {
        let mut before = &self.before[..];
        let alike = self.tracked_bytes().all(|now| match before.split_at_checked(now.len()) {
            Some((first, rest)) => {
                before = rest;
                first == now
            }
            None => false,
        });
        alike && before.is_empty()
    }

    fn tracked_bytes(&self) -> impl Iterator<Item = &[u8]> {
        let granules = || self.bytes.chunks(1 << GRANULE_SHIFT);
        self.tracked.iter().filter_map(move |&granule| granules().nth(granule))
    }
}

fn granule(offset: u32) -> usize {
    (offset >> GRANULE_SHIFT) as usize
}
