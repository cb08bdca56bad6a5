//! Prescale counter, timer counter and their matches, one PCLK at a time or many at once.

const INTERRUPT: u32 = 1 << 0;
const RESET: u32 = 1 << 1;
const STOP: u32 = 1 << 2;

/// TC, PC and the registers that steer them.
#[derive(Clone, Debug, Default)]
pub struct Counter {
    /// TC.
    pub count: u32,
    /// PC.
    pub prescale: u32,
    /// PR.
    pub prescale_limit: u32,
    /// MCR: interrupt, reset and stop, three bits per match.
    pub control: u32,
    /// MR0 to MR3.
    pub matches: [u32; 4],
    /// EMR: four levels, then two bits of action per match.
    pub external: u32,
    /// TC counts edges of a capture input, not prescaled PCLKs.
    pub counts_edges: bool,
    /// TC came to its value at the last PCLK: a match with it acts at the next.
    pub fresh: bool,
}

/// Actions that the matches of some PCLKs ask for.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Outcome {
    /// Bits to set in IR.
    pub interrupts: u32,
    /// The counter stopped; the PCLKs left over were not counted.
    pub stopped: bool,
}

impl Counter {
    /// Lets `ticks` PCLKs pass, or fewer if a match stops the counter.
    pub fn advance(&mut self, ticks: u64) -> Outcome {
        let mut outcome = Outcome::default();
        let mut left = ticks;
        while left > 0 && !outcome.stopped {
            let quiet = self.quiet().unwrap_or(u64::MAX).min(left);
            self.jump(quiet);
            left -= quiet;
            if left > 0 {
                self.tick(&mut outcome);
                left -= 1;
            }
        }
        outcome
    }

    /// PCLKs before the next one at which a match does something; `None` if none ever will.
    pub fn quiet(&self) -> Option<u64> {
        (0..4).flat_map(|n| [self.ticks_until_action(n), self.ticks_until_reset(n)]).flatten().min()
    }

    /// Counts one edge, or one prescaled PCLK. TC goes up by one, or to 0 if it stands at a match
    /// that resets it.
    pub fn count(&mut self) {
        let resets = (0..4).any(|n| self.matches_now(n) && self.action(n) & RESET != 0);
        self.count = if resets { 0 } else { self.count.wrapping_add(1) };
        self.fresh = true;
    }

    /// TC and PC to 0.
    pub fn clear(&mut self) {
        (self.count, self.prescale, self.fresh) = (0, 0, true);
    }

    fn action(&self, n: usize) -> u32 {
        self.control >> (3 * n) & 7
    }

    fn external_action(&self, n: usize) -> u32 {
        self.external >> (4 + 2 * n) & 3
    }

    fn matches_now(&self, n: usize) -> bool {
        self.matches[n] == self.count
    }

    /// One PCLK: the definition of what the counter does.
    fn tick(&mut self, outcome: &mut Outcome) {
        let matched = (0..4).filter(|&n| self.fresh && self.matches_now(n));
        let (mut interrupts, mut external, mut actions) = (0, self.external, 0);
        for n in matched {
            actions |= self.action(n);
            interrupts |= (self.action(n) & INTERRUPT) << n;
            external = match self.external_action(n) {
                0 => external,
                1 => external & !(1 << n),
                2 => external | 1 << n,
                _ => external ^ 1 << n,
            };
        }
        self.external = external;
        self.fresh = false;
        outcome.interrupts |= interrupts;
        outcome.stopped = actions & STOP != 0;
        if outcome.stopped {
            if actions & RESET != 0 {
                self.clear();
            }
        } else if !self.counts_edges {
            self.prescaled_tick();
        }
    }

    fn prescaled_tick(&mut self) {
        if self.prescale == self.prescale_limit {
            self.prescale = 0;
            self.count();
        } else {
            self.prescale = self.prescale.wrapping_add(1);
        }
    }

    /// Many PCLKs at which no match does anything.
    fn jump(&mut self, ticks: u64) {
        if ticks == 0 {
            return;
        }
        self.fresh = false;
        if self.counts_edges {
            return;
        }
        let until_count = self.ticks_until_count();
        if ticks < until_count {
            self.prescale = self.prescale.wrapping_add(ticks as u32);
            return;
        }
        let (counts, rest) =
            ((ticks - until_count) / self.period(), (ticks - until_count) % self.period());
        self.count = self.count.wrapping_add((counts + 1) as u32);
        self.prescale = rest as u32;
        self.fresh = rest == 0;
    }

    /// PCLKs per count.
    fn period(&self) -> u64 {
        u64::from(self.prescale_limit) + 1
    }

    /// PCLKs up to and with the one that moves TC. A PC beyond PR first has to wrap.
    fn ticks_until_count(&self) -> u64 {
        u64::from(self.prescale_limit.wrapping_sub(self.prescale)) + 1
    }

    /// PCLKs until TC comes to `value`, at least one.
    fn ticks_until_arrival(&self, value: u32) -> u64 {
        let counts = u64::from(value.wrapping_sub(self.count).wrapping_sub(1));
        self.ticks_until_count().saturating_add(counts.saturating_mul(self.period()))
    }

    fn ticks_until_action(&self, n: usize) -> Option<u64> {
        if self.action(n) & (INTERRUPT | STOP) == 0 && self.external_action(n) == 0 {
            None
        } else if self.fresh && self.matches_now(n) {
            Some(0)
        } else {
            (!self.counts_edges).then(|| self.ticks_until_arrival(self.matches[n]))
        }
    }

    fn ticks_until_reset(&self, n: usize) -> Option<u64> {
        if self.action(n) & RESET == 0 || self.counts_edges {
            None
        } else if self.matches_now(n) {
            Some(self.ticks_until_count() - 1)
        } else {
            Some(self.ticks_until_arrival(self.matches[n]).saturating_add(self.period() - 1))
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const REVOLUTION: u64 = 1 << 32;

    #[test]
    fn a_jump_of_any_length_equals_so_many_single_pclks() {
        let start =
            Counter { prescale_limit: 2, matches: [6, 0, 0, 0], control: 3, ..Counter::default() };
        let (mut single, mut steps) = (start.clone(), Outcome::default());
        for ticks in 0..200 {
            let mut jumped = start.clone();
            let outcome = jumped.advance(ticks);
            assert_eq!(format!("{jumped:?}"), format!("{single:?}"), "after {ticks}");
            assert_eq!(outcome, steps);
            single.tick(&mut steps);
        }
    }

    #[test]
    fn a_prescale_counter_beyond_its_limit_wraps_first() {
        let mut counter = Counter { prescale: 5, prescale_limit: 2, ..Counter::default() };
        counter.advance(REVOLUTION - 5);
        assert_eq!((counter.count, counter.prescale), (0, 0));
        counter.advance(3);
        assert_eq!((counter.count, counter.prescale), (1, 0));
    }

    #[test]
    fn the_count_wraps() {
        let mut counter = Counter { count: u32::MAX, ..Counter::default() };
        counter.advance(REVOLUTION + 3);
        assert_eq!(counter.count, 2);
    }

    #[test]
    fn a_match_already_acted_on_comes_again_after_a_whole_revolution() {
        let mut counter = Counter { control: 1, ..Counter::default() };
        assert_eq!(counter.advance(REVOLUTION).interrupts, 0, "0 was left before");
        assert_eq!(counter.quiet(), Some(0));
        assert_eq!(counter.advance(1).interrupts, 1);
    }
}
