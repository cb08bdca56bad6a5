//! The instruments of a board: how they are attached, and what they recorded.

use super::Board;
use crate::instrument::Instrument;
use crate::instruments::interrupts_off::{self, InterruptsOff};
use crate::instruments::masking::{Masking, OffInterval};
use crate::instruments::off_intervals;
use crate::instruments::profile::{Profile, Profiler};
use crate::instruments::truth::{Accessed, Executed, Truth};
use crate::instruments::window::Window;

/// An instrument's place on a board.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Attachment(u64);

impl Board {
    /// Attaches an instrument, at any boundary, until it is [detached](Board::detach).
    pub fn attach(&mut self, instrument: Box<dyn Instrument>) -> Attachment {
        Attachment(self.system.attach(instrument))
    }

    /// Detaches one instrument and returns it; `None` if it is detached already.
    pub fn detach(&mut self, attachment: Attachment) -> Option<Box<dyn Instrument>> {
        self.system.detach(attachment.0)
    }

    /// An attached instrument as the type that implements it: what it has recorded up to now. `None` if it
    /// is detached, or of another type.
    pub fn instrument<T: Instrument>(&self, attachment: Attachment) -> Option<&T> {
        self.system.instrument(attachment.0)?.as_any().downcast_ref()
    }

    /// The same, to clear it, for example.
    pub fn instrument_mut<T: Instrument>(&mut self, attachment: Attachment) -> Option<&mut T> {
        self.system.instrument_mut(attachment.0)?.as_any_mut().downcast_mut()
    }

    /// Detaches every instrument, the truth included.
    pub fn detach_all(&mut self) {
        self.system.detach_all();
        self.power = None;
    }

    /// Attaches the truth for these addresses, instead of every instrument attached before.
    pub fn watch(&mut self, executed: &[u32], accessed: &[u32]) {
        let (truth, reader) = Truth::new(executed, accessed);
        self.detach_all();
        self.system.attach(Box::new(truth));
        self.truth = reader;
    }

    /// Takes the executions that the truth has recorded since.
    pub fn take_executed(&mut self) -> Vec<Executed> {
        self.truth.take_executed()
    }

    /// Takes the accesses that the truth has recorded since.
    pub fn take_accessed(&mut self) -> Vec<Accessed> {
        self.truth.take_accessed()
    }

    /// The window, whose addresses may be those of symbols, with those of instructions.
    pub(super) fn of_instructions(&self, window: Window) -> Window {
        let of = |address| self.architecture.instruction_address(address);
        let Window { start, entry, returned } = window;
        Window { start: of(start), entry: of(entry), returned: of(returned) }
    }

    /// Attaches a profiler of these calls beside all other instruments. Of several profilers only the
    /// last one's calls can be taken.
    pub fn profile(&mut self, window: Window) {
        let window = self.of_instructions(window);
        let (profiler, reader) = Profiler::new(window, self.device_ranges());
        self.system.attach(Box::new(profiler));
        self.profiles = reader;
    }

    /// Takes the profiles of the calls that have returned since.
    pub fn take_profiles(&mut self) -> Vec<Profile> {
        self.profiles.take()
    }

    /// Attaches an observer of interrupts in these calls, as [`profile`](Board::profile) does. It observes
    /// the core's mask of normal interrupts and the sources that the interrupt controller would
    /// [pass](crate::device::Device::passing).
    pub fn watch_interrupts(&mut self, window: Window) {
        let window = self.of_instructions(window);
        let masking = self.masking(self.architecture.normal_inputs());
        let (observer, reader) = interrupts_off::Observer::new(window, masking);
        self.system.attach(Box::new(observer));
        self.interrupts_off = reader;
    }

    /// Takes what was seen of interrupts in the calls that have returned since.
    pub fn take_interrupts_off(&mut self) -> Vec<InterruptsOff> {
        self.interrupts_off.take()
    }

    /// Attaches an observer of every interval without normal interrupts, beside all other instruments.
    pub fn watch_off_intervals(&mut self) {
        self.watch_off_intervals_of(self.architecture.normal_inputs());
    }

    /// The same for interrupts of these inputs of the core, one bit for each. Of several observers only the
    /// last one's intervals can be taken.
    pub fn watch_off_intervals_of(&mut self, inputs: u64) {
        let (observer, reader) = off_intervals::Observer::new(self.masking(inputs));
        self.system.attach(Box::new(observer));
        self.off_intervals = reader;
    }

    fn masking(&self, inputs: u64) -> Masking {
        Masking::new(inputs, self.system.passing_sources(inputs))
    }

    /// Takes the intervals without interrupts that have ended since, in order.
    pub fn take_off_intervals(&mut self) -> Vec<OffInterval> {
        self.off_intervals.take()
    }
}
