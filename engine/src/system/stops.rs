//! Reasons to end a run, besides its limits.

use super::System;

/// Why the board wants its run to end.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Wish {
    /// The output waited for has sent a value.
    Sent,
    /// An exception without a handler.
    NoHandler(String),
    /// A fault, and the run was to stop on it.
    Exception(String),
    /// The board itself cannot go on.
    Failure(String),
}

/// A value that a run waits for: any, or one, sent by an output.
#[derive(Clone, Copy, Debug)]
pub struct Awaited {
    /// Index of the device and of its output.
    pub output: (usize, usize),
    /// The value; none: any.
    pub value: Option<u32>,
}

impl Awaited {
    pub(super) fn is(self, output: (usize, usize), value: u32) -> bool {
        self.output == output && self.value.is_none_or(|one| one == value)
    }
}

/// The stops of a run, and the one that has come.
#[derive(Debug, Default)]
pub(super) struct Stops {
    pub wish: Option<Wish>,
    pub on_exception: bool,
    pub on_sent: Option<Awaited>,
}

impl System {
    /// Sets where a run ends, besides its limits: at breakpoints, at faults, at a value sent.
    pub fn stop_on(&mut self, pcs: &[u32], exception: bool, sent: Option<Awaited>) {
        if self.watch.stop_at(pcs) {
            self.forget_code();
        }
        self.stops.on_exception = exception;
        self.stops.on_sent = sent;
    }

    /// Takes the board's stop request, if it has one.
    pub fn take_wish(&mut self) -> Option<Wish> {
        let wish = self.stops.wish.take();
        self.refresh_attention();
        wish
    }

    pub(super) fn wish(&mut self, wish: Wish) {
        if self.stops.wish.is_none() || matches!(wish, Wish::Failure(_)) {
            self.stops.wish = Some(wish);
        }
        self.refresh_attention();
    }
}
