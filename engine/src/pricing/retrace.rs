//! A path that is known, instruction by instruction: what the core itself takes for it.

use crate::board::build;
use crate::board::description::Description;
use crate::error::{Error, Result};
use crate::registry::Registry;
use crate::time::Cycle;

/// Executes instructions along a path, without a board.
///
/// Before each instruction the caller states the registers, so what devices answered does not matter. Memories and
/// buses answer at once, but where the caller says that they wait.
pub trait Retrace: Send + Sync {
    /// Puts bytes of the image into memory.
    fn load(&mut self, address: u32, bytes: &[u8]);

    /// Accesses to data from `begin` to before `end` wait so many cycles. Of places that overlap the first counts.
    fn set_waits(&mut self, begin: u32, end: u32, cycles: u32);

    /// The pipeline is empty, as behind an exception's entry or return.
    fn flush(&mut self);

    /// Executes the instruction at the program counter, which is register 15; `status` is the register of flags.
    /// `following` is the address of the next one on the path.
    ///
    /// # Errors
    /// A clause, when the instruction does not lead there.
    fn step(
        &mut self,
        registers: &[u32; 16],
        status: u32,
        following: u32,
    ) -> std::result::Result<Retraced, String>;

    /// A copy that goes on by itself.
    fn copied(&self) -> Box<dyn Retrace>;
}

/// An instruction of a path.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Retraced {
    /// From its boundary to that of the next instruction.
    pub cycles: Cycle,
    /// Its accesses to data, in order.
    pub accesses: Vec<Accessed>,
    /// How it ends.
    pub ending: Ending,
}

/// An access to data.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Accessed {
    /// Cycles from the instruction's boundary to its data phase.
    pub at: Cycle,
    /// Its address.
    pub address: u32,
    /// Its bytes.
    pub bytes: u8,
    /// Whether it writes.
    pub write: bool,
}

/// How an instruction ends.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Ending {
    /// The next instruction follows.
    Next,
    /// It ends an exception.
    Return,
    /// It calls the supervisor.
    Call,
}

/// Makes the core of this board file follow paths. `file` and `resolve` are those of
/// [`Board::new`](crate::board::Board::new).
///
/// # Errors
/// As for a board; and a sentence when nothing follows paths of its core.
pub fn retrace(
    text: &str,
    file: &str,
    resolve: &dyn Fn(&str) -> Result<String>,
) -> Result<Box<dyn Retrace>> {
    let registry = Registry::default();
    let mut description = Description::parse(text, file, resolve)?;
    build::gather_parameters(&mut description, &registry)?;
    let (architecture, _) = build::core(&description, &registry)?;
    let parameters = description.core.map(|core| core.parameters).unwrap_or_default();
    architecture.retrace(parameters).map_err(Error)?.ok_or_else(|| {
        let kind = architecture.kind();
        Error(format!("{file}: nothing follows paths of the core {kind} without a board; run it."))
    })
}
