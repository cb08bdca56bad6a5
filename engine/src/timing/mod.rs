//! How long memories take: one file for each kind.
//!
//! A new kind implements [`MemoryTiming`]. One of the engine's own becomes a variant of [`Timing`], so that
//! accesses reach it without a dynamic call; a program's own is a [`Timing::Other`].

mod cartridge_console;
mod ebi_at91;
pub(crate) mod mam_lpc2000;
mod waits;

pub use waits::Waits;

use std::any::Any;
use std::fmt::Debug;

use crate::bus::Access;
use crate::registry::parameters;
use crate::time::Cycle;

/// The shift of a line as long as any memory.
pub const ONE_LINE: u32 = u32::BITS - 1;

/// The timing of one memory: what an access costs, and what it leaves for the next one.
///
/// Cycles are those of the board. Accesses come in the order of time, each at or after the completion of the one
/// before.
pub trait MemoryTiming: Debug + Send + Sync {
    /// Names of the inputs that change it: input n is `memory.<memory>.<name n>` in board files.
    fn inputs(&self) -> &'static [&'static str] {
        &[]
    }

    /// Called once for each memory of a board, in the order of its file. Memories that share a bus leave there, or
    /// find there, what they share.
    fn join(&mut self, _shared: &mut Vec<Box<dyn Any>>) {}

    /// Input `input` has a new level: later accesses are charged by it.
    fn set(&mut self, _input: usize, _level: u32) {}

    /// Returns to the state after power-on, at cycle 0.
    fn reset(&mut self);

    /// Makes the access at `offset` in the memory that begins at `now`; returns when it completes, `now` + 1
    /// at the earliest. It is `now` where the core spends the cycle of the access by itself.
    fn access(&mut self, now: Cycle, offset: u32, access: Access) -> Cycle;

    /// [`access`](Self::access) of a fetch, from another line than the last fetch as a rule.
    #[inline(always)]
    fn fetch_line(&mut self, now: Cycle, offset: u32, access: Access) -> Cycle {
        self.access(now, offset, access)
    }

    /// Bytes of a line, as a power of two, 1 at least: a fetch from the line of the last fetch costs
    /// [`fetches_again`](Self::fetches_again), whatever happened in between. Of a memory that
    /// [is shared](Self::is_shared) that holds until data on its bus are accessed. [`ONE_LINE`] where the whole
    /// memory is one line, `None` where no fetch is like the last.
    fn line_shift(&self) -> Option<u32>;

    /// Cycles of a fetch from the line of the last fetch. It changes nothing but that time goes by.
    fn fetches_again(&self, access: Access) -> Cycle;

    /// Cycles of an access, where they depend on nothing but its kind and change nothing.
    fn fixed_cycles(&self, _access: Access) -> Option<Cycle> {
        None
    }

    /// The most cycles that a fetch takes.
    fn slowest_fetch(&self) -> Cycle;

    /// Whether an access to data here changes what a fetch from the line of the last fetch costs, or does so in
    /// another memory that shares its bus.
    fn is_shared(&self) -> bool {
        false
    }

    /// How many lines of its array an access at `offset` that begins at `now` reads, or begins to read
    /// ahead. 0 where every access reads the memory itself.
    fn lines_read(&self, _now: Cycle, _offset: u32, _access: Access) -> u32 {
        0
    }

    /// Appends its state at `now`, not before its last access completed, relative to `now`: equal states
    /// answer alike for ever. Always as many numbers.
    fn state_at(&self, now: Cycle, state: &mut Vec<u64>);

    /// Takes from `state` the numbers that [`state_at`](Self::state_at) appended, and answers from `now` on as it did
    /// then.
    fn set_state(&mut self, now: Cycle, state: &mut dyn Iterator<Item = u64>);

    /// All that has happened was so many cycles later.
    fn shift(&mut self, cycles: Cycle);

    /// Ids of the rules in the board file that it may be charged by, besides those of its memory.
    fn rules(&self) -> &[String] {
        &[]
    }

    /// Whether the rules of its memory matter as it is set now, and whether its own do.
    fn is_charged(&self) -> (bool, bool) {
        (true, true)
    }
}

/// A timing, with a short way to the engine's own. The tag has a byte of its own: to read it takes one
/// instruction of the host.
#[derive(Debug)]
#[repr(u8)]
pub enum Timing {
    /// Wait states.
    Waits(Waits),
    /// Flash behind the accelerator of LPC2000 parts.
    MamLpc2000(mam_lpc2000::Flash),
    /// Any other.
    Other(Box<dyn MemoryTiming>),
}

/// Makes a timing of the parameters in the board file, or says in one sentence why not.
pub type MakeTiming = fn(toml::Table) -> Result<Timing, String>;

/// Every timing that a board file can name, by its kind there.
pub(crate) const ALL: [(&str, MakeTiming); 3] = [
    ("cartridge_console", |given| {
        Ok(Timing::Other(Box::new(cartridge_console::Cartridge::new(parameters(given)?)?)))
    }),
    ("ebi_at91", |given| Ok(Timing::Other(Box::new(ebi_at91::Chip::new(parameters(given)?)?)))),
    ("mam_lpc2000", |given| Ok(Timing::MamLpc2000(mam_lpc2000::Flash::new(parameters(given)?)))),
];

macro_rules! each {
    ($timing:expr, $one:ident => $what:expr) => {
        match $timing {
            Timing::Waits($one) => $what,
            Timing::MamLpc2000($one) => $what,
            Timing::Other($one) => $what,
        }
    };
}

impl Timing {
    /// Makes the access, and says whether it ends the line of the last fetch: [`MemoryTiming::is_shared`]. In one
    /// match, so that the engine's own kinds pay nothing for the question.
    #[inline(always)]
    pub fn access_on_bus(&mut self, now: Cycle, offset: u32, access: Access) -> (Cycle, bool) {
        match self {
            Timing::Waits(one) => (one.access(now, offset, access), false),
            Timing::MamLpc2000(one) => (one.access(now, offset, access), false),
            Timing::Other(one) => {
                (one.access(now, offset, access), !access.is_code() && one.is_shared())
            }
        }
    }
}

impl MemoryTiming for Timing {
    fn inputs(&self) -> &'static [&'static str] {
        each!(self, one => one.inputs())
    }

    fn join(&mut self, shared: &mut Vec<Box<dyn Any>>) {
        each!(self, one => one.join(shared));
    }

    fn set(&mut self, input: usize, level: u32) {
        each!(self, one => one.set(input, level));
    }

    fn reset(&mut self) {
        each!(self, one => one.reset());
    }

    #[inline(always)]
    fn access(&mut self, now: Cycle, offset: u32, access: Access) -> Cycle {
        each!(self, one => one.access(now, offset, access))
    }

    #[inline(always)]
    fn fetch_line(&mut self, now: Cycle, offset: u32, access: Access) -> Cycle {
        each!(self, one => one.fetch_line(now, offset, access))
    }

    fn line_shift(&self) -> Option<u32> {
        each!(self, one => one.line_shift())
    }

    #[inline(always)]
    fn fetches_again(&self, access: Access) -> Cycle {
        each!(self, one => one.fetches_again(access))
    }

    fn fixed_cycles(&self, access: Access) -> Option<Cycle> {
        each!(self, one => one.fixed_cycles(access))
    }

    fn slowest_fetch(&self) -> Cycle {
        each!(self, one => one.slowest_fetch())
    }

    fn is_shared(&self) -> bool {
        each!(self, one => one.is_shared())
    }

    fn lines_read(&self, now: Cycle, offset: u32, access: Access) -> u32 {
        each!(self, one => one.lines_read(now, offset, access))
    }

    fn state_at(&self, now: Cycle, state: &mut Vec<u64>) {
        each!(self, one => one.state_at(now, state));
    }

    fn set_state(&mut self, now: Cycle, state: &mut dyn Iterator<Item = u64>) {
        each!(self, one => one.set_state(now, state));
    }

    fn shift(&mut self, cycles: Cycle) {
        each!(self, one => one.shift(cycles));
    }

    fn rules(&self) -> &[String] {
        each!(self, one => one.rules())
    }

    fn is_charged(&self) -> (bool, bool) {
        each!(self, one => one.is_charged())
    }
}
