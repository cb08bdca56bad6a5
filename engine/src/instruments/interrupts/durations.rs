//! Durations, each with its number.

use std::collections::BTreeMap;

use crate::time::Cycle;

/// How often each duration occurred.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Durations {
    counts: BTreeMap<Cycle, u64>,
}

impl Durations {
    /// Adds one.
    pub fn add(&mut self, cycles: Cycle) {
        *self.counts.entry(cycles).or_default() += 1;
    }

    /// Takes back one that was added.
    pub(super) fn remove(&mut self, cycles: Cycle) {
        if let Some(count) = self.counts.get_mut(&cycles) {
            *count -= 1;
            if *count == 0 {
                self.counts.remove(&cycles);
            }
        }
    }

    /// Each duration, the shortest first, with its number.
    pub fn counts(&self) -> &BTreeMap<Cycle, u64> {
        &self.counts
    }

    /// How many there are.
    pub fn count(&self) -> u64 {
        self.counts.values().sum()
    }

    /// The sum of all.
    pub fn total(&self) -> Cycle {
        self.counts.iter().map(|(cycles, count)| cycles * count).sum()
    }

    /// The duration that this part of all, from 0 to 1, does not exceed; `None` if there is none.
    pub fn quantile(&self, part: f64) -> Option<Cycle> {
        let wanted = (part * self.count() as f64).ceil().max(1.0) as u64;
        let mut seen = 0;
        let reaches = |(_, count): &(&Cycle, &u64)| {
            seen += **count;
            seen >= wanted
        };
        let found = self.counts.iter().find(reaches);
        found.or_else(|| self.counts.iter().next_back()).map(|(cycles, _)| *cycles)
    }
}
