//! The interface of every core to its board.
//!
//! A new core is a folder in `cores/` with three things: a type that implements [`Core`], a type that implements
//! [`Architecture`], and an entry in the registry. [`Bound`](crate::processor::Bound) makes a board's processor of it.

use crate::bus::{Access, Bus, Exception, Width};
use crate::pricing::{Outline, Retrace};
use crate::processor::Processor;
use crate::system::System;
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
    /// [`Bus::boundary`] asked for it.
    Boundary,
    /// [`Pending::stop`](crate::bus::Pending::stop) was set.
    Board,
    /// An instruction called the host: [`Core::host_call`] waits for [`Core::answer`].
    HostCall,
}

/// A program's request to its host (semihosting).
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct HostCall {
    /// Number of the operation.
    pub operation: u32,
    /// Its parameter, or the address of its parameters.
    pub parameter: u32,
}

/// A processor without clock or memory. Addresses are those of its bus, in bytes: a core that counts words, or
/// has several address spaces, gives each space its own range of the bus.
pub trait Core: Clone + Send + Sync + 'static {
    /// Enters reset and fills the pipeline from `entry`; the fill spends cycles on the bus.
    fn reset<B: Bus>(&mut self, bus: &mut B, entry: u32);

    /// Takes a pending interrupt or executes one instruction, refill of the pipeline included.
    /// `Some` when it stopped instead, or (host call) after it.
    fn step<B: Bus>(&mut self, bus: &mut B) -> Option<Stop>;

    /// Steps until a reason to stop.
    fn run<B: Bus>(&mut self, bus: &mut B, limit: Limit) -> Stop {
        loop {
            if bus.now() >= limit.cycle || self.retired() >= limit.instructions {
                return Stop::Limit;
            }
            if let Some(stop) = self.step(bus) {
                return stop;
            }
        }
    }

    /// Address of the instruction that executes next.
    fn address(&self) -> u32;

    /// Instructions executed since reset; one whose condition fails counts, an exception entry does not.
    fn retired(&self) -> u64;

    /// Counts instructions that were skipped, as if they had retired.
    fn count(&mut self, instructions: u64);

    /// Whether the other core will do the same as this one from here on, however many instructions
    /// either has retired.
    fn equals(&self, other: &Self) -> bool;

    /// Every register by name, as people know them.
    fn registers(&self) -> Vec<(&'static str, u32)>;

    /// Sets a register by its name in [`registers`](Core::registers), from outside and without a cycle.
    /// `false`: it has none of that name, or one that moves with the [address](Core::set_address) alone.
    fn set_register(&mut self, _system: &System, _name: &str, _value: u32) -> bool {
        false
    }

    /// The byte at an address of the bus that is the core's own: no access to it reaches the bus.
    fn own_byte(&self, _address: u32) -> Option<u8> {
        None
    }

    /// Sets such a byte, from outside and without a cycle. `false`: it is not the core's.
    fn set_own_byte(&mut self, _address: u32, _value: u8) -> bool {
        false
    }

    /// Makes the instruction at `address` the next one, from outside and without a cycle. Opcodes that are
    /// fetched ahead are read from memory as it is now. `false`: the core cannot be moved.
    fn set_address(&mut self, _system: &System, _address: u32) -> bool {
        false
    }

    /// Whether an interrupt of any kind would be taken now.
    fn takes_interrupts(&self) -> bool;

    /// Whether the instruction that executes next only branches to itself.
    fn is_stuck(&self, system: &System) -> bool;

    /// Sets whether instructions that call the host stop the core; they keep their meaning otherwise.
    /// It survives a reset. `false`: the core has none.
    fn set_host_calls(&mut self, _on: bool) -> bool {
        false
    }

    /// The call that stopped the core by [`Stop::HostCall`].
    fn host_call(&self) -> HostCall {
        HostCall::default()
    }

    /// Gives the program the host's answer; the core may run on.
    fn answer(&mut self, _value: u32) {}
}

/// Programs for a core, as ELF files mark them.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct ElfMachine {
    /// `e_machine` of the file's header.
    pub number: u16,
    /// The machine's usual name.
    pub name: &'static str,
    /// Whether the file has the most significant byte of a number first.
    pub big_endian: bool,
}

/// An access that nothing answered.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Refused {
    /// Where.
    pub address: u32,
    /// Its kind.
    pub access: Access,
    /// Whether it was a write.
    pub write: bool,
    /// The instruction that made it.
    pub pc: u32,
}

/// The core's output whose level is 1 while any of its interrupt inputs is requested, masked or not.
pub const REQUESTED: &str = "requested";

/// Properties of a kind of core that do not depend on its state.
pub trait Architecture: Sync {
    /// Its name: `kind` in board files.
    fn kind(&self) -> &'static str;

    /// Makes a core of the parameters in the board file.
    ///
    /// # Errors
    /// One sentence, when they do not fit.
    fn make(&self, parameters: toml::Table) -> Result<Box<dyn Processor>, String>;

    /// Makes what prices its instructions without executing a program, of the same parameters; none if nothing does.
    ///
    /// # Errors
    /// As [`make`](Architecture::make).
    fn outline(&self, _parameters: toml::Table) -> Result<Option<Box<dyn Outline>>, String> {
        Ok(None)
    }

    /// Makes what follows a path of its instructions without a board, of the same parameters; none if nothing does.
    ///
    /// # Errors
    /// As [`make`](Architecture::make).
    fn retrace(&self, _parameters: toml::Table) -> Result<Option<Box<dyn Retrace>>, String> {
        Ok(None)
    }

    /// Cycles of an access that the core spends by itself, so that memories and buses charge wait states alone. Transfers
    /// of devices take them too.
    fn access_cycles(&self) -> Cycle {
        0
    }

    /// Cycles by which the instructions beside one may change what it costs, where a fetch waits `waits` cycles; 0 where
    /// none overlap.
    fn overlap_cycles(&self, _waits: Cycle) -> Cycle {
        0
    }

    /// Names of its parameters that older board files have in `[core]` itself.
    fn older_parameters(&self) -> &'static [&'static str] {
        &[]
    }

    /// Names of its interrupt inputs, 64 at most; input n is `core.<name n>` in board files, and bit n of
    /// [`Pending::inputs`](crate::bus::Pending::inputs).
    fn inputs(&self) -> &'static [&'static str];

    /// Inputs of normal interrupts, one bit for each. Interrupts are off while the core masks all of them.
    fn normal_inputs(&self) -> u64 {
        self.inputs().iter().enumerate().fold(0, |all, (n, _)| all | 1 << n)
    }

    /// Names of its outputs, which [`Bus::signal`] drives; output n is `core.<name n>`
    /// in board files. One called [`REQUESTED`] the board drives itself.
    fn outputs(&self) -> &'static [&'static str] {
        &[]
    }

    /// The ELF files that hold its programs; none when images are made by other means.
    fn elf_machine(&self) -> Option<ElfMachine> {
        None
    }

    /// Whether an ELF file of its machine is for it, where several kinds of core have that machine. `section` gives
    /// the bytes of the file's first section of a type.
    fn is_own_program<'a>(&self, _section: &dyn Fn(u32) -> Option<&'a [u8]>) -> bool {
        true
    }

    /// The widest access to data that its cores make.
    fn data_width(&self) -> Width {
        Width::Word
    }

    /// Whether its cores call [`Bus::moving`].
    fn states_moves(&self) -> bool {
        false
    }

    /// Whether a symbol of this name only marks where code or data begin.
    fn is_mapping_symbol(&self, _name: &str) -> bool {
        false
    }

    /// The address of the instruction that a symbol, a breakpoint or an entry names.
    fn instruction_address(&self, address: u32) -> u32 {
        address
    }

    /// Says in a clause, without a full stop, what the exception is and what caused it. `refused` is the
    /// last access that nothing answered.
    fn explain(&self, exception: &Exception, refused: Option<&Refused>, system: &System) -> String;

    /// Why no handler can run from this vector, as a clause; `None` if one may.
    fn dead_vector(&self, vector: u32, system: &System) -> Option<String>;
}
