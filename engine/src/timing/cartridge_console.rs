//! A console's cartridge: a 16-bit ROM whose wait states WAITCNT sets while the board runs, and the unit that
//! reads ahead of the core. `docs/timing/cartridge_console.md` has the counts that each rule explains.

mod ahead;

use serde::Deserialize;

use super::MemoryTiming;
use crate::bus::{Access, Width};
use crate::time::Cycle;
use ahead::Ahead;

/// Bytes of a block, as a power of two: the ROM's address counter ends with it.
const BLOCK_SHIFT: u32 = 17;

/// Bit of WAITCNT that lets the unit read ahead.
const READS_AHEAD: u32 = 1 << 14;
/// Wait states of a first access by its two bits of WAITCNT.
const N_WAITS: [u32; 4] = [4, 3, 2, 8];
/// Wait states of the next ones of each window, with its bit of WAITCNT clear.
const S_WAITS: [u32; 3] = [2, 4, 8];

/// Its parameters in the board file.
#[derive(Clone, Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Parameters {
    /// Which field of WAITCNT it obeys: 0, 1 or 2.
    window: u32,
    /// Id of the unverified rules that reading ahead is charged by.
    #[serde(default)]
    prefetch_rule: Option<String>,
}

/// Cycles of a halfword.
#[derive(Clone, Copy, Debug, Default)]
struct Halfword {
    /// At an address that the ROM has yet to take.
    first: Cycle,
    /// At the address that it counts to by itself.
    next: Cycle,
}

/// Whether the ROM's counter does not lead to `offset`: the first of a block.
fn begins_block(offset: u32) -> bool {
    offset & ((1 << BLOCK_SHIFT) - 1) == 0
}

/// The memory of one window.
#[derive(Debug)]
pub struct Cartridge {
    window: u32,
    rules: Vec<String>,
    halfword: Halfword,
    reads_ahead: bool,
    ahead: Ahead,
    /// The last access was to data: the burst of the fetches before it is over.
    data_last: bool,
}

impl Cartridge {
    /// A cartridge after reset.
    ///
    /// # Errors
    /// A window that there is not.
    pub fn new(parameters: Parameters) -> Result<Self, String> {
        let Parameters { window, prefetch_rule } = parameters;
        if window as usize >= S_WAITS.len() {
            return Err(format!("window = {window}: it must be 0, 1 or 2"));
        }
        let rules = prefetch_rule.into_iter().collect();
        let (halfword, ahead) = (Halfword::default(), Ahead::default());
        let mut cartridge =
            Cartridge { window, rules, halfword, reads_ahead: false, ahead, data_last: false };
        cartridge.reset();
        Ok(cartridge)
    }

    /// Wait states and the unit's switch, from WAITCNT.
    fn configure(&mut self, register: u32) {
        let field = register >> (2 + 3 * self.window);
        let n_wait = N_WAITS[field as usize & 3];
        let s_wait = if field & 4 == 0 { S_WAITS[self.window as usize] } else { 1 };
        self.halfword = Halfword { first: 1 + Cycle::from(n_wait), next: 1 + Cycle::from(s_wait) };
        self.reads_ahead = register & READS_AHEAD != 0;
        self.ahead.drop_all();
    }

    /// Cycles of an access that the ROM itself answers.
    fn cycles(&self, offset: u32, access: Access, sequential: bool) -> Cycle {
        let halfword = self.halfword;
        let counts_on = sequential && !begins_block(offset);
        let first = if counts_on { halfword.next } else { halfword.first };
        if access.width() == Width::Word {
            first + halfword.next
        } else {
            first
        }
    }
}

impl MemoryTiming for Cartridge {
    /// WAITCNT.
    fn inputs(&self) -> &'static [&'static str] {
        &["waitcnt"]
    }

    fn set(&mut self, _input: usize, level: u32) {
        self.configure(level);
    }

    fn reset(&mut self) {
        self.configure(0);
        self.data_last = false;
    }

    fn access(&mut self, now: Cycle, offset: u32, access: Access) -> Cycle {
        let offset = access.align(offset);
        let halfwords = access.width().bytes().div_ceil(2);
        if access.is_code() {
            let sequential = access.is_sequential();
            let taken = self.ahead.take(now, (offset, halfwords), sequential, self.halfword);
            if let Some(completes) = taken {
                return completes;
            }
        }
        let begins = self.ahead.leave(now, self.halfword);
        let broken = access.is_code() && self.data_last;
        let sequential = access.is_sequential() && !broken;
        let completes = begins + self.cycles(offset, access, sequential);
        self.data_last = !access.is_code();
        if access.is_code() && self.reads_ahead {
            self.ahead.begin(completes, offset + 2 * halfwords, self.halfword);
        }
        completes
    }

    /// An access to data ends the burst of the fetches.
    fn is_shared(&self) -> bool {
        true
    }

    /// While the unit reads ahead no fetch is like the last.
    fn line_shift(&self) -> Option<u32> {
        (!self.reads_ahead).then_some(BLOCK_SHIFT)
    }

    fn fetches_again(&self, access: Access) -> Cycle {
        self.cycles(2, access, access.is_sequential())
    }

    /// A cycle more than its own, if it has to wait for the unit.
    fn slowest_fetch(&self) -> Cycle {
        self.halfword.first + self.halfword.next + 1
    }

    fn state_at(&self, now: Cycle, state: &mut Vec<u64>) {
        state.push(self.data_last.into());
        self.ahead.state_at(now, self.halfword, state);
    }

    fn set_state(&mut self, now: Cycle, state: &mut dyn Iterator<Item = u64>) {
        self.data_last = state.next() == Some(1);
        self.ahead.set_state(now, state);
    }

    fn shift(&mut self, cycles: Cycle) {
        self.ahead.shift(cycles);
    }

    fn rules(&self) -> &[String] {
        &self.rules
    }

    fn is_charged(&self) -> (bool, bool) {
        (true, self.reads_ahead)
    }
}

#[cfg(test)]
mod tests;
