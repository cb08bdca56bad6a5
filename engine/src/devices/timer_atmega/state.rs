//! The part of a timer that clock edges change, and how it passes many at once.

use super::clock::Clock;
use super::counter::{Count, Counter};
use super::mode::Top;
use super::pins::Pins;
use super::{CAPTURE_FLAG, MATCH_A, OVERFLOW};
use crate::time::Cycle;

/// The part of a timer that clock edges change.
#[derive(Clone, Debug)]
pub struct State {
    pub counter: Counter,
    pub pins: Pins,
    pub flags: u8,
    /// The last edge that it has passed.
    pub edge: Cycle,
    /// Flags set at the last edge that set any.
    pub raised: (Cycle, u8),
}

/// The flags that a count sets.
pub fn flags(count: &Count, counter: &Counter) -> u8 {
    let mut flags = if count.overflowed { OVERFLOW } else { 0 };
    for (channel, matched) in count.matched.into_iter().enumerate() {
        flags |= if matched { MATCH_A << channel } else { 0 };
    }
    let captures = count.at_top && counter.mode.top == Top::Capture;
    flags | if captures { CAPTURE_FLAG } else { 0 }
}

impl State {
    /// Passes all edges up to this one.
    pub fn pass(&mut self, clock: &Clock, edge: Cycle) {
        let mut left = clock.counts(self.edge, edge);
        let (from, all) = (self.edge, left);
        self.edge = self.edge.max(edge);
        let mut within = 0;
        while left > 0 {
            let next = self.counter.to_next();
            if left < next {
                return self.counter.step(left);
            }
            self.counter.step(next - 1);
            let count = self.counter.count();
            left -= next;
            let raised = flags(&count, &self.counter);
            self.flags |= raised;
            if raised != 0 {
                self.raised = (clock.edge(from, all - left), raised);
            }
            self.pins.follow(&count, &self.counter.mode);
            // After two whole periods nothing is new: the rest is so many more, and a part of one.
            within += next;
            match self.counter.period() {
                Some(period) if within > 2 * period && !self.pins.moves() => {
                    let skipped = left.saturating_sub(period) / period * period;
                    left -= skipped;
                }
                Some(_) => {}
                None => within = 0,
            }
        }
    }
}
