//! Reasons to end a run, besides its limits.

use super::System;

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

/// The stops of a run, and the one that has come.
#[derive(Debug, Default)]
pub(super) struct Stops {
    pub request: Option<StopRequest>,
    pub on_exception: bool,
    pub on_sent: Option<OutputBreakpoint>,
}

impl System {
    /// Sets where a run ends, besides its limits: at breakpoints, at faults, at a value sent.
    pub fn stop_on(&mut self, pcs: &[u32], exception: bool, sent: Option<OutputBreakpoint>) {
        if self.watch.stop_at(pcs) {
            self.forget_code();
        }
        self.stops.on_exception = exception;
        self.stops.on_sent = sent;
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
