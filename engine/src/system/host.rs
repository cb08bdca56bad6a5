//! The outside of the board: bytes that a peer sends, levels driven by hand, values received.

use std::collections::{BTreeMap, VecDeque};

use super::wiring::Wire;
use super::{Input, Listener, System};
use crate::device::{self, Tag};
use crate::error::{listed, Error, Result};
use crate::instrument::{RequestSignal, Requesting};
use crate::time::Cycle;

/// A peer that sends bytes into one input, one per frame time of the line.
#[derive(Debug)]
struct Peer {
    input: usize,
    pace: (usize, usize),
    waiting: VecDeque<u8>,
}

/// Actions that the host still has to take. Its events have tags of their own.
#[derive(Debug, Default)]
pub(super) struct Host {
    peers: Vec<Peer>,
    drives: BTreeMap<Tag, (usize, u32)>,
    /// The level last driven into each input.
    levels: BTreeMap<usize, u32>,
    next_drive: Tag,
}

/// Tags below are peers, tags from here on are levels to drive.
const FIRST_DRIVE: Tag = 1 << 16;

impl System {
    /// Queues bytes that a peer sends back to back from now on, at the line's own rate.
    ///
    /// # Errors
    /// A sentence when there is no such input, or its device gives no frame time.
    pub fn send(&mut self, input: &str, bytes: &[u8]) -> Result<()> {
        let index = self.input(input)?;
        let device = input.split('.').next().unwrap_or_default();
        let pace = self.output(&format!("{device}.frame_cycles")).map_err(|_| {
            Error(format!(
                "Cannot send to {input}: its device has no output frame_cycles to pace by."
            ))
        })?;
        let peers = &mut self.host.peers;
        let peer = peers.iter().position(|peer| peer.input == index).unwrap_or_else(|| {
            peers.push(Peer { input: index, pace, waiting: VecDeque::new() });
            peers.len() - 1
        });
        let idle = peers[peer].waiting.is_empty();
        peers[peer].waiting.extend(bytes);
        if idle && !bytes.is_empty() {
            self.next_frame(peer, self.hot.now);
        }
        Ok(())
    }

    /// Bytes that wait to be sent into an input.
    ///
    /// # Errors
    /// A sentence when there is no such input.
    pub fn waiting(&self, input: &str) -> Result<usize> {
        let index = self.input(input)?;
        let peer = self.host.peers.iter().find(|peer| peer.input == index);
        Ok(peer.map_or(0, |peer| peer.waiting.len()))
    }

    /// Takes what an output has sent since: (cycle, value).
    ///
    /// # Errors
    /// A sentence when there is no such output.
    pub fn receive(&mut self, output: &str) -> Result<Vec<(Cycle, u32)>> {
        let (device, index) = self.output(output)?;
        Ok(std::mem::take(&mut self.wiring.devices[device].outputs[index].sent))
    }

    /// Sets an input from outside, now or at a cycle to come.
    ///
    /// # Errors
    /// A sentence when there is no such input, or the cycle is past.
    pub fn drive(&mut self, input: &str, level: u32, at: Option<Cycle>) -> Result<()> {
        let index = self.input(input)?;
        let at = at.unwrap_or(self.hot.now);
        if at < self.hot.now {
            return Err(Error(format!(
                "Cannot drive {input} at cycle {at}: the board is at cycle {} already.",
                self.hot.now
            )));
        }
        let tag = FIRST_DRIVE + self.host.next_drive;
        self.host.next_drive += 1;
        self.host.drives.insert(tag, (index, level));
        self.schedule_host(tag, at);
        self.fire();
        Ok(())
    }

    /// Level of an output.
    ///
    /// # Errors
    /// A sentence when there is no such output.
    pub fn level(&self, output: &str) -> Result<u32> {
        let (device, index) = self.output(output)?;
        Ok(self.wiring.devices[device].outputs[index].level)
    }

    /// Index of the device and of its output `name`.
    ///
    /// # Errors
    /// A sentence that lists the outputs there are.
    pub fn output(&self, name: &str) -> Result<(usize, usize)> {
        let all = || {
            self.wiring.devices.iter().enumerate().flat_map(|(device, placed)| {
                placed.outputs.iter().enumerate().map(move |(i, wire)| ((device, i), &wire.name))
            })
        };
        let found = all().find(|(_, wire)| *wire == name).map(|(place, _)| place);
        found.ok_or_else(|| unknown("output", name, all().map(|(_, wire)| wire.as_str())))
    }

    /// Names of all outputs, then of all inputs.
    pub fn signals(&self) -> (Vec<&str>, Vec<&str>) {
        let outputs = self.wiring.devices.iter().flat_map(|placed| &placed.outputs);
        let inputs = self.wiring.inputs.iter();
        (outputs.map(|wire| &*wire.name).collect(), inputs.map(|input| &*input.name).collect())
    }

    /// The output of the interrupt controller that holds the sources it would pass on, and its level. `None`
    /// if no controller drives these inputs of the core, one bit for each.
    pub fn passing_sources(&self, inputs: u64) -> Option<(String, u32)> {
        let is_driven = |one: &Listener| matches!(one, Listener::Core(n) if inputs >> n & 1 != 0);
        let drives_core = |wire: &Wire| wire.listeners.iter().any(is_driven);
        let controllers = self.wiring.devices.iter();
        let mut controllers = controllers.filter(|one| one.outputs.iter().any(drives_core));
        let wire = controllers.find_map(|one| Some(&one.outputs[one.device.passing()?]))?;
        Some((wire.name.clone(), wire.level))
    }

    /// The signals that say which sources of interrupts request, with their levels of now.
    pub fn interrupt_requests(&self) -> Vec<RequestSignal> {
        let mut found: Vec<RequestSignal> = Vec::new();
        for (n, request) in self.requests.iter().enumerate() {
            let (wire, of) = match request.source {
                Some((device, output)) => {
                    let placed = &self.wiring.devices[device];
                    match placed.device.requesting() {
                        Some(output) => (&placed.outputs[output], Requesting::Controller(device)),
                        None => (&placed.outputs[output], Requesting::Line(n)),
                    }
                }
                None => {
                    let signal = format!("core.{}", self.architecture.inputs()[n]);
                    found.push(RequestSignal {
                        signal,
                        of: Requesting::Line(n),
                        level: request.level,
                    });
                    continue;
                }
            };
            if found.iter().all(|one| one.of != of) {
                found.push(RequestSignal { signal: wire.name.clone(), of, level: wire.level });
            }
        }
        found
    }

    /// The name that a device gives its input.
    pub fn input_name(&self, device: usize, input: device::Input) -> &str {
        self.wiring.devices[device].device.inputs().get(input).copied().unwrap_or_default()
    }

    /// The name that a device gives its register at an offset.
    pub fn register_name(&self, device: usize, offset: u32) -> Option<String> {
        self.wiring.devices[device].device.register(offset)
    }

    pub(super) fn input(&self, name: &str) -> Result<usize> {
        let inputs = &self.wiring.inputs;
        let found = inputs.iter().position(|input| input.name == name);
        found.ok_or_else(|| unknown("input", name, inputs.iter().map(|input| input.name.as_str())))
    }

    /// The host's own event `tag` is due.
    pub(super) fn host_event(&mut self, tag: Tag) {
        if let Some((input, level)) = self.host.drives.remove(&tag) {
            self.host.levels.insert(input, level);
            return self.tell_input(input, level);
        }
        let peer = tag as usize;
        let Some(byte) = self.host.peers[peer].waiting.pop_front() else { return };
        self.tell_input(self.host.peers[peer].input, byte.into());
        if !self.host.peers[peer].waiting.is_empty() {
            self.next_frame(peer, self.wiring.port.now());
        }
    }

    pub(super) fn tell_input(&mut self, input: usize, level: u32) {
        let Input { name, listener } = &self.wiring.inputs[input];
        self.watch.changed(self.wiring.port.now(), name, level);
        self.hot.pause_at(0);
        let listener = *listener;
        self.tell(listener, level, None);
    }

    /// The board was reset while it runs: its inputs have the levels that were driven before.
    pub(super) fn drive_again(&mut self) {
        for (input, level) in self.host.levels.clone() {
            if self.wiring.inputs[input].listener != Listener::Reset {
                self.tell_input(input, level);
            }
        }
        self.settle(self.wiring.devices.len());
    }

    /// The frame that begins at `from` arrives one frame time later.
    fn next_frame(&mut self, peer: usize, from: Cycle) {
        let (device, output) = self.host.peers[peer].pace;
        let frame_cycles = self.wiring.devices[device].outputs[output].level.max(1);
        self.schedule_host(peer as Tag, from + Cycle::from(frame_cycles));
    }

    fn schedule_host(&mut self, tag: Tag, at: Cycle) {
        let owner = self.wiring.devices.len();
        self.wiring.queue.schedule(owner, tag, Some(at));
        self.refresh_alarm();
    }
}

fn unknown<'a>(what: &str, name: &str, there: impl Iterator<Item = &'a str>) -> Error {
    let there: Vec<_> = there.collect();
    Error(format!("The board has no {what} \"{name}\"; it has {}.", listed(&there)))
}
