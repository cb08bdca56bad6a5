//! The core's clock in Hz over the cycles; it converts cycles to seconds.

use crate::time::{Attoseconds, Cycle, NEVER, NEVER_AS, SECOND_AS};

/// A guest that changes its clock without end must not fill the host's memory.
const MOST_EPOCHS: usize = 1 << 20;

/// Frequencies, each from a cycle on.
#[derive(Clone, Debug)]
pub struct Clock {
    oscillator_hz: u32,
    epochs: Vec<(Cycle, u32)>,
    /// The last change.
    since: Change,
}

/// A change of the clock: its cycle and its exact time, in attoseconds and a fraction of one.
#[derive(Clone, Copy, Debug)]
struct Change {
    cycle: Cycle,
    at: Attoseconds,
    fraction: (u128, u128),
}

const START: Change = Change { cycle: 0, at: 0, fraction: (0, 1) };

/// A fraction with a larger denominator is rounded down: a clock that changes to and fro between frequencies
/// without a common measure.
const LARGEST_DENOMINATOR: u128 = SECOND_AS;

impl Clock {
    /// A clock that runs at the oscillator's frequency.
    pub fn new(oscillator_hz: u32) -> Self {
        Clock { oscillator_hz, epochs: vec![(0, oscillator_hz)], since: START }
    }

    pub(super) fn reset(&mut self) {
        *self = Clock::new(self.oscillator_hz);
    }

    /// The oscillator's frequency from this cycle on.
    pub(super) fn restart(&mut self, at: Cycle) {
        self.change(at, self.oscillator_hz);
    }

    /// Changes come in the order of time. False when there were so many that no more are kept.
    pub(super) fn change(&mut self, at: Cycle, hz: u32) -> bool {
        let hz = hz.max(1);
        if hz != self.hz() {
            self.since = self.exactly(at);
        }
        while self.epochs.last().is_some_and(|epoch| epoch.0 == at) {
            self.epochs.pop();
        }
        if self.epochs.last().map(|epoch| epoch.1) != Some(hz) {
            self.epochs.push((at, hz));
        }
        self.epochs.len() < MOST_EPOCHS
    }

    /// The frequency now.
    pub fn hz(&self) -> u32 {
        self.epochs.last().map_or(self.oscillator_hz, |epoch| epoch.1)
    }

    /// (cycle, frequency from there on).
    pub fn epochs(&self) -> &[(Cycle, u32)] {
        &self.epochs
    }

    /// Time from reset to a cycle at or behind the last change of frequency, rounded down.
    pub fn attoseconds(&self, cycle: Cycle) -> Attoseconds {
        if cycle == NEVER {
            NEVER_AS
        } else {
            self.exactly(cycle).at
        }
    }

    /// The time of a cycle in full.
    #[inline]
    fn exactly(&self, cycle: Cycle) -> Change {
        let hz = u128::from(self.hz());
        let passed = u128::from(cycle.saturating_sub(self.since.cycle)) * SECOND_AS;
        let (whole, part) = (passed / hz, passed % hz);
        let (numerator, denominator) = self.since.fraction;
        if numerator == 0 {
            return Change { cycle, at: self.since.at + whole, fraction: (part, hz) };
        }
        let common = denominator / divisor(denominator, hz) * hz;
        let sum = numerator * (common / denominator) + part * (common / hz);
        let fits = common <= LARGEST_DENOMINATOR;
        let fraction = if fits { (sum % common, common) } else { (0, 1) };
        Change { cycle, at: self.since.at + whole + sum / common, fraction }
    }

    /// The first cycle, at or behind the last change of frequency, whose time is `at` or later.
    pub fn cycle_at(&self, at: Attoseconds) -> Cycle {
        let hz = u128::from(self.hz());
        let (numerator, denominator) = self.since.fraction;
        let Some(after) = at.saturating_sub(self.since.at).checked_mul(hz) else { return NEVER };
        let cycles = after.saturating_sub(hz * numerator / denominator).div_ceil(SECOND_AS);
        Cycle::try_from(cycles).map_or(NEVER, |cycles| self.since.cycle.saturating_add(cycles))
    }

    /// Seconds from reset to `cycle`.
    pub fn seconds(&self, cycle: Cycle) -> f64 {
        let ends = self.epochs.iter().skip(1).map(|epoch| epoch.0).chain([cycle]);
        let spans = self.epochs.iter().zip(ends);
        spans
            .map(|(&(from, hz), to)| to.min(cycle).saturating_sub(from) as f64 / f64::from(hz))
            .sum()
    }
}

/// The greatest common divisor.
fn divisor(a: u128, b: u128) -> u128 {
    if b == 0 {
        a
    } else {
        divisor(b, a % b)
    }
}

/// How long so many cycles last at a frequency, rounded down.
pub fn lasts(cycles: Cycle, hz: u32) -> Attoseconds {
    Attoseconds::from(cycles) * SECOND_AS / Attoseconds::from(hz.max(1))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_cycle_is_found_by_its_time_and_by_that_of_another_clock() {
        let mut clock = Clock::new(32_768_000);
        for cycle in [0, 1, 2, 3, 999_999_937, 1 << 50] {
            let at = clock.attoseconds(cycle);
            assert_eq!((clock.cycle_at(at), clock.cycle_at(at + 1)), (cycle, cycle + 1));
        }
        let mut other = Clock::new(12_000_000);
        other.change(7, 60_000_000);
        // Edges of clocks in the ratio 5 to 1 that meet are the same moment.
        for cycle in [7u64, 8, 12, 1_000_000_007] {
            let slow = Clock::new(12_000_000);
            let meets = 7 + 5 * (cycle - 7);
            assert_eq!(other.cycle_at(slow.attoseconds(cycle)), meets);
        }
        clock.change(1000, 1);
        assert_eq!(clock.cycle_at(clock.attoseconds(1001)), 1001);
        assert_eq!((clock.attoseconds(NEVER), clock.cycle_at(NEVER_AS)), (NEVER_AS, NEVER));
    }

    #[test]
    fn changes_come_to_an_end_and_each_takes_the_same_time() {
        let mut clock = Clock::new(12_000_000);
        let changed = (1..).take_while(|&at| clock.change(at, 1 + at as u32 % 2)).count();
        assert_eq!((changed, clock.epochs().len()), (MOST_EPOCHS - 2, MOST_EPOCHS));
    }

    #[test]
    fn seconds_add_up_over_changes_of_frequency() {
        let mut clock = Clock::new(12_000_000);
        clock.change(0, 12_000_000);
        clock.change(12_000, 60_000_000);
        assert_eq!(clock.epochs(), [(0, 12_000_000), (12_000, 60_000_000)]);
        assert_eq!(clock.seconds(6_000), 0.0005);
        assert_eq!(clock.seconds(12_000 + 60_000), 0.002);
    }
}
