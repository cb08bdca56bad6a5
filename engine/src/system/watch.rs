//! Addresses that instruments and the stops of a run wait for.

use crate::bus::{Access, Exception, Status};
use crate::core::Architecture;
use crate::instrument::{Answered, Instrument, Interest, Pause};
use crate::time::{Cycle, NEVER};

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
    /// Iterations of loops, so that none need be passed again.
    turns: bool,
    /// Those it waits for, or, where it watches every instruction, its marks.
    executed: Addresses,
    accessed: Addresses,
    /// Accesses to memories, too; those to devices are all passed.
    memories: bool,
}

impl Attached {
    /// Whether every access and every pause is passed to it now.
    fn hears_everything(&self) -> bool {
        self.everything && !self.instrument.is_steady()
    }
}

/// All that watches a board.
pub(super) struct Watch {
    architecture: &'static dyn Architecture,
    attached: Vec<Attached>,
    stops: Addresses,
    /// All instructions that an instrument or a stop waits for.
    awaited: Addresses,
    /// Somebody would learn from any instruction now.
    every: bool,
    /// The boundary at which a run stopped last; the next run goes on from there.
    stopped_at: Cycle,
    /// The core's status at the last boundary that was watched.
    status: Option<Status>,
    /// Something was passed to an observer that does not follow iterations, or a run stopped, since one
    /// began.
    pub noticed: bool,
    /// Whether instructions are watched by anyone.
    pub instructions: bool,
    /// Whether accesses are watched by anyone, …
    pub accesses: bool,
    /// … and now those to memories.
    pub memories: bool,
}

impl Watch {
    pub fn new(architecture: &'static dyn Architecture) -> Self {
        Watch {
            architecture,
            attached: Vec::new(),
            stops: Addresses::new(Vec::new()),
            awaited: Addresses::new(Vec::new()),
            every: false,
            stopped_at: NEVER,
            status: None,
            noticed: false,
            instructions: false,
            accesses: false,
            memories: false,
        }
    }

    pub fn reset(&mut self) {
        (self.stopped_at, self.status) = (NEVER, None);
        self.attached.iter_mut().for_each(|watcher| watcher.instrument.reset());
        self.listen();
    }

    pub fn attach(&mut self, instrument: Box<dyn Instrument>, is_device: impl Fn(u32) -> bool) {
        let interest = instrument.interest();
        let everything = interest == Interest::Everything;
        let all = everything || interest == Interest::Instructions;
        let (executed, accessed) = match interest {
            Interest::Addresses { executed, accessed } => (executed, accessed),
            Interest::Signals => Default::default(),
            Interest::Instructions | Interest::Everything => (instrument.marks(), Vec::new()),
        };
        let memories = everything || !accessed.iter().all(|&address| is_device(address));
        self.attached.push(Attached {
            instructions: all,
            everything,
            turns: instrument.follows_turns(),
            executed: self.instructions_at(&executed),
            accessed: Addresses::new(accessed),
            memories,
            instrument,
        });
        self.status = None;
        self.refresh();
    }

    fn instructions_at(&self, addresses: &[u32]) -> Addresses {
        let instruction = |&address| self.architecture.instruction_address(address);
        Addresses::new(addresses.iter().map(instruction).collect())
    }

    pub fn detach_all(&mut self) {
        self.attached.clear();
        self.refresh();
    }

    /// Sets where runs stop. Returns whether that changes anything.
    pub fn stop_at(&mut self, addresses: &[u32]) -> bool {
        let stops = self.instructions_at(addresses);
        let before = std::mem::replace(&mut self.stops, stops);
        self.refresh();
        before.exact != self.stops.exact
    }

    /// Whether an instrument or a stop waits for the instruction at `address`.
    pub fn awaits(&self, address: u32) -> bool {
        self.awaited.contains(address)
    }

    /// Whether no observer learns anything from boundaries in this status, except at breakpoints.
    #[inline]
    pub fn is_quiet(&self, status: Status) -> bool {
        !self.instructions || (!self.every && self.status == Some(status))
    }

    fn refresh(&mut self) {
        let any = |wants: fn(&Attached) -> bool| self.attached.iter().any(wants);
        self.accesses = any(|a| a.everything || !a.accessed.exact.is_empty());
        let waiting = self.attached.iter().map(|a| &a.executed).chain([&self.stops]);
        self.awaited = Addresses::new(waiting.flat_map(|a| a.exact.iter().copied()).collect());
        self.instructions = any(|a| a.instructions) || !self.awaited.exact.is_empty();
        self.listen();
    }

    /// Updates whether any instrument would learn from every instruction, or from every access.
    fn listen(&mut self) {
        let awake = || self.attached.iter().filter(|a| !a.instrument.is_steady());
        self.every = awake().any(|a| a.instructions);
        self.memories = awake().any(|a| a.memories);
    }

    /// Notifies observers of the instruction at `address`. Returns `true` if the run is to stop before it.
    #[inline]
    pub fn boundary(&mut self, at: Cycle, address: u32, status: Status) -> bool {
        let tells = self.every || self.status != Some(status) || self.awaited.contains(address);
        tells && self.tell(at, address, status)
    }

    #[inline(never)]
    fn tell(&mut self, at: Cycle, address: u32, status: Status) -> bool {
        if self.stops.contains(address) && self.stopped_at != at {
            self.stopped_at = at;
            self.noticed = true;
            return true;
        }
        let told = self.status.replace(status);
        for watcher in &mut self.attached {
            if watcher.instructions && told != Some(status) {
                watcher.instrument.status(at, status);
            }
            let any = watcher.instructions && !watcher.instrument.is_steady();
            if any || watcher.executed.contains(address) {
                self.noticed |= !watcher.turns;
                watcher.instrument.executed(at, address);
            }
        }
        self.listen();
        false
    }

    pub fn accessed(
        &mut self,
        at: Cycle,
        address: u32,
        access: Access,
        write: bool,
        value: u32,
        by: Answered,
    ) {
        for watcher in &mut self.attached {
            let wanted = !access.is_code() && watcher.accessed.contains(address);
            let everything = watcher.hears_everything();
            if everything {
                watcher.instrument.answered(by);
            }
            if wanted || everything {
                self.noticed |= !watcher.turns;
                watcher.instrument.accessed(at, address, access, write, value);
            }
        }
    }

    pub fn entering(&mut self, at: Cycle, exception: &Exception, mode: u8) {
        for watcher in self.attached.iter_mut().filter(|watcher| watcher.instructions) {
            watcher.instrument.entering(at, exception, mode);
        }
        self.listen();
    }

    pub fn paused(&mut self, at: Cycle, cycles: Cycle, why: Pause) {
        for watcher in self.attached.iter_mut().filter(|watcher| watcher.hears_everything()) {
            watcher.instrument.paused(at, cycles, why);
        }
    }

    fn following_turns(&mut self) -> impl Iterator<Item = &mut dyn Instrument> {
        self.attached.iter_mut().filter(|watcher| watcher.turns).map(|w| &mut *w.instrument as _)
    }

    pub fn begin_turn(&mut self) {
        self.noticed = false;
        self.following_turns().for_each(|instrument| instrument.turn_began());
    }

    pub fn turned(&mut self, turns: u64, cycles: Cycle) {
        self.following_turns().for_each(|instrument| instrument.turned(turns, cycles));
    }

    pub fn end_turn(&mut self) {
        self.following_turns().for_each(|instrument| instrument.turn_ended());
    }

    pub fn changed(&mut self, at: Cycle, signal: &str, level: u32) {
        for watcher in &mut self.attached {
            watcher.instrument.changed(at, signal, level);
        }
        self.listen();
    }
}
