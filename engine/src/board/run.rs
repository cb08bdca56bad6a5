//! Running a board, and saying why it stopped.

use super::Board;
use crate::bus::Bus;
use crate::core::{self, Limit};
use crate::error::{Error, Result};
use crate::semihosting::Served;
pub use crate::system::{Accessed, Watchpoint};
use crate::system::{OutputBreakpoint, Slept, StopRequest, System};
use crate::time::{Cycle, NEVER};

/// Cycles between two looks at whether the caller wants to go on.
const SLICE_CYCLES: Cycle = 1 << 22;
/// A sleep this long, in a run bounded by instructions alone, counts as for ever.
const LONGEST_SLEEP_CYCLES: Cycle = 1 << 34;

/// When a run is to end. One of the first two bounds it.
#[derive(Clone, Debug, Default)]
pub struct Request {
    /// At the first boundary at or past this cycle (since reset).
    pub cycles: Option<Cycle>,
    /// When so many instructions have retired (since reset).
    pub instructions: Option<u64>,
    /// Before one of these addresses executes. A run that starts where the last one stopped for this
    /// reason goes on first. Bits of a symbol that say its kind do not count.
    pub pcs: Vec<u32>,
    /// At the boundary after an access to data that one of these covers.
    pub watchpoints: Vec<Watchpoint>,
    /// When a fault is taken: an instruction that cannot be executed, or an access that was refused. Calls
    /// and interrupts are normal traffic.
    pub stop_on_exception: bool,
    /// When this output has sent a value.
    pub stop_on_bytes: Option<String>,
    /// Of the values of that output, only this one ends the run.
    pub last_byte: Option<u8>,
}

/// Why a run ended, for programs.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Reason {
    /// The bound in cycles.
    Cycles,
    /// The bound in instructions.
    Instructions,
    /// An address about to execute.
    Pc,
    /// The guest ended by semihosting.
    SemihostingExit,
    /// A fault.
    Exception,
    /// An exception whose vector leads nowhere.
    NoHandler,
    /// The core sleeps and nothing can wake it.
    Asleep,
    /// A device cannot go on.
    DeviceFailed,
    /// The output waited for has sent a value.
    Bytes,
    /// An access that a watchpoint covers.
    Access,
    /// So much semihosting output waits that it should be taken before the run goes on.
    Output,
    /// The caller did not want to go on.
    Interrupted,
    /// A debugger ended it.
    Debugger,
    /// Another board of the bench ended its run.
    Held,
}

impl Reason {
    /// Its name in results and in Python.
    pub const fn name(self) -> &'static str {
        match self {
            Reason::Cycles => "cycles",
            Reason::Instructions => "instructions",
            Reason::Pc => "pc",
            Reason::SemihostingExit => "semihosting-exit",
            Reason::Exception => "exception",
            Reason::NoHandler => "no-handler",
            Reason::Asleep => "asleep",
            Reason::DeviceFailed => "device-failed",
            Reason::Bytes => "bytes",
            Reason::Access => "access",
            Reason::Output => "output",
            Reason::Interrupted => "interrupted",
            Reason::Debugger => "debugger",
            Reason::Held => "held",
        }
    }
}

/// Why and where a run ended.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Stop {
    /// For programs.
    pub reason: Reason,
    /// For people.
    pub sentence: String,
    /// Cycles since reset.
    pub cycle: Cycle,
    /// Instructions since reset.
    pub instructions: u64,
    /// Address of the instruction that executes next.
    pub pc: u32,
    /// The exit code that the guest passed when it ended.
    pub exit_code: Option<u32>,
    /// The access that a watchpoint covered.
    pub access: Option<Accessed>,
}

impl Board {
    /// Runs until the request says.
    ///
    /// # Errors
    /// A sentence when the request has no bound or names no output of the board, or when the board
    /// itself cannot go on.
    pub fn run(&mut self, request: &Request) -> Result<Stop> {
        self.run_while(request, &mut || true)
    }

    /// Runs until the request says, or `go_on`, asked every few million cycles, says no. How often
    /// it is asked changes nothing else.
    ///
    /// # Errors
    /// As [`Board::run`].
    pub fn run_while(
        &mut self,
        request: &Request,
        go_on: &mut dyn FnMut() -> bool,
    ) -> Result<Stop> {
        if request.cycles.is_none() && request.instructions.is_none() {
            return Err(Error::new("A run needs a bound: give it cycles or instructions."));
        }
        if self.system.is_linked() {
            return Err(Error(format!(
                "The board {} is wired to others: run its bench.",
                self.name()
            )));
        }
        let slice = |system: &System| system.now().saturating_add(SLICE_CYCLES);
        let first = slice(&self.system);
        self.run_paced(request, first, &mut |system| go_on().then(|| slice(system)))
    }

    /// Runs until the request says. At the first boundary at or past the cycle `first`, asks `next` for the cycle at
    /// which to ask again; without one the run ends there.
    pub(crate) fn run_paced(
        &mut self,
        request: &Request,
        first: Cycle,
        next: &mut dyn FnMut(&mut System) -> Option<Cycle>,
    ) -> Result<Stop> {
        let output = request.stop_on_bytes.as_ref();
        let sent = output.map(|name| self.system.output(name)).transpose()?;
        let sent =
            sent.map(|output| OutputBreakpoint { output, value: request.last_byte.map(u32::from) });
        self.system.stop_on(&request.pcs, request.stop_on_exception, sent);
        self.system.stop_on_accesses(&request.watchpoints);
        if !self.started {
            self.start(None);
        }
        let bound = Limit {
            cycle: request.cycles.unwrap_or(NEVER),
            instructions: request.instructions.unwrap_or(u64::MAX),
        };
        let mut asleep_since = None;
        let mut slice = bound.cycle.min(first);
        loop {
            let core = self.advance(Limit { cycle: slice, ..bound });
            let ended = match core {
                core::Stop::Boundary => Some(self.stop_at_pc()),
                core::Stop::HostCall => self.serve(),
                core::Stop::Limit | core::Stop::Board => None,
            };
            if let Some(stop) =
                ended.map_or_else(|| self.requested_stop(request), |s| Ok(Some(s)))?
            {
                return Ok(stop);
            }
            if self.system.restart_if_asked() {
                self.restart_core();
            }
            if !self.system.is_asleep() {
                asleep_since = None;
            } else if let Some(stop) = self.sleep(bound, slice, &mut asleep_since) {
                return Ok(stop);
            }
            if let Some(stop) = self.bound_reached(bound) {
                return Ok(stop);
            }
            if self.cycle() >= slice || self.system.looks_again() {
                let Some(later) = next(&mut self.system) else {
                    return Ok(self.stop(Reason::Interrupted, "The run was interrupted.".into()));
                };
                slice = bound.cycle.min(later);
            }
        }
    }

    /// The core begins anew at its reset address, as part of a run that goes on.
    fn restart_core(&mut self) {
        let retired = self.instructions();
        let entry = self.description.core.as_ref().map_or(0, |core| core.reset_address);
        self.core.reset(&mut self.system, entry);
        self.core.count(retired);
    }

    pub(super) fn stop(&self, reason: Reason, sentence: String) -> Stop {
        Stop {
            reason,
            sentence,
            cycle: self.cycle(),
            instructions: self.instructions(),
            pc: self.pc(),
            exit_code: None,
            access: None,
        }
    }

    fn stop_at_pc(&self) -> Stop {
        self.stop(Reason::Pc, format!("Stopped before {:#x} executes.", self.pc()))
    }

    fn stop_after(&self, access: Accessed) -> Stop {
        let (verb, at) = (if access.write { "write to" } else { "read of" }, access.address);
        let stop = self.stop(Reason::Access, format!("Stopped after a {verb} {at:#x}."));
        Stop { access: Some(access), ..stop }
    }

    fn bound_reached(&self, bound: Limit) -> Option<Stop> {
        let (reason, what) = if self.cycle() >= bound.cycle {
            (Reason::Cycles, format!("{} cycles", bound.cycle))
        } else if self.instructions() >= bound.instructions {
            (Reason::Instructions, format!("{} instructions", bound.instructions))
        } else {
            return None;
        };
        let (pc, hint) = (self.pc(), self.looping_hint());
        Some(self.stop(reason, format!("Reached the bound of {what} at {pc:#x}{hint}.")))
    }

    /// Says so when the program stands in a branch to itself. With interrupts on that is a way to
    /// wait, of an idle thread say.
    fn looping_hint(&self) -> &'static str {
        match (self.core.is_stuck(&self.system), self.core.takes_interrupts()) {
            (true, true) => ", idle: a branch to itself, with interrupts on",
            (true, false) => ", an endless loop: a branch to itself",
            (false, _) => "",
        }
    }

    fn requested_stop(&mut self, request: &Request) -> Result<Option<Stop>> {
        Ok(match self.system.take_stop_request() {
            None => None,
            Some(StopRequest::Failure(sentence)) => return Err(Error(sentence)),
            Some(StopRequest::DeviceFailed(sentence)) => {
                Some(self.stop(Reason::DeviceFailed, sentence))
            }
            Some(StopRequest::NoHandler(sentence)) => Some(self.stop(Reason::NoHandler, sentence)),
            Some(StopRequest::Exception(sentence)) => Some(self.stop(Reason::Exception, sentence)),
            Some(StopRequest::Accessed(access)) => Some(self.stop_after(access)),
            Some(StopRequest::Sent) => {
                let output = request.stop_on_bytes.as_deref().unwrap_or_default();
                Some(self.stop(Reason::Bytes, format!("{output} has sent a value.")))
            }
        })
    }

    fn serve(&mut self) -> Option<Stop> {
        let semihosting = self.semihosting.as_mut()?;
        let now = self.system.now();
        match semihosting.serve(self.core.host_call(), &mut self.system, now) {
            Served::Returned(value) => {
                let full = semihosting.is_full();
                self.core.answer(value);
                full.then(|| self.stop(Reason::Output, "Semihosting output waits.".into()))
            }
            Served::Exited(code) => {
                let sentence = format!("The program ended with exit code {code}.");
                let stop = self.stop(Reason::SemihostingExit, sentence);
                Some(Stop { exit_code: Some(code), ..stop })
            }
        }
    }

    /// Lets a sleeping board jump on, at most to the end of the slice.
    fn sleep(&mut self, bound: Limit, slice: Cycle, since: &mut Option<Cycle>) -> Option<Stop> {
        let since = *since.get_or_insert(self.cycle());
        match self.system.sleep(slice) {
            Slept::Awake => return None,
            Slept::Limit => {
                let unbounded = bound.cycle == NEVER && !self.system.is_linked();
                if !unbounded || self.cycle() - since < LONGEST_SLEEP_CYCLES {
                    return None;
                }
            }
            Slept::ForEver => {}
        }
        let sentence = format!(
            "The core sleeps before {:#x} and nothing pending can wake it: enable an interrupt before sleeping, \
             or drive an input.",
            self.pc()
        );
        Some(self.stop(Reason::Asleep, sentence))
    }
}
