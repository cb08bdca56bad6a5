//! Counts of accesses: by function, by memory or register, by width and direction.
//!
//! The core's accesses have the cycles that they took, waits included. A device's own transfers (DMA) are
//! counted under the device; what they cost the core is a matter of [`transfers`](super::transfers).

mod counts;

use std::collections::BTreeMap;

use self::counts::Counters;
use super::callers::{Callers, Charged, Code};
use crate::bus::{Access, Exception, Width};
use crate::instrument::{Answered, Instrument, Interest, Mover, Pause};
use crate::time::Cycle;

/// The maker of an access.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub enum Accessor {
    /// The function that begins here, or that called a library.
    Function(u32),
    /// Code that belongs to no function.
    NoFunction,
    /// A library whose caller is not known.
    UnknownCaller,
    /// A device, by its place in the board file.
    Device(usize),
}

/// The receiver of an access.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub enum Target {
    /// A memory, by its place in the board file.
    Memory(usize),
    /// A register.
    Register {
        /// The device, by its place in the board file.
        device: usize,
        /// Bytes from the device's base.
        offset: u32,
    },
}

/// The direction of an access.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub enum Direction {
    /// An opcode is read.
    Fetch = 0,
    /// Data are read.
    Read = 1,
    /// Data are written.
    Write = 2,
}

impl Direction {
    /// Its name in results.
    pub const fn name(self) -> &'static str {
        match self {
            Direction::Fetch => "fetch",
            Direction::Read => "read",
            Direction::Write => "write",
        }
    }
}

/// Accesses of one kind.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct Kind {
    /// Their maker.
    pub by: Accessor,
    /// Their target.
    pub to: Target,
    /// Their direction.
    pub direction: Direction,
    /// Their width.
    pub width: Width,
}

/// The counts of a kind.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Count {
    /// How many.
    pub accesses: u64,
    /// How many cycles of the core they took; 0 of transfers.
    pub cycles: Cycle,
}

/// The instrument.
#[derive(Debug)]
pub struct Accesses {
    callers: Callers,
    counters: Counters,
    answered: Target,
    /// Up to when cycles went by.
    now: Cycle,
}

impl Accesses {
    /// Counters for a program of these functions, on a board of so many memories.
    pub fn new(code: Code, memories: usize) -> Accesses {
        Accesses {
            callers: Callers::new(code),
            counters: Counters::new(memories),
            answered: Target::Memory(0),
            now: 0,
        }
    }

    /// All counts so far.
    pub fn counts(&self) -> BTreeMap<Kind, Count> {
        self.counters.all()
    }

    /// Begins to count anew.
    pub fn clear(&mut self) {
        self.counters.clear();
    }

    fn go_on(&mut self) {
        let function = self.callers.function().map(|one| one.start);
        self.counters.count_for(match self.callers.charged() {
            Charged::Caller(start) => Accessor::Function(start),
            Charged::Unknown => Accessor::UnknownCaller,
            Charged::Itself => function.map_or(Accessor::NoFunction, Accessor::Function),
        });
    }
}

const fn direction(access: Access, write: bool) -> Direction {
    match (access.is_code(), write) {
        (_, true) => Direction::Write,
        (true, false) => Direction::Fetch,
        (false, false) => Direction::Read,
    }
}

impl Instrument for Accesses {
    fn interest(&self) -> Interest {
        Interest::Everything
    }

    fn attached(&mut self, at: Cycle) {
        self.now = at;
    }

    fn reset(&mut self) {
        self.callers.reset();
        self.now = 0;
        self.clear();
        self.go_on();
    }

    fn answered(&mut self, by: Answered) {
        self.answered = match by {
            Answered::Memory { index, .. } => Target::Memory(index),
            Answered::Device { device, offset, .. } => Target::Register { device, offset },
        };
    }

    fn accessed(&mut self, at: Cycle, _address: u32, access: Access, write: bool, _value: u32) {
        let cycles = at - std::mem::replace(&mut self.now, at);
        self.counters.count(self.answered, direction(access, write), access.width(), cycles);
    }

    fn transferred(&mut self, _at: Cycle, _address: u32, access: Access, by: Mover, _value: u32) {
        let kind = Kind {
            by: Accessor::Device(by.device),
            to: self.answered,
            direction: direction(access, by.write),
            width: access.width(),
        };
        self.counters.count_kind(kind, 0);
    }

    fn paused(&mut self, at: Cycle, _cycles: Cycle, _why: Pause) {
        self.now = at;
    }

    fn follows_stack(&self) -> bool {
        self.callers.follows_stack()
    }

    fn stack(&mut self, pointer: u32) {
        self.callers.stack(pointer);
    }

    fn entering(&mut self, _at: Cycle, exception: &Exception, _mode: u8) {
        self.callers.entering(exception);
        self.go_on();
    }

    fn excepted(&mut self, _at: Cycle, exception: &Exception) {
        self.callers.excepted(exception);
    }

    fn left_exception(&mut self, _at: Cycle) {
        self.callers.left_exception();
    }

    fn executed(&mut self, _at: Cycle, address: u32) {
        if self.callers.executed(address) {
            self.go_on();
        }
    }

    fn follows_iterations(&self) -> bool {
        true
    }

    fn iteration_began(&mut self) {
        self.counters.follow();
    }

    fn iterations_skipped(&mut self, count: u64, cycles: Cycle) {
        self.counters.repeat(count);
        self.now += count * cycles;
    }

    fn iteration_ended(&mut self) {
        self.counters.unfollow();
    }
}
