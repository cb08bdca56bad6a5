//! The buses: each carries one address phase and one data phase at a time.

use super::fetch::Request;
use super::{Act, Path, Pipeline, Shape, Way};

/// An access to data.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
struct Access {
    path: Path,
    write: bool,
    /// The store buffer makes it, on the System bus.
    buffered: bool,
    mark: bool,
    /// Cycles that its answer waits.
    waits: u16,
}

/// Loads and stores.
#[derive(Clone, Debug, Default, PartialEq, Eq, Hash)]
pub(super) struct Loads {
    /// Accesses whose address has yet to be taken: what they are, and how many.
    asked: Access,
    count: u8,
    /// In its data phase.
    data: Option<Access>,
    /// An address was taken in the cycle before.
    answering: bool,
}

impl Loads {
    /// An instruction asks for its accesses.
    pub fn ask(&mut self, act: &Act, shape: &Shape, mark: bool) {
        let buffered = shape.is_buffered() && act.path == Path::System;
        let (path, write) = (act.path, shape.store);
        self.asked = Access { path, write, buffered, mark, waits: 0 };
        self.count = act.accesses;
    }

    /// Forgets accesses that were all taken, and inverts marks.
    pub fn settle(&mut self, inverts: bool) {
        if self.count == 0 {
            self.asked = Access::default();
        } else {
            self.asked.mark ^= inverts;
        }
        if let Some(access) = &mut self.data {
            access.mark ^= inverts;
        }
    }

    /// The last address of an instruction was taken in the cycle before.
    #[inline(always)]
    pub fn answers_last(&self) -> bool {
        self.answering && self.count == 0
    }

    /// The answer of the instruction's access waits for so many cycles more. Returns whether one is in its data phase.
    pub fn keep_waiting(&mut self, mark: bool, cycles: u16) -> bool {
        let access = self.data.as_mut().filter(|access| access.mark == mark);
        access.map(|access| access.waits += cycles).is_some()
    }

    /// Whether the data phase of an access of the instruction begins.
    #[inline(always)]
    pub fn begins(&self, mark: bool) -> bool {
        self.answering && self.data.is_some_and(|access| access.mark == mark)
    }
}

/// Whether a master's address is taken on a bus, under its data phase on this one: on the same bus alone.
fn goes_on(data: Option<Path>, path: Path) -> bool {
    data.is_none_or(|before| before == path)
}

impl Pipeline {
    /// Data phases end, and address phases are granted.
    #[inline(always)]
    pub(super) fn answer(&mut self) {
        let code = self.fetching.data.map(|request| request.path());
        if let Some(mut request) = self.fetching.data.take() {
            if self.is_kept || request.waits > 0 {
                request.waits -= u8::from(!self.is_kept);
                self.fetching.data = Some(request);
            } else if request.live {
                self.fetching.arriving = request.halves;
                self.fetching.underway -= 1;
            }
        }
        let before = self.loads.data;
        let waits = before.is_some_and(|access| access.waits > 0);
        if waits {
            if let Some(access) = &mut self.loads.data {
                access.waits -= 1;
            }
        } else {
            if let Some(access) = self.loads.data.take() {
                self.answered(access);
            }
        }
        self.grant(before, waits, code);
    }

    fn grant(&mut self, before: Option<Access>, waits: bool, code: Option<Path>) {
        let wrote = before.is_some_and(|access| access.write && access.path == Path::System);
        let asked = self.loads.asked;
        // A word of code that waits keeps its memory.
        let fetched = self.fetching.data.map(|request| request.path());
        let data = before.map(|access| access.path);
        let free = !waits && fetched != Some(asked.path) && goes_on(data, asked.path);
        let kept = data.filter(|_| waits);
        let waits_of = self.waits;
        let mut granted = self.loads.count > 0 && free;
        let wants = |path| granted && asked.path == path;
        let (wants_code, wants_system) = (wants(Path::Code), wants(Path::System));
        let queue = &mut self.fetching;
        let was_registered = queue.registered.is_some();
        if let Some(request) =
            queue.registered.filter(|_| kept != Some(Path::System) && fetched.is_none())
        {
            // On the System bus fetch comes first; behind a write it waits, and keeps the bus.
            granted &= !wants_system;
            if !wrote {
                let waits = waits_of[1];
                (queue.data, queue.registered) = (Some(Request { waits, ..request }), None);
            }
        }
        if let Some(request) = queue.request.filter(|request| goes_on(code, request.path())) {
            if request.system {
                // The store buffer's data keep a word that comes alone from being registered.
                let quiet = !before.is_some_and(|access| access.buffered);
                if !was_registered && (request.queued || quiet) {
                    (queue.registered, queue.request) = (Some(request), None);
                }
            } else if !wants_code && fetched.is_none() && kept != Some(Path::Code) {
                // On the code buses data come first.
                let waits = waits_of[0];
                (queue.data, queue.request) = (Some(Request { waits, ..request }), None);
            }
        }
        self.loads.answering = granted;
        if granted {
            self.take_address(wrote);
        }
    }

    fn take_address(&mut self, wrote: bool) {
        let mut access = self.loads.asked;
        access.waits = u16::from(wrote && !access.write && access.path == Path::System);
        self.loads.data = Some(access);
        self.loads.count -= 1;
        let last = self.loads.count == 0;
        for slot in [&mut self.main, &mut self.second].into_iter().flatten() {
            if slot.mark != access.mark || slot.done {
                continue;
            }
            if slot.shape.writes_base {
                slot.busy_next &= !slot.shape.low;
            }
            // The buffer takes a store whose data are there: its instruction is over.
            if slot.shape.is_buffered() && last {
                (slot.done, slot.busy_next) = (true, 0);
            }
        }
    }

    /// An access ends.
    fn answered(&mut self, access: Access) {
        let has_second = self.second.is_some();
        let Some(slot) = &mut self.main else { return };
        if slot.mark != access.mark || slot.done {
            return;
        }
        slot.left = slot.left.saturating_sub(1);
        let forwards = !slot.shape.store && (!slot.shape.writes_base || has_second);
        if slot.left > 0 {
            if slot.shape.way == Way::List && !slot.shape.store {
                let register = slot.shape.listed(slot.answered);
                slot.answered += 1;
                slot.busy_next &= !register;
                if forwards {
                    slot.busy &= !register;
                    self.forward();
                }
            }
        } else if slot.shape.loads_pc {
            slot.loaded_pc = true;
        } else {
            (slot.done, slot.busy_next) = (true, 0);
            if forwards {
                slot.busy &= !slot.shape.writes;
                self.forward();
            }
        }
    }
}
