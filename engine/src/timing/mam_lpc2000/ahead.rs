//! The MAM for code whose fetches are known ahead: which lines are held is known too, and only the read under way
//! depends on time.

use super::accelerator::{Lines, Mam, Mode, EMPTY, LINE_SHIFT};
use super::lent::LentFlash;
use crate::bus::Access;
use crate::time::Cycle;

/// The lines of opcodes that are held, and the one that is read ahead.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub(crate) struct Held {
    prefetch: u32,
    trail: u32,
    current: u32,
    latch: u32,
}

/// How long a fetch takes.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Takes {
    /// So many cycles.
    Cycles(u32),
    /// Until its line has been read ahead: a cycle at least, a read at most. A read if what was read ahead was dropped.
    UntilRead,
}

/// Whether a read ahead begins when a fetch is complete.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Begins {
    Never,
    Always,
    /// If what was read ahead was dropped.
    IfDropped,
}

/// The settings of a MAM.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Known(Mam);

/// No read ahead completes then: it was dropped.
pub(crate) const DROPPED: Cycle = Cycle::MAX;

impl Known {
    /// Cycles of a read of the flash.
    pub fn read_cycles(self) -> u32 {
        self.0.read_cycles
    }

    /// Cycles of data from the line of the last data; reads of other lines take [`read_cycles`](Self::read_cycles).
    pub fn data_again(self) -> u32 {
        if self.0.mode == Mode::Full {
            1
        } else {
            self.0.read_cycles
        }
    }

    /// Data from another line than the last drop what is read ahead.
    pub fn data_drop(self) -> bool {
        self.0.mode != Mode::Off
    }

    /// The line of an offset in the flash.
    pub fn line_shift(self) -> u32 {
        LINE_SHIFT
    }

    /// Whether every fetch takes the same time: lines do not matter.
    pub fn is_flat(self) -> bool {
        self.0.mode == Mode::Off
    }

    /// A fetch at `offset`, from another line than the last fetch. Changes what is held. Not for mode 0.
    pub fn fetch(self, held: &mut Held, offset: u32, access: Access) -> (Takes, Begins) {
        let line = offset >> LINE_SHIFT;
        let fetch = |latch, remaining| {
            let Held { prefetch, trail, current, .. } = *held;
            let mut lines = Lines { prefetch, trail, data: EMPTY, current, latch, remaining };
            let cycles = self.0.fetch(&mut lines, line, access);
            (cycles, lines)
        };
        // A read that begins leaves its cycles, nothing else does.
        let (soonest, after) = fetch(held.latch, 0);
        let (latest, _) = fetch(held.latch, self.0.read_cycles);
        let (_, dropped) = fetch(EMPTY, 0);
        let takes = if soonest == latest { Takes::Cycles(soonest) } else { Takes::UntilRead };
        let begins = match (after.remaining > 0, dropped.remaining > 0) {
            (true, _) => Begins::Always,
            (false, true) => Begins::IfDropped,
            (false, false) => Begins::Never,
        };
        let Lines { prefetch, trail, current, latch, .. } = after;
        *held = Held { prefetch, trail, current, latch };
        (takes, begins)
    }
}

impl LentFlash {
    /// Its settings.
    pub(crate) fn known(&self) -> Known {
        Known(self.mam)
    }

    /// Whether what was read ahead was dropped.
    #[inline(always)]
    fn has_dropped(&self) -> bool {
        self.mam.mode != Mode::Off && self.latch == EMPTY
    }

    /// Returns what it holds now. For lines that were dropped it returns those that would be read ahead. In mode 0 nothing
    /// that it holds matters.
    pub(crate) fn held(&self) -> Held {
        let &LentFlash { prefetch, trail, current, latch, .. } = self;
        if self.mam.mode == Mode::Off {
            return Held { prefetch: EMPTY, trail: EMPTY, current: EMPTY, latch: EMPTY };
        }
        let mut held = Held { prefetch, trail, current, latch };
        let next = current.wrapping_add(1);
        let starts = current != EMPTY && next != prefetch && next != trail;
        if self.has_dropped() && starts {
            held.latch = next;
        }
        held
    }

    /// Whether it holds that now, but perhaps for what was dropped.
    #[inline(always)]
    pub(crate) fn holds(&self, held: &Held) -> bool {
        let is_held = self.prefetch == held.prefetch
            && self.trail == held.trail
            && self.current == held.current
            && (self.latch == held.latch || self.has_dropped());
        is_held || self.mam.mode == Mode::Off
    }

    /// When the read under way completes or did, or [`DROPPED`]; and the line of the last data.
    #[inline(always)]
    pub(crate) fn ready(&self) -> (Cycle, u32) {
        (if self.has_dropped() { DROPPED } else { self.ready }, self.data)
    }

    /// It holds that now, with the read under way and the line of the last data as [`ready`](Self::ready) says them.
    #[inline(always)]
    pub(crate) fn set_held(&mut self, held: &Held, (ready, data): (Cycle, u32)) {
        self.data = data;
        if self.mam.mode == Mode::Off {
            return;
        }
        let Held { prefetch, trail, current, latch } = *held;
        (self.prefetch, self.trail, self.current) = (prefetch, trail, current);
        (self.latch, self.ready) = if ready == DROPPED { (EMPTY, 0) } else { (latch, ready) };
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::bus::Width;
    use crate::timing::mam_lpc2000::Flash;
    use crate::timing::MemoryTiming;

    /// A fetch that is emitted as it is described ends as the flash's own, and leaves the same.
    #[test]
    fn fetches_known_ahead_are_the_flash_s_own() {
        let mut number = 1u32;
        let mut below = |most: u32| {
            number ^= number << 13;
            number ^= number >> 17;
            number ^= number << 5;
            number % most
        };
        let (mut known_fetches, mut dropped) = (0, 0);
        for level in (0..8).flat_map(|cycles| [cycles << 8 | 1, cycles << 8 | 2]) {
            let mut flash = Flash::new(Default::default());
            flash.set(0, level);
            let mut now: Cycle = 100;
            for _ in 0..20_000 {
                now += Cycle::from(below(7));
                let offset = below(6) << LINE_SHIFT;
                if below(4) == 0 {
                    now = flash.access(now, offset, Access::data(Width::Word));
                    continue;
                }
                let mut other = flash.lend();
                let known = other.known();
                let (mut held, (mut ready, data)) = (other.held(), other.ready());
                assert!(other.holds(&held));
                let access = Access::code(Width::Word);
                let access = [access.after_branch(), access, access.sequential()];
                let access = access[below(3) as usize];
                if offset >> LINE_SHIFT == held.current {
                    continue;
                }
                let (takes, begins) = known.fetch(&mut held, offset, access);
                let read = Cycle::from(known.read_cycles());
                dropped += u32::from(ready == DROPPED);
                let at = match takes {
                    Takes::Cycles(cycles) => now + Cycle::from(cycles),
                    Takes::UntilRead => ready.max(now + 1).min(now + read),
                };
                let starts =
                    begins == Begins::Always || begins == Begins::IfDropped && ready == DROPPED;
                if starts {
                    ready = at + read;
                }
                let mut before = flash.clone();
                now = flash.fetch_line(now, offset, access);
                other.set_held(&held, (ready, data));
                before.take_back(&other, at);
                assert_eq!(at, now);
                let state = |flash: &Flash| {
                    let mut state = Vec::new();
                    flash.state_at(now, &mut state);
                    state
                };
                assert_eq!(state(&before), state(&flash));
                if below(2) == 0 {
                    flash = before;
                }
                known_fetches += 1;
            }
        }
        assert!(known_fetches > 100_000 && dropped > 1_000, "{known_fetches}, {dropped}");
    }
}
