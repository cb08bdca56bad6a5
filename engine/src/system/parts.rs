//! The parts of a system, and how they are put together.

use super::arbiter::Arbiter;
use super::faults::Notes;
use super::host::Host;
use super::hot::Hot;
use super::hot::PAGES;
use super::stops::Stops;
use super::waiting::Waiting;
use super::watch::Watch;
use super::wiring::{Placed, Wire, Wiring};
use super::{Clock, Input, Listener, Map, Request, System};
use crate::core::Architecture;
use crate::device::Device;
use crate::memory::Memory;
use crate::time::{Cycle, NEVER};

/// The cost of an access to a device: core cycles, then whole cycles of the peripheral clock from
/// its next edge. Edges fall where the cycle count is a multiple of the divider.
#[derive(Clone, Debug, Default)]
pub struct PeripheralBus {
    /// Its name in the board file.
    pub name: String,
    /// Core cycles.
    pub cycles: u32,
    /// Cycles of the peripheral clock.
    pub pclk_cycles: u32,
    /// Core cycles per cycle of the peripheral clock.
    pub divider: u32,
    /// Index of the path that its accesses take: of what carries one access at a time.
    pub path: usize,
    /// Its devices see words alone: a narrower access acts on the whole register.
    pub words_only: bool,
    /// Ids of the unverified rules behind these numbers.
    pub rules: Vec<String>,
}

impl PeripheralBus {
    /// When an access that begins at `now` completes.
    pub(super) fn completes(&self, now: Cycle) -> Cycle {
        let divider = Cycle::from(self.divider);
        let bridged = now + Cycle::from(self.cycles);
        if self.pclk_cycles == 0 {
            return bridged;
        }
        bridged.next_multiple_of(divider) + Cycle::from(self.pclk_cycles) * divider
    }
}

/// Contents of the board file, resolved to indices.
pub struct Parts {
    /// The kind of core.
    pub architecture: &'static dyn Architecture,
    /// Memories.
    pub memories: Vec<Memory>,
    /// Where everything is.
    pub map: Map,
    /// Buses to devices.
    pub buses: Vec<PeripheralBus>,
    /// How many paths there are, one at least.
    pub paths: usize,
    /// Devices with their names and rules.
    pub devices: Vec<(String, Box<dyn Device>, Vec<String>)>,
    /// All inputs.
    pub inputs: Vec<Input>,
    /// Wires: (device, output) to index of input.
    pub wires: Vec<((usize, usize), usize)>,
    /// Core clock after reset.
    pub oscillator_hz: u32,
    /// Delay of the interrupt lines.
    pub synchroniser_cycles: u32,
}

impl System {
    /// A system of these parts, before its first reset.
    pub fn new(parts: Parts) -> Self {
        let place = |(name, device, rules): (String, Box<dyn Device>, _)| {
            let wire = |output: &&str| Wire {
                name: format!("{name}.{output}"),
                level: 0,
                listeners: Vec::new(),
                sent: Vec::new(),
            };
            let outputs = device.outputs().iter().map(wire).collect();
            Placed { name, device, outputs, rules, touched: false }
        };
        let mut wiring = Wiring::default();
        wiring.devices.extend(parts.devices.into_iter().map(place));
        // The board adds it behind all devices.
        let has_outputs = !parts.architecture.outputs().is_empty();
        let core_outputs = has_outputs.then(|| wiring.devices.len() - 1);
        wiring.inputs = parts.inputs;
        let request = Request { level: 0, visible: NEVER, source: None };
        let mut map = parts.map;
        let mut requests = vec![request; parts.architecture.inputs().len()];
        let mut clock_driver = None;
        for ((device, output), input) in parts.wires {
            let listener = wiring.inputs[input].listener;
            if listener == Listener::CoreHz {
                clock_driver = Some((device, output));
            }
            match listener {
                Listener::Core(input) => requests[input].source = Some((device, output)),
                Listener::Place(memory) => map.make_movable(memory),
                _ => {}
            }
            wiring.devices[device].outputs[output].listeners.push(listener);
        }
        System {
            hot: Hot::new(map.page_shift(PAGES)),
            memories: parts.memories,
            watch: Watch::new(parts.architecture),
            architecture: parts.architecture,
            requests,
            wakers: u64::MAX,
            synchroniser_cycles: parts.synchroniser_cycles.into(),
            asleep: false,
            stalled: 0,
            core_outputs,
            waiting: Waiting::default(),
            stops: Stops::default(),
            map,
            buses: parts.buses,
            arbiter: Arbiter::new(parts.paths, parts.architecture.access_cycles()),
            unnotified: Vec::new(),
            wiring,
            host: Host::default(),
            clock: Clock::new(parts.oscillator_hz),
            clock_driver,
            notes: Notes::default(),
            link: None,
            decoded: None,
        }
    }
}
