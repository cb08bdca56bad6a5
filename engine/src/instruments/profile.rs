//! Where the cycles of a call go: every one to the instruction that spent it, and to a kind.

use std::collections::{BTreeMap, HashMap};
use std::ops::Range;

use super::log::{self, Log};
use super::window::{Passage, Passages, Window};
use crate::bus::{Access, Exception};
use crate::instrument::{Instrument, Interest, Pause};
use crate::time::Cycle;

/// Cycles by what they were spent on; together they are all cycles.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Costs {
    /// Cycles of the core where every access takes one: its S, N and I cycles.
    pub instructions: Cycle,
    /// Further cycles of opcode fetches: wait states of the flash, or of any memory of code.
    pub fetch_stalls: Cycle,
    /// Cycles of data accesses to memories, beyond one each.
    pub data_waits: Cycle,
    /// Cycles of accesses to devices, beyond one each: buses and bridges.
    pub bus_waits: Cycle,
    /// The core's clock was stopped.
    pub asleep: Cycle,
}

/// One instruction of a call. An exception entry that takes the place of an instruction (interrupt,
/// prefetch abort) is charged to its vector, which it does not execute.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Line {
    /// How often it executed; also when its condition failed.
    pub executions: u64,
    /// Its cycles, the refill of the pipeline after it included.
    pub costs: Costs,
}

/// One call.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Profile {
    /// When it began.
    pub entered: Cycle,
    /// How long it took, in cycles: the sum over its lines.
    pub cycles: Cycle,
    /// Executed instructions by address.
    pub lines: BTreeMap<u32, Line>,
}

/// The lines of the call under way, in the order in which they executed first.
#[derive(Debug, Default)]
struct Lines {
    lines: Vec<(u32, Line)>,
    places: HashMap<u32, usize>,
}

impl Lines {
    /// The place of an address. Often it is the one behind the line before, at `last`.
    fn place(&mut self, address: u32, last: usize) -> usize {
        if self.lines.get(last + 1).is_some_and(|(next, _)| *next == address) {
            return last + 1;
        }
        *self.places.entry(address).or_insert_with(|| {
            self.lines.push((address, Line::default()));
            self.lines.len() - 1
        })
    }

    fn take(&mut self) -> BTreeMap<u32, Line> {
        self.places.clear();
        self.lines.drain(..).collect()
    }

    fn clear(&mut self) {
        self.places.clear();
        self.lines.clear();
    }
}

/// The instrument.
#[derive(Debug)]
pub struct Profiler {
    passages: Passages,
    /// Where devices answer.
    devices: Vec<Range<u64>>,
    entered: Cycle,
    lines: Lines,
    /// The line that cycles are charged to, …
    place: usize,
    /// … and up to when they are.
    charged: Cycle,
    log: Log<Profile>,
}

/// Takes what a [`Profiler`] has recorded.
pub type Reader = log::Reader<Profile>;

impl Profiler {
    /// A profiler of the calls in `window`, and its reader. Addresses within `devices` are devices.
    pub fn new(window: Window, devices: Vec<Range<u64>>) -> (Profiler, Reader) {
        let reader = Reader::default();
        let profiler = Profiler {
            passages: Passages::new(window),
            devices,
            entered: 0,
            lines: Lines::default(),
            place: 0,
            charged: 0,
            log: reader.log(),
        };
        (profiler, reader)
    }

    /// From here on cycles are charged to `address`.
    fn charge_to(&mut self, address: u32) -> &mut Line {
        self.place = self.lines.place(address, self.place);
        &mut self.lines.lines[self.place].1
    }

    fn costs(&mut self) -> &mut Costs {
        &mut self.lines.lines[self.place].1.costs
    }

    fn waits(&mut self, address: u32, access: Access) -> &mut Cycle {
        if access.is_code() {
            &mut self.costs().fetch_stalls
        } else if self.devices.iter().any(|range| range.contains(&address.into())) {
            &mut self.costs().bus_waits
        } else {
            &mut self.costs().data_waits
        }
    }
}

impl Instrument for Profiler {
    fn interest(&self) -> Interest {
        Interest::Everything
    }

    fn reset(&mut self) {
        self.passages.reset();
    }

    fn accessed(&mut self, at: Cycle, address: u32, access: Access, _write: bool, _value: u32) {
        let cycles = at - std::mem::replace(&mut self.charged, at);
        self.costs().instructions += cycles.min(1);
        if cycles > 1 {
            *self.waits(address, access) += cycles - 1;
        }
    }

    fn paused(&mut self, at: Cycle, cycles: Cycle, why: Pause) {
        self.charged = at;
        match why {
            Pause::Internal => self.costs().instructions += cycles,
            Pause::Asleep => self.costs().asleep += cycles,
        }
    }

    fn entering(&mut self, _at: Cycle, exception: &Exception, _mode: u8) {
        if self.passages.is_inside() {
            self.charge_to(exception.vector);
        }
    }

    fn marks(&self) -> Vec<u32> {
        self.passages.marks()
    }

    fn is_steady(&self) -> bool {
        !self.passages.is_inside()
    }

    fn executed(&mut self, at: Cycle, address: u32) {
        match self.passages.executed(address) {
            Passage::Beside => return,
            Passage::Within => {}
            Passage::Entered => {
                self.lines.clear();
                (self.entered, self.charged) = (at, at);
            }
            Passage::Returned => {
                let (entered, cycles) = (self.entered, at - self.entered);
                self.log.push(Profile { entered, cycles, lines: self.lines.take() });
                return;
            }
        }
        self.charge_to(address).executions += 1;
    }
}
