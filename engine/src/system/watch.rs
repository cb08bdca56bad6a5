//! Which addresses somebody waits for: instruments, and the stops of a run.

use crate::bus::Access;
use crate::instrument::{Instrument, Interest, Pause};
use crate::time::{Cycle, NEVER};

/// The address of an instruction, which the Thumb bit may mark.
fn instructions(addresses: &[u32]) -> Vec<u32> {
    addresses.iter().map(|address| address & !1).collect()
}

/// A set of addresses with a quick "no".
#[derive(Clone, Debug)]
struct Addresses {
    quick: [u64; 16],
    exact: Vec<u32>,
}

impl Addresses {
    fn new(mut exact: Vec<u32>) -> Self {
        exact.sort_unstable();
        exact.dedup();
        let mut quick = [0; 16];
        for address in &exact {
            quick[Self::word(*address)] |= Self::bit(*address);
        }
        Addresses { quick, exact }
    }

    fn word(address: u32) -> usize {
        (address >> 7) as usize & 15
    }

    fn bit(address: u32) -> u64 {
        1 << (address >> 1 & 63)
    }

    #[inline]
    fn contains(&self, address: u32) -> bool {
        self.quick[Self::word(address)] & Self::bit(address) != 0
            && self.exact.binary_search(&address).is_ok()
    }
}

struct Attached {
    instrument: Box<dyn Instrument>,
    /// Every instruction.
    instructions: bool,
    /// Everything.
    everything: bool,
    executed: Addresses,
    accessed: Addresses,
}

/// All that watches a board.
pub(super) struct Watch {
    attached: Vec<Attached>,
    stops: Addresses,
    /// The boundary at which a run stopped last; the next run goes on from there.
    stopped_at: Cycle,
    /// Whether the core masked interrupts at the last boundary that was watched.
    irq_masked: Option<bool>,
    /// Somebody was told something, or a run stopped, since this was last cleared.
    pub noticed: bool,
    /// Whether instructions are watched by anyone.
    pub instructions: bool,
    /// Whether accesses are watched by anyone.
    pub accesses: bool,
}

impl Watch {
    pub fn new() -> Self {
        let stops = Addresses::new(Vec::new());
        Watch {
            attached: Vec::new(),
            stops,
            stopped_at: NEVER,
            irq_masked: None,
            noticed: false,
            instructions: false,
            accesses: false,
        }
    }

    pub fn reset(&mut self) {
        (self.stopped_at, self.irq_masked) = (NEVER, None);
    }

    pub fn attach(&mut self, instrument: Box<dyn Instrument>) {
        let interest = instrument.interest();
        let everything = interest == Interest::Everything;
        let all = everything || interest == Interest::Instructions;
        let (executed, accessed) = match interest {
            Interest::Addresses { executed, accessed } => (executed, accessed),
            _ => Default::default(),
        };
        let executed = Addresses::new(instructions(&executed));
        let accessed = Addresses::new(accessed);
        let attached = Attached { instrument, instructions: all, everything, executed, accessed };
        self.attached.push(attached);
        self.irq_masked = None;
        self.refresh();
    }

    pub fn detach_all(&mut self) {
        self.attached.clear();
        self.refresh();
    }

    pub fn stop_at(&mut self, addresses: &[u32]) {
        self.stops = Addresses::new(instructions(addresses));
        self.refresh();
    }

    fn refresh(&mut self) {
        let any = |wants: fn(&Attached) -> bool| self.attached.iter().any(wants);
        let executed = any(|a| a.instructions || !a.executed.exact.is_empty());
        self.accesses = any(|a| a.everything || !a.accessed.exact.is_empty());
        self.instructions = executed || !self.stops.exact.is_empty();
    }

    /// Tells who waits for the instruction at `address`; `true` when a run is to stop before it.
    pub fn boundary(&mut self, at: Cycle, address: u32, irq_masked: bool) -> bool {
        if self.stops.contains(address) && self.stopped_at != at {
            self.stopped_at = at;
            self.noticed = true;
            return true;
        }
        let told = self.irq_masked.replace(irq_masked);
        for watcher in &mut self.attached {
            if watcher.instructions && told != Some(irq_masked) {
                watcher.instrument.masked(at, irq_masked);
            }
            let all = watcher.instructions && !watcher.instrument.is_indifferent(address);
            if all || watcher.executed.contains(address) {
                self.noticed = true;
                watcher.instrument.executed(at, address);
            }
        }
        false
    }

    pub fn accessed(&mut self, at: Cycle, address: u32, access: Access, write: bool, value: u32) {
        for watcher in &mut self.attached {
            let wanted = !access.is_code() && watcher.accessed.contains(address);
            if wanted || watcher.everything {
                self.noticed = true;
                watcher.instrument.accessed(at, address, access, write, value);
            }
        }
    }

    pub fn entering(&mut self, at: Cycle, vector: u32) {
        for watcher in self.attached.iter_mut().filter(|watcher| watcher.instructions) {
            watcher.instrument.entering(at, vector);
        }
    }

    pub fn paused(&mut self, at: Cycle, cycles: Cycle, why: Pause) {
        for watcher in self.attached.iter_mut().filter(|watcher| watcher.everything) {
            watcher.instrument.paused(at, cycles, why);
        }
    }

    pub fn changed(&mut self, at: Cycle, signal: &str, level: u32) {
        for watcher in &mut self.attached {
            watcher.instrument.changed(at, signal, level);
        }
    }
}
