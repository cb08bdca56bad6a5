//! From a board file's description to a system: names become indices, mistakes become sentences.

mod checks;
pub(super) mod energy;
mod memories;

use super::description::{self as file, Description};
use crate::core::Architecture;
use crate::error::{listed, Error, Result};
use crate::memory::Memory;
use crate::processor::Processor;
use crate::registry::Registry;
use crate::system::{
    CoreOutputs, DeviceWindow, Input, Listener, Map, Overlay, Parts, PeripheralBus, System, Window,
};
use crate::timing::MemoryTiming;
use checks::{check_names, check_ranges, check_rule};

/// Core clock of a board whose file has no `[clock]`.
const DEFAULT_OSCILLATOR_HZ: u32 = 1_000_000;

/// Moves the core's parameters to where newer files have them.
pub(crate) fn gather_parameters(board: &mut Description, registry: &Registry) -> Result<()> {
    let Some(core) = &mut board.core else { return Ok(()) };
    let architecture = registry.core(&core.kind).ok();
    core.gather_parameters(architecture.map_or(&[], |one| one.older_parameters()))
}

/// The kind of core that the board file names, and the core made from its parameters.
pub(crate) fn core(
    board: &Description,
    registry: &Registry,
) -> Result<(&'static dyn Architecture, Box<dyn Processor>)> {
    let core = board.core.as_ref().ok_or_else(|| {
        let kind = |core: &&dyn Architecture| format!("\"{}\"", core.kind());
        let kinds: Vec<_> = registry.cores().iter().map(kind).collect();
        Error(format!("The board file has no [core]; add one with kind = {}.", kinds.join(" or ")))
    })?;
    let found = registry.core(&core.kind);
    let made = found.and_then(|found| Ok((found, found.make(core.parameters.clone())?)));
    made.map_err(|why| Error(format!("[core] of kind \"{}\": {why}.", core.kind)))
}

/// Builds the system.
pub(crate) fn system(
    board: &Description,
    registry: &Registry,
    architecture: &'static dyn Architecture,
) -> Result<System> {
    check_names(board)?;
    check_ranges(board)?;
    let mut devices =
        board.device.iter().map(|d| device(d, registry)).collect::<Result<Vec<_>>>()?;
    if !architecture.outputs().is_empty() {
        devices.push(("core".into(), Box::new(CoreOutputs(architecture.outputs())), Vec::new()));
    }
    let windows = board.device.iter().enumerate().map(|(i, d)| device_windows(board, i, d));
    let windows = windows.collect::<Result<Vec<_>>>()?.concat();
    let overlays = board.remap.iter().map(|r| overlay(board, r)).collect::<Result<Vec<_>>>()?;
    let memories = board.memory.iter().map(|m| memories::memory(board, m, registry));
    let mut memories = memories.collect::<Result<Vec<_>>>()?;
    let mut shared = Vec::new();
    memories.iter_mut().for_each(|memory| memory.timing.join(&mut shared));
    memories.iter().flat_map(|m| m.timing.rules()).try_for_each(|rule| check_rule(board, rule))?;
    let shown = |(i, m): (usize, &file::Memory)| Window {
        base: m.base,
        size: m.size,
        memory: i,
        offset: 0,
    };
    let mut inputs = own_inputs(board, architecture, &memories);
    let mut outputs = Vec::new();
    for (device, (name, model, _)) in devices.iter().enumerate() {
        outputs.extend(
            model
                .outputs()
                .iter()
                .enumerate()
                .map(|(i, signal)| Output { name: format!("{name}.{signal}"), place: (device, i) }),
        );
        inputs.extend(model.inputs().iter().enumerate().map(|(input, signal)| Input {
            name: format!("{name}.{signal}"),
            listener: Listener::Device { device, input },
        }));
    }
    let wires = wires(board, &outputs, &inputs)?;
    let synchroniser_cycles = board.core.as_ref().map_or(0, |c| c.interrupt_synchroniser_cycles);
    Ok(System::new(Parts {
        architecture,
        map: Map::new(board.memory.iter().enumerate().map(shown).collect(), windows, overlays),
        memories,
        buses: board
            .bus
            .iter()
            .enumerate()
            .map(|(i, b)| bus(b, memories::path(board, i)))
            .collect(),
        paths: 1 + board.bus.iter().filter(|bus| bus.overlaps).count(),
        devices,
        inputs,
        wires,
        oscillator_hz: board.clock.as_ref().map_or(DEFAULT_OSCILLATOR_HZ, |c| c.oscillator_hz),
        synchroniser_cycles,
    }))
}

struct Output {
    name: String,
    place: (usize, usize),
}

type Device = (String, Box<dyn crate::device::Device>, Vec<String>);

fn device(described: &file::Device, registry: &Registry) -> Result<Device> {
    let model = registry
        .device(&described.kind, described.parameters.clone())
        .map_err(|why| Error(format!("Device \"{}\": {why}.", described.name)))?;
    Ok((described.name.clone(), model, described.rules.clone()))
}

fn device_windows(
    board: &Description,
    device: usize,
    described: &file::Device,
) -> Result<Vec<DeviceWindow>> {
    let window = |map: &file::Map| {
        let bus = index(
            &board.bus,
            &map.bus,
            |bus| &bus.name,
            || format!("Device \"{}\" is on bus \"{}\"", described.name, map.bus),
        )?;
        Ok(DeviceWindow { base: map.base, size: map.size, device, offset: map.offset, bus })
    };
    described.maps.iter().map(window).collect()
}

fn overlay(board: &Description, remap: &file::Remap) -> Result<Overlay> {
    let choice = |select: &file::Select| {
        let memory = index(
            &board.memory,
            &select.memory,
            |memory| &memory.name,
            || format!("Remap \"{}\" shows memory \"{}\"", remap.name, select.memory),
        )?;
        Ok((select.level, memory))
    };
    let choices = remap.select.iter().map(choice).collect::<Result<_>>()?;
    let name = remap.name.clone();
    Ok(Overlay { name, base: remap.base, size: remap.size, choices, shown: None })
}

fn bus(described: &file::Bus, path: usize) -> PeripheralBus {
    PeripheralBus {
        name: described.name.clone(),
        cycles: described.cycles,
        pclk_cycles: described.pclk_cycles,
        divider: 1,
        path,
        words_only: described.words_only,
        rules: described.rules.clone(),
    }
}

/// The inputs that the board itself offers.
fn own_inputs(
    board: &Description,
    architecture: &dyn Architecture,
    memories: &[Memory],
) -> Vec<Input> {
    let input = |name: String, listener| Input { name, listener };
    let core = architecture.inputs().iter().enumerate();
    let mut inputs: Vec<_> =
        core.map(|(n, name)| input(format!("core.{name}"), Listener::Core(n))).collect();
    inputs.push(input("core.sleep".into(), Listener::Sleep));
    inputs.push(input("board.reset".into(), Listener::Reset));
    inputs.push(input("clock.core_hz".into(), Listener::CoreHz));
    for (i, bus) in board.bus.iter().enumerate() {
        inputs.push(input(format!("bus.{}.divider", bus.name), Listener::Divider(i)));
    }
    for (i, memory) in memories.iter().enumerate() {
        for (n, name) in memory.timing.inputs().iter().enumerate() {
            let listener = Listener::Memory { memory: i, input: n };
            inputs.push(input(format!("memory.{}.{name}", memory.name), listener));
        }
        inputs.push(input(format!("memory.{}.place", memory.name), Listener::Place(i)));
    }
    for (i, remap) in board.remap.iter().enumerate() {
        inputs.push(input(format!("remap.{}", remap.name), Listener::Remap(i)));
    }
    inputs
}

fn wires(
    board: &Description,
    outputs: &[Output],
    inputs: &[Input],
) -> Result<Vec<((usize, usize), usize)>> {
    let mut wires: Vec<((usize, usize), usize)> = Vec::new();
    for connect in &board.connect {
        let from = index(
            outputs,
            &connect.from,
            |output| &output.name,
            || format!("A [[connect]] comes from \"{}\"", connect.from),
        )?;
        let to = index(
            inputs,
            &connect.to,
            |input| &input.name,
            || format!("A [[connect]] leads to \"{}\"", connect.to),
        )?;
        if wires.iter().any(|wire| wire.1 == to) {
            return Err(Error(format!(
                "Two [[connect]] entries lead to \"{}\": an input has one source, so remove one.",
                connect.to
            )));
        }
        wires.push((outputs[from].place, to));
    }
    Ok(wires)
}

/// Index of the thing called `name`, or a sentence that begins with `who` and lists what there is.
fn index<T>(
    things: &[T],
    name: &str,
    name_of: impl Fn(&T) -> &String,
    who: impl Fn() -> String,
) -> Result<usize> {
    things.iter().position(|thing| name_of(thing) == name).ok_or_else(|| {
        let there: Vec<_> = things.iter().map(|thing| name_of(thing).as_str()).collect();
        Error(format!("{}, which does not exist; there are: {}.", who(), listed(&there)))
    })
}
