//! The system a core sees: it implements [`Bus`](crate::bus::Bus) over memories, devices and events.
//!
//! It remembers the memories hit last as windows, one for code and one for each page of data.
//! Everything else (another memory, a device, an address without an answer) takes the longer way.

mod access;
#[cfg_attr(not(all(feature = "translate", target_arch = "x86_64")), allow(dead_code))]
mod ahead;
mod arbiter;
mod clock;
mod code;
mod core_outputs;
mod debugging;
mod elsewhere;
mod faults;
mod host;
mod hot;
pub(crate) mod link;
mod map;
mod overlap;
mod parts;
mod slow_access;
mod stops;
#[cfg(test)]
mod tests;
mod timing_state;
mod waiting;
mod watch;
mod wiring;

#[cfg_attr(not(all(feature = "translate", target_arch = "x86_64")), allow(unused_imports))]
pub(crate) use ahead::{CodeView, Fetches};
pub(crate) use clock::lasts;
pub use clock::Clock;
pub(crate) use core_outputs::CoreOutputs;
pub use faults::Unmodelled;
pub use map::{DeviceWindow, Map, Overlay, Window};
pub use parts::{Parts, PeripheralBus};
pub use stops::{Accessed, OutputBreakpoint, StopRequest, Watchpoint};
pub use wiring::{Input, Listener};

use crate::bus::Width;
use crate::core::Architecture;
use crate::instrument::{Instrument, Pause};
use crate::memory::Memory;
use crate::time::{Cycle, NEVER};
use crate::timing::MemoryTiming;
use arbiter::Arbiter;
use faults::Notes;
use host::Host;
use hot::{Data, Hot, NO_LINE, PAGES};
use overlap::Unnotified;
use stops::Stops;
use waiting::Waiting;
use watch::Watch;
use wiring::Wiring;

/// How a sleep ended.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Slept {
    /// The core may go on.
    Awake,
    /// The limit came first.
    Limit,
    /// Nothing is left that could wake it.
    ForEver,
}

/// An input of the core.
#[derive(Clone, Copy, Debug)]
struct Request {
    level: u32,
    /// From this cycle on a boundary sees it.
    visible: Cycle,
    /// The device and its output that drive it.
    source: Option<(usize, usize)>,
}

/// Everything on the board but the core: the state of every access, then the rest by concern.
pub struct System {
    hot: Hot,
    memories: Vec<Memory>,
    watch: Watch,
    architecture: &'static dyn Architecture,
    requests: Vec<Request>,
    /// Inputs that count where the core says whether any is requested.
    wakers: u64,
    synchroniser_cycles: Cycle,
    asleep: bool,
    /// Cycles by which a device lengthens the access under way.
    stalled: Cycle,
    /// Index of the device that stands for the core's outputs, if it has any.
    core_outputs: Option<usize>,
    waiting: Waiting,
    stops: Stops,
    map: Map,
    buses: Vec<PeripheralBus>,
    arbiter: Arbiter,
    unnotified: Vec<Unnotified>,
    wiring: Wiring,
    host: Host,
    clock: Clock,
    /// The device and its output that drive the core's clock.
    clock_driver: Option<(usize, usize)>,
    notes: Notes,
    link: Option<Box<link::Link>>,
    /// Its bytes aside, decoded code depends on this; none where it depends on more.
    decoded: Option<code::DecodedFor>,
}

impl System {
    /// Power-on: cycle 0, memories as loaded and zero elsewhere, devices reset, nothing pending from the host.
    pub fn reset(&mut self, loaded: &[(u32, Vec<u8>)]) {
        (self.hot.now, self.hot.pc) = (0, 0);
        self.requests.iter_mut().for_each(|one| (one.level, one.visible) = (0, NEVER));
        (self.asleep, self.wakers) = (false, u64::MAX);
        (self.stops.request, self.stops.reset) = (None, None);
        self.notes = Notes::default();
        self.waiting.reset();
        self.host = Host::default();
        self.watch.reset();
        self.memories.iter_mut().for_each(Memory::reset);
        loaded.iter().for_each(|(address, bytes)| self.fill(*address, bytes));
        self.buses.iter_mut().for_each(|bus| bus.divider = 1);
        self.arbiter.reset();
        self.hot.shared = false;
        self.unnotified.clear();
        self.clock.reset();
        self.map.reset();
        self.forget_windows();
        if !self.memories.iter().all(Memory::code_is_back) {
            self.forget_code();
        }
        self.wiring.power_on();
        self.reset_devices(0);
        self.reset_link();
        self.refresh_next_check();
    }

    /// Resets the board in a run that goes on, if an input asks for that; returns whether it did. Memories keep
    /// their bytes, cycles go on, and the host's levels and bytes stay.
    pub fn restart_if_asked(&mut self) -> bool {
        let Some(by) = self.stops.reset.take() else { return false };
        self.requests.iter_mut().for_each(|one| (one.level, one.visible) = (0, NEVER));
        (self.asleep, self.wakers) = (false, u64::MAX);
        self.break_trace();
        self.memories.iter_mut().for_each(|memory| memory.timing.reset());
        self.buses.iter_mut().for_each(|bus| bus.divider = 1);
        self.arbiter.reset();
        self.hot.shared = false;
        self.clock.restart(self.hot.now);
        self.map.reset();
        self.forget_windows();
        self.reset_devices(self.hot.now);
        self.tell_again(by);
        self.drive_again();
        self.refresh_next_check();
        true
    }

    /// The memories.
    pub fn memories(&self) -> &[Memory] {
        &self.memories
    }

    /// Puts bytes where they are loaded, whatever is shown there now. They lie in one memory.
    pub fn load(&mut self, address: u32, bytes: &[u8]) {
        self.fill(address, bytes);
        self.forget_code();
    }

    fn fill(&mut self, address: u32, bytes: &[u8]) {
        let holds = |memory: &&mut Memory| address.wrapping_sub(memory.base) < memory.size();
        if let Some(memory) = self.memories.iter_mut().find(holds) {
            let first = (address - memory.base) as usize;
            memory.bytes_mut()[first..first + bytes.len()].copy_from_slice(bytes);
        }
    }

    /// Core cycles per cycle of a bus's clock.
    pub fn divider(&self, bus: usize) -> u32 {
        self.buses[bus].divider
    }

    /// Where devices answer.
    pub fn devices(&self) -> &[DeviceWindow] {
        self.map.devices()
    }

    /// Whether a device answers at `address`.
    pub fn is_device(&self, address: u32) -> bool {
        self.map.device(address).is_some()
    }

    /// The core's clock over time.
    pub fn clock(&self) -> &Clock {
        &self.clock
    }

    /// Requests for behaviour that is not modelled, in their order.
    pub fn unmodelled(&self) -> &[Unmodelled] {
        &self.notes.unmodelled
    }

    /// Reports something that is not modelled, on behalf of what serves the guest from outside.
    pub fn note_unmodelled(&mut self, text: String) {
        self.wiring.port.take(self.hot.now);
        self.notes.accessing = Some(self.hot.pc);
        self.report_unmodelled(text);
        self.notes.accessing = None;
    }

    /// Ids of the unverified rules charged by since reset.
    pub fn touched_rules(&self) -> &[String] {
        &self.notes.touched
    }

    /// Attaches an instrument, and returns its number.
    pub fn attach(&mut self, mut instrument: Box<dyn Instrument>) -> u64 {
        instrument.attached(self.hot.now);
        let number = self.watch.attach(instrument, |address| self.map.is_device(address));
        self.look_at_code();
        self.refresh_alarm();
        number
    }

    /// Detaches the instrument of this number, if it is attached.
    pub fn detach(&mut self, number: u64) -> Option<Box<dyn Instrument>> {
        let instrument = self.watch.detach(number);
        self.look_at_code();
        self.refresh_alarm();
        instrument
    }

    /// The instrument of this number, while it is attached.
    pub fn instrument(&self, number: u64) -> Option<&dyn Instrument> {
        self.watch.instrument(number)
    }

    /// The same, to be changed.
    pub fn instrument_mut(&mut self, number: u64) -> Option<&mut dyn Instrument> {
        self.watch.instrument_mut(number)
    }

    /// Detaches all instruments.
    pub fn detach_all(&mut self) {
        self.watch.detach_all();
        self.look_at_code();
        self.refresh_alarm();
    }

    /// Whether the core's clock is stopped.
    pub fn is_asleep(&self) -> bool {
        self.asleep
    }

    /// Jumps from event to event while the core's clock is stopped, at most to `limit`.
    pub fn sleep(&mut self, limit: Cycle) -> Slept {
        self.set_sleeping(true);
        let slept = self.sleep_on(limit);
        self.set_sleeping(false);
        slept
    }

    fn set_sleeping(&mut self, sleeping: bool) {
        if let Some(link) = &mut self.link {
            link.sleeping = sleeping;
        }
    }

    fn sleep_on(&mut self, limit: Cycle) -> Slept {
        while self.asleep && !self.stops.is_any() {
            if self.hot.next_event == NEVER && self.link.is_none() {
                return Slept::ForEver;
            }
            if self.hot.next_event > limit {
                self.sleep_until(limit);
                return Slept::Limit;
            }
            self.sleep_until(self.hot.next_event);
            self.fire();
        }
        Slept::Awake
    }

    fn sleep_until(&mut self, at: Cycle) {
        let cycles = at.saturating_sub(self.hot.now);
        self.hot.now += cycles;
        self.notify_pause(cycles, Pause::Asleep);
    }

    /// Returns what a memory holds at `address`. Spends no cycle.
    pub fn peek(&self, address: u32, width: Width) -> Option<u32> {
        let address = width.align(address);
        let window = self.map.memory(address)?;
        let offset = address - window.base + window.offset;
        Some(self.memories[window.memory].get(offset, width))
    }

    /// The bytes of a memory from `address` on, as the guest sees them now.
    pub fn bytes_from(&self, address: u32) -> Option<&[u8]> {
        let window = self.map.memory(address)?;
        let first = (address - window.base + window.offset) as usize;
        let last = (window.offset + window.size) as usize;
        Some(&self.memories[window.memory].bytes()[first..last])
    }

    /// The same, at most `length` of them, to be changed.
    pub fn bytes_from_mut(&mut self, address: u32, length: usize) -> Option<&mut [u8]> {
        let window = self.map.memory(address)?;
        let inside = address - window.base;
        let length = length.min((window.size - inside) as usize);
        self.rewritten(window.memory, window.offset + inside, length as u32);
        let first = (window.offset + inside) as usize;
        Some(&mut self.memories[window.memory].bytes_mut()[first..first + length])
    }

    fn forget_windows(&mut self) {
        self.look_at_code();
        self.hot.pages = [Data::default(); PAGES];
        (self.hot.code, self.hot.line) = (Window::default(), NO_LINE);
        self.hot.fetches = None;
    }

    fn refresh_alarm(&mut self) {
        self.hot.next_event = self.wiring.queue.next();
        self.hot.contended = self.arbiter.is_contended(self.hot.now);
        let watched = self.watch.memories || self.waiting.trace.is_some();
        let slow = watched || self.hot.contended;
        self.hot.alarm = if slow { 0 } else { self.hot.next_event };
        self.hot.refresh_flow();
    }

    /// Whether the core is to leave its run at the next boundary.
    fn wants_stop(&self) -> bool {
        let asks = self.stops.is_any() || self.waiting.seems_to_wait;
        asks || self.asleep || self.looks_again()
    }

    fn refresh_next_check(&mut self) {
        self.hot.next_check = if self.wants_stop() {
            0
        } else {
            self.requests.iter().map(|request| request.visible).min().unwrap_or(NEVER)
        };
        self.hot.pause_at(0);
    }

    fn touch(touched: &mut Vec<String>, rules: &[String]) {
        for rule in rules {
            if !touched.contains(rule) {
                touched.push(rule.clone());
            }
        }
    }
}
