//! `monitor COMMAND`: the host answers.

use gdbstub::outputln;
use gdbstub::target::ext::monitor_cmd::{ConsoleOutput, MonitorCmd};

use crate::debuggee::Debuggee;
use crate::host::Host;

impl<H: Host> MonitorCmd for Debuggee<'_, H> {
    fn handle_monitor_cmd(
        &mut self,
        command: &[u8],
        mut out: ConsoleOutput<'_>,
    ) -> Result<(), H::Error> {
        let answer = self.host.monitor(&String::from_utf8_lossy(command))?;
        self.threads = None;
        for line in answer.lines() {
            outputln!(out, "{line}");
        }
        Ok(())
    }
}
