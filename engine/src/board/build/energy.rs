//! From a board file's `[energy]` and operating points to the model that a power meter works by.

use super::index;
use crate::board::description::{self as file, Description, Origin, Supply};
use crate::energy::{ClockedDevice, MemoryEnergy, Model, Point};
use crate::error::{Error, Result};

/// The largest energy of one cycle or event: 1 µJ.
const LARGEST_FJ: u64 = 1_000_000_000;
const LARGEST_MV: u32 = 20_000;
const LARGEST_UA: u64 = 10_000_000;

/// Checks the energy keys and resolves their names. `None` on a board without `[energy]`.
pub(in crate::board) fn model(board: &Description) -> Result<Option<Model>> {
    let points = points(board)?;
    let Some(energy) = &board.energy else { return Ok(None) };
    check(board, energy)?;
    let mut memories: Vec<_> = board.memory.iter().map(|m| nothing(&m.name)).collect();
    let mut buses: Vec<_> = board.bus.iter().map(|bus| (bus.name.clone(), 0)).collect();
    for access in &energy.access {
        let who = || format!("An [[energy.access]] is to \"{}\"", access.to);
        match access.to.split_once('.') {
            Some(("memory", name)) => {
                memories[index(&board.memory, name, |m| &m.name, who)?].access_fj = access.fj;
            }
            Some(("bus", name)) => {
                buses[index(&board.bus, name, |bus| &bus.name, who)?].1 = access.fj;
            }
            _ => {
                return Err(Error(format!(
                    "{}: write memory.<name> or bus.<name>, for the devices there.",
                    who()
                )))
            }
        }
    }
    for read in &energy.line_read {
        let who = || format!("An [[energy.line_read]] is of memory \"{}\"", read.memory);
        let memory = index(&board.memory, &read.memory, |m| &m.name, who)?;
        if board.memory[memory].timing.is_none() {
            return Err(Error(format!("{}, which reads no lines: use [[energy.access]].", who())));
        }
        memories[memory].line_fj = read.fj;
    }
    Ok(Some(Model {
        direct: energy.supply == Supply::Direct,
        nominal_mv: energy.nominal_mv,
        quiescent_ua: energy.quiescent.ua,
        capacitance_ff: energy.capacitance.ff,
        cycle_fj: [energy.active.fj, energy.stall.fj, energy.idle.fj],
        asleep_fj: energy.asleep.iter().map(|asleep| asleep.fj).collect(),
        memories,
        buses,
        clocked: energy.clocked.iter().map(|c| clocked(board, c)).collect::<Result<_>>()?,
        points,
    }))
}

fn nothing(name: &str) -> MemoryEnergy {
    MemoryEnergy { name: name.to_owned(), ..MemoryEnergy::default() }
}

fn clocked(board: &Description, clocked: &file::Clocked) -> Result<ClockedDevice> {
    let who = || format!("An [[energy.clocked]] is device \"{}\"", clocked.device);
    let device = &board.device[index(&board.device, &clocked.device, |d| &d.name, who)?];
    let bus = device.maps.first().map(|map| &map.bus);
    let bus = bus.and_then(|name| board.bus.iter().position(|bus| bus.name == *name));
    Ok(ClockedDevice { name: device.name.clone(), fj: clocked.fj, bus })
}

fn points(board: &Description) -> Result<Vec<Point>> {
    let described = &board.operating_point;
    for (i, point) in described.iter().enumerate() {
        let name = &point.name;
        if point.core_hz == 0 || !(1..=LARGEST_MV).contains(&point.supply_mv) {
            return Err(Error(format!(
                "Operating point \"{name}\" needs a core_hz above 0 and a supply_mv of 1 to {LARGEST_MV}."
            )));
        }
        let same =
            |other: &file::OperatingPoint| other.name == *name || other.core_hz == point.core_hz;
        if described[..i].iter().any(same) {
            return Err(Error(format!(
                "Operating point \"{name}\" has the name or the core_hz of another: each clock has one."
            )));
        }
        check_origin(board, &point.origin())?;
    }
    let mut points: Vec<_> = described
        .iter()
        .map(|p| Point { name: p.name.clone(), core_hz: p.core_hz, supply_mv: p.supply_mv })
        .collect();
    points.sort_by_key(|point| point.core_hz);
    Ok(points)
}

fn check(board: &Description, energy: &file::Energy) -> Result<()> {
    if !(1..=LARGEST_MV).contains(&energy.nominal_mv) {
        return Err(Error(format!("The nominal_mv of [energy] must be 1 to {LARGEST_MV}.")));
    }
    if energy.quiescent.ua > LARGEST_UA || energy.capacitance.ff > LARGEST_FJ {
        return Err(Error(format!(
            "[energy] has a quiescent current above {LARGEST_UA} uA or a capacitance above {LARGEST_FJ} fF."
        )));
    }
    let own = [&energy.active, &energy.stall, &energy.idle].map(|coefficient| coefficient.fj);
    let energies = (own.into_iter())
        .chain(energy.asleep.iter().map(|asleep| asleep.fj))
        .chain(energy.access.iter().map(|access| access.fj))
        .chain(energy.line_read.iter().map(|read| read.fj))
        .chain(energy.clocked.iter().map(|clocked| clocked.fj));
    if let Some(fj) = energies.max().filter(|fj| *fj > LARGEST_FJ) {
        return Err(Error(format!(
            "[energy] has {fj} fJ for one event: at most {LARGEST_FJ} can be."
        )));
    }
    if let Some(gate) = energy.clocked.iter().filter_map(|c| c.gate.as_ref()).find(|g| g.bit > 31) {
        return Err(Error(format!(
            "Bit {} of {} cannot be: signals have 32.",
            gate.bit, gate.signal
        )));
    }
    let mut seen: Vec<(&str, String)> = Vec::new();
    let named = (energy.access.iter().map(|a| ("access", a.to.clone())))
        .chain(energy.line_read.iter().map(|l| ("line_read", l.memory.clone())))
        .chain(energy.clocked.iter().map(|c| ("clocked", c.device.clone())))
        .chain(energy.asleep.iter().map(|a| ("asleep", format!("{} at {}", a.signal, a.level))));
    for one in named {
        if seen.contains(&one) {
            let (table, name) = one;
            return Err(Error(format!("Two [[energy.{table}]] are of \"{name}\": remove one.")));
        }
        seen.push(one);
    }
    energy.origins().iter().try_for_each(|origin| check_origin(board, origin))
}

fn check_origin(board: &Description, origin: &Origin<'_>) -> Result<()> {
    match (origin.source, origin.rule) {
        (Some(_), None) => Ok(()),
        (None, Some(rule)) => {
            index(&board.rule, rule, |r| &r.id, || format!("A rule \"{rule}\" is named")).map(drop)
        }
        _ => Err(Error(format!(
            "The energy of \"{}\" needs a source, or the rule that says it is unverified, and not both.",
            origin.of
        ))),
    }
}
