//! A board as gdb's target: its parts are in files of their own.

use cyclescope_engine::board::{Request, Stop, Watchpoint};
use cyclescope_engine::error::Error;
use gdbstub::target::ext::base::BaseOps;
use gdbstub::target::ext::breakpoints::BreakpointsOps;
use gdbstub::target::ext::extended_mode::ExtendedModeOps;
use gdbstub::target::ext::monitor_cmd::MonitorCmdOps;
use gdbstub::target::ext::target_description_xml_override::{
    TargetDescriptionXmlOverride, TargetDescriptionXmlOverrideOps,
};
use gdbstub::target::{Target, TargetResult};

use crate::arch::Described;
use crate::breakpoints::Addresses;
use crate::cores;
use crate::host::{Host, Thread};
use crate::layout::Layout;
use crate::resume::Resume;

/// One client's view of the board.
pub struct Debuggee<'a, H: Host> {
    pub(crate) host: &'a mut H,
    pub(crate) layout: Layout,
    xml: String,
    /// Where the run ends, gdb or not.
    pub(crate) until: &'a Request,
    pub(crate) software: Addresses,
    pub(crate) hardware: Addresses,
    pub(crate) watchpoints: Vec<Watchpoint>,
    pub(crate) resume: Resume,
    /// gdb has just been notified of an access that a watchpoint covers.
    pub(crate) has_accessed: bool,
    /// The threads since the board stopped last, once they were asked for.
    pub(crate) threads: Option<Vec<Thread>>,
    /// The end of the run, when it has come.
    pub ended: Option<Stop>,
}

impl<'a, H: Host> Debuggee<'a, H> {
    /// A view without breakpoints.
    ///
    /// # Errors
    /// A sentence when gdb has no such core.
    pub fn new(host: &'a mut H, until: &'a Request) -> Result<Self, H::Error> {
        let (kind, name) = host.with_board(|board| (board.core_kind(), board.name().to_owned()));
        let layout = cores::layout(kind).ok_or_else(|| {
            Error(format!(
                "gdb cannot debug {name}: no layout of the registers of {kind} is written."
            ))
        })?;
        Ok(Debuggee {
            xml: layout.xml(),
            host,
            layout,
            until,
            software: Addresses::default(),
            hardware: Addresses::default(),
            watchpoints: Vec::new(),
            resume: Resume::Continue,
            has_accessed: false,
            threads: None,
            ended: None,
        })
    }
}

impl<H: Host> Target for Debuggee<'_, H> {
    type Arch = Described;
    type Error = H::Error;

    fn base_ops(&mut self) -> BaseOps<'_, Described, H::Error> {
        BaseOps::MultiThread(self)
    }

    fn support_breakpoints(&mut self) -> Option<BreakpointsOps<'_, Self>> {
        Some(self)
    }

    fn support_monitor_cmd(&mut self) -> Option<MonitorCmdOps<'_, Self>> {
        Some(self)
    }

    fn support_extended_mode(&mut self) -> Option<ExtendedModeOps<'_, Self>> {
        Some(self)
    }

    fn support_target_description_xml_override(
        &mut self,
    ) -> Option<TargetDescriptionXmlOverrideOps<'_, Self>> {
        Some(self)
    }

    fn use_fork_stop_reason(&self) -> bool {
        false
    }

    fn use_vfork_stop_reason(&self) -> bool {
        false
    }

    fn use_vforkdone_stop_reason(&self) -> bool {
        false
    }
}

impl<H: Host> TargetDescriptionXmlOverride for Debuggee<'_, H> {
    fn target_description_xml(
        &self,
        annex: &[u8],
        offset: u64,
        length: usize,
        buffer: &mut [u8],
    ) -> TargetResult<usize, Self> {
        if annex != b"target.xml" {
            return Err(().into());
        }
        let rest = self.xml.as_bytes().get(offset as usize..).unwrap_or_default();
        let count = rest.len().min(length).min(buffer.len());
        buffer[..count].copy_from_slice(&rest[..count]);
        Ok(count)
    }
}
