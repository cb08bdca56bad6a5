//! Where the cycles of a call go: every one to the instruction that spent it, and to a kind.

use std::collections::BTreeMap;
use std::ops::Range;

use super::log::Log;
use super::window::{Passage, Passages, Window};
use crate::bus::Access;
use crate::instrument::{Instrument, Interest, Pause};
use crate::time::Cycle;

/// Cycles by what they were spent on; together they are all cycles.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Costs {
    /// What the core needs where every access takes one cycle: its S, N and I cycles.
    pub instructions: Cycle,
    /// What fetches of opcodes took beyond that: wait states of the flash, or of any memory of code.
    pub fetch_stalls: Cycle,
    /// What data accesses to memories took beyond one cycle each.
    pub data_waits: Cycle,
    /// What accesses to devices took beyond one cycle each: buses and bridges.
    pub bus_waits: Cycle,
    /// The core's clock was stopped.
    pub asleep: Cycle,
}

impl Costs {
    /// All cycles.
    pub fn total(&self) -> Cycle {
        self.instructions + self.fetch_stalls + self.data_waits + self.bus_waits + self.asleep
    }
}

/// One instruction of a call. An exception entry that takes the place of an instruction (interrupt,
/// prefetch abort) is charged to its vector, which it does not execute.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Line {
    /// How often it executed; also when its condition failed.
    pub executions: u64,
    /// What it spent, the refill of the pipeline after it included.
    pub costs: Costs,
}

/// One call.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Profile {
    /// When it began.
    pub entered: Cycle,
    /// How long it took, in cycles: the sum over its lines.
    pub cycles: Cycle,
    /// What executed, by address.
    pub lines: BTreeMap<u32, Line>,
}

/// The instrument.
#[derive(Debug)]
pub struct Profiler {
    passages: Passages,
    /// Where devices answer.
    devices: Vec<Range<u64>>,
    call: Profile,
    /// What the cycles are charged to, …
    address: u32,
    line: Line,
    /// … and up to when they are.
    charged: Cycle,
    log: Log<Profile>,
}

/// Takes what a [`Profiler`] has recorded.
#[derive(Debug, Default)]
pub struct Reader(Log<Profile>);

impl Profiler {
    /// A profiler of the calls in `window`, and its reader. Addresses within `devices` are devices.
    pub fn new(window: Window, devices: Vec<Range<u64>>) -> (Profiler, Reader) {
        let reader = Reader::default();
        let profiler = Profiler {
            passages: Passages::new(window),
            devices,
            call: Profile::default(),
            address: 0,
            line: Line::default(),
            charged: 0,
            log: reader.0.share(),
        };
        (profiler, reader)
    }

    /// From here on cycles are charged to `address`.
    fn charge_to(&mut self, address: u32) {
        let line = std::mem::take(&mut self.line);
        let sum = self.call.lines.entry(self.address).or_default();
        sum.executions += line.executions;
        sum.costs.instructions += line.costs.instructions;
        sum.costs.fetch_stalls += line.costs.fetch_stalls;
        sum.costs.data_waits += line.costs.data_waits;
        sum.costs.bus_waits += line.costs.bus_waits;
        sum.costs.asleep += line.costs.asleep;
        self.address = address;
    }

    fn waits(&mut self, address: u32, access: Access) -> &mut Cycle {
        if access.is_code() {
            &mut self.line.costs.fetch_stalls
        } else if self.devices.iter().any(|range| range.contains(&address.into())) {
            &mut self.line.costs.bus_waits
        } else {
            &mut self.line.costs.data_waits
        }
    }
}

impl Reader {
    /// Takes the calls that have returned since, in order.
    pub fn take(&self) -> Vec<Profile> {
        self.0.take()
    }
}

impl Instrument for Profiler {
    fn interest(&self) -> Interest {
        Interest::Everything
    }

    fn accessed(&mut self, at: Cycle, address: u32, access: Access, _write: bool, _value: u32) {
        if !self.passages.is_inside() {
            return;
        }
        let cycles = at - std::mem::replace(&mut self.charged, at);
        self.line.costs.instructions += cycles.min(1);
        *self.waits(address, access) += cycles.saturating_sub(1);
    }

    fn paused(&mut self, at: Cycle, cycles: Cycle, why: Pause) {
        if !self.passages.is_inside() {
            return;
        }
        self.charged = at;
        match why {
            Pause::Internal => self.line.costs.instructions += cycles,
            Pause::Asleep => self.line.costs.asleep += cycles,
        }
    }

    fn entering(&mut self, _at: Cycle, vector: u32, _mode: u8) {
        if self.passages.is_inside() {
            self.charge_to(vector);
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
            Passage::Within => self.charge_to(address),
            Passage::Entered => {
                self.call = Profile { entered: at, ..Profile::default() };
                (self.line, self.address, self.charged) = (Line::default(), address, at);
            }
            Passage::Returned => {
                self.charge_to(address);
                self.call.cycles = at - self.call.entered;
                self.log.push(std::mem::take(&mut self.call));
                return;
            }
        }
        self.line.executions = 1;
    }
}
