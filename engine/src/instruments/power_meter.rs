//! A power meter: the energy of every cycle and event, and its account.
//!
//! It integrates exactly. Between two changes of its rates it counts; a count times a rate is a
//! whole number of femtojoules, and everything else is a sum of these. Each is booked once, under
//! the mode of the core, the task that was current and the place in the code. Within that it is
//! booked by part (the core's cycles, memories, buses, devices). So the parts and the accounts add
//! up to the total. docs/explanation/energy.md has the model and its coefficients.

mod books;
mod reader;

use std::collections::BTreeMap;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

use self::books::Books;
pub use self::reader::{Reader, Trigger};
use super::callers::{Callers, Code};
use super::window::Window;
use crate::bus::{Access, Exception, Status};
use crate::energy::{Accesses, CycleKind, Model, Spent};
use crate::instrument::{Answered, Instrument, Interest, Mover, Pause};
use crate::time::Cycle;

/// The account of an expense: the code that executes, and the task that it executes for.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Spender {
    /// The mode of the core, by its own number; 0 before its first instruction.
    pub mode: u8,
    /// Value of the kernel's variable for the current task; 0 without one.
    pub task: u32,
    /// Where in the code: the place's first address.
    pub place: u32,
}

/// Expenses by account.
pub type Ledger = BTreeMap<Spender, Spent>;

/// How finely code is divided.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Places {
    /// Every instruction is a place.
    Instructions,
    /// A place extends from each of these addresses to the next; code before all of them is place 0.
    From(Vec<u32>),
    /// Every function is a place; one of a library is part of its caller's. Code outside all functions, and a
    /// library whose caller is not known, is place 0.
    Functions(Code),
}

/// Details that a meter reports besides the total.
#[derive(Clone, Debug)]
pub struct Metering {
    /// How finely code is divided.
    pub places: Places,
    /// Where the kernel keeps the address of the current task's control block.
    pub current_task: Option<u32>,
    /// Addresses whose execution triggers a reading.
    pub executed: Vec<u32>,
    /// Data addresses whose accesses trigger a reading.
    pub accessed: Vec<u32>,
    /// Calls to keep a ledger of, each its own.
    pub window: Option<Window>,
}

/// A reading of the meter, counted from when it was attached or the board reset.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Reading {
    /// When.
    pub cycle: Cycle,
    /// The address executed or accessed.
    pub address: u32,
    /// The value read or written; 0 for an execution.
    pub value: u32,
    /// The energy so far.
    pub total_fj: u128,
    /// The same by the simple law, C·V² per cycle.
    pub capacitive_fj: u128,
}

/// A call, and what was spent in it.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Call {
    /// When it began.
    pub entered: Cycle,
    /// How long it took, in cycles.
    pub cycles: Cycle,
    /// Expenses by account.
    pub ledger: Ledger,
}

/// Meaning of a signal to the meter.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Hook {
    /// Its level is the core's clock in Hz.
    CoreHz,
    /// Its level is the divider of this bus's clock.
    Divider(usize),
    /// One of its bits lets the clock of this device through.
    Gate(usize, u32),
    /// While it has this level, such a sleep takes its own energy.
    Asleep(usize, u32),
}

/// The instrument that charges everything.
#[derive(Debug)]
pub struct PowerMeter(Arc<Mutex<Books>>);

fn locked(state: &Mutex<Books>) -> MutexGuard<'_, Books> {
    state.lock().unwrap_or_else(PoisonError::into_inner)
}

/// Counts an access that this part answered.
fn count(accesses: &mut Accesses, by: Answered) {
    match by {
        Answered::Memory { index, lines_read } => {
            let count = &mut accesses.memories[index];
            *count = (count.0 + 1, count.1 + u64::from(lines_read));
        }
        Answered::Device { bus, .. } => accesses.buses[bus] += 1,
    }
}

impl PowerMeter {
    /// A meter, what triggers its readings, and its reader, which has to restart it before the first
    /// cycle. The trigger is to be attached behind the meter. The hooks say what signals mean.
    pub fn new(
        model: Model,
        hooks: Vec<(String, Hook)>,
        metering: Metering,
    ) -> (PowerMeter, Trigger, Reader) {
        let (executed, accessed) = (metering.executed.clone(), metering.accessed.clone());
        let state = Arc::new(Mutex::new(Books::new(model, hooks, metering)));
        let trigger = Trigger(Arc::clone(&state), Interest::Addresses { executed, accessed });
        (PowerMeter(Arc::clone(&state)), trigger, Reader(state))
    }
}

impl Instrument for PowerMeter {
    fn interest(&self) -> Interest {
        Interest::Everything
    }

    /// A call has its own ledger, so iterations in which calls are measured must be executed.
    fn follows_iterations(&self) -> bool {
        locked(&self.0).metering.window.is_none()
    }

    fn changed(&mut self, at: Cycle, signal: &str, level: u32) {
        let state = &mut *locked(&self.0);
        let before = state.levels.clone();
        let levels = &mut state.levels;
        for (_, hook) in state.hooks.iter().filter(|(name, _)| name == signal) {
            match *hook {
                Hook::CoreHz => levels.core_hz = level.max(1),
                Hook::Divider(bus) => levels.dividers[bus] = level.max(1),
                Hook::Gate(device, bit) => levels.clocked[device] = level >> bit & 1 != 0,
                Hook::Asleep(sleep, at) => levels.asleep[sleep] = level == at,
            }
        }
        if *levels != before {
            state.stale = true;
            if at == state.charged {
                state.charge(at);
            }
        }
    }

    fn answered(&mut self, by: Answered) {
        locked(&self.0).by = by;
    }

    fn accessed(&mut self, at: Cycle, address: u32, access: Access, write: bool, value: u32) {
        let state = &mut *locked(&self.0);
        let cycles = at - state.charged;
        state.counts.cycles[CycleKind::Active as usize] += cycles.min(1);
        state.counts.cycles[CycleKind::Stall as usize] += cycles.saturating_sub(1);
        count(&mut state.counts.accesses, state.by);
        state.charge(at);
        if write && !access.is_code() && state.metering.current_task == Some(address) {
            state.spend_as(Spender { task: value, ..state.spender });
        }
    }

    /// The memory and the bus take as much as for the core's access. Its cycles are the core's own.
    fn transferred(&mut self, _at: Cycle, _: u32, _: Access, _by: Mover, _value: u32) {
        let state = &mut *locked(&self.0);
        count(&mut state.counts.transfers, state.by);
    }

    fn paused(&mut self, at: Cycle, cycles: Cycle, why: Pause) {
        let state = &mut *locked(&self.0);
        let kind = match why {
            Pause::Internal => CycleKind::Active,
            Pause::Asleep => CycleKind::Idle,
        };
        state.counts.cycles[kind as usize] += cycles;
        state.charge(at);
    }

    fn status(&mut self, _at: Cycle, status: Status) {
        let state = &mut *locked(&self.0);
        state.spend_as(Spender { mode: status.mode, ..state.spender });
    }

    fn follows_stack(&self) -> bool {
        locked(&self.0).callers.as_ref().is_some_and(Callers::follows_stack)
    }

    fn stack(&mut self, pointer: u32) {
        if let Some(callers) = &mut locked(&self.0).callers {
            callers.stack(pointer);
        }
    }

    fn entering(&mut self, _at: Cycle, exception: &Exception, mode: u8) {
        let state = &mut *locked(&self.0);
        state.spend_as(Spender { mode, ..state.spender });
        if let Some(callers) = &mut state.callers {
            callers.entering(exception);
            state.go_on();
        } else {
            state.go_to(exception.vector);
        }
    }

    fn excepted(&mut self, _at: Cycle, exception: &Exception) {
        if let Some(callers) = &mut locked(&self.0).callers {
            callers.excepted(exception);
        }
    }

    fn left_exception(&mut self, _at: Cycle) {
        if let Some(callers) = &mut locked(&self.0).callers {
            callers.left_exception();
        }
    }

    fn executed(&mut self, at: Cycle, address: u32) {
        let state = &mut *locked(&self.0);
        state.go_to(address);
        let passage = state.passages.as_mut().map(|passages| passages.executed(address));
        if let Some(passage) = passage {
            state.pass(at, passage);
        }
    }

    fn iteration_began(&mut self) {
        let state = &mut *locked(&self.0);
        state.book();
        state.iteration = Some(Ledger::new());
    }

    fn iterations_skipped(&mut self, count: u64, cycles: Cycle) {
        let state = &mut *locked(&self.0);
        state.book();
        for (spender, spent) in state.iteration.iter().flatten() {
            state.ledger.entry(*spender).or_default().add(spent, count);
            state.total.0 += spent.total_fj() * u128::from(count);
            state.total.1 += spent.capacitive_fj * u128::from(count);
        }
        state.charged += count * cycles;
    }

    fn iteration_ended(&mut self) {
        locked(&self.0).iteration = None;
    }
}
