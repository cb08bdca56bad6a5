//! A histogram of the program counter: executions and cycles of every instruction.
//!
//! Every cycle is charged once: to an instruction, to a kind, and to the instruction's own function or, for
//! [library functions](super::callers), to their caller. So the sum over all lines is the time since the
//! histogram was attached.

mod lines;

use std::collections::BTreeMap;
use std::ops::Range;

use self::lines::Lines;
use super::callers::Callers;
pub use super::callers::{Charged, Code, Function};
use crate::bus::{Access, Exception, ExceptionKind};
use crate::instrument::{Instrument, Interest, Mover, Pause};
use crate::time::Cycle;

/// Cycles by what they were spent on; together they are all cycles.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Costs {
    /// Cycles of the core where every access takes one: its S, N and I cycles.
    pub instructions: Cycle,
    /// Further cycles of opcode fetches: wait states.
    pub fetch_stalls: Cycle,
    /// Cycles of data accesses to memories, beyond one each.
    pub data_waits: Cycle,
    /// Cycles of accesses to devices, beyond one each: buses and bridges.
    pub bus_waits: Cycle,
    /// A device's transfer (DMA) had the bus that the core wanted.
    pub transfer_waits: Cycle,
    /// Entries of exceptions that take the place of an instruction, charged to the vector.
    pub entries: Cycle,
    /// The core's clock was stopped.
    pub asleep: Cycle,
}

impl Costs {
    /// The sum.
    pub fn cycles(&self) -> Cycle {
        self.instructions
            + self.fetch_stalls
            + self.data_waits
            + self.bus_waits
            + self.transfer_waits
            + self.entries
            + self.asleep
    }

    fn of(&mut self, kind: Kind) -> &mut Cycle {
        match kind {
            Kind::Instructions => &mut self.instructions,
            Kind::FetchStalls => &mut self.fetch_stalls,
            Kind::DataWaits => &mut self.data_waits,
            Kind::BusWaits => &mut self.bus_waits,
            Kind::TransferWaits => &mut self.transfer_waits,
            Kind::Entries => &mut self.entries,
            Kind::Asleep => &mut self.asleep,
        }
    }

    /// Adds `count` times what these have more than `before`.
    fn repeat(&mut self, mut before: Costs, count: u64) {
        for kind in KINDS {
            *self.of(kind) += (*self.of(kind) - *before.of(kind)) * count;
        }
    }
}

/// The fields of [`Costs`].
#[derive(Clone, Copy, Debug)]
enum Kind {
    Instructions,
    FetchStalls,
    DataWaits,
    BusWaits,
    TransferWaits,
    Entries,
    Asleep,
}

const KINDS: [Kind; 7] = [
    Kind::Instructions,
    Kind::FetchStalls,
    Kind::DataWaits,
    Kind::BusWaits,
    Kind::TransferWaits,
    Kind::Entries,
    Kind::Asleep,
];

/// The cost of one instruction, for one payer.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Line {
    /// How often it executed; also when its condition failed.
    pub executions: u64,
    /// Its cycles, the refill of the pipeline after it included.
    pub costs: Costs,
}

/// An instruction, and its payer. Without an address it is the time before the first one: the
/// pipeline's first fill.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct Place {
    /// Its payer.
    pub charged: Charged,
    /// The instruction.
    pub address: Option<u32>,
}

/// The counts of a histogram.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Counts {
    /// The cycle from which it counts, …
    pub since: Cycle,
    /// … and up to which.
    pub until: Cycle,
    /// The cycles between them, and the instructions executed.
    pub lines: BTreeMap<Place, Line>,
}

/// The instrument.
#[derive(Debug)]
pub struct Histogram {
    callers: Callers,
    /// Where devices answer.
    devices: Vec<Range<u64>>,
    since: Cycle,
    /// Up to when cycles are charged.
    charged: Cycle,
    lines: Lines,
    /// An exception is being entered.
    entering: bool,
    /// Of the next access: cycles for which it waited for a transfer.
    kept: Cycle,
}

impl Histogram {
    /// A histogram of a program of these functions. Addresses within `devices` are devices.
    pub fn new(code: Code, devices: Vec<Range<u64>>) -> Histogram {
        Histogram {
            callers: Callers::new(code),
            devices,
            since: 0,
            charged: 0,
            lines: Lines::default(),
            entering: false,
            kept: 0,
        }
    }

    /// The counts up to the last boundary.
    pub fn counts(&self) -> Counts {
        Counts { since: self.since, until: self.charged, lines: self.lines.all() }
    }

    /// Begins to count anew here, at a boundary.
    pub fn clear(&mut self) {
        self.since = self.charged;
        self.lines = Lines::default();
    }

    fn charge(&mut self, kind: Kind, cycles: Cycle) {
        let kind = if self.entering { Kind::Entries } else { kind };
        *self.lines.current().costs.of(kind) += cycles;
    }
}

impl Instrument for Histogram {
    fn interest(&self) -> Interest {
        Interest::Everything
    }

    fn attached(&mut self, at: Cycle) {
        (self.since, self.charged) = (at, at);
    }

    fn reset(&mut self) {
        self.callers.reset();
        (self.since, self.charged, self.kept, self.entering) = (0, 0, 0, false);
        self.lines = Lines::default();
    }

    fn kept(&mut self, _by: Mover, cycles: Cycle) {
        self.kept += cycles;
    }

    fn accessed(&mut self, at: Cycle, address: u32, access: Access, _write: bool, _value: u32) {
        let cycles = at - std::mem::replace(&mut self.charged, at);
        let kept = std::mem::take(&mut self.kept).min(cycles);
        self.lines.current().costs.transfer_waits += kept;
        let own = cycles - kept;
        self.charge(Kind::Instructions, own.min(1));
        if own > 1 {
            let kind = if access.is_code() {
                Kind::FetchStalls
            } else if self.devices.iter().any(|range| range.contains(&address.into())) {
                Kind::BusWaits
            } else {
                Kind::DataWaits
            };
            self.charge(kind, own - 1);
        }
    }

    fn paused(&mut self, at: Cycle, _cycles: Cycle, why: Pause) {
        let cycles = at - std::mem::replace(&mut self.charged, at);
        match why {
            Pause::Internal => self.charge(Kind::Instructions, cycles),
            Pause::Asleep => self.lines.current().costs.asleep += cycles,
        }
    }

    fn follows_stack(&self) -> bool {
        self.callers.follows_stack()
    }

    fn stack(&mut self, pointer: u32) {
        self.callers.stack(pointer);
    }

    fn entering(&mut self, _at: Cycle, exception: &Exception, _mode: u8) {
        if exception.kind == ExceptionKind::Fault {
            // The instruction at this boundary does not execute after all.
            self.lines.current().executions -= 1;
        }
        self.callers.entering(exception);
        self.lines.charge_to(self.callers.charged(), exception.vector);
        self.entering = true;
    }

    fn excepted(&mut self, _at: Cycle, exception: &Exception) {
        self.callers.excepted(exception);
        self.entering = false;
    }

    fn left_exception(&mut self, _at: Cycle) {
        self.callers.left_exception();
    }

    fn executed(&mut self, _at: Cycle, address: u32) {
        self.callers.executed(address);
        self.lines.charge_to(self.callers.charged(), address).executions += 1;
    }

    fn follows_iterations(&self) -> bool {
        true
    }

    fn iteration_began(&mut self) {
        self.lines.follow();
    }

    fn iterations_skipped(&mut self, count: u64, cycles: Cycle) {
        self.lines.repeat(count);
        self.charged += count * cycles;
    }

    fn iteration_ended(&mut self) {
        self.lines.unfollow();
    }
}
