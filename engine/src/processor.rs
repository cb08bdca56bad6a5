//! A core in its board: [`Core`] is generic over buses, a [`Processor`] is one core bound to a [`System`].
//!
//! A board makes one dynamic call for each slice of a run. Inside that call, core and system are compiled together.

use std::any::Any;

use crate::bus::Bus;
use crate::core::{Core, HostCall, Limit, Stop};
use crate::system::System;
use crate::time::Cycle;

/// How a board executes instructions.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Tier {
    /// One by one: what all else must equal.
    Plain,
    /// In decoded blocks, where the core has them.
    Blocks,
    /// In blocks, those as code of the host that have executed so often, where core and host have such.
    Translated {
        /// Executions of a block before it is translated.
        after: u32,
    },
}

impl Default for Tier {
    fn default() -> Self {
        Tier::TRANSLATED
    }
}

impl Tier {
    /// Translation once it pays: it takes as long as some ten thousand executions of a block.
    pub const TRANSLATED: Tier = Tier::Translated { after: 8_000 };

    /// Executions before a block is translated; none where none is.
    fn translates_after(self) -> Option<u32> {
        match self {
            Tier::Translated { after } => Some(after),
            _ => None,
        }
    }
}

/// The work of the tiers, and of code of the host, since the board was made.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct Translations {
    /// Instructions that such code has executed.
    pub instructions: u64,
    /// Instructions that decoded blocks have executed.
    pub in_blocks: u64,
    /// Instructions that the plain core has stepped while blocks, or such code, were to run.
    pub stepped: u64,
    /// How often such code was entered.
    pub entries: u64,
    /// Functions of the host.
    pub functions: u64,
    /// Their bytes.
    pub bytes: u64,
    /// Seconds in which they were made.
    pub seconds: f64,
}

/// How a search for an iteration ended.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Iteration {
    /// The state is again what it was, after so many cycles and instructions.
    Found(Cycle, u64),
    /// It never was.
    None,
    /// The core stopped.
    Stopped(Stop),
}

/// The processor of a board. Its methods do what those of [`Core`] do.
pub trait Processor: Send + Sync {
    /// [`Core::reset`].
    fn reset(&mut self, system: &mut System, entry: u32);
    /// [`Core::run`], in this tier.
    fn run(&mut self, system: &mut System, limit: Limit, tier: Tier) -> Stop;
    /// [`Core::step`].
    fn step(&mut self, system: &mut System) -> Option<Stop>;
    /// Steps until the core, and with `traced` all else, is again as it is now; `most` instructions
    /// at the most.
    fn iterate(&mut self, system: &mut System, limit: Limit, traced: bool, most: u32) -> Iteration;
    /// [`Core::address`].
    fn address(&self) -> u32;
    /// [`Core::retired`].
    fn retired(&self) -> u64;
    /// [`Core::count`].
    fn count(&mut self, instructions: u64);
    /// The work of code of the host so far.
    fn translations(&self) -> Translations;
    /// [`Accelerator::KEEPS_CODE`].
    fn keeps_code(&self) -> bool;
    /// [`Core::registers`].
    fn registers(&self) -> Vec<(&'static str, u32)>;
    /// [`Core::set_register`].
    fn set_register(&mut self, system: &System, name: &str, value: u32) -> bool;
    /// [`Core::own_byte`].
    fn own_byte(&self, address: u32) -> Option<u8>;
    /// [`Core::set_own_byte`].
    fn set_own_byte(&mut self, address: u32, value: u8) -> bool;
    /// [`Core::set_address`].
    fn set_address(&mut self, system: &System, address: u32) -> bool;
    /// [`Core::takes_interrupts`].
    fn takes_interrupts(&self) -> bool;
    /// [`Core::is_stuck`].
    fn is_stuck(&self, system: &System) -> bool;
    /// [`Core::set_host_calls`].
    fn set_host_calls(&mut self, on: bool) -> bool;
    /// [`Core::host_call`].
    fn host_call(&self) -> HostCall;
    /// [`Core::answer`].
    fn answer(&mut self, value: u32);
    /// A copy of the core as it stands.
    fn snapshot(&self) -> Box<dyn Processor>;
    /// [`Core::equals`]; `false` for cores of two kinds.
    fn equals(&self, other: &dyn Processor) -> bool;
    /// The core, as the type that implements [`Core`].
    fn core(&self) -> &dyn Any;
    /// The same, to be changed.
    fn core_mut(&mut self) -> &mut dyn Any;
}

/// Executes a core's instructions faster than [`Core::run`], with the same results.
pub trait Accelerator<C>: Default + Send + Sync + 'static {
    /// Its decoded code depends on the code's bytes, on where they are shown, on breakpoints and on lines, and on nothing
    /// else; or it asks for itself. So it outlives other changes, a reset among them.
    const KEEPS_CODE: bool = false;

    /// Blocks that have executed so often become code of the host from now on, if the core has such; or none.
    fn translate_after(&mut self, _executions: Option<u32>) {}

    /// The work of code of the host so far.
    fn translations(&self) -> Translations {
        Translations::default()
    }

    /// [`Core::run`].
    fn run(&mut self, core: &mut C, system: &mut System, limit: Limit) -> Stop;
}

/// The accelerator of a core that has none.
#[derive(Clone, Copy, Debug, Default)]
pub struct Plain;

impl<C: Core> Accelerator<C> for Plain {
    fn run(&mut self, core: &mut C, system: &mut System, limit: Limit) -> Stop {
        core.run(system, limit)
    }
}

/// A core and the fast way to execute it, together one [`Processor`].
#[derive(Debug)]
pub struct Bound<C, A = Plain> {
    core: C,
    accelerator: A,
    /// Instructions stepped to find iterations.
    iterated: u64,
}

impl<C: Core, A: Accelerator<C>> Bound<C, A> {
    /// Binds a core.
    pub fn new(core: C) -> Self {
        Bound { core, accelerator: A::default(), iterated: 0 }
    }
}

impl<C: Core, A: Accelerator<C>> Processor for Bound<C, A> {
    fn reset(&mut self, system: &mut System, entry: u32) {
        self.core.reset(system, entry);
    }

    fn run(&mut self, system: &mut System, limit: Limit, tier: Tier) -> Stop {
        match tier {
            Tier::Plain => self.core.run(system, limit),
            Tier::Blocks | Tier::Translated { .. } => {
                self.accelerator.translate_after(tier.translates_after());
                self.accelerator.run(&mut self.core, system, limit)
            }
        }
    }

    fn step(&mut self, system: &mut System) -> Option<Stop> {
        self.core.step(system)
    }

    fn iterate(&mut self, system: &mut System, limit: Limit, traced: bool, most: u32) -> Iteration {
        let core = &mut self.core;
        let may_go_on = |core: &C, system: &System| {
            system.now() < limit.cycle && core.retired() < limit.instructions
        };
        let begun = (system.now(), core.retired());
        let start = core.clone();
        for _ in 0..most {
            if !may_go_on(core, system) {
                return Iteration::Stopped(Stop::Limit);
            }
            self.iterated += 1;
            if let Some(stop) = core.step(system) {
                return Iteration::Stopped(stop);
            }
            if traced && !system.trace_holds() {
                return Iteration::None;
            }
            // Most steps end elsewhere, and an address is compared at once.
            let repeats = core.address() == start.address()
                && core.equals(&start)
                && (!traced || system.has_repeated());
            if repeats && may_go_on(core, system) {
                return Iteration::Found(system.now() - begun.0, core.retired() - begun.1);
            }
        }
        Iteration::None
    }

    fn address(&self) -> u32 {
        self.core.address()
    }

    fn retired(&self) -> u64 {
        self.core.retired()
    }

    fn count(&mut self, instructions: u64) {
        self.core.count(instructions);
    }

    fn translations(&self) -> Translations {
        let mut done = self.accelerator.translations();
        done.stepped += self.iterated;
        done
    }

    fn keeps_code(&self) -> bool {
        A::KEEPS_CODE
    }

    fn registers(&self) -> Vec<(&'static str, u32)> {
        self.core.registers()
    }

    fn set_register(&mut self, system: &System, name: &str, value: u32) -> bool {
        self.core.set_register(system, name, value)
    }

    fn own_byte(&self, address: u32) -> Option<u8> {
        self.core.own_byte(address)
    }

    fn set_own_byte(&mut self, address: u32, value: u8) -> bool {
        self.core.set_own_byte(address, value)
    }

    fn set_address(&mut self, system: &System, address: u32) -> bool {
        self.core.set_address(system, address)
    }

    fn takes_interrupts(&self) -> bool {
        self.core.takes_interrupts()
    }

    fn is_stuck(&self, system: &System) -> bool {
        self.core.is_stuck(system)
    }

    fn set_host_calls(&mut self, on: bool) -> bool {
        self.core.set_host_calls(on)
    }

    fn host_call(&self) -> HostCall {
        self.core.host_call()
    }

    fn answer(&mut self, value: u32) {
        self.core.answer(value);
    }

    fn snapshot(&self) -> Box<dyn Processor> {
        Box::new(Bound::<C, A>::new(self.core.clone()))
    }

    fn equals(&self, other: &dyn Processor) -> bool {
        other.core().downcast_ref::<C>().is_some_and(|other| self.core.equals(other))
    }

    fn core(&self) -> &dyn Any {
        &self.core
    }

    fn core_mut(&mut self) -> &mut dyn Any {
        &mut self.core
    }
}
