//! Devices and the wires between them: events fire, effects spread, inputs hear of it.

use std::collections::VecDeque;

use super::arbiter::Occupancy;
use super::{StopRequest, System};
use crate::core::REQUESTED;
use crate::device::{Device, Effect, Port};
use crate::event::Queue;
use crate::time::{Cycle, NEVER};
use crate::timing::MemoryTiming;

/// More effects than this, all within one cycle, can only be a loop of wires.
const CASCADE_LIMIT: usize = 10_000;

/// The receiver of a signal.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Listener {
    /// An input of a device.
    Device {
        /// Index of the device.
        device: usize,
        /// Index of its input.
        input: usize,
    },
    /// An input of the core, by its number.
    Core(usize),
    /// Level 1 stops the core's clock.
    Sleep,
    /// Level 1 resets the board at the next instruction boundary.
    Reset,
    /// The core's clock in Hz.
    CoreHz,
    /// A bus's ratio of core clock to peripheral clock.
    Divider(usize),
    /// An input of a memory's timing.
    Memory {
        /// Index of the memory.
        memory: usize,
        /// Index of the input.
        input: usize,
    },
    /// The selector of a remap window.
    Remap(usize),
    /// Where a memory answers, by its index.
    Place(usize),
}

/// One input: its name in the board file and its receiver.
#[derive(Clone, Debug)]
pub struct Input {
    /// `device.signal`, or one of the board's own.
    pub name: String,
    /// The receiver of its level.
    pub listener: Listener,
}

/// One output of a device.
#[derive(Clone, Debug)]
pub(super) struct Wire {
    pub name: String,
    pub level: u32,
    pub listeners: Vec<Listener>,
    /// Values sent and not yet taken by the host.
    pub sent: Vec<(Cycle, u32)>,
}

/// A device in its place.
pub(super) struct Placed {
    /// Its name in the board file.
    pub name: String,
    pub device: Box<dyn Device>,
    pub outputs: Vec<Wire>,
    pub rules: Vec<String>,
    pub touched: bool,
}

/// All devices, what they wait for, and what they asked for just now.
#[derive(Default)]
pub(super) struct Wiring {
    pub devices: Vec<Placed>,
    pub inputs: Vec<Input>,
    pub queue: Queue,
    pub port: Port,
    effects: VecDeque<(usize, Effect)>,
    spread: (Cycle, usize),
}

impl Wiring {
    /// No event is due, and nothing was sent.
    pub fn power_on(&mut self) {
        self.queue = Queue::default();
        let outputs = self.devices.iter_mut().flat_map(|placed| &mut placed.outputs);
        outputs.for_each(|wire| wire.sent.clear());
    }
}

impl System {
    /// Fires every event due by now, each at its own cycle.
    #[cold]
    #[inline(never)]
    pub(super) fn fire(&mut self) {
        self.break_trace();
        while let Some((at, owner, tag)) = self.wiring.queue.pop(self.hot.now) {
            self.wiring.port.take(at);
            if !self.bounded(at) {
                break;
            }
            let devices = self.wiring.devices.len();
            match self.wiring.devices.get_mut(owner) {
                Some(placed) => placed.device.event(tag, &mut self.wiring.port),
                None if owner == devices => self.host_event(tag),
                None if owner == devices + 2 => self.link_event(),
                None => self.path_event(tag),
            }
            self.settle(owner);
        }
        self.refresh_alarm();
    }

    /// Resets all devices at cycle `at`, then passes the levels that they drive on to their listeners. The host's
    /// own events stay.
    pub(super) fn reset_devices(&mut self, at: Cycle) {
        let wiring = &mut self.wiring;
        wiring.queue.keep_from(wiring.devices.len());
        wiring.effects.clear();
        wiring.spread = (0, 0);
        for (owner, placed) in wiring.devices.iter_mut().enumerate() {
            placed.touched = false;
            for wire in &mut placed.outputs {
                if std::mem::take(&mut wire.level) != 0 {
                    self.watch.changed(at, &wire.name, 0);
                }
            }
            wiring.port.take(at);
            placed.device.reset(&mut wiring.port);
            wiring.effects.extend(wiring.port.take(at).into_iter().map(|effect| (owner, effect)));
        }
        self.spread_effects();
        self.refresh_alarm();
    }

    /// Applies what device `owner` just asked for, and what follows from it.
    #[inline]
    pub(super) fn settle(&mut self, owner: usize) {
        if !self.wiring.port.is_empty() {
            self.collect(owner);
        }
        if !self.wiring.effects.is_empty() {
            self.spread_effects();
        }
    }

    fn collect(&mut self, owner: usize) {
        let now = self.wiring.port.now();
        let effects = self.wiring.port.take(now);
        self.wiring.effects.extend(effects.into_iter().map(|effect| (owner, effect)));
    }

    fn spread_effects(&mut self) {
        while let Some((owner, effect)) = self.wiring.effects.pop_front() {
            if !self.bounded(self.wiring.port.now()) {
                self.wiring.effects.clear();
                return;
            }
            self.apply(owner, effect);
        }
        self.refresh_alarm();
    }

    fn apply(&mut self, owner: usize, effect: Effect) {
        let now = self.wiring.port.now();
        match effect {
            Effect::Schedule { tag, at } => {
                self.wiring.queue.schedule(owner, tag, at.map(|at| at.max(now)));
            }
            Effect::Drive { output, level } => {
                let wire = &mut self.wiring.devices[owner].outputs[output];
                if std::mem::replace(&mut wire.level, level) != level {
                    self.carry(owner, output, level);
                    self.leave(owner, output, level, false);
                }
            }
            Effect::Send { output, value } => {
                self.wiring.devices[owner].outputs[output].sent.push((now, value));
                if self.stops.on_sent.is_some_and(|one| one.is((owner, output), value)) {
                    self.request_stop(StopRequest::Sent);
                }
                self.carry(owner, output, value);
                self.leave(owner, output, value, true);
            }
            Effect::Begin { output, character } => self.begin_light(owner, output, &character),
            Effect::Transfer(transfer) => self.demand(owner, Occupancy::Access(transfer)),
            Effect::Hold(hold) => self.demand(owner, Occupancy::Hold(hold)),
            Effect::Stall(cycles) => self.stalled += Cycle::from(cycles),
            Effect::BlockEnded { tag, transfers } => {
                self.watch.block_ended(now, owner, tag, transfers);
            }
            Effect::Serve(input, service) => self.watch.served(now, owner, input, service),
            Effect::Unmodelled(text) => self.report_unmodelled(text),
            Effect::Fail(why) => {
                let name = &self.wiring.devices[owner].name;
                let sentence = format!("Device \"{name}\" failed: {why}.");
                self.request_stop(StopRequest::DeviceFailed(sentence));
            }
        }
    }

    fn carry(&mut self, owner: usize, output: usize, level: u32) {
        let now = self.wiring.port.now();
        self.watch.changed(now, &self.wiring.devices[owner].outputs[output].name, level);
        self.hot.pause_at(0);
        for i in 0..self.wiring.devices[owner].outputs[output].listeners.len() {
            let listener = self.wiring.devices[owner].outputs[output].listeners[i];
            self.tell(listener, level, Some((owner, output)));
        }
    }

    /// The devices that listen to an output hear 1 and 0 from it: the reset that it asked for has been.
    pub(super) fn tell_again(&mut self, output: Option<(usize, usize)>) {
        let Some((owner, index)) = output else { return };
        self.wiring.port.take(self.hot.now);
        for listener in self.wiring.devices[owner].outputs[index].listeners.clone() {
            if matches!(listener, Listener::Device { .. }) {
                [1, 0].into_iter().for_each(|level| self.tell(listener, level, output));
            }
        }
        self.spread_effects();
    }

    /// A listener hears of a level, `by` an output or from outside.
    pub(super) fn tell(&mut self, listener: Listener, level: u32, by: Option<(usize, usize)>) {
        let now = self.wiring.port.now();
        let visible = if level == 0 { NEVER } else { now + self.synchroniser_cycles };
        match listener {
            Listener::Device { device, input } => {
                let wiring = &mut self.wiring;
                wiring.devices[device].device.changed(input, level, &mut wiring.port);
                if !self.wiring.port.is_empty() {
                    self.collect(device);
                }
            }
            Listener::Core(input) => {
                (self.requests[input].level, self.requests[input].visible) = (level, visible);
                self.tell_requested();
            }
            Listener::Sleep => self.asleep = level != 0,
            Listener::Reset if level != 0 => self.stops.reset = Some(by),
            Listener::Reset => {}
            Listener::CoreHz => {
                if !self.clock.change(now, level) {
                    self.request_stop(StopRequest::Failure(
                        "The core's clock was changed a million times, and what follows cannot be kept: \
                         end the run before, or set the clock once.".into(),
                    ));
                }
                self.relink();
            }
            Listener::Divider(bus) => self.buses[bus].divider = level.max(1),
            Listener::Memory { memory, input } => {
                self.memories[memory].timing.set(input, level);
                self.forget_windows();
            }
            Listener::Remap(overlay) => self.remap(overlay, level),
            Listener::Place(memory) => {
                self.map.place(memory, level);
                self.forget_windows();
            }
        }
        self.refresh_next_check();
    }

    /// The core's output that says whether any input is requested follows the inputs.
    pub(super) fn tell_requested(&mut self) {
        let Some(owner) = self.core_outputs else { return };
        let names = self.architecture.outputs();
        if let Some(output) = names.iter().position(|name| *name == REQUESTED) {
            let wakes = |n: usize| self.wakers >> n & 1 != 0;
            let mut requests = self.requests.iter().enumerate();
            let level = u32::from(requests.any(|(n, one)| one.level != 0 && wakes(n)));
            self.wiring.effects.push_back((owner, Effect::Drive { output, level }));
        }
    }

    fn remap(&mut self, overlay: usize, level: u32) {
        if !self.map.select(overlay, level) {
            let name = self.map.overlay_name(overlay).to_owned();
            self.report_unmodelled(format!(
                "remap window {name}, level {level}: the board file names no memory for it"
            ));
        }
        self.forget_windows();
    }

    /// Counts what happens within one cycle; `false`, and the run fails, when it never ends.
    fn bounded(&mut self, at: Cycle) -> bool {
        let (cycle, count) = &mut self.wiring.spread;
        if *cycle != at {
            (*cycle, *count) = (at, 0);
        }
        *count += 1;
        if *count <= CASCADE_LIMIT {
            return true;
        }
        self.request_stop(StopRequest::Failure(format!(
            "The board's signals never settle at cycle {at}: look for a loop among the [[connect]] entries."
        )));
        false
    }
}
