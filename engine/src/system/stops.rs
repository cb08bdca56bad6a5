//! Reasons to end a run, besides its limits.

use super::System;
use crate::bus::Access;

/// Why the board wants its run to end.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum StopRequest {
    /// The output waited for has sent a value.
    Sent,
    /// An exception without a handler.
    NoHandler(String),
    /// A fault, and the run was to stop on it.
    Exception(String),
    /// A device cannot go on.
    DeviceFailed(String),
    /// An access that a watchpoint covers.
    Accessed(Accessed),
    /// The board itself cannot go on.
    Failure(String),
}

/// A value that a run waits for: any, or one, sent by an output.
#[derive(Clone, Copy, Debug)]
pub struct OutputBreakpoint {
    /// Index of the device and of its output.
    pub output: (usize, usize),
    /// The value; none: any.
    pub value: Option<u32>,
}

impl OutputBreakpoint {
    pub(super) fn is(self, output: (usize, usize), value: u32) -> bool {
        self.output == output && self.value.is_none_or(|one| one == value)
    }
}

/// Bytes whose accesses end a run.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Watchpoint {
    /// The first byte.
    pub first: u32,
    /// The last byte.
    pub last: u32,
    /// Whether reads end the run.
    pub reads: bool,
    /// Whether writes do.
    pub writes: bool,
}

impl Watchpoint {
    fn covers(&self, first: u32, last: u32, write: bool) -> bool {
        let wanted = if write { self.writes } else { self.reads };
        wanted && self.first <= last && first <= self.last
    }
}

/// An access to data that a run waited for.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Accessed {
    /// Its first byte.
    pub address: u32,
    /// The value read or written.
    pub value: u32,
    /// Whether it was a write.
    pub write: bool,
    /// The watchpoint that covers it.
    pub by: Watchpoint,
}

/// The stops of a run, and the one that has come.
#[derive(Debug, Default)]
pub(super) struct Stops {
    watchpoints: Vec<Watchpoint>,
    pub request: Option<StopRequest>,
    /// The board is to be reset: the output that asks for it, if it is one.
    pub reset: Option<Option<(usize, usize)>>,
    pub on_exception: bool,
    pub on_sent: Option<OutputBreakpoint>,
}

impl Stops {
    /// Whether the core is to leave its program at the next boundary.
    pub fn is_any(&self) -> bool {
        self.request.is_some() || self.reset.is_some()
    }
}

impl System {
    /// Sets where a run ends, besides its limits: at breakpoints, at faults, at a value sent.
    pub fn stop_on(&mut self, pcs: &[u32], exception: bool, sent: Option<OutputBreakpoint>) {
        if self.watch.stop_at(pcs) {
            self.look_at_code();
        }
        self.stops.on_exception = exception;
        self.stops.on_sent = sent;
    }

    /// Sets the bytes whose accesses end a run.
    pub fn stop_on_accesses(&mut self, watchpoints: &[Watchpoint]) {
        if self.stops.watchpoints != watchpoints {
            self.stops.watchpoints = watchpoints.to_vec();
            let in_memory = |point: &Watchpoint| {
                let device =
                    self.map.device(point.first).filter(|one| self.map.is_device(one.base));
                device.is_none_or(|one| point.last - one.base >= one.size)
            };
            let memories = watchpoints.iter().any(in_memory);
            self.watch.stop_on_accesses(!watchpoints.is_empty(), memories);
            self.look_at_code();
            self.refresh_alarm();
        }
    }

    /// Requests a stop at the next boundary if a watchpoint covers this access to data.
    pub(super) fn consider_access(
        &mut self,
        address: u32,
        access: Access,
        write: bool,
        value: u32,
    ) {
        let first = access.align(address);
        let last = first + (access.width().bytes() - 1);
        let covers = |point: &&Watchpoint| point.covers(first, last, write);
        if let Some(&by) = self.stops.watchpoints.iter().find(covers) {
            self.request_stop(StopRequest::Accessed(Accessed { address: first, value, write, by }));
        }
    }

    /// Takes the board's stop request, if it has one.
    pub fn take_stop_request(&mut self) -> Option<StopRequest> {
        let wish = self.stops.request.take();
        self.refresh_next_check();
        wish
    }

    pub(super) fn request_stop(&mut self, request: StopRequest) {
        let fails = |one: &StopRequest| {
            matches!(one, StopRequest::Failure(_) | StopRequest::DeviceFailed(_))
        };
        if self.stops.request.as_ref().is_none_or(|had| fails(&request) && !fails(had)) {
            self.stops.request = Some(request);
        }
        self.refresh_next_check();
    }
}
