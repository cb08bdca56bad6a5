//! A monitor of interrupts: when each source requests, when the core takes it, when its handler is over.
//!
//! Exceptions nest. An exception is over when the core leaves one and goes on where it was interrupted. A
//! handler may go on elsewhere, in another thread. Then the exception is over, too, if the core masks no more
//! there than it did before, or if that thread was left in this way before. Otherwise the handler has only
//! changed its mode.

mod durations;
mod nesting;
mod source;
#[cfg(test)]
mod tests;

use std::collections::{BTreeMap, VecDeque};

pub use self::durations::Durations;
use self::nesting::{Frame, Nesting};
pub use self::source::{Interrupt, Source};
use crate::bus::{Exception, ExceptionKind, Status};
use crate::device::{Input, Service};
use crate::instrument::{Instrument, Interest, RequestSignal, Requester, Requesting};
use crate::time::Cycle;

/// So many interrupts are remembered one by one.
const MOST_REMEMBERED: usize = 1000;

/// The instrument.
#[derive(Debug)]
pub struct Interrupts {
    requests: Vec<RequestSignal>,
    sources: BTreeMap<Requester, Source>,
    nesting: Nesting,
    /// The latest ones that are over.
    latest: VecDeque<Interrupt>,
    /// The next interrupt's source.
    next: Option<Requester>,
    stack: u32,
    status: Status,
    /// The next instruction is where an exception returns to.
    leaves: bool,
}

impl Interrupts {
    /// A monitor that learns of requests by these signals.
    pub fn new(requests: Vec<RequestSignal>) -> Interrupts {
        Interrupts {
            requests,
            sources: BTreeMap::new(),
            nesting: Nesting::default(),
            latest: VecDeque::new(),
            next: None,
            stack: 0,
            status: Status::default(),
            leaves: false,
        }
    }

    /// Each source that has requested or was taken.
    pub fn sources(&self) -> &BTreeMap<Requester, Source> {
        &self.sources
    }

    /// The latest interrupts that are over, in the order of their ends.
    pub fn latest(&self) -> impl Iterator<Item = &Interrupt> {
        self.latest.iter()
    }

    /// Those under way, the innermost last.
    pub fn under_way(&self) -> impl Iterator<Item = &Interrupt> {
        self.nesting.interrupts()
    }

    /// Forgets what it has counted. Interrupts under way, and requests that wait, go on.
    pub fn clear(&mut self) {
        for source in self.sources.values_mut() {
            *source = Source { waits_since: source.waits_since, ..Source::default() };
        }
        self.latest.clear();
    }

    fn source(&mut self, by: Requester) -> &mut Source {
        self.sources.entry(by).or_default()
    }

    fn requests_of(of: Requesting, levels: u32) -> impl Iterator<Item = Requester> {
        let count = if matches!(of, Requesting::Line(_)) { 1 } else { u32::BITS as usize };
        let requester = move |bit: usize| match of {
            Requesting::Controller(device) => Requester::Source { device, input: bit },
            Requesting::Line(n) => Requester::Line(n),
        };
        (0..count).filter(move |bit| levels >> bit & 1 != 0).map(requester)
    }

    /// Whether the source requests now.
    fn is_requesting(&self, by: Requester) -> bool {
        let mut requests = self.requests.iter();
        requests.any(|one| Self::requests_of(one.of, one.level).any(|source| source == by))
    }

    /// The exceptions that are over at this boundary are no more under way.
    fn leave(&mut self, at: Cycle, address: u32, stack: u32) {
        if !std::mem::take(&mut self.leaves) {
            return;
        }
        let Some(mut over) = self.nesting.leave(address, stack, self.status) else { return };
        over.returned = Some(at);
        if let Some(outer) = self.nesting.innermost() {
            if outer.began.is_some() {
                outer.nested_cycles += at - over.taken;
            }
        }
        let again = self.is_requesting(over.by);
        let source = self.source(over.by);
        source.returned += 1;
        if let Some(began) = over.began {
            source.handler.add(at - began);
            source.own.add((at - began).saturating_sub(over.nested_cycles));
        }
        if again && source.waits_since.is_none() {
            source.asserted += 1;
            source.waits_since = Some(at);
        }
        if self.latest.len() == MOST_REMEMBERED {
            self.latest.pop_front();
        }
        self.latest.push_back(over);
    }

    /// The interrupt under way is of this source, and not of the one that requested it first.
    fn correct(&mut self, by: Requester) {
        let Some(found) = self.nesting.innermost().filter(|one| one.by != by).copied() else {
            return;
        };
        let before = self.source(found.by);
        before.untake(&found);
        let source = self.source(by);
        let corrected = Interrupt { by, asserted: source.waits_since, ..found };
        source.take(&corrected);
        if let Some(interrupt) = self.nesting.innermost() {
            *interrupt = corrected;
        }
    }
}

impl Instrument for Interrupts {
    fn interest(&self) -> Interest {
        Interest::Instructions
    }

    fn reset(&mut self) {
        let requests = std::mem::take(&mut self.requests);
        *self = Interrupts::new(requests);
        self.requests.iter_mut().for_each(|one| one.level = 0);
    }

    fn changed(&mut self, at: Cycle, signal: &str, level: u32) {
        let Some(one) = self.requests.iter_mut().find(|one| one.signal == signal) else { return };
        let (of, before) = (one.of, std::mem::replace(&mut one.level, level));
        for by in Self::requests_of(of, level & !before) {
            let source = self.source(by);
            source.asserted += 1;
            source.waits_since = Some(at);
        }
        for by in Self::requests_of(of, before & !level) {
            let source = self.source(by);
            source.withdrawn += u64::from(source.waits_since.take().is_some());
        }
    }

    fn served(&mut self, at: Cycle, device: usize, input: Input, service: Service) {
        let by = Requester::Source { device, input };
        match service {
            Service::Merged => self.source(by).merged += 1,
            Service::Begun => {
                let is_served = |one: &mut Interrupt| one.served.is_some();
                if !self.nesting.innermost().is_none_or(is_served) {
                    self.correct(by);
                    if let Some(interrupt) = self.nesting.innermost() {
                        interrupt.served = Some(at);
                    }
                }
            }
        }
    }

    fn follows_stack(&self) -> bool {
        true
    }

    fn stack(&mut self, pointer: u32) {
        self.stack = pointer;
    }

    fn status(&mut self, _at: Cycle, status: Status) {
        self.status = status;
    }

    fn is_steady(&self) -> bool {
        !self.leaves && self.nesting.interrupts().last().is_none_or(|one| one.began.is_some())
    }

    fn follows_iterations(&self) -> bool {
        // An iteration in which anything of interest happens is never skipped.
        true
    }

    fn requested(&mut self, by: Requester) {
        self.next = Some(by);
    }

    fn entering(&mut self, at: Cycle, exception: &Exception, _mode: u8) {
        self.leave(at, exception.at, exception.stack);
        let (ExceptionKind::Interrupt(_), Some(by)) = (exception.kind, self.next.take()) else {
            return;
        };
        let depth = self.nesting.interrupts().count();
        let asserted = self.source(by).waits_since;
        let interrupt = Interrupt {
            by,
            asserted,
            taken: at,
            began: None,
            served: None,
            returned: None,
            depth,
            nested_cycles: 0,
        };
        self.source(by).take(&interrupt);
        self.nesting.enter(Frame::new(exception.at, exception.stack, self.status, Some(interrupt)));
    }

    fn excepted(&mut self, _at: Cycle, exception: &Exception) {
        let resumes = match exception.kind {
            ExceptionKind::Interrupt(_) => return,
            ExceptionKind::Call => exception.return_to,
            ExceptionKind::Fault => exception.at,
        };
        self.nesting.enter(Frame::new(resumes, exception.stack, self.status, None));
    }

    fn left_exception(&mut self, _at: Cycle) {
        self.leaves = true;
    }

    fn executed(&mut self, at: Cycle, address: u32) {
        self.leave(at, address, self.stack);
        let Some(interrupt) = self.nesting.innermost().filter(|one| one.began.is_none()) else {
            return;
        };
        interrupt.began = Some(at);
        let (by, taken) = (interrupt.by, interrupt.taken);
        self.source(by).entry.add(at - taken);
    }
}
