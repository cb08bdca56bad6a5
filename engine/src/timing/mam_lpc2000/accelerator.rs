//! The MAM as a finite automaton: its settings, its buffers, and what an access costs and changes.

use crate::bus::Access;
use crate::time::Cycle;

/// Bytes in a line, as a power of two: 128 bits.
pub(super) const LINE_SHIFT: u32 = 4;
/// A tag no line has.
pub(super) const EMPTY: u32 = u32::MAX;

/// MAMCR.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub(super) enum Mode {
    /// 0: every request takes the time of a flash read.
    #[default]
    Off,
    /// 1: only sequential fetches profit from the buffers.
    Partial,
    /// 2: every request that hits a buffer profits.
    Full,
}

/// MAMCR and MAMTIM.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub(super) struct Mam {
    pub(super) mode: Mode,
    pub(super) read_cycles: u32,
}

/// The lines held, and the read under way.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub(super) struct Lines {
    pub(super) prefetch: u32,
    pub(super) trail: u32,
    pub(super) data: u32,
    /// The line of the last fetch.
    pub(super) current: u32,
    /// The line that the flash has read ahead, or is reading …
    pub(super) latch: u32,
    /// … for so many cycles more.
    pub(super) remaining: u32,
}

impl Default for Lines {
    fn default() -> Self {
        let (prefetch, trail, data) = (EMPTY, EMPTY, EMPTY);
        Lines { prefetch, trail, data, current: EMPTY, latch: EMPTY, remaining: 0 }
    }
}

impl Lines {
    /// Whether the line can be fetched, or will be.
    #[inline(always)]
    pub(super) fn hold(&self, line: u32) -> bool {
        line == self.latch || line == self.prefetch || line == self.trail
    }

    /// The time from `at` to `now` goes by without an access.
    #[inline(always)]
    pub(super) fn wait(&mut self, now: Cycle, at: Cycle) {
        self.pass(now.saturating_sub(at).min(u32::MAX.into()) as u32);
    }

    #[inline(always)]
    pub(super) fn pass(&mut self, cycles: u32) {
        self.remaining = self.remaining.saturating_sub(cycles);
    }
}

impl Default for Mam {
    /// Reset: off, seven cycles.
    fn default() -> Self {
        Mam::new(Mode::Off, 7)
    }
}

impl Mam {
    /// A MAM in `mode` whose flash reads take `read_cycles` (MAMTIM, 1 to 7).
    pub(super) fn new(mode: Mode, read_cycles: u32) -> Self {
        Mam { mode, read_cycles: read_cycles.clamp(1, 7) }
    }

    /// A MAM as the system control block drives it: MAMCR in bits 7:0, MAMTIM in bits 15:8. The
    /// reserved values read as the nearest useful one.
    pub(super) fn of(level: u32) -> Self {
        let mode = match level & 3 {
            0 => Mode::Off,
            1 => Mode::Partial,
            _ => Mode::Full,
        };
        Mam::new(mode, level >> 8 & 7)
    }

    /// Mode 1 serves a break in sequence from the buffer, to save power, but makes it wait.
    #[inline(always)]
    pub(super) fn replays(self, access: Access) -> bool {
        self.mode == Mode::Partial && !access.is_sequential()
    }

    /// Cycles of a fetch from the line fetched last. It changes nothing but that time goes by: the line
    /// is held, and only a fetch that enters a line begins to read ahead.
    #[inline(always)]
    pub(super) fn fetches_again(&self, access: Access) -> u32 {
        let flows =
            self.mode == Mode::Full || (self.mode == Mode::Partial && !self.replays(access));
        if flows {
            1
        } else {
            self.read_cycles
        }
    }

    /// The fetch of a line that was read ahead, whose next line is read ahead then, as in code that
    /// runs straight on. Returns the cycles that the reading still took after the last access. In
    /// any other case none, and nothing is done.
    #[inline(always)]
    pub(super) fn run_on(&self, lines: &mut Lines, line: u32, access: Access) -> Option<u32> {
        let straight = self.mode == Mode::Full && !access.is_break_in_flow();
        if !straight || line != lines.latch || line + 1 == lines.trail {
            return None;
        }
        let remaining = lines.remaining;
        (lines.prefetch, lines.current) = (line, line);
        (lines.latch, lines.remaining) = (line + 1, self.read_cycles);
        Some(remaining)
    }

    pub(super) fn fetch(self, lines: &mut Lines, line: u32, access: Access) -> u32 {
        let replayed = self.replays(access);
        let cost;
        if line == lines.prefetch || line == lines.trail {
            cost = if replayed { self.read_cycles } else { 1 };
            lines.pass(cost);
        } else {
            cost = if line != lines.latch || replayed {
                self.read_cycles
            } else {
                lines.remaining.max(1)
            };
            let buffer =
                if access.is_break_in_flow() { &mut lines.trail } else { &mut lines.prefetch };
            *buffer = line;
            lines.latch = EMPTY;
        }
        // A fetch from the line of the last one found it held: it does not ask the array for anything.
        let enters = line != lines.current;
        lines.current = line;
        if enters && !lines.hold(line + 1) {
            lines.latch = line + 1;
            lines.remaining = self.read_cycles;
        }
        cost
    }

    pub(super) fn read(self, lines: &mut Lines, line: u32) -> u32 {
        if line == lines.data {
            let cost = if self.mode == Mode::Full { 1 } else { self.read_cycles };
            lines.pass(cost);
            return cost;
        }
        lines.data = line;
        // The data read takes the flash and its latch: what was read ahead is dropped.
        lines.latch = EMPTY;
        self.read_cycles
    }
}

impl Mam {
    /// How many lines of the array an access reads, or begins to read ahead: what costs energy, not
    /// what costs time. `lines` is the state before the access.
    pub(super) fn lines_read(self, lines: &Lines, offset: u32, access: Access) -> u32 {
        let line = offset >> LINE_SHIFT;
        if !access.is_code() {
            return u32::from(line != lines.data);
        }
        if self.mode == Mode::Off {
            return u32::from(line != lines.latch);
        }
        let buffered = line == lines.prefetch || line == lines.trail;
        let mut after = *lines;
        self.fetch(&mut after, line, access);
        let ahead = after.latch == line + 1 && (!buffered || lines.latch != line + 1);
        u32::from(!lines.hold(line)) + u32::from(ahead)
    }
}
