//! The unit that reads ahead: while the core leaves the cartridge alone, it reads on behind the last fetch.

use super::Halfword;
use crate::time::Cycle;

/// Halfwords that its buffer holds.
const CAPACITY: u32 = 8;

/// The unit. It reads one halfword after the other as one burst. With a full buffer, and at the end of a block, it
/// stops. It begins anew once its buffer is empty and the core fetches on.
#[derive(Clone, Copy, Debug, Default)]
pub struct Ahead {
    active: bool,
    stopped: bool,
    /// In this burst it had a cycle to itself.
    has_run: bool,
    /// Offset of the halfword that it hands out next.
    next: u32,
    /// Halfwords in the buffer, as of the last look.
    held: u32,
    /// When the halfword under way is complete; of a full buffer, when it became full.
    ready: Cycle,
    /// When the last fetch was complete.
    fetched: Cycle,
}

impl Ahead {
    /// The ROM's last fetch completes at `now`: from then on the unit reads what follows, from `offset`.
    pub fn begin(&mut self, now: Cycle, offset: u32, halfword: Halfword) {
        let ready = now + halfword.next;
        let stopped = super::begins_block(offset);
        *self =
            Ahead { active: true, stopped, next: offset, ready, fetched: now, ..Ahead::default() };
    }

    /// It drops all that it holds.
    pub fn drop_all(&mut self) {
        self.active = false;
    }

    /// The bus is wanted at `now` for something else, so the unit gives up: when the bus is free. The unit breaks
    /// its access off, except in the last cycle.
    pub fn leave(&mut self, now: Cycle, halfword: Halfword) -> Cycle {
        self.look(now, halfword);
        let reads = self.active && !self.stopped && self.held < CAPACITY;
        self.active = false;
        now + Cycle::from(reads && self.ready == now + 1)
    }

    /// A fetch of so many halfwords that begins at `now`: when it completes, if the unit has them or reads them
    /// next. An N fetch without a pause behind a fetch is the core's own: the unit has not begun yet.
    pub fn take(
        &mut self,
        now: Cycle,
        (offset, count): (u32, u32),
        sequential: bool,
        halfword: Halfword,
    ) -> Option<Cycle> {
        if !self.active || offset != self.next {
            return None;
        }
        self.pause(now, halfword);
        if !sequential && self.held == 0 && !self.has_run {
            return None;
        }
        let mut at = now;
        for _ in 0..count {
            at = self.take_one(at, halfword);
        }
        self.fetched = at.max(now + 1);
        Some(self.fetched)
    }

    /// When the next halfword leaves the buffer, at `at` at the earliest.
    fn take_one(&mut self, mut at: Cycle, halfword: Halfword) -> Cycle {
        if self.held == 0 {
            if self.stopped {
                (self.stopped, self.ready) = (false, at + halfword.first);
            }
            at = self.ready;
        }
        self.look(at, halfword);
        if self.held == CAPACITY && !self.stopped {
            self.ready = at + halfword.next;
        }
        self.held -= 1;
        self.next = self.next.wrapping_add(2);
        at
    }

    /// The core has left the cartridge alone from the last fetch until `now`.
    fn pause(&mut self, now: Cycle, halfword: Halfword) {
        if !self.stopped && now > self.fetched {
            self.has_run = true;
        }
        self.look(now, halfword);
    }

    /// Files in the buffer all that is complete by `now`.
    fn look(&mut self, now: Cycle, halfword: Halfword) {
        while self.active && !self.stopped && self.ready <= now {
            if self.held == CAPACITY {
                if now == self.ready {
                    return;
                }
                (self.stopped, self.has_run) = (true, false);
                return;
            }
            self.held += 1;
            self.stopped = super::begins_block(self.next.wrapping_add(2 * self.held));
            if self.held < CAPACITY {
                self.ready += halfword.next;
            }
        }
    }

    /// Appends its state at `now`.
    pub fn state_at(&self, now: Cycle, halfword: Halfword, state: &mut Vec<u64>) {
        if !self.active {
            state.extend([0; 7]);
            return;
        }
        let mut seen = *self;
        seen.pause(now, halfword);
        let left = if seen.stopped { 0 } else { seen.ready.saturating_sub(now) };
        let flags = [true, seen.stopped, seen.has_run, now <= seen.fetched].map(u64::from);
        state.extend(flags);
        state.extend([seen.next.into(), seen.held.into(), left]);
    }

    /// Takes back what [`state_at`](Self::state_at) appended.
    pub fn set_state(&mut self, now: Cycle, state: &mut dyn Iterator<Item = u64>) {
        let mut number = || state.next().unwrap_or(0);
        let [active, stopped, has_run, just_fetched] = [(); 4].map(|()| number() == 1);
        let (next, held) = (number() as u32, number() as u32);
        let ready = now + number();
        let fetched = if just_fetched { now } else { now.saturating_sub(1) };
        *self = Ahead { active, stopped, has_run, next, held, ready, fetched };
    }

    /// All that has happened was so many cycles later.
    pub fn shift(&mut self, cycles: Cycle) {
        self.ready += cycles;
        self.fetched += cycles;
    }
}
