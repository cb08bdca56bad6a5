//! Which addresses somebody waits for: instruments, and the stops of a run.

use crate::bus::Access;
use crate::instrument::{Instrument, Interest};
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
            instructions: false,
            accesses: false,
        }
    }

    pub fn reset(&mut self) {
        self.stopped_at = NEVER;
    }

    pub fn attach(&mut self, instrument: Box<dyn Instrument>) {
        let (everything, executed, accessed) = match instrument.interest() {
            Interest::Signals => (false, Vec::new(), Vec::new()),
            Interest::Addresses { executed, accessed } => (false, executed, accessed),
            Interest::Everything => (true, Vec::new(), Vec::new()),
        };
        let executed = Addresses::new(instructions(&executed));
        let accessed = Addresses::new(accessed);
        self.attached.push(Attached { instrument, everything, executed, accessed });
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
        let executed = any(|a| a.everything || !a.executed.exact.is_empty());
        self.accesses = any(|a| a.everything || !a.accessed.exact.is_empty());
        self.instructions = executed || !self.stops.exact.is_empty();
    }

    /// Tells who waits for the instruction at `address`; `true` when a run is to stop before it.
    pub fn boundary(&mut self, at: Cycle, address: u32) -> bool {
        if self.stops.contains(address) && self.stopped_at != at {
            self.stopped_at = at;
            return true;
        }
        for watcher in &mut self.attached {
            if watcher.everything || watcher.executed.contains(address) {
                watcher.instrument.executed(at, address);
            }
        }
        false
    }

    pub fn accessed(&mut self, at: Cycle, address: u32, access: Access, write: bool, value: u32) {
        for watcher in &mut self.attached {
            let wanted = !access.is_code() && watcher.accessed.contains(address);
            if wanted || watcher.everything {
                watcher.instrument.accessed(at, address, access, write, value);
            }
        }
    }

    pub fn changed(&mut self, at: Cycle, signal: &str, level: u32) {
        for watcher in &mut self.attached {
            watcher.instrument.changed(at, signal, level);
        }
    }
}
