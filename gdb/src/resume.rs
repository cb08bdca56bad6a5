//! Running: in slices, between which gdb may ask for a stop.

use std::num::NonZeroUsize;

use cyclescope_engine::board::{Reason, Request, Stop};
use gdbstub::common::Signal;
use gdbstub::stub::MultiThreadStopReason;
use gdbstub::target::ext::base::multithread::{
    MultiThreadRangeStepping, MultiThreadRangeSteppingOps, MultiThreadResume,
    MultiThreadSchedulerLocking, MultiThreadSchedulerLockingOps, MultiThreadSingleStep,
    MultiThreadSingleStepOps,
};

use crate::breakpoints::kind;
use crate::debuggee::Debuggee;
use crate::host::Host;

/// Cycles between two looks at whether gdb asks for a stop.
const SLICE_CYCLES: u64 = 1_000_000;
/// Instructions stepped within a range between two such looks.
const SLICE_STEPS: usize = 1_000;

/// How the board is to go on.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Resume {
    /// To the next reason to stop.
    Continue,
    /// Until this many instructions have retired since reset.
    Step(u64),
    /// Until an instruction outside these addresses is next.
    Range(std::ops::Range<u32>),
    /// Not at all: the instruction that gdb wants to step over has been executed.
    Stay,
}

type StopReason = MultiThreadStopReason<u32>;

impl<H: Host> Debuggee<'_, H> {
    /// Runs for a slice. `Some` when gdb is to hear of a stop.
    pub(crate) fn advance(&mut self) -> Result<Option<StopReason>, H::Error> {
        let reason = match self.resume.clone() {
            Resume::Continue => self.slice(None)?,
            Resume::Step(retired) => self.slice(Some(retired))?,
            Resume::Range(range) => self.step_within(&range)?,
            Resume::Stay => {
                let (tid, signal) = (self.running()?, Signal::SIGTRAP);
                Some(StopReason::SignalWithThread { tid, signal })
            }
        };
        self.host.exchange()?;
        Ok(reason)
    }

    /// Instructions retired since reset.
    fn retired(&mut self) -> u64 {
        self.host.with_board(|board| board.instructions())
    }

    fn step_within(
        &mut self,
        range: &std::ops::Range<u32>,
    ) -> Result<Option<StopReason>, H::Error> {
        for _ in 0..SLICE_STEPS {
            let retired = self.retired() + 1;
            let mut stop = None;
            while stop.is_none() && self.retired() < retired {
                stop = self.slice(Some(retired))?;
            }
            let outside = self.host.with_board(|board| !range.contains(&board.pc()));
            if outside || stop.as_ref().is_some_and(|stop| !self.is_step(stop)) {
                return Ok(stop);
            }
        }
        Ok(None)
    }

    fn is_step(&self, stop: &StopReason) -> bool {
        matches!(stop, StopReason::SignalWithThread { signal: Signal::SIGTRAP, .. })
    }

    /// Runs to the slice's end at most, and until `retired` instructions have retired.
    fn slice(&mut self, retired: Option<u64>) -> Result<Option<StopReason>, H::Error> {
        let (cycle, pc) = self.host.with_board(|board| (board.cycle(), board.pc()));
        let end = cycle + SLICE_CYCLES;
        let bounds = [self.until.instructions, retired];
        let mut pcs: Vec<_> = self.until.pcs.clone();
        pcs.extend(self.software.iter().chain(self.hardware.iter()));
        if retired.is_some() {
            // A step leaves the instruction at which it begins, whoever waits for that.
            pcs.retain(|&address| address != pc);
        }
        let request = Request {
            cycles: Some(self.until.cycles.map_or(end, |bound| bound.min(end))),
            instructions: bounds.into_iter().flatten().min(),
            pcs,
            watchpoints: self.watchpoints.clone(),
            ..self.until.clone()
        };
        let stop = self.host.run(&request)?;
        self.threads = None;
        let stepped = retired.is_some_and(|retired| stop.instructions >= retired);
        self.reason(stop, stepped)
    }

    fn reason(&mut self, stop: Stop, stepped: bool) -> Result<Option<StopReason>, H::Error> {
        if let Some(code) = self.exit_code(&stop) {
            self.ended = Some(stop);
            return Ok(Some(StopReason::Exited(code)));
        }
        let tid = self.running()?;
        Ok(match (stop.reason, stop.access) {
            (Reason::Pc, _) if self.hardware.contains(stop.pc) => Some(StopReason::HwBreak(tid)),
            (Reason::Pc, _) => Some(StopReason::SwBreak(tid)),
            (_, Some(access)) => {
                // gdb recognises its watchpoint by an address inside it.
                let addr = access.address.max(access.by.first);
                self.has_accessed = true;
                Some(StopReason::Watch { tid, kind: kind(access.by), addr })
            }
            (Reason::Exception | Reason::NoHandler, _) => {
                self.host.say(&stop.sentence)?;
                Some(StopReason::SignalWithThread { tid, signal: Signal::SIGSEGV })
            }
            (Reason::Asleep, _) => {
                self.host.say(&stop.sentence)?;
                Some(StopReason::SignalWithThread { tid, signal: Signal::SIGSTOP })
            }
            (Reason::DeviceFailed, _) => {
                self.host.say(&stop.sentence)?;
                Some(StopReason::SignalWithThread { tid, signal: Signal::SIGABRT })
            }
            _ if stepped => Some(StopReason::SignalWithThread { tid, signal: Signal::SIGTRAP }),
            _ => None,
        })
    }

    /// The exit code that gdb shows if the run has come to its end.
    fn exit_code(&mut self, stop: &Stop) -> Option<u8> {
        let until = self.until;
        let mut is_end =
            |address| self.host.with_board(|board| board.instruction_address(address)) == stop.pc;
        let over = until.cycles.is_some_and(|bound| stop.cycle >= bound)
            || until.instructions.is_some_and(|bound| stop.instructions >= bound)
            || (stop.reason == Reason::Pc && until.pcs.iter().any(|&pc| is_end(pc)));
        match stop.reason {
            Reason::SemihostingExit => Some(stop.exit_code.unwrap_or(0) as u8),
            _ => over.then_some(0),
        }
    }
}

impl<H: Host> MultiThreadResume for Debuggee<'_, H> {
    fn resume(&mut self) -> Result<(), H::Error> {
        self.has_accessed = false;
        Ok(())
    }

    fn clear_resume_actions(&mut self) -> Result<(), H::Error> {
        self.resume = Resume::Continue;
        Ok(())
    }

    fn set_resume_action_continue(
        &mut self,
        _thread: NonZeroUsize,
        _signal: Option<Signal>,
    ) -> Result<(), H::Error> {
        Ok(())
    }

    fn support_single_step(&mut self) -> Option<MultiThreadSingleStepOps<'_, Self>> {
        Some(self)
    }

    fn support_range_step(&mut self) -> Option<MultiThreadRangeSteppingOps<'_, Self>> {
        Some(self)
    }

    fn support_scheduler_locking(&mut self) -> Option<MultiThreadSchedulerLockingOps<'_, Self>> {
        Some(self)
    }
}

impl<H: Host> MultiThreadSingleStep for Debuggee<'_, H> {
    fn set_resume_action_step(
        &mut self,
        _thread: NonZeroUsize,
        _signal: Option<Signal>,
    ) -> Result<(), H::Error> {
        let stays = self.has_accessed && self.layout.steps_over_accesses;
        self.resume = if stays { Resume::Stay } else { Resume::Step(self.retired() + 1) };
        Ok(())
    }
}

impl<H: Host> MultiThreadRangeStepping for Debuggee<'_, H> {
    fn set_resume_action_range_step(
        &mut self,
        _thread: NonZeroUsize,
        start: u32,
        end: u32,
    ) -> Result<(), H::Error> {
        self.resume = Resume::Range(start..end);
        Ok(())
    }
}

impl<H: Host> MultiThreadSchedulerLocking for Debuggee<'_, H> {
    /// There is one core: what runs next is the program's own choice, whatever gdb asks for.
    fn set_resume_action_scheduler_lock(&mut self) -> Result<(), H::Error> {
        Ok(())
    }
}
