//! A memory with wait states on a bus of fixed width (ARM DDI 0210, chapter 3: memory interface).

use super::{MemoryTiming, ONE_LINE};
use crate::bus::{Access, Width};
use crate::time::Cycle;

/// More wait states than a guest can set.
const MOST_WAITS: u32 = 0xFFFF;

/// One cost for each kind of access. An access wider than the memory takes several transfers: the
/// first is of the access's kind (N or S), the others are S.
#[derive(Clone, Debug)]
pub struct Waits {
    width: Width,
    /// Cycles of a transfer without wait states.
    own_cycles: u32,
    /// Wait states of an N and of an S transfer, after a reset and now.
    reset_waits: [u32; 2],
    waits: [u32; 2],
    cycles: [u32; Access::COUNT],
    /// Bytes of a block, less 1, beyond which no burst goes; without such blocks none.
    burst_mask: Option<u32>,
    /// An access that does not begin as the last one ends is an N transfer.
    pauses_break: bool,
    /// When the last access completed, where that matters.
    at: Cycle,
}

impl Waits {
    /// A memory `width` wide whose transfers take `1 + n_wait` (N) or `1 + s_wait` (S) cycles.
    pub fn new(width: Width, n_wait: u32, s_wait: u32) -> Self {
        let waits = [n_wait, s_wait];
        let own_cycles = 1;
        let (cycles, burst_mask) = (costs(width, own_cycles, waits), None);
        let pauses_break = false;
        Waits {
            width,
            own_cycles,
            reset_waits: waits,
            waits,
            cycles,
            burst_mask,
            pauses_break,
            at: 0,
        }
    }

    /// The same where a transfer takes its wait states alone: the core spends a cycle for it by itself.
    pub fn within_cycles_of_core(self) -> Self {
        Waits { own_cycles: 0, cycles: costs(self.width, 0, self.waits), ..self }
    }

    /// The same where a transfer to the first address of each block of `bytes` (a power of two, 4
    /// at least) is an N transfer even in sequence. The memory's address counter ends there.
    pub fn with_bursts(self, bytes: u32) -> Self {
        Waits { burst_mask: Some(bytes - 1), ..self }
    }

    /// The same where the first access after anything else (an access elsewhere, a cycle without
    /// one) is an N transfer, whatever the core calls it. The memory has lost the place by then.
    pub fn with_breaks(self) -> Self {
        Waits { pauses_break: true, ..self }
    }

    #[inline(always)]
    fn cycles(&self, access: Access) -> Cycle {
        self.cycles[access.index()].into()
    }
}

/// Cycles of each kind of access.
fn costs(width: Width, own_cycles: u32, [n_wait, s_wait]: [u32; 2]) -> [u32; Access::COUNT] {
    let mut cycles = [0; Access::COUNT];
    for access in Access::all() {
        let further = (access.width().bytes() / width.bytes()).max(1) - 1;
        let first = if access.is_sequential() { s_wait } else { n_wait };
        cycles[access.index()] = own_cycles + first + further * (own_cycles + s_wait);
    }
    cycles
}

impl MemoryTiming for Waits {
    /// Wait states of an N and of an S transfer.
    fn inputs(&self) -> &'static [&'static str] {
        &["n_wait", "s_wait"]
    }

    fn set(&mut self, input: usize, level: u32) {
        self.waits[input] = level.min(MOST_WAITS);
        self.cycles = costs(self.width, self.own_cycles, self.waits);
    }

    fn reset(&mut self) {
        (self.waits, self.at) = (self.reset_waits, 0);
        self.cycles = costs(self.width, self.own_cycles, self.waits);
    }

    #[inline]
    fn access(&mut self, now: Cycle, offset: u32, access: Access) -> Cycle {
        let begins = self.burst_mask.is_some_and(|mask| access.align(offset) & mask == 0);
        let broken = begins || (self.pauses_break && now != self.at);
        self.at = now + self.cycles(if broken { access.nonsequential() } else { access });
        self.at
    }

    /// No line is longer than a burst: so no fetch from the line of the last one begins a burst.
    fn line_shift(&self) -> Option<u32> {
        (!self.pauses_break).then_some(self.burst_mask.map_or(ONE_LINE, u32::count_ones))
    }

    #[inline(always)]
    fn fetches_again(&self, access: Access) -> Cycle {
        self.cycles(access)
    }

    fn fixed_cycles(&self, access: Access) -> Option<Cycle> {
        (self.burst_mask.is_none() && !self.pauses_break).then(|| self.cycles(access))
    }

    fn slowest_fetch(&self) -> Cycle {
        Access::all().filter(|access| access.is_code()).map(|a| self.cycles(a)).max().unwrap_or(1)
    }

    fn state_at(&self, now: Cycle, state: &mut Vec<u64>) {
        state.push((self.pauses_break && now == self.at).into());
    }

    fn set_state(&mut self, now: Cycle, state: &mut dyn Iterator<Item = u64>) {
        let has_just_completed = state.next() == Some(1);
        self.at = if has_just_completed { now } else { now.saturating_sub(1) };
    }

    fn shift(&mut self, cycles: Cycle) {
        self.at += cycles;
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Cycles of an access at 1000 that nothing came before.
    fn cost(waits: &mut Waits, offset: u32, access: Access) -> Cycle {
        waits.access(1000, offset, access) - 1000
    }

    #[test]
    fn a_burst_ends_with_its_block() {
        let mut waits = Waits::new(Width::Half, 4, 2).with_bursts(0x100);
        for kind in [Access::code(Width::Word), Access::data(Width::Word)] {
            let costs = [0xFC, 0x100, 0x104, 0x200];
            let costs = costs.map(|offset| cost(&mut waits, offset, kind.sequential()));
            assert_eq!(costs, [6, 8, 6, 8]);
        }
        let fetch = Access::code(Width::Half).sequential();
        let costs = [0xFE, 0x100, 0x101, 0x102].map(|offset| cost(&mut waits, offset, fetch));
        assert_eq!(costs, [3, 5, 5, 3]);
    }

    #[test]
    fn a_line_is_no_longer_than_a_burst() {
        let waits = || Waits::new(Width::Word, 1, 1);
        let shifts = [4, 8, 16, 1024].map(|bytes| waits().with_bursts(bytes).line_shift());
        assert_eq!(shifts, [Some(2), Some(3), Some(4), Some(10)]);
        assert_eq!(
            (waits().line_shift(), waits().with_breaks().line_shift()),
            (Some(ONE_LINE), None)
        );
    }

    #[test]
    fn what_comes_between_breaks_a_burst() {
        let fetch = Access::code(Width::Half).sequential();
        let mut waits = Waits::new(Width::Half, 4, 2).with_breaks();
        // The first fetch of all, two behind it without a pause, two after a cycle elsewhere.
        let begun = [10, 15, 18, 22, 28];
        assert_eq!(begun.map(|at| waits.access(at, 0x80, fetch) - at), [5, 3, 3, 5, 5]);
    }

    #[test]
    fn wait_states_change_and_a_reset_brings_back_the_first() {
        let mut waits = Waits::new(Width::Half, 4, 2);
        let kinds = [Access::data(Width::Half), Access::data(Width::Word).sequential()];
        let mut costs = |change: Option<(usize, u32)>| {
            match change {
                Some((input, level)) => waits.set(input, level),
                None => waits.reset(),
            }
            kinds.map(|kind| cost(&mut waits, 0, kind))
        };
        assert_eq!(costs(None), [5, 6]);
        assert_eq!(costs(Some((0, 1))), [2, 6]);
        assert_eq!(costs(Some((1, 0))), [2, 2]);
        assert_eq!(costs(Some((0, u32::MAX))), [0x1_0000, 2]);
        assert_eq!(costs(None), [5, 6]);
    }

    #[test]
    fn every_width_on_every_memory() {
        // (memory, access, N, S) with 3 wait states for N and 1 for S.
        let table = [
            (Width::Word, Width::Byte, 4, 2),
            (Width::Word, Width::Half, 4, 2),
            (Width::Word, Width::Word, 4, 2),
            (Width::Half, Width::Byte, 4, 2),
            (Width::Half, Width::Half, 4, 2),
            (Width::Half, Width::Word, 6, 4),
            (Width::Byte, Width::Byte, 4, 2),
            (Width::Byte, Width::Half, 6, 4),
            (Width::Byte, Width::Word, 10, 8),
        ];
        for (memory, access, n, s) in table {
            let waits = Waits::new(memory, 3, 1);
            for kind in [Access::data(access), Access::code(access)] {
                assert_eq!(waits.cycles(kind), n, "N {access:?} on {memory:?}");
                assert_eq!(waits.cycles(kind.sequential()), s, "S {access:?} on {memory:?}");
            }
        }
    }
}
