//! Grants paths to the core and to devices that transfer by themselves (DMA).
//!
//! A path carries one access at a time: a bus that overlaps others is one, and all else together is path 0. The
//! core's blocking accesses leave no note on their path, unless an event falls into them: nothing else
//! happens until they are complete. So paths are looked at only while they are contended: a transfer wants
//! or has one, or the core has begun an access without waiting for it. Then `Hot::alarm` is 0, and every
//! access asks for its path first.

use std::collections::VecDeque;

use super::elsewhere::answered;
use super::hot::NO_LINE;
use super::{StopRequest, System};
use crate::bus::{Abort, Access};
use crate::device::{Hold, Tag, Transfer};
use crate::instrument::{Answered, Mover};
use crate::memory::Kind;
use crate::time::Cycle;
use crate::timing::MemoryTiming;

/// A device that keeps the core from a path for longer than this ends the run.
const LONGEST_BURST_CYCLES: Cycle = 1 << 24;

/// How a device uses a path.
#[derive(Clone, Copy, Debug)]
pub(super) enum Occupancy {
    /// For an access.
    Access(Transfer),
    /// For cycles without one.
    Hold(Hold),
}

impl Occupancy {
    fn tag(self) -> Tag {
        match self {
            Occupancy::Access(Transfer { tag, .. }) | Occupancy::Hold(Hold { tag, .. }) => tag,
        }
    }

    fn address(self) -> u32 {
        match self {
            Occupancy::Access(Transfer { address, .. }) | Occupancy::Hold(Hold { address, .. }) => {
                address
            }
        }
    }

    fn is_burst(self) -> bool {
        match self {
            Occupancy::Access(Transfer { burst, .. }) | Occupancy::Hold(Hold { burst, .. }) => {
                burst
            }
        }
    }
}

/// A use of a path that waits, or is under way.
#[derive(Clone, Copy, Debug)]
struct Demand {
    /// Index of the device.
    owner: usize,
    what: Occupancy,
    /// The core waited for the path already.
    behind_core: bool,
}

impl Demand {
    fn mover(&self) -> Mover {
        let write = matches!(self.what, Occupancy::Access(Transfer { write: Some(_), .. }));
        Mover { device: self.owner, tag: self.what.tag(), write }
    }
}

/// One path, with the access under way.
#[derive(Clone, Copy, Debug, Default)]
pub(super) struct Path {
    pub busy_until: Cycle,
    /// The transfer, and the part that answers it; without one it is the core's access.
    transfer: Option<(Demand, Option<Answered>)>,
}

/// All paths, and the transfers that wait.
#[derive(Debug)]
pub(super) struct Arbiter {
    pub paths: Vec<Path>,
    /// In the order in which they are served.
    demands: VecDeque<Demand>,
    /// The path that the core's blocking access takes while events fire that fall into it.
    core_on: Option<usize>,
    /// The path that the core waits for.
    core_wants: Option<usize>,
    /// Cycles of a transfer beyond its wait states.
    access_cycles: Cycle,
}

impl Arbiter {
    /// So many paths, all free; a transfer takes so many cycles beyond its wait states.
    pub fn new(paths: usize, access_cycles: Cycle) -> Self {
        let paths = vec![Path::default(); paths];
        Arbiter { paths, demands: VecDeque::new(), core_on: None, core_wants: None, access_cycles }
    }

    /// Power-on: all paths are free.
    pub fn reset(&mut self) {
        *self = Arbiter::new(self.paths.len(), self.access_cycles);
    }

    /// Whether an access that begins now may have to wait, or something waits for its end.
    pub fn is_contended(&self, now: Cycle) -> bool {
        !self.demands.is_empty() || self.paths.iter().any(|path| path.busy_until > now)
    }

    /// The cycles that each path stays busy from `now` on. Equal states answer alike for ever.
    pub fn state_at(&self, now: Cycle) -> impl Iterator<Item = Cycle> + '_ {
        self.paths.iter().map(move |path| path.busy_until.saturating_sub(now))
    }

    /// All that is under way was so many cycles later.
    pub fn shift(&mut self, cycles: Cycle) {
        self.paths.iter_mut().for_each(|path| path.busy_until += cycles);
    }
}

impl System {
    /// The path that leads to `address`.
    fn path_to(&self, address: u32) -> usize {
        match (self.map.memory(address), self.map.device(address)) {
            (Some(window), _) => self.memories[window.memory].path,
            (None, Some(window)) => self.buses[window.bus].path,
            (None, None) => 0,
        }
    }

    /// Whether a device has the path that leads to `address`.
    pub(super) fn is_path_kept(&self, address: u32) -> bool {
        let path = &self.arbiter.paths[self.path_to(address)];
        path.transfer.is_some() && path.busy_until > self.hot.now
    }

    /// A device asks for a path.
    pub(super) fn demand(&mut self, owner: usize, what: Occupancy) {
        self.hot.shared = true;
        let wanted = Some(self.path_to(what.address())) == self.arbiter.core_wants;
        let behind_core = wanted && !what.is_burst();
        let demand = Demand { owner, what, behind_core };
        if what.is_burst() {
            self.arbiter.demands.push_front(demand);
        } else {
            self.arbiter.demands.push_back(demand);
        }
        self.serve();
    }

    /// Begins every transfer whose path is free now and which nothing goes before.
    fn serve(&mut self) {
        let at = self.wiring.port.now();
        let demands = std::mem::take(&mut self.arbiter.demands);
        let mut taken = vec![false; self.arbiter.paths.len()];
        for demand in demands {
            let index = self.path_to(demand.what.address());
            let path = self.arbiter.paths[index];
            // A transfer that is complete in this cycle still has its path until its event.
            let ended = path.busy_until <= at && path.transfer.is_none();
            let free = ended && self.arbiter.core_on != Some(index);
            if free && !taken[index] && !demand.behind_core {
                self.begin_transfer(index, demand, at);
            } else {
                self.arbiter.demands.push_back(demand);
                if path.transfer.is_none() && path.busy_until > at {
                    self.look_again(index, path.busy_until);
                }
            }
            taken[index] = true;
        }
    }

    /// The arbiter's own event, one for each path.
    fn look_again(&mut self, path: usize, at: Cycle) {
        let owner = self.wiring.devices.len() + 1;
        self.wiring.queue.schedule(owner, path as Tag, Some(at));
    }

    fn begin_transfer(&mut self, path: usize, demand: Demand, at: Cycle) {
        let (completes, by) = match demand.what {
            Occupancy::Access(transfer) => self.begin_access_of_device(transfer, at),
            Occupancy::Hold(Hold { cycles, .. }) => (at + Cycle::from(cycles.max(1)), None),
        };
        self.arbiter.paths[path] = Path { busy_until: completes, transfer: Some((demand, by)) };
        self.look_again(path, completes);
    }

    /// When a device's access that begins at `at` completes, and which part answers it.
    fn begin_access_of_device(
        &mut self,
        transfer: Transfer,
        at: Cycle,
    ) -> (Cycle, Option<Answered>) {
        let Transfer { address, access, write, .. } = transfer;
        if let Some(window) = self.find(address) {
            let offset = access.align(address - window.base + window.offset);
            let access = if write.is_some() { access.writing() } else { access };
            let (index, timing) = (window.memory, &mut self.memories[window.memory].timing);
            let lines_read = timing.lines_read(at, offset, access);
            let (completes, ends_line) = timing.access_on_bus(at, offset, access);
            if ends_line {
                self.hot.line = NO_LINE;
            }
            (completes + self.arbiter.access_cycles, Some(Answered::Memory { index, lines_read }))
        } else if let Some(window) = self.map.device(address) {
            self.touch_device(window);
            let offset = access.align(address) - window.base + window.offset;
            let completes = self.buses[window.bus].completes(at) + self.arbiter.access_cycles;
            (completes, Some(answered(window, offset)))
        } else {
            (at + 1, None)
        }
    }

    /// The arbiter's event is due: what was under way on a path is complete.
    pub(super) fn path_event(&mut self, path: Tag) {
        if let Some((demand, by)) = self.arbiter.paths[path as usize].transfer.take() {
            let answer = match demand.what {
                Occupancy::Access(transfer) => self.move_data(transfer),
                Occupancy::Hold(_) => Ok(0),
            };
            if let (Ok(read), Some(by), true) = (answer, by, self.watch.transfers) {
                self.notify_transfer(demand, by, read);
            }
            let wiring = &mut self.wiring;
            let device = &mut wiring.devices[demand.owner].device;
            device.transferred(demand.what.tag(), answer, &mut wiring.port);
            self.settle(demand.owner);
        }
        self.serve();
    }

    /// Notifies observers of a transfer that is complete; `read` is the value read.
    fn notify_transfer(&mut self, demand: Demand, by: Answered, read: u32) {
        let Occupancy::Access(Transfer { address, access, write, .. }) = demand.what else {
            return;
        };
        let (at, value) = (self.wiring.port.now(), write.unwrap_or(read));
        self.watch.transferred(at, address, access, demand.mover(), value, by);
        self.consider_access(address, access, write.is_some(), value);
    }

    /// Reads or writes what a transfer is to; the value read, 0 of a write.
    fn move_data(&mut self, transfer: Transfer) -> Result<u32, Abort> {
        let Transfer { address, access, write, .. } = transfer;
        let width = access.width();
        if let Some(window) = self.map.memory(address) {
            let offset = access.align(address - window.base + window.offset);
            return Ok(match write {
                None => self.memories[window.memory].get(offset, width),
                Some(value) => self.put((window.memory, offset), value, access),
            });
        }
        let window = self.map.device(address).ok_or(Abort)?;
        let register = self.register(address, width, window);
        let value = match write {
            None => self.read_register(register),
            Some(value) => {
                self.write_register(register, value);
                0
            }
        };
        self.settle(window.device);
        Ok(value)
    }

    /// Writes to a memory, if it can be written.
    pub(super) fn put(
        &mut self,
        (memory, offset): (usize, u32),
        value: u32,
        access: Access,
    ) -> u32 {
        if self.memories[memory].kind == Kind::Rom {
            let text = format!("a write to {}: it is ignored", self.memories[memory].name);
            self.report_unmodelled(text);
        } else if self.memories[memory].set(offset, access.width(), value) {
            self.rewritten(memory, offset, access.width().bytes());
        }
        0
    }

    /// The core's access waits until its path is free.
    #[cold]
    #[inline(never)]
    pub(super) fn take_path(&mut self, path: usize) {
        let from = self.hot.now;
        self.arbiter.core_wants = Some(path);
        while self.arbiter.paths[path].busy_until > self.hot.now {
            if matches!(self.stops.request, Some(StopRequest::Failure(_))) {
                break;
            }
            let Path { busy_until, transfer } = self.arbiter.paths[path];
            let until = busy_until.min(self.hot.next_event).max(self.hot.now);
            if let (Some((demand, _)), true) = (transfer, self.watch.transfers) {
                self.watch.kept(demand.mover(), until - self.hot.now);
            }
            self.hot.now = until;
            self.fire_due();
            if self.hot.now - from > LONGEST_BURST_CYCLES {
                self.request_stop(StopRequest::Failure(format!(
                    "A device has kept the core from its bus for {LONGEST_BURST_CYCLES} cycles: let its \
                     transfers end, or make them without a burst."
                )));
            }
        }
        self.arbiter.core_wants = None;
        self.refresh_alarm();
    }

    /// The core's access completes now: events fire that fall into it, while it has its path.
    pub(super) fn fire_during_access(&mut self, path: usize) {
        self.arbiter.core_on = Some(path);
        self.fire_due();
    }

    /// The core's access is complete, and what waits for its path may begin.
    pub(super) fn leave_path(&mut self) {
        self.arbiter.core_on = None;
        if self.hot.contended {
            self.wiring.port.take(self.hot.now);
            self.arbiter.demands.iter_mut().for_each(|demand| demand.behind_core = false);
            self.serve();
            self.refresh_alarm();
        }
    }
}
