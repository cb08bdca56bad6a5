//! Instruments: they observe a board without disturbing it.

use std::any::Any;

use crate::bus::{Access, Exception, Status};
use crate::device::{Input, Service, Tag};
use crate::moves::Move;
use crate::time::Cycle;

/// Events that are passed to an instrument. A board that has nothing to pass pays nothing.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Interest {
    /// Signals only.
    Signals,
    /// Devices' own transfers, the blocks they make up, and the waits they cause.
    Transfers,
    /// Execution of, and data accesses to, these addresses.
    Addresses {
        /// Instruction addresses whose execution is reported.
        executed: Vec<u32>,
        /// Data addresses whose reads and writes are reported.
        accessed: Vec<u32>,
    },
    /// Every instruction.
    Instructions,
    /// Every access and every instruction, and all time that is spent otherwise.
    Everything,
}

/// Why cycles go by without an access.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Pause {
    /// Internal cycles of the core, or an access that nothing answered.
    Internal,
    /// The core's clock is stopped.
    Asleep,
}

/// The part that answered an access.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Answered {
    /// A memory.
    Memory {
        /// Its place in the board file.
        index: usize,
        /// How many lines of its array were read for the access, or began to be read ahead.
        lines_read: u32,
    },
    /// A device.
    Device {
        /// The bus that leads there, by its place in the board file.
        bus: usize,
        /// The device, by its place in the board file.
        device: usize,
        /// The register, in bytes from the device's base.
        offset: u32,
    },
}

/// One channel of a device that makes transfers by itself (DMA), and the direction of a transfer.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct Mover {
    /// The device, by its place in the board file.
    pub device: usize,
    /// Its own name of the channel.
    pub tag: Tag,
    /// Whether the device writes to the address; else it reads there.
    pub write: bool,
}

/// The origin of an interrupt request.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub enum Requester {
    /// An input of an interrupt controller.
    Source {
        /// The controller, by its place in the board file.
        device: usize,
        /// Its input.
        input: Input,
    },
    /// This input of the core, which no controller drives.
    Line(usize),
    /// None: the request at this input of the core was withdrawn.
    Spurious(usize),
}

/// The requests that a signal reports.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Requesting {
    /// Its level holds the sources of this controller that request.
    Controller(usize),
    /// It drives this input of the core.
    Line(usize),
}

/// A signal that says which sources of interrupts request.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct RequestSignal {
    /// The signal's name.
    pub signal: String,
    /// Which requests.
    pub of: Requesting,
    /// Its level now.
    pub level: u32,
}

/// A value whose own type can be asked for.
pub trait AsAny: Any {
    /// The value, of any type.
    fn as_any(&self) -> &dyn Any;
    /// The same, to be changed.
    fn as_any_mut(&mut self) -> &mut dyn Any;
}

impl<T: Any> AsAny for T {
    fn as_any(&self) -> &dyn Any {
        self
    }

    fn as_any_mut(&mut self) -> &mut dyn Any {
        self
    }
}

/// An observer. It has no way to act on the board.
pub trait Instrument: AsAny + Send + Sync {
    /// Asked once, when it is attached.
    fn interest(&self) -> Interest;
    /// It was attached at this cycle, which is a boundary.
    fn attached(&mut self, _at: Cycle) {}
    /// A signal, by its name in the board file (`device.output`), has a new level or carries a value.
    fn changed(&mut self, _at: Cycle, _signal: &str, _level: u32) {}
    /// The board was reset: what was under way never ends, and cycles count from 0 again.
    fn reset(&mut self) {}
    /// `by` answers the access, or transfer, that is passed next. Passed to observers of everything.
    fn answered(&mut self, _by: Answered) {}
    /// An access was made. `at` is the cycle at which it completed; its data cycle is the one before.
    fn accessed(&mut self, _at: Cycle, _address: u32, _access: Access, _write: bool, _value: u32) {}
    /// The same for a device's own transfer (DMA), passed to the observers of that address, of transfers
    /// and of everything. Observers of the core's time do nothing: the transfer may run beside the core.
    fn transferred(&mut self, _at: Cycle, _address: u32, _access: Access, _by: Mover, _value: u32) {
    }
    /// The core's next access has waited so many cycles for its path, which this transfer had. Passed to
    /// observers of transfers and of everything. The access's own cycles include them.
    fn kept(&mut self, _by: Mover, _cycles: Cycle) {}
    /// A device says that a block of its transfers is over: so many made it up. Passed to observers of
    /// transfers and of everything.
    fn block_ended(&mut self, _at: Cycle, _device: usize, _tag: Tag, _transfers: u32) {}
    /// An interrupt controller says what it does with the source at this input.
    fn served(&mut self, _at: Cycle, _device: usize, _source: Input, _service: Service) {}
    /// The instruction at `address` begins to execute at this boundary.
    fn executed(&mut self, _at: Cycle, _address: u32) {}
    /// Asked once, when it is attached, of observers of every instruction: whether [`stack`](Self::stack) is
    /// to be passed to it.
    fn follows_stack(&self) -> bool {
        false
    }
    /// The core's stack pointer, as it stands at the boundary of the next call of `executed`. It distinguishes
    /// the threads of a program.
    fn stack(&mut self, _pointer: u32) {}
    /// Asked once, when it is attached, of observers of every instruction: whether [`moving`](Self::moving)
    /// is to be passed to it.
    fn follows_moves(&self) -> bool {
        false
    }
    /// The instruction of the last `executed` is about to make these moves. Called again after an exception's
    /// entry, with the moves of the entry: then the instruction makes no more.
    fn moving(&mut self, _moves: &[Move]) {}
    /// Asked once, when it is attached, of observers of every instruction: the ones that are passed to
    /// it even while it is steady.
    fn marks(&self) -> Vec<u32> {
        Vec::new()
    }
    /// Whether it would now learn nothing from the execution of any instruction but its marks. Then
    /// no others are passed to it nor, if it observes everything, accesses and pauses. A loop of
    /// nothing else may be skipped. Only instructions, exceptions, status and signals that are
    /// passed to it, and a reset, may change the answer. `false` is always right.
    fn is_steady(&self) -> bool {
        false
    }
    /// The core's status, as seen at this boundary. Passed before `executed` when it differs from the last
    /// boundary, and at the first, to observers of every instruction.
    fn status(&mut self, _at: Cycle, _status: Status) {}
    /// At this boundary an exception takes the place of an instruction: its entry, in `mode`, begins. Passed
    /// to observers of every instruction.
    fn entering(&mut self, _at: Cycle, _exception: &Exception, _mode: u8) {}
    /// The source that requests the interrupt which the core enters next. Passed before `entering` of an
    /// interrupt to observers of every instruction.
    fn requested(&mut self, _by: Requester) {}
    /// An exception was entered; the instruction at its vector is the next. Passed to observers of every
    /// instruction.
    fn excepted(&mut self, _at: Cycle, _exception: &Exception) {}
    /// The instruction under way leaves an exception: the core restored the status that its entry had kept.
    /// Passed to observers of every instruction.
    fn left_exception(&mut self, _at: Cycle) {}
    /// `cycles` up to `at` went by without an access that was answered. Passed to observers of
    /// everything.
    fn paused(&mut self, _at: Cycle, _cycles: Cycle, _why: Pause) {}
    /// Whether it accounts for iterations of loops that are skipped, by `iteration_began` and `iterations_skipped`.
    /// Otherwise no iteration is skipped in which something was passed to it.
    fn follows_iterations(&self) -> bool {
        false
    }
    /// An iteration of a loop may begin here.
    fn iteration_began(&mut self) {}
    /// All that was passed to it since the iteration began happened `count` times more, each taking `cycles`.
    fn iterations_skipped(&mut self, _count: u64, _cycles: Cycle) {}
    /// No iteration is under way.
    fn iteration_ended(&mut self) {}
}
