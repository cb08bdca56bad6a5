//! The pipeline of the Cortex-M3, cycle by cycle: three stages, the queue of fetched half-words, and three buses.
//!
//! `docs/timing/cortex-m3.md` states each rule and the recordings that show it. A cycle has two parts: at its beginning
//! the stages move (`Pipeline::begin`); then they work, and the buses answer (`Pipeline::work`).

mod automaton;
mod buses;
mod decode;
mod execute;
mod fetch;
pub mod long;
mod of_instruction;
mod shape;

pub use automaton::{Ahead, Automaton, Number, Passage, Work};
use buses::Loads;
use decode::Decoding;
use execute::Slot;
use fetch::Fetching;
pub use shape::{Act, Next, Path, Place, Shape, Way};

/// Cycles of the counters that the debug unit has.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Counts {
    /// Cycles that began no instruction while a load or a store executed (LSUCNT).
    pub load_store: u32,
    /// Other cycles that began no instruction (CPICNT).
    pub further: u32,
    /// IT instructions that took no cycle (FOLDCNT).
    pub folded: u32,
}

/// Stages, queue and buses between two instructions: an instruction has just entered execute.
#[derive(Clone, Debug, Default, PartialEq, Eq, Hash)]
pub struct Pipeline {
    fetching: Fetching,
    decoding: Decoding,
    next: Next,
    /// In execute.
    main: Option<Slot>,
    /// In execute with it, under the last cycle of a load, a store or a long product.
    second: Option<Slot>,
    loads: Loads,
    /// Wait states of a fetched word on the code buses, and on System.
    waits: [u8; 2],
    /// A device has the memory of the code in this cycle.
    is_kept: bool,
    /// The instruction that was in execute last was a long product.
    after_product: bool,
    /// Decode has handed over the next instruction.
    moved: bool,
    /// The last move, for the queue.
    step: Option<Move>,
    /// This cycle counts as one of a load or a store; as another that began no instruction.
    counting: (bool, bool),
    /// Instructions have been fetched.
    warm: bool,
    /// Changes with each instruction that enters execute.
    mark: bool,
    /// The instruction that entered execute last was skipped, or its opcode may set flags: decode does not see whether
    /// a load or store behind it is skipped.
    newest_hides: bool,
}

/// A passage ends before the access to data, or before the next instruction.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Until {
    /// [`Pipeline::reach_access`].
    Access,
    /// [`Pipeline::reach_next`].
    Next,
}

/// An instruction went from decode to execute.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
struct Move {
    halves: u8,
    /// A branch that decode took.
    branch: bool,
    /// Decode began under an instruction that ends late.
    held: bool,
    /// A load or store takes a NOP along.
    along: bool,
}

impl Pipeline {
    /// The queue is empty, as after a reset or an exception. The cycles until the first instruction executes are part
    /// of what led there.
    pub fn flush(&mut self) {
        *self = Pipeline::default();
    }

    /// Forgets what has no meaning behind a passage: facts of the instruction behind, accesses that were all taken, and
    /// which of both marks is in use.
    pub fn settle(&mut self) {
        self.next = Next::default();
        self.loads.settle(self.mark);
        for slot in [&mut self.main, &mut self.second].into_iter().flatten() {
            slot.mark ^= self.mark;
        }
        self.mark = false;
    }

    /// Whether instructions execute.
    #[inline(always)]
    pub fn is_warm(&self) -> bool {
        self.warm
    }

    /// Fetches from a place until the first instruction executes. Returns the cycles that it takes.
    #[cold]
    pub fn warm(&mut self, place: Place, first: Next) -> u32 {
        (self.warm, self.fetching.place, self.next) = (true, place, first);
        let (mut cycles, mut counts) = (0, Counts::default());
        self.begin();
        while !self.moved {
            self.work(&Act::default(), &mut counts);
            self.begin();
            cycles += 1;
        }
        cycles
    }

    /// The wait states of a fetched word, on the code buses and on System, from the next word on.
    pub fn set_waits(&mut self, waits: [u8; 2]) {
        self.waits = waits;
    }

    /// The access that [`reach_access`](Pipeline::reach_access) reached waits for so many cycles more. Returns whether
    /// there is one.
    pub fn keep_waiting(&mut self, cycles: u16) -> bool {
        self.loads.keep_waiting(self.mark ^ self.moved, cycles)
    }

    /// The instruction in execute is known as far as `act` says, and so is the one behind it. Cycles go by until
    /// its access to data, the first of them or the next. Returns their number.
    #[inline(always)]
    pub fn reach_access(&mut self, act: &Act, next: &Next, counts: &mut Counts) -> u32 {
        self.next = *next;
        let mut cycles = 0;
        while !self.moved && cycles < 1 << 12 {
            self.work(act, counts);
            self.begin();
            cycles += 1;
            if self.loads.begins(self.mark ^ self.moved) {
                break;
            }
        }
        cycles
    }

    /// [`reach_access`](Pipeline::reach_access) or [`reach_next`](Pipeline::reach_next), and before each cycle
    /// `is_kept` says whether a device has the memory of the code in it.
    pub fn walk(
        &mut self,
        (act, next): (&Act, &Next),
        until: Until,
        counts: &mut Counts,
        is_kept: &mut dyn FnMut() -> bool,
    ) {
        self.next = *next;
        let mut cycles = 0;
        while !self.moved && cycles < 1 << 12 {
            self.is_kept = is_kept();
            self.work(act, counts);
            self.begin();
            cycles += 1;
            if until == Until::Access && self.loads.begins(self.mark ^ self.moved) {
                break;
            }
        }
        self.is_kept = false;
    }

    /// Cycles go by until the instruction behind enters execute. Returns their number.
    #[inline(always)]
    pub fn reach_next(&mut self, act: &Act, next: &Next, counts: &mut Counts) -> u32 {
        self.next = *next;
        let mut cycles = 0;
        while !self.moved && cycles < 1 << 12 {
            self.work(act, counts);
            self.begin();
            cycles += 1;
        }
        cycles
    }

    /// The instruction in execute begins. One that takes the IT behind it along costs nothing itself: its cycle is that
    /// of the IT.
    #[inline(always)]
    pub fn start(&mut self, is_it: bool) {
        let folded = self.newest().is_some_and(|slot| slot.folded);
        self.moved = folded && !is_it;
    }

    #[inline(always)]
    fn newest(&self) -> Option<&Slot> {
        self.second.as_ref().or(self.main.as_ref())
    }

    /// The stages move.
    #[inline(always)]
    fn begin(&mut self) {
        self.retire();
        let was_free = self.main.is_none();
        if self.decoding.ready && self.second.is_none() && (was_free || self.goes_along()) {
            self.advance();
        }
        self.count();
        self.shift(was_free);
    }

    /// Finished instructions leave execute.
    #[inline(always)]
    fn retire(&mut self) {
        self.after_product = false;
        if let Some(slot) = &self.main {
            if slot.done {
                self.after_product = slot.shape.way == Way::LongProduct;
                self.main = None;
            }
        }
        if self.main.is_none() {
            self.main = self.second.take().filter(|slot| !slot.done);
        }
        for slot in [&mut self.main, &mut self.second].into_iter().flatten() {
            slot.age += 1;
            slot.busy = slot.busy_next;
        }
    }

    #[inline(always)]
    fn count(&mut self) {
        let begun = [&self.main, &self.second].into_iter().flatten().any(|slot| slot.age == 0);
        let transfers = self.main.as_ref().is_some_and(|m| m.shape.transfers() && !m.skipped);
        self.counting = (!begun && transfers, !begun && !transfers);
    }

    /// The stages work, and the buses answer.
    #[inline(always)]
    fn work(&mut self, act: &Act, counts: &mut Counts) {
        let mut wishes = fetch::Wishes::default();
        self.execute(act, &mut wishes, counts);
        self.decode(&mut wishes);
        self.fetch(&wishes);
        self.answer();
        counts.load_store += u32::from(self.counting.0);
        counts.further += u32::from(self.counting.1);
    }
}
