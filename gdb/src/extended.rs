//! Ending and restarting the run. gdb learns that it was ended in extended mode alone.

use std::num::NonZeroUsize;

use gdbstub::target::ext::extended_mode::{Args, AttachKind, ExtendedMode, ShouldTerminate};
use gdbstub::target::TargetError;
use gdbstub::target::TargetResult;

use crate::debuggee::Debuggee;
use crate::host::Host;

impl<H: Host> Debuggee<'_, H> {
    fn reset(&mut self) -> Result<(), H::Error> {
        self.threads = None;
        self.host.reset()
    }
}

impl<H: Host> ExtendedMode for Debuggee<'_, H> {
    /// gdb's `run`: the board is reset, whatever file gdb names.
    fn run(
        &mut self,
        _file: Option<&[u8]>,
        _arguments: Args<'_, '_>,
    ) -> TargetResult<NonZeroUsize, Self> {
        self.reset().map_err(TargetError::Fatal)?;
        Ok(NonZeroUsize::MIN)
    }

    fn attach(&mut self, _process: NonZeroUsize) -> TargetResult<(), Self> {
        Ok(())
    }

    /// gdb leaves a program that it is attached to when it quits, and does not end it.
    fn query_if_attached(&mut self, _process: NonZeroUsize) -> TargetResult<AttachKind, Self> {
        Ok(AttachKind::Attach)
    }

    fn kill(&mut self, _process: Option<NonZeroUsize>) -> TargetResult<ShouldTerminate, Self> {
        Ok(ShouldTerminate::Yes)
    }

    fn restart(&mut self) -> Result<(), H::Error> {
        self.reset()
    }
}
