//! Addresses that instruments and the stops of a run wait for.

mod passing;

use crate::bus::Status;
use crate::core::Architecture;
use crate::instrument::{Instrument, Interest};
use crate::time::{Cycle, NEVER};

/// A set of addresses with a quick "no".
#[derive(Clone, Debug)]
pub(super) struct Addresses {
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
    pub(super) fn contains(&self, address: u32) -> bool {
        self.quick[Self::word(address)] & Self::bit(address) != 0
            && self.exact.binary_search(&address).is_ok()
    }

    pub(super) fn includes(&self, others: &Addresses) -> bool {
        others.exact.iter().all(|&address| self.contains(address))
    }

    pub(super) fn joined(&self, others: &Addresses) -> Addresses {
        Addresses::new([&self.exact[..], &others.exact[..]].concat())
    }

    pub(super) fn len(&self) -> usize {
        self.exact.len()
    }
}

struct Attached {
    /// Given when it was attached, and never again.
    number: u64,
    instrument: Box<dyn Instrument>,
    /// Every instruction.
    instructions: bool,
    /// Everything.
    everything: bool,
    /// Iterations of loops, so that none need be passed again.
    iterations: bool,
    /// Those it waits for, or, where it watches every instruction, its marks.
    executed: Addresses,
    accessed: Addresses,
    /// Accesses to memories, too; those to devices are all passed.
    memories: bool,
    /// Transfers, whatever their addresses.
    transfers: bool,
    /// The stack pointer.
    stack: bool,
    /// The moves of every instruction.
    moves: bool,
}

impl Attached {
    /// Whether every access and every pause is passed to it now.
    fn hears_everything(&self) -> bool {
        self.everything && !self.instrument.is_steady()
    }

    /// Whether every transfer is passed to it now.
    fn hears_transfers(&self) -> bool {
        self.transfers && !self.instrument.is_steady()
    }
}

/// All that watches a board.
pub(super) struct Watch {
    architecture: &'static dyn Architecture,
    attached: Vec<Attached>,
    /// How many instruments were attached so far.
    count: u64,
    stops: Addresses,
    /// Whether a run is to stop on accesses to data, and whether on some in memories.
    stops_on_accesses: (bool, bool),
    /// All instructions that an instrument or a stop waits for.
    breakpoints: Addresses,
    /// Somebody would learn from any instruction now.
    every: bool,
    /// The boundary at which a run stopped last; the next run goes on from there.
    stopped_at: (Cycle, u32),
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
    /// Whether transfers are watched by anyone.
    pub transfers: bool,
    /// Whether anyone follows what instructions move.
    pub moves: bool,
}

impl Watch {
    pub fn new(architecture: &'static dyn Architecture) -> Self {
        Watch {
            architecture,
            attached: Vec::new(),
            count: 0,
            stops: Addresses::new(Vec::new()),
            stops_on_accesses: (false, false),
            breakpoints: Addresses::new(Vec::new()),
            every: false,
            stopped_at: (NEVER, 0),
            status: None,
            noticed: false,
            instructions: false,
            accesses: false,
            memories: false,
            transfers: false,
            moves: false,
        }
    }

    pub fn reset(&mut self) {
        (self.stopped_at, self.status) = ((NEVER, 0), None);
        self.attached.iter_mut().for_each(|observer| observer.instrument.reset());
        self.listen();
    }

    /// Returns the number that the instrument has from now on.
    pub fn attach(
        &mut self,
        instrument: Box<dyn Instrument>,
        is_device: impl Fn(u32) -> bool,
    ) -> u64 {
        let interest = instrument.interest();
        let everything = interest == Interest::Everything;
        let all = everything || interest == Interest::Instructions;
        let transfers = everything || interest == Interest::Transfers;
        let (executed, accessed) = match interest {
            Interest::Addresses { executed, accessed } => (executed, accessed),
            Interest::Signals | Interest::Transfers => Default::default(),
            Interest::Instructions | Interest::Everything => (instrument.marks(), Vec::new()),
        };
        let memories = everything || !accessed.iter().all(|&address| is_device(address));
        self.count += 1;
        self.attached.push(Attached {
            number: self.count,
            instructions: all,
            everything,
            iterations: instrument.follows_iterations(),
            executed: self.instructions_at(&executed),
            accessed: Addresses::new(accessed),
            memories,
            transfers,
            stack: all && instrument.follows_stack(),
            moves: all && instrument.follows_moves(),
            instrument,
        });
        self.status = None;
        self.refresh();
        self.count
    }

    fn instructions_at(&self, addresses: &[u32]) -> Addresses {
        let instruction = |&address| self.architecture.instruction_address(address);
        Addresses::new(addresses.iter().map(instruction).collect())
    }

    fn place(&self, number: u64) -> Option<usize> {
        self.attached.iter().position(|observer| observer.number == number)
    }

    pub fn detach(&mut self, number: u64) -> Option<Box<dyn Instrument>> {
        let detached = self.attached.remove(self.place(number)?);
        self.refresh();
        Some(detached.instrument)
    }

    pub fn instrument(&self, number: u64) -> Option<&dyn Instrument> {
        self.place(number).map(|place| &*self.attached[place].instrument)
    }

    pub fn instrument_mut(&mut self, number: u64) -> Option<&mut dyn Instrument> {
        self.place(number).map(|place| &mut *self.attached[place].instrument)
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

    /// Sets whether runs stop on accesses to data, and whether on some in memories.
    pub fn stop_on_accesses(&mut self, any: bool, memories: bool) {
        self.stops_on_accesses = (any, memories);
        self.refresh();
    }

    /// All instructions that an instrument or a stop waits for.
    pub fn breakpoints(&self) -> &Addresses {
        &self.breakpoints
    }

    /// Whether no observer learns anything from boundaries in this status, except at breakpoints.
    #[inline]
    pub fn is_quiet(&self, status: Status) -> bool {
        !self.instructions || (!self.every && self.status == Some(status))
    }

    fn refresh(&mut self) {
        let any = |wants: fn(&Attached) -> bool| self.attached.iter().any(wants);
        self.accesses =
            self.stops_on_accesses.0 || any(|a| a.everything || !a.accessed.exact.is_empty());
        self.transfers = any(|a| a.transfers) || self.accesses;
        self.moves = any(|a| a.moves);
        let waiting = self.attached.iter().map(|a| &a.executed).chain([&self.stops]);
        self.breakpoints = Addresses::new(waiting.flat_map(|a| a.exact.iter().copied()).collect());
        self.instructions = any(|a| a.instructions) || !self.breakpoints.exact.is_empty();
        self.listen();
    }

    /// Updates whether any instrument would learn from every instruction, or from every access.
    fn listen(&mut self) {
        let awake = || self.attached.iter().filter(|a| !a.instrument.is_steady());
        self.every = awake().any(|a| a.instructions);
        self.memories = self.stops_on_accesses.1 || awake().any(|a| a.memories);
    }

    /// Notifies observers of the instruction at `address`. Returns `true` if the run is to stop before it.
    #[inline]
    pub fn boundary(&mut self, at: Cycle, address: u32, status: Status, stack: u32) -> bool {
        let notifies =
            self.every || self.status != Some(status) || self.breakpoints.contains(address);
        notifies && self.notify(at, address, status, stack)
    }

    #[inline(never)]
    fn notify(&mut self, at: Cycle, address: u32, status: Status, stack: u32) -> bool {
        if self.stops.contains(address) && self.stopped_at != (at, address) {
            self.stopped_at = (at, address);
            self.noticed = true;
            return true;
        }
        let before = self.status.replace(status);
        for observer in &mut self.attached {
            if observer.instructions && before != Some(status) {
                observer.instrument.status(at, status);
            }
            let any = observer.instructions && !observer.instrument.is_steady();
            if any || observer.executed.contains(address) {
                self.noticed |= !observer.iterations;
                if observer.stack {
                    observer.instrument.stack(stack);
                }
                observer.instrument.executed(at, address);
            }
        }
        self.listen();
        false
    }
}
