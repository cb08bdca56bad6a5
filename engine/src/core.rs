//! What every core offers its board.

use crate::bus::Bus;
use crate::time::{Cycle, NEVER};

/// Where a run must end at the latest; it ends at the first instruction boundary at or past either.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Limit {
    /// Cycle on the bus's clock.
    pub cycle: Cycle,
    /// Value of [`Core::retired`].
    pub instructions: u64,
}

impl Limit {
    /// No limit.
    pub const NONE: Limit = Limit { cycle: NEVER, instructions: u64::MAX };

    /// Limit by time alone.
    pub const fn cycle(cycle: Cycle) -> Self {
        Limit { cycle, instructions: u64::MAX }
    }
}

/// Why a core left [`Core::run`]. It always stands at an instruction boundary.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Stop {
    /// A limit was reached.
    Limit,
    /// [`Bus::boundary`](crate::bus::Bus::boundary) asked for it.
    Boundary,
    /// [`Lines::stop`](crate::bus::Lines::stop) was set.
    Board,
    /// A semihosting call was executed: it waits to be served, then the core may run on.
    Semihosting,
}

/// A processor without clock or memory.
pub trait Core {
    /// Enters reset and fills the pipeline from `entry`; the fill spends cycles on the bus.
    fn reset<B: Bus>(&mut self, bus: &mut B, entry: u32);

    /// Takes a pending interrupt or executes one instruction, refill of the pipeline included.
    /// `Some` when it stopped instead, or (semihosting) after it.
    fn step<B: Bus>(&mut self, bus: &mut B) -> Option<Stop>;

    /// Steps until a reason to stop.
    fn run<B: Bus>(&mut self, bus: &mut B, limit: Limit) -> Stop;

    /// Address of the instruction that executes next.
    fn address(&self) -> u32;

    /// Instructions executed since reset; one whose condition fails counts, an exception entry does not.
    fn retired(&self) -> u64;
}
