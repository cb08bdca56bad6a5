//! The core's clock in Hz over the cycles; it converts cycles to seconds.

use crate::time::Cycle;

/// A guest that changes its clock without end must not fill the host's memory.
const MOST_EPOCHS: usize = 1 << 20;

/// Frequencies, each from a cycle on.
#[derive(Clone, Debug)]
pub struct Clock {
    oscillator_hz: u32,
    epochs: Vec<(Cycle, u32)>,
}

impl Clock {
    /// A clock that runs at the oscillator's frequency.
    pub fn new(oscillator_hz: u32) -> Self {
        Clock { oscillator_hz, epochs: vec![(0, oscillator_hz)] }
    }

    pub(super) fn reset(&mut self) {
        *self = Clock::new(self.oscillator_hz);
    }

    /// Changes come in the order of time. False when there were so many that no more are kept.
    pub(super) fn change(&mut self, at: Cycle, hz: u32) -> bool {
        let hz = hz.max(1);
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

    /// Seconds from reset to `cycle`.
    pub fn seconds(&self, cycle: Cycle) -> f64 {
        let ends = self.epochs.iter().skip(1).map(|epoch| epoch.0).chain([cycle]);
        let spans = self.epochs.iter().zip(ends);
        spans
            .map(|(&(from, hz), to)| to.min(cycle).saturating_sub(from) as f64 / f64::from(hz))
            .sum()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

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
