//! The core's clock in Hz over the cycles: what turns cycles into seconds.

use crate::time::Cycle;

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

    pub(super) fn change(&mut self, at: Cycle, hz: u32) {
        let hz = hz.max(1);
        self.epochs.retain(|epoch| epoch.0 != at);
        if self.epochs.last().map(|epoch| epoch.1) != Some(hz) {
            self.epochs.push((at, hz));
        }
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
    fn seconds_add_up_over_changes_of_frequency() {
        let mut clock = Clock::new(12_000_000);
        clock.change(0, 12_000_000);
        clock.change(12_000, 60_000_000);
        assert_eq!(clock.epochs(), [(0, 12_000_000), (12_000, 60_000_000)]);
        assert_eq!(clock.seconds(6_000), 0.0005);
        assert_eq!(clock.seconds(12_000 + 60_000), 0.002);
    }
}
