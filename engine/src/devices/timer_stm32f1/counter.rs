//! Prescaler, counter and compares: one clock at a time, or many at once.

use super::channel::Channel;
use super::{ARPE, CEN, DIR, OPM, UDIS, UIF};

const REVOLUTION: u32 = 1 << 16;

/// The outcome of the clocks that passed.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Happened {
    /// Bits of SR.
    pub flags: u32,
    /// Requests to the DMA: update in bit 0, channels in bits 4:1.
    pub requests: u32,
}

/// A register that takes a new value at an update.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Shadowed {
    /// The value that counts.
    pub active: u32,
    /// The value that is read, and counts from the next update on.
    pub preload: u32,
}

impl Shadowed {
    /// Writes the register; it counts at once unless preload is on.
    pub fn write(&mut self, value: u32, preloads: bool) {
        self.preload = value & 0xFFFF;
        if !preloads {
            self.active = self.preload;
        }
    }

    fn update(&mut self) {
        self.active = self.preload;
    }
}

/// The counter.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Counter {
    /// CR1.
    pub control: u32,
    /// CNT.
    pub count: u32,
    /// The prescaler's own count, PSC and ARR.
    pub prescale: u32,
    pub prescaler: Shadowed,
    pub reload: Shadowed,
    pub channels: [Channel; 4],
    /// CCER.
    pub enables: u32,
    /// CEN was set, and no clock has passed.
    pub starts: bool,
}

impl Default for Counter {
    fn default() -> Self {
        let all = Shadowed { active: 0xFFFF, preload: 0xFFFF };
        Counter {
            control: 0,
            count: 0,
            prescale: 0,
            prescaler: Shadowed::default(),
            reload: all,
            channels: [Channel::default(); 4],
            enables: 0,
            starts: false,
        }
    }
}

impl Counter {
    fn runs(&self) -> bool {
        self.control & CEN != 0
    }

    fn counts_down(&self) -> bool {
        self.control & DIR != 0
    }

    /// Lets so many clocks pass.
    pub fn advance(&mut self, ticks: u64) -> Happened {
        let mut happened = Happened::default();
        let mut left = ticks;
        // Once all registers count, everything repeats itself every two periods: toggles too.
        let settling = self.settling();
        if self.control & OPM == 0 && left / 2 > settling {
            self.walk(settling, &mut happened);
            left = (left - settling) % (2 * self.period());
        }
        self.walk(left, &mut happened);
        happened
    }

    fn walk(&mut self, ticks: u64, happened: &mut Happened) {
        let mut left = ticks;
        while left > 0 && self.runs() {
            let quiet = self.to_point(0x1F).map_or(left, |ticks| ticks.min(left));
            self.jump(quiet);
            left -= quiet;
            if left > 0 {
                self.tick(happened);
                left -= 1;
            }
        }
    }

    /// Clocks before the next one that is seen, of the update (bit 0) and the channels (bits 4:1) that are listened
    /// to; `None` if none ever is.
    pub fn quiet(&self, seen: u32) -> Option<u64> {
        let driven = (0..4).filter(|n| self.enables >> (4 * n) & 1 != 0);
        let driven = driven.filter(|n| self.channels[*n].moves_its_pin());
        let seen = driven.fold(seen, |seen, n| seen | 2 << n);
        // An update loads what the channels depend on.
        if seen == 0 {
            None
        } else {
            self.to_point(seen | UIF)
        }
    }

    /// Levels of the channels' pins.
    pub fn pins(&self) -> u32 {
        (0..4).fold(0, |pins, n| {
            let enable = self.enables >> (4 * n);
            let level = u32::from(self.channels[n].level) ^ enable >> 1 & 1;
            let driven = if self.channels[n].is_output() { level & enable & 1 } else { 0 };
            pins | driven << n
        })
    }

    /// A period, in clocks.
    fn period(&self) -> u64 {
        (u64::from(self.prescaler.active) + 1) * (u64::from(self.reload.active) + 1)
    }

    /// Clocks within which all registers that ever will have taken their values, and a period has passed with them.
    fn settling(&self) -> u64 {
        let prescale = self.prescaler.active.max(self.prescaler.preload);
        let (active, preload) = (self.reload.active, self.reload.preload);
        let beyond = if self.count > active { REVOLUTION } else { 0 };
        let steps = beyond + 3 * (active.max(preload) + 1);
        (u64::from(prescale) + 1) * u64::from(steps) + 1
    }

    /// Clocks before the step that is so many steps away.
    fn before_step(&self, steps: u32) -> u64 {
        let period = u64::from(self.prescaler.active) + 1;
        let first = u64::from(self.prescaler.active.saturating_sub(self.prescale));
        u64::from(self.starts) + first + u64::from(steps - 1) * period
    }

    /// Clocks before the next overflow or match of those that are asked for.
    fn to_point(&self, asked: u32) -> Option<u64> {
        if !self.runs() || self.reload.active == 0 && !self.counts_down() {
            return None;
        }
        let mut steps = self.to_overflow();
        for n in (0..4).filter(|n| asked >> (n + 1) & 1 != 0) {
            let compare = self.channels[n].compare.active;
            let ahead = if self.counts_down() {
                self.count.saturating_sub(compare)
            } else {
                compare.saturating_sub(self.count)
            };
            if ahead > 0 {
                steps = steps.min(ahead);
            }
        }
        Some(self.before_step(steps))
    }

    /// Steps until the counter begins anew.
    fn to_overflow(&self) -> u32 {
        match (self.counts_down(), self.count > self.reload.active) {
            (true, _) => self.count + 1,
            (_, false) => self.reload.active - self.count + 1,
            _ => REVOLUTION - self.count,
        }
    }

    /// Many clocks at which nothing begins anew or matches.
    fn jump(&mut self, ticks: u64) {
        if ticks == 0 {
            return;
        }
        let mut ticks = ticks;
        if std::mem::take(&mut self.starts) {
            ticks -= 1;
        }
        if !self.counts_down() && self.reload.active == 0 {
            return;
        }
        let period = u64::from(self.prescaler.active) + 1;
        let total = u64::from(self.prescale) + ticks;
        let steps = (total / period) as u32;
        self.prescale = (total % period) as u32;
        self.count = if self.counts_down() { self.count - steps } else { self.count + steps };
        if steps > 0 {
            self.settle_levels();
        }
    }

    /// One clock: the definition of what the counter does.
    pub fn tick(&mut self, happened: &mut Happened) {
        if !self.runs() || std::mem::take(&mut self.starts) {
            return;
        }
        if !self.counts_down() && self.reload.active == 0 {
            return;
        }
        if self.prescale < self.prescaler.active {
            self.prescale += 1;
            return;
        }
        self.prescale = 0;
        self.step(happened);
    }

    fn step(&mut self, happened: &mut Happened) {
        let limit = self.reload.active;
        let (anew, next) = if self.counts_down() {
            (self.count == 0, if self.count == 0 { limit } else { self.count - 1 })
        } else if self.count == limit {
            (true, 0)
        } else {
            (false, (self.count + 1) % REVOLUTION)
        };
        self.count = next;
        if anew {
            self.update(true, happened);
            if self.control & OPM != 0 {
                self.control &= !CEN;
            }
        }
        for n in 0..4 {
            let channel = &mut self.channels[n];
            let beyond = anew && !channel.is_input() && channel.compare.active > limit;
            if !channel.is_input() && (channel.compare.active == next || beyond) {
                happened.flags |= 2 << n;
                happened.requests |= 2 << n;
                if !beyond {
                    channel.matched();
                }
            }
        }
        self.settle_levels();
    }

    /// An update: registers take their new values. `flags`: it shows in SR and asks the DMA.
    pub fn update(&mut self, flags: bool, happened: &mut Happened) {
        if self.control & UDIS != 0 {
            return;
        }
        self.prescaler.update();
        self.reload.update();
        for channel in self.channels.iter_mut().filter(|one| !one.is_input()) {
            channel.compare.update();
        }
        if flags {
            happened.flags |= UIF;
            happened.requests |= UIF;
        }
    }

    /// EGR's UG: the counter begins anew.
    pub fn restart(&mut self, flags: bool, happened: &mut Happened) {
        self.prescale = 0;
        self.update(flags, happened);
        self.count = if self.counts_down() { self.reload.active } else { 0 };
        self.settle_levels();
    }

    /// Levels that follow from the count alone: PWM.
    pub fn settle_levels(&mut self) {
        let (count, down) = (self.count, self.counts_down());
        self.channels.iter_mut().for_each(|channel| channel.settle(count, down));
    }

    /// Writes ARR.
    pub fn write_reload(&mut self, value: u32) {
        self.reload.write(value, self.control & ARPE != 0);
    }
}
