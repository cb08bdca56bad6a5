//! Addresses that instruments and the stops of a run wait for.

use crate::bus::{Access, Exception, Status};
use crate::core::Architecture;
use crate::device::{Input, Service, Tag};
use crate::instrument::{Answered, Instrument, Interest, Mover, Pause, Requester};
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

    /// Whether an instrument or a stop waits for the instruction at `address`.
    pub fn has_breakpoint(&self, address: u32) -> bool {
        self.breakpoints.contains(address)
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

    pub fn accessed(
        &mut self,
        at: Cycle,
        address: u32,
        access: Access,
        write: bool,
        value: u32,
        by: Answered,
    ) {
        for observer in &mut self.attached {
            let wanted = !access.is_code() && observer.accessed.contains(address);
            let everything = observer.hears_everything();
            if everything {
                observer.instrument.answered(by);
            }
            if wanted || everything {
                self.noticed |= !observer.iterations;
                observer.instrument.accessed(at, address, access, write, value);
            }
        }
    }

    /// A device's transfer is complete.
    pub fn transferred(
        &mut self,
        at: Cycle,
        address: u32,
        access: Access,
        by: Mover,
        value: u32,
        answered: Answered,
    ) {
        for observer in &mut self.attached {
            let hears = observer.hears_transfers();
            if hears {
                observer.instrument.answered(answered);
            }
            if hears || observer.accessed.contains(address) {
                self.noticed |= !observer.iterations;
                observer.instrument.transferred(at, address, access, by, value);
            }
        }
    }

    fn on_transfers(&mut self, mut call: impl FnMut(&mut dyn Instrument)) {
        for observer in self.attached.iter_mut().filter(|observer| observer.hears_transfers()) {
            call(&mut *observer.instrument);
        }
    }

    /// The core waits for a transfer.
    pub fn kept(&mut self, by: Mover, cycles: Cycle) {
        self.on_transfers(|instrument| instrument.kept(by, cycles));
    }

    /// A device says that a block of transfers is over.
    pub fn block_ended(&mut self, at: Cycle, device: usize, tag: Tag, transfers: u32) {
        self.on_transfers(|instrument| instrument.block_ended(at, device, tag, transfers));
    }

    /// A controller says what it does with a source.
    pub fn served(&mut self, at: Cycle, device: usize, source: Input, service: Service) {
        for observer in &mut self.attached {
            observer.instrument.served(at, device, source, service);
        }
        self.listen();
    }

    /// Notifies the observers of instructions.
    fn on_instructions(&mut self, mut call: impl FnMut(&mut dyn Instrument)) {
        for observer in self.attached.iter_mut().filter(|observer| observer.instructions) {
            call(&mut *observer.instrument);
        }
        self.listen();
    }

    pub fn requested(&mut self, by: Requester) {
        self.on_instructions(|instrument| instrument.requested(by));
    }

    pub fn entering(&mut self, at: Cycle, exception: &Exception, mode: u8) {
        self.on_instructions(|instrument| instrument.entering(at, exception, mode));
    }

    pub fn excepted(&mut self, at: Cycle, exception: &Exception) {
        self.on_instructions(|instrument| instrument.excepted(at, exception));
    }

    pub fn left_exception(&mut self, at: Cycle) {
        self.on_instructions(|instrument| instrument.left_exception(at));
    }

    pub fn paused(&mut self, at: Cycle, cycles: Cycle, why: Pause) {
        for observer in self.attached.iter_mut().filter(|observer| observer.hears_everything()) {
            observer.instrument.paused(at, cycles, why);
        }
    }

    fn following_iterations(&mut self) -> impl Iterator<Item = &mut dyn Instrument> {
        self.attached
            .iter_mut()
            .filter(|observer| observer.iterations)
            .map(|one| &mut *one.instrument as _)
    }

    pub fn begin_iteration(&mut self) {
        self.noticed = false;
        self.following_iterations().for_each(|instrument| instrument.iteration_began());
    }

    pub fn iterations_skipped(&mut self, count: u64, cycles: Cycle) {
        self.following_iterations()
            .for_each(|instrument| instrument.iterations_skipped(count, cycles));
    }

    pub fn end_iteration(&mut self) {
        self.following_iterations().for_each(|instrument| instrument.iteration_ended());
    }

    pub fn changed(&mut self, at: Cycle, signal: &str, level: u32) {
        for observer in &mut self.attached {
            observer.instrument.changed(at, signal, level);
        }
        self.listen();
    }
}
