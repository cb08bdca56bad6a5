//! The four timers of a console. `docs/timing/timer_console.md` marks what confirms each rule.

#[cfg(test)]
mod tests;

use super::{halfwords, no_register, registers_console};
use crate::bus::Width;
use crate::device::{Device, Port, Tag};
use crate::time::Cycle;

const PART: &str = "timer_console";

const TIMERS: usize = 4;
const BYTES: u32 = 4 * TIMERS as u32;

/// Cycles from a write of a control register until the counter obeys it.
const DELAY_CYCLES: Cycle = 2;

/// Event of timer n: its control register acts; behind these, its counter overflows.
const OVERFLOWS: Tag = TIMERS as Tag;

/// The count that a counter never shows: it begins anew.
const TOP: u32 = 0x1_0000;

// Bits of a control register.
const CASCADED: u32 = 1 << 2;
const REQUESTS: u32 = 1 << 6;
const ENABLED: u32 = 1 << 7;
const WRITABLE: u32 = 3 | CASCADED | REQUESTS | ENABLED;

/// Cycles of a count, by bits 1:0 of a control register.
const PRESCALERS: [Cycle; 4] = [1, 64, 256, 1024];

/// One timer.
#[derive(Clone, Copy, Debug, Default)]
struct Timer {
    reload: u32,
    /// The control register, and as it acts.
    control: u32,
    acting: u32,
    /// The count at the cycle `since`.
    count: u32,
    since: Cycle,
}

impl Timer {
    fn is_enabled(&self) -> bool {
        self.acting & ENABLED != 0
    }

    /// Whether it counts cycles.
    fn runs(&self) -> bool {
        self.is_enabled() && self.acting & CASCADED == 0
    }

    fn prescaler(&self) -> Cycle {
        PRESCALERS[self.acting as usize & 3]
    }

    /// Its counter at `now`. The prescaler's edges are multiples of its cycles on the board's count.
    fn value(&self, now: Cycle) -> u32 {
        if !self.runs() {
            return self.count;
        }
        let prescaler = self.prescaler();
        self.count + (now / prescaler - self.since / prescaler) as u32
    }

    /// When its counter overflows.
    fn overflows(&self) -> Option<Cycle> {
        let left = Cycle::from(TOP - self.count);
        let prescaler = self.prescaler();
        self.runs().then(|| (self.since / prescaler + left) * prescaler)
    }

    /// From `now` on its control register acts as it was written.
    fn act(&mut self, now: Cycle) {
        let starts = !self.is_enabled() && self.control & ENABLED != 0;
        self.count = if starts { self.reload } else { self.value(now) };
        (self.since, self.acting) = (now, self.control);
    }
}

/// The device; see the file's head.
#[derive(Clone, Debug, Default)]
pub struct Timers {
    timers: [Timer; TIMERS],
}

impl Timers {
    /// The counter of timer n goes from its top to its reload value, and lets the next one count.
    fn overflow(&mut self, n: usize, port: &mut Port) {
        let timer = &mut self.timers[n];
        (timer.count, timer.since) = (timer.reload, port.now());
        self.await_overflow(n, port);
        if self.timers[n].acting & REQUESTS != 0 {
            port.send(n, 1);
        }
        let next = n + 1;
        if next < TIMERS && self.timers[next].acting & (ENABLED | CASCADED) == ENABLED | CASCADED {
            self.timers[next].count += 1;
            if self.timers[next].count == TOP {
                self.overflow(next, port);
            }
        }
    }

    fn await_overflow(&self, n: usize, port: &mut Port) {
        let tag = OVERFLOWS + n as Tag;
        match self.timers[n].overflows() {
            Some(at) => port.schedule(tag, at),
            None => port.cancel(tag),
        }
    }

    fn write_half(&mut self, offset: u32, mask: u32, value: u32, port: &mut Port) {
        let n = offset as usize / 4;
        let timer = &mut self.timers[n];
        if offset & 2 == 0 {
            timer.reload = halfwords::merged(timer.reload, mask, value);
            return;
        }
        // The first timer has none before it.
        let writable = if n == 0 { WRITABLE & !CASCADED } else { WRITABLE };
        timer.control = halfwords::merged(timer.control, mask, value) & writable;
        port.schedule(n as Tag, port.now() + DELAY_CYCLES);
    }
}

impl Device for Timers {
    fn outputs(&self) -> &'static [&'static str] {
        &["interrupt0", "interrupt1", "interrupt2", "interrupt3"]
    }

    fn register(&self, offset: u32) -> Option<String> {
        registers_console::name(&registers_console::TIMER, offset)
    }

    fn reset(&mut self, port: &mut Port) {
        *self = Timers::default();
        (0..2 * OVERFLOWS).for_each(|tag| port.cancel(tag));
    }

    fn read(&mut self, offset: u32, width: Width, port: &mut Port) -> u32 {
        if offset >= BYTES {
            no_register(PART, offset, port);
            return 0;
        }
        let timer = self.timers[offset as usize / 4];
        let now = port.now();
        halfwords::read(offset, width, |halfword| match halfword & 2 {
            0 => timer.value(now),
            _ => timer.control,
        })
    }

    /// A counter is steady that counts no cycles, nor will soon.
    fn steady(&self, offset: u32) -> bool {
        let timer = self.timers.get(offset as usize / 4);
        offset & 2 != 0 || timer.is_none_or(|one| !one.runs() && one.control == one.acting)
    }

    fn copy(&self) -> Option<Box<dyn Device>> {
        Some(Box::new(self.clone()))
    }

    fn write(&mut self, offset: u32, width: Width, value: u32, port: &mut Port) {
        if offset >= BYTES {
            no_register(PART, offset, port);
            return;
        }
        for (halfword, mask, value) in halfwords::written(offset, width, value) {
            self.write_half(halfword, mask, value, port);
        }
    }

    fn event(&mut self, tag: Tag, port: &mut Port) {
        let n = (tag % OVERFLOWS) as usize;
        if tag < OVERFLOWS {
            self.timers[n].act(port.now());
            self.await_overflow(n, port);
        } else {
            self.overflow(n, port);
        }
    }
}
