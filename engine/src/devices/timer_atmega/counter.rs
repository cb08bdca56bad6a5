//! The counter with its compare units: what happens at each count.

use super::mode::{Mode, Overflow, Slope, Top};

/// Channels of the larger timers; those of 8 bits use two.
pub const CHANNELS: usize = 3;

/// The events of one count.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Count {
    /// The counter left the value of these channels.
    pub matched: [bool; CHANNELS],
    /// Of the counter behind this count: it goes down.
    pub down: bool,
    /// It began anew from 0, on its one slope.
    pub restarted: bool,
    /// TOVn.
    pub overflowed: bool,
    /// It left TOP.
    pub at_top: bool,
}

/// TCNTn, OCRnx and ICRn.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Counter {
    pub mode: Mode,
    /// The largest value: 0xFF or 0xFFFF.
    pub max: u16,
    /// Channels that exist.
    pub channels: usize,
    pub value: u16,
    pub down: bool,
    /// The CPU wrote TCNTn: the next count compares nothing.
    pub blocked: bool,
    /// OCRnx as they are compared.
    pub compare: [u16; CHANNELS],
    /// OCRnx as the CPU wrote them.
    pub buffer: [u16; CHANNELS],
    pub capture: u16,
}

impl Counter {
    /// A counter of so many bits, at 0.
    pub fn new(mode: Mode, max: u16, channels: usize) -> Self {
        Counter {
            mode,
            max,
            channels,
            value: 0,
            down: false,
            blocked: false,
            compare: [0; CHANNELS],
            buffer: [0; CHANNELS],
            capture: 0,
        }
    }

    pub fn top(&self) -> u16 {
        match self.mode.top {
            Top::Fixed(value) => value,
            Top::Compare => self.compare[0],
            Top::Capture => self.capture,
        }
    }

    fn has_two_slopes(&self) -> bool {
        matches!(self.mode.slope, Slope::PhaseCorrect | Slope::PhaseAndFrequencyCorrect)
    }

    /// Changes the mode. Without buffers, what waits in them takes effect.
    pub fn set_mode(&mut self, mode: Mode) {
        self.mode = mode;
        self.down &= self.has_two_slopes();
        if mode.slope == Slope::Plain {
            self.compare = self.buffer;
        }
    }

    /// The CPU writes OCRnx.
    pub fn set_compare(&mut self, channel: usize, value: u16) {
        self.buffer[channel] = value;
        if self.mode.slope == Slope::Plain {
            self.compare[channel] = value;
        }
    }

    /// The CPU writes TCNTn.
    pub fn set_value(&mut self, value: u16) {
        (self.value, self.blocked) = (value, true);
    }

    /// Counts to the next one at which more may happen than a step up or down, that one included.
    pub fn to_next(&self) -> u64 {
        let value = self.value;
        let matches = self.compare[..self.channels].iter().copied();
        let farther = if self.down {
            matches.filter(|at| *at <= value).map(|at| value - at).min().unwrap_or(value)
        } else {
            let ends = matches.chain([self.top()]).filter(|at| *at >= value);
            ends.map(|at| at - value).min().unwrap_or(self.max - value)
        };
        u64::from(farther) + 1
    }

    /// Makes so many counts, fewer than [`to_next`](Counter::to_next).
    pub fn step(&mut self, counts: u64) {
        let by = counts as u16;
        self.value = if self.down { self.value - by } else { self.value + by };
        self.blocked &= counts == 0;
    }

    /// Makes one count.
    pub fn count(&mut self) -> Count {
        let compares = !std::mem::take(&mut self.blocked);
        let mut count = Count::default();
        for channel in 0..self.channels {
            count.matched[channel] = compares && self.value == self.compare[channel];
        }
        let is_fixed = matches!(self.mode.top, Top::Fixed(_));
        count.at_top = !self.down && self.value == self.top() && (compares || is_fixed);
        if self.has_two_slopes() {
            self.count_both_ways(&mut count);
        } else {
            self.count_up(&mut count);
        }
        count.down = self.down;
        count
    }

    fn count_up(&mut self, count: &mut Count) {
        let at_max = self.value == self.max;
        count.restarted = count.at_top || at_max;
        count.overflowed = match self.mode.overflow {
            Overflow::Max => at_max,
            _ => count.at_top,
        };
        self.value = if count.restarted { 0 } else { self.value + 1 };
        if count.restarted {
            self.compare = self.buffer;
        }
    }

    fn count_both_ways(&mut self, count: &mut Count) {
        let leaves_bottom = self.down && self.value == 0;
        count.overflowed = leaves_bottom;
        let leaves_top = count.at_top || !self.down && self.value == self.max;
        let nowhere = self.top() == 0 && self.value == 0 && (leaves_top || leaves_bottom);
        if leaves_bottom {
            self.down = false;
        } else if leaves_top {
            self.down = true;
        }
        self.value = match (nowhere, self.down) {
            (true, _) => 0,
            (false, true) => self.value - 1,
            (false, false) => self.value + 1,
        };
        let updates = match self.mode.slope {
            Slope::PhaseCorrect => leaves_top,
            _ => leaves_bottom,
        };
        if updates {
            self.compare = self.buffer;
        }
    }

    /// Counts of one period, while the value is within it.
    pub fn period(&self) -> Option<u64> {
        let top = u64::from(self.top());
        let within = self.value <= self.top() && self.compare == self.buffer;
        within.then(|| if self.has_two_slopes() { (2 * top).max(2) } else { top + 1 })
    }
}
