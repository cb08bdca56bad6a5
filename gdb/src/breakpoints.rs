//! Breakpoints are the board's own, so no memory changes for them; watchpoints cover exact bytes.

use std::collections::BTreeMap;

use cyclescope_engine::board::Watchpoint;
use gdbstub::target::ext::breakpoints::{
    Breakpoints, HwBreakpoint, HwBreakpointOps, HwWatchpoint, HwWatchpointOps, SwBreakpoint,
    SwBreakpointOps, WatchKind,
};
use gdbstub::target::TargetResult;

use crate::debuggee::Debuggee;
use crate::host::Host;

/// Addresses of instructions, each as often as it was added.
#[derive(Clone, Debug, Default)]
pub struct Addresses(BTreeMap<u32, usize>);

impl Addresses {
    /// Whether `address` is one of them.
    pub fn contains(&self, address: u32) -> bool {
        self.0.contains_key(&address)
    }

    /// The addresses, in order.
    pub fn iter(&self) -> impl Iterator<Item = u32> + '_ {
        self.0.keys().copied()
    }

    fn add(&mut self, address: u32) {
        *self.0.entry(address).or_default() += 1;
    }

    fn remove(&mut self, address: u32) -> bool {
        let Some(count) = self.0.get_mut(&address) else { return false };
        *count -= 1;
        if *count == 0 {
            self.0.remove(&address);
        }
        true
    }
}

/// The board's watchpoint for one of gdb's.
fn watchpoint(address: u32, length: u32, kind: WatchKind) -> Option<Watchpoint> {
    let last = address.checked_add(length.checked_sub(1)?)?;
    let (reads, writes) = (kind != WatchKind::Write, kind != WatchKind::Read);
    Some(Watchpoint { first: address, last, reads, writes })
}

/// gdb's kind of a board's watchpoint.
pub fn kind(watchpoint: Watchpoint) -> WatchKind {
    match (watchpoint.reads, watchpoint.writes) {
        (true, true) => WatchKind::ReadWrite,
        (true, false) => WatchKind::Read,
        _ => WatchKind::Write,
    }
}

impl<H: Host> Breakpoints for Debuggee<'_, H> {
    fn support_sw_breakpoint(&mut self) -> Option<SwBreakpointOps<'_, Self>> {
        Some(self)
    }

    fn support_hw_breakpoint(&mut self) -> Option<HwBreakpointOps<'_, Self>> {
        Some(self)
    }

    fn support_hw_watchpoint(&mut self) -> Option<HwWatchpointOps<'_, Self>> {
        Some(self)
    }
}

impl<H: Host> Debuggee<'_, H> {
    fn instruction(&mut self, address: u32) -> u32 {
        self.host.with_board(|board| board.instruction_address(address))
    }
}

impl<H: Host> SwBreakpoint for Debuggee<'_, H> {
    fn add_sw_breakpoint(&mut self, address: u32, _kind: usize) -> TargetResult<bool, Self> {
        let address = self.instruction(address);
        self.software.add(address);
        Ok(true)
    }

    fn remove_sw_breakpoint(&mut self, address: u32, _kind: usize) -> TargetResult<bool, Self> {
        let address = self.instruction(address);
        Ok(self.software.remove(address))
    }
}

impl<H: Host> HwBreakpoint for Debuggee<'_, H> {
    fn add_hw_breakpoint(&mut self, address: u32, _kind: usize) -> TargetResult<bool, Self> {
        let address = self.instruction(address);
        self.hardware.add(address);
        Ok(true)
    }

    fn remove_hw_breakpoint(&mut self, address: u32, _kind: usize) -> TargetResult<bool, Self> {
        let address = self.instruction(address);
        Ok(self.hardware.remove(address))
    }
}

impl<H: Host> HwWatchpoint for Debuggee<'_, H> {
    fn add_hw_watchpoint(
        &mut self,
        address: u32,
        length: u32,
        kind: WatchKind,
    ) -> TargetResult<bool, Self> {
        let Some(watchpoint) = watchpoint(address, length, kind) else { return Ok(false) };
        self.watchpoints.push(watchpoint);
        Ok(true)
    }

    fn remove_hw_watchpoint(
        &mut self,
        address: u32,
        length: u32,
        kind: WatchKind,
    ) -> TargetResult<bool, Self> {
        let wanted = watchpoint(address, length, kind);
        let found = self.watchpoints.iter().position(|&one| Some(one) == wanted);
        Ok(found.map(|place| self.watchpoints.remove(place)).is_some())
    }
}
