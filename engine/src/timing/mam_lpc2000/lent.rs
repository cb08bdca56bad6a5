//! The flash in the hands of code whose cycles are counted ahead. When the read under way completes is a cycle of the
//! board here, so time goes by without a change.

use super::accelerator::{Mam, Mode, EMPTY, LINE_SHIFT};
use super::{Flash, Lines};
use crate::time::Cycle;

/// A flash that is [lent](Flash::lend), until it [takes back](Flash::take_back) what has changed. It answers as the
/// flash would.
#[derive(Clone, Copy, Debug)]
pub(crate) struct LentFlash {
    pub(super) mam: Mam,
    pub(super) prefetch: u32,
    pub(super) trail: u32,
    pub(super) current: u32,
    pub(super) latch: u32,
    /// The line of the last data.
    pub(super) data: u32,
    /// When the read under way completes, or did.
    pub(super) ready: Cycle,
    /// Cycles of a fetch that is not sequential from a line that is held.
    pub(super) nonsequential: u32,
}

impl Default for LentFlash {
    fn default() -> Self {
        Flash::new(Default::default()).lend()
    }
}

/// The line of an offset in the flash.
#[inline(always)]
pub(crate) fn line(offset: u32) -> u32 {
    offset >> LINE_SHIFT
}

impl Flash {
    /// Bytes of a line.
    pub(crate) fn line_bytes(&self) -> u32 {
        1 << LINE_SHIFT
    }

    /// Whether it is in mode 0: every access takes the same time.
    pub(crate) fn is_off(&self) -> bool {
        self.mam.mode == Mode::Off
    }

    /// Lends its state.
    #[inline(always)]
    pub(crate) fn lend(&self) -> LentFlash {
        let Lines { prefetch, trail, data, current, latch, remaining } = self.lines;
        let nonsequential = if self.mam.mode == Mode::Full { 1 } else { self.mam.read_cycles };
        let ready = self.at + Cycle::from(remaining);
        LentFlash { mam: self.mam, prefetch, trail, current, latch, data, ready, nonsequential }
    }

    /// Takes its state back at `now`, not before the last access completed.
    #[inline(always)]
    pub(crate) fn take_back(&mut self, lent: &LentFlash, now: Cycle) {
        let &LentFlash { prefetch, trail, data, current, latch, ready, .. } = lent;
        let remaining = ready.saturating_sub(now) as u32;
        self.lines = Lines { prefetch, trail, data, current, latch, remaining };
        self.at = now;
    }

    /// The line at `offset` was fetched last, of a flash whose mode is 0.
    #[inline(always)]
    pub(crate) fn set_fetched(&mut self, offset: u32) {
        if self.mam.mode == Mode::Off {
            self.lines.latch = line(offset);
        }
    }
}

impl LentFlash {
    /// Offset of the line of the last fetch, where it is known.
    #[inline(always)]
    pub fn last(&self) -> Option<u32> {
        (self.mam.mode != Mode::Off && self.current != EMPTY).then_some(self.current << LINE_SHIFT)
    }

    /// A fetch in sequence at `now` from a line that was read ahead, whose next line is read ahead then: when it completes.
    /// None, and nothing is done, in any other case. Not for mode 0.
    #[inline(always)]
    pub fn run_on(&mut self, now: Cycle, line: u32) -> Option<Cycle> {
        if line != self.latch || line + 1 == self.trail {
            return None;
        }
        let at = self.ready.max(now + 1);
        (self.prefetch, self.current, self.latch) = (line, line, line + 1);
        self.ready = at + Cycle::from(self.mam.read_cycles);
        Some(at)
    }

    /// A fetch of a line at `now`: in sequence or not, and after a break in the flow or not. Returns when it completes. Not
    /// for mode 0.
    #[inline(always)]
    pub fn fetch(&mut self, now: Cycle, line: u32, sequential: bool, breaks: bool) -> Cycle {
        let read = Cycle::from(self.mam.read_cycles);
        let held = if sequential { 1 } else { self.nonsequential };
        let mut at = now + Cycle::from(held);
        if line != self.prefetch && line != self.trail {
            let arrives = line == self.latch && held == 1;
            at = if arrives { self.ready.max(now + 1) } else { now + read };
            *(if breaks { &mut self.trail } else { &mut self.prefetch }) = line;
            self.latch = EMPTY;
        }
        if line != self.current {
            self.current = line;
            let next = line + 1;
            if next != self.latch && next != self.prefetch && next != self.trail {
                (self.latch, self.ready) = (next, at + read);
            }
        }
        at
    }

    /// Both fetches after a break in the flow, from these lines. Returns when they are complete. Not for mode 0.
    #[inline(always)]
    pub fn refill(&mut self, now: Cycle, first: u32, second: u32) -> Cycle {
        let at = self.fetch(now, first, false, true);
        if first == second {
            return at + 1;
        }
        self.run_on(at, second).unwrap_or_else(|| self.fetch(at, second, true, false))
    }

    /// Data of a line are read. Returns the cycles.
    #[inline(always)]
    pub fn read(&mut self, line: u32) -> u32 {
        if line == self.data {
            return self.nonsequential;
        }
        self.data = line;
        if self.mam.mode != Mode::Off {
            self.latch = EMPTY;
        }
        self.mam.read_cycles
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::bus::{Access, Width};
    use crate::timing::MemoryTiming;

    /// Accesses of all kinds to a lent flash end as those to the flash itself, and leave the same.
    #[test]
    fn a_lent_flash_answers_as_the_flash_would() {
        let mut number = 1u32;
        let mut below = |most: u32| {
            number ^= number << 13;
            number ^= number >> 17;
            number ^= number << 5;
            number % most
        };
        let code = Access::code(Width::Word);
        let levels = (1..8).flat_map(|cycles| [cycles << 8, cycles << 8 | 1, cycles << 8 | 2]);
        let (mut ran_on, mut refilled) = (0, 0);
        for level in levels {
            let (mut flash, mut now) = (Flash::new(Default::default()), 100);
            flash.set(0, level);
            let is_off = level & 3 == 0;
            let mut asked = flash.clone();
            let mut lent = flash.lend();
            for _ in 0..20_000 {
                now += Cycle::from(below(7));
                let offset = (below(6) << LINE_SHIFT) + 4 * below(4);
                let at = line(offset);
                let (completes, begun) = (&mut asked, now);
                let kind = if is_off { 5 } else { below(6) };
                let expected = match kind {
                    0 => completes.fetch_line(begun, offset, code.sequential()),
                    1 => completes.fetch_line(begun, offset, code),
                    2 | 3 => {
                        let first = completes.fetch_line(begun, offset, code.after_branch());
                        completes.fetch_line(first, offset + 4, code.sequential())
                    }
                    _ => completes.access(begun, offset, Access::data(Width::Word)),
                };
                now = match kind {
                    0 => {
                        let before = lent;
                        let on = lent.run_on(begun, at);
                        ran_on += u32::from(on.is_some());
                        assert!(on.is_some() || format!("{before:?}") == format!("{lent:?}"));
                        on.unwrap_or_else(|| lent.fetch(begun, at, true, false))
                    }
                    1 => lent.fetch(begun, at, false, false),
                    2 | 3 => {
                        refilled += 1;
                        lent.refill(begun, at, line(offset + 4))
                    }
                    _ => begun + Cycle::from(lent.read(at)),
                };
                assert_eq!(now, expected, "{level:#x}, kind {kind}");
                flash.take_back(&lent, now);
                let state = |flash: &Flash| {
                    let mut state = Vec::new();
                    flash.state_at(now, &mut state);
                    state
                };
                assert_eq!(state(&flash), state(&asked), "{level:#x}, kind {kind}");
                if below(3) == 0 {
                    lent = flash.lend();
                }
            }
        }
        assert!(ran_on > 2_000 && refilled > 50_000, "{ran_on}, {refilled}");
    }
}
