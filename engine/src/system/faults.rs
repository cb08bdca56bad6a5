//! Faults of the guest, each in a sentence that a person can act on.

use super::{StopRequest, System};
use crate::bus::{Access, Exception, ExceptionKind};
use crate::core::Refused;

/// Something asked for that the board does not model; each text once.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Unmodelled {
    /// A description of the request.
    pub text: String,
    /// The address accessed, when it was an access.
    pub address: Option<u32>,
    /// The instruction that did it, when it was an access.
    pub pc: Option<u32>,
    /// When.
    pub cycle: u64,
}

/// Notes of what is not modelled; a guest can think of any number.
const MOST_UNMODELLED: usize = 1000;

/// Facts that a run leaves to be reported.
#[derive(Debug, Default)]
pub(super) struct Notes {
    /// The address of the access under way.
    pub accessing: Option<u32>,
    /// The last access that nothing answered.
    pub refused: Option<Refused>,
    pub unmodelled: Vec<Unmodelled>,
    /// Ids of the unverified rules charged by.
    pub touched: Vec<String>,
}

impl System {
    pub(super) fn report_unmodelled(&mut self, text: String) {
        if self.notes.unmodelled.len() > MOST_UNMODELLED
            || self.notes.unmodelled.iter().any(|entry| entry.text == text)
        {
            return;
        }
        let rest = "more than was noted here: the list is full".to_owned();
        let text = if self.notes.unmodelled.len() == MOST_UNMODELLED { rest } else { text };
        let cycle = self.wiring.port.now();
        let pc = self.notes.accessing.map(|_| self.hot.pc);
        self.notes.unmodelled.push(Unmodelled { text, address: self.notes.accessing, pc, cycle });
    }

    #[cold]
    pub(super) fn refuse(&mut self, address: u32, access: Access, write: bool) {
        self.notes.refused = Some(Refused { address, access, write, pc: self.hot.pc });
    }

    /// Requests a stop, with its reason, if the exception just entered should end the run.
    pub(super) fn consider(&mut self, exception: &Exception) {
        let explain = || self.architecture.explain(exception, self.notes.refused.as_ref(), self);
        let wish = if let Some(why) = self.architecture.dead_vector(exception.vector, self) {
            StopRequest::NoHandler(format!("{}, and {why}.", explain()))
        } else if self.stops.on_exception && exception.kind == ExceptionKind::Fault {
            StopRequest::Exception(format!("{}.", explain()))
        } else {
            return;
        };
        self.request_stop(wish);
    }
}
